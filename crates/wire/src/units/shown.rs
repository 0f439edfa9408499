//! A unit state field by field, as the record names them. Knows what was read, and from its flags and parts which
//! fields stood in the entry.

use serde::ser::SerializeMap;

use super::{Death, Life, LivingUnit, UnitState, part};
use crate::ids::{ObjectId, Slot};
use crate::shown::{self, Fields, Show};

/// One player's unit with the flags and parts that it came with.
#[derive(Clone, Copy, Debug)]
pub struct UnitStateShown {
    /// What was read.
    pub state: UnitState,
    /// The entry's second byte.
    pub flags: u8,
    /// The entry's third byte.
    pub parts: u8,
}

fn add<T: Show, M: SerializeMap>(to: &mut M, name: &str, value: &T) -> Result<(), M::Error> {
    shown::field(to, "unit_state", name, value)
}

impl Fields for UnitStateShown {
    fn fields<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error> {
        add(to, "player", &self.state.slot.get())?;
        add(to, "flags", &self.flags)?;
        add(to, "parts", &self.parts)?;
        match &self.state.life {
            Life::Alive(unit) => self.living(unit, to),
            Life::Dead(Death { killer, .. }) if self.parts & part::KILLER != 0 => {
                add(to, "killer_player", &Slot::byte_or_none(*killer))
            }
            Life::Dead(_) => Ok(()),
        }
    }
}

impl UnitStateShown {
    fn living<M: SerializeMap>(&self, unit: &LivingUnit, to: &mut M) -> Result<(), M::Error> {
        add(to, "unit", &unit.unit.raw())?;
        if let Some(ride) = unit.ride {
            add(to, "vehicle", &ObjectId::raw_or_none(ride.vehicle))?;
            add(to, "seat", &ride.seat)?;
        }
        if let Some(placement) = unit.placement {
            add(to, "position", &placement.position)?;
            add(to, "velocity", &placement.velocity)?;
            add(to, "forward", &placement.axes.forward)?;
            if self.parts & part::UP != 0 {
                add(to, "up", &placement.axes.up)?;
            }
        }
        if let Some(time) = unit.predicted {
            add(to, "predicted_time", &(time as i16))?;
        }
        add(to, "body_vitality", &unit.body)?;
        add(to, "shield_vitality", &unit.shield)?;
        if self.parts & part::SHOWN != 0 {
            add(to, "current_body_damage", &unit.shown.current_body)?;
            add(to, "recent_body_damage", &unit.shown.recent_body)?;
            add(to, "current_shield_damage", &unit.shown.current_shield)?;
            add(to, "recent_shield_damage", &unit.shown.recent_shield)?;
        }
        if self.parts & part::POWERUPS != 0 {
            add(to, "camouflage_ticks", &unit.powerups[0])?;
            add(to, "full_spectrum_vision_ticks", &unit.powerups[1])?;
        }
        if self.parts & part::CAMOUFLAGE != 0 {
            add(to, "unit_flags", &unit.unit_flags)?;
            add(to, "camouflage", &unit.camouflage)?;
        }
        Ok(())
    }
}
