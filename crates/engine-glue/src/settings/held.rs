//! One setting's value: read from a file's item or from an environment variable's text. Knows no other setting.

use toml_edit::Value;

use super::Warning;
use super::keys::{Holds, Key};

/// What a setting holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Held {
    Flag(bool),
    Number(f64),
    Text(String),
}

impl Held {
    pub(super) fn default_of(key: &Key) -> Self {
        match key.default {
            Holds::Flag(flag) => Self::Flag(flag),
            Holds::Number(number, ..) => Self::Number(number),
            Holds::Whole(whole, ..) => Self::Number(f64::from(whole)),
            Holds::Text(text) | Holds::Choice(text, _) => Self::Text(text.into()),
        }
    }

    /// Reads a file's value; one of another type has the default.
    pub(super) fn read(key: &Key, value: &Value, warnings: &mut Vec<Warning>) -> Self {
        let name = || format!("{}.{}", key.table, key.name);
        let number = || value.as_float().or(value.as_integer().map(|whole| whole as f64));
        let held = match (key.default, value) {
            (Holds::Flag(_), Value::Boolean(flag)) => Some(Self::Flag(*flag.value())),
            (Holds::Flag(_), Value::Integer(whole)) => Some(Self::Flag(*whole.value() != 0)),
            (Holds::Flag(default), Value::String(text)) => {
                Some(Self::Flag(flag(text.value(), name, warnings).unwrap_or(default)))
            }
            (Holds::Text(_), Value::String(text)) => Some(Self::Text(text.value().clone())),
            (Holds::Choice(..), Value::String(text)) => Some(choice(key, text.value(), name, warnings)),
            (Holds::Number(..) | Holds::Whole(..), _) => {
                number().and_then(|number| ranged(key, number, name, warnings))
            }
            _ => None,
        };
        held.unwrap_or_else(|| {
            warnings.push(Warning::WrongType(name()));
            Self::default_of(key)
        })
    }

    /// Reads an environment variable's text; none, where it says nothing that the setting could hold. An empty one
    /// is as good as absent, but of a text.
    pub(super) fn of_variable(key: &Key, text: &str, warnings: &mut Vec<Warning>) -> Option<Self> {
        let name = || key.variable.to_owned();
        let text = match key.default {
            Holds::Text(_) => return Some(Self::Text(text.into())),
            _ => text.trim(),
        };
        if text.is_empty() {
            return None;
        }
        let held = match key.default {
            Holds::Flag(_) => return flag(text, name, warnings).map(Self::Flag),
            Holds::Choice(..) => Some(choice(key, text, name, warnings)),
            _ => text.parse().ok().and_then(|number| ranged(key, number, name, warnings)),
        };
        if held.is_none() {
            warnings.push(Warning::WrongType(name()));
        }
        held
    }
}

/// A flag in words: 0, false, no and off say no, in any case (GLUE-26), and their opposites yes; none of another word,
/// which is told: somebody meant something by it.
fn flag(text: &str, name: impl Fn() -> String, warnings: &mut Vec<Warning>) -> Option<bool> {
    let is_one_of = |words: [&str; 4]| words.iter().any(|word| word.eq_ignore_ascii_case(text.trim()));
    let said = if is_one_of(["0", "false", "no", "off"]) {
        Some(false)
    } else {
        is_one_of(["1", "true", "yes", "on"]).then_some(true)
    };
    if said.is_none() {
        warnings.push(Warning::NoFlag(name()));
    }
    said
}

/// A number within its range; none of one that is none.
fn ranged(key: &Key, number: f64, name: impl Fn() -> String, warnings: &mut Vec<Warning>) -> Option<Held> {
    let taken = match key.default {
        Holds::Number(_, least, most) => number.clamp(least, most),
        Holds::Whole(_, least, most) => number.round().clamp(least.into(), most.into()),
        _ => return None,
    };
    if number.is_nan() {
        return None;
    }
    if taken != number {
        warnings.push(Warning::Clamped(name(), taken));
    }
    Some(Held::Number(taken))
}

/// One of the words, in any case; else the default.
fn choice(key: &Key, text: &str, name: impl Fn() -> String, warnings: &mut Vec<Warning>) -> Held {
    let Holds::Choice(default, words) = key.default else { return Held::default_of(key) };
    let known = words.iter().find(|word| word.eq_ignore_ascii_case(text.trim()));
    if known.is_none() {
        warnings.push(Warning::NoChoice(name(), default));
    }
    Held::Text((*known.unwrap_or(&default)).into())
}
