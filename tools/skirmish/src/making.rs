//! `make-map`: a map file of any size, for trying map sharing. Knows no game that plays it.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use mjolnir_mapshare::names;
use mjolnir_wire::mapshare;

use crate::custom::MOST;
use crate::game::map_file::Making;
use crate::options::MakeMap;
use crate::setup::Error;

/// What its file is called until it is whole: no list takes it for a map.
const UNFINISHED: &str = ".making";

/// Makes the file, and says what it made. One of that name is replaced once the new one is whole.
pub fn make(options: &MakeMap) -> Result<String, Error> {
    let MakeMap { path, size, seed, needs } = options;
    let needs = needs.iter().fold(mapshare::FileSet::NONE, |set, file| set.with(*file));
    let making =
        Making::new(file_of(path), *size, *seed, needs).map_err(|why| Error::NotMade(path.clone(), why))?;
    let mut unfinished = OsString::from(path);
    unfinished.push(UNFINISHED);
    let unfinished = PathBuf::from(unfinished);
    let written = write(&making, &unfinished).and_then(|()| fs::rename(&unfinished, path));
    if let Err(error) = written {
        // What there is of it has no use; where it never was there is nothing to remove.
        let _ = fs::remove_file(&unfinished);
        return Err(Error::File(path.clone(), error));
    }
    Ok(format!("made {}: {size} bytes{}", path.display(), unplayed(path, *size)))
}

/// What the file is, by its name: a resource map has one name alone, and any other is a map.
fn file_of(path: &Path) -> mapshare::File {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let is_it = |file: &mapshare::File| names::resource(*file).is_some_and(|own| names::alike(own, &name));
    mapshare::File::ALL.into_iter().find(is_it).unwrap_or(mapshare::File::Map)
}

/// Why such a file is not played, where it is not, as the end of a line.
fn unplayed(path: &Path, size: u64) -> &'static str {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let read = names::read(&name).map(|read| names::check(read.stem));
    let is_map = file_of(path) == mapshare::File::Map;
    match read {
        _ if size > MOST[file_of(path).index()] => "; it is not played: it is too large",
        None if is_map => "; it is not played: its name does not end in .map",
        Some(Err(_)) if is_map => "; it is not played: no map may have that name",
        _ => "",
    }
}

fn write(making: &Making, path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = File::create(path)?;
    making.write(&mut file)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is made and not played says why.
    #[test]
    fn what_is_not_played_is_told() {
        for (path, size, due) in [
            ("custom_maps/hugeass.map", 1 << 30, ""),
            ("sounds.map", 40, ""),
            ("custom_maps/hugeass.map", (1 << 30) + 1, "; it is not played: it is too large"),
            ("hugeass", 4096, "; it is not played: its name does not end in .map"),
            ("CON.map", 4096, "; it is not played: no map may have that name"),
        ] {
            assert_eq!(unplayed(Path::new(path), size), due, "{path}");
        }
    }

    /// The names of resource maps are theirs in any case and folder; every other is a map's.
    #[test]
    fn a_name_says_what_a_file_is() {
        use mapshare::File;
        for (path, file) in [
            ("bitmaps.map", File::Bitmaps),
            ("data/SOUNDS.MAP", File::Sounds),
            ("./loc.map", File::Loc),
            ("hugeass.map", File::Map),
            ("loc.map.part", File::Map),
            ("", File::Map),
        ] {
            assert_eq!(file_of(Path::new(path)), file, "{path}");
        }
    }
}
