//! This machine's custom maps: which of a folder's files a name means, whether it can be played, what a menu lists. Knows no
//! hash and nobody who has them too.

mod loader;

use std::env;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use mjolnir_mapshare::disk::{Folder, Handle, System};
use mjolnir_mapshare::{index, names};
use mjolnir_wire::mapshare::File;

use crate::game::map_file::{self, Bytes, Fault};
use crate::game::{Map, levels, maps};
use crate::options::Common;
use crate::seam::{level_of, map_of};
use crate::setup::Error;

pub use loader::{Loader, MOST};

/// What a file in the folder of custom maps ends in, and how a path to one begins.
const ENDING: &str = ".map";
const PATH: &str = "custom_maps/";

/// A folder of map files; without one there are no custom maps.
#[derive(Clone, Default)]
pub struct Maps {
    folder: Option<Arc<Mutex<dyn Folder>>>,
    /// Where it is, for who reads.
    place: Option<PathBuf>,
}

impl fmt::Debug for Maps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.folder.is_some() { "Maps" } else { "no Maps" })
    }
}

/// Why a custom map is not played.
#[derive(Debug)]
pub enum Unplayable {
    /// Its name is not one that a map may have.
    Name,
    /// There is no such file.
    Missing,
    /// The file is no map of this game's.
    Fault(Fault),
    /// A resource map that it needs is not there, or none of this game's.
    Needs(File, Fault),
}

impl fmt::Display for Unplayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name => f.write_str("no map may have that name"),
            Self::Missing => f.write_str("there is no such file"),
            Self::Fault(fault) => fault.fmt(f),
            Self::Needs(file, fault) => {
                let name = names::resource(*file).unwrap_or_default();
                match fault {
                    Fault::Unreadable(error) if error.kind() == io::ErrorKind::NotFound => {
                        write!(f, "it needs {name}, which is not there")
                    }
                    fault => write!(f, "it needs {name}: {fault}"),
                }
            }
        }
    }
}

impl std::error::Error for Unplayable {}

/// A map that is chosen, shipped or custom.
#[derive(Debug)]
pub struct Chosen {
    /// Its level's name.
    pub level: String,
    /// What is played.
    pub map: Map,
}

/// A custom map as a list has it.
#[derive(Debug)]
pub struct Listed {
    /// As `--map` takes it.
    pub name: String,
    /// As a person reads it: `Hugeass (2)`.
    pub shown: String,
    /// What it is, in a line, or why it is not played.
    pub about: Result<String, Unplayable>,
}

/// The folder that map files stand in: `custom_maps` with the maps, and the resource maps beside it. That of `--data`, else the
/// program's own.
pub fn folder(data: Option<&Path>) -> Option<PathBuf> {
    let beside = || Some(env::current_exe().ok()?.parent()?.to_owned());
    data.map(Into::into).or_else(beside)
}

impl Maps {
    /// Those that the options mean.
    pub fn of(common: &Common) -> Self {
        folder(common.data.as_deref()).map_or_else(Self::default, |folder| Self::at(&folder))
    }

    /// Those of `folder/custom_maps`, with their resource maps in `folder`.
    pub fn at(folder: &Path) -> Self {
        Self { place: Some(folder.into()), ..Self::new(System::new(folder)) }
    }

    /// Those of any folder.
    pub fn new(folder: impl Folder) -> Self {
        Self { folder: Some(Arc::new(Mutex::new(folder))), place: None }
    }

    fn with<T>(&self, does: impl FnOnce(&mut dyn Folder) -> io::Result<T>) -> io::Result<T> {
        let folder = self.folder.as_ref().ok_or(io::ErrorKind::NotFound)?;
        // Whoever panicked with it left nothing half done: a folder is asked and answers.
        let mut folder = folder.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        does(&mut *folder)
    }

    fn open(&self, file: &str) -> Result<Opened, Fault> {
        let handle = self.with(|folder| folder.open(file)).map_err(Fault::Unreadable)?;
        let size = handle.stat().map_err(Fault::Unreadable)?.length;
        // Of a kind's as of any other's: there is one limit.
        let most = MOST[File::Map.index()];
        if size > most {
            return Err(Fault::PastMost(most));
        }
        Ok(Opened { handle, size })
    }

