//! Console lines that run at ticks of the game (TOOL-29): a file's lines `TICK COMMAND`, counted from the first tick
//! that every player is in. Knows no command's effect and no machine.

use std::collections::VecDeque;
use std::fmt;

use mjolnir_wire::Tick;

use crate::console::{self, HostLine, Line, Refusal};
use crate::orders::{self, Outcome};

/// What came of a cue.
#[derive(Clone, Debug, PartialEq)]
pub enum Came {
    /// It was done.
    Done,
    /// The program is to do it.
    Wanted(Line),
    /// It was not done, and why.
    Refused(String),
}

/// A cue that ran.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// The tick before whose simulation it ran.
    pub tick: Tick,
    /// The line.
    pub text: String,
    /// What came of it.
    pub came: Came,
}

/// See the module's text.
#[derive(Clone, Debug, Default)]
pub struct Cues {
    waiting: VecDeque<(u32, String, Line)>,
    /// The first tick that every player is in.
    from: Option<Tick>,
    ran: Vec<Ran>,
}

/// A line of a file that is no cue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Which, from 1.
    pub line: usize,
    /// Why it is none.
    pub why: String,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl Cues {
    /// Reads a file's text. Empty lines and those that begin with `#` are passed over; lines of one tick run in their
    /// order. A command that no console has is told now, not at its tick.
    pub fn parse(text: &str) -> Result<Self, BadLine> {
        let mut waiting = Vec::new();
        // An editor's byte order mark is no part of the first line.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let is_cue = |(_, line): &(usize, &str)| !line.is_empty() && !line.starts_with('#');
        for (line, text) in (1..).zip(text.lines().map(str::trim)).filter(is_cue) {
            waiting.push(cue(text).map_err(|why| BadLine { line, why })?);
        }
        waiting.sort_by_key(|(tick, ..)| *tick);
        Ok(Self { waiting: waiting.into(), ..Self::default() })
    }

    /// Whether they wait for every player to be in.
    pub fn wait_for_all(&self) -> bool {
        self.from.is_none() && !self.waiting.is_empty()
    }

    /// Runs what is due before that tick is simulated. `all_in` says whether every player is in by now; `apply` does a
    /// host's line to the world, or says why not.
    pub fn run(
        &mut self,
        tick: Tick,
        all_in: bool,
        mut apply: impl FnMut(&HostLine) -> Result<Outcome, String>,
    ) {
        let Some(from) = self.from.or(all_in.then_some(tick)) else { return };
        self.from = Some(from);
        while let Some((_, text, line)) =
            self.waiting.pop_front_if(|(at, ..)| i64::from(*at) <= i64::from(tick.since(from)))
        {
            let came = match line {
                Line::Host(line) => match apply(&line) {
                    Ok(Outcome::Done) => Came::Done,
                    Ok(Outcome::Ends | Outcome::Changes(_)) => Came::Wanted(Line::Host(line)),
                    Err(why) => Came::Refused(why),
                },
                line => Came::Wanted(line),
            };
            self.ran.push(Ran { tick, text, came });
        }
    }

    /// Those that ran since this was last asked.
    pub fn take_ran(&mut self) -> Vec<Ran> {
        std::mem::take(&mut self.ran)
    }
}

/// A line's tick, its command's text and the command, or why it is no cue.
fn cue(text: &str) -> Result<(u32, String, Line), String> {
    let not_a_cue = || "not TICK COMMAND".to_owned();
    let (tick, command) = text.split_once(char::is_whitespace).ok_or_else(not_a_cue)?;
    let tick = tick.parse().map_err(|_| not_a_cue())?;
    let command = command.trim();
    match console::parse(command).ok_or_else(not_a_cue)? {
        Ok(line) => Ok((tick, command.to_owned(), line)),
        Err(Refusal::Unknown) => Err(format!("no such command: {command}")),
        Err(Refusal::Usage(usage)) => Err(format!("not so: {command}; usage: {usage}")),
    }
}

