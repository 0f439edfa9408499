//! Platforms and what sets them: where they are, whom they carry, and the host's word on both. A client's world sets none by
//! itself (COOP-16).
//!
//! In a tick the platforms move first, and everything that stood on one is moved by as much in the same tick, whatever it
//! was that moved it (GLUE-20): its way, or a word that put it elsewhere, which waits for the tick. Then what is carried moves
//! by itself, on the platform where it is now. What is carried follows from places alone; what is remembered of one in the
//! air is told, and moves nothing.

use mjolnir_wire::{ObjectId, Slot, Vec3};

use super::World;
use super::shafts::Floors;
use crate::game::collision::Solid;
use crate::game::fixtures::{Fixtures, Platform};
use crate::game::hash::Hash;
use crate::game::movement::{HEIGHT, RADIUS, TOP_SPEED};
use crate::game::objects::{Object, Objects};
use crate::game::standing::{lifted, stands_on};

/// Ticks that a unit in the air over the platform that it left is told to be of it, which moves by then or does not: a jump
/// takes 39, and up to 95 over one that goes down. Ours.
pub const REMEMBERED: u16 = 100;
/// So far under a platform's top one is still over it, in wu.
const UNDER: f32 = 0.05;
/// A thing that rises faster than this stands on nothing, in wu a tick.
const RISES: f32 = 1e-3;

#[derive(Clone, Debug)]
struct Device {
    /// Along its travel, 0 to 1.
    position: f32,
    power: f32,
    /// It is put there in the next tick.
    put: Option<f32>,
    /// It does not go where its group would have it.
    held: bool,
    /// It moved in the tick simulated last.
    moving: bool,
}

#[derive(Clone, Debug, Default)]
struct Set {
    value: f32,
    changed: u8,
    snaps: u8,
    /// Ticks that its devices have rested; counted by the one who decides.
    rested: u16,
}

/// The platform that carries a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carriage {
    /// Which platform of the map.
    pub platform: u16,
    /// It moved in the tick simulated last.
    pub moving: bool,
    /// The unit stands on it; else it left it in the air a short while ago.
    pub contact: bool,
    /// How high its top is, in wu.
    pub floor: f32,
}

/// The platform that carried a thing in the tick simulated last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Under {
    /// Which platform of the map.
    pub platform: u16,
    /// It moved in that tick, or will be put elsewhere in the next.
    pub moving: bool,
}

/// What a group is set to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupState {
    /// Its index.
    pub group: u16,
    /// 0 to 1.
    pub value: f32,
    /// Times it was set, wrapping.
    pub changed: u8,
    /// Times it was set at once, wrapping.
    pub snaps: u8,
}

/// Where a platform is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeviceState {
    /// Which platform of the map.
    pub device: u16,
    /// 0 to 1; where it will be in the next tick, if it was put elsewhere.
    pub position: f32,
    /// 0 to 1.
    pub power: f32,
    /// It moved in the tick simulated last.
    pub moving: bool,
    /// In wu.
    pub travel: f32,
}

#[derive(Clone, Copy, Debug)]
struct Memory {
    platform: u16,
    contact: bool,
    /// Ticks in the air.
    airborne: u16,
}

/// The state of a map's platforms.
#[derive(Clone, Debug)]
pub(super) struct Devices {
    devices: Vec<Device>,
    /// How high each was of late.
    pub(super) floors: Vec<Floors>,
    groups: Vec<Set>,
    /// Which platform carries each player's unit, by slot.
    carried: Vec<Option<Memory>>,
    /// What stands on which, in one tick.
    standing: Vec<(ObjectId, u16)>,
    /// How far each moved, in one tick.
    moved: Vec<Vec3>,
}

impl Devices {
    pub(super) fn new(fixtures: &Fixtures) -> Self {
        let device = Device { position: 0.0, power: 1.0, put: None, held: false, moving: false };
        let platforms = fixtures.platforms.len();
        Self {
            devices: vec![device; platforms],
            floors: fixtures.platforms.iter().map(|platform| Floors::at(platform.solid.most.z)).collect(),
            groups: vec![Set::default(); fixtures.groups.len()],
            carried: vec![None; Slot::all().count()],
            standing: Vec::with_capacity(64),
            moved: Vec::with_capacity(platforms),
        }
    }

