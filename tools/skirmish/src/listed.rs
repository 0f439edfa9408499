//! The games that a browsing test lists, and which of them it joins (TOOL-20, 74). Knows no socket.

use std::cmp::Reverse;
use std::fmt;
use std::net::SocketAddr;

use mjolnir_engine_glue::transport::lan::Game;

use crate::seam::map_of;

/// How many of them are logged.
const SHOWN: usize = 8;

/// A listed game, as far as it matters to whoever chooses one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Where it is joined.
    pub address: SocketAddr,
    /// Its name.
    pub name: String,
    /// Its map's name.
    pub map: String,
    /// Players in it.
    pub players: i16,
    /// Players that it takes.
    pub most: i16,
    /// Whether it is played in co-op.
    pub is_coop: bool,
    /// Whether it asks for a password; no game of a LAN does.
    pub has_password: bool,
    /// Whether joining it failed.
    pub has_failed: bool,
    /// Whether it is open, and of this version and netcode.
    pub is_open: bool,
}

impl Listed {
    /// A game of the LAN's. `has_failed` says where joining failed.
    pub fn of(game: &Game, has_failed: impl Fn(SocketAddr) -> bool) -> Self {
        let told = game.advertisement();
        Self {
            address: game.address(),
            name: told.name.chars().collect(),
            map: map_of(told.map.as_str().unwrap_or_default()).into(),
            players: told.players,
            most: told.max_players,
            // No game type: that is co-op.
            is_coop: told.game_type == 0,
            has_password: false,
            has_failed: has_failed(game.address()),
            // One without a map yet is being set up.
            is_open: told.is_open()
                && game.choose().is_ok()
                && !told.map.as_str().unwrap_or_default().is_empty(),
        }
    }

    /// Whether it may be joined at all.
    pub const fn may_be_joined(&self) -> bool {
        self.is_open && !self.has_password && !self.has_failed
    }
}

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}, {}, {}/{} players", self.name, self.address, self.map, self.players, self.most)?;
        for (holds, words) in [
            (self.is_coop, ", co-op"),
            (self.has_password, ", password"),
            (self.has_failed, ", failed"),
            (!self.is_open, ", closed"),
        ] {
            f.write_str(if holds { words } else { "" })?;
        }
        Ok(())
    }
}

/// The one to join: that with the most players of those that may be joined, one in co-op only where there is no other; of
/// equals the first.
pub fn choose(games: &[Listed]) -> Option<&Listed> {
    let joinable = games.iter().enumerate().filter(|(_, game)| game.may_be_joined());
    joinable.max_by_key(|(at, game)| (!game.is_coop, game.players, Reverse(*at))).map(|(_, game)| game)
}

/// The lines that are logged of them: the first eight.
pub fn lines(games: &[Listed]) -> impl Iterator<Item = String> {
    games.iter().take(SHOWN).map(|game| format!("network test: listed {game}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(port: u16, players: i16) -> Listed {
        Listed {
            address: ([127, 0, 0, 1], port).into(),
            name: format!("game {port}"),
            map: "flat".into(),
            players,
            most: 16,
            is_coop: false,
            has_password: false,
            has_failed: false,
            is_open: true,
        }
    }

    fn chosen(games: &[Listed]) -> Option<u16> {
        choose(games).map(|game| game.address.port())
    }

    /// TOOL-20: of 1, 5 and a co-op game with 9 that with 5 is joined; only co-op listed, that; one with a password, one that
    /// failed and one that is closed or of another version are passed over.
    #[test]
    fn the_fullest_that_may_be_joined_is_chosen() {
        let coop = Listed { is_coop: true, ..game(3, 9) };
        let mut games = vec![game(1, 1), game(2, 5), coop.clone()];
        assert_eq!(chosen(&games), Some(2));
        assert_eq!(chosen(&[Listed { is_coop: true, ..game(4, 2) }, coop]), Some(3));
        for passed_over in [
            Listed { has_password: true, ..game(4, 12) },
            Listed { has_failed: true, ..game(4, 12) },
            Listed { is_open: false, ..game(4, 12) },
        ] {
            assert_eq!(chosen(&[game(1, 1), passed_over.clone()]), Some(1), "{passed_over}");
            assert_eq!(chosen(std::slice::from_ref(&passed_over)), None, "{passed_over}");
        }
        games[1].has_failed = true;
        assert_eq!(chosen(&games), Some(1));
        games[0].has_failed = true;
        assert_eq!(chosen(&games), Some(3));
        games[2].has_failed = true;
        assert_eq!(chosen(&games), None);
        assert_eq!(chosen(&[game(7, 5), game(8, 5)]), Some(7), "of equals the first");
    }

    /// TOOL-74: of a list of ten eight are logged, of eight all, of none none.
    #[test]
    fn at_most_eight_are_logged() {
        let games: Vec<_> = (1..=10).map(|port| game(port, 3)).collect();
        assert_eq!([10, 9, 8, 7, 0].map(|count| lines(&games[..count]).count()), [8, 8, 8, 7, 0]);
        let last = Listed { is_coop: true, has_failed: true, ..game(8, 3) };
        assert_eq!(
            lines(&[last]).collect::<Vec<_>>(),
            ["network test: listed game 8 at 127.0.0.1:8, flat, 3/16 players, co-op, failed"]
        );
    }
}