    /// The map of that file, if it can be played here: it is read, and its resource maps are there.
    ///
    /// # Errors
    ///
    /// Why it is not played.
    pub fn read(&self, file: &str) -> Result<Map, Unplayable> {
        let mut opened = self.open(file).map_err(|fault| match fault {
            Fault::Unreadable(error) if error.kind() == io::ErrorKind::NotFound => Unplayable::Missing,
            fault => Unplayable::Fault(fault),
        })?;
        let read = map_file::read(&mut opened).map_err(Unplayable::Fault)?;
        for needed in index::needs(read.tags.iter().copied()).iter() {
            let name = names::resource(needed).unwrap_or_default();
            // Whatever its case.
            let name = self.files().into_iter().find(|file| names::alike(file, name)).unwrap_or(name.into());
            let header = self.open(&name).and_then(|mut opened| map_file::read_header(&mut opened, needed));
            header.map_err(|fault| Unplayable::Needs(needed, fault))?;
        }
        Ok(read.map)
    }

    /// The map of that name, as a host has it: of the file of its name alone, whatever its case; where there is none, of the first
    /// that is named for a hash beside it (MAP-08), whose hash is not looked at here.
    ///
    /// # Errors
    ///
    /// Why it is not played.
    pub fn named(&self, name: &str) -> Result<Map, Unplayable> {
        names::check(name).map_err(|_| Unplayable::Name)?;
        let rank = |file: &str| {
            let read = names::read(file)?;
            if read.stem == name {
                return Some(0);
            }
            let is_hashed = read.hashed.is_some_and(|(of, _)| names::alike(of, name));
            if names::alike(read.stem, name) { Some(1) } else { is_hashed.then_some(2) }
        };
        let files = self.files();
        let ranked = files.iter().filter_map(|file| Some((rank(file)?, file)));
        let (_, file) = ranked.min().ok_or(Unplayable::Missing)?;
        self.read(file)
    }

    /// The names of all that is in the folder. One that cannot be read has none: whoever wants a file of it is told that it is not
    /// there.
    fn files(&self) -> Vec<String> {
        self.with(|folder| folder.list()).unwrap_or_default()
    }

    /// What a name on the command line or at a console means: a shipped map by its name or its level's, a custom one by its level
    /// `custom_maps\NAME`, or by its name where no shipped map has that.
    ///
    /// # Errors
    ///
    /// Where there is none, or one that is not played.
    pub fn choose(&self, name: &str) -> Result<Chosen, Error> {
        let unplayable = |unplayable| Error::Unplayable(name.into(), unplayable);
        if let Some(own) = names::of_level(name) {
            return Ok(Chosen { level: name.into(), map: self.named(own).map_err(unplayable)? });
        }
        if let Some(map) = Map::named(map_of(name)) {
            return Ok(Chosen { level: level_of(name), map });
        }
        // What a shell completes is the file's name, or its path.
        let own = name.strip_prefix(PATH).unwrap_or(name);
        let names = [Some(own), own.strip_suffix(ENDING)];
        for own in names.into_iter().flatten() {
            match self.named(own) {
                Ok(map) => return Ok(Chosen { level: format!("{}{own}", names::CUSTOM_MAPS), map }),
                Err(Unplayable::Missing) => {}
                Err(Unplayable::Name) if !self.files().contains(&names::plain(own)) => {}
                Err(fault) => return Err(unplayable(fault)),
            }
        }
        Err(Error::Map(name.into(), self.in_words()))
    }

    /// Which custom maps there are and where, as the end of a line that says that there is none of a name.
    fn in_words(&self) -> String {
        let Some(place) = &self.place else { return String::new() };
        let custom: Vec<_> = self.list().into_iter().map(|listed| listed.name).collect();
        let custom = if custom.is_empty() { "none".into() } else { custom.join(", ") };
        format!("; custom maps in {}: {custom}", place.join(PATH).display())
    }

