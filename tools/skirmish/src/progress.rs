//! How far a download of maps is, as one line says it: name, per cent, a bar, bytes and how fast they come. Knows no download,
//! and not where the line is shown.

use std::collections::VecDeque;
use std::fmt::Write as _;

use mjolnir_mapshare::client::Line;
use mjolnir_mapshare::names;
use mjolnir_wire::Moment;

/// Cells of the bar.
const CELLS: u64 = 20;
/// Over how long the speed is measured, in microseconds.
const MEASURED: u64 = 5 * Moment::SECOND;
/// How often it is measured at most.
const MEASURED_EACH: u64 = Moment::SECOND / 4;
/// After how long a line is said again where nothing shows it all the time; sooner with each ten per cent.
const SAID_EACH: u64 = 2 * Moment::SECOND;
/// Bytes of the units in which they are shown.
const MB: u64 = 1 << 20;
const KB: u64 = 1 << 10;
/// Below so many a whole is shown in the smaller.
const FEW: u64 = 16 * MB;

/// The line of a download: how fast it comes, and when it is said.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// When so many bytes had come.
    measured: VecDeque<(Moment, u64)>,
    /// When a line was said last, at what per cent, and what was done then.
    said: Option<(Moment, Option<u8>, &'static str)>,
}

impl Progress {
    /// The line now, that many bytes having come over the network, of this download and of those before it.
    pub fn line(&mut self, now: Moment, line: &Line<'_>, came: u64) -> String {
        let (level, bytes) = match *line {
            Line::Asking { level } => (level, None),
            Line::Checking { level, had, total } | Line::Downloading { level, had, total } => {
                (level, Some((had, total)))
            }
        };
        let map = names::of_level(level).map_or_else(|| level.to_owned(), names::plain);
        let mut text = format!("{}{map}", doing(line));
        if let (Some((had, total)), Some(per_cent)) = (bytes, line.percent()) {
            let full = u64::from(per_cent) * CELLS / 100;
            let bar: String = (0..CELLS).map(|cell| if cell < full { '#' } else { '-' }).collect();
            // Writing to a text does not fail.
            let _ = write!(text, "  {per_cent} %  [{bar}]  {}", amount(had.min(total), total));
        }
        match line {
            Line::Downloading { .. } => {
                if let Some(speed) = self.speed(now, came) {
                    text.push_str(&rate(speed));
                }
            }
            Line::Asking { .. } | Line::Checking { .. } => self.measured.clear(),
        }
        text
    }

    /// The line, where it is due to be said: as it begins, at each ten per cent, and after each two seconds in which something
    /// came.
    pub fn said(&mut self, now: Moment, line: &Line<'_>, came: u64) -> Option<String> {
        let text = self.line(now, line, came);
        let (per_cent, doing) = (line.percent(), doing(line));
        let is_due = self.said.as_ref().is_none_or(|(at, said, did)| {
            let ten = |per_cent: Option<u8>| per_cent.map(|per_cent| per_cent / 10);
            *did != doing || ten(*said) != ten(per_cent) || now.since(*at) >= SAID_EACH && *said != per_cent
        });
        is_due.then(|| {
            self.said = Some((now, per_cent, doing));
            text
        })
    }

    /// Bytes a second over the last seconds; none before there is something to measure by.
    fn speed(&mut self, now: Moment, came: u64) -> Option<u64> {
        let is_new = self.measured.back().is_none_or(|(at, _)| now.since(*at) >= MEASURED_EACH);
        if self.measured.back().is_some_and(|(_, before)| *before > came) {
            // Counted anew.
            self.measured.clear();
        }
        if is_new {
            self.measured.push_back((now, came));
        }
        while self.measured.get(1).is_some_and(|(at, _)| now.since(*at) >= MEASURED) {
            self.measured.pop_front();
        }
        let (at, before) = self.measured.front()?;
        let took = now.since(*at);
        let came = u128::from(came.saturating_sub(*before)) * u128::from(Moment::SECOND);
        (took >= Moment::SECOND).then(|| u64::try_from(came / u128::from(took)).unwrap_or(u64::MAX))
    }
}

