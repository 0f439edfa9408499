//! `init.txt`, where a game's console commands stand that it runs as it begins: which map it names (TOOL-28). Knows no other
//! command: what is another's to do is passed over.

use std::fs;
use std::io;
use std::path::PathBuf;

use crate::options::Common;
use crate::setup::Error;

/// The file's name.
const NAME: &str = "init.txt";

/// The map that `init.txt` names: that in the data folder, else that beside the settings file; none where there is no such
/// file, or it names none.
pub fn map(common: &Common) -> Result<Option<String>, Error> {
    for path in places(common) {
        match fs::read_to_string(&path) {
            Ok(text) => return Ok(named(&text).map(Into::into)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::File(path, error)),
        }
    }
    Ok(None)
}

/// Where it may stand, the first first.
fn places(common: &Common) -> Vec<PathBuf> {
    let beside = match &common.config {
        Some(config) => Some(config.with_file_name(NAME)),
        None if common.data.is_none() => {
            std::env::current_exe().ok().map(|program| program.with_file_name(NAME))
        }
        None => None,
    };
    common.data.iter().map(|data| data.join(NAME)).chain(beside).collect()
}

/// The map that the last `map_name` of a file's text names: commands run in order, and each loads its map.
fn named(text: &str) -> Option<&str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().rev().find_map(|line| {
        // What stands behind a semicolon is a comment.
        let line = line.split(';').next().unwrap_or_default();
        let (command, map) = line.trim().split_once(char::is_whitespace)?;
        let map = map.trim().trim_matches('"');
        (command.eq_ignore_ascii_case("map_name") && !map.is_empty()).then_some(map)
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::options::Options;

    /// TOOL-28: the last map that is named, with or without quotes, whatever else the file has.
    #[test]
    fn a_file_names_a_map() {
        for (text, map) in [
            ("map_name flat", Some("flat")),
            (
                "\u{feff}; what is played\r\ncheat_omnipotent 1\r\n  MAP_NAME\t\"levels\\test\\hill\\hill\" ; here\r\n",
                Some("levels\\test\\hill\\hill"),
            ),
            ("map_name flat\nmap_name hill\n", Some("hill")),
            ("", None),
            ("map_name", None),
            ("map_name \"\"", None),
            ("; map_name flat", None),
            ("map_names flat", None),
        ] {
            assert_eq!(named(text), map, "{text:?}");
        }
    }

    /// TOOL-28: the data folder's comes before that beside the settings file; where neither is named it stands beside the
    /// program.
    #[test]
    fn it_stands_in_the_data_folder_or_beside_the_settings() {
        let places = |line: &str| places(&Options::parse_from(line.split(' ')).common);
        assert_eq!(
            places("skirmish --data data --config own/config.toml"),
            [PathBuf::from("data/init.txt"), "own/init.txt".into()]
        );
        assert_eq!(places("skirmish --config config.toml"), [PathBuf::from("init.txt")]);
        assert_eq!(places("skirmish --data data"), [PathBuf::from("data/init.txt")]);
        let beside = places("skirmish");
        assert!(
            beside.len() == 1 && beside[0].is_absolute() && beside[0].ends_with("init.txt"),
            "{beside:?}"
        );
    }
}
