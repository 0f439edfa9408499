//! Squads and dropships as scripts have them: who is placed, rides, is let out, and where a dropship flies. Knows no mind.

use mjolnir_wire::presentation::TeamSet;
use mjolnir_wire::{ObjectId, ObjectName, Vec3};

use super::World;
use crate::game::actors::{PLAYERS, TEAMS};
use crate::game::objects::Vehicle;

/// How far ahead of a vehicle's middle whoever is let out of each seat in turn stands beside it, in wu. Ours.
const LET_OUT: [f32; 4] = [0.9, 0.3, -0.3, -0.9];

impl World {
    /// How many of a squad live; 0 of one that the level has none of.
    pub(super) fn living_of(&self, squad: &str) -> usize {
        self.squad_named(squad).map_or(0, |squad| self.squad_alive(squad))
    }

    /// Who of a squad lives, as it travels.
    pub(super) fn living_in(&self, squad: &str) -> Vec<ObjectName> {
        self.units_of(squad).into_iter().filter_map(|unit| self.called(unit)).collect()
    }

    /// Places a squad.
    pub(super) fn place_named_squad(&mut self, squad: &str) {
        if let Some(squad) = self.squad_named(squad) {
            self.place_squad(squad);
        }
    }

    /// The teams that are the players' allies.
    pub(super) fn allies_of_players(&self) -> TeamSet {
        let mut allied = TeamSet::default();
        let teams = (0..TEAMS).filter(|team| *team != PLAYERS && self.allied(PLAYERS, *team));
        teams.for_each(|team| allied.insert(team));
        allied
    }

    /// The players' allies are those, as the host has them (COOP-06).
    pub(super) fn hear_allies(&mut self, allied: TeamSet) {
        for team in (0..TEAMS).filter(|team| *team != PLAYERS) {
            self.hear_allied(PLAYERS, team, allied.contains(team));
        }
    }

    /// A squad takes the free seats of a named vehicle, as far as they reach.
    pub(super) fn board(&mut self, squad: &str, ship: u16) {
        let Some(ship) = self.named_object(ship) else { return };
        for unit in self.units_of(squad) {
            let Some(Vehicle { craft, seats, .. }) = self.objects.vehicle(ship) else { return };
            let Some(seat) = (0..craft.seats.len()).find(|seat| seats[*seat].is_none()) else { return };
            self.seat_actor(unit, ship, seat as u8);
        }
    }

    fn units_of(&self, squad: &str) -> Vec<ObjectId> {
        self.squad_named(squad).map_or_else(Vec::new, |squad| self.squad_units(squad).collect())
    }

    /// Lets out whoever rides a named vehicle, one beside another.
    pub(super) fn unload(&mut self, ship: u16) {
        let Some(ship) = self.named_object(ship) else { return };
        let Some(riders) = self.riders(ship) else { return };
        let ahead = self.objects.get(ship).map_or(Vec3::ZERO, |object| object.axes.forward.across());
        for (rider, along) in riders.into_iter().zip(LET_OUT) {
            if let Some(rider) = rider {
                self.leave_seat(rider, ahead * along);
            }
        }
    }

    /// Whether nobody rides a named vehicle.
    pub(super) fn is_empty(&self, ship: u16) -> bool {
        let riders = self.named_object(ship).and_then(|ship| self.riders(ship));
        riders.is_none_or(|riders| riders.iter().all(Option::is_none))
    }

    /// A named vehicle flies that path of the map from now on.
    pub(super) fn fly_path(&mut self, ship: u16, path: u16) {
        let Some(ship) = self.named_object(ship) else { return };
        if let Some(vehicle) = self.objects.vehicle_mut(ship) {
            vehicle.path = Some((path, 0));
        }
    }

    /// Whether a named vehicle has come to the end of its way, or has none.
    pub(super) fn has_arrived(&self, ship: u16) -> bool {
        let vehicle = self.named_object(ship).and_then(|ship| self.objects.vehicle(ship));
        let flies = vehicle.and_then(|vehicle| vehicle.path).is_some_and(|(path, passed)| {
            let path = &self.map.paths[usize::from(path)];
            !path.once || passed < path.round()
        });
        !flies
    }

    /// Opens a vehicle's doors, or closes them.
    pub(super) fn set_doors(&mut self, unit: ObjectName, opens: bool) {
        if let ObjectName::Object(id, _) = unit
            && let Some(vehicle) = self.objects.vehicle_mut(id)
        {
            vehicle.doors = Some(opens);
        }
    }

    /// Sets a group of devices.
    pub(super) fn set_devices(&mut self, group: u16, value: f32, at_once: bool) {
        self.set_by_script(group, value, at_once);
    }
}
