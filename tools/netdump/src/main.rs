//! The program: reads its command line, shows what it is given, and ends with the code that scripts rely on. Knows no
//! message.

use std::fs::File;
use std::io::{self, BufRead, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser as _;

use mjolnir_netdump::capture::{self, Error};
use mjolnir_netdump::dump::Dump;
use mjolnir_netdump::hex;
use mjolnir_netdump::options::{Command, Options};
use mjolnir_netdump::reading::{self, Misread};

/// Something could not be read.
const WRONG: u8 = 1;
/// Bad arguments or files.
const BAD: u8 = 2;

fn main() -> ExitCode {
    let shown = match &Options::parse().command {
        Command::Decode { hex } if hex == "-" => lines(&mut io::stdin().lock()),
        Command::Decode { hex } => one(hex),
        Command::Pcap { file, port } => pcap(file, *port),
    };
    match shown {
        Ok(code) => ExitCode::from(code),
        // Whoever listens no longer wants no more.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(BAD)
        }
    }
}

/// The JSON of a line of hexadecimal, or what is wrong with it.
fn decoded(line: &[u8]) -> Result<String, Misread> {
    let bytes = hex::bytes(line)?;
    let reading = reading::read(&bytes)?;
    match reading.first_wrong() {
        Some(wrong) => Err(wrong),
        // Every value has a text in JSON.
        None => Ok(serde_json::to_string(&reading).unwrap_or_default()),
    }
}

fn one(hex: &str) -> io::Result<u8> {
    match decoded(hex.as_bytes()) {
        Ok(json) => writeln!(io::stdout(), "{json}").map(|()| 0),
        Err(Misread { error, offset }) => {
            eprintln!("{error} at offset {offset}");
            Ok(WRONG)
        }
    }
}

fn lines(from: &mut impl BufRead) -> io::Result<u8> {
    let (mut out, mut line, mut code) = (io::stdout().lock(), Vec::new(), 0);
    while hex::next_line(from, &mut line)? {
        match decoded(&line) {
            Ok(json) => writeln!(out, "{json}")?,
            Err(wrong) => {
                code = WRONG;
                writeln!(out, "{}", serde_json::to_string(&wrong)?)?;
            }
        }
    }
    Ok(code)
}

fn pcap(path: &Path, port: u16) -> io::Result<u8> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            return Ok(BAD);
        }
    };
    let mut dump = Dump::new(BufWriter::new(io::stdout().lock()), port);
    let read = capture::read(file, |frame| dump.take(frame));
    if let Err(Error::Stopped(error)) = read {
        return Err(error);
    }
    dump.finish()?;
    if let Some(left_out) = dump.left_out() {
        eprintln!("{}: {left_out}", path.display());
    }
    if dump.unknown_links() > 0 {
        eprintln!("{}: {} frames of links that are not read", path.display(), dump.unknown_links());
    }
    match read {
        Ok(()) if dump.is_wrong() || dump.unknown_links() > 0 => Ok(WRONG),
        Ok(()) => Ok(0),
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            Ok(if matches!(error, Error::NoCapture | Error::Unread) { BAD } else { WRONG })
        }
    }
}
