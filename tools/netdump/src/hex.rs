//! Hexadecimal and lines of it, whatever comes. Knows no message.

use std::io::{self, BufRead, Read as _};

use crate::reading::Misread;

/// Characters of a line that are kept: more than any message has, spaces between all its bytes included. What is
/// longer is refused as too long.
pub const LINE_MOST: usize = 64 * 1024;

/// The bytes of a line; spaces are passed over. An error's offset counts whole bytes.
pub fn bytes(line: &[u8]) -> Result<Vec<u8>, Misread> {
    let mut bytes = Vec::with_capacity(line.len().min(LINE_MOST) / 2);
    if line.len() > LINE_MOST {
        return Err(Misread { error: "too_long", offset: LINE_MOST / 2 });
    }
    let mut half = None;
    for character in line.iter().filter(|character| !character.is_ascii_whitespace()) {
        let Some(digit) = char::from(*character).to_digit(16) else {
            return Err(Misread { error: "not_hexadecimal", offset: bytes.len() });
        };
        match half.take() {
            None => half = Some(digit as u8),
            Some(high) => bytes.push(high << 4 | digit as u8),
        }
    }
    match half {
        None => Ok(bytes),
        Some(_) => Err(Misread { error: "half_a_byte", offset: bytes.len() }),
    }
}

/// Reads a line without its end into `line`, of which at most one byte more than [`LINE_MOST`] is kept. False at the
/// end of the input.
pub fn next_line(from: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut read = from.by_ref().take(LINE_MOST as u64 + 1).read_until(b'\n', line)?;
    if read == 0 {
        return Ok(false);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok(true);
    }
    while read > 0 {
        let rest = from.fill_buf()?;
        let end = rest.iter().position(|byte| *byte == b'\n');
        read = end.map_or(rest.len(), |at| at + 1);
        from.consume(read);
        if end.is_some() {
            break;
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_hexadecimal_is_told_where_it_is() {
        assert_eq!(bytes(b"00 fF\t1a\r"), Ok(vec![0x00, 0xFF, 0x1A]));
        assert_eq!(bytes(b""), Ok(vec![]));
        assert_eq!(bytes(b"00 1"), Err(Misread { error: "half_a_byte", offset: 1 }));
        assert_eq!(bytes(b"0011 2x"), Err(Misread { error: "not_hexadecimal", offset: 2 }));
        assert_eq!(bytes("00é".as_bytes()), Err(Misread { error: "not_hexadecimal", offset: 1 }));
    }

    /// A line of the most is read, of one more it is refused, and the line after either is whole.
    #[test]
    fn a_line_is_kept_up_to_its_most() {
        for (length, fits) in [(LINE_MOST, true), (LINE_MOST + 1, false), (3 * LINE_MOST, false)] {
            let text = [&vec![b'0'; length][..], b"\n0a\n"].concat();
            let (mut from, mut line) = (&text[..], Vec::new());
            assert!(next_line(&mut from, &mut line).unwrap());
            assert!(line.len() <= LINE_MOST + 1);
            assert_eq!(bytes(&line).is_ok(), fits, "{length}");
            assert!(next_line(&mut from, &mut line).unwrap());
            assert_eq!(bytes(&line), Ok(vec![10]), "{length}");
            assert!(!next_line(&mut from, &mut line).unwrap());
        }
    }
}
