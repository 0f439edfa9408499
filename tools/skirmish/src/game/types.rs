//! Game types: what each counts, when a game is over, and where it sends its players. The one who decides steps them;
//! a client has the host's word for what they count, in the shape in which it travels, and shows it (AUTH-51). They know
//! the world through what [`World`] lets them ask and do.

mod ctf;
mod goal;
mod king;
mod oddball;
mod race;
mod rules;
mod slayer;
mod tally;

pub use ctf::{CAPTURE, RETURN_AFTER};
pub use king::{CONTESTED, CONTROLLED, HILL_STAYS, UNCONTROLLED};
pub use oddball::RESET_AFTER;
pub use race::PASSES;
pub use rules::{FriendlyFire, GameType, Rules};
pub use tally::{SPREE, none};

use mjolnir_wire::game_state::{Body, GameState};
use mjolnir_wire::units::Death;
use mjolnir_wire::{ObjectId, Slot, Vec3};

use super::hash::Hash;
use super::world::World;
use ctf::Ctf;
use king::King;
use oddball::Oddball;
use race::Race;
use slayer::Slayer;

/// Whoever carries what the game is about runs so fast, of 1 (AUTH-59). Ours.
pub const CARRIER_PACE: f32 = 0.75;
/// What the game is about is taken from so near, in wu along the ground from the feet. Ours.
pub const TOUCHES: f32 = 0.6;
/// Ticks from a game's last to when it has been seen that it is over (three seconds). Ours.
pub const OVER_AFTER: u16 = 90;
/// The post-game phase from which a host may end the game: 0 is played, 1 is over.
pub const PLAYED_OUT: i32 = 2;
/// Ticks of a second.
const SECOND: i32 = 30;
/// What travels in place of a slot where there is none.
const NOBODY: u8 = 0xFF;

/// Something that a game type counted, or that ended the game, where it is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// That team captured a flag.
    Captured {
        /// Whose capture, 0 or 1.
        team: u8,
        /// Who.
        by: Slot,
    },
    /// That team took the other one's flag.
    Grabbed {
        /// Whose grab, 0 or 1.
        team: u8,
        /// Who.
        by: Slot,
    },
    /// That team's flag is at home again.
    Returned {
        /// Whose flag, 0 or 1.
        team: u8,
        /// Who; none where it came back by itself.
        by: Option<Slot>,
    },
    /// A ball is back where it lies at first.
    Reset {
        /// Somebody had had it.
        touched: bool,
    },
    /// A ball went to its carrier's killer.
    Passed {
        /// Who has it now.
        to: Slot,
    },
    /// A player touched its next flag of a race.
    Touched {
        /// Who.
        by: Slot,
    },
    /// A player ran a lap.
    Lap {
        /// Who.
        by: Slot,
    },
    /// A player ran a lap faster than any before.
    BestLap {
        /// Who.
        by: Slot,
    },
    /// The game is over.
    Over,
}

/// Where the game shows a player that it should go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    /// Where, in wu.
    pub place: Vec3,
    /// To stay there; otherwise to touch it.
    pub stays: bool,
}

impl Waypoint {
    const fn to(place: Vec3) -> Self {
        Self { place, stays: false }
    }
}

/// What a game type does. Only [`Type::take`] and what asks is called where nothing is decided.
trait Type {
    /// A tick of it.
    fn step(&mut self, world: &mut World, rules: &Rules);

    /// A player died, its body lies, and what it carried.
    fn died(&mut self, _world: &mut World, _rules: &Rules, _slot: Slot, _death: &Death) {}

    /// A player came; one before may have had its slot.
    fn joined(&mut self, slot: Slot);

    /// What a side has, as the score board counts it. A side is a team, or a slot.
    fn score(&self, side: usize, rules: &Rules) -> i32;

    /// All that it counts.
    fn body(&self) -> Body;

    /// The host's word on all of that; another type's is none.
    fn take(&mut self, body: &Body) -> bool;

    /// The objects that it is about.
    fn goals(&self) -> impl Iterator<Item = ObjectId> {
        std::iter::empty()
    }

    /// How fast a player is, of 1, who carries nothing that the game is about.
    fn pace(&self, _slot: Slot) -> f32 {
        1.0
    }

    /// Where it sends a player who lives.
    fn waypoint(&self, world: &World, slot: Slot) -> Option<Waypoint>;

    /// What the next tick follows from beside what travels.
    fn hash(&self, _hash: &mut Hash) {}
}

#[allow(clippy::large_enum_variant, reason = "one a game, and boxed with it")]
#[derive(Clone, Debug)]
enum Of {
    Ctf(Ctf),
    Slayer(Slayer),
    Oddball(Oddball),
    King(King),
    Race(Race),
}

macro_rules! each {
    ($of:expr, $it:ident => $does:expr) => {
        match $of {
            Of::Ctf($it) => $does,
            Of::Slayer($it) => $does,
            Of::Oddball($it) => $does,
            Of::King($it) => $does,
            Of::Race($it) => $does,
        }
    };
}

/// A game that is played: how far its end is, and its type.
#[derive(Clone, Debug)]
pub(super) struct Play {
    phase: i32,
    /// Ticks that it has been played.
    played: u32,
    /// Ticks that it has been over.
    over: u16,
    of: Of,
}