    /// All that are there, by name.
    pub fn list(&self) -> Vec<Listed> {
        let files = self.files();
        let mut last = String::new();
        let mut list = Vec::new();
        for listed in names::list(files.iter().map(String::as_str)) {
            // Of one name the first is who has it.
            let is_first = !names::alike(&listed.level, &last);
            let own = names::of_level(&listed.level).filter(|_| is_first);
            let own = own.or(names::read(&listed.file).map(|read| read.stem));
            let name = own.unwrap_or_default();
            let is_shipped = maps().chain(levels()).any(|map| map.name == name);
            let name = if is_shipped { format!("{}{name}", names::CUSTOM_MAPS) } else { name.to_owned() };
            let about = match names::check(own.unwrap_or(&name)) {
                Ok(()) => self.read(&listed.file).map(|map| map.about),
                Err(_) => Err(Unplayable::Name),
            };
            list.push(Listed { name, shown: listed.shown, about });
            last = listed.level;
        }
        list
    }
}

/// An open file, of which a size was known.
struct Opened {
    handle: Arc<dyn Handle>,
    size: u64,
}

impl Bytes for Opened {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.handle.read_at(offset, into)
    }
}

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, shown, about } = self;
        match about {
            Ok(about) => write!(f, "{name:10} {shown}: {about}"),
            Err(why) => write!(f, "{name:10} {shown} is not played: {why}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use mjolnir_wire::mapshare::FileSet;

    use super::*;
    use crate::game::map_file::Making;

    /// A folder of a test's own, with its map files; it is gone after it.
    struct Own(PathBuf);

    impl Own {
        fn new(test: &str) -> Self {
            let folder = env::temp_dir().join(format!("mjolnir-custom-{test}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(folder.join("custom_maps")).unwrap();
            Self(folder)
        }

        fn make(&self, path: &str, file: File, needs: FileSet) {
            let mut bytes = Vec::new();
            Making::new(file, 3000, 7, needs).unwrap().write(&mut bytes).unwrap();
            fs::write(self.0.join(path), bytes).unwrap();
        }

        fn maps(&self) -> Maps {
            Maps::at(&self.0)
        }
    }

    impl Drop for Own {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// MAP-02: a custom map is chosen by its level's name, or by its own where no shipped map has it.
    #[test]
    fn a_name_is_a_shipped_map_or_a_custom_one() {
        let own = Own::new("choose");
        for name in ["hugeass", "flat"] {
            own.make(&format!("custom_maps/{name}.map"), File::Map, FileSet::NONE);
        }
        fs::write(own.0.join("custom_maps/broken.map"), "no map").unwrap();
        own.make("custom_maps/H\u{e4}us.map", File::Map, FileSet::NONE);
        // No byte of it is written.
        fs::File::create(own.0.join("custom_maps/giant.map")).unwrap().set_len((1 << 30) + 1).unwrap();
        let maps = own.maps();
        let level =
            |name: &str| maps.choose(name).map(|chosen| chosen.level).map_err(|error| error.to_string());
        for (name, due) in [
            ("flat", "levels\\test\\flat\\flat"),
            ("levels\\test\\flat\\flat", "levels\\test\\flat\\flat"),
            ("custom_maps\\flat", "custom_maps\\flat"),
            ("custom_maps\\hugeass", "custom_maps\\hugeass"),
            ("hugeass", "custom_maps\\hugeass"),
            ("hugeass.map", "custom_maps\\hugeass"),
            ("custom_maps/hugeass.map", "custom_maps\\hugeass"),
            ("custom_maps/flat", "custom_maps\\flat"),
        ] {
            assert_eq!(level(name).as_deref(), Ok(due), "{name}");
        }
        assert!(maps.choose("custom_maps\\flat").unwrap().map.about.starts_with("A custom map"));
        assert!(maps.choose("flat").unwrap().map.about.starts_with("A field"));
        for (name, due) in [
            ("H\u{e4}us", "H\u{e4}us is not played: no map may have that name"),
            ("nowhere", "no map nowhere: arena, "),
            ("..", "no map ..: arena, "),
            ("custom_maps\\..\\x", "custom_maps\\..\\x is not played: no map may have that name"),
            ("custom_maps\\nowhere", "custom_maps\\nowhere is not played: there is no such file"),
            ("broken", "broken is not played: it is no map file of this game"),
            ("giant", "giant is not played: it has more than 1024 MiB, which is the most"),
        ] {
            let refused = level(name).unwrap_err();
            assert!(refused.starts_with(due), "{name}: {refused}");
        }
        let refused = level("nowhere").unwrap_err();
        let custom = format!("; custom maps in {}: ", own.0.join("custom_maps/").display());
        assert!(
            refused.ends_with(&format!("{custom}broken, custom_maps\\flat, giant, hugeass, H\u{e4}us")),
            "{refused}"
        );
        assert!(matches!(Maps::default().choose("hugeass"), Err(Error::Map(..))));
        assert!(Maps::default().choose("flat").is_ok());
    }

    /// MAP-08: a name is the file's that has it alone, whatever its case; where none has, the first's that is named for a hash.
    // Elsewhere a folder may take two names that differ in case for one.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_name_is_one_files() {
        let own = Own::new("names");
        let maps = own.maps();
        let seed = |name: &str| {
            let map = maps.named(name)?;
            Ok(map
                .about
                .trim_start_matches("A custom map, of seed 0")
                .trim_end_matches('.')
                .parse::<u8>()
                .ok())
        };
        assert!(matches!(seed("own"), Err(Unplayable::Missing)));
        for (file, number) in
            [("own_ffffffff.map", 4), ("own_0e2b3ee4.map", 3), ("OWN.MAP", 2), ("own.map", 1)]
        {
            let mut bytes = Vec::new();
            Making::new(File::Map, 3000, number, FileSet::NONE).unwrap().write(&mut bytes).unwrap();
            fs::write(own.0.join("custom_maps").join(file), bytes).unwrap();
            assert_eq!(seed("own").unwrap(), u8::try_from(number).ok(), "{file}");
        }
        assert_eq!(seed("own_0e2b3ee4").unwrap(), Some(3));
        assert_eq!(seed("OWN").unwrap(), Some(2));
    }

    /// MAP-09, 15: a map is played once each resource map that it needs is there, and is one.
    #[test]
    fn a_map_needs_its_resource_maps() {
        let own = Own::new("needs");
        let needs = FileSet::only(File::Sounds).with(File::Loc);
        own.make("custom_maps/loud.map", File::Map, needs);
        let maps = own.maps();
        let why = || maps.named("loud").map(|_| ()).map_err(|why| why.to_string());
        assert_eq!(why().unwrap_err(), "it needs sounds.map, which is not there");
        own.make("sounds.map", File::Sounds, FileSet::NONE);
        assert_eq!(why().unwrap_err(), "it needs loc.map, which is not there");
        own.make("loc.map", File::Bitmaps, FileSet::NONE);
        assert_eq!(why().unwrap_err(), "it needs loc.map: it is a bitmaps.map");
        own.make("loc.map", File::Loc, FileSet::NONE);
        assert_eq!(why(), Ok(()));
        fs::rename(own.0.join("loc.map"), own.0.join("Loc.MAP")).unwrap();
        assert_eq!(why(), Ok(()));
    }

    /// MAP-07: versions of a name are numbered; what is not played says why; a name that ships is told by its level's.
    #[test]
    fn a_list_has_all_of_them() {
        let own = Own::new("list");
        for file in ["hugeass.map", "hugeass_0e2b3ee4.map", "flat.map", "half.map.part", "one_0e2b3ee4.map"] {
            own.make(&format!("custom_maps/{file}"), File::Map, FileSet::NONE);
        }
        own.make("bitmaps.map", File::Bitmaps, FileSet::NONE);
        fs::write(own.0.join("custom_maps/cut.map"), "SKMP").unwrap();
        own.make("custom_maps/.dot.map", File::Map, FileSet::NONE);
        let lines: Vec<_> = own.maps().list().iter().map(Listed::to_string).collect();
        let about = "A custom map, of seed 0000000000000007.";
        assert_eq!(
            lines,
            [
                ".dot       .dot is not played: no map may have that name".into(),
                "cut        Cut is not played: it is no map file of this game".into(),
                format!("custom_maps\\flat Flat: {about}"),
                format!("hugeass    Hugeass: {about}"),
                format!("hugeass_0e2b3ee4 Hugeass (2): {about}"),
                format!("one        One: {about}"),
            ]
        );
        assert!(Maps::default().list().is_empty());
    }
}
