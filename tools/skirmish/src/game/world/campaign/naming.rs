//! A level's named objects: which there are, where they stand and how they look, as scripts have it or as the host says. What is
//! the host's object is one of the world's; scenery is each machine's own. Knows no script.

use mjolnir_wire::events::Animation;
use mjolnir_wire::scripted::{Look, ObjectNames, Transform};
use mjolnir_wire::{Axes, ObjectId, ObjectName, Tick, Vec3};

use super::World;
use crate::game::campaign::{Level, Named, Showed, What};
use crate::game::hash::Hash;

/// The structure BSP of a level of one.
const BSP: u16 = 0;
/// A region that looks as it was made.
const OWN_FORM: u8 = 0xFF;

/// Scenery that there is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scenery {
    /// Where, in wu.
    pub position: Vec3,
    /// How it stands.
    pub axes: Axes,
    /// Which form each region has; 0xFF its own.
    pub regions: [u8; 8],
    /// How large it is, of 1.
    pub scale: f32,
    /// The animation that it plays, and since when.
    pub plays: Option<(u16, Tick)>,
}

/// What became of a named object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thing {
    what: What,
    is_there: bool,
    /// Which object it is, where this world made it.
    object: Option<ObjectId>,
    /// Where and how it is, of scenery; how a thing looks.
    of: Scenery,
    /// A script put it elsewhere since the level began.
    is_moved: bool,
    /// A script changed how it looks.
    is_dressed: bool,
}

impl Thing {
    pub(super) fn of(named: &Named) -> Self {
        Self {
            what: named.what,
            is_there: !named.is_absent,
            object: None,
            of: as_made(named),
            is_moved: false,
            is_dressed: false,
        }
    }

    pub(super) fn hash(&self, hash: &mut Hash) {
        let flags = [self.is_there, self.is_moved, self.is_dressed];
        flags.iter().for_each(|flag| hash.word(u64::from(*flag)));
        hash.word(ObjectId::raw_or_none(self.object) as u64);
        hash.vector(self.of.position);
        hash.vector(self.of.axes.forward);
        hash.word(u64::from_le_bytes(self.of.regions));
        hash.float(self.of.scale);
        hash.word(self.of.plays.map_or(u64::MAX, |(animation, _)| u64::from(animation)));
    }
}

fn as_made(named: &Named) -> Scenery {
    let (position, axes) = (named.position, facing(named.facing));
    Scenery { position, axes, regions: [OWN_FORM; 8], scale: 1.0, plays: None }
}

pub(super) fn facing(yaw: f32) -> Axes {
    let (sin, cos) = libm::sincosf(yaw);
    Axes { forward: Vec3::new(cos, sin, 0.0), up: Vec3::UP }
}

impl World {
    // What there is to see.

    /// Which of the level's named objects there are (COOP-21); none outside co-op, and where the level names none.
    pub fn object_names(&self) -> Option<ObjectNames> {
        let things = &self.campaign.as_ref()?.things;
        if things.is_empty() {
            return None;
        }
        let mut names = ObjectNames::none(Some(BSP), things.len() as u16);
        let there = (0..).zip(things).filter(|(_, thing)| thing.is_there);
        there.for_each(|(name, _)| names.insert(name));
        Some(names)
    }

    /// Whether a named object is there.
    pub fn is_named(&self, name: u16) -> bool {
        self.thing(name).is_some_and(|thing| thing.is_there)
    }

    /// Scenery of that name, while it is there.
    pub fn scenery(&self, name: u16) -> Option<Scenery> {
        let is_seen = |thing: &&Thing| thing.is_there && thing.what == What::Scenery;
        self.thing(name).filter(is_seen).map(|thing| thing.of)
    }

    /// The object that a named one is, where this world made it.
    pub fn named_object(&self, name: u16) -> Option<ObjectId> {
        self.thing(name)?.object.filter(|id| self.objects.get(*id).is_some())
    }

    /// Whether this world has what is so named (WIRE-84).
    pub fn has_named(&self, object: ObjectName) -> bool {
        match object {
            ObjectName::Object(id, tag) => self.objects.get(id).is_some_and(|object| object.tag == tag),
            ObjectName::Named(name) => self.scenery(name).is_some(),
        }
    }

