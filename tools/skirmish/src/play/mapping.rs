//! Another map at a host, as its console asks for one. Knows no client.

use mjolnir_engine_glue::host;
use mjolnir_wire::packets::SettingsRecord;
use mjolnir_wire::packets::text::Chars;
use mjolnir_wire::{Moment, Tick};

use super::hosting::{Hosting, host_board};
use super::lines;
use crate::custom::Maps;
use crate::desk::Desk;
use crate::options::Common;
use crate::seam::map_of;
use crate::setup::{self, Error};
use crate::told;

/// What it is answered while scores are shown between two games.
pub(super) const BETWEEN: &str = "refused: the next game begins in a moment: ask again then";

/// Plays that map: in the lobby the game that is waited for will be on it, else the game ends and another one begins at once, with
/// every machine that is there (GLUE-22). The tick that it begins at, if one does.
pub(super) fn change(
    machine: &mut Hosting,
    desk: &mut Desk,
    common: &Common,
    name: &str,
    now: Moment,
    start: Tick,
) -> Option<Tick> {
    let record = match record(common, name, machine.host.transport().record()) {
        Ok(record) => record,
        Err(why) => {
            desk.complain(&format!("refused: {why}"));
            return None;
        }
    };
    let map = map_of(record.map.as_str().unwrap_or_default());
    // What this program makes of a record means something.
    if machine.host.stage() == host::Stage::Lobby {
        let _ = machine.host.set_game(&record);
        desk.say(&format!("the game will be on {map}"));
        return None;
    }
    machine.end();
    lines(&host_board(machine)).iter().for_each(|line| desk.say(line));
    desk.say(told::OVER);
    desk.say(&format!("the next game: on {map}"));
    machine.game.set_now(now);
    let _ = machine.host.begin_next(now, &mut machine.game, &record, start);
    Some(machine.host.now_tick())
}

/// The game's record on that map, which is to have what each of the variants is about that are played in turn.
fn record(common: &Common, name: &str, last: &SettingsRecord) -> Result<Box<SettingsRecord>, Error> {
    let chosen = Maps::of(common).choose(name)?;
    for variant in setup::variants(common)? {
        setup::check_map(variant, name, &chosen.map)?;
    }
    let mut record = Box::new(*last);
    record.map = Chars::new(&chosen.level).map_err(|_| Error::Map(name.into(), String::new()))?;
    // Another map's version is another; a shipped one has none.
    record.map_version = 0;
    Ok(record)
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::options::{Command, Options};

    /// A map is taken where every variant that is played has what it is about; what is not is told.
    #[test]
    fn a_map_has_what_all_variants_are_about() {
        let record = |variants: &str, name: &str| {
            let line = format!("skirmish host --variant {variants}");
            let Some(Command::Host(options)) = Options::parse_from(line.split(' ')).command else {
                panic!("{line}")
            };
            let mut last = SettingsRecord::empty();
            last.map_version = 7;
            super::record(&options.common, name, &last).map_err(|error| error.to_string())
        };
        let taken = record("slayer,ctf", "two_bases").unwrap();
        assert_eq!((taken.map.as_str(), taken.map_version), (Some("levels\\test\\two_bases\\two_bases"), 0));
        assert_eq!(
            record("slayer,ctf", "flat").unwrap_err(),
            "no ctf on flat: it lacks a flag for each team"
        );
        assert!(record("slayer", "flat").is_ok());
        assert!(record("slayer", "nowhere").unwrap_err().starts_with("no map nowhere: "));
        let why = record("slayer", "custom_maps\\nowhere").unwrap_err();
        assert_eq!(why, "custom_maps\\nowhere is not played: there is no such file");
    }
}
