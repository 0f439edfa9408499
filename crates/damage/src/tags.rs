//! What the game is asked about damage: what its tags say, and what stands there. Lent for a call.

use mjolnir_wire::{ObjectId, Tag, Vec3};

/// What the tags of a game say of damage. A game that has none of it implements nothing: then nothing can be dealt.
pub trait Tags {
    /// A damage effect's own bounds; none of a tag that is none.
    fn effect(&self, _effect: Tag) -> Option<Effect> {
        None
    }

    /// How a weapon, a kind of grenade or a vehicle (`source`) can deal that damage: followed through its projectiles'
    /// impacts and detonations and what these set off. None where it cannot.
    fn deals(&self, _source: Tag, _effect: Tag) -> Option<Deals> {
        None
    }

    /// How much of an effect's damage is left at that distance from its epicentre, in wu: 0 to 1.
    fn fall_off(&self, _effect: Tag, _distance: f32) -> f32 {
        1.0
    }

    /// Which of a damage's flags mean what here.
    fn flags(&self) -> Flags {
        Flags::default()
    }
}

/// What stands in the game now, on the host and on a client.
pub trait World {
    /// What stands under that name and can be hurt, a body or a vehicle that was left too; none where nothing does. A client is
    /// asked for what the host's word on damage names: a part that it lacks is not replayed (DMG-34).
    fn target(&self, _object: ObjectId) -> Option<Target> {
        None
    }
}

/// A damage effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// How far it reaches around its epicentre, wu; 0 of one that hurts what it hits alone.
    pub radius: f32,
    /// Whether it is less further off ([`Tags::fall_off`]).
    pub falls_off: bool,
    /// In which form the game deals it.
    pub form: AreaForm,
}

impl Effect {
    /// Whether it hurts what is around its epicentre. A radius that is no number is taken for one: what goes off goes off once.
    pub(crate) fn has_reach(&self) -> bool {
        self.radius > 0.0 || self.radius.is_nan()
    }
}

/// In which form the game deals a damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AreaForm {
    /// To what was hit.
    Direct,
    /// To all that is near.
    Area,
    /// Either way; a report says which.
    Both,
}

/// Which bits of a damage's flags mean what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Those that a client's hit may have (DMG-29).
    pub client: u32,
    /// The one that says that it is dealt as area damage, among those of `client` or not.
    pub area: u32,
}

/// How a source deals a damage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deals {
    /// By what.
    pub means: Means,
    /// How often.
    pub rate: Rate,
}

/// How often something is dealt at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Shots, blows or throws in a second.
    pub per_second: f32,
    /// Projectiles in one of them.
    pub projectiles: u16,
}

/// By what a damage is dealt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Means {
    /// What flies, and what that sets off: a shot, a grenade.
    Flight(Flight),
    /// A blow of the striker's own.
    Melee {
        /// How far it reaches from the striker's body, wu.
        reach: f32,
    },
    /// A vehicle that hits what it drives into.
    Collision {
        /// How far the vehicle pushes what it hits in the tick, wu.
        push: f32,
        /// As fast as the two come together where all of the damage is dealt, wu a tick; less of it where they are slower.
        /// 0 where the tags do not say.
        whole_at: f32,
    },
}

/// How something flies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// How far it can get.
    pub reach: Reach,
    /// How far from where it goes off what it sets off can go off, wu.
    pub sets_off: f32,
    /// How long it can be under way, in ticks; 0 of a shot that hits at once.
    pub ticks: u32,
}

/// How far something that flies can get.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reach {
    /// So far from where it was fired, wu: its range, or its speed for as long as its timer runs.
    Within(f32),
    /// The tags do not bound it: it sticks, its timer starts once it bounces or rests, or the weapon itself detonates
    /// (DMG-19).
    Unbounded,
}

/// What can be hurt, as it stands now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Where, as a report's target position has it, wu.
    pub place: Vec3,
    /// In wu a tick.
    pub velocity: Vec3,
    /// How far any of it is from its place at most, wu.
    pub size: f32,
    /// Its centre beside its place, wu.
    pub centre: Vec3,
    /// Nodes that it has.
    pub nodes: u16,
    /// Regions that it has.
    pub regions: u16,
    /// Materials that it has.
    pub materials: u16,
}