/// What a host's line comes to where another machine is the host.
pub fn refuse(_: &HostLine) -> Result<Outcome, String> {
    Err(orders::CLIENT.into())
}

#[cfg(test)]
mod tests {
    use mjolnir_engine_glue::chat::Channel;

    use super::*;
    use crate::speech::Speech;

    fn tick(number: i32) -> Tick {
        Tick::new(number).unwrap()
    }

    /// TOOL-29: counted from the first tick that all are in, whatever comes after; each runs at its tick, once.
    #[test]
    fn a_cue_runs_at_its_tick() {
        let mut cues =
            Cues::parse("90 kill Ann\n\n# soon\n  0 start \n90 end\n30 help\n  # 31 quit\n").unwrap();
        for now in 95..300 {
            cues.run(tick(now), now == 100, |line| match line {
                HostLine::Kill(name, _) => Err(format!("no {name}")),
                _ => Ok(Outcome::Ends),
            });
        }
        let ran: Vec<_> =
            cues.take_ran().into_iter().map(|ran| (ran.tick.get(), ran.text, ran.came)).collect();
        assert_eq!(
            ran,
            [
                (100, "start".into(), Came::Wanted(Line::Start)),
                (130, "help".into(), Came::Wanted(Line::Help)),
                (190, "kill Ann".into(), Came::Refused("no Ann".into())),
                (190, "end".into(), Came::Wanted(Line::Host(HostLine::End))),
            ]
        );
        assert_eq!(cues.take_ran(), []);
    }

    /// TOOL-29: what a client's player says is its own to say, and waits for no host's leave; a host's line does.
    #[test]
    fn a_client_talks_by_its_cues() {
        let mut cues = Cues::parse("0 say hello\n0 /mute Ann\n0 end").unwrap();
        cues.run(tick(1), true, refuse);
        let came: Vec<_> = cues.take_ran().into_iter().map(|ran| ran.came).collect();
        let typed = |text: &str| Came::Wanted(Line::Speech(Speech::Type(Channel::All, text.into())));
        assert_eq!(came, [typed("hello"), typed("/mute Ann"), Came::Refused(orders::CLIENT.into())]);
    }

    /// A tick that a client's clock leaves out takes no cue with it.
    #[test]
    fn a_tick_left_out_is_made_good() {
        let mut cues = Cues::parse("5 quit").unwrap();
        cues.run(tick(10), true, refuse);
        assert_eq!(cues.take_ran(), []);
        cues.run(tick(20), false, refuse);
        assert_eq!(cues.take_ran()[0].tick, tick(20));
    }

    /// TOOL-29: a cue past the last tick there is has no tick to run at.
    #[test]
    fn a_cue_past_the_last_tick_does_not_run() {
        let mut cues = Cues::parse("47 quit\n48 quit\n4294967295 quit").unwrap();
        cues.run(tick(i32::MAX - 47), true, refuse);
        cues.run(Tick::LAST, true, refuse);
        assert_eq!(cues.take_ran().len(), 1);
    }

    #[test]
    fn a_byte_order_mark_is_passed_over() {
        let mut cues = Cues::parse("\u{feff}0 quit\r\n").unwrap();
        cues.run(tick(1), true, refuse);
        assert_eq!(cues.take_ran()[0].text, "quit");
    }

    #[test]
    fn a_line_that_is_no_cue_is_named() {
        for (text, line, why) in [
            ("quit", 1, "not TICK COMMAND"),
            ("1 quit\n-1 quit", 2, "not TICK COMMAND"),
            ("\n1.5 quit", 2, "not TICK COMMAND"),
            ("7", 1, "not TICK COMMAND"),
            ("# one\n\n1 quit\n2 fly high", 4, "no such command: fly high"),
            ("1 kill", 1, "not so: kill; usage: kill NAME [BY]"),
        ] {
            assert_eq!(Cues::parse(text).unwrap_err(), BadLine { line, why: why.into() }, "{text:?}");
        }
        assert_eq!(Cues::parse("2 fly").unwrap_err().to_string(), "line 1: no such command: fly");
    }
}