impl Play {
    /// Begins a game of those rules in a world that has not run yet, the same on every machine (OBJ-46).
    pub(super) fn begin(world: &mut World, rules: &Rules) -> Self {
        let of = match rules.of {
            GameType::Ctf => Of::Ctf(Ctf::begin(world)),
            GameType::Slayer => Of::Slayer(Slayer::begin()),
            GameType::Oddball => Of::Oddball(Oddball::begin(world)),
            GameType::King => Of::King(King::begin(world)),
            GameType::Race => Of::Race(Race::begin(world)),
        };
        Self { phase: 0, played: 0, over: 0, of }
    }

    pub(super) const fn phase(&self) -> i32 {
        self.phase
    }

    pub(super) fn state(&self) -> GameState {
        GameState { post_game_phase: self.phase, body: each!(&self.of, of => of.body()) }
    }

    /// The host's word. False, and nothing changed, where it is another game type's.
    pub(super) fn take(&mut self, state: &GameState) -> bool {
        let is_ours = each!(&mut self.of, of => of.take(&state.body));
        if is_ours {
            // It only rises in a game.
            self.phase = self.phase.max(state.post_game_phase);
        }
        is_ours
    }

    pub(super) fn goals(&self) -> impl Iterator<Item = ObjectId> {
        let (mut flags, mut balls) = (None, None);
        match &self.of {
            Of::Ctf(ctf) => flags = Some(ctf.goals()),
            Of::Oddball(oddball) => balls = Some(oddball.goals()),
            Of::Slayer(_) | Of::King(_) | Of::Race(_) => {}
        }
        flags.into_iter().flatten().chain(balls.into_iter().flatten())
    }

    pub(super) fn pace(&self, slot: Slot) -> f32 {
        each!(&self.of, of => of.pace(slot))
    }

    /// Sets how fast a player is, of 1; false where the game type says it of nobody.
    pub(super) fn set_pace(&mut self, slot: Slot, pace: f32) -> bool {
        let Of::Slayer(slayer) = &mut self.of else { return false };
        slayer.set_pace(slot, pace);
        true
    }

    pub(super) fn waypoint(&self, world: &World, slot: Slot) -> Option<Waypoint> {
        if self.phase > 0 {
            return None;
        }
        each!(&self.of, of => of.waypoint(world, slot))
    }

    pub(super) fn joined(&mut self, slot: Slot) {
        each!(&mut self.of, of => of.joined(slot));
    }

    /// A tick, where it is decided.
    pub(super) fn step(&mut self, world: &mut World, rules: &Rules) {
        if self.phase > 0 {
            self.over = self.over.saturating_add(1);
            if self.over >= OVER_AFTER {
                self.phase = PLAYED_OUT;
            }
            return;
        }
        self.played = self.played.saturating_add(1);
        each!(&mut self.of, of => of.step(world, rules));
        if self.played.is_multiple_of(SECOND as u32) {
            tally::pass_a_second(world);
        }
        let is_late = rules.time_limit > 0 && self.played >= rules.time_limit;
        let best = self.best(world, rules);
        let is_won = rules.score_limit > 0 && best.is_some_and(|best| best >= rules.score_limit);
        if is_late || is_won || rules.lives > 0 && is_decided(world) {
            self.phase = 1;
            let has_won = |side| Some(each!(&self.of, of => of.score(side, rules))) == best;
            tally::end(world, has_won);
            world.report(News::Over);
        }
    }

    /// The score of the side that leads, among those who ever played.
    fn best(&self, world: &World, rules: &Rules) -> Option<i32> {
        let sides = world.players().filter_map(|(slot, _)| world.side(slot));
        sides.map(|side| each!(&self.of, of => of.score(side, rules))).max()
    }

    /// A player died, where it is decided. What comes after the end counts no more.
    pub(super) fn died(&mut self, world: &mut World, rules: &Rules, slot: Slot, death: &Death) {
        if self.phase == 0 {
            tally::died(world, slot, death);
            each!(&mut self.of, of => of.died(world, rules, slot, death));
        }
    }

    pub(super) fn hash(&self, hash: &mut Hash) {
        hash.word(self.phase as u64);
        hash.word(u64::from(self.played) << 16 | u64::from(self.over));
        for word in self.words() {
            hash.word(word);
        }
        each!(&self.of, of => of.hash(hash));
    }

    /// What travels, as words.
    fn words(&self) -> Vec<u64> {
        let mut bytes = Vec::new();
        match &self.state().body {
            Body::Ctf(state) => state.write(&mut bytes),
            Body::Slayer(state) => state.write(&mut bytes),
            Body::Oddball(state) => state.write(&mut bytes),
            Body::King(state) => state.write(&mut bytes),
            Body::Race(state) => state.write(&mut bytes),
        }
        let word = |bytes: &[u8]| bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
        bytes.chunks(8).map(word).collect()
    }
}

/// Whether all but one of several sides have nobody left who comes back, or lives.
fn is_decided(world: &World) -> bool {
    let sides = |plays: &dyn Fn(Slot) -> bool| {
        let mut sides: Vec<_> = world.players().filter(|(slot, _)| plays(*slot)).collect();
        sides.retain(|(_, player)| !player.left);
        let mut sides: Vec<_> = sides.into_iter().filter_map(|(slot, _)| world.side(slot)).collect();
        sides.sort_unstable();
        sides.dedup();
        sides.len()
    };
    sides(&|_| true) > 1 && sides(&|slot| !world.is_out(slot)) <= 1
}

/// Whether feet there touch what is at that place.
fn touches(feet: Vec3, place: Vec3, reach: f32) -> bool {
    let apart = feet - place;
    apart.across().length() <= reach && apart.z.abs() <= 1.0
}
