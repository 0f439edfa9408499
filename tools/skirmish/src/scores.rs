//! The scoreboard: who has which score, kills, deaths and ping, the best first. Knows no netcode and no screen.

use mjolnir_wire::{Machine, Slot};
use serde::Serialize;

use crate::game::World;

/// Names that the status line has room for.
const LEADERS: usize = 3;

/// A player's line of the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Score {
    /// Its slot.
    pub slot: u8,
    /// Its name.
    pub name: String,
    /// The machine that it plays at.
    pub machine: u8,
    /// Its team, where there are any.
    pub team: Option<u8>,
    /// What counts.
    pub score: i32,
    /// Others that it killed.
    pub kills: u16,
    /// Its deaths.
    pub deaths: u16,
    /// Milliseconds from the host to its machine and back: 0 of the host's own, none where it is not known.
    pub ping_ms: Option<u16>,
}

/// The players that are there, the best first: by score, then by fewer deaths, then by slot. `ping` says how far another
/// machine's player is.
pub fn board(world: &World, ping: impl Fn(Slot, Machine) -> Option<u16>) -> Vec<Score> {
    let present = world.players().filter(|(_, player)| !player.left);
    let mut board: Vec<_> = present
        .map(|(slot, player)| Score {
            slot: slot.get(),
            name: player.name.clone(),
            machine: player.machine.get(),
            team: player.team,
            score: player.score(),
            kills: player.kills(),
            deaths: player.deaths(),
            ping_ms: if player.machine == Machine::HOST { Some(0) } else { ping(slot, player.machine) },
        })
        .collect();
    board.sort_by_key(|score| (-i64::from(score.score), score.deaths, score.slot));
    board
}

impl Score {
    /// The line that the console shows.
    pub fn line(&self) -> String {
        let Self { name, score, kills, deaths, .. } = self;
        let ping = self.ping_ms.map_or_else(|| "-".into(), |ms| ms.to_string());
        format!("{name}: score {score}, kills {kills}, deaths {deaths}, ping {ping} ms")
    }
}

/// The first few, for a line that has more to say; none of a board without a score.
pub fn leaders(board: &[Score]) -> Option<String> {
    board.iter().any(|score| score.score != 0).then(|| {
        let of = |score: &Score| format!("{} {}", score.name, score.score);
        board.iter().take(LEADERS).map(of).collect::<Vec<_>>().join(", ")
    })
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::Tick;

    use super::*;
    use crate::game::{Map, Tuning};

    /// The best first, of equals the one that died less and then the first; who left is not there.
    #[test]
    fn the_best_is_first() {
        let slots = [0, 1, 2, 3].map(|slot| Slot::new(slot).unwrap());
        let mut world = World::new(&Map::named("flat").unwrap(), 1, Tuning::default());
        for (slot, name) in slots.into_iter().zip(["Ann", "Bob", "Cid", "Dan"]) {
            world.join(slot, name, Machine::new(slot.get()).unwrap(), None);
        }
        world.step(Tick::new(1).unwrap());
        let ping = |slot: Slot, _: Machine| (slot.get() < 3).then_some(u16::from(slot.get()) * 40);
        assert_eq!(leaders(&board(&world, ping)), None);
        world.kill(slots[0], Some(slots[2]));
        world.kill(slots[3], None);
        world.leave(slots[1]);
        let board = board(&world, ping);
        let lines: Vec<_> = board.iter().map(Score::line).collect();
        assert_eq!(
            lines,
            [
                "Cid: score 1, kills 1, deaths 0, ping 80 ms",
                "Ann: score 0, kills 0, deaths 1, ping 0 ms",
                "Dan: score -1, kills 0, deaths 1, ping - ms",
            ]
        );
        assert_eq!(leaders(&board).unwrap(), "Cid 1, Ann 0, Dan -1");
    }
}
