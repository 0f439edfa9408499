//! `check-format` and `record-format`: the record of the wire format beside what the wire crate describes.
//!
//! A record's first line is `version N`, then come sorted lines `KIND NAME VALUE`; the kind and the name say which
//! item, the rest of the line what it is. Format and version move together: what older builds would misread needs
//! a higher version, what they ignore (a new kind of message) does not.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::PathBuf;

use crate::{FOUND, Failed, run, tree};

/// Compares the record with the description; a line for each difference.
pub(crate) fn check() -> Result<(), Failed> {
    let described = described()?;
    let Some(recorded) = recorded()? else {
        eprintln!("xtask: there is no {}: cargo xtask record-format", path().display());
        return Err(FOUND);
    };
    let differences = differences(&recorded, &described);
    for difference in &differences {
        println!("{difference}");
    }
    if differences.is_empty() {
        println!(
            "network_format.txt: version {}, {} items, as recorded",
            recorded.version,
            recorded.items.len()
        );
        return Ok(());
    }
    Err(FOUND)
}

/// Rewrites the record, unless that would change what the recorded version means.
pub(crate) fn record() -> Result<(), Failed> {
    let described = described()?;
    let recorded = recorded()?.unwrap_or_else(|| Format { version: described.version, ..Format::default() });
    let differences = differences(&recorded, &described);
    for difference in &differences {
        println!("{difference}");
    }
    if let Some(refusal) = refusal(&recorded, &described, &differences) {
        eprintln!("xtask: not recorded: {refusal}");
        return Err(FOUND);
    }
    fs::write(path(), described.to_string()).map_err(|error| {
        eprintln!("xtask: cannot write {}: {error}", path().display());
        FOUND
    })?;
    println!("network_format.txt: version {}, {} items recorded", described.version, described.items.len());
    Ok(())
}

fn path() -> PathBuf {
    tree::root().join("network_format.txt")
}

fn described() -> Result<Format, Failed> {
    // Not quietly: the first time it builds for a while.
    let text = run::output(&mut run::cargo(&["run", "-p", "mjolnir-wire", "--example", "format"]))?;
    parse(&text, "the description")
}

fn recorded() -> Result<Option<Format>, Failed> {
    match fs::read_to_string(path()) {
        Ok(text) => parse(&text, "network_format.txt").map(Some),
        Err(_) => Ok(None),
    }
}

fn parse(text: &str, what: &str) -> Result<Format, Failed> {
    Format::parse(text).map_err(|line| {
        let shown = text.lines().nth(line - 1).unwrap_or_default();
        eprintln!("xtask: {what} is no record: line {line} is not sorted or no `KIND NAME VALUE`: {shown}");
        FOUND
    })
}

/// A record of the format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Format {
    version: u16,
    /// `KIND NAME` and what it is.
    items: BTreeMap<String, String>,
}

impl Format {
    /// Reads it; the number of the first line that does not belong there.
    fn parse(text: &str) -> Result<Self, usize> {
        let mut lines = text.lines();
        let version =
            lines.next().and_then(|line| line.strip_prefix("version ")?.parse().ok()).ok_or(1_usize)?;
        let mut items = BTreeMap::new();
        let mut before = "";
        for (number, line) in lines.enumerate() {
            let mut words = line.splitn(3, ' ');
            let (Some(kind), Some(name), Some(value)) = (words.next(), words.next(), words.next()) else {
                return Err(number + 2);
            };
            if before >= line || items.insert(format!("{kind} {name}"), value.to_owned()).is_some() {
                return Err(number + 2);
            }
            before = line;
        }
        Ok(Self { version, items })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "version {}", self.version)?;
        let mut lines: Vec<String> =
            self.items.iter().map(|(item, value)| format!("{item} {value}")).collect();
        lines.sort();
        lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// One item that is not as recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Difference {
    Version { was: u16, is: u16 },
    Changed { item: String, was: String, is: String },
    Removed { item: String, was: String },
    Added { item: String, is: String },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version { was, is } => write!(f, "version: recorded {was}, is {is}"),
            Self::Changed { item, was, is } => {
                write!(f, "changed {item}: recorded {was}, is {is} (raise the version)")
            }
            Self::Removed { item, was } => write!(f, "removed {item}: recorded {was} (raise the version)"),
            Self::Added { item, is } => {
                write!(f, "added {item}: {is} (raise the version unless older builds ignore it)")
            }
        }
    }
}

fn differences(recorded: &Format, described: &Format) -> Vec<Difference> {
    let mut differences = Vec::new();
    if recorded.version != described.version {
        differences.push(Difference::Version { was: recorded.version, is: described.version });
    }
    for (item, was) in &recorded.items {
        let (item, was) = (item.clone(), was.clone());
        match described.items.get(&item) {
            Some(is) if *is == was => {}
            Some(is) => differences.push(Difference::Changed { item, was, is: is.clone() }),
            None => differences.push(Difference::Removed { item, was }),
        }
    }
    let added = described.items.iter().filter(|(item, _)| !recorded.items.contains_key(*item));
    differences.extend(added.map(|(item, is)| Difference::Added { item: item.clone(), is: is.clone() }));
    differences
}

