//! What a network test's log has beside each second's line of the state (TOOL-74): once a game each player's name, and each
//! second what the machine heard since the last. Knows no file.

use mjolnir_engine_glue::transport::Flow;
use mjolnir_wire::Tick;
use mjolnir_wire::limits::MAX_PLAYERS;

use crate::game::World;
use crate::second::Seconds;

/// See the module's text.
#[derive(Clone, Debug)]
pub struct Harness {
    seconds: Seconds,
    /// Whose name was told in this game.
    named: [bool; MAX_PLAYERS],
    /// What had been heard by the last line.
    heard: Flow,
    said: Vec<String>,
}

impl Default for Harness {
    fn default() -> Self {
        Self {
            seconds: Seconds::default(),
            named: [false; MAX_PLAYERS],
            heard: Flow::default(),
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
    pub fn note(&mut self, tick: Tick, world: &World, heard: Option<impl FnOnce() -> Flow>) {
        for (slot, player) in world.players() {
            if !std::mem::replace(&mut self.named[slot.index()], true) {
                self.said.push(format!("network test: player {} is {:?}", slot.get(), player.name));
            }
        }
        if self.seconds.due(tick)
            && let Some(heard) = heard
        {
            let (now, before) = (heard(), self.heard);
            self.heard = now;
            self.said.push(format!(
                "network test: heard {} messages, {} datagrams",
                now.messages.saturating_sub(before.messages),
                now.datagrams.saturating_sub(before.datagrams),
            ));
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
        let heard = |messages, datagrams| Some(move || Flow { messages, datagrams, ..Flow::default() });
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
            harness.note(tick(number), &world, None::<fn() -> Flow>);
        }
        assert_eq!(harness.take_said(), ["network test: player 0 is \"Ann\""]);
    }
}
