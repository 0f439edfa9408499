//! What a test's scripts set up where this world decides: a ride, a weapon to pick up (TOOL-71). Knows no script.

use std::fmt;

use mjolnir_wire::{Buttons, Machine, ObjectId, Slot, Vec3};

use super::{CARRIES, World};
use crate::game::kinds::{Class, Kind};
use crate::game::objects::{Object, Vehicle};

/// Weapons that a player is given, the first that it lacks. Ours.
const GIVEN: [Kind; 6] =
    [Kind::Rifle, Kind::Pistol, Kind::Plasma, Kind::Shotgun, Kind::Sniper, Kind::Launcher];
/// Put no further than this from where it is, in wu, a player of another machine is back the tick after: where its machine
/// has it counts within AUTH-10's tolerance.
const NOT_FAR: f32 = 3.5;
/// So near to a weapon, in wu from the feet, one stands on it. Ours.
const STANDS_ON: f32 = 0.5;

/// Why something is not set up.
#[derive(Clone, Debug, PartialEq)]
pub enum Hindrance {
    /// This world decides nothing.
    Decides,
    /// The player has left.
    Left,
    /// The player is dead.
    Dead,
    /// No vehicle that moves has a free driver's seat.
    NoVehicle,
    /// No vehicle that moves has two free seats.
    NoRoom,
    /// The player rides nothing.
    Afoot,
    /// The player is so far from the last such vehicle's entrance, in wu: out of reach, and too near to be put there.
    Near(f32),
    /// No weapon of such a name lies about that the player does not carry.
    NoWeapon(String),
}

impl fmt::Display for Hindrance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decides => f.write_str("another machine decides"),
            Self::Left => f.write_str("it has left"),
            Self::Dead => f.write_str("it is dead"),
            Self::NoVehicle => f.write_str("no vehicle has a free driver's seat"),
            Self::NoRoom => f.write_str("no vehicle has two free seats"),
            Self::Afoot => f.write_str("it rides nothing"),
            Self::Near(far) => write!(f, "it is {far:.1} wu away, too near to be put there"),
            Self::NoWeapon(text) if text.is_empty() => f.write_str("no weapon lies about that it lacks"),
            Self::NoWeapon(text) => {
                write!(f, "no weapon lies about with \"{text}\" in its name that it lacks")
            }
        }
    }
}

impl World {
    /// The last player of those who play, whether it lives or not.
    pub fn last_player(&self) -> Option<Slot> {
        self.players().filter(|(_, player)| !player.left).last().map(|(slot, _)| slot)
    }

    /// Seats a player at the wheel of the first vehicle whose driver's seat is free, out of what else it rides; one that
    /// drives already goes on. What it drives.
    pub fn seat_driver(&mut self, slot: Slot) -> Result<ObjectId, Hindrance> {
        let unit = self.staged(slot)?;
        if let Some((vehicle, _)) = self.ride(unit).filter(|(vehicle, _)| self.driver(*vehicle) == Some(slot))
        {
            return Ok(vehicle);
        }
        let seat = self.free_wheels().next().ok_or(Hindrance::NoVehicle)?;
        self.set_seat(unit, Some(seat));
        self.decisions.items += 1;
        Ok(seat.0)
    }

    /// Seats two players in the first vehicle that has room for both, out of what else they ride; who shares one stays in it.
    /// Which.
    pub fn seat_together(&mut self, pair: [Slot; 2]) -> Result<ObjectId, Hindrance> {
        let units = [self.staged(pair[0])?, self.staged(pair[1])?];
        if let [Some((one, _)), Some((other, _))] = units.map(|unit| self.ride(unit))
            && one == other
        {
            return Ok(one);
        }
        let room = |(id, object): (ObjectId, &Object)| {
            let Vehicle { craft, seats, .. } = object.vehicle?;
            let is_free = |seat: &usize| seats[*seat].is_none_or(|rider| units.contains(&rider));
            let mut free = (0..craft.seats.len()).filter(is_free).filter(|_| craft.top_speed > 0.0);
            Some((id, [free.next()?, free.next()?]))
        };
        let (vehicle, seats) = self.objects.iter().find_map(room).ok_or(Hindrance::NoRoom)?;
        for (unit, seat) in units.into_iter().zip(seats) {
            self.set_seat(unit, Some((vehicle, seat as u8)));
            self.decisions.items += 1;
        }
        Ok(vehicle)
    }

    /// Puts a player out of what it rides, beside it. What that is.
    pub fn put_out_of_seat(&mut self, slot: Slot) -> Result<ObjectId, Hindrance> {
        let unit = self.staged(slot)?;
        let (vehicle, _) = self.ride(unit).ok_or(Hindrance::Afoot)?;
        self.set_seat(unit, None);
        self.decisions.items += 1;
        Ok(vehicle)
    }

