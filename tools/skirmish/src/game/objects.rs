//! The table of objects: 8192 places, each with an identifier that tells what stands there from what stood there
//! before. Knows no rule by which objects move.
//!
//! The host makes objects in the lower half, a client what it makes for itself alone in the upper (GLUE-18); a
//! client makes the host's objects by the name that the host gave them. An identifier is never 0 and never used
//! again at its index: a place that has had them all is retired.

use mjolnir_wire::limits::{FIRST_OWN_OBJECT, GRENADE_KINDS, MAX_OBJECTS, WEAPON_SLOTS};
use mjolnir_wire::{Axes, Input, ObjectId, Slot, Tag, Tick, Vec3};

use super::actors::Actor;
use super::health::Vitality;
use super::kinds::{Class, Kind};
use super::looks::Looks;
use super::loose::STILL_TICKS;
use super::movement::Body;
use super::trail::Trail;
use super::vehicle::{Craft, MOST_SEATS};

/// The tag of a player's biped.
pub const BIPED: Tag = Tag(0xE174_0000);

/// Half of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// The host's objects.
    Lower,
    /// What a machine makes for itself alone.
    Upper,
}

impl Half {
    fn range(self) -> std::ops::Range<usize> {
        match self {
            Self::Lower => 0..FIRST_OWN_OBJECT,
            Self::Upper => FIRST_OWN_OBJECT..MAX_OBJECTS,
        }
    }
}

/// What there is to say of an object when it is made: enough to make it elsewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Made {
    /// Its name.
    pub id: ObjectId,
    /// What it is.
    pub tag: Tag,
    /// The player whose unit it is.
    pub slot: Option<Slot>,
    /// Where, in wu.
    pub position: Vec3,
    /// In wu a tick.
    pub velocity: Vec3,
    /// How it stands.
    pub axes: Axes,
    /// It lies in what a unit carries.
    pub carried: bool,
    /// It does not move.
    pub at_rest: bool,
    /// It is a body.
    pub dead: bool,
    /// How it looks.
    pub looks: Looks,
}

impl Made {
    /// One of that tag that stands upright and still, nobody's.
    pub const fn plain(id: ObjectId, tag: Tag, position: Vec3) -> Self {
        Self {
            id,
            tag,
            slot: None,
            position,
            velocity: Vec3::ZERO,
            axes: Axes::UPRIGHT,
            carried: false,
            at_rest: false,
            dead: false,
            looks: Looks::PLAIN,
        }
    }
}

/// One object.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) tag: Tag,
    pub(super) body: Body,
    pub(super) axes: Axes,
    pub(super) looks: Looks,
    /// Where it is drawn beside where it is; nothing simulated reads it (GLUE-19).
    pub(super) offset: Vec3,
    /// Ticks that it lay still, to [`STILL_TICKS`]: then it is at rest.
    pub(super) still: u8,
    /// In the next tick nothing moves it: it was moved along by word.
    pub(super) is_along: bool,
    /// Ticks until the one who decides deletes it; none if it stays.
    pub(super) leaves_in: Option<u16>,
    pub(super) biped: Option<Biped>,
    pub(super) item: Option<Item>,
    pub(super) vehicle: Option<Vehicle>,
    /// Where a vehicle was of late; kept by the one who decides.
    pub(super) trail: Option<Box<Trail>>,
}

/// What a vehicle that can be ridden has beside a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vehicle {
    pub(super) craft: &'static Craft,
    /// How it turns, in radians a tick about each direction.
    pub(super) spin: Vec3,
    /// It stood on something after the tick simulated last.
    pub(super) grounded: bool,
    /// Who sits in each seat.
    pub(super) seats: [Option<ObjectId>; MOST_SEATS],
    /// Ticks until its gun fires again.
    pub(super) gun_wait: u8,
    /// The map's path that it follows, and ticks that it has; counted by the one who decides.
    pub(super) path: Option<(u16, u32)>,
    /// A script opened its doors, or closed them.
    pub(super) doors: Option<bool>,
}

/// What a weapon, a piece of equipment or a cart has beside a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) kind: Kind,
    /// Who carries it.
    pub(super) holder: Option<ObjectId>,
    /// All rounds by magazine, the loaded ones too.
    pub(super) total: [i16; 2],
    /// Those loaded.
    pub(super) loaded: [i16; 2],
    /// How worn it is, in 65535ths.
    pub(super) age: u16,
    /// Ticks until it fires again; counted by the one who decides.
    pub(super) wait: u8,
}

