//! A level of the campaign in a world: its scripts' threads, and what they have shown. Scripts run where the world decides and
//! nowhere else (COOP-03); elsewhere all that they do is the host's word.
//!
//! What a line does stands in `doing`, named objects in `naming`, what is shown and the host's word on it in `showing`,
//! squads and dropships in `squads`.

mod doing;
mod naming;
mod showing;
mod squads;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use mjolnir_engine_glue::coop::is_coop;
use mjolnir_wire::events::{Action, Navigation};
use mjolnir_wire::presentation::{Camera, Presentation};
use mjolnir_wire::scripted::ScreenEffect;
use mjolnir_wire::{Slot, Vec3};

pub use naming::Scenery;

use super::World;
use crate::game::campaign::words::{Condition, Word};
use crate::game::campaign::{Begins, Level, Showed, Volume};
use crate::game::hash::Hash;
use crate::game::types::{OVER_AFTER, PLAYED_OUT, Waypoint};
use naming::Thing;

/// Lines of one script that run in a tick at most: one that never waits holds nothing up. Ours.
const MOST_STEPS: u32 = 64;

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waits {
    /// Nothing: its line is next.
    Nothing,
    /// To be woken.
    Sleeper,
    /// For that tick of the level.
    Until(u32),
    /// For what its line says, since that tick.
    Watching(u32),
    /// It came to its end.
    Done,
}

#[derive(Clone, Copy, Debug)]
struct Thread {
    line: u16,
    waits: Waits,
}

/// A camera that goes from one place to another.
#[derive(Clone, Copy, Debug)]
struct Sweep {
    from: Camera,
    to: Camera,
    since: u32,
    ticks: u32,
}

/// The state of a level.
#[derive(Clone, Debug)]
pub(super) struct Campaign {
    level: Arc<Level>,
    /// Ticks since the level began, which it does once somebody plays; none before.
    played: Option<u32>,
    threads: Vec<Thread>,
    things: Vec<Thing>,
    presentation: Presentation,
    /// What was noted of it last.
    noted: Presentation,
    sweep: Option<Sweep>,
    screen: Option<ScreenEffect>,
    /// What happened once and was not asked for yet.
    actions: Vec<Action>,
    /// Where the way is shown, in the order in which that began.
    points: Vec<Navigation>,
    goal: Option<u16>,
    /// Ticks that the level has been won.
    over: Option<u16>,
    fails: u32,
}

impl Campaign {
    pub(super) fn begin(level: &Arc<Level>) -> Self {
        let thread = |begins| Thread {
            line: 0,
            waits: if begins == Begins::Woken { Waits::Sleeper } else { Waits::Nothing },
        };
        let presentation = Presentation { shows_hud: true, shows_help_text: true, ..Presentation::default() };
        Self {
            level: Arc::clone(level),
            played: None,
            threads: level.scripts.iter().map(|script| thread(script.begins)).collect(),
            things: level.names.iter().map(Thing::of).collect(),
            presentation,
            noted: presentation,
            sweep: None,
            screen: None,
            actions: Vec::new(),
            points: Vec::new(),
            goal: None,
            over: None,
            fails: 0,
        }
    }

    /// How far the game's end is.
    pub(super) fn phase(&self) -> i32 {
        self.over.map_or(0, |ticks| if ticks >= OVER_AFTER { PLAYED_OUT } else { 1 })
    }

    /// What the next tick follows from.
    pub(super) fn hash(&self, hash: &mut Hash) {
        hash.word(self.played.map_or(u64::MAX, u64::from));
        for thread in &self.threads {
            let (kind, tick) = match thread.waits {
                Waits::Nothing => (0, 0),
                Waits::Sleeper => (1, 0),
                Waits::Until(tick) => (2, tick),
                Waits::Watching(tick) => (3, tick),
                Waits::Done => (4, 0),
            };
            hash.word(kind << 56 | u64::from(thread.line) << 32 | u64::from(tick));
        }
        self.things.iter().for_each(|thing| thing.hash(hash));
        let mut bytes = Vec::new();
        self.presentation.write(&mut bytes);
        self.screen.iter().for_each(|screen| screen.write(&mut bytes));
        bytes.iter().for_each(|byte| hash.word(u64::from(*byte)));
        hash.word(self.points.len() as u64);
        hash.word(self.goal.map_or(u64::MAX, u64::from));
        hash.word(self.over.map_or(u64::MAX, u64::from) << 32 | u64::from(self.fails));
    }
}

impl World {
    /// Whether the campaign is played together: a level of it, and no game type (COOP-01).
    pub const fn is_coop(&self) -> bool {
        self.campaign.is_some()
    }

    /// The level, where it is one that is played together.
    pub fn level(&self) -> Option<&Level> {
        self.campaign.as_ref().map(|campaign| &*campaign.level)
    }

    /// How often scripts said that the mission failed. Nothing comes of it yet.
    pub fn fails(&self) -> u32 {
        self.campaign.as_ref().map_or(0, |campaign| campaign.fails)
    }

    /// Ticks since the level began; none before, and in a client's world.
    pub fn level_ticks(&self) -> Option<u32> {
        self.campaign.as_ref()?.played
    }

    /// Whether a script has come to its end; none where there is no such script.
    pub fn is_script_done(&self, name: &str) -> Option<bool> {
        let campaign = self.campaign.as_ref()?;
        let script = campaign.level.script(name)?;
        Some(campaign.threads[usize::from(script)].waits == Waits::Done)
    }

