//! What players read of map sharing: why a client leaves, and the line at the top of its screen. Knows no language but this one: a
//! port translates this file.

use core::fmt;

use mjolnir_wire::mapshare::{File, Refusal};

use crate::client::{Failure, Line, Why};
use crate::names;
use crate::order::Fault;

/// Why a client leaves its host (MAP-18, 60, 61, 66, 69, 70).
impl fmt::Display for Failure<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { level, why } = *self;
        match why {
            Why::Off(File::Map) => write!(f, "The map {level} is not here, and map downloads are off."),
            Why::Off(resource) => {
                write!(
                    f,
                    "The map {level} needs {}, which is not here, and map downloads are off.",
                    file(*resource)
                )
            }
            Why::Unusable => {
                write!(f, "The map {level} is here, and is of another version of the game, or broken.")
            }
            Why::Refused(of, why) => {
                write!(f, "The host does not send {}: {}.", Named(level, *of), refusal(*why))
            }
            Why::NoAnswer => write!(f, "The host did not say whether it sends the map {level}."),
            Why::NoVersion => write!(f, "The host did not say which version of the map {level} it plays."),
            Why::TooLarge(of) => {
                write!(f, "The host's {} is larger than this game loads.", Named(level, *of))
            }
            Why::WrongHash => write!(f, "The host offered another map than {level}."),
            Why::Name => f.write_str("The host's map has a name that no map may have."),
            Why::Fault(why) => fault(f, level, why),
        }
    }
}

/// A file of a level's, as players know it.
struct Named<'a>(&'a str, File);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            File::Map => write!(f, "map {}", self.0),
            resource => f.write_str(file(resource)),
        }
    }
}

const fn file(of: File) -> &'static str {
    match of {
        File::Map => "the map",
        File::Bitmaps => "bitmaps.map",
        File::Sounds => "sounds.map",
        File::Loc => "loc.map",
    }
}

/// Why a host does not offer a file (MAP-14, 69).
const fn refusal(why: Refusal) -> &'static str {
    match why {
        Refusal::SharingOff => "its map sharing is off",
        Refusal::NotTheGamesMap => "that is not its game's map",
        Refusal::NotTheGamesVersion => "the file is of another version of the game",
        Refusal::CannotBeRead => "it cannot read the file",
        Refusal::TooLarge => "the file is too large to be sent",
    }
}

/// Why a download ended without its files.
fn fault(f: &mut fmt::Formatter<'_>, level: &str, why: &Fault) -> fmt::Result {
    match why {
        Fault::NoHashes => write!(
            f,
            "Nobody who has the map {level} could be reached within a minute: its host does not send it."
        ),
        Fault::Nothing => write!(f, "Nothing of {level} came for a minute."),
        Fault::Disk(system) => write!(f, "The map {level} cannot be written: {system}"),
        Fault::Place(system) => write!(f, "The map {level} cannot be put in its place: {system}"),
        Fault::Unplayable(why) => write!(f, "The map {level} that was downloaded cannot be played: {why}"),
        Fault::Name => f.write_str("The host's map has a name that no map may have."),
    }
}

/// The line at the top of the screen (MAP-62).
impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Asking { level } => write!(f, "Asking the host for {}", shown(level)),
            Self::Checking { level, .. } => {
                write!(f, "Checking what there is of {}: {}%", shown(level), self.percent().unwrap_or(0))
            }
            Self::Downloading { level, had, total } => {
                write!(f, "Downloading {}: {}% (", shown(level), self.percent().unwrap_or(0))?;
                mebibytes(f, had)?;
                f.write_str(" of ")?;
                mebibytes(f, total)?;
                f.write_str(" MiB)")
            }
        }
    }
}

/// A level as its players call it.
fn shown(level: &str) -> &str {
    names::of_level(level).unwrap_or(level)
}

/// In tenths, cut.
fn mebibytes(f: &mut fmt::Formatter<'_>, bytes: u64) -> fmt::Result {
    let tenths = (bytes * 10) >> 20;
    write!(f, "{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::string::{String, ToString};

    use super::*;

    const LEVEL: &str = "custom_maps\\hugeass";

    /// MAP-14, 60, 61, 66, 69, 70: every reason to leave has a text of its own, which names the map but where its name is the fault.
    #[test]
    fn each_reason_has_its_text() {
        let refusals = [
            Refusal::SharingOff,
            Refusal::NotTheGamesMap,
            Refusal::NotTheGamesVersion,
            Refusal::CannotBeRead,
            Refusal::TooLarge,
        ];
        let mut whys: alloc::vec::Vec<Why> =
            refusals.into_iter().map(|refusal| Why::Refused(File::Map, refusal)).collect();
        whys.extend([Why::Off(File::Map), Why::Off(File::Sounds), Why::Unusable, Why::NoAnswer]);
        whys.extend([Why::NoVersion, Why::TooLarge(File::Map), Why::WrongHash]);
        whys.extend([Fault::NoHashes, Fault::Nothing].map(Why::Fault));
        whys.extend(
            [Fault::Disk, Fault::Place, Fault::Unplayable].map(|of| Why::Fault(of(String::from("full")))),
        );
        let count = whys.len();
        let mut texts = BTreeSet::new();
        for why in &whys {
            let text = Failure { level: LEVEL, why }.to_string();
            assert!(text.contains(LEVEL), "{text}");
            texts.insert(text);
        }
        assert_eq!(texts.len(), count);
        for why in [Why::Name, Why::Fault(Fault::Name)] {
            assert!(!Failure { level: LEVEL, why: &why }.to_string().contains(LEVEL));
        }
    }

    #[test]
    fn a_refused_resource_map_is_named() {
        for (of, name) in
            [(File::Bitmaps, "bitmaps.map"), (File::Sounds, "sounds.map"), (File::Loc, "loc.map")]
        {
            for why in [Why::Refused(of, Refusal::CannotBeRead), Why::TooLarge(of), Why::Off(of)] {
                assert!(Failure { level: LEVEL, why: &why }.to_string().contains(name), "{why:?}");
            }
        }
    }

    /// MAP-62: text and per cent, cut to what is whole.
    #[test]
    fn the_line_says_how_far_it_is() {
        let line = Line::Downloading { level: LEVEL, had: 3_355_443, total: 8_388_608 };
        assert_eq!(line.to_string(), "Downloading hugeass: 39% (3.1 of 8.0 MiB)");
        let line = Line::Checking { level: LEVEL, had: 8_388_608, total: 8_388_608 };
        assert_eq!(line.to_string(), "Checking what there is of hugeass: 100%");
        assert_eq!(Line::Asking { level: LEVEL }.to_string(), "Asking the host for hugeass");
        let most =
            Line::Downloading { level: LEVEL, had: u64::from(u32::MAX) * 4, total: u64::from(u32::MAX) * 4 };
        assert_eq!(most.to_string(), "Downloading hugeass: 100% (16383.9 of 16383.9 MiB)");
    }
}
