//! Input scripts: what a player does, line by line. Knows no file and no world.
//!
//! ```text
//! TICKS FORWARD SIDE YAW PITCH [BUTTON,BUTTON...]
//! ```
//! Each line holds for so many ticks. FORWARD and SIDE are -1 to 1, ahead and to the left positive; YAW and PITCH
//! are degrees, counter-clockwise from east and up. Buttons go by the wire's names. `#` begins what is not read.
//! After the last line its aim is kept and everything else is let go.

use std::fmt;

use mjolnir_wire::{Buttons, Input};

/// What is wrong with a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// The line, counted from 1; 0 for the whole.
    pub line: usize,
    /// What is wrong.
    pub fault: Fault,
}

/// A fault of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A number is missing.
    Missing,
    /// A word is no number, or not a finite one.
    NotANumber,
    /// The ticks are no whole number above 0.
    BadTicks,
    /// A stick is pushed past 1.
    BadStick,
    /// A pitch is past straight up or down.
    BadPitch,
    /// No button has that name.
    UnknownButton,
    /// Words are left over.
    TooMuch,
    /// No line says anything.
    Empty,
}

impl Fault {
    /// In words.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Missing => "TICKS FORWARD SIDE YAW PITCH are needed",
            Self::NotANumber => "this is no number",
            Self::BadTicks => "ticks are a whole number from 1",
            Self::BadStick => "a stick goes from -1 to 1",
            Self::BadPitch => "a pitch goes from -90 to 90",
            Self::UnknownButton => "no button has that name",
            Self::TooMuch => "buttons are one word, with commas between",
            Self::Empty => "the script says nothing",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => to.write_str(self.fault.reason()),
            line => write!(to, "line {line}: {}", self.fault.reason()),
        }
    }
}

impl std::error::Error for Error {}

/// A script and how far it has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    lines: Vec<(u32, Input)>,
    line: usize,
    held: u32,
}

impl Script {
    /// Reads a script's text.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut lines = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let read = read_line(line).map_err(|fault| Error { line: index + 1, fault })?;
            lines.extend(read);
        }
        if lines.is_empty() {
            Err(Error { line: 0, fault: Fault::Empty })
        } else {
            Ok(Self { lines, line: 0, held: 0 })
        }
    }

    /// The next tick's input.
    pub fn input(&mut self) -> Input {
        if let Some((ticks, input)) = self.lines.get(self.line).copied() {
            self.held += 1;
            if self.held == ticks {
                (self.line, self.held) = (self.line + 1, 0);
            }
            return input;
        }
        let (yaw, pitch) = self.lines.last().map_or((0.0, 0.0), |(_, last)| (last.yaw, last.pitch));
        Input { yaw, pitch, ..Input::default() }
    }

    /// Ticks that its lines hold for, all together.
    pub fn ticks(&self) -> u64 {
        self.lines.iter().map(|(ticks, _)| u64::from(*ticks)).sum()
    }
}

fn read_line(line: &str) -> Result<Option<(u32, Input)>, Fault> {
    let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
    let Some(ticks) = words.next() else { return Ok(None) };
    let ticks = ticks.parse().ok().filter(|ticks| *ticks > 0).ok_or(Fault::BadTicks)?;
    let mut number = |reach: f32, fault: Fault| {
        let number: f32 = words.next().ok_or(Fault::Missing)?.parse().map_err(|_| Fault::NotANumber)?;
        match number {
            number if !number.is_finite() => Err(Fault::NotANumber),
            number if number.abs() > reach => Err(fault),
            number => Ok(number),
        }
    };
    let throttle = [number(1.0, Fault::BadStick)?, number(1.0, Fault::BadStick)?];
    let yaw = number(f32::MAX, Fault::NotANumber)?.rem_euclid(360.0).to_radians();
    let pitch = number(90.0, Fault::BadPitch)?.to_radians();
    let mut buttons = Buttons::default();
    for name in words.next().into_iter().flat_map(|list| list.split(',')) {
        let bit = Buttons::NAMES.iter().position(|known| *known == name).ok_or(Fault::UnknownButton)?;
        buttons = buttons.union(Buttons(1 << bit));
    }
    if words.next().is_some() {
        return Err(Fault::TooMuch);
    }
    let trigger = if buttons.contains(Buttons::PRIMARY_TRIGGER) { 1.0 } else { 0.0 };
    Ok(Some((ticks, Input { buttons, yaw, pitch, throttle, trigger, ..Input::default() })))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each line holds for its ticks; after the last, the aim alone is kept.
    #[test]
    fn a_line_holds_for_its_ticks() {
        let text = "# walk, then shoot\n2 1 -0.5 -90 10\n\n1 0 0 450 -5 jump,primary_trigger # once\n";
        let mut script = Script::parse(text).unwrap();
        assert_eq!(script.ticks(), 3);
        let walk = script.input();
        assert_eq!((walk.throttle, walk.buttons), ([1.0, -0.5], Buttons::default()));
        assert!(
            (walk.yaw.to_degrees() - 270.0).abs() < 1e-3 && (walk.pitch.to_degrees() - 10.0).abs() < 1e-3
        );
        assert_eq!(script.input(), walk);
        let shoot = script.input();
        assert_eq!(shoot.buttons, Buttons::JUMP.union(Buttons::PRIMARY_TRIGGER));
        assert_eq!((shoot.trigger, shoot.yaw.to_degrees().round()), (1.0, 90.0));
        let after = script.input();
        assert_eq!(after, Input { yaw: shoot.yaw, pitch: shoot.pitch, ..Input::default() });
        assert_eq!(script.input(), after);
    }

    /// Each fault is told with its line.
    #[test]
    fn a_fault_is_told_with_its_line() {
        let cases = [
            ("", 0, Fault::Empty),
            ("# nothing", 0, Fault::Empty),
            ("1 0 0 0", 1, Fault::Missing),
            ("\n0 0 0 0 0", 2, Fault::BadTicks),
            ("1.5 0 0 0 0", 1, Fault::BadTicks),
            ("1 0 x 0 0", 1, Fault::NotANumber),
            ("1 0 0 nan 0", 1, Fault::NotANumber),
            ("1 0 1.01 0 0", 1, Fault::BadStick),
            ("1 0 0 0 91", 1, Fault::BadPitch),
            ("1 0 0 0 0 fly", 1, Fault::UnknownButton),
            ("1 0 0 0 0 jump,", 1, Fault::UnknownButton),
            ("1 0 0 0 0 jump crouch", 1, Fault::TooMuch),
        ];
        for (text, line, fault) in cases {
            assert_eq!(Script::parse(text), Err(Error { line, fault }), "{text:?}");
        }
        assert_eq!(
            Script::parse("1").unwrap_err().to_string(),
            "line 1: TICKS FORWARD SIDE YAW PITCH are needed"
        );
    }
}
