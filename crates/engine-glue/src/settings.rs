//! The settings, in a TOML file that keeps its comments: tables by the name before the dot. Knows the file's text;
//! where the file is, its owner knows.
//!
//! A missing setting is written with its default, an unknown one is kept and warned of, a value out of its range
//! is clamped and warned of. A text that is not TOML is an error: nothing is guessed.

mod keys;

use std::fmt;
use std::fs;
use std::io;
use std::io::Write as _;
use std::path::Path;
use std::process;

use toml_edit::{DocumentMut, Item, Table, Value, value};

pub use keys::{Holds, KEYS, Key, Name};

/// Every setting's value, and the text they came from.
#[derive(Clone, Debug)]
pub struct Settings {
    document: DocumentMut,
    values: Vec<Held>,
}

#[derive(Clone, Debug, PartialEq)]
enum Held {
    Flag(bool),
    Number(f64),
    Text(String),
}

/// Something in the file that was not taken as it stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// No setting of that name; it is kept.
    Unknown(String),
    /// Out of its range; this is what was taken.
    Clamped(String, f64),
    /// Of another type; the default was taken.
    WrongType(String),
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "unknown setting {name}"),
            Self::Clamped(name, taken) => write!(f, "{name} is out of its range: {taken} taken"),
            Self::WrongType(name) => write!(f, "{name} is of another type: its default taken"),
        }
    }
}

/// Why there are no settings.
#[derive(Debug)]
pub enum Error {
    /// The file cannot be read or written.
    File(io::Error),
    /// The file is not TOML.
    Syntax(Box<toml_edit::TomlError>),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Syntax(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl Default for Settings {
    fn default() -> Self {
        let values = KEYS.iter().map(|key| held(key.default)).collect();
        let mut this = Self { document: DocumentMut::new(), values };
        this.write_missing();
        this
    }
}

fn held(default: Holds) -> Held {
    match default {
        Holds::Flag(flag) => Held::Flag(flag),
        Holds::Number(number, _, _) => Held::Number(number),
        Holds::Text(text) => Held::Text(text.into()),
    }
}

impl Settings {
    /// Reads a file's text; what it lacks has its default and is in [`Settings::text`].
    pub fn parse(text: &str) -> Result<(Self, Vec<Warning>), Error> {
        let document: DocumentMut = text.parse().map_err(|error| Error::Syntax(Box::new(error)))?;
        let mut warnings = Vec::new();
        let values = KEYS.iter().map(|key| read(key, &document, &mut warnings)).collect();
        for (table, items) in document.iter() {
            match items.as_table_like() {
                None => warnings.push(Warning::Unknown(table.into())),
                Some(items) => {
                    let known = |name: &str| KEYS.iter().any(|key| key.table == table && key.name == name);
                    let unknown = items.iter().map(|(name, _)| name).filter(|name| !known(name));
                    warnings.extend(unknown.map(|name| Warning::Unknown(format!("{table}.{name}"))));
                }
            }
        }
        let mut this = Self { document, values };
        this.write_missing();
        Ok((this, warnings))
    }

    /// Reads a file, or begins with the defaults where there is none; then writes back what it lacked.
    pub fn open(path: &Path) -> Result<(Self, Vec<Warning>), Error> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(Error::File(error)),
        };
        let (this, warnings) = Self::parse(&text)?;
        if this.text() != text {
            this.save(path)?;
        }
        Ok((this, warnings))
    }

