//! What the host tells after a tick: the engine's rows of players and objects, handed to the crates that know whom they
//! concern, and round trips. Knows no distance and no turn.

use mjolnir_authority::UnitRow;
use mjolnir_objects::{self as objects, ObjectRow};
use mjolnir_wire::pings::Ping;
use mjolnir_wire::units::LivingUnit;
use mjolnir_wire::{MachineSet, ObjectId, Slot, Tick, Vec3};

use super::{Host, Scratch};
use crate::engine::Engine;

impl Host {
    /// Tells of round trips.
    pub(super) fn tell_pings(&mut self, tick: Tick) {
        let Scratch { pings, .. } = &mut self.scratch;
        pings.clear();
        for (index, owner) in (0..).zip(&self.owners) {
            if let (Some(slot), Some(owner)) = (Slot::new(index), owner) {
                pings.push(Ping { slot, milliseconds: self.clock.ping_ms(*owner) });
            }
        }
        self.authority.pings(tick, pings, &mut self.outbox);
    }

    /// Tells of players, as the tick left them and they were taken, from where they all are then.
    pub(super) fn tell_players(&mut self, tick: Tick, engine: &mut impl Engine) {
        let Scratch { rows, inputs, events, objects, places, .. } = &mut self.scratch;
        events.clear();
        engine.take_object_events(events);
        objects.clear();
        engine.read_object_rows(objects);
        places.clear();
        places.extend(rows.iter().map(|row| place(row.living()?, rows, objects)));
        self.authority.tell(tick, rows, places, inputs, &mut self.outbox);
    }

    /// After [`Host::tell_players`]: tells of objects, made and deleted, where they are, what units carry, and to everybody who
    /// has loaded of the flinches and deaths picked for them. Says who was told of all of them now.
    pub(super) fn tell_objects(&mut self, tick: Tick, engine: &mut impl Engine) -> MachineSet {
        let Scratch { rows, events, objects, carries, places, views, picks, .. } = &mut self.scratch;
        picks.clear();
        engine.take_damage_animations(picks);
        self.objects.tell_picks(self.loaded, picks, &mut self.outbox);
        views.clear();
        let seen = rows.iter().zip(&*places);
        views.extend(
            seen.filter_map(|(row, place)| viewpoint(row, *place, self.authority.told(row.state.slot))),
        );
        carries.clear();
        if objects::looks(tick) {
            engine.read_inventories(carries);
        }
        self.objects.set_behind(self.transport.behind());
        let clients = self.transport.in_game().iter();
        self.objects.set_unsent(clients.filter(|machine| self.transport.unsent(*machine) > 0).collect());
        let rows = objects::Rows { events, objects, carries, views };
        self.objects.after_tick(tick, &rows, |rows| engine.read_objects(rows), &mut self.outbox)
    }

    /// Tells everybody who has loaded of devices, in every game that has some (OBJ-47).
    pub(super) fn tell_devices(&mut self, tick: Tick, engine: &impl Engine) {
        let Scratch { groups, devices, .. } = &mut self.scratch;
        groups.clear();
        engine.read_groups(groups);
        devices.clear();
        engine.read_devices(devices);
        self.devices.after_tick(tick, self.loaded, groups, devices, &mut self.outbox);
    }

    /// Tells everybody who has loaded of what broke; of all that ever did once some are `ready`: told of all objects in this
    /// tick (OBJ-31).
    pub(super) fn tell_surfaces(&mut self, ready: MachineSet, engine: &mut impl Engine) {
        let broken = &mut self.scratch.broken;
        broken.clear();
        engine.take_broken_surfaces(broken);
        self.events.after_tick(self.loaded, ready, &[], broken, &mut self.outbox);
    }
}

/// How many things ride on one another, at most: a unit on a unit in a vehicle in a vehicle, and as many again. Rows that
/// name one another in a circle end there.
const RIDES: usize = 8;

/// Where a living player's machine looks from.
fn viewpoint(row: &UnitRow, position: Option<Vec3>, told: MachineSet) -> Option<objects::Viewpoint> {
    let unit = row.living().filter(|_| !row.left)?;
    Some(objects::Viewpoint { slot: row.state.slot, machine: row.machine, unit: unit.unit, position, told })
}