    /// Stands a player where one gets into that vehicle, or into the first other one whose driver's seat is free if that one's
    /// is not, or it is too near to be put there. At which.
    pub fn stand_at(&mut self, slot: Slot, vehicle: Option<ObjectId>) -> Result<ObjectId, Hindrance> {
        self.staged(slot)?;
        let mut free: Vec<_> = self.free_wheels().map(|(of, _)| of).collect();
        free.sort_by_key(|of| Some(*of) != vehicle);
        let mut why = Hindrance::NoVehicle;
        for of in free {
            match self.entrance(slot, of) {
                Ok(place) => {
                    if let Some(place) = place {
                        self.stand(slot, place);
                    }
                    return Ok(of);
                }
                Err(hindrance) => why = hindrance,
            }
        }
        Err(why)
    }

    /// Where a player is put who is to get into a vehicle; none where it stands well.
    fn entrance(&self, slot: Slot, vehicle: ObjectId) -> Result<Option<Vec3>, Hindrance> {
        let place = self.beside(vehicle, Vec3::ZERO).ok_or(Hindrance::NoVehicle)?;
        let from = self.position(slot).ok_or(Hindrance::Dead)?;
        let far = from.distance(place);
        let plays_here = self.player(slot).is_some_and(|player| player.machine == Machine::HOST);
        if plays_here || far > NOT_FAR {
            return Ok(Some(place));
        }
        let is_at = self.on_foot(slot).is_some() && self.seat_near(from).is_some_and(|(of, _)| of == vehicle);
        if is_at { Ok(None) } else { Err(Hindrance::Near(far)) }
    }

    /// The vehicles that move and whose driver's seat nobody has, with that seat.
    fn free_wheels(&self) -> impl Iterator<Item = (ObjectId, u8)> {
        self.objects.iter().filter_map(|(id, object)| {
            let Vehicle { craft, seats, .. } = object.vehicle?;
            let seat = craft.seats.iter().position(|seat| seat.drives)?;
            let is_free = craft.top_speed > 0.0 && seats[seat].is_none();
            is_free.then_some((id, seat as u8))
        })
    }

    /// Gives a player a weapon that it lacks, of a name without that text, for each that it carries less than it may, and
    /// hides it for so many ticks. The weapon given last.
    pub fn arm(&mut self, slot: Slot, without: &str, hides: i16) -> Result<Option<Kind>, Hindrance> {
        let unit = self.staged(slot)?;
        let mut given = None;
        // It is to lack what it takes up next.
        let next = self.weapon_for(slot, without).ok().and_then(|weapon| self.kind(weapon));
        let is_other = |kind: &Kind| Some(*kind) != next && (without.is_empty() || !is_named(*kind, without));
        for kind in GIVEN.into_iter().filter(is_other) {
            let carried = self.weapons_of(unit);
            let lacks = carried[..CARRIES].iter().any(Option::is_none);
            let has = carried.into_iter().flatten().any(|weapon| self.kind(weapon) == Some(kind));
            if lacks && !has {
                self.give(slot, kind);
                given = Some(kind);
            }
        }
        if let Some(biped) = self.objects.biped_mut(unit) {
            biped.vitality.hide(hides);
            self.decisions.items += 1;
        }
        Ok(given)
    }

    /// The first weapon that lies about, of a kind that a player does not carry, with that text in its name. One that lies
    /// where a hand would find a seat first does not count.
    pub fn weapon_for(&self, slot: Slot, text: &str) -> Result<ObjectId, Hindrance> {
        let unit = self.staged(slot)?;
        let carried = self.weapons_of(unit).map(|weapon| self.kind(weapon?));
        let fits = |(id, object): &(ObjectId, &Object)| {
            let lies = object.class() == Class::Weapon && object.loose().is_some() && !self.is_in_play(*id);
            let kind = Kind::of(object.tag).filter(|kind| lies && is_named(*kind, text));
            let is_lacked = kind.is_some() && !carried.contains(&kind);
            is_lacked && self.seat_near(object.body.position).is_none()
        };
        let first = self.objects.iter().find(fits);
        first.map(|(id, _)| id).ok_or_else(|| Hindrance::NoWeapon(text.into()))
    }

    /// Stands a player on what lies there, if it does not.
    pub fn stand_on(&mut self, slot: Slot, thing: ObjectId) -> Result<(), Hindrance> {
        self.staged(slot)?;
        let place = self.objects.get(thing).ok_or_else(|| Hindrance::NoWeapon(String::new()))?.body.position;
        if self.on_foot(slot).is_none_or(|from| from.distance(place) > STANDS_ON) {
            self.stand(slot, place);
        }
        Ok(())
    }

    /// An object as logs name it.
    pub fn named(&self, id: ObjectId) -> String {
        format!("{} #{}", self.kind(id).map_or("thing", Kind::name), id.index())
    }

    /// Puts a player there, out of its seat; what its hand held before it was there counts as let go of.
    fn stand(&mut self, slot: Slot, place: Vec3) {
        self.move_to(slot, place);
        // Where its client has it counts no more, until that has heard of this.
        self.pads.sent.push(slot);
        if let Some(player) = self.players[slot.index()].as_mut() {
            player.held = Buttons(player.held.0 & !Buttons::ACTION.0);
        }
    }