/// What a unit carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Load {
    pub(super) weapons: [Option<ObjectId>; WEAPON_SLOTS],
    pub(super) in_hand: Option<u8>,
    pub(super) grenades: [u8; GRENADE_KINDS],
}

/// What a biped has beside a place.
#[derive(Clone, Debug)]
pub(super) struct Biped {
    /// Whose it is; none until its player is given it.
    pub(super) slot: Option<Slot>,
    pub(super) yaw: f32,
    pub(super) pitch: f32,
    pub(super) crouched: bool,
    pub(super) grounded: bool,
    pub(super) vitality: Vitality,
    /// Ticks since it was last hurt.
    pub(super) unhurt: u16,
    /// Ticks until its hand throws again.
    pub(super) rests: u8,
    /// It is a body.
    pub(super) dead: bool,
    /// Its player is dead, and it stands until its blow comes; of a client's world alone.
    pub(super) doomed: bool,
    /// Its killing blow was replayed; of a client's world alone.
    pub(super) blown: bool,
    /// The vehicle that hit it last, and when.
    pub(super) rammed: Option<(ObjectId, Tick)>,
    /// Its light is on.
    pub(super) light: bool,
    pub(super) load: Load,
    /// The vehicle and the seat that it rides; the vehicle has it in that seat.
    pub(super) ride: Option<(ObjectId, u8)>,
    /// The actor that drives it, while it lives.
    pub(super) actor: Option<Box<Actor>>,
}

impl Object {
    pub(super) fn new(tag: Tag, body: Body, axes: Axes, slot: Option<Slot>) -> Self {
        let biped = (tag == BIPED).then(|| Biped {
            slot,
            yaw: yaw_of(axes.forward),
            pitch: 0.0,
            crouched: false,
            grounded: false,
            vitality: Vitality::WHOLE,
            unhurt: u16::MAX,
            rests: 0,
            dead: false,
            doomed: false,
            blown: false,
            rammed: None,
            light: false,
            load: Load::default(),
            ride: None,
            actor: None,
        });
        let kind = Kind::of(tag).filter(|kind| *kind != Kind::Biped);
        let vehicle = kind.and_then(Craft::of).map(Vehicle::new);
        let item = kind.filter(|_| vehicle.is_none()).map(Item::new);
        Self {
            tag,
            body,
            axes,
            looks: Looks::PLAIN,
            offset: Vec3::ZERO,
            still: 0,
            is_along: false,
            leaves_in: None,
            biped,
            item,
            vehicle,
            trail: vehicle.map(|_| Box::default()),
        }
    }

    /// What it is of; what no rule is about is equipment.
    pub(super) fn class(&self) -> Class {
        Kind::of(self.tag).map_or(Class::Equipment, Kind::class)
    }

    /// The kind by which it falls and slides, if nothing else moves it.
    pub(super) fn loose(&self) -> Option<Kind> {
        match (&self.biped, &self.item) {
            (Some(biped), _) => biped.dead.then_some(Kind::Biped),
            (None, Some(item)) => item.holder.is_none().then_some(item.kind),
            (None, None) => None,
        }
    }

    /// Whether it is at rest. What no rule is about rests where it was put, unless it was given a speed.
    pub(super) fn at_rest(&self) -> bool {
        match self.loose() {
            Some(_) => self.still >= STILL_TICKS,
            None if self.vehicle.is_some() => self.still >= STILL_TICKS,
            None => self.biped.is_none() && self.item.is_none() && self.body.velocity == Vec3::ZERO,
        }
    }

    pub(super) fn carried(&self) -> bool {
        self.item.is_some_and(|item| item.holder.is_some())
    }

    pub(super) fn dead(&self) -> bool {
        self.biped.as_ref().is_some_and(|biped| biped.dead)
    }

    /// Moves it at the next tick though it lay still.
    pub(super) const fn wake(&mut self) {
        self.still = 0;
    }

    /// Lays it down: it does not move until it is woken.
    pub(super) const fn lay(&mut self) {
        self.body.velocity = Vec3::ZERO;
        self.still = STILL_TICKS;
        if let Some(vehicle) = &mut self.vehicle {
            vehicle.spin = Vec3::ZERO;
        }
    }
}

impl Vehicle {
    fn new(craft: &'static Craft) -> Self {
        Self {
            craft,
            spin: Vec3::ZERO,
            grounded: false,
            seats: [None; MOST_SEATS],
            gun_wait: 0,
            path: None,
            doors: None,
        }
    }
}

