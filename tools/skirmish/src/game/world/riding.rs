//! Who rides what: getting in and out, and seats. Nothing here is decided by one machine alone: each
//! lets the players whose hands it knows get in and out by their own input, as it lets them walk, and is told of the
//! others ([`World::set_seat`]).

use mjolnir_wire::objects::Motion;
use mjolnir_wire::{Buttons, Input, ObjectId, Slot, Tick, Vec3};

use super::World;
use crate::game::movement::{Body, Bounds, Ground, RADIUS};
use crate::game::objects::{Object, Vehicle};
use crate::game::player::{Rides, Sight};
use crate::game::vehicle::{self, Craft, MOST_SEATS, cross};

/// How far past its side a vehicle is got into from, in wu from its place to the feet. Ours.
pub const BOARDS_FROM: f32 = 1.0;
/// How much further for a player that has got in on its own machine, in wu: as far as a client has a vehicle elsewhere that
/// its player left while it rolled. Ours.
pub const BOARDED_FROM: f32 = 1.0;
/// Ticks that a press may come later than a round trip: an input that was lost comes again with the three after it.
const LATE: u32 = 3;
/// How far beside a vehicle one stands who got out, in wu between the two. Ours.
const BESIDE: f32 = 0.1;
/// How much higher than the vehicle one may stand then, in the order in which it is tried, in wu. Ours.
const HEIGHTS: [f32; 3] = [0.02, 0.4, 0.8];
/// Looks along the way out.
const LOOKS: u8 = 4;

impl World {
    // What there is to see.

    /// The vehicle that a unit rides, and its seat there.
    pub fn ride(&self, unit: ObjectId) -> Option<(ObjectId, u8)> {
        self.objects.biped(unit)?.ride
    }

    /// Who sits in each seat of a vehicle; those past its last are empty. None of what cannot be ridden.
    pub fn riders(&self, vehicle: ObjectId) -> Option<[Option<ObjectId>; MOST_SEATS]> {
        self.objects.vehicle(vehicle).map(|vehicle| vehicle.seats)
    }

    /// The player in the driver's seat of a vehicle.
    pub fn driver(&self, vehicle: ObjectId) -> Option<Slot> {
        self.slot_in(vehicle, |seat| seat.drives)
    }

    /// Where the gun upon a vehicle aims, yaw and pitch in radians: where the one at it looks. None while nobody is.
    pub fn gun(&self, vehicle: ObjectId) -> Option<(f32, f32)> {
        self.aim(self.slot_in(vehicle, |seat| seat.aims)?)
    }

    fn slot_in(&self, vehicle: ObjectId, of: impl Fn(&vehicle::Seat) -> bool) -> Option<Slot> {
        let Vehicle { craft, seats, .. } = self.objects.vehicle(vehicle)?;
        let rider = seats[craft.seats.iter().position(of)?]?;
        self.objects.biped(rider)?.slot
    }