    /// The unit of a player for whom something is set up.
    fn staged(&self, slot: Slot) -> Result<ObjectId, Hindrance> {
        if !self.role.decides() {
            return Err(Hindrance::Decides);
        }
        if self.player(slot).is_none_or(|player| player.left) {
            return Err(Hindrance::Left);
        }
        self.unit(slot).ok_or(Hindrance::Dead)
    }
}

fn is_named(kind: Kind, text: &str) -> bool {
    kind.name().contains(text)
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::Tick;

    use super::*;
    use crate::game::{Map, Role, Tuning};

    /// A player of another machine is stood at a vehicle from further off than that machine's word counts; nearer it
    /// stands where it is in reach, else another vehicle is taken, or it is told; one that plays here is always put there.
    #[test]
    fn a_player_is_put_where_it_stays() {
        let text = "bounds -90 -90 -5 90 90 30\nbox -94 -94 -1 94 94 0\nitem car 0 0 0.5\nitem flyer 40 0 0.5\n\
                    spawn -40 0 0 0\nspawn -60 0 0 0";
        let mut world = World::new(&Map::parse(text).unwrap(), 1, Tuning::default());
        world.set_role(Role::Host);
        let machines = [Machine::HOST, Machine::new(1).unwrap()];
        let [here, there] = [0, 1].map(|index| Slot::new(index).unwrap());
        for (slot, machine) in [here, there].into_iter().zip(machines) {
            world.join(slot, "Ann", machine, None);
        }
        world.step(Tick::ZERO.next());
        let [car, flyer] = [Kind::Car, Kind::Flyer]
            .map(|kind| world.objects().find(|id| world.kind(*id) == Some(kind)).unwrap());
        let entrance = world.beside(car, Vec3::ZERO).unwrap();
        let from = |world: &mut World, slot: Slot, far: f32| {
            let way = entrance.across() * (1.0 / entrance.across().length());
            assert!(world.move_to(slot, entrance + way * far));
            let at = world.stand_at(slot, Some(car));
            (at, world.position(slot).unwrap().distance(entrance))
        };
        for (far, at, stands) in [(3.6, car, 0.0), (0.4, car, 0.4)] {
            let (stood, off) = from(&mut world, there, far);
            assert!(stood == Ok(at) && (off - stands).abs() < 1e-3, "{far}: {stood:?} {off}");
        }
        assert_eq!(from(&mut world, there, 3.0).0, Ok(flyer));
        assert!(world.erase(flyer));
        let (near, off) = from(&mut world, there, 3.0);
        assert!(
            matches!(near, Err(Hindrance::Near(far)) if (far - 3.0).abs() < 1e-3) && off > 2.9,
            "{near:?}"
        );
        assert_eq!(from(&mut world, here, 3.0), (Ok(car), 0.0));
        // Whose wheel somebody has is no vehicle for it.
        assert_eq!(world.seat_driver(here), Ok(car));
        assert_eq!(world.stand_at(there, Some(car)), Err(Hindrance::NoVehicle));
        world.set_role(Role::Client);
        assert_eq!(world.seat_driver(there), Err(Hindrance::Decides));
    }

    /// TOOL-14: two are seated in one vehicle, the first at its wheel, out of what they rode; both sides of the last two seats.
    #[test]
    fn two_are_seated_together() {
        let text = "bounds -90 -90 -5 90 90 30\nbox -94 -94 -1 94 94 0\nitem flyer 40 0 0.5\nitem car 0 0 0.5\n\
                    spawn -40 0 0 0\nspawn -60 0 0 0\nspawn -60 9 0 0\nspawn -60 -9 0 0";
        let mut world = World::new(&Map::parse(text).unwrap(), 1, Tuning::default());
        world.set_role(Role::Host);
        let slots = [0, 1, 2, 3].map(|index| Slot::new(index).unwrap());
        for slot in slots {
            world.join(slot, "Ann", Machine::HOST, None);
        }
        world.step(Tick::ZERO.next());
        let car = world.objects().find(|id| world.kind(*id) == Some(Kind::Car)).unwrap();
        let [ann, bob, cid, dan] = slots;
        // A flyer has one seat.
        assert_eq!(world.seat_driver(bob).map(|of| world.kind(of)), Ok(Some(Kind::Flyer)));
        assert_eq!(world.seat_together([ann, bob]), Ok(car));
        let rides = |world: &World| slots.map(|slot| world.ride(world.unit(slot).unwrap()));
        let before = rides(&world);
        assert_eq!((before[0], before[1].map(|(of, _)| of), before[2]), (Some((car, 0)), Some(car), None));
        assert_eq!((world.seat_together([bob, ann]), rides(&world)), (Ok(car), before));
        for pair in [[cid, dan], [ann, cid]] {
            assert_eq!((world.seat_together(pair), rides(&world)), (Err(Hindrance::NoRoom), before));
        }
        assert_eq!(world.put_out_of_seat(bob), Ok(car));
        assert_eq!(world.seat_together([cid, dan]), Err(Hindrance::NoRoom));
        assert_eq!(world.seat_together([ann, cid]), Ok(car));
        world.set_role(Role::Client);
        assert_eq!(world.seat_together([ann, bob]), Err(Hindrance::Decides));
    }
}
