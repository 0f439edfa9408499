//! A copy's folder (TOOL-36): its executable, its settings, its data with the maps, its saves; and the command that
//! runs it there. Starts nothing.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::keeper::OUTPUT;
use crate::options::{Built, MAPS};

/// The settings.
const CONFIG: &str = "config.toml";
/// The data root.
const DATA: &str = "data";
/// Saved games.
const SAVES: &str = "saves";

/// The log that a copy writes.
pub(crate) fn log(folder: &Path) -> PathBuf {
    folder.join(DATA).join("debug.txt")
}

/// What it says beside it.
pub(crate) fn output(folder: &Path) -> PathBuf {
    folder.join(OUTPUT)
}

/// Makes a copy's folder and gives the command that runs it; a build that is not there fails last, so that all the
/// rest is there to look at.
pub(crate) fn prepare(
    folder: &Path,
    build: &Built,
    config: &str,
    maps: Option<&Path>,
) -> io::Result<Vec<OsString>> {
    for inner in [DATA, SAVES] {
        fs::create_dir_all(folder.join(inner))?;
    }
    fs::write(folder.join(CONFIG), config)?;
    if let Some(maps) = maps {
        symlink(maps, folder.join(DATA).join(MAPS))?;
    }
    let executable = folder.join(name(&build.executable));
    let named =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", build.executable.display()));
    bring(&build.executable, &executable).map_err(named)?;
    let mut command = build.wrapper.clone();
    command.push(executable.into());
    command.extend(["--config", CONFIG, "--data", DATA].map(OsString::from));
    command.extend_from_slice(&build.args);
    Ok(command)
}

/// What the executable is called in the folder: as it was, unless something else there is.
fn name(executable: &Path) -> &OsStr {
    let taken = [CONFIG, DATA, SAVES, OUTPUT];
    let own = executable.file_name().filter(|own| taken.iter().all(|name| own != name));
    own.unwrap_or_else(|| OsStr::new("game"))
}

/// Links the file, so that it stands in the folder for the copy that runs it; copies it where that cannot be.
fn bring(from: &Path, to: &Path) -> io::Result<()> {
    let from = from.canonicalize()?;
    if !from.is_file() {
        return Err(io::Error::other("no file"));
    }
    fs::hard_link(&from, to).or_else(|_| fs::copy(&from, to).map(|_| ()))
}