    /// What every machine has of them.
    pub(super) fn hash_shared(&self, hash: &mut Hash) {
        for device in &self.devices {
            hash.float(device.position);
            hash.float(device.power);
        }
        for group in &self.groups {
            hash.float(group.value);
        }
    }

    /// What else the next tick follows from.
    pub(super) fn hash_own(&self, hash: &mut Hash) {
        for device in &self.devices {
            hash.word(u64::from(device.held) << 1 | u64::from(device.moving));
            hash.word(device.put.map_or(u64::MAX, |put| u64::from(put.to_bits())));
        }
        for Set { changed, snaps, rested, .. } in &self.groups {
            hash.word(u64::from(*rested) << 16 | u64::from(*changed) << 8 | u64::from(*snaps));
        }
    }
}

impl World {
    /// Moves the platforms by a tick, and what stands on them.
    pub(super) fn run_devices(&mut self) {
        if self.devices.devices.is_empty() {
            return;
        }
        let Self { devices, objects, map, around, .. } = self;
        devices.standing.clear();
        for (id, object) in objects.iter() {
            if let Some(radius) = ball(object)
                && let Some(on) = stands_on(&map.solids, object.body.position, radius, around)
            {
                devices.standing.push((id, on));
            }
        }
        devices.moved.clear();
        for (index, platform) in (0..).zip(&map.fixtures.platforms) {
            let device = &mut devices.devices[usize::from(index)];
            let before = device.position;
            let is_put = device.put.is_some();
            device.advance(platform, devices.groups[usize::from(platform.group)].value);
            let goes_down = platform.offset(device.position).z < platform.offset(before).z;
            if goes_down && !is_put && is_under(objects, &platform.at(before), &platform.at(device.position))
            {
                // It waits for whoever stands under it.
                (device.position, device.moving) = (before, false);
            }
            let moved = platform.offset(device.position) - platform.offset(before);
            devices.moved.push(moved);
            let solid = platform.at(device.position);
            let floors = &mut devices.floors[usize::from(index)];
            if is_put {
                // It was never on its way there.
                *floors = Floors::at(solid.most.z);
            }
            floors.note(solid.most.z);
            map.solids.put_moving(index, solid);
        }
        for (id, on) in &devices.standing {
            if let Some(object) = objects.get_mut(*id) {
                object.body.position += devices.moved[usize::from(*on)];
            }
        }
        self.lift();
    }

    /// What a platform that rose swept over is on it.
    fn lift(&mut self) {
        for index in 0..self.devices.moved.len() {
            let rise = self.devices.moved[index].z;
            if rise <= 0.0 {
                continue;
            }
            let index = index as u16;
            let before = self.map.solids.of_moving(index).most.z - rise;
            let mut place = 0;
            while let Some(id) = self.objects.nth(place) {
                place += 1;
                let Some(object) = self.objects.get_mut(id) else { continue };
                let is_bound = object.carried() || self.devices.standing.contains(&(id, index));
                let rolls = object.vehicle.map_or(RADIUS, |vehicle| vehicle.craft.radius);
                let radius = object.loose().map_or(rolls, |kind| kind.radius());
                let at = object.body.position;
                if let Some(height) = lifted(&self.map.solids, index, before, at, radius)
                    && !is_bound
                {
                    object.body.position.z = height;
                    self.devices.standing.push((id, index));
                }
            }
        }
    }

    /// Groups that have rested long enough go to the other end.
    pub(super) fn go_by_themselves(&mut self) {
        for (index, group) in self.map.fixtures.groups.iter().enumerate() {
            let Some(rest) = group.rest else { continue };
            let set = &mut self.devices.groups[index];
            let of_group = self.map.fixtures.platforms.iter().zip(&self.devices.devices);
            let rests = of_group
                .filter(|(platform, _)| usize::from(platform.group) == index)
                .all(|(_, device)| !device.moving && device.position == set.value);
            set.rested = if rests { set.rested + 1 } else { 0 };
            if set.rested >= rest {
                set.toggle();
            }
        }
    }

    /// Uses the switch in reach of a unit, if there is one. Where this world decides alone.
    pub(super) fn use_switch(&mut self, unit: ObjectId) -> bool {
        let Some(place) = self.objects.get(unit).map(|object| object.body.position) else { return false };
        let Some(switch) = self.map.fixtures.switch_at(place) else { return false };
        self.decisions.items += 1;
        self.devices.groups[usize::from(switch.group)].toggle();
        true
    }

