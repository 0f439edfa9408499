//! A terminal whose last row is kept for one line, and for a while its first for another. What scrolls is between them, so
//! that half a typed command outlives both the lines' changes and what is printed meanwhile. Knows what terminals obey since
//! the VT102, and no text's meaning.

use std::io::{self, IsTerminal as _, Write};

use rustix::termios::tcgetwinsize;

/// Rows of the smallest terminal that spares one.
const LEAST_ROWS: u16 = 3;
/// Rows of the smallest that spares the first beside it: less than two rows cannot be told to scroll.
const LEAST_ROWS_OF_TWO: u16 = 4;

/// Rows and columns of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    rows: u16,
    columns: u16,
}

/// The terminal at standard error, what stands in its last row, and what in its first where that is kept.
#[derive(Debug)]
pub struct Screen {
    size: Size,
    line: String,
    top: Option<String>,
}

impl Screen {
    /// Keeps the last row, where standard error is a terminal that can. A program that is killed leaves it kept.
    pub fn open() -> Option<Self> {
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let size = size().filter(|_| !is_dumb && io::stderr().is_terminal())?;
        write(&mut io::stderr(), &kept(size));
        Some(Self { size, line: String::new(), top: None })
    }

    /// Has that line in the last row, as far as the terminal is wide.
    pub fn show(&mut self, line: String) {
        let size = size().unwrap_or(self.size);
        if line == self.line && size == self.size {
            return;
        }
        let mut said = self.fitted(size);
        said += &drawn(size, size.rows, &line);
        self.line = line;
        write(&mut io::stderr(), &said);
    }

    /// Has that line in the first row, as far as the terminal is wide, or gives that row back. Whether it is shown: the terminal
    /// may be too low to spare one.
    pub fn show_top(&mut self, line: Option<String>) -> bool {
        let size = size().unwrap_or(self.size);
        let line = line.filter(|_| size.rows >= LEAST_ROWS_OF_TWO);
        if line == self.top && size == self.size {
            return line.is_some();
        }
        let mut said = self.fitted(size);
        match (&self.top, &line) {
            (None, Some(_)) => said += &top_kept(size),
            (Some(_), None) => said += &top_given_back(size),
            _ => {}
        }
        if let Some(line) = &line {
            said += &drawn(size, 1, line);
        }
        self.top = line;
        write(&mut io::stderr(), &said);
        self.top.is_some()
    }

    /// What makes the terminal keep its rows anew, where it has another size than before.
    fn fitted(&mut self, size: Size) -> String {
        if size == self.size {
            return String::new();
        }
        self.size = size;
        // Some terminals keep the top where it is and some the bottom: where the old lines went nobody knows, so that they
        // are not erased.
        let mut said = kept(size);
        self.top.take_if(|_| size.rows < LEAST_ROWS_OF_TWO);
        if let Some(line) = &self.top {
            said += &top_kept(size);
            said += &drawn(size, 1, line);
        }
        said
    }

