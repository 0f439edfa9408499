//! A network test's machine that is to join a game: it stands in its menu, looks for games, and joins one (TOOL-04, 20, 70).
//! Knows no game's inside.

use std::net::SocketAddr;

use mjolnir_engine_glue::settings::Settings;
use mjolnir_wire::Moment;

use super::{is_quit, joining, wait_for};
use crate::desk::Desk;
use crate::ending::Ending;
use crate::lan::Search;
use crate::listed::{self, Listed};
use crate::options::Common;
use crate::setup::Error;
use crate::timeline::{BROWSE_FOR, Timeline};

/// How long games are looked for before the machine gives up, in microseconds. Ours.
const LOOK_FOR: u64 = 60 * Moment::SECOND;
/// How long a list is looked at anew once joining one of its games has failed: a search and its answers. Ours.
const LOOK_AGAIN: u64 = Moment::SECOND;

/// Which game is joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seek {
    /// The first that is found.
    First,
    /// The fullest of those that a browser lists (TOOL-20).
    Fullest,
}

/// What came of looking.
enum Found {
    Game(SocketAddr),
    Nothing,
    /// Somebody quits.
    Quit,
}

/// Looks for a game, joins it and plays.
pub fn seek(common: &Common, settings: &Settings, seek: Seek) -> Result<Ending, Error> {
    joining::check(common)?;
    let mut setup = Some(joining::own_setup(common)?);
    let mut desk = Desk::open(common, settings)?;
    let mut steps = Timeline::menu(desk.clock().now());
    if wait_for(&mut desk, &mut steps).is_none() {
        desk.close(None);
        return Ok(Ending::Played);
    }
    desk.say("network test: looking for a game");
    let mut search = Search::of_all(common, settings)?;
    let (mut failed, mut has_listed) = (Vec::new(), false);
    loop {
        let ending = match look(&mut search, &mut desk, seek, &failed, &mut has_listed) {
            Found::Quit => Ending::Played,
            Found::Nothing => {
                let why = "No game was found.";
                desk.complain(&format!("not joined: {why}"));
                Ending::NotJoined(why.into())
            }
            Found::Game(address) => {
                desk.say(&format!("network test: joining {address}"));
                let setup = setup.take().map_or_else(|| joining::own_setup(common), Ok)?;
                let steps = Some(Timeline::joiner());
                let ending = joining::session(address, common, settings, setup, &mut desk, steps)?;
                if seek == Seek::Fullest && matches!(ending, Ending::NotJoined(_)) {
                    failed.push(address);
                    continue;
                }
                ending
            }
        };
        desk.close(None);
        return Ok(ending);
    }
}

/// Looks until there is a game to join, or for long enough. What a browser lists is told once.
fn look(
    search: &mut Search,
    desk: &mut Desk,
    seek: Seek,
    failed: &[SocketAddr],
    has_listed: &mut bool,
) -> Found {
    let since = desk.clock().now();
    let least = match seek {
        Seek::First => 0,
        Seek::Fullest if failed.is_empty() => BROWSE_FOR,
        Seek::Fullest => LOOK_AGAIN,
    };
    loop {
        search.frame();
        desk.flush_if_due();
        if is_quit(desk) {
            return Found::Quit;
        }
        let looked = desk.clock().now().since(since);
        let listed = || search.games().iter().map(|game| Listed::of(game, |at| failed.contains(&at)));
        let chosen = match seek {
            _ if looked < least => None,
            Seek::First => listed().find(Listed::may_be_joined),
            Seek::Fullest => {
                let listed: Vec<_> = listed().collect();
                if !listed.is_empty() && !std::mem::replace(has_listed, true) {
                    listed::lines(&listed).for_each(|line| desk.say(&line));
                }
                listed::choose(&listed).cloned()
            }
        };
        match chosen {
            Some(game) => return Found::Game(game.address),
            None if looked >= LOOK_FOR => return Found::Nothing,
            None => {}
        }
    }
}
