//! What the program does when it is told nothing: what the settings' `debug.network_test` says (TOOL-04, 06, 20, 28). Knows no
//! machine: it makes the options of the command that does it.

use mjolnir_engine_glue::settings::Name;

use crate::ending::Ending;
use crate::init;
use crate::options::{Common, HostOptions, LocalOptions};
use crate::play::{self, Seek};
use crate::setup::{self, Error};

/// The setting that is read.
const SETTING: &str = "debug.network_test";

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Errand {
    /// `host:MAP[:VARIANT,VARIANT...]`: the variants in turn.
    Host { map: String, variant: String },
    /// `join`, the first game that is found, or `browse`, the fullest of those listed.
    Seek(Seek),
    /// `local:MAP`.
    Local { map: String },
    /// `log`: one machine plays the map that `init.txt` names.
    Log,
}

/// Does it.
pub fn run(common: &Common) -> Result<Ending, Error> {
    let (common, settings) = setup::settled(common)?;
    let local = |common| play::local(&LocalOptions { common }, &settings);
    match parse(settings.text_of(Name::DebugNetworkTest))? {
        Errand::Host { map, variant } => {
            let lobby = settings.number(Name::DebugNetworkTestStart);
            let common = Common { map, variant, ..common };
            let options = HostOptions { port: mjolnir_wire::limits::HOST_PORT, lobby, common };
            play::host_test(&options, &settings)
        }
        Errand::Seek(seek) => play::seek(&common, &settings, seek),
        Errand::Local { map } => local(Common { map, ..common }),
        Errand::Log => {
            let map = init::map(&common)?.unwrap_or_else(|| common.map.clone());
            local(Common { map, ..common })
        }
    }
}

fn parse(text: &str) -> Result<Errand, Error> {
    let (what, rest) = text.split_once(':').unwrap_or((text, ""));
    match (what, rest) {
        _ if text.is_empty() => Err(Error::NothingToDo),
        ("host", rest) if !rest.is_empty() => {
            let (map, variant) = rest.split_once(':').unwrap_or((rest, "slayer"));
            Ok(Errand::Host { map: map.into(), variant: variant.into() })
        }
        ("local", map) if !map.is_empty() => Ok(Errand::Local { map: map.into() }),
        _ if text == "join" => Ok(Errand::Seek(Seek::First)),
        _ if text == "browse" => Ok(Errand::Seek(Seek::Fullest)),
        _ if text == "log" => Ok(Errand::Log),
        _ => {
            let asked = "host:MAP[:VARIANT,VARIANT...], join, browse, local:MAP or log";
            Err(Error::Setting(SETTING, format!("{text:?}: {asked}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TOOL-04, 06, 20, 28: what a setting asks for; a variant is slayer where none is named, and several are played in turn.
    #[test]
    fn a_setting_is_an_errand() {
        let host = |map: &str, variant: &str| Errand::Host { map: map.into(), variant: variant.into() };
        for (text, errand) in [
            ("host:flat", host("flat", "slayer")),
            ("host:flat:team_slayer", host("flat", "team_slayer")),
            ("host:flat:slayer,team_slayer", host("flat", "slayer,team_slayer")),
            ("host:campaign1:coop", host("campaign1", "coop")),
            ("host:levels\\test\\flat\\flat", host("levels\\test\\flat\\flat", "slayer")),
            ("join", Errand::Seek(Seek::First)),
            ("browse", Errand::Seek(Seek::Fullest)),
            ("log", Errand::Log),
            ("local:hill", Errand::Local { map: "hill".into() }),
        ] {
            assert_eq!(parse(text).unwrap(), errand, "{text}");
        }
        for text in ["host", ":flat", "host:", "join:", "local", "local:", "log:", "browse:flat", "Join"] {
            let refused = parse(text).unwrap_err();
            assert!(refused.to_string().starts_with("setting debug.network_test: "), "{refused}");
        }
        let nothing = parse("").unwrap_err().to_string();
        assert!(nothing.starts_with("give a command: host, join, browse, local, maps or demo "), "{nothing}");
    }
}
