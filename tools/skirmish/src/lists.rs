//! Who is banned at a host, and who cheated: in its data folder's files, or for as long as it runs. Knows no line's meaning.

use std::io;
use std::path::Path;

use mjolnir_anticheat::files::{Ask, Keeper};
use mjolnir_anticheat::{Asker, File, Record, bans};

/// See the module's text.
#[derive(Debug)]
pub enum Lists {
    /// A host without a data folder: the lines as they came, without their times.
    Memory(String),
    /// `bans.txt` and `cheaters.txt`.
    Files(Keeper),
}

impl Default for Lists {
    fn default() -> Self {
        Self::Memory(String::new())
    }
}

impl Lists {
    /// The files in that folder.
    pub fn open(folder: &Path) -> io::Result<Self> {
        Ok(Self::Files(Keeper::open(folder)?))
    }

    /// Whether somebody is banned; none where that is known later.
    pub fn ask(&mut self, asker: &Asker) -> Option<bool> {
        let Asker { ticket, person } = asker;
        match self {
            Self::Memory(lines) => {
                Some(bans::find(lines.as_bytes(), person.address, person.hardware.as_ref()).is_some())
            }
            Self::Files(keeper) => {
                keeper.ask(Ask { ticket: *ticket, address: person.address, hardware: person.hardware });
                None
            }
        }
    }

    /// What is known by now.
    pub fn take_answers(&mut self, answers: &mut Vec<(u32, bool)>) {
        if let Self::Files(keeper) = self {
            keeper.take_answers(answers);
        }
    }

    /// Keeps a line.
    pub fn record(&mut self, record: &Record) {
        match self {
            Self::Memory(lines) if record.file() == File::Bans => {
                lines.push_str(record.body());
                lines.push('\n');
            }
            Self::Memory(_) => {}
            Self::Files(keeper) => keeper.append(record.clone()),
        }
    }

    /// What is to be logged of the files.
    pub fn take_words(&mut self, words: &mut Vec<String>) {
        if let Self::Files(keeper) = self {
            keeper.take_words(words);
        }
    }

    /// Writes what waits, for as long as that takes unless the disk hangs: what is not in a file then is told by
    /// [`Lists::take_words`].
    pub fn finish(&mut self) {
        if let Self::Files(keeper) = self {
            keeper.finish();
        }
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_anticheat::Person;
    use mjolnir_wire::identity::Identity;

    use super::*;

    /// CHEAT-25, 26: a host without a folder bans as one with: for as long as it runs.
    #[test]
    fn a_host_without_a_folder_bans() {
        let mut lists = Lists::default();
        let person = |address: &str| Person { address: address.parse().ok(), hardware: None };
        let asker = |address| Asker { ticket: 1, person: person(address) };
        assert_eq!(lists.ask(&asker("10.0.0.2")), Some(false));
        lists.record(&Record::ban(&person("10.0.0.2"), &Identity::NONE, std::iter::empty()));
        lists.record(&Record::unverified(&person("10.0.0.3"), &Identity::NONE, std::iter::empty(), 1.2_f32));
        assert_eq!(
            ["10.0.0.2", "10.0.0.3"].map(|address| lists.ask(&asker(address))),
            [Some(true), Some(false)]
        );
    }
}