    /// Appends where scenery stands that scripts put elsewhere (COOP-66).
    pub fn transforms(&self, into: &mut Vec<Transform>) {
        let things = (0..).zip(self.things());
        let moved = things.filter(|(_, thing)| thing.is_moved && thing.is_there);
        into.extend(moved.map(|(name, Thing { of: Scenery { position, axes, .. }, .. })| Transform {
            object: ObjectName::Named(name),
            position: *position,
            axes: *axes,
        }));
    }

    /// Appends how what scripts dressed looks, by rising name.
    pub fn looks(&self, into: &mut Vec<Look>) {
        let things = (0..).zip(self.things());
        let dressed = things.filter(|(_, thing)| thing.is_dressed && thing.is_there);
        into.extend(dressed.filter_map(|(name, Thing { of: Scenery { regions, scale, .. }, .. })| {
            Some(Look { object: self.object_name(name)?, regions: *regions, scale: *scale })
        }));
        // A name is one thing's: nothing stands twice, and a stable sort would want memory.
        into.sort_unstable_by_key(|look| look.object);
    }

    fn thing(&self, name: u16) -> Option<&Thing> {
        self.campaign.as_ref()?.things.get(usize::from(name))
    }

    fn things(&self) -> impl Iterator<Item = &Thing> {
        self.campaign.iter().flat_map(|campaign| &campaign.things)
    }

    fn thing_mut(&mut self, name: u16) -> Option<&mut Thing> {
        self.campaign.as_mut()?.things.get_mut(usize::from(name))
    }

    /// What a named object that is there is called as it travels: scenery by the level's name, a thing by its object.
    pub(super) fn object_name(&self, name: u16) -> Option<ObjectName> {
        match self.thing(name)?.what {
            What::Scenery => self.scenery(name).map(|_| ObjectName::Named(name)),
            What::Thing(_) => self.called(self.named_object(name)?),
        }
    }

    /// What an object is called as it travels.
    pub(super) fn called(&self, object: ObjectId) -> Option<ObjectName> {
        Some(ObjectName::Object(object, self.objects.get(object)?.tag))
    }

    /// Where what is so named is, in wu.
    pub(super) fn place_of(&self, object: ObjectName) -> Option<Vec3> {
        match object {
            ObjectName::Object(id, _) => self.objects.get(id).map(|object| object.body.position),
            ObjectName::Named(name) => self.scenery(name).map(|scenery| scenery.position),
        }
    }

    // Where this world decides.

    /// Makes every thing of the level that is there at the begin.
    pub(super) fn make_names(&mut self, level: &Level) {
        for (name, named) in (0..).zip(&level.names) {
            if !named.is_absent {
                self.make_thing(name);
            }
        }
    }

    /// Things that are no more, for whatever reason.
    pub(super) fn note_names(&mut self) {
        for name in 0..self.things().count() as u16 {
            let is_gone = self.thing(name).is_some_and(|thing| thing.object.is_some())
                && self.named_object(name).is_none();
            if let Some(thing) = self.thing_mut(name).filter(|_| is_gone) {
                (thing.object, thing.is_there) = (None, false);
                self.note_showed(Showed::Named(name, false));
            }
        }
    }

    /// Makes a named object, as the level has it. One that is there stays as it is.
    pub(super) fn create_named(&mut self, name: u16) {
        if !self.is_named(name) && self.make_thing(name) {
            self.note_showed(Showed::Named(name, true));
        }
    }

    /// Deletes a named object.
    pub(super) fn erase_named(&mut self, name: u16) {
        if let Some(object) = self.named_object(name) {
            self.clear_away(object);
        }
        self.delete_named(name);
    }

    fn make_thing(&mut self, name: u16) -> bool {
        let Some(named) = self.map.campaign.names.get(usize::from(name)) else { return false };
        let made = as_made(named);
        let object = match named.what {
            What::Scenery => None,
            What::Thing(kind) => match self.make(kind.tag(), made.position, made.axes, None) {
                None => return false,
                object => object,
            },
        };
        self.thing_mut(name).is_some_and(|thing| {
            (thing.is_there, thing.object, thing.of) = (true, object, made);
            true
        })
    }