    /// Sets the group of that name, whose platforms go there. False where there is none, and in a client's world.
    pub fn operate(&mut self, name: &str, value: f32) -> bool {
        let Some(group) = self.map.fixtures.group(name) else { return false };
        if !self.role.decides() || !(0.0..=1.0).contains(&value) {
            return false;
        }
        self.decisions.items += 1;
        self.devices.groups[usize::from(group)].set(value);
        true
    }

    /// Sets a group as a script has it: its platforms go there, or are there in the next tick, on every machine.
    pub(super) fn set_by_script(&mut self, group: u16, value: f32, at_once: bool) {
        let Some(set) = self.devices.groups.get_mut(usize::from(group)) else { return };
        set.set(value);
        if at_once {
            set.snaps = set.snaps.wrapping_add(1);
        }
        self.set_group(group, value, at_once);
    }

    /// Sets a group as the host has it: its platforms go there, or are there in the next tick. Those that were held go on.
    pub fn set_group(&mut self, group: u16, value: f32, at_once: bool) {
        let Some(set) = self.devices.groups.get_mut(usize::from(group)) else { return };
        set.value = value.clamp(0.0, 1.0);
        let of_group = self.map.fixtures.platforms.iter().zip(&mut self.devices.devices);
        for (_, device) in of_group.filter(|(platform, _)| platform.group == group) {
            device.held = false;
            if at_once {
                device.put = Some(value.clamp(0.0, 1.0));
            }
        }
    }

    /// Puts a platform elsewhere in the next tick (a phase correction), with what stands on it; one that does not move on
    /// is held there. False where there is none.
    pub fn put_device(&mut self, device: u16, position: f32, moving: bool) -> bool {
        let Some(device) = self.devices.devices.get_mut(usize::from(device)) else { return false };
        device.put = Some(position.clamp(0.0, 1.0));
        device.held = !moving;
        true
    }

    /// Gives a platform power; without any it stands.
    pub fn set_power(&mut self, device: u16, power: f32) {
        if let Some(device) = self.devices.devices.get_mut(usize::from(device)) {
            device.power = power.clamp(0.0, 1.0);
        }
    }

    /// What every group is set to.
    pub fn groups(&self) -> impl Iterator<Item = GroupState> {
        (0..).zip(&self.devices.groups).map(|(group, set)| {
            let Set { value, changed, snaps, .. } = *set;
            GroupState { group, value, changed, snaps }
        })
    }

    /// Where every platform is.
    pub fn devices(&self) -> impl Iterator<Item = DeviceState> {
        let both = self.devices.devices.iter().zip(&self.map.fixtures.platforms);
        (0..).zip(both).map(|(index, (device, platform))| DeviceState {
            device: index,
            position: device.put.unwrap_or(device.position),
            power: device.power,
            moving: device.moving,
            travel: platform.travel.length(),
        })
    }

    /// How high a platform's top is, in wu.
    pub fn top_of(&self, platform: u16) -> Option<f32> {
        self.devices.devices.get(usize::from(platform))?;
        Some(self.map.solids.of_moving(platform).most.z)
    }

    /// The platform that something stood on in the tick simulated last, and was moved by.
    pub fn under(&self, object: ObjectId) -> Option<Under> {
        let (_, platform) = *self.devices.standing.iter().find(|(id, _)| *id == object)?;
        let device = self.devices.devices.get(usize::from(platform))?;
        Some(Under { platform, moving: device.moving || device.put.is_some() })
    }

    /// How far a platform is from where it begins, in wu.
    pub fn offset_of(&self, platform: u16) -> Option<Vec3> {
        let device = self.devices.devices.get(usize::from(platform))?;
        Some(self.map.fixtures.platforms.get(usize::from(platform))?.offset(device.position))
    }

    /// The platform that carries a player's unit, or that it left in the air a short while ago.
    pub fn carried_by(&self, slot: Slot) -> Option<Carriage> {
        let Memory { platform, contact, .. } = self.devices.carried[slot.index()]?;
        let moving = self.devices.devices.get(usize::from(platform))?.moving;
        Some(Carriage { platform, moving, contact, floor: self.top_of(platform)? })
    }

