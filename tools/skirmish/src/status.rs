//! The status line that a terminal shows while a machine plays, and a download's above all. Knows figures, not where they come
//! from.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};

use mjolnir_mapshare::client::Line;
use mjolnir_wire::{Moment, Tick};

use crate::progress::Progress;
use crate::screen::Screen;

/// What a terminal shows in red from here on, and no more.
const RED: &str = "\x1b[31m";
const PLAIN: &str = "\x1b[0m";

/// What it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    /// The tick simulated last.
    pub tick: Tick,
    /// To the host and back in milliseconds, or the slowest client's; none where it is not known.
    pub round_trip: Option<u32>,
    /// Bytes sent and received since the start.
    pub bytes: u64,
    /// Players in the game.
    pub players: usize,
    /// Who leads, once somebody has a score.
    pub leaders: Option<String>,
    /// What came of hits, once there are any.
    pub hits: Option<String>,
    /// What the latency meter shows, where it is on.
    pub meter: Option<String>,
}

/// How often a download's line is drawn at most, in microseconds.
const DRAWN_EACH: u64 = Moment::SECOND / 4;

/// The line, where standard error is a terminal.
#[derive(Debug)]
pub struct Status {
    screen: Option<Screen>,
    shown: Moment,
    bytes: u64,
    /// A download's line, while there is one.
    download: Option<Progress>,
    drawn: Moment,
    /// The download has the last row, as the terminal is too low to spare another.
    is_low: bool,
}

impl Status {
    /// Shown anew each second.
    pub fn new(now: Moment) -> Self {
        Self {
            screen: Screen::open(),
            shown: now,
            bytes: 0,
            download: None,
            drawn: Moment::START,
            is_low: false,
        }
    }

    /// Shows those figures, if it is time.
    pub fn show(&mut self, now: Moment, figures: impl FnOnce() -> Figures) {
        let Some(screen) = &mut self.screen else { return };
        let since = now.since(self.shown);
        if since < Moment::SECOND || self.is_low {
            return;
        }
        let figures = figures();
        let bytes = figures.bytes.saturating_sub(self.bytes) * Moment::SECOND / since;
        (self.shown, self.bytes) = (now, figures.bytes);
        screen.show(text(&figures, bytes));
    }

    /// Shows how far a download is in the terminal's first row (MAP-62), until there is none. Where there is no terminal: what is
    /// to be said of it, now and then. So many bytes of files have come to this machine.
    pub fn show_download(&mut self, now: Moment, download: Option<Line<'_>>, came: u64) -> Option<String> {
        let Some(download) = download else {
            if self.download.take().is_some() {
                self.is_low = false;
                self.screen.as_mut().map(|screen| screen.show_top(None));
            }
            return None;
        };
        let is_new = self.download.is_none();
        let progress = self.download.get_or_insert_default();
        let Some(screen) = &mut self.screen else { return progress.said(now, &download, came) };
        if is_new || now.since(self.drawn) >= DRAWN_EACH {
            self.drawn = now;
            let line = progress.line(now, &download, came);
            self.is_low = !screen.show_top(Some(line.clone()));
            if self.is_low {
                screen.show(line);
            }
        }
        None
    }

    /// Writes lines to a stream as [`Status::print`] does, in red, where a terminal shows it.
    pub fn print_red(&self, to: impl Write + IsTerminal, text: &str) {
        let is_terminal = to.is_terminal();
        self.print(to, &red(text, is_terminal));
    }

    /// Writes lines to a stream beside the line, which stays.
    pub fn print(&self, mut to: impl Write + IsTerminal, text: &str) {
        match &self.screen {
            Some(screen) if to.is_terminal() => screen.print(&mut to, text),
            // Nobody reads any more: no reason to stop playing.
            _ => drop(writeln!(to, "{text}")),
        }
    }
}

/// The text as a terminal shows it in red; as it is for anything else.
fn red(text: &str, is_terminal: bool) -> Cow<'_, str> {
    if is_terminal { format!("{RED}{text}{PLAIN}").into() } else { text.into() }
}

fn text(figures: &Figures, bytes: u64) -> String {
    let Figures { tick, round_trip, players, leaders, hits, meter, .. } = figures;
    let leaders = leaders.as_ref().map(|leaders| format!(", scores: {leaders}")).unwrap_or_default();
    let hits = hits.as_ref().map(|hits| format!(", hits: {hits}")).unwrap_or_default();
    let round_trip = round_trip.map_or("-".into(), |ms| ms.to_string());
    let meter = meter.as_ref().map(|meter| format!(", meter: {meter}")).unwrap_or_default();
    let players = if *players == 1 { "1 player".into() } else { format!("{players} players") };
    format!(
        "tick {}, round trip {round_trip} ms, {bytes} bytes/s, {players}{leaders}{hits}{meter}",
        tick.get()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MAP-62: without a terminal a download is said, and said anew where another begins after it.
    #[test]
    fn without_a_terminal_a_download_is_said() {
        let now = Moment::START;
        let mut status = Status { screen: None, ..Status::new(now) };
        let line = Line::Downloading { level: "custom_maps\\hugeass", had: 4, total: 10 };
        let due = "hugeass.map  40 %  [########------------]  0 of 1 KB";
        assert_eq!(status.show_download(now, Some(line), 0).as_deref(), Some(due));
        assert_eq!(status.show_download(now, Some(line), 0), None);
        assert_eq!(status.show_download(now, None, 0), None);
        assert_eq!(status.show_download(now, Some(line), 0).as_deref(), Some(due));
    }

    /// GLUE-14: what every machine is told is red on a terminal, and nothing after it is; a file has the line alone.
    #[test]
    fn what_is_told_is_red_on_a_terminal() {
        assert_eq!(red("Bob was dropped.", true), "\x1b[31mBob was dropped.\x1b[0m");
        assert_eq!(red("Bob was dropped.", false), "Bob was dropped.");
    }

    /// GLUE-03: the meter's text is there where it is on, and nothing of it where it is off.
    #[test]
    fn the_line_names_its_figures() {
        let tick = Tick::new(90).unwrap();
        let figures = Figures {
            tick,
            round_trip: Some(52),
            bytes: 0,
            players: 3,
            leaders: None,
            hits: None,
            meter: None,
        };
        assert_eq!(text(&figures, 1200), "tick 90, round trip 52 ms, 1200 bytes/s, 3 players");
        let metered = Figures { meter: Some("1: 52 ms".into()), ..figures.clone() };
        assert!(text(&metered, 0).ends_with(", 3 players, meter: 1: 52 ms"));
        let led = Figures { leaders: Some("Ann 2, Bob 0".into()), ..figures.clone() };
        assert!(text(&led, 0).ends_with(", 3 players, scores: Ann 2, Bob 0"));
        let hit = Figures { hits: Some("3 reported, 2 replayed".into()), ..figures.clone() };
        assert!(text(&hit, 0).ends_with(", 3 players, hits: 3 reported, 2 replayed"));
        let unknown = Figures { round_trip: None, players: 1, ..figures };
        assert_eq!(text(&unknown, 0), "tick 90, round trip - ms, 0 bytes/s, 1 player");
    }
}