/// Why these differences cannot be recorded.
fn refusal(recorded: &Format, described: &Format, differences: &[Difference]) -> Option<String> {
    if described.version < recorded.version {
        return Some(format!("version {} is below the recorded {}", described.version, recorded.version));
    }
    let misread = |difference: &&Difference| {
        matches!(difference, Difference::Changed { .. } | Difference::Removed { .. })
    };
    let misread = differences.iter().filter(misread).count();
    let same = described.version == recorded.version;
    (same && misread > 0).then(|| {
        format!(
            "{misread} changed or removed and the version still {}: raise the version (crates/wire/src/limits.rs)",
            recorded.version
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = "\
version 32
kind ping 19 host datagram 4
limit DATAGRAM_BYTES 1200
limit players 128
struct Ping 4
struct Ping.slot u8 0
";

    fn mutated(from: &str, to: &str) -> (Format, Format, Vec<Difference>) {
        let recorded = Format::parse(RECORD).unwrap();
        let described = Format::parse(&RECORD.replace(from, to)).unwrap();
        let differences = differences(&recorded, &described);
        (recorded, described, differences)
    }

    /// TOOL-73: a record is read and written back: its version, then sorted lines of kind, name and value.
    #[test]
    fn reads_and_writes() {
        let format = Format::parse(RECORD).unwrap();
        assert_eq!((format.version, format.items.len()), (32, 5));
        assert_eq!(format.to_string(), RECORD);
        assert_eq!(Format::parse(""), Err(1));
        assert_eq!(Format::parse("version x\n"), Err(1));
        assert_eq!(Format::parse("version 32\nkind ping\n"), Err(2));
        assert_eq!(Format::parse("version 32\nkind b 1\nkind a 1\n"), Err(3));
        assert_eq!(Format::parse("version 32\nkind a 1\nkind a 2\n"), Err(3));
    }

    /// TOOL-01, TOOL-73: the record that is here is of version 32, sorted, and names every kind of message and the structs that
    /// are sent, each with its size and its fields.
    #[test]
    fn the_record_is_of_this_version() {
        let format = recorded().unwrap().unwrap();
        assert_eq!(format.version, 32);
        let has = |item: &str| format.items.contains_key(item);
        for item in ["kind player_prediction", "kind voice_up", "kind chat_down"] {
            assert!(has(item), "{item}");
        }
        let held = format.items.iter().filter_map(|(item, of)| item.strip_prefix("holds ").map(|_| of));
        let (mut structs, fields) = (0, format.items.keys().filter_map(|item| item.strip_prefix("field ")));
        let fields: Vec<_> = fields.collect();
        for name in held {
            structs += 1;
            let size = format.items.get(&format!("struct {name}")).and_then(|size| size.parse::<u32>().ok());
            assert!(size.is_some_and(|size| size > 0), "{name}");
            assert!(fields.iter().any(|field| field.starts_with(&format!("{name}."))), "{name}");
        }
        assert!(structs >= 38, "{structs}");
    }

    /// TOOL-02: a changed message, kind, bit, struct or size is found and named.
    #[test]
    fn names_each_difference() {
        for (from, to, said) in [
            ("datagram 4", "stream 4", "changed kind ping: recorded 19 host datagram 4, is 19 host stream 4"),
            ("ping 19", "ping 20", "changed kind ping"),
            ("1200", "1100", "changed limit DATAGRAM_BYTES: recorded 1200, is 1100"),
            ("slot u8 0", "slot u16 0", "changed struct Ping.slot: recorded u8 0, is u16 0"),
            ("struct Ping.slot u8 0\n", "", "removed struct Ping.slot: recorded u8 0 (raise the version)"),
            (
                "struct Ping.slot",
                "struct Ping.player u8 0\nstruct Ping.slot",
                "added struct Ping.player: u8 0",
            ),
        ] {
            let (.., differences) = mutated(from, to);
            assert_eq!(differences.len(), 1, "{from}");
            assert!(differences[0].to_string().starts_with(said), "{}", differences[0]);
        }
        assert_eq!(mutated("", "").2, []);
    }

    /// TOOL-03: what older builds would misread is not recorded while the version is the recorded one.
    #[test]
    fn refuses_without_a_higher_version() {
        let refused = |from: &str, to: &str| {
            let (recorded, described, differences) = mutated(from, to);
            refusal(&recorded, &described, &differences)
        };
        assert!(refused("1200", "1100").unwrap().contains("raise the version"));
        assert!(refused("limit players 128\n", "").is_some());
        assert!(refused("struct Ping.slot", "struct Ping.more u8 1\nstruct Ping.slot").is_none());
        assert!(refused("version 32", "version 31").is_some());
        assert!(refused("version 32\nkind ping 19", "version 33\nkind ping 20").is_none());
    }
}