/// Where a unit is: on foot its own place, else that of the outermost vehicle of those that it rides; none where the game
/// has no such vehicle.
fn place(unit: &LivingUnit, rows: &[UnitRow], objects: &[ObjectRow]) -> Option<Vec3> {
    let mut unit = unit;
    for _ in 0..RIDES {
        if let Some(placement) = unit.placement {
            return Some(placement.position);
        }
        let ridden = unit.ride?.vehicle?;
        match rows.iter().filter_map(UnitRow::living).find(|other| other.unit == ridden) {
            // A player's unit that is ridden is where what it rides itself is.
            Some(other) => unit = other,
            None => return object_place(ridden, objects),
        }
    }
    None
}

/// Where an object is, of rows that rise by index.
fn object_place(object: ObjectId, objects: &[ObjectRow]) -> Option<Vec3> {
    let at = objects.binary_search_by_key(&object.index(), |row| row.state.object.index()).ok()?;
    let state = &objects[at].state;
    (state.object == object).then_some(state.motion.position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mjolnir_authority::{MoveLimits, View};
    use mjolnir_objects::Class;
    use mjolnir_wire::objects::{Motion, ObjectState};
    use mjolnir_wire::units::{Life, Placement, Ride, ShieldFlags, UnitState};
    use mjolnir_wire::{Axes, Machine, Tag};

    fn id(index: u16) -> ObjectId {
        ObjectId::new(index, 1).unwrap()
    }

    fn at(x: f32) -> Vec3 {
        Vec3::new(x, 0.0, 0.0)
    }

    /// Player `slot` in unit `slot`, on foot at its number or riding.
    fn row(slot: u8, rides: Option<ObjectId>) -> UnitRow {
        let placement =
            Placement { position: at(f32::from(slot)), velocity: Vec3::ZERO, axes: Axes::UPRIGHT };
        let mut unit = LivingUnit::whole(id(u16::from(slot)), placement);
        if rides.is_some() {
            (unit.placement, unit.ride) = (None, Some(Ride { vehicle: rides, seat: 0 }));
        }
        let slot = Slot::new(slot).unwrap();
        UnitRow {
            machine: Machine::HOST,
            state: UnitState { slot, shield: ShieldFlags::default(), life: Life::Alive(unit) },
            limits: MoveLimits::default(),
            platform: None,
            shaft: None,
            exit: None,
            grounded: true,
            left: false,
            view: View::default(),
        }
    }

    /// A vehicle of that index, at its index.
    fn vehicle(index: u16) -> ObjectRow {
        let (axes, still) = (Axes::UPRIGHT, Vec3::ZERO);
        let motion =
            Motion { position: at(f32::from(index)), axes, velocity: still, angular_velocity: still };
        let state = ObjectState::moving(id(index), motion);
        ObjectRow { state, class: Class::Vehicle, tag: Tag(3), driver: None, is_carried_along: false }
    }

    fn sees(of: usize, rows: &[UnitRow], objects: &[ObjectRow]) -> Option<f32> {
        let place = place(rows[of].living().unwrap(), rows, objects);
        let view = viewpoint(&rows[of], place, MachineSet::NONE).unwrap();
        assert_eq!(view.unit, id(u16::from(view.slot.get())), "it is a living player's unit, wherever it is");
        view.position.map(|position| position.x)
    }

    /// OBJ-17, 20: a rider looks from where its vehicle is, the outermost of several; on foot from its own place; where
    /// there is no such vehicle, or they ride in a circle, its place is not known.
    #[test]
    fn a_rider_looks_from_its_vehicle() {
        let objects = [vehicle(300), vehicle(301)];
        let rides = |vehicle| Some(id(vehicle));
        let rows = [row(0, None), row(1, rides(301)), row(2, rides(1)), row(3, rides(0)), row(4, rides(302))];
        let seen: Vec<_> = (0..5).map(|of| sees(of, &rows, &objects)).collect();
        assert_eq!(seen, [Some(0.0), Some(301.0), Some(301.0), Some(0.0), None]);
        let stale = [row(0, ObjectId::new(300, 2))];
        assert_eq!(sees(0, &stale, &objects), None, "another object of that index");
        let circle = [row(0, rides(1)), row(1, rides(0))];
        assert_eq!(sees(0, &circle, &objects), None);
        let gone = UnitRow { left: true, ..row(0, None) };
        assert_eq!(viewpoint(&gone, Some(Vec3::ZERO), MachineSet::NONE), None);
    }
}