/// What the line begins with.
const fn doing(line: &Line<'_>) -> &'static str {
    match line {
        Line::Asking { .. } => "asking the host for ",
        Line::Checking { .. } => "checking ",
        Line::Downloading { .. } => "",
    }
}

/// Bytes a second: in MB, and in KB where that would be nothing.
fn rate(speed: u64) -> String {
    let tenths = speed * 10 / MB;
    if tenths == 0 {
        return format!("  {} KB/s", speed / KB);
    }
    format!("  {}.{} MB/s", tenths / 10, tenths % 10)
}

/// Bytes of a whole: in MB, and in KB where it has few of those.
fn amount(had: u64, total: u64) -> String {
    let (unit, name) = if total < FEW { (KB, "KB") } else { (MB, "MB") };
    format!("{} of {} {name}", had / unit, total.div_ceil(unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Moment {
        Moment::START.plus(millis * 1000)
    }

    const LEVEL: &str = "custom_maps\\hugeass";

    fn of(had: u64, total: u64) -> Line<'static> {
        Line::Downloading { level: LEVEL, had, total }
    }

    /// MAP-62: the line has name, per cent, bar, bytes, and the speed at which they come once it is known: what was there before is
    /// none of it.
    #[test]
    fn a_line_says_how_far_a_download_is() {
        let mut progress = Progress::default();
        let asking = Line::Asking { level: LEVEL };
        assert_eq!(progress.line(at(0), &asking, 7), "asking the host for hugeass.map");
        let begin = progress.line(at(0), &of(0, 256 * MB), 7);
        assert_eq!(begin, "hugeass.map  0 %  [--------------------]  0 of 256 MB");
        let then = progress.line(at(1000), &of(105 * MB, 256 * MB), 7 + 12 * MB);
        assert_eq!(then, "hugeass.map  41 %  [########------------]  105 of 256 MB  12.0 MB/s");
        let checking = Line::Checking { level: LEVEL, had: 64 * MB, total: 256 * MB };
        let line = "checking hugeass.map  25 %  [#####---------------]  64 of 256 MB";
        assert_eq!(progress.line(at(1100), &checking, 7), line);
        assert_eq!(progress.line(at(4100), &checking, 7), line, "that is no speed of what comes");
        assert!(!progress.line(at(4300), &of(106 * MB, 256 * MB), 7).ends_with("/s"), "it is measured anew");
        let small = progress.line(at(4400), &of(3000, 5000), 7);
        assert_eq!(small, "hugeass.map  60 %  [############--------]  2 of 5 KB");
        let slow = progress.line(at(5300), &of(9 * MB, 15 * MB), 7 + 102 * KB);
        assert_eq!(slow, "hugeass.map  60 %  [############--------]  9216 of 15360 KB  102 KB/s");
    }

    /// MAP-62: nothing before the first hundredth, all cells for the whole alone, and no more than the whole is shown.
    #[test]
    fn the_whole_alone_fills_the_bar() {
        for (had, total, due) in [
            (0, 4 * MB, "0 %  [--------------------]  0 of 4096 KB"),
            (4 * MB - 1, 4 * MB, "99 %  [###################-]  4095 of 4096 KB"),
            (4 * MB, 4 * MB, "100 %  [####################]  4096 of 4096 KB"),
            (5 * MB, 4 * MB, "100 %  [####################]  4096 of 4096 KB"),
        ] {
            assert_eq!(Progress::default().line(at(0), &of(had, total), 0), format!("hugeass.map  {due}"));
        }
    }

    /// MAP-62: where nothing shows it all the time it is said as it begins, at each ten per cent, and every two seconds in which
    /// it went on.
    #[test]
    fn a_line_is_said_each_ten_per_cent_or_two_seconds() {
        let mut progress = Progress::default();
        let mut said = Vec::new();
        for (millis, had) in [
            (0, 0),
            (100, 50),
            (200, 99),
            (300, 100),
            (2299, 150),
            (2300, 151),
            (4300, 151),
            (4400, 160),
            (4500, 170),
            (4600, 1000),
            (9000, 1000),
        ] {
            if progress.said(at(millis), &of(had, 1000), had).is_some() {
                said.push(millis);
            }
        }
        assert_eq!(said, [0, 300, 2300, 4400, 4600]);
        let checking = Line::Checking { level: LEVEL, had: 1000, total: 1000 };
        assert!(progress.said(at(9001), &checking, 0).is_some());
        assert!(progress.said(at(9002), &checking, 0).is_none());
    }

    /// The speed is of the last five seconds, and of one at least.
    #[test]
    fn the_speed_is_of_the_last_seconds() {
        let mut progress = Progress::default();
        let mut speed = |millis, had| progress.speed(at(millis), had * MB);
        assert_eq!((speed(0, 0), speed(999, 9)), (None, None));
        assert_eq!(speed(1000, 10), Some(10 * MB));
        for second in 2..=20 {
            speed(second * 1000, 10);
        }
        assert_eq!(speed(20_100, 10), Some(0));
        assert_eq!(speed(20_200, 3), None, "it began anew");
    }
}