    /// Puts a named object elsewhere.
    pub(super) fn move_named(&mut self, name: u16, position: Vec3, yaw: f32) {
        let axes = facing(yaw);
        match self.object_name(name) {
            None => {}
            Some(object @ ObjectName::Named(_)) => {
                if let Some(thing) = self.thing_mut(name) {
                    thing.is_moved = true;
                }
                self.set_transform(&Transform { object, position, axes });
            }
            // The host tells where its objects are anyhow.
            Some(object @ ObjectName::Object(id, _))
                if self.place(id, position, Some(Vec3::ZERO), Some(axes)) =>
            {
                self.carry_riders_of(id);
                self.note_showed(Showed::Moved(object));
            }
            Some(ObjectName::Object(..)) => {}
        }
    }

    /// Changes how a named object looks.
    pub(super) fn dress_named(&mut self, name: u16, change: impl FnOnce(&mut [u8; 8], &mut f32)) {
        let Some(object) = self.object_name(name) else { return };
        let Some(thing) = self.thing_mut(name) else { return };
        thing.is_dressed = true;
        let (mut regions, mut scale) = (thing.of.regions, thing.of.scale);
        change(&mut regions, &mut scale);
        if let ObjectName::Object(..) = object {
            (thing.of.regions, thing.of.scale) = (regions, scale);
        }
        self.set_look(&Look { object, regions, scale });
    }

    // The host's word, and what it comes to here.

    /// A named object is there on the host: scenery is made as the level has it; what is an object of the host's comes with
    /// those.
    pub fn make_named(&mut self, name: u16) {
        let Some(named) = self.map.campaign.names.get(usize::from(name)) else { return };
        let made = as_made(named);
        if let Some(thing) = self.thing_mut(name).filter(|thing| !thing.is_there) {
            (thing.is_there, thing.of) = (true, made);
            self.note_showed(Showed::Named(name, true));
        }
    }

    /// A named object is no more on the host; the same.
    pub fn delete_named(&mut self, name: u16) {
        if let Some(thing) = self.thing_mut(name).filter(|thing| thing.is_there) {
            (thing.is_there, thing.object) = (false, None);
            self.note_showed(Showed::Named(name, false));
        }
    }

    /// Where scenery stands. What is an object of the host's is where the host's word on those has it.
    pub fn set_transform(&mut self, transform: &Transform) {
        let Transform { object, position, axes } = *transform;
        if let ObjectName::Named(name) = object
            && let Some(thing) = self.thing_mut(name).filter(|thing| thing.is_there)
            && (thing.of.position, thing.of.axes) != (position, axes)
        {
            (thing.of.position, thing.of.axes) = (position, axes);
            self.note_showed(Showed::Moved(object));
        }
    }

    /// How an object looks, said over and over. Of one of the host's the regions count alone: nothing here has another size.
    pub fn set_look(&mut self, look: &Look) {
        let Look { object, regions, scale } = *look;
        let is_new = match object {
            ObjectName::Named(name) => {
                let Some(thing) = self.thing_mut(name).filter(|thing| thing.is_there) else { return };
                let before = (thing.of.regions, thing.of.scale);
                (thing.of.regions, thing.of.scale) = (regions, scale);
                before != (regions, scale)
            }
            ObjectName::Object(id, tag) => {
                let Some(object) = self.objects.get_mut(id).filter(|object| object.tag == tag) else {
                    return;
                };
                let before = object.looks.regions;
                let looks = object.looks.regions.iter_mut().zip(regions);
                looks.filter(|(_, form)| *form != OWN_FORM).for_each(|(of, form)| *of = form);
                before != object.looks.regions
            }
        };
        if is_new {
            self.note_showed(Showed::Looks(object));
        }
    }

    /// Scenery plays an animation.
    pub(super) fn play(&mut self, animation: &Animation) {
        let now = self.tick;
        if let ObjectName::Named(name) = animation.object
            && let Some(thing) = self.thing_mut(name)
        {
            thing.of.plays = Some((animation.animation, now));
        }
    }
}
