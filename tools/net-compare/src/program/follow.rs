//! A copy's log while it is written, and logs that were: the lines of a game, and their ends that are kept. Knows no
//! process.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use mjolnir_net_compare::{Line, Progress, last_game, read_log};

/// Lines of a log's end that are kept.
const END_LINES: usize = 200;
/// Bytes that are read of a log at a time: one that is written faster than it is read holds nobody up.
const AT_ONCE: u64 = 4 << 20;
/// Bytes of a line that does not end which are remembered: ours are shorter.
const LONGEST_LINE: usize = 64 << 10;
/// Bytes of a log that is still one: a day's game of sixteen players has less.
const LARGEST: u64 = 512 << 20;
/// Bytes of its end that what a copy said last is looked for in.
const SAID: u64 = 64 << 10;
/// Characters at most of what a copy said last.
const LONGEST_SAID: usize = 160;

/// A log that grows.
#[derive(Debug)]
pub(crate) struct Follower {
    path: PathBuf,
    file: Option<File>,
    /// What was read of a line that has not ended yet.
    rest: Vec<u8>,
    has_any: bool,
    lines: Vec<Line>,
    /// Lines of the last game.
    seconds: u32,
}

impl Follower {
    /// Follows that file from when it is there.
    pub(crate) const fn new(path: PathBuf) -> Self {
        Self { path, file: None, rest: Vec::new(), has_any: false, lines: Vec::new(), seconds: 0 }
    }

    /// Reads what was written since.
    pub(crate) fn read(&mut self) -> io::Result<()> {
        if self.file.is_none() {
            match open(&self.path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
                file => self.file = Some(file?),
            }
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        if file.take(AT_ONCE).read_to_end(&mut self.rest)? > 0 {
            self.has_any = true;
            let whole = self.rest.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
            let text: Vec<u8> = self.rest.drain(..whole).collect();
            self.rest.drain(..self.rest.len().saturating_sub(LONGEST_LINE));
            // A line that is none is the judging's to tell of.
            let text = String::from_utf8_lossy(&text);
            self.lines.extend(text.split_inclusive('\n').flat_map(|line| read_log(line).unwrap_or_default()));
            self.seconds = u32::try_from(last_game(&self.lines).len()).unwrap_or(u32::MAX);
        }
        Ok(())
    }

    /// Whether there is anything in it.
    pub(crate) const fn has_any(&self) -> bool {
        self.has_any
    }

    /// Seconds logged of the last game.
    pub(crate) const fn seconds(&self) -> u32 {
        self.seconds
    }

    /// Whether that game is over.
    pub(crate) fn is_over(&self) -> bool {
        self.lines.last().is_some_and(|line| line.progress == Progress::GameOver)
    }
}

/// The lines of a log that was written, or why there are none.
pub(crate) fn read(path: &Path) -> Result<Vec<Line>, String> {
    let named = |error: String| format!("{}: {error}", path.display());
    read_log(&text(path).map_err(|error| named(error.to_string()))?).map_err(|error| named(error.to_string()))
}

/// A file's text, whatever its bytes.
fn text(path: &Path) -> io::Result<String> {
    fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Opens what a copy wrote. A pipe in its place would be waited for, and a device never ends.
fn open(path: &Path) -> io::Result<File> {
    let file = path.metadata()?;
    if !file.is_file() {
        return Err(io::Error::other("no file"));
    }
    File::open(path)
}

/// The text of a log that a copy wrote.
fn written(path: &Path) -> io::Result<String> {
    if open(path)?.metadata()?.len() > LARGEST {
        return Err(io::Error::other(format!("more than {} MiB", LARGEST >> 20)));
    }
    text(path)
}

/// Writes a log's per-second lines, and its end; a log that is not there, or cannot be read, has neither.
pub(crate) fn keep(log: &Path, lines: &Path, end: &Path) -> io::Result<()> {
    let (text, unread) = match written(log) {
        Ok(text) => (text, None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (String::new(), None),
        Err(error) => (String::new(), Some(error)),
    };
    // Those that are meant as such and cannot be read among them: the judging of what is kept is to be the same.
    let is_ours = |line: &&str| read_log(line).map_or(true, |lines| !lines.is_empty());
    fs::write(lines, text.split_inclusive('\n').filter(is_ours).collect::<String>())?;
    let skipped = text.split_inclusive('\n').count().saturating_sub(END_LINES);
    fs::write(end, text.split_inclusive('\n').skip(skipped).collect::<String>())?;
    unread.map_or(Ok(()), Err)
}

/// The last line that a copy said, as one line of plain text.
pub(crate) fn last_said(output: &Path) -> Option<String> {
    let mut file = open(output).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(SAID))).ok()?;
    let mut end = Vec::new();
    file.take(SAID).read_to_end(&mut end).ok()?;
    let text = String::from_utf8_lossy(&end);
    let line = text.lines().rev().find(|line| !line.trim().is_empty())?;
    Some(line.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST_SAID).collect())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn line(tick: u32, progress: Progress) -> String {
        format!("{}\n", Line { tick, progress, ..Line::default() })
    }

