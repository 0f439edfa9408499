//! A terminal whose last row is kept for one line. What scrolls is above it, so that half a typed command outlives both
//! the line's changes and what is printed meanwhile. Knows what terminals obey since the VT102, and no text's meaning.

use std::io::{self, IsTerminal as _, Write};

use rustix::termios::tcgetwinsize;

/// Rows of the smallest terminal that spares one.
const LEAST_ROWS: u16 = 3;

/// Rows and columns of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    rows: u16,
    columns: u16,
}

/// The terminal at standard error, and what stands in its last row.
#[derive(Debug)]
pub struct Screen {
    size: Size,
    line: String,
}

impl Screen {
    /// Keeps the last row, where standard error is a terminal that can. A program that is killed leaves it kept.
    pub fn open() -> Option<Self> {
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let size = size().filter(|_| !is_dumb && io::stderr().is_terminal())?;
        write(&mut io::stderr(), &kept(size));
        Some(Self { size, line: String::new() })
    }

    /// Has that line in the last row, as far as the terminal is wide.
    pub fn show(&mut self, line: String) {
        let size = size().unwrap_or(self.size);
        if line == self.line && size == self.size {
            return;
        }
        let mut said = String::new();
        if size != self.size {
            // Some terminals keep the top where it is and some the bottom: where the old line went nobody knows, so
            // that it is not erased.
            said += &kept(size);
        }
        said += &drawn(size, &line);
        (self.size, self.line) = (size, line);
        write(&mut io::stderr(), &said);
    }

    /// Prints lines above what is being typed, to a stream that is this terminal.
    pub fn print(&self, to: &mut impl Write, text: &str) {
        let said: String = text.lines().map(|line| above(self.size, line)).collect();
        write(to, &said);
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        write(&mut io::stderr(), &given_back(self.size));
    }
}

fn size() -> Option<Size> {
    let size = tcgetwinsize(io::stderr()).ok()?;
    let size = Size { rows: size.ws_row, columns: size.ws_col };
    (size.rows >= LEAST_ROWS && size.columns > 0).then_some(size)
}

/// A terminal that takes nothing any more is no reason to stop playing.
fn write(to: &mut impl Write, text: &str) {
    drop(to.write_all(text.as_bytes()).and_then(|()| to.flush()));
}

/// All rows but the last scroll from now on. The cursor, where it is in the last, goes up with all that stands there;
/// its column stays.
fn kept(size: Size) -> String {
    format!("\x1b7\x1b[r\x1b8\x1bD\x1b7\x1b[1;{}r\x1b8\x1b[A", size.rows - 1)
}

/// All rows scroll again, and the last of them is empty.
fn given_back(size: Size) -> String {
    format!("\x1b7\x1b[r\x1b[{};1H\x1b[2K\x1b8", size.rows)
}

fn drawn(size: Size, line: &str) -> String {
    let line: String = line.chars().take(size.columns.into()).collect();
    format!("\x1b7\x1b[{};1H\x1b[2K{line}\x1b8", size.rows)
}

