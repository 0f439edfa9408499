//! The files that a machine writes while it plays: each second's line, its state, and what it was told. Knows no
//! game.

use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::dump::Dump;
use crate::options::Common;
use crate::passage::Passage;
use crate::setup::{self, Error};

/// A file of lines.
#[derive(Debug)]
struct Lines {
    path: PathBuf,
    file: BufWriter<File>,
}

/// The files that the options name. One that can no longer be written is told of once and left alone.
#[derive(Debug, Default)]
pub struct Files {
    log: Option<Lines>,
    debug: Option<Lines>,
    dump: Option<Lines>,
    trace: Option<Lines>,
}

impl Files {
    /// Opens them: `--log`, `--dump` and `--trace` anew, `debug.txt` of `--data` at its end.
    pub fn open(common: &Common) -> Result<Self, Error> {
        let anew = |path: &PathBuf| setup::create(path).map(|file| Lines::new(path, file));
        Ok(Self {
            log: common.log.as_ref().map(anew).transpose()?,
            debug: common.data.as_deref().map(open_debug).transpose()?,
            dump: common.dump.as_ref().map(anew).transpose()?,
            trace: common.trace.as_ref().map(anew).transpose()?,
        })
    }

    /// Whether the state is asked for.
    pub const fn has_dump(&self) -> bool {
        self.dump.is_some()
    }

    /// Whether what becomes of each message is asked for.
    pub const fn has_trace(&self) -> bool {
        self.trace.is_some()
    }

    /// Writes what became of a message.
    pub fn passage(&mut self, passage: &Passage) -> Result<(), Error> {
        json(&mut self.trace, passage)
    }

    /// Writes a second's line.
    pub fn line(&mut self, line: &str) -> Result<(), Error> {
        write(&mut self.log, line).and(write(&mut self.debug, line))
    }

    /// Writes what the machine was told.
    pub fn notice(&mut self, text: &str) -> Result<(), Error> {
        write(&mut self.debug, text)
    }

    /// Writes the machine's state.
    pub fn dump(&mut self, dump: &Dump) -> Result<(), Error> {
        json(&mut self.dump, dump)
    }

    /// Hands what was written to the system.
    pub fn flush(&mut self) -> Result<(), Error> {
        let mut result = Ok(());
        for lines in [&mut self.log, &mut self.debug, &mut self.dump, &mut self.trace] {
            result = result.and(with(lines, |file| file.flush()));
        }
        result
    }
}

impl Lines {
    fn new(path: &Path, file: File) -> Self {
        Self { path: path.into(), file: BufWriter::new(file) }
    }
}

fn open_debug(data: &Path) -> Result<Lines, Error> {
    let path = data.join("debug.txt");
    let open = || {
        fs::create_dir_all(data)?;
        OpenOptions::new().create(true).append(true).open(&path)
    };
    open().map(|file| Lines::new(&path, file)).map_err(|error| Error::File(path.clone(), error))
}

fn json(lines: &mut Option<Lines>, of: &impl Serialize) -> Result<(), Error> {
    with(lines, |file| {
        serde_json::to_writer(&mut *file, of)?;
        writeln!(file)
    })
}

fn write(lines: &mut Option<Lines>, line: &str) -> Result<(), Error> {
    with(lines, |file| writeln!(file, "{line}"))
}

fn with(
    lines: &mut Option<Lines>,
    write: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> Result<(), Error> {
    let Some(mut open) = lines.take() else { return Ok(()) };
    match write(&mut open.file) {
        Ok(()) => {
            *lines = Some(open);
            Ok(())
        }
        Err(error) => Err(Error::File(open.path, error)),
    }
}
