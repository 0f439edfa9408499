//! Plays whole games from seeds under everything that goes wrong, and says which seed and tick broke what must hold.
//! Knows arguments and threads; the games are the library's.

use std::num::NonZero;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use mjolnir_tests::soak::{self, Tally};

const HELP: &str = "\
soak --seeds N [--first S] [--minutes M] [--jobs J] [--tell]

  --seeds N     plays the games of N seeds
  --first S     from this one on [default: 1]
  --minutes M   each for so many minutes of its own time [default: 2]
  --jobs J      so many at a time [default: one a core]
  --tell        says what happens in each

A game that breaks what must hold is named by its seed and tick on a line of its own, and the exit code is 1.
The same seed with the same minutes plays the same game again.
";

struct Options {
    seeds: u64,
    first: u64,
    minutes: u64,
    jobs: usize,
    tells: bool,
}

/// A game runs out of ticks after longer, in minutes.
const MOST_MINUTES: u64 = 10_000;
/// More at a time than any machine has cores.
const MOST_JOBS: u64 = 1024;

fn number(option: &str, value: Option<String>, most: u64) -> Result<u64, String> {
    let value = value.and_then(|value| value.parse().ok()).filter(|value| *value <= most);
    value.ok_or_else(|| format!("{option} takes a whole number of at most {most}"))
}

fn options() -> Result<Option<Options>, String> {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let mut options = Options { seeds: 0, first: 1, minutes: 2, jobs: cores, tells: false };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--help" | "-h" => return Ok(None),
            "--tell" => options.tells = true,
            "--seeds" => options.seeds = number(&arg, args.next(), u64::MAX)?,
            "--first" => options.first = number(&arg, args.next(), u64::MAX)?,
            "--minutes" => options.minutes = number(&arg, args.next(), MOST_MINUTES)?,
            "--jobs" => options.jobs = number(&arg, args.next(), MOST_JOBS)? as usize,
            _ => return Err(format!("no such option: {arg}")),
        }
    }
    if options.first.checked_add(options.seeds).is_none() {
        return Err(String::from("there are no seeds past 18446744073709551615"));
    }
    if options.seeds == 0 || options.minutes == 0 || options.jobs == 0 {
        return Err(String::from("--seeds, --minutes and --jobs are at least 1"));
    }
    Ok(Some(options))
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(Some(options)) => options,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(what) => {
            eprint!("soak: {what}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    let Options { seeds, first, minutes, jobs, tells } = options;
    let next = AtomicU64::new(0);
    let all = Mutex::new((Tally::default(), 0_u64));
    let start = Instant::now();
    let work = || {
        while let seed = next.fetch_add(1, Ordering::Relaxed)
            && seed < seeds
        {
            let seed = first + seed;
            let mut tell = |line: &str| {
                if tells {
                    println!("seed {seed} {line}");
                }
            };
            let play = || soak::play(seed, minutes * 60, &mut tell, |_| {});
            // A machine's panic is found as what else breaks, with its tick; this is for one of the test's own.
            let played = std::panic::catch_unwind(std::panic::AssertUnwindSafe(play));
            let Ok(mut all) = all.lock() else { return };
            match played {
                Ok(Ok(tally)) => all.0 += tally,
                Ok(Err(broken)) => {
                    println!("{broken}");
                    all.1 += 1;
                }
                Err(_) => {
                    println!("seed {seed}: panicked");
                    all.1 += 1;
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(work);
        }
    });
    let Ok((tally, broken)) = all.into_inner() else { return ExitCode::from(1) };
    let seconds = start.elapsed().as_secs_f64();
    let times = tally.micros as f64 / 1e6 / (seconds * jobs as f64);
    println!("{seeds} seeds from {first}: {tally}");
    println!("{seconds:.0} s with {jobs} at a time: {times:.0} times real time each; {broken} broken");
    ExitCode::from(u8::from(broken > 0))
}