impl Item {
    pub(super) fn new(kind: Kind) -> Self {
        let (rounds, loads) = kind.firing().map_or((0, 0), |firing| (firing.rounds, firing.loads));
        Self { kind, holder: None, total: [rounds, 0], loaded: [loads, 0], age: 0, wait: 0 }
    }
}

impl Biped {
    /// Nobody drives it any more, and nothing is left of its health.
    pub(super) fn become_body(&mut self) {
        (self.slot, self.dead, self.crouched, self.grounded) = (None, true, false, false);
        (self.doomed, self.actor) = (false, None);
        self.vitality = Vitality { body: 0.0, shield: 0.0, ..Vitality::WHOLE };
    }

    /// What its shield has when nothing is missing.
    pub(super) fn whole_shield(&self) -> f32 {
        self.actor.as_ref().map_or(1.0, |actor| actor.shield)
    }

    /// Aims and faces as the input says.
    pub(super) fn look(&mut self, axes: &mut Axes, input: &Input) {
        use mjolnir_wire::Buttons;
        (self.yaw, self.pitch) = (input.yaw, input.pitch);
        if !input.buttons.contains(Buttons::LOOK_WITHOUT_TURNING) {
            let (sin, cos) = libm::sincosf(self.yaw);
            *axes = Axes { forward: Vec3::new(cos, sin, 0.0), up: Vec3::UP };
        }
    }
}

/// The direction of that along the ground, 0 to a turn.
pub(super) fn yaw_of(forward: Vec3) -> f32 {
    let yaw = libm::atan2f(forward.y, forward.x);
    if yaw < 0.0 { yaw + std::f32::consts::TAU } else { yaw }
}

/// The table.
#[derive(Clone, Debug)]
pub(super) struct Objects {
    /// The identifier that stands, or stood last, at each index; 0 where none has.
    identifiers: Vec<u16>,
    /// Boxed: most places are empty for most of a game.
    objects: Vec<Option<Box<Object>>>,
    /// The indices where objects stand, in order.
    live: Vec<u16>,
    /// Where the search for a free place goes on, by half.
    next: [usize; 2],
    counts: Counts,
}

/// Objects of the host's half, since the game's start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Made.
    pub made: u64,
    /// Deleted, for whatever reason.
    pub deleted: u64,
    /// For which there was no place.
    pub failed: u64,
}

impl Objects {
    pub(super) fn new() -> Self {
        Self {
            identifiers: vec![0; MAX_OBJECTS],
            objects: vec![None; MAX_OBJECTS],
            live: Vec::with_capacity(MAX_OBJECTS),
            next: [Half::Lower.range().start, Half::Upper.range().start],
            counts: Counts::default(),
        }
    }

    /// Makes an object at the next free place of a half; none when the half is full.
    pub(super) fn make(&mut self, half: Half, object: Object) -> Option<ObjectId> {
        let range = half.range();
        let next = self.next[half as usize];
        let free = |index: &usize| self.objects[*index].is_none() && self.identifiers[*index] != u16::MAX;
        let Some(index) = (next..range.end).chain(range.start..next).find(free) else {
            self.counts.failed += u64::from(half == Half::Lower);
            return None;
        };
        self.next[half as usize] = if index + 1 == range.end { range.start } else { index + 1 };
        let id = ObjectId::new(index as u16, self.identifiers[index] + 1)?;
        self.put(id, object);
        Some(id)
    }

    /// Makes an object by its name. Whatever stands there under another name goes; one that stands there under
    /// this name stays as it is. Whether it was made.
    pub(super) fn make_at(&mut self, id: ObjectId, object: Object) -> bool {
        if self.get(id).is_some() {
            return false;
        }
        self.put(id, object);
        true
    }

    fn put(&mut self, id: ObjectId, object: Object) {
        let index = id.index();
        self.counts.made += u64::from(index < FIRST_OWN_OBJECT);
        self.identifiers[index] = id.identifier();
        self.objects[index] = Some(Box::new(object));
        if let Err(place) = self.live.binary_search(&(index as u16)) {
            self.live.insert(place, index as u16);
        }
    }