    /// Notes which platform carries each player's unit.
    pub(super) fn note_carried(&mut self) {
        if self.devices.devices.is_empty() {
            return;
        }
        for slot in Slot::all() {
            let unit = self.players[slot.index()].as_ref().and_then(|player| player.unit);
            let before = self.devices.carried[slot.index()];
            self.devices.carried[slot.index()] = unit.and_then(|unit| match self.stood_on(unit) {
                Some(platform) => Some(Memory { platform, contact: true, airborne: 0 }),
                None if self.grounded(unit) => None,
                None => {
                    let before = before.filter(|before| self.is_over(unit, before.platform))?;
                    let airborne = before.airborne + 1;
                    (airborne <= REMEMBERED).then_some(Memory { contact: false, airborne, ..before })
                }
            });
        }
    }

    /// Notes anew which platform carries a unit that was put elsewhere.
    pub(super) fn note_carriage(&mut self, unit: ObjectId) {
        if self.devices.devices.is_empty() {
            return;
        }
        let Some(slot) = self.objects.biped(unit).and_then(|biped| biped.slot) else { return };
        match self.stood_on(unit) {
            Some(platform) => {
                self.devices.carried[slot.index()] = Some(Memory { platform, contact: true, airborne: 0 });
            }
            None => {
                let before = self.devices.carried[slot.index()];
                let before = before.filter(|before| self.is_over(unit, before.platform));
                self.devices.carried[slot.index()] = before.map(|before| Memory { contact: false, ..before });
            }
        }
    }

    /// Whether a unit in the air is over that platform, where it may land on it.
    fn is_over(&self, unit: ObjectId, platform: u16) -> bool {
        let Some(place) = self.objects.get(unit).map(|object| object.body.position) else { return false };
        let Solid { least, most, .. } = self.map.solids.of_moving(platform);
        place.z > most.z - UNDER
            && place.x > least.x - RADIUS
            && place.x < most.x + RADIUS
            && place.y > least.y - RADIUS
            && place.y < most.y + RADIUS
    }

    /// How fast what a unit stands on goes down, in wu a tick: who lands on it lands so much softer.
    pub(super) fn sinks_under(&mut self, unit: ObjectId) -> f32 {
        let on = if self.devices.moved.is_empty() { None } else { self.stood_on(unit) };
        on.map_or(0.0, |platform| (-self.devices.moved[usize::from(platform)].z).max(0.0))
    }

    fn stood_on(&mut self, unit: ObjectId) -> Option<u16> {
        let Self { objects, map, around, .. } = self;
        let object = objects.get(unit)?;
        stands_on(&map.solids, object.body.position, ball(object)?, around)
    }
}

impl Device {
    fn advance(&mut self, platform: &Platform, target: f32) {
        let before = self.position;
        let mut position = self.put.take().unwrap_or(before);
        if self.power > 0.0 && !self.held {
            let step = platform.speed / platform.travel.length();
            let left = target - position;
            position = if left.abs() <= step { target } else { position + step.copysign(left) };
        }
        self.moving = position != before;
        self.position = position;
    }
}

impl Set {
    fn set(&mut self, value: f32) {
        (self.value, self.changed, self.rested) = (value, self.changed.wrapping_add(1), 0);
    }

    fn toggle(&mut self) {
        self.set(if self.value < 0.5 { 1.0 } else { 0.0 });
    }
}

/// Whether a living unit stands under a box where that would go down.
fn is_under(objects: &Objects, from: &Solid, to: &Solid) -> bool {
    objects.iter().any(|(_, object)| {
        let at = object.body.position;
        object.biped.as_ref().is_some_and(|biped| !biped.dead)
            && at.z < from.least.z
            && at.z + HEIGHT > to.least.z
            && at.x > to.least.x - RADIUS
            && at.x < to.most.x + RADIUS
            && at.y > to.least.y - RADIUS
            && at.y < to.most.y + RADIUS
    })
}

/// The radius of the ball by which a thing stands, if it stands on anything by itself.
fn ball(object: &Object) -> Option<f32> {
    let rises = object.body.velocity.z > if object.biped.is_some() { 0.0 } else { RISES };
    if rises || object.carried() || object.body.velocity.z < -TOP_SPEED {
        return None;
    }
    match (&object.biped, object.loose(), &object.vehicle) {
        (_, Some(kind), _) => Some(kind.radius()),
        (Some(_), None, _) => Some(RADIUS),
        // One that follows a path goes where that goes.
        (None, None, Some(vehicle)) => vehicle.path.is_none().then_some(vehicle.craft.radius),
        (None, None, None) => None,
    }
}