    fn folder(test: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("net-compare-follow-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// Lines count once they are whole, and from the last game's first.
    #[test]
    fn a_log_is_followed() {
        let folder = folder("followed");
        let path = folder.join("debug.txt");
        let mut follower = Follower::new(path.clone());
        follower.read().unwrap();
        assert_eq!((follower.has_any(), follower.seconds()), (false, 0));
        let mut file = File::create(&path).unwrap();
        let mut written = |text: &str| {
            file.write_all(text.as_bytes()).unwrap();
            follower.read().unwrap();
            (follower.has_any(), follower.seconds(), follower.is_over())
        };
        assert_eq!(written("listening\n"), (true, 0, false));
        let (first, second) = (line(30, Progress::Playing), line(60, Progress::GameOver));
        assert_eq!(written(&first[..20]), (true, 0, false));
        assert_eq!(written(&first[20..]), (true, 1, false));
        assert_eq!(written("network test: tick x\n"), (true, 1, false));
        assert_eq!(written(&second), (true, 2, true));
        assert_eq!(written(&line(90, Progress::Playing)), (true, 1, false));
        assert_eq!(written(&(line(120, Progress::Playing) + &line(30, Progress::Playing))), (true, 1, false));
        fs::remove_dir_all(folder).unwrap();
    }

    /// What is no file is not read, and what does not end holds nobody up; lines behind it count as ever.
    #[test]
    fn a_log_that_is_none_is_not_waited_for() {
        let folder = folder("none");
        let [log, lines, end] = ["debug.txt", "host.log", "host-debug.txt"].map(|name| folder.join(name));
        std::os::unix::fs::symlink("/dev/zero", &log).unwrap();
        let mut follower = Follower::new(log.clone());
        assert_eq!(follower.read().unwrap_err().to_string(), "no file");
        assert_eq!(keep(&log, &lines, &end).unwrap_err().to_string(), "no file");
        assert_eq!((fs::read(&lines).unwrap(), fs::read(&end).unwrap()), (vec![], vec![]));
        assert_eq!((last_said(&log), follower.has_any()), (None, false));

        fs::remove_file(&log).unwrap();
        let mut file = File::create(&log).unwrap();
        file.set_len(AT_ONCE + 5).unwrap();
        follower.read().unwrap();
        assert_eq!((follower.has_any(), follower.rest.len()), (true, LONGEST_LINE));
        file.seek(SeekFrom::End(0)).unwrap();
        file.write_all(format!("\n{}", line(30, Progress::Playing)).as_bytes()).unwrap();
        follower.read().unwrap();
        assert_eq!((follower.seconds(), follower.rest.len()), (1, 0));
        assert!(last_said(&log).unwrap().starts_with("network test: tick 30 "));
        file.set_len(LARGEST + 1).unwrap();
        assert_eq!(keep(&log, &lines, &end).unwrap_err().to_string(), "more than 512 MiB");
        fs::remove_dir_all(folder).unwrap();
    }

    /// TOOL-38: the per-second lines and the last 200 lines are kept; of no log, none.
    #[test]
    fn lines_and_the_end_are_kept() {
        let folder = folder("kept");
        let [log, lines, end] = ["debug.txt", "host.log", "host-debug.txt"].map(|name| folder.join(name));
        keep(&log, &lines, &end).unwrap();
        assert_eq!((fs::read(&lines).unwrap(), fs::read(&end).unwrap()), (vec![], vec![]));
        let said: String = (0..300).map(|number| format!("said {number}\n")).collect();
        let seconds = line(30, Progress::Playing) + "network test: tick x\n";
        fs::write(&log, seconds.clone() + &said).unwrap();
        keep(&log, &lines, &end).unwrap();
        assert_eq!(fs::read_to_string(&lines).unwrap(), seconds);
        let end = fs::read_to_string(&end).unwrap();
        assert_eq!((end.lines().count(), end.lines().next()), (200, Some("said 100")));
        assert_eq!(read(&lines).unwrap_err(), read(&log).unwrap_err().replace("debug.txt", "host.log"));
        assert_eq!(last_said(&log).as_deref(), Some("said 299"));
        fs::remove_dir_all(folder).unwrap();
    }
}
