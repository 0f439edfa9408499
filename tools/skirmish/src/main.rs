//! The program: reads its command line, does what it says, and ends with the code that scripts rely on. Knows no
//! game.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use clap::Parser as _;

use mjolnir_skirmish::ending::Ending;
use mjolnir_skirmish::game::maps;
use mjolnir_skirmish::options::{Command, Demo, Options};
use mjolnir_skirmish::summary::Summary;
use mjolnir_skirmish::{demo, play, setup};

/// The game itself found a fault.
const FAULT: u8 = 1;
/// Bad arguments, settings or files.
const BAD: u8 = 2;

fn main() -> ExitCode {
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_max_level(tracing::Level::WARN).init();
    let options = Options::parse();
    match options.command {
        Command::Demo(options) => play_demo(&options),
        Command::Host(options) => end(play::host(&options)),
        Command::Join(options) => end(play::join(&options)),
        Command::Local(options) => end(play::local(&options)),
        Command::Maps => {
            for map in maps() {
                println!("{:10} {}", map.name, map.about);
            }
            ExitCode::SUCCESS
        }
    }
}

fn end(played: Result<Ending, setup::Error>) -> ExitCode {
    match played {
        Ok(ending) => ExitCode::from(ending.code()),
        Err(error) => bad(&error),
    }
}

fn play_demo(options: &Demo) -> ExitCode {
    let summary = match demo::run(options) {
        Ok(summary) => summary,
        Err(error) => return bad(&error),
    };
    let written = write(&summary, &options.report);
    if options.json {
        match serde_json::to_string(&summary) {
            Ok(text) => println!("{text}"),
            Err(error) => eprintln!("{error}"),
        }
    } else {
        print(&summary);
    }
    if let Err(error) = written {
        return bad(&error);
    }
    if summary.agreement.first.is_none() { ExitCode::SUCCESS } else { ExitCode::from(FAULT) }
}

fn bad(error: &setup::Error) -> ExitCode {
    eprintln!("{error}");
    ExitCode::from(BAD)
}

fn write(summary: &Summary, folder: &Path) -> Result<(), setup::Error> {
    let path = folder.join("summary.json");
    let write = || {
        fs::create_dir_all(folder)?;
        fs::write(&path, serde_json::to_string_pretty(summary)? + "\n")
    };
    write().map_err(|error| setup::Error::File(path.clone(), error))
}

fn print(summary: &Summary) {
    let host = &summary.host;
    println!(
        "{} on {}, {} s: host {} ticks, netcode {:.0} us a tick (99 of 100 below {:.0}), {:.2} us a client and tick, \
         {:.2} allocations a tick",
        summary.variant,
        summary.map,
        summary.seconds,
        host.ticks,
        host.tick_us.p50,
        host.tick_us.p99,
        host.cpu_us_per_client_tick,
        host.allocations_per_tick,
    );
    println!(
        "machine  ticks  joined in  round trip    down B/tick  up B/tick  corrections  others off by (mean, most)"
    );
    for client in &summary.clients {
        println!(
            "{:7}  {:5}  {:6.0} ms  {:7.0} ms  {:11.0}  {:9.0}  {:11}  {:.3} wu, {:.3} wu",
            client.machine,
            client.ticks,
            client.join_ms,
            client.rtt_ms,
            client.down.bytes_per_tick,
            client.up.bytes_per_tick,
            client.own_corrections,
            client.remote_error_wu.mean,
            client.remote_error_wu.max,
        );
    }
    match &summary.agreement.first {
        None => println!("pass: the machines agree"),
        Some(at) => println!(
            "fail: tick {}, player {}, {}: host {}, client {}",
            at.tick, at.player, at.field, at.host, at.client
        ),
    }
}
