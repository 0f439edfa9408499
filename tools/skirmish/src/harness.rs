//! What a network test's log has beside each second's line of the state (TOOL-74): once a game each player's name, and each
//! second what the machine heard since the last, and what of it meant nothing (TOOL-27). Knows no file.

use std::collections::BTreeMap;

use mjolnir_engine_glue::Counters;
use mjolnir_engine_glue::transport::{Dropped, Flow};
use mjolnir_wire::Tick;
use mjolnir_wire::limits::MAX_PLAYERS;

use crate::game::World;
use crate::second::Seconds;

/// What a machine heard since it was made.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// What came.
    pub flow: Flow,
    /// What of it was dropped or refused, by why.
    pub refused: BTreeMap<&'static str, u64>,
}

impl Heard {
    /// What came, and what those counters have of it.
    pub fn new(flow: Flow, counters: Counters) -> Self {
        let Dropped { stale, far_stamp, undecodable, unknown_kind } = counters.dropped;
        let mut refused = counters.refused;
        let dropped = [
            ("stale", stale),
            ("far_stamp", far_stamp),
            ("undecodable", undecodable),
            ("unknown_kind", unknown_kind),
        ];
        dropped.into_iter().for_each(|(why, count)| *refused.entry(why).or_default() += count);
        Self { flow, refused }
    }

    /// What was refused since `before`, where anything was.
    fn refused_since(&self, before: &Self) -> Option<String> {
        let since = |(why, count): (&&'static str, &u64)| {
            let more = count.saturating_sub(before.refused.get(why).copied().unwrap_or_default());
            (more > 0).then(|| format!("{why} {more}"))
        };
        let all: Vec<_> = self.refused.iter().filter_map(since).collect();
        (!all.is_empty()).then(|| format!("network test: refused {}", all.join(", ")))
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
            self.said.push(format!(
                "network test: heard {} messages, {} datagrams",
                self.heard.flow.messages.saturating_sub(before.flow.messages),
                self.heard.flow.datagrams.saturating_sub(before.flow.datagrams),
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
            let flow = Flow { messages, datagrams, ..Flow::default() };
            Some(move || Heard::new(flow, Counters::default()))
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

    /// TOOL-27: each second in which anything was dropped or refused has what, and how often; one without says nothing of it.
    #[test]
    fn what_was_refused_is_noted() {
        let world = World::new(&Map::named("flat").unwrap(), 1, Tuning::default());
        let mut harness = Harness::default();
        for (second, undecodable, health) in [(1, 0, 0), (2, 7, 1), (3, 7, 1), (4, 9, 1)] {
            let counters = Counters {
                dropped: Dropped { undecodable, ..Dropped::default() },
                refused: [("health", health)].into(),
                ..Counters::default()
            };
            harness.note(tick(30 * second), &world, Some(|| Heard::new(Flow::default(), counters)));
        }
        let refused: Vec<_> =
            harness.take_said().into_iter().filter(|line| !line.contains("heard")).collect();
        assert_eq!(
            refused,
            ["network test: refused health 1, undecodable 7", "network test: refused undecodable 2"]
        );
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
}