    /// Prints lines above what is being typed, to a stream that is this terminal.
    pub fn print(&self, to: &mut impl Write, text: &str) {
        let said: String = text.lines().map(|line| above(self.size, line)).collect();
        write(to, &said);
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let top = if self.top.is_some() { top_given_back(self.size) } else { String::new() };
        write(&mut io::stderr(), &(top + &given_back(self.size)));
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

/// The first row scrolls no more either: all that stands goes down by one, and up by one before where the cursor is in the
/// last row that scrolls.
fn top_kept(size: Size) -> String {
    format!("\x1bD\x1b[A\x1b7\x1b[1;1H\x1b[1L\x1b8\x1b[B\x1b7\x1b[2;{}r\x1b8", size.rows - 1)
}

/// The first row scrolls again with the others, and is empty.
fn top_given_back(size: Size) -> String {
    format!("\x1b7\x1b[1;{}r\x1b[1;1H\x1b[2K\x1b8", size.rows - 1)
}

fn drawn(size: Size, row: u16, line: &str) -> String {
    let line: String = line.chars().take(size.columns.into()).collect();
    format!("\x1b7\x1b[{row};1H\x1b[2K{line}\x1b8")
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
        /// The first row that scrolls, and the last.
        top: usize,
        bottom: usize,
    }

    impl Terminal {
        fn new(rows: u16, columns: u16) -> Self {
            let cells = vec![vec![' '; columns.into()]; rows.into()];
            let size = Size { rows, columns };
            Self { size, cells, at: (0, 0), saved: (0, 0), top: 0, bottom: usize::from(rows) - 1 }
        }

        fn down(&mut self) {
            if self.at.0 == self.bottom {
                self.cells.remove(self.top);
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
                'A' => {
                    let highest = if self.at.0 >= self.top { self.top } else { 0 };
                    self.at.0 = self.at.0.saturating_sub(first.unwrap_or(1)).max(highest);
                }
                'B' => {
                    let lowest = if self.at.0 <= self.bottom { self.bottom } else { self.cells.len() - 1 };
                    self.at.0 = (self.at.0 + first.unwrap_or(1)).min(lowest);
                }
                'H' => self.at = (numbers[0] - 1, numbers[1] - 1),
                'K' => self.cells[self.at.0] = vec![' '; columns],
                'L' => {
                    assert!(
                        (self.top..=self.bottom).contains(&self.at.0),
                        "a line put in where none scrolls"
                    );
                    for _ in 0..first.unwrap() {
                        self.cells.remove(self.bottom);
                        self.cells.insert(self.at.0, vec![' '; columns]);
                    }
                }
                'r' => {
                    self.top = first.unwrap_or(1) - 1;
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
            terminal.take(&drawn(size, size.rows, "tick 1"));
            terminal.take(&above(size, "one"));
            terminal.take(&above(size, "0123456789ab"));
            terminal.take(&drawn(size, size.rows, "tick 2, and too long"));
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
    /// The same with a line in the first row for a while, wherever the cursor is as that comes and goes: the two lines stay, and
    /// what is between them keeps its order, but for what scrolled away.
    #[test]
    fn what_is_half_typed_stays_whole_below_a_line_at_the_top() {
        for lines in 0..12 {
            let mut terminal = Terminal::new(7, 10);
            (0..lines).for_each(|line| terminal.take(&format!("old {line}\n")));
            let size = terminal.size;
            terminal.take(&kept(size));
            terminal.take(&drawn(size, size.rows, "tick 1"));
            terminal.take("kil");
            terminal.take(&top_kept(size));
            terminal.take(&drawn(size, 1, "40 % of something"));
            let rows = terminal.rows();
            assert_eq!((rows[0].as_str(), rows[6].as_str()), ("40 % of so", "tick 1"), "{lines}: {rows:?}");
            let typed = rows.iter().position(|row| row == "kil").unwrap();
            assert_eq!(terminal.at, (typed, 3), "{lines}: {rows:?}");
            if lines > 0 && typed > 1 {
                assert_eq!(rows[typed - 1], format!("old {}", lines - 1), "{rows:?}");
            }
            for number in 0..9 {
                terminal.take(&above(size, &format!("new {number}")));
                terminal.take(&drawn(size, 1, &format!("5{number} %")));
                terminal.take(&drawn(size, size.rows, &format!("tick 2{number}")));
                let rows = terminal.rows();
                assert_eq!((&rows[0], &rows[6]), (&format!("5{number} %"), &format!("tick 2{number}")));
                let typed = rows.iter().position(|row| row == "kil").unwrap();
                assert_eq!(terminal.at, (typed, 3), "{lines}: {rows:?}");
                assert_eq!(rows[typed - 1], format!("new {number}"), "{lines}: {rows:?}");
            }
            terminal.take("l Ann\nmap");
            let before = terminal.rows();
            terminal.take(&top_given_back(size));
            let rows = terminal.rows();
            assert_eq!((rows[0].as_str(), &rows[1..]), ("", &before[1..]), "{lines}");
            assert_eq!((terminal.top, terminal.bottom), (0, 5));
            for number in 0..6 {
                terminal.take(&above(size, &format!("more {number}")));
            }
            let rows = terminal.rows();
            assert_eq!(rows[0..5], [1, 2, 3, 4, 5].map(|number| format!("more {number}")), "{rows:?}");
            assert_eq!((rows[5].as_str(), rows[6].as_str(), terminal.at), ("map", "tick 28", (5, 3)));
        }
    }

    /// Between two rows that are kept there are two at least: the terminals that some obey less would not.
    #[test]
    fn the_smallest_terminal_of_two_lines_scrolls_two() {
        let mut terminal = Terminal::new(LEAST_ROWS_OF_TWO, 10);
        let size = terminal.size;
        terminal.take(&kept(size));
        terminal.take(&top_kept(size));
        assert_eq!((terminal.top, terminal.bottom), (1, 2));
    }
}
