//! The program: plays two builds against each other on the loopback, or reads two logs, and says whether the machines
//! agreed. Knows no game but what its copies log; the judging is the library's. Linux alone: what keeps the copies
//! ([`keeper`]) relies on its kernel.

use std::env;
use std::process::ExitCode;

use mjolnir_net_compare::Line;

use options::{Options, Task};
use report::Report;

mod config;
mod copy;
mod folder;
mod follow;
mod game;
mod keeper;
mod kept;
mod options;
mod plan;
mod playing;
mod report;
mod run;
mod signals;

/// Bad arguments, or a folder that cannot be written.
const BAD: u8 = 2;

fn main() -> ExitCode {
    let mut args = env::args_os().skip(1);
    match args.next() {
        Some(mode) if mode == keeper::KEEP => return keeper::keep(args),
        Some(mode) if mode == keeper::BECOME => return keeper::become_it(args),
        _ => {}
    }
    match Options::read().task() {
        Ok(Task::Compare { host, client }) => compare(follow::read(&host), follow::read(&client)),
        Ok(Task::Play(task)) => run::play(&task).unwrap_or_else(|error| {
            report::complain(&error.to_string());
            ExitCode::from(BAD)
        }),
        Err(why) => {
            report::complain(&why);
            ExitCode::from(BAD)
        }
    }
}

/// Judges two logs that stand already (TOOL-42).
fn compare(host: Result<Vec<Line>, String>, client: Result<Vec<Line>, String>) -> ExitCode {
    let report = Report::of_logs(host, client);
    report::say(&report.to_string());
    ExitCode::from(report::code([&report.outcome]))
}
