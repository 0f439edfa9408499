//! The program: reads its command line, does what it says, and ends with the code that scripts rely on. Knows no
//! game.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use mjolnir_skirmish::custom::Maps;
use mjolnir_skirmish::demo::Shown;
use mjolnir_skirmish::ending::Ending;
use mjolnir_skirmish::game::{levels, maps};
use mjolnir_skirmish::options::{
    Command, Demo, HostOptions, JoinOptions, LocalOptions, MapsOptions, Options,
};
use mjolnir_skirmish::summary::Summary;
use mjolnir_skirmish::{custom, demo, errand, lan, making, play, setup};

/// The game itself found a fault.
const FAULT: u8 = 1;
/// Bad arguments, settings or files.
const BAD: u8 = 2;

fn main() -> ExitCode {
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_max_level(tracing::Level::WARN).init();
    let (options, in_vain) = Options::read();
    in_vain.iter().for_each(|said| eprintln!("{said}"));
    let Some(command) = options.command else {
        return end(errand::run(&options.common));
    };
    match command {
        Command::Demo(options) => play_demo(&options),
        Command::Host(options) => end(setup::settled(&options.common)
            .and_then(|(common, settings)| play::host(&HostOptions { common, ..options }, &settings))),
        Command::Join(options) => end(setup::settled(&options.common)
            .and_then(|(common, settings)| play::join(&JoinOptions { common, ..options }, &settings))),
        Command::Browse(options) => match lan::browse(&options) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::from(BAD),
            Err(error) => bad(&error),
        },
        Command::Local(options) => end(setup::settled(&options.common)
            .and_then(|(common, settings)| play::local(&LocalOptions { common }, &settings))),
        Command::Maps(options) => {
            list(&options);
            ExitCode::SUCCESS
        }
        Command::MakeMap(options) => match making::make(&options) {
            Ok(made) => {
                println!("{made}");
                ExitCode::SUCCESS
            }
            Err(error) => bad(&error),
        },
    }
}

fn list(options: &MapsOptions) {
    let shipped = maps().chain(levels()).map(|map| format!("{:10} {}", map.name, map.about));
    let folder = custom::folder(options.data.as_deref());
    let here = folder.map(|folder| Maps::at(&folder)).unwrap_or_default().list();
    let lines = shipped.chain(here.iter().map(ToString::to_string));
    let mut out = io::stdout().lock();
    for line in lines {
        // Whoever listens no longer wants no more; nothing else is lost with it.
        if writeln!(out, "{line}").is_err() {
            break;
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
    // A folder that cannot be is told before the game, not after it.
    if let Err(error) = fs::create_dir_all(&options.report) {
        return bad(&setup::Error::File(options.report.clone(), error));
    }
    let shown = match demo::run(options) {
        Ok(shown) => shown,
        Err(error) => return bad(&error),
    };
    let Shown { summary, page } = shown;
    let written = write(&summary, page, &options.report);
    if options.json {
        match serde_json::to_string(&summary) {
            Ok(text) => println!("{text}"),
            Err(error) => eprintln!("{error}"),
        }
    } else {
        print(&summary);
    }
    match written {
        Ok(page) if !options.json => println!("report: {}", page.display()),
        Ok(_) => {}
        Err(error) => return bad(&error),
    }
    if summary.agreement.first.is_none() { ExitCode::SUCCESS } else { ExitCode::from(FAULT) }
}

fn bad(error: &setup::Error) -> ExitCode {
    eprintln!("{error}");
    ExitCode::from(BAD)
}

/// Writes the summary and the report beside it, and says where that stands.
fn write(
    summary: &Summary,
    page: serde_json::Result<String>,
    folder: &Path,
) -> Result<PathBuf, setup::Error> {
    let file = |path: &Path, text: serde_json::Result<String>| {
        let written = text.map_err(io::Error::from).and_then(|text| fs::write(path, text));
        written.map_err(|error| setup::Error::File(path.to_owned(), error))
    };
    let summary = serde_json::to_string_pretty(summary).map(|text| text + "\n");
    file(&folder.join("summary.json"), summary)?;
    let path = folder.join("report.html");
    file(&path, page)?;
    Ok(path)
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
    let wide = summary.clients.iter().map(|client| client.name.chars().count()).fold(16, usize::max);
    println!(
        "{:wide$}  ticks  joined in  round trip    down B/tick  up B/tick  corrections  \
         others off by (mean, most)",
        "player (machine)",
    );
    for client in &summary.clients {
        println!(
            "{:wide$}  {:5}  {:6.0} ms  {:7.0} ms  {:11.0}  {:9.0}  {:11}  {:.3} wu, {:.3} wu",
            client.name,
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
    println!("{} kills; hits: {}", summary.kills, summary.hits.in_words().as_deref().unwrap_or("none"));
    let lost = summary.clients.iter().filter(|client| client.disconnects > 0).count();
    let of = summary.clients.len();
    match &summary.agreement.first {
        None if lost == of => {
            println!("pass: every client was cut off, as asked; there was nothing to compare");
        }
        None if lost > 0 => println!("pass: the machines agree, {lost} of {of} left out: cut off, as asked"),
        None => println!("pass: the machines agree"),
        Some(at) => {
            let player = at.player_name.as_ref().map(|name| format!(", of {name}")).unwrap_or_default();
            println!(
                "fail: tick {}, {}{player}, {}: host {}, client {}",
                at.tick, at.client_name, at.field, at.host, at.client
            );
        }
    }
}
