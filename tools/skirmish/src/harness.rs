//! What a log has beside each second's line of the state (TOOL-27, 74): once a game each player's name, and each second what the
//! machine heard since the last, and what of it was refused. Knows no file.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use mjolnir_engine_glue::Counters;
use mjolnir_engine_glue::transport::{Dropped, Flow};
use mjolnir_wire::Tick;
use mjolnir_wire::limits::MAX_PLAYERS;

use crate::game::World;
use crate::second::Seconds;

/// What a machine heard since it was made.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// Messages and datagrams.
    pub flow: Flow,
    /// Of them refused or dropped, by reason.
    pub refused: BTreeMap<&'static str, u64>,
}

impl Heard {
    /// What came, and what those counters have of it.
    pub fn of(flow: Flow, counters: Counters) -> Self {
        let mut refused = counters.refused;
        let Dropped { stale, far_stamp, undecodable, unknown_kind } = counters.dropped;
        for (reason, count) in [
            ("stale", stale),
            ("far_stamp", far_stamp),
            ("undecodable", undecodable),
            ("unknown_kind", unknown_kind),
        ] {
            *refused.entry(reason).or_default() += count;
        }
        Self { flow, refused }
    }

    /// What was refused since `before`, in words; none of nothing.
    fn refused_since(&self, before: &Self) -> Option<String> {
        let mut text = String::new();
        for (reason, count) in &self.refused {
            let new = count.saturating_sub(before.refused.get(reason).copied().unwrap_or_default());
            if new > 0 {
                let begins = if text.is_empty() { "network test: refused" } else { "," };
                // A string takes all that is written.
                let _ = write!(text, "{begins} {new} {reason}");
            }
        }
        (!text.is_empty()).then_some(text)
    }
}

/// See the module's text.
#[derive(Clone, Debug)]
pub struct Harness {
    seconds: Seconds,
    /// Whose name was told in this game.
    named: [bool; MAX_PLAYERS],
    /// What had been heard by the last line.
    heard: Heard,
    said: Vec<String>,
}

impl Default for Harness {
    fn default() -> Self {
        Self {
            seconds: Seconds::default(),
            named: [false; MAX_PLAYERS],
            heard: Heard::default(),
            said: Vec::new(),
        }
    }
}

impl Harness {
    /// No game is played now: in the next everybody is named again.
    pub const fn between_games(&mut self) {
        self.named = [false; MAX_PLAYERS];
    }

    /// After that tick. `heard` is what the machine heard since it was made; a machine without a network hears nothing,
    /// and says nothing of it.
    pub fn note(&mut self, tick: Tick, world: &World, heard: Option<impl FnOnce() -> Heard>) {
        for (slot, player) in world.players() {
            if !std::mem::replace(&mut self.named[slot.index()], true) {
                self.said.push(format!("network test: player {} is {:?}", slot.get(), player.name));
            }
        }
        if self.seconds.due(tick)
            && let Some(heard) = heard
        {
            let now = heard();
            let before = std::mem::replace(&mut self.heard, now);
            let (flow, last) = (self.heard.flow, before.flow);
            self.said.push(format!(
                "network test: heard {} messages, {} datagrams",
                flow.messages.saturating_sub(last.messages),
                flow.datagrams.saturating_sub(last.datagrams),
            ));
            self.said.extend(self.heard.refused_since(&before));
        }
    }

    /// The lines since this was last asked.
    pub fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::{Machine, Slot};

    use super::*;
    use crate::game::{Map, Tuning};

    fn tick(number: i32) -> Tick {
        Tick::new(number).unwrap()
    }

    /// TOOL-74: a name once a game, of one who comes later as it comes, and again in the next game; each second what was heard
    /// since the last.
    #[test]
    fn names_once_a_game_and_what_was_heard_each_second() {
        let mut world = World::new(&Map::named("flat").unwrap(), 1, Tuning::default());
        let join = |world: &mut World, index: u8, name: &str| {
            world.join(Slot::new(index).unwrap(), name, Machine::HOST, None);
        };
        join(&mut world, 0, "Ann");
        let mut harness = Harness::default();
        let heard = |messages, datagrams| {
            Some(move || Heard { flow: Flow { messages, datagrams, ..Flow::default() }, ..Heard::default() })
        };
        for number in 1..=60 {
            if number == 45 {
                join(&mut world, 3, "Bob \"B\"");
            }
            let number = number as u64;
            harness.note(tick(number as i32), &world, heard(10 * number, number));
        }
        assert_eq!(
            harness.take_said(),
            [
                "network test: player 0 is \"Ann\"",
                "network test: heard 10 messages, 1 datagrams",
                "network test: heard 290 messages, 29 datagrams",
                "network test: player 3 is \"Bob \\\"B\\\"\"",
                "network test: heard 300 messages, 30 datagrams",
            ]
        );
        harness.between_games();
        harness.note(tick(61), &world, heard(0, 0));
        let named = ["network test: player 0 is \"Ann\"", "network test: player 3 is \"Bob \\\"B\\\"\""];
        assert_eq!(harness.take_said(), named);
    }

    /// A machine without a network names its players, and has heard nothing.
    #[test]
    fn a_machine_alone_hears_nothing() {
        let mut world = World::new(&Map::named("flat").unwrap(), 1, Tuning::default());
        world.join(Slot::new(0).unwrap(), "Ann", Machine::HOST, None);
        let mut harness = Harness::default();
        for number in 1..=90 {
            harness.note(tick(number), &world, None::<fn() -> Heard>);
        }
        assert_eq!(harness.take_said(), ["network test: player 0 is \"Ann\""]);
    }

    /// TOOL-27: each second what was refused since the last, by reason; nothing where nothing was.
    #[test]
    fn what_was_refused_each_second() {
        let world = World::new(&Map::named("flat").unwrap(), 1, Tuning::default());
        let mut harness = Harness::default();
        for number in 1..=120_u64 {
            let counters = Counters {
                refused: [("too_large", number.min(60)), ("malformed", number.min(50))].into(),
                dropped: Dropped { stale: u64::from(number >= 60), ..Dropped::default() },
                ..Counters::default()
            };
            harness.note(tick(number as i32), &world, Some(|| Heard::of(Flow::default(), counters)));
        }
        let said = harness.take_said();
        let refused: Vec<_> = said.iter().filter(|line| line.contains("refused")).collect();
        assert_eq!(
            refused,
            [
                "network test: refused 1 malformed, 1 too_large",
                "network test: refused 29 malformed, 29 too_large",
                "network test: refused 20 malformed, 1 stale, 30 too_large",
            ]
        );
    }
}
