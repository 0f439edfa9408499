//! The settings, in a TOML file that keeps its comments: tables by the name before the dot. Knows the file's text;
//! where the file is, and what the environment holds, its owner knows.
//!
//! A missing setting is written with its default, an unknown one is kept and warned of, a value out of its range
//! is clamped and warned of. A text that is not TOML is an error: nothing is guessed. An environment variable beats
//! the file for one run and leaves it as it is (GLUE-26).

mod held;
mod keys;

use std::fmt;
use std::fs::{self, Permissions};
use std::io;
use std::io::Write as _;
use std::path::Path;
use std::process;

use toml_edit::{DocumentMut, Item, Table, value};

use held::Held;
pub use keys::{Holds, KEYS, Key, Name};

/// How the name of every setting's environment variable begins.
const VARIABLES_BEGIN: &str = "HALO_";

/// Every setting's value, and the text they came from.
#[derive(Clone, Debug)]
pub struct Settings {
    document: DocumentMut,
    values: Vec<Held>,
    /// Its lines end as most of the file's did: with a carriage return too.
    is_crlf: bool,
}

/// Something in the file or the environment that was not taken as it stands. A setting of the file is named by its
/// table and name, one of the environment by its variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// No setting of that name; it is kept.
    Unknown(String),
    /// Out of its range; this is what was taken.
    Clamped(String, f64),
    /// Of another type: the file's is taken as its default, the environment's not at all.
    WrongType(String),
    /// None of the words it may hold; this is what was taken.
    NoChoice(String, &'static str),
    /// Neither yes nor no: the file's is taken as its default, the environment's not at all.
    NoFlag(String),
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "unknown setting {name}"),
            Self::Clamped(name, taken) => write!(f, "{name} is out of its range: {taken} taken"),
            Self::WrongType(name) => write!(f, "{name} is of another type and was not taken"),
            Self::NoChoice(name, taken) => write!(f, "{name} is none of its words: {taken} taken"),
            Self::NoFlag(name) => write!(f, "{name} is neither true nor false and was not taken"),
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
        let values = KEYS.iter().map(Held::default_of).collect();
        let mut this = Self { document: DocumentMut::new(), values, is_crlf: false };
        this.write_missing();
        this
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
        // The reader of TOML makes all line ends one kind: a file of both has what most of its lines have.
        let is_crlf = 2 * text.matches("\r\n").count() > text.matches('\n').count();
        let mut this = Self { document, values, is_crlf };
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

    /// Takes what the environment says, for this run: what is written stays the file's. `variable` gives the text of
    /// the environment variable of that name.
    pub fn override_by(&mut self, variable: impl Fn(&str) -> Option<String>) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for (key, value) in KEYS.iter().zip(&mut self.values) {
            let text = variable(key.variable);
            if let Some(held) = text.and_then(|text| Held::of_variable(key, &text, &mut warnings)) {
                *value = held;
            }
        }
        warnings
    }

    /// Those of the environment's variables that look like a setting's and are none's (GLUE-26).
    pub fn unknown_variables(names: impl IntoIterator<Item = String>) -> Vec<Warning> {
        let is_unknown = |name: &String| {
            name.starts_with(VARIABLES_BEGIN) && KEYS.iter().all(|key| key.variable != name.as_str())
        };
        names.into_iter().filter(is_unknown).map(Warning::Unknown).collect()
    }

    /// Writes the file beside itself and renames it, so that no reader ever finds half of it. A link is followed, and
    /// who may read the file stays as it was.
    ///
    /// # Errors
    ///
    /// As the system gives them; one that may only be read is left as it is.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        // A name of this process's own, since two programs may share a file.
        let beside = path.with_extension(format!("toml.{}", process::id()));
        let permissions = fs::metadata(path).ok().map(|file| file.permissions());
        if permissions.as_ref().is_some_and(Permissions::readonly) {
            return Err(Error::File(io::ErrorKind::PermissionDenied.into()));
        }
        let write = || {
            let mut file = fs::File::create(&beside)?;
            if let Some(permissions) = permissions {
                file.set_permissions(permissions)?;
            }
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

    /// The file's text, its comments and its line ends kept.
    pub fn text(&self) -> String {
        let text = self.document.to_string();
        if self.is_crlf { text.replace("\r\n", "\n").replace('\n', "\r\n") } else { text }
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

    /// A whole number's value, within its range; 0 for a setting of another type.
    pub fn whole(&self, name: Name) -> i32 {
        self.number(name) as i32
    }

    /// A text's value, or the word chosen; empty for a setting of another type.
    pub fn text_of(&self, name: Name) -> &str {
        match &self.values[name as usize] {
            Held::Text(text) => text,
            _ => "",
        }
    }

    fn write_missing(&mut self) {
        for (key, held) in KEYS.iter().zip(&self.values) {
            let table = self.document.entry(key.table).or_insert_with(|| Item::Table(Table::new()));
            let has_lines = !table.is_inline_table();
            let Some(table) = table.as_table_like_mut() else {
                continue; // Somebody's value stands where the table would: it was warned of and is kept.
            };
            if table.contains_key(key.name) {
                continue;
            }
            let written = match (held, key.default) {
                (Held::Flag(flag), _) => value(*flag),
                (Held::Number(number), Holds::Whole(..)) => value(*number as i64),
                (Held::Number(number), _) => value(*number),
                (Held::Text(text), _) => value(text.as_str()),
            };
            table.insert(key.name, written);
            // A table in one line has no place for a comment, and would be no TOML 1.0 with one.
            if has_lines && let Some(mut written) = table.key_mut(key.name) {
                written.leaf_decor_mut().set_prefix(format!("# {}\n# {}\n", key.comment, key.variable));
            }
        }
    }
}

fn read(key: &Key, document: &DocumentMut, warnings: &mut Vec<Warning>) -> Held {
    let item = document.get(key.table).and_then(Item::as_table_like).and_then(|table| table.get(key.name));
    match item {
        None => Held::default_of(key),
        Some(Item::Value(value)) => Held::read(key, value, warnings),
        Some(_) => {
            warnings.push(Warning::WrongType(format!("{}.{}", key.table, key.name)));
            Held::default_of(key)
        }
    }
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

    /// TOOL-65, GLUE-26: an unknown setting is kept and warned of, and nothing that somebody wrote is moved.
    #[test]
    fn comments_unknown_settings_and_order_are_kept() {
        let text = "# mine\n[debug]\nnetwork_loss = 5 # a little\nhomemade = 1\n";
        let (settings, warnings) = Settings::parse(text).unwrap();
        assert_eq!(warnings, [Warning::Unknown("debug.homemade".into())]);
        assert_eq!(settings.number(Name::DebugNetworkLoss), 5.0);
        assert!(settings.text().starts_with(text));
    }

    /// GLUE-10: clamped values are warned of, and so are those of another type.
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

    /// TOOL-65: lines that end as another system's do keep their ends, and those that are added have the same; a file
    /// of both kinds has the one that most of its lines have.
    #[test]
    fn line_ends_are_kept() {
        let own = "# Mine.\r\n[debug]\r\nnetwork_loss = 5.0 # a little\r\n";
        let (settings, _) = Settings::parse(own).unwrap();
        let text = settings.text();
        assert!(text.starts_with(own), "{text:?}");
        assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{text:?}");
        let (again, warnings) = Settings::parse(&text).unwrap();
        assert_eq!((again.text(), warnings), (text, vec![]));

        for (mixed, is_crlf) in [("# 1\r\n# 2\r\n# 3\n", true), ("# 1\r\n# 2\n", false), ("", false)] {
            let (settings, _) = Settings::parse(mixed).unwrap();
            let text = settings.text();
            let ends = text.matches("\r\n").count();
            assert_eq!(ends, if is_crlf { text.matches('\n').count() } else { 0 }, "{mixed:?}");
        }
    }

    /// TOOL-65: a table in one line stays one line, which every reader of TOML takes.
    #[test]
    fn a_table_in_one_line_stays_one() {
        let (settings, _) = Settings::parse("debug = { network_loss = 5 }\n").unwrap();
        let text = settings.text();
        let line = text.lines().next().unwrap();
        assert!(line.starts_with("debug = { network_loss = 5") && line.ends_with('}'), "{line}");
        let (again, warnings) = Settings::parse(&text).unwrap();
        assert_eq!((again.text(), warnings), (text, vec![]));
    }

    /// GLUE-10: a link stays one, a private file private, and one that may only be read as it is.
    #[cfg(unix)]
    #[test]
    fn a_file_stays_what_it_is() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};

        let folder = std::env::temp_dir().join(format!("settings-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let [file, link] = ["own.toml", "link.toml"].map(|name| folder.join(name));
        fs::write(&file, "").unwrap();
        symlink(&file, &link).unwrap();
        let allow = |mode| fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
        allow(0o600);
        Settings::default().save(&link).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_to_string(&file).unwrap(), Settings::default().text());

        fs::write(&file, "# Mine.\n").unwrap();
        allow(0o400);
        assert!(matches!(Settings::default().save(&link), Err(Error::File(_))));
        assert_eq!(fs::read_to_string(&file).unwrap(), "# Mine.\n");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing is left beside them");
        fs::remove_dir_all(&folder).unwrap();
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

    /// GLUE-10: a whole number is whole, told if it was not; what is no number is taken as the default, and told.
    #[test]
    fn a_whole_number_is_whole() {
        let (settings, warnings) = Settings::parse("network.voice_kbps = 24.4").unwrap();
        assert_eq!(settings.whole(Name::NetworkVoiceKbps), 24);
        assert_eq!(warnings, [Warning::Clamped("network.voice_kbps".into(), 24.0)]);
        for text in ["network.voice_kbps = nan", "network.voice_kbps = []", "network.voice_kbps = {}"] {
            let (settings, warnings) = Settings::parse(text).unwrap();
            assert_eq!(settings.whole(Name::NetworkVoiceKbps), 24, "{text}");
            assert_eq!(warnings, [Warning::WrongType("network.voice_kbps".into())]);
        }
    }

    /// GLUE-10: an unknown voice mode is the widest, and stays in the file; a word is one in any case.
    #[test]
    fn an_unknown_voice_mode_is_the_widest() {
        let (settings, warnings) = Settings::parse("network.voice_mode = \"telepathy\"").unwrap();
        assert_eq!(settings.text_of(Name::NetworkVoiceMode), "team_global_enemy_proximity");
        assert_eq!(warnings, [Warning::NoChoice("network.voice_mode".into(), "team_global_enemy_proximity")]);
        assert!(settings.text().contains("telepathy"), "what somebody wrote is kept");
        let (settings, _) = Settings::parse("network.voice_mode = \"OFF\"").unwrap();
        assert_eq!(settings.text_of(Name::NetworkVoiceMode), "off");
    }

    /// GLUE-26: a file without a setting gets it, and its comments stay; the environment wins, and what would be
    /// written is the file as it was.
    #[test]
    fn the_environment_beats_the_file_for_one_run() {
        let (settings, _) = Settings::parse("# Mine.\n[network]\nvoice_kbps = 32 # enough\n").unwrap();
        let text = settings.text();
        assert!(text.starts_with("# Mine.\n[network]\nvoice_kbps = 32 # enough\n"));
        assert!(text.contains("\nvotekick = true\n"), "{text}");
        let mut run = settings.clone();
        let warnings = run.override_by(|name| match name {
            "HALO_NET_VOTEKICK" => Some("off".into()),
            "HALO_NET_VOICE_KBPS" => Some("40".into()),
            "HALO_NET_VOICE_MODE" => Some("team_global".into()),
            "HALO_TEST_INPUT" => Some("look:3".into()),
            "HALO_NULL_RENDERER" => Some("1".into()),
            "HALO_EXIT_AFTER" => Some("2.5".into()),
            _ => None,
        });
        assert_eq!(warnings, []);
        assert!(settings.flag(Name::NetworkVotekick) && !run.flag(Name::NetworkVotekick));
        assert_eq!(run.whole(Name::NetworkVoiceKbps), 40);
        assert_eq!(run.text_of(Name::NetworkVoiceMode), "team_global");
        assert_eq!(run.text_of(Name::DebugTestInput), "look:3");
        assert!(run.flag(Name::DebugNullRenderer));
        assert_eq!(run.number(Name::DebugExitAfter), 2.5);
        assert_eq!(run.text(), text);
    }

    /// GLUE-26: 0, false, no and off say no in any case, in the environment and in the file; what a variable cannot
    /// mean leaves the file's value and is told, and what is out of range is clamped.
    #[test]
    fn no_is_said_in_four_ways() {
        let with = |name: &'static str, text: &str| {
            let mut settings = Settings::default();
            let warnings = settings.override_by(|other| (other == name).then(|| text.into()));
            (settings, warnings)
        };
        for (text, is) in [("0", false), ("False", false), ("NO", false), ("oFF", false), (" off ", false)]
            .into_iter()
            .chain([("1", true), ("true", true), ("yes", true), ("on", true), ("", true)])
        {
            let (settings, warnings) = with("HALO_NET_VOTEKICK", text);
            assert_eq!((settings.flag(Name::NetworkVotekick), warnings), (is, vec![]), "{text:?}");
        }
        for (text, is) in [("\"Off\"", false), ("0", false), ("\"yes\"", true), ("1", true)] {
            let (settings, warnings) = Settings::parse(&format!("network.votekick = {text}")).unwrap();
            assert_eq!((settings.flag(Name::NetworkVotekick), warnings), (is, vec![]), "{text}");
        }
        let name = || "HALO_NET_VOICE_KBPS".to_owned();
        let (settings, warnings) = with("HALO_NET_VOICE_KBPS", "many");
        assert_eq!(
            (settings.whole(Name::NetworkVoiceKbps), warnings),
            (24, vec![Warning::WrongType(name())])
        );
        let (settings, warnings) = with("HALO_NET_VOICE_KBPS", "65");
        let clamped = vec![Warning::Clamped(name(), 64.0)];
        assert_eq!((settings.whole(Name::NetworkVoiceKbps), warnings), (64, clamped));
    }

    /// GLUE-26: a word that is neither yes nor no is told; the environment's leaves the file's value, and the file's is
    /// taken as the default.
    #[test]
    fn a_flag_is_yes_or_no() {
        for file in [true, false] {
            let (mut run, _) = Settings::parse(&format!("display.latency_meter = {file}")).unwrap();
            let meter = |name: &str| (name == "HALO_LATENCY_METER").then(|| "maybe".into());
            assert_eq!(run.override_by(meter), [Warning::NoFlag("HALO_LATENCY_METER".into())]);
            assert_eq!(run.flag(Name::DisplayLatencyMeter), file);
        }
        for (setting, name, default) in [
            ("display.latency_meter", Name::DisplayLatencyMeter, false),
            ("network.votekick", Name::NetworkVotekick, true),
        ] {
            let (settings, warnings) = Settings::parse(&format!("{setting} = \"maybe\"")).unwrap();
            assert_eq!((settings.flag(name), warnings), (default, vec![Warning::NoFlag(setting.into())]));
        }
    }

    /// GLUE-26: a variable that looks like a setting's and is none's is told; another program's is nothing to us.
    #[test]
    fn a_variable_of_no_setting_is_told() {
        let names = ["PATH", "HALO_BOTS", "HALO_LATENCY_METRE", "HALO_", "MY_HALO_BOTS"].map(String::from);
        let unknown = ["HALO_LATENCY_METRE", "HALO_"].map(|name| Warning::Unknown(name.into()));
        assert_eq!(Settings::unknown_variables(names), unknown);
    }
}
