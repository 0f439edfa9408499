//! A log: the lines of it that are ours, and the last game among them. Opens no file.

use std::fmt;

use crate::line::{Line, OPENING, Progress};
use crate::scan::LineError;

/// A line of a log that begins as ours do and is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogError {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it; bytes count from where ours begins.
    pub error: LineError,
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, {}", self.line, self.error)
    }
}

impl std::error::Error for LogError {}

/// The per-second lines of a log, in its order.
///
/// Other lines are passed over, and whatever a line has before ours begins (a time, a name). A last line without
/// its newline was being written as its machine ended: where it cannot be read, or has no drift, it is left out. A line
/// that was cut and goes on with another is an error, as is one of a log from before its fields were there.
pub fn read_log(text: &str) -> Result<Vec<Line>, LogError> {
    let mut lines = Vec::new();
    for (number, text) in text.split_inclusive('\n').enumerate() {
        let Some(start) = text.find(OPENING) else { continue };
        let is_cut = !text.ends_with('\n');
        match text[start..].trim_end().parse::<Line>() {
            // Cut before its drift it would make the log one from before there was any.
            Ok(line) if is_cut && line.drift.is_none() => {}
            Ok(line) => lines.push(line),
            Err(_) if is_cut => {}
            Err(error) => return Err(LogError { line: number + 1, error }),
        }
    }
    Ok(lines)
}

/// The last game of a log: a game begins where the ticks fall back, or where it is played again after it was over. A tick
/// that stands twice is no other game, else what was logged before it would never be judged.
pub fn last_game(lines: &[Line]) -> &[Line] {
    let start = lines
        .windows(2)
        .rposition(|pair| {
            let again = pair[0].progress == Progress::GameOver && pair[1].progress == Progress::Playing;
            again || pair[1].tick < pair[0].tick
        })
        .map_or(0, |before| before + 1);
    &lines[start..]
}