    pub(super) fn delete(&mut self, id: ObjectId) -> Option<Object> {
        self.get(id)?;
        let index = id.index();
        self.counts.deleted += u64::from(index < FIRST_OWN_OBJECT);
        if let Ok(place) = self.live.binary_search(&(index as u16)) {
            self.live.remove(place);
        }
        self.objects[index].take().map(|object| *object)
    }

    pub(super) const fn counts(&self) -> Counts {
        self.counts
    }

    pub(super) fn get(&self, id: ObjectId) -> Option<&Object> {
        let object = self.objects[id.index()].as_deref()?;
        (self.identifiers[id.index()] == id.identifier()).then_some(object)
    }

    pub(super) fn get_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        let object = self.objects[id.index()].as_deref_mut()?;
        (self.identifiers[id.index()] == id.identifier()).then_some(object)
    }

    /// The name of what stands at an index.
    pub(super) fn at(&self, index: usize) -> Option<ObjectId> {
        self.objects.get(index)?.as_ref()?;
        ObjectId::new(index as u16, self.identifiers[index])
    }

    pub(super) fn item(&self, id: ObjectId) -> Option<&Item> {
        self.get(id)?.item.as_ref()
    }

    pub(super) fn item_mut(&mut self, id: ObjectId) -> Option<&mut Item> {
        self.get_mut(id)?.item.as_mut()
    }

    pub(super) fn vehicle(&self, id: ObjectId) -> Option<&Vehicle> {
        self.get(id)?.vehicle.as_ref()
    }

    pub(super) fn vehicle_mut(&mut self, id: ObjectId) -> Option<&mut Vehicle> {
        self.get_mut(id)?.vehicle.as_mut()
    }

    pub(super) fn biped(&self, id: ObjectId) -> Option<&Biped> {
        self.get(id)?.biped.as_ref()
    }

    pub(super) fn biped_mut(&mut self, id: ObjectId) -> Option<&mut Biped> {
        self.get_mut(id)?.biped.as_mut()
    }

    pub(super) fn len(&self) -> usize {
        self.live.len()
    }

    /// The name of the object at that place among those that stand.
    pub(super) fn nth(&self, place: usize) -> Option<ObjectId> {
        let index = *self.live.get(place)?;
        ObjectId::new(index, self.identifiers[usize::from(index)])
    }

    /// Every object with its name, by index.
    pub(super) fn iter(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.live.iter().filter_map(|&index| {
            let id = ObjectId::new(index, self.identifiers[usize::from(index)])?;
            Some((id, self.objects[usize::from(index)].as_deref()?))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object() -> Object {
        Object::new(BIPED, Body::default(), Axes::UPRIGHT, None)
    }

    /// OBJ-41: an identifier is never 0 and never used again; a place that has had them all is retired.
    #[test]
    fn a_place_that_has_had_every_identifier_is_retired() {
        let mut objects = Objects::new();
        let first = objects.make(Half::Lower, object()).unwrap();
        assert_eq!((first.index(), first.identifier()), (0, 1));
        assert!(objects.delete(first).is_some() && objects.delete(first).is_none());
        objects.identifiers[0] = u16::MAX - 1;
        objects.next[0] = 0;
        let last = objects.make(Half::Lower, object()).unwrap();
        assert_eq!((last.index(), last.identifier()), (0, u16::MAX));
        objects.delete(last);
        objects.next[0] = 0;
        assert_eq!(objects.make(Half::Lower, object()).unwrap().index(), 1);
        assert!(objects.get(first).is_none() && objects.get(last).is_none());
    }

    /// GLUE-18: each half is filled to its last place and no further.
    #[test]
    fn a_half_ends_where_the_other_begins() {
        let mut objects = Objects::new();
        for half in [Half::Lower, Half::Upper] {
            for _ in 0..4096 {
                assert!(half.range().contains(&objects.make(half, object()).unwrap().index()));
            }
            assert!(objects.make(half, object()).is_none());
        }
        assert_eq!(objects.len(), 8192);
    }

    /// The host's name wins over what stood there; the same name again changes nothing.
    #[test]
    fn an_object_is_made_by_name() {
        let mut objects = Objects::new();
        let (old, new) = (ObjectId::new(5, 3).unwrap(), ObjectId::new(5, 4).unwrap());
        assert!(objects.make_at(old, object()));
        assert!(!objects.make_at(old, object()));
        assert!(objects.make_at(new, object()));
        assert!(objects.get(old).is_none() && objects.get(new).is_some());
        assert_eq!(objects.iter().count(), 1);
        assert_eq!(objects.nth(0), Some(new));
    }
}