/// A line where the cursor's row was, which goes down by as many as the line needs; the cursor stays in it.
fn above(size: Size, line: &str) -> String {
    let rows = line.chars().count().div_ceil(size.columns.into()).max(1);
    let down = "\x1bD".repeat(rows);
    format!("{down}\x1b7\x1b[{rows}A\r\x1b[{rows}L{line}\x1b8")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As much of a terminal as these sequences need.
    struct Terminal {
        size: Size,
        cells: Vec<Vec<char>>,
        at: (usize, usize),
        saved: (usize, usize),
        /// The last row that scrolls.
        bottom: usize,
    }

    impl Terminal {
        fn new(rows: u16, columns: u16) -> Self {
            let cells = vec![vec![' '; columns.into()]; rows.into()];
            let size = Size { rows, columns };
            Self { size, cells, at: (0, 0), saved: (0, 0), bottom: usize::from(rows) - 1 }
        }

        fn down(&mut self) {
            if self.at.0 == self.bottom {
                self.cells.remove(0);
                self.cells.insert(self.bottom, vec![' '; self.size.columns.into()]);
            } else if self.at.0 + 1 < self.cells.len() {
                self.at.0 += 1;
            }
        }

        fn take(&mut self, text: &str) {
            let mut rest = text.chars();
            while let Some(c) = rest.next() {
                match c {
                    '\x1b' => match rest.next().unwrap() {
                        'D' => self.down(),
                        '7' => self.saved = self.at,
                        '8' => self.at = self.saved,
                        '[' => {
                            let mut numbers = String::new();
                            let last = loop {
                                match rest.next().unwrap() {
                                    c if c.is_ascii_digit() || c == ';' => numbers.push(c),
                                    c => break c,
                                }
                            };
                            let numbers: Vec<usize> =
                                numbers.split(';').filter_map(|number| number.parse().ok()).collect();
                            self.order(last, &numbers);
                        }
                        other => panic!("ESC {other}"),
                    },
                    '\r' => self.at.1 = 0,
                    // A typed or printed newline, as the system hands it to a terminal.
                    '\n' => {
                        self.at.1 = 0;
                        self.down();
                    }
                    c => {
                        if self.at.1 == usize::from(self.size.columns) {
                            self.at.1 = 0;
                            self.down();
                        }
                        self.cells[self.at.0][self.at.1] = c;
                        self.at.1 += 1;
                    }
                }
            }
        }

        fn order(&mut self, order: char, numbers: &[usize]) {
            let first = numbers.first().copied();
            let columns = usize::from(self.size.columns);
            match order {
                'A' => self.at.0 = self.at.0.saturating_sub(first.unwrap_or(1)),
                'H' => self.at = (numbers[0] - 1, numbers[1] - 1),
                'K' => self.cells[self.at.0] = vec![' '; columns],
                'L' => {
                    for _ in 0..first.unwrap() {
                        self.cells.remove(self.bottom);
                        self.cells.insert(self.at.0, vec![' '; columns]);
                    }
                }
                'r' => {
                    self.bottom = numbers.get(1).map_or(self.cells.len(), |last| *last) - 1;
                    self.at = (0, 0);
                }
                other => panic!("CSI {other}"),
            }
        }

        fn rows(&self) -> Vec<String> {
            self.cells.iter().map(|row| row.iter().collect::<String>().trim_end().to_owned()).collect()
        }
    }

    /// Wherever the cursor is, what is half typed stays whole with the cursor behind it, what is printed stands above
    /// it in its order, and the last row is the line's alone.
    #[test]
    fn what_is_half_typed_stays_whole() {
        for lines in 0..12 {
            let mut terminal = Terminal::new(6, 10);
            (0..lines).for_each(|line| terminal.take(&format!("old {line}\n")));
            let size = terminal.size;
            terminal.take(&kept(size));
            terminal.take("kil");
            terminal.take(&drawn(size, "tick 1"));
            terminal.take(&above(size, "one"));
            terminal.take(&above(size, "0123456789ab"));
            terminal.take(&drawn(size, "tick 2, and too long"));
            let rows = terminal.rows();
            let typed = rows.iter().position(|row| row == "kil").unwrap();
            assert_eq!((terminal.at, rows[5].as_str()), ((typed, 3), "tick 2, an"), "{lines}: {rows:?}");
            assert_eq!(rows[typed - 3..typed], ["one", "0123456789", "ab"], "{lines}: {rows:?}");
            if typed > 3 {
                assert_eq!(rows[typed - 4], format!("old {}", lines - 1), "{rows:?}");
            }
            assert!(rows[typed + 1..5].iter().all(String::is_empty), "{lines}: {rows:?}");

            terminal.take("l Ann\n");
            terminal.take(&above(size, "0123456789"));
            let rows = terminal.rows();
            assert_eq!(rows[terminal.at.0 - 2..=terminal.at.0], ["kill Ann", "0123456789", ""], "{rows:?}");
            terminal.take(&given_back(size));
            assert_eq!((terminal.rows()[5].as_str(), terminal.bottom), ("", 5));
        }
    }
}
