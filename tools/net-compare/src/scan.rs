//! Reading a line from its front: words, numbers, and where it went wrong. Knows no field.

use std::fmt;
use std::str::FromStr;

/// Why a line is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Another text was due here.
    Expected(&'static str),
    /// A number was due here.
    Number,
    /// The number here is out of its field's range.
    Range,
    /// This player stands in the line twice.
    Repeated,
    /// The line should have ended here.
    Trailing,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expected(text) => write!(f, "expected {text:?}"),
            Self::Number => f.write_str("expected a number"),
            Self::Range => f.write_str("the number is out of range"),
            Self::Repeated => f.write_str("the player stands there twice"),
            Self::Trailing => f.write_str("expected the end of the line"),
        }
    }
}

/// A text that is not a line of the log, and where that showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineError {
    /// Bytes from the line's front.
    pub at: usize,
    /// What is wrong there.
    pub fault: Fault,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.at, self.fault)
    }
}

impl std::error::Error for LineError {}

/// What is left of a line.
pub(crate) struct Scanner<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(line: &'a str) -> Self {
        Self { line, at: 0 }
    }

    fn rest(&self) -> &'a str {
        &self.line[self.at..]
    }

    /// The error of `fault` here.
    pub(crate) fn fault(&self, fault: Fault) -> LineError {
        LineError { at: self.at, fault }
    }

    /// Steps over `text` if it stands here.
    pub(crate) fn take(&mut self, text: &str) -> bool {
        let stands = self.rest().starts_with(text);
        if stands {
            self.at += text.len();
        }
        stands
    }

    /// Steps over `text`, which must stand here.
    pub(crate) fn expect(&mut self, text: &'static str) -> Result<(), LineError> {
        if self.take(text) { Ok(()) } else { Err(self.fault(Fault::Expected(text))) }
    }

    /// A whole number, after `prefix`.
    pub(crate) fn whole<T: FromStr>(&mut self, prefix: &'static str) -> Result<T, LineError> {
        self.expect(prefix)?;
        let digits = self.rest().strip_prefix('-').unwrap_or(self.rest());
        let sign = self.rest().len() - digits.len();
        let length = sign + run(digits, |c| c.is_ascii_digit());
        self.number(length, sign, str::parse)
    }

    /// A number with decimals, or without, after `prefix`. Never an exponent, an infinity or not a number.
    pub(crate) fn real(&mut self, prefix: &'static str) -> Result<f64, LineError> {
        self.expect(prefix)?;
        let digits = self.rest().strip_prefix('-').unwrap_or(self.rest());
        let sign = self.rest().len() - digits.len();
        let mut length = run(digits, |c| c.is_ascii_digit());
        if length > 0 && digits[length..].starts_with('.') {
            length += 1 + run(&digits[length + 1..], |c| c.is_ascii_digit());
        }
        let value: f64 = self.number(sign + length, sign, str::parse)?;
        if value.is_finite() { Ok(value) } else { Err(self.fault(Fault::Range)) }
    }

    /// The low 16 bits of a tag, in hexadecimal.
    pub(crate) fn hex(&mut self) -> Result<u16, LineError> {
        let length = run(self.rest(), |c| c.is_ascii_hexdigit());
        self.number(length, 0, |digits| u16::from_str_radix(digits, 16))
    }

    fn number<T, E>(
        &mut self,
        length: usize,
        sign: usize,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, LineError> {
        if length == sign {
            return Err(self.fault(Fault::Number));
        }
        let value = parse(&self.rest()[..length]).map_err(|_| self.fault(Fault::Range))?;
        self.at += length;
        Ok(value)
    }

    /// Whether a weapon's `tag:` comes next, after a space.
    pub(crate) fn at_weapon(&self) -> bool {
        let Some(rest) = self.rest().strip_prefix(' ') else { return false };
        let digits = run(rest, |c| c.is_ascii_hexdigit());
        digits > 0 && rest[digits..].starts_with(':')
    }

    /// The end of the line, which must be here.
    pub(crate) fn end(&self) -> Result<(), LineError> {
        if self.rest().is_empty() { Ok(()) } else { Err(self.fault(Fault::Trailing)) }
    }
}

/// Bytes at the front of `text` that `is` holds for.
fn run(text: &str, is: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is(c)).unwrap_or(text.len())
}
