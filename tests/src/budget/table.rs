//! The table as text: what `budget.txt` holds, and where two of them differ. Knows no game.

use std::fmt::{self, Write as _};

use super::{Case, Figures, Sent};

const HEAD: &str = "\
# What bad networks cost: a line a game. A test plays the games again and compares the lines to the last digit;
# `cargo xtask record-budget` rewrites them. What changes here is to be meant.
#
# Each game: a host and seven clients, a bot on each, on that map and from that seed. Of the datagrams that come to a
# machine that many per cent are lost, and what comes, by its stream too, comes that many milliseconds late: a round
# trip is twice that. 30 s are counted, after 3 s of play.
#
# own/min  times in a minute that a client's own player was moved by the host's word: by a difference, to where the host
#          has it, into a seat or out of one; where it begins a life, and a teleporter of its own machine's, do not count
# veh/min  the same of a vehicle that it drove
# causes   what those moves of a game were for, how many each: a seat that another had on the host (two players at one
#          seat) / a seat that the host knew otherwise since an input was lost / none of these: of that there may be none
# mean     how far clients' copies of others' players were from the host's at the same tick, in wu; p99, max likewise
# down     what the host sent a client, up: what a client sent the host; over the client's ticks, before any loss
#   B      payload of UDP and of the stream, in bytes
#   dgrams datagrams
#   head%  the headers' part of those bytes and of 28 more for UDP and IP around each datagram: those 28, and 8 of each
#          batch and of each message or part. What TCP and IP put around a stream is the system's and left out.
#
#                                               remote error, wu                    down                      up
# map    loss%   ms seed own/min veh/min causes    mean     p99     max        B  dgrams  head%        B  dgrams  head%
";

/// The table of those games.
pub fn table(measured: &[(Case, Figures)]) -> String {
    let mut text = String::from(HEAD);
    for (case, figures) in measured {
        // A string takes all that is written.
        let _ = writeln!(text, "{}", line(case, figures));
    }
    text
}

fn line(case: &Case, figures: &Figures) -> String {
    let Case { map, loss, latency, seed } = case;
    let Figures { own_moves, own_vehicle_moves, causes, remote_error: [mean, p99, max], down, up } = figures;
    let way =
        |Sent { bytes, datagrams, headers }: &Sent| format!("{bytes:8.2} {datagrams:7.4} {headers:6.2}");
    format!(
        "{map:<7} {loss:>6} {latency:>4} {seed:>4} {own_moves:>7.2} {own_vehicle_moves:>7.2} {:>6} {mean:>7.4} {p99:>7.4} {max:>7.4} {} {}",
        causes.to_string(),
        way(down),
        way(up)
    )
}

/// A line that two tables do not share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// As it is recorded; none where it is new.
    pub was: Option<String>,
    /// As it is; none where it is gone.
    pub is: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = [("was", &self.was), ("is ", &self.is)];
        lines
            .iter()
            .filter_map(|(which, line)| Some((which, line.as_ref()?)))
            .enumerate()
            .try_for_each(|(at, (which, line))| write!(f, "{}{which} {line}", if at > 0 { "\n" } else { "" }))
    }
}

/// The lines that differ, a game's old line beside its new one; of what stands in another order alone, nothing.
pub fn differences(was: &str, is: &str) -> Vec<Difference> {
    let mut left: Vec<&str> = was.lines().collect();
    let mut differences = Vec::new();
    for line in is.lines() {
        let same = left.iter().position(|old| game(old) == game(line));
        let old = same.map(|at| left.remove(at));
        if old != Some(line) {
            differences.push(Difference { was: old.map(String::from), is: Some(line.into()) });
        }
    }
    differences.extend(left.into_iter().map(|line| Difference { was: Some(line.into()), is: None }));
    differences
}

/// Which game a line is of; a line of the head is of itself.
fn game(line: &str) -> Vec<&str> {
    if line.starts_with('#') { vec![line] } else { line.split_whitespace().take(3).collect() }
}

#[cfg(test)]
mod tests {
    use super::super::Causes;
    use super::*;

    fn measured(loss: u8, bytes: f64) -> (Case, Figures) {
        let down = Sent { bytes, datagrams: 1.0, headers: 25.0 };
        let case = Case { map: "flat", loss, latency: 25, seed: 7 };
        let figures = Figures {
            own_moves: 0.5,
            own_vehicle_moves: 0.25,
            causes: Causes { contested: 1, lost: 2, unknown: 0 },
            remote_error: [0.01, 0.2, 1.5],
            down,
            up: Sent::default(),
        };
        (case, figures)
    }

    /// A game's line has its figures, aligned however long they are.
    #[test]
    fn a_line_is_a_games() {
        let text = table(&[measured(0, 99.5), measured(20, 1234.567)]);
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        let words: Vec<&str> = lines[1].split_whitespace().collect();
        assert_eq!(
            words[..10],
            ["flat", "20", "25", "7", "0.50", "0.25", "1/2/0", "0.0100", "0.2000", "1.5000"]
        );
        assert_eq!(words[10..], ["1234.57", "1.0000", "25.00", "0.00", "0.0000", "0.00"]);
        assert_eq!(lines[0].len(), lines[1].len());
    }

    /// A changed figure shows the game's old line beside its new one; a game that comes or goes shows alone.
    #[test]
    fn old_stands_beside_new() {
        let was = table(&[measured(0, 99.5), measured(2, 100.0)]);
        assert_eq!(differences(&was, &was), []);
        let is = table(&[measured(0, 99.5), measured(2, 100.01), measured(5, 1.0)]);
        let found = differences(&was, &is);
        assert_eq!(found.len(), 2);
        let shown = found[0].to_string();
        assert!(shown.starts_with("was flat         2") && shown.contains("\nis  flat         2"), "{shown}");
        assert!(shown.contains("100.00") && shown.contains("100.01"), "{shown}");
        assert!(found[1].was.is_none() && found[1].is.as_ref().unwrap().contains("1.00"));
        assert!(differences(&is, &was).iter().any(|found| found.is.is_none()));
    }

    /// A line twice, a line of the head more, and one digit more are differences.
    #[test]
    fn nothing_passes_unseen() {
        let is = table(&[measured(0, 99.5)]);
        for was in [
            format!("{is}{}\n", is.lines().last().unwrap()),
            format!("# more\n{is}"),
            is.replacen("99.50", "99.500", 1),
            String::new(),
        ] {
            assert!(!differences(&was, &is).is_empty(), "{was}");
        }
    }
}