    /// What a vehicle is like; none of what cannot be ridden.
    pub fn craft(&self, vehicle: ObjectId) -> Option<&'static Craft> {
        self.objects.vehicle(vehicle).map(|vehicle| vehicle.craft)
    }

    /// Where an object is, how it moves and turns.
    pub fn motion(&self, object: ObjectId) -> Option<Motion> {
        let object = self.objects.get(object)?;
        let Body { position, velocity } = object.body;
        let angular_velocity = object.vehicle.map_or(Vec3::ZERO, |vehicle| vehicle.spin);
        Some(Motion { position, axes: object.axes, velocity, angular_velocity })
    }

    /// Whether a vehicle stood on something after the tick simulated last.
    pub fn is_on_ground(&self, vehicle: ObjectId) -> bool {
        self.objects.vehicle(vehicle).is_some_and(|vehicle| vehicle.grounded)
    }

    /// Whether one gets in and out of a vehicle: always, but of one that follows paths only where it stands. It opens
    /// its doors there, where no script says otherwise.
    pub fn has_open_doors(&self, vehicle: ObjectId) -> bool {
        let opens = |object: &Object, vehicle: &Vehicle| {
            vehicle.doors.unwrap_or(!vehicle.craft.has_doors() || object.at_rest())
        };
        self.objects.get(vehicle).is_some_and(|object| object.vehicle.is_some_and(|it| opens(object, &it)))
    }

    /// The seat that one gets into from there: of the nearest vehicle in reach that has one free, its first.
    pub fn seat_near(&self, place: Vec3) -> Option<(ObjectId, u8)> {
        self.seat_seen(place, None)
    }

    /// The same for a player of another machine, which has it in a seat: of the vehicles that were in its reach, their
    /// doors open, in any of the ticks since it saw them, the one that it drives there, or the one nearest to where it saw it.
    /// Which seat is free counts as it is; who rides along there is not given the driver's for another.
    fn seat_seen(&self, place: Vec3, sight: Option<Sight>) -> Option<(ObjectId, u8)> {
        let (ago, further) = sight.map_or((0, 0.0), |sight| (sight.ago, BOARDED_FROM));
        let near = self.objects.iter().filter_map(|(id, object)| {
            let Vehicle { craft, seats, .. } = object.vehicle?;
            let mut free = (0..craft.seats.len()).filter(|seat| seats[*seat].is_none());
            let rides = sight.map(|sight| sight.rides);
            let another = |seat: &usize| rides != Some(Rides::Along) || !craft.seats[*seat].drives;
            let free = free.clone().find(another).or_else(|| free.next())?;
            let now = (object.body.position, self.has_open_doors(id));
            let before = || object.trail.iter().flat_map(|trail| trail.last(ago + LATE));
            let since = std::iter::once(now).chain(before().filter(|_| sight.is_some()));
            let reach = craft.radius + BOARDS_FROM + further;
            let may = since.filter(|(_, is_open)| *is_open).any(|(at, _)| at.distance(place) <= reach);
            let is_another = rides.is_some_and(|rides| rides != Rides::Drives(id));
            let seen = before().take(ago as usize).last().unwrap_or(now).0;
            may.then_some((is_another, seen.distance(place), id, free as u8))
        });
        let nearest = near.min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        nearest.map(|(.., id, seat)| (id, seat))
    }

    /// How a unit's player acts, if it plays at another machine and this one decides.
    fn sight(&self, unit: ObjectId) -> Option<Sight> {
        let slot = self.objects.biped(unit)?.slot?;
        self.player(slot)?.sight.filter(|_| self.role.decides())
    }

    /// Whether the doors of a vehicle were open in any of the last so many ticks, or are.
    fn had_open_doors(&self, vehicle: ObjectId, ago: u32) -> bool {
        let trail = self.objects.get(vehicle).and_then(|object| object.trail.as_ref());
        self.has_open_doors(vehicle) || trail.is_some_and(|trail| trail.last(ago).any(|(_, is_open)| is_open))
    }

    /// The tick in which a player of this machine last fired, reloaded or threw a grenade, as far as its machine knows.
    pub fn acted(&self, slot: Slot) -> Option<Tick> {
        self.player(slot)?.acted
    }

    // What the netcode asks for.

    /// Says whether that player plays at this machine: it gets in and out by its own input then, also where this world
    /// decides nothing.
    pub fn set_local(&mut self, slot: Slot, local: bool) {
        if let Some(player) = self.players[slot.index()].as_mut() {
            player.local = local;
        }
    }

    /// Says how that player acts upon the world in the next tick, if it plays at another machine.
    pub fn set_sight(&mut self, slot: Slot, sight: Option<Sight>) {
        if let Some(player) = self.players[slot.index()].as_mut() {
            player.sight = sight;
        }
    }

    /// Notes where each vehicle is after a tick.
    pub(super) fn note_trails(&mut self) {
        let mut place = 0;
        while let Some(id) = self.objects.nth(place) {
            place += 1;
            let is_open = self.has_open_doors(id);
            if let Some(object) = self.objects.get_mut(id)
                && let Some(trail) = &mut object.trail
            {
                trail.note(object.body.position, is_open);
            }
        }
    }

    /// Puts a unit into that seat, out of which whoever sat there goes; or out of its own, beside the vehicle. False
    /// where the unit or the seat is none, where it is a body, and where it is to leave and rides nothing.
    pub fn set_seat(&mut self, unit: ObjectId, ride: Option<(ObjectId, u8)>) -> bool {
        let Some((vehicle, seat)) = ride else { return self.leave_seat(unit, Vec3::ZERO) };
        let lives = self.objects.biped(unit).is_some_and(|biped| !biped.dead);
        let Some(Vehicle { craft, seats, .. }) = self.objects.vehicle(vehicle).copied() else { return false };
        if !lives || usize::from(seat) >= craft.seats.len() {
            return false;
        }
        match seats[usize::from(seat)] {
            Some(rider) if rider == unit => return true,
            Some(rider) => self.leave_seat(rider, Vec3::ZERO),
            None => true,
        };
        self.vacate(unit);
        if let Some(object) = self.objects.get_mut(vehicle) {
            // Who is in wants to go.
            object.wake();
            object.vehicle.iter_mut().for_each(|vehicle| vehicle.seats[usize::from(seat)] = Some(unit));
        }
        if let Some(biped) = self.objects.biped_mut(unit) {
            biped.ride = Some((vehicle, seat));
            (biped.grounded, biped.crouched) = (false, false);
        }
        self.carry_rider(unit);
        true
    }

    /// Puts a vehicle there, moving and turning so; one at rest is woken (AUTH-31). False where there is no such
    /// vehicle, or a part is not finite.
    pub fn set_vehicle(&mut self, vehicle: ObjectId, motion: &Motion) -> bool {
        let Motion { position, axes, velocity, angular_velocity } = *motion;
        let is_there = self.objects.vehicle(vehicle).is_some() && angular_velocity.is_finite();
        let placed = is_there && self.place(vehicle, position, Some(velocity), Some(axes));
        if placed {
            self.set_spin(vehicle, angular_velocity);
            self.carry_riders_of(vehicle);
        }
        placed
    }

    /// Sets how a vehicle turns, in radians a tick about each direction; of anything else nothing turns.
    pub fn set_spin(&mut self, vehicle: ObjectId, spin: Vec3) {
        if let Some(vehicle) = self.objects.vehicle_mut(vehicle).filter(|_| spin.is_finite()) {
            vehicle.spin = spin;
        }
    }

    // Getting in and out.

    /// What the action button does about vehicles: out of the one it rides, or into one in reach. Whether it did.
    ///
    /// Of a player of another machine it does no other than it did there: its machine says whether it is on foot since.
    pub(super) fn board_or_leave(&mut self, unit: ObjectId) -> bool {
        let sight = self.sight(unit);
        let is_on_foot = sight.map(|sight| sight.rides == Rides::Nothing);
        if let Some((vehicle, seat)) = self.ride(unit) {
            let ago = sight.map_or(0, |sight| sight.ago);
            // Behind closed doors it does nothing, nothing else either.
            if is_on_foot == Some(false) || !self.had_open_doors(vehicle, sight.map_or(0, |_| ago + LATE)) {
                return true;
            }
            let drives = self.craft(vehicle).is_some_and(|craft| craft.seats[usize::from(seat)].drives);
            // What it drives is where its machine had it; what it rides along in has gone on since it got out.
            let back = if drives { Vec3::ZERO } else { self.gone_on(vehicle, ago) };
            return self.leave_seat(unit, back);
        }
        if is_on_foot == Some(true) {
            return false;
        }
        let Some(place) = self.objects.get(unit).map(|object| object.body.position) else { return false };
        self.seat_seen(place, sight).is_some_and(|seat| self.set_seat(unit, Some(seat)))
    }

    /// From where a vehicle is to where it was so many ticks ago.
    fn gone_on(&self, vehicle: ObjectId, ago: u32) -> Vec3 {
        let was = |object: &Object| {
            let (place, _) = object.trail.as_ref()?.last(ago).last()?;
            Some(place - object.body.position)
        };
        self.objects.get(vehicle).and_then(was).unwrap_or_default()
    }

    /// A tick of players' hands where nothing is decided: what this machine's own players do it does at once.
    pub(super) fn work_locals(&mut self) {
        for slot in Slot::all() {
            let Some(player) = self.players[slot.index()].as_mut() else { continue };
            let (input, is_local) = (player.input, player.local);
            let held = std::mem::replace(&mut player.held, input.buttons);
            let Some(unit) = self.unit(slot) else { continue };
            let is_pressed = |button| input.buttons.contains(button) && !held.contains(button);
            // No word says that a living unit's light is on: each machine has it from the press (AUTH-66).
            if is_pressed(Buttons::FLASHLIGHT)
                && let Some(biped) = self.objects.biped_mut(unit)
            {
                biped.light = !biped.light;
            }
            if is_local && is_pressed(Buttons::ACTION) {
                self.board_or_leave(unit);
            }
            let acts = self.acts(unit, &input, is_pressed);
            // Its own players' count; others' are shown by their relayed inputs.
            let did = self.use_arms(slot, unit, &input, is_pressed, is_local);
            if is_local && (acts || did) {
                let tick = self.tick;
                self.players[slot.index()].iter_mut().for_each(|player| player.acted = Some(tick));
            }
        }
    }

    /// Whether a unit fires, reloads or throws by that input, with what this machine believes that it carries.
    fn acts(&self, unit: ObjectId, input: &Input, is_pressed: impl Fn(Buttons) -> bool) -> bool {
        let Some(load) = self.objects.biped(unit).map(|biped| biped.load) else { return false };
        let which = usize::from(input.grenade.unwrap_or(0));
        let throws =
            is_pressed(Buttons::THROW_GRENADE) && load.grenades.get(which).is_some_and(|has| *has > 0);
        let weapon = load.in_hand.and_then(|slot| self.objects.item(load.weapons[usize::from(slot)]?));
        let works =
            weapon.and_then(|item| Some((item, item.kind.firing()?))).is_some_and(|(item, firing)| {
                let fires = if firing.loads > 0 { item.loaded[0] > 0 } else { item.age < u16::MAX };
                input.buttons.contains(Buttons::PRIMARY_TRIGGER) && fires
                    || is_pressed(Buttons::RELOAD) && item.loaded[0] < firing.loads.min(item.total[0])
            });
        throws || works
    }

    /// Takes a unit out of its seat, which is empty then, and leaves it where it is. What it rode.
    pub(super) fn vacate(&mut self, unit: ObjectId) -> Option<ObjectId> {
        let (vehicle, seat) = self.objects.biped_mut(unit)?.ride.take()?;
        if let Some(object) = self.objects.get_mut(vehicle) {
            object.wake();
            object.vehicle.iter_mut().for_each(|vehicle| vehicle.seats[usize::from(seat)] = None);
        }
        Some(vehicle)
    }

    /// Takes a unit out of its seat and puts it beside what it rode, so far from where that is.
    pub(super) fn leave_seat(&mut self, unit: ObjectId, back: Vec3) -> bool {
        let Some(vehicle) = self.vacate(unit) else { return false };
        let position = self.beside(vehicle, back);
        if let (Some(position), Some(object)) = (position, self.objects.get_mut(unit)) {
            object.body = Body { position, velocity: Vec3::ZERO };
        }
        self.carry_along(unit);
        true
    }

    /// Puts everybody out who rides that.
    pub(super) fn put_out(&mut self, vehicle: ObjectId) {
        for rider in self.riders(vehicle).into_iter().flatten().flatten() {
            self.leave_seat(rider, Vec3::ZERO);
        }
    }

    /// Where one stands who gets out of a vehicle: the first place with room for it, to the left, to the right, behind,
    /// ahead; where there is none, in the vehicle's own.
    pub(super) fn beside(&self, vehicle: ObjectId, back: Vec3) -> Option<Vec3> {
        let object = self.objects.get(vehicle)?;
        let (from, reach) = (object.body.position + back, object.vehicle?.craft.radius + RADIUS + BESIDE);
        let forward = object.axes.forward.across();
        let length = forward.length();
        let ahead = if length > 0.0 { forward * (1.0 / length) } else { Vec3::new(1.0, 0.0, 0.0) };
        let left = cross(Vec3::UP, ahead);
        let ground = Ground { solids: &self.map.solids, bounds: self.map.bounds, limits: self.limits };
        let Bounds { least, most } = self.map.bounds;
        let inside = |at: f32, least: f32, most: f32| at >= least + RADIUS && at <= most - RADIUS;
        for height in HEIGHTS {
            for way in [left, -left, -ahead, ahead] {
                let free = |look: u8| {
                    let share = f32::from(look) / f32::from(LOOKS);
                    ground.fits(from + Vec3::UP * height + way * (reach * share))
                };
                let to = from + Vec3::UP * height + way * reach;
                let is_in = inside(to.x, least.x, most.x) && inside(to.y, least.y, most.y);
                if is_in && (1..=LOOKS).all(free) {
                    return Some(to);
                }
            }
        }
        Some(from + Vec3::UP * HEIGHTS[0])
    }
}