    /// Writes the file beside itself and renames it, so that no reader ever finds half of it.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        // A name of this process's own, since two programs may share a file.
        let beside = path.with_extension(format!("toml.{}", process::id()));
        let write = || {
            let mut file = fs::File::create(&beside)?;
            file.write_all(self.text().as_bytes())?;
            file.sync_all()?;
            fs::rename(&beside, path)
        };
        write().map_err(|error| {
            // What was begun is of no use to anybody; the first error is the one to tell.
            let _ = fs::remove_file(&beside);
            Error::File(error)
        })
    }

    /// The file's text, its comments kept.
    pub fn text(&self) -> String {
        self.document.to_string()
    }

    /// A flag's value; false for a setting of another type.
    pub fn flag(&self, name: Name) -> bool {
        matches!(self.values[name as usize], Held::Flag(true))
    }

    /// A number's value, within its range; 0 for a setting of another type.
    pub fn number(&self, name: Name) -> f64 {
        match self.values[name as usize] {
            Held::Number(number) => number,
            _ => 0.0,
        }
    }

    /// A text's value; empty for a setting of another type.
    pub fn text_of(&self, name: Name) -> &str {
        match &self.values[name as usize] {
            Held::Text(text) => text,
            _ => "",
        }
    }

    fn write_missing(&mut self) {
        for (key, held) in KEYS.iter().zip(&self.values) {
            let table = self.document.entry(key.table).or_insert_with(|| Item::Table(Table::new()));
            let Some(table) = table.as_table_like_mut() else {
                continue; // Somebody's value stands where the table would: it was warned of and is kept.
            };
            if table.contains_key(key.name) {
                continue;
            }
            table.insert(
                key.name,
                match held {
                    Held::Flag(flag) => value(*flag),
                    Held::Number(number) => value(*number),
                    Held::Text(text) => value(text.as_str()),
                },
            );
            if let Some(mut written) = table.key_mut(key.name) {
                written.leaf_decor_mut().set_prefix(format!("# {}\n", key.comment));
            }
        }
    }
}

fn read(key: &Key, document: &DocumentMut, warnings: &mut Vec<Warning>) -> Held {
    let item = document.get(key.table).and_then(Item::as_table_like).and_then(|table| table.get(key.name));
    let Some(item) = item.and_then(Item::as_value) else {
        return held(key.default);
    };
    let name = || format!("{}.{}", key.table, key.name);
    let taken = match (key.default, item) {
        (Holds::Flag(_), Value::Boolean(flag)) => Some(Held::Flag(*flag.value())),
        (Holds::Text(_), Value::String(text)) => Some(Held::Text(text.value().clone())),
        (Holds::Number(_, least, most), number) => {
            let number = number.as_float().or(number.as_integer().map(|whole| whole as f64));
            number.filter(|number| !number.is_nan()).map(|number| {
                let taken = number.clamp(least, most);
                if taken != number {
                    warnings.push(Warning::Clamped(name(), taken));
                }
                Held::Number(taken)
            })
        }
        _ => None,
    };
    taken.unwrap_or_else(|| {
        warnings.push(Warning::WrongType(name()));
        held(key.default)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_file_gets_every_setting_with_its_comment() {
        let (settings, warnings) = Settings::parse("").unwrap();
        assert_eq!(warnings, []);
        let text = settings.text();
        for key in KEYS {
            assert!(text.contains(key.comment), "{}", key.name);
        }
        let (again, warnings) = Settings::parse(&text).unwrap();
        assert_eq!((again.text(), warnings), (text, vec![]));
    }

    #[test]
    fn comments_unknown_settings_and_order_are_kept() {
        let text = "# mine\n[debug]\nnetwork_loss = 5 # a little\nhomemade = 1\n";
        let (settings, warnings) = Settings::parse(text).unwrap();
        assert_eq!(warnings, [Warning::Unknown("debug.homemade".into())]);
        assert_eq!(settings.number(Name::DebugNetworkLoss), 5.0);
        assert!(settings.text().starts_with(text));
    }

    #[test]
    fn a_value_out_of_range_is_clamped_and_one_of_another_type_left() {
        let text = "debug = { network_loss = 101.0, network_latency = 5000, test_input = 7 }";
        let (settings, warnings) = Settings::parse(text).unwrap();
        assert_eq!(
            warnings,
            [
                Warning::Clamped("debug.network_loss".into(), 100.0),
                Warning::WrongType("debug.test_input".into()),
            ]
        );
        assert_eq!(settings.number(Name::DebugNetworkLoss), 100.0);
        assert_eq!(settings.number(Name::DebugNetworkLatency), 5000.0);
        assert_eq!(settings.text_of(Name::DebugTestInput), "");
    }

    #[test]
    fn what_is_not_toml_is_an_error() {
        assert!(matches!(Settings::parse("[debug\n"), Err(Error::Syntax(_))));
    }

    #[test]
    fn a_value_where_a_table_would_stand_is_kept_and_warned_of() {
        let (settings, warnings) = Settings::parse("debug = 3\n").unwrap();
        assert_eq!(warnings, [Warning::Unknown("debug".into())]);
        assert!(settings.text().starts_with("debug = 3\n"));
    }
}
