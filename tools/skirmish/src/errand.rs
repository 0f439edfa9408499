//! What the program does when it is told nothing: what the settings' `debug.network_test` says (TOOL-04, 06). Knows no
//! machine: it makes the options of the command that does it.

use mjolnir_engine_glue::settings::{Name, Settings};

use crate::ending::Ending;
use crate::lan;
use crate::options::{Common, HostOptions, JoinOptions, LocalOptions};
use crate::play;
use crate::setup::{self, Error};

/// The setting that is read.
const SETTING: &str = "debug.network_test";

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Errand {
    /// `host:MAP[:VARIANT,VARIANT...]`: the variants in turn.
    Host { map: String, variant: String },
    /// `join`: the first game that is found.
    Join,
    /// `local:MAP`.
    Local { map: String },
}

/// Does it.
pub fn run(common: &Common) -> Result<Ending, Error> {
    let (common, settings) = setup::settled(common)?;
    match parse(settings.text_of(Name::DebugNetworkTest))? {
        Errand::Host { map, variant } => {
            let lobby = settings.number(Name::DebugNetworkTestStart);
            let common = Common { map, variant, ..common };
            let options = HostOptions { port: mjolnir_wire::limits::HOST_PORT, lobby, common };
            play::host(&options, &settings)
        }
        Errand::Join => join(common, &settings),
        Errand::Local { map } => {
            let options = LocalOptions { common: Common { map, ..common } };
            play::local(&options, &settings)
        }
    }
}

/// Joins the first game that is found.
fn join(common: Common, settings: &Settings) -> Result<Ending, Error> {
    match lan::first(&common, settings)? {
        Some(address) => {
            let options = JoinOptions { address: address.to_string(), lobby: None, common };
            play::join(&options, settings)
        }
        None => {
            let why = "No game was found.";
            eprintln!("not joined: {why}");
            Ok(Ending::NotJoined(why.into()))
        }
    }
}

fn parse(text: &str) -> Result<Errand, Error> {
    let unknown = |why: &str| Error::Setting(SETTING, format!("{text:?}: {why}"));
    let (what, rest) = text.split_once(':').unwrap_or((text, ""));
    match (what, rest) {
        _ if text.is_empty() => Err(Error::NothingToDo),
        ("host", rest) if !rest.is_empty() => {
            let (map, variant) = rest.split_once(':').unwrap_or((rest, "slayer"));
            Ok(Errand::Host { map: map.into(), variant: variant.into() })
        }
        ("join", "") if text == "join" => Ok(Errand::Join),
        ("local", map) if !map.is_empty() => Ok(Errand::Local { map: map.into() }),
        ("log" | "browse", "") => Err(unknown("not played yet")),
        _ => Err(unknown("host:MAP[:VARIANT,VARIANT...], join or local:MAP")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TOOL-04, TOOL-06: what a setting asks for; a variant is slayer where none is named, and several are played in turn.
    #[test]
    fn a_setting_is_an_errand() {
        let host = |map: &str, variant: &str| Errand::Host { map: map.into(), variant: variant.into() };
        for (text, errand) in [
            ("host:flat", host("flat", "slayer")),
            ("host:flat:team_slayer", host("flat", "team_slayer")),
            ("host:flat:slayer,team_slayer", host("flat", "slayer,team_slayer")),
            ("host:levels\\test\\flat\\flat", host("levels\\test\\flat\\flat", "slayer")),
            ("join", Errand::Join),
            ("local:hill", Errand::Local { map: "hill".into() }),
        ] {
            assert_eq!(parse(text).unwrap(), errand, "{text}");
        }
        for text in ["host", ":flat", "host:", "join:", "local", "local:", "log", "browse", "Join"] {
            let refused = parse(text).unwrap_err();
            assert!(refused.to_string().starts_with("setting debug.network_test: "), "{refused}");
        }
        let nothing = parse("").unwrap_err().to_string();
        assert!(nothing.starts_with("give a command: host, join, browse, local, maps or demo "), "{nothing}");
    }
}
