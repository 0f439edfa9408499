//! The folders that games are played in: one for all of a run, which is this run's alone, and one for each game. Knows
//! no game.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::report;

/// Where it all stands, from the folder that the program is started in.
const PARENT: &str = "build";
const NAME: &str = "net_compare";
/// Runs at the same time in one place; a bound on looking.
const MOST: u32 = 1000;

/// The folder of a run. As long as it is held no other run takes it.
#[derive(Debug)]
pub(crate) struct Work {
    path: PathBuf,
    /// The folder itself, locked; the lock goes with the process, however that ends.
    _lock: File,
}

impl Work {
    /// `build/net_compare`, emptied of what an earlier run left; where a run that still goes on has that, the first of
    /// `build/net_compare-2` and so on that none has. A link there is refused: what it leads to is not emptied.
    pub(crate) fn open() -> io::Result<Self> {
        Self::open_in(Path::new(PARENT))
    }

    fn open_in(parent: &Path) -> io::Result<Self> {
        for number in 1..=MOST {
            let name = if number == 1 { String::from(NAME) } else { format!("{NAME}-{number}") };
            let path = parent.join(name);
            let named =
                |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
            let lock = opened(&path).map_err(named)?;
            match lock.try_lock() {
                Ok(()) => {
                    let work = Self { path: path.clone(), _lock: lock };
                    work.clear().map_err(named)?;
                    return Ok(work);
                }
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(named(error)),
            }
        }
        Err(io::Error::other(format!("{MOST} runs go on in {}", parent.display())))
    }

    /// Where it is, as seen from where the program was started.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes all that is in it.
    pub(crate) fn clear(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            // A link is removed itself, never what it leads to.
            if entry.file_type()?.is_dir() {
                fs::remove_dir_all(entry.path())?;
            } else {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    /// Makes a game's folder.
    pub(crate) fn game(&self, name: &str) -> io::Result<Folder> {
        let path = std::path::absolute(self.path.join(name))?;
        fs::create_dir_all(&path)?;
        Ok(Folder { path, is_kept: false })
    }
}

/// Makes the folder of a run where there is none, and opens it.
fn opened(path: &Path) -> io::Result<File> {
    fs::create_dir_all(path)?;
    if fs::symlink_metadata(path)?.is_symlink() {
        return Err(io::Error::other("a link, and no folder"));
    }
    File::open(path)
}

/// The folder of a game. Dropped before it is kept, it goes.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    is_kept: bool,
}

impl Folder {
    /// Where it is, from the root.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What is in it is whole: it stays.
    pub(crate) const fn keep(&mut self) {
        self.is_kept = true;
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.is_kept
            && let Err(error) = fs::remove_dir_all(&self.path)
        {
            report::complain(&format!("{}: {error}", self.path.display()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TOOL-36: a run has its folder to itself, finds it empty, and leaves another's alone; a link's target stays.
    #[test]
    fn a_run_has_its_folder_alone() {
        let parent = std::env::temp_dir().join(format!("net-compare-folder-{}", std::process::id()));
        let first = Work::open_in(&parent).unwrap();
        assert_eq!(first.path(), parent.join("net_compare"));
        let mut kept = first.game("1-flat-ab").unwrap();
        fs::write(kept.path().join("host.log"), "x").unwrap();
        kept.keep();
        drop(kept);
        drop(first.game("2-flat-ba").unwrap());
        let names = |work: &Work| {
            let entries = fs::read_dir(work.path()).unwrap();
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(names(&first), ["1-flat-ab"]);
        let second = Work::open_in(&parent).unwrap();
        assert_eq!(second.path(), parent.join("net_compare-2"));
        assert_eq!((names(&first), names(&second)), (vec!["1-flat-ab".into()], vec![]));
        let outside = parent.join("maps");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("a.map"), "x").unwrap();
        std::os::unix::fs::symlink(&outside, first.path().join("maps")).unwrap();
        drop(first);
        let third = Work::open_in(&parent).unwrap();
        assert_eq!((third.path(), names(&third)), (&*parent.join("net_compare"), vec![]));
        assert!(outside.join("a.map").exists());
        fs::remove_dir_all(parent).unwrap();
    }

    /// TOOL-36: what a link in the folder's place leads to is left alone, and a file there is named.
    #[test]
    fn a_link_is_no_folder() {
        let parent = std::env::temp_dir().join(format!("net-compare-link-{}", std::process::id()));
        let outside = parent.join("outside");
        fs::create_dir_all(&outside).unwrap();
        fs::write(outside.join("mine"), "x").unwrap();
        let own = parent.join(NAME);
        std::os::unix::fs::symlink(&outside, &own).unwrap();
        let refused = || Work::open_in(&parent).unwrap_err().to_string();
        assert_eq!(refused(), format!("{}: a link, and no folder", own.display()));
        assert!(outside.join("mine").exists());
        fs::remove_file(&own).unwrap();
        fs::write(&own, "x").unwrap();
        assert!(refused().starts_with(&format!("{}: ", own.display())), "{}", refused());
        fs::remove_dir_all(parent).unwrap();
    }
}
