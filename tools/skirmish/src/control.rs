//! What plays a local player: a bot, one that only looks, or a script. Knows no controller.

use std::fmt;
use std::fs;
use std::path::PathBuf;

use mjolnir_wire::{Input, Slot, Tick};

use crate::game::{Bot, Look, Script, World, script};

/// What `--input` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// `bot:SEED`.
    Bot(u64),
    /// `look:SEED`.
    Look(u64),
    /// `script:FILE`.
    Script(PathBuf),
}

/// Why an input cannot be had.
#[derive(Debug)]
pub enum Error {
    /// No such kind of input, or no number where one is due.
    Choice(String),
    /// The script cannot be read.
    File(PathBuf, std::io::Error),
    /// The script means nothing.
    Script(PathBuf, script::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Choice(text) => write!(f, "no input {text}: bot:SEED, look:SEED or script:FILE"),
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Script(path, error) => {
                write!(f, "{}: line {}: {}", path.display(), error.line, error.fault.reason())
            }
        }
    }
}

impl std::error::Error for Error {}

impl Choice {
    /// Reads the option's text.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let none = || Error::Choice(text.into());
        let (kind, rest) = text.split_once(':').ok_or_else(none)?;
        let seed = || rest.parse().map_err(|_| none());
        match kind {
            "bot" => seed().map(Self::Bot),
            "look" => seed().map(Self::Look),
            "script" if !rest.is_empty() => Ok(Self::Script(rest.into())),
            _ => Err(none()),
        }
    }

    /// The same for another player: bots of their own seeds, one script for all.
    #[must_use]
    pub fn for_player(&self, player: u64) -> Self {
        match self {
            Self::Bot(seed) => Self::Bot(seed.wrapping_add(player)),
            Self::Look(seed) => Self::Look(seed.wrapping_add(player)),
            Self::Script(path) => Self::Script(path.clone()),
        }
    }

    /// Makes it, reading the script.
    pub fn open(&self) -> Result<Control, Error> {
        Ok(match self {
            Self::Bot(seed) => Control::Bot(Bot::new(*seed)),
            Self::Look(seed) => Control::Look(Look::new(*seed)),
            Self::Script(path) => {
                let text = fs::read_to_string(path).map_err(|error| Error::File(path.clone(), error))?;
                Control::Script(Script::parse(&text).map_err(|error| Error::Script(path.clone(), error))?)
            }
        })
    }
}

/// One local player's controls.
#[derive(Clone, Debug)]
pub enum Control {
    /// Walks, jumps and aims by itself.
    Bot(Bot),
    /// Stands and turns.
    Look(Look),
    /// Does what a file says.
    Script(Script),
}

impl Control {
    /// What they say for that tick.
    pub fn input(&mut self, world: &World, slot: Slot, tick: Tick) -> Input {
        match self {
            Self::Bot(bot) => bot.input(world, slot, tick),
            Self::Look(look) => look.input(),
            Self::Script(script) => script.input(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_named_as_the_options_say() {
        assert_eq!(Choice::parse("bot:7").unwrap(), Choice::Bot(7));
        assert_eq!(Choice::parse("look:0").unwrap(), Choice::Look(0));
        assert_eq!(Choice::parse("script:a:b").unwrap(), Choice::Script("a:b".into()));
        for text in ["", "bot", "bot:", "bot:x", "script:", "walk:1"] {
            assert!(Choice::parse(text).is_err(), "{text}");
        }
        assert_eq!(Choice::Bot(7).for_player(2), Choice::Bot(9));
    }
}