    /// Begins the level anew, or has none where a game type is played or the map is none of the campaign.
    pub(super) fn begin_level(&mut self) {
        let level = &self.map.campaign;
        let game_type = self.rules.map_or(0, |rules| rules.of.number());
        let is_played = is_coop(level.is_level, game_type);
        self.campaign = is_played.then(|| Box::new(Campaign::begin(level)));
        let allied = self.allies_of_players();
        for campaign in self.campaign.iter_mut() {
            for shown in [&mut campaign.presentation, &mut campaign.noted] {
                (shown.allied, shown.friendly) = (allied, allied);
            }
        }
    }

    /// Where the game shows players that they should go.
    pub(super) fn shown_way(&self) -> Option<Waypoint> {
        self.goal().map(|place| Waypoint { place, stays: true })
    }

    /// A tick of every script, where this world decides. The level begins once somebody plays.
    pub(super) fn run_scripts(&mut self) {
        let Some(campaign) = self.campaign.as_mut() else { return };
        if let Some(over) = &mut campaign.over {
            *over = over.saturating_add(1);
            return;
        }
        let level = Arc::clone(&campaign.level);
        match campaign.played {
            None if self.players.iter().flatten().all(|player| player.unit.is_none()) => return,
            None => {
                campaign.played = Some(0);
                self.make_names(&level);
            }
            Some(played) => campaign.played = Some(played.saturating_add(1)),
        }
        self.note_names();
        for script in 0..level.scripts.len() {
            self.run_script(&level, script);
        }
        self.run_presentation();
    }

    fn run_script(&mut self, level: &Level, script: usize) {
        for _ in 0..MOST_STEPS {
            let Some((campaign, now)) = self.running() else { return };
            let Thread { line, waits } = campaign.threads[script];
            match waits {
                Waits::Sleeper | Waits::Done => return,
                Waits::Until(tick) if now < tick => return,
                Waits::Nothing | Waits::Until(_) | Waits::Watching(_) => {}
            }
            let Some(word) = level.scripts[script].lines.get(usize::from(line)) else {
                let again = level.scripts[script].begins == Begins::Again;
                campaign.threads[script] =
                    Thread { line: 0, waits: if again { Waits::Nothing } else { Waits::Done } };
                return;
            };
            let next = |waits| Thread { line: line + 1, waits };
            let thread = match word {
                Word::Sleep(ticks) => next(Waits::Until(now.saturating_add(*ticks))),
                Word::Until(condition, within) => {
                    let since = if let Waits::Watching(since) = waits { since } else { now };
                    let is_late = within.is_some_and(|within| now - since >= within);
                    if is_late || self.is_so(level, condition) {
                        next(Waits::Nothing)
                    } else {
                        Thread { line, waits: Waits::Watching(since) }
                    }
                }
                _ => next(Waits::Nothing),
            };
            self.decisions.scripts += 1;
            let Some((campaign, _)) = self.running() else { return };
            campaign.threads[script] = thread;
            if matches!(thread.waits, Waits::Watching(_)) {
                return;
            }
            self.do_word(level, word);
        }
    }

    /// The level while it runs, and its tick.
    fn running(&mut self) -> Option<(&mut Campaign, u32)> {
        let campaign = self.campaign.as_mut().filter(|campaign| campaign.over.is_none())?;
        let now = campaign.played?;
        Some((campaign, now))
    }

    fn is_so(&self, level: &Level, condition: &Condition) -> bool {
        let Some(campaign) = &self.campaign else { return false };
        match condition {
            Condition::Any(volume) => self.in_volume(&level.volumes[usize::from(*volume)]).any(|is_in| is_in),
            Condition::All(volume) => {
                let mut all = self.in_volume(&level.volumes[usize::from(*volume)]).peekable();
                all.peek().is_some() && all.all(|is_in| is_in)
            }
            Condition::Dead(squad) => self.living_of(squad) == 0,
            Condition::Below(squad, count) => self.living_of(squad) < usize::from(*count),
            Condition::Group(group, value) => {
                self.groups().any(|state| state.group == *group && state.value == *value)
            }
            Condition::Stands(group, value) => {
                let mut of_group = self.map.fixtures.platforms.iter().zip(self.devices());
                of_group.all(|(platform, device)| {
                    platform.group != *group || !device.moving && device.position == *value
                })
            }
            Condition::Time(ticks) => campaign.played.is_some_and(|played| played >= *ticks),
            Condition::Arrived(name) => self.has_arrived(*name),
            Condition::Empty(name) => self.is_empty(*name),
            Condition::Gone(name) => !self.is_named(*name),
            Condition::Done(name) => self.is_script_done(name) == Some(true),
        }
    }

    /// Of each living player, whether it is in a volume.
    fn in_volume(&self, volume: &Volume) -> impl Iterator<Item = bool> {
        Slot::all().filter_map(|slot| self.position(slot)).map(|place: Vec3| volume.holds(place))
    }

    /// Another script begins, if it waits for that.
    fn wake(&mut self, level: &Level, name: &str) {
        let (Some(script), Some(campaign)) = (level.script(name), self.campaign.as_mut()) else { return };
        let thread = &mut campaign.threads[usize::from(script)];
        if thread.waits == Waits::Sleeper {
            thread.waits = Waits::Nothing;
        }
    }

    fn note_showed(&mut self, showed: Showed) {
        self.events.push(super::Event::Showed(showed));
    }
}
