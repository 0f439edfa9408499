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
/// its newline was being written as its machine ended: where it cannot be read it is left out.
pub fn read_log(text: &str) -> Result<Vec<Line>, LogError> {
    let mut lines = Vec::new();
    for (number, text) in text.split_inclusive('\n').enumerate() {
        let Some(start) = text.find(OPENING) else { continue };
        match text[start..].trim_end().parse() {
            Ok(line) => lines.push(line),
            Err(_) if !text.ends_with('\n') => {}
            Err(error) => return Err(LogError { line: number + 1, error }),
        }
    }
    Ok(lines)
}

/// The last game of a log: a game begins where the ticks fall back, or where it is played again after it was over.
pub fn last_game(lines: &[Line]) -> &[Line] {
    let start = lines
        .windows(2)
        .rposition(|pair| {
            let again = pair[0].progress == Progress::GameOver && pair[1].progress == Progress::Playing;
            again || pair[1].tick <= pair[0].tick
        })
        .map_or(0, |before| before + 1);
    &lines[start..]
}
