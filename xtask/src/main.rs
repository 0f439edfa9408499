//! The project's tasks: `cargo xtask COMMAND`. One file a command; it depends on no crate, ours or another's, and
//! runs what it needs as programs.

use std::process::ExitCode;

mod bench;
mod budget;
mod ci;
mod compare;
mod coverage;
mod demo;
mod format;
mod fuzz;
mod json;
mod manifest;
mod native;
mod run;
mod soak;
mod source;
mod test;
mod tidy;
mod tree;

const HELP: &str = "\
cargo xtask COMMAND

  demo [ARGS]       builds in release and runs `skirmish demo ARGS`: one host and several clients
  test              check-format, then every test of the workspace
  check-format      compares network_format.txt with what the wire crate describes
  record-format     rewrites it; refuses a changed or removed item while the version is the recorded one
  record-budget     rewrites tests/budget.txt: what bad networks cost, which a test compares
  tidy              the architecture's rules: arrows, purity, file lengths, names
  coverage          which requirements have a test [--write: also into docs/requirements.md] [--json]
  soak --seeds N [--first S] [--minutes M]  whole games from seeds under everything that goes wrong [--help]
  bench [CRATE] [ARGS]  the benches of one crate or of all, with a table at the end; Criterion takes ARGS (--quick)
  fuzz [TARGET [--seconds N]]  one fuzz target under libFuzzer, or the targets' names
  ci                all of what must hold before a change is taken, tests last
";

/// Why a command did not end well: the exit code, after its reason was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failed(pub(crate) u8);

/// The exit code of what was found wrong.
pub(crate) const FOUND: Failed = Failed(1);
/// The exit code of wrong arguments, and of a machine that lacks something.
pub(crate) const CANNOT: Failed = Failed(2);

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match command(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failed(code)) => ExitCode::from(code),
    }
}

fn command(args: &[String]) -> Result<(), Failed> {
    let Some((name, rest)) = args.split_first() else {
        print!("{HELP}");
        return Ok(());
    };
    match (name.as_str(), rest) {
        ("help" | "--help" | "-h", _) => {
            print!("{HELP}");
            Ok(())
        }
        ("demo", args) => demo::run(args),
        ("soak", args) => soak::run(args),
        (_, [flag]) if flag == "--help" || flag == "-h" => {
            print!("{HELP}");
            Ok(())
        }
        ("test", []) => test::run(),
        ("check-format", []) => format::check(),
        ("record-format", []) => format::record(),
        ("record-budget", []) => budget::record(),
        ("tidy", []) => tidy::run(),
        ("coverage", args) => coverage::run(args),
        ("bench", args) => bench::run(args),
        ("fuzz", args) => fuzz::run(args),
        ("ci", []) => ci::run(),
        _ => {
            eprint!("xtask: no such command: {}\n\n{HELP}", args.join(" "));
            Err(CANNOT)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(String::from).collect()
    }

    /// Wrong arguments end in 2; the help in 0.
    #[test]
    fn wrong_arguments() {
        assert_eq!(command(&words("dance")), Err(CANNOT));
        assert_eq!(command(&words("tidy now")), Err(CANNOT));
        assert_eq!(command(&words("bench wire clock")), Err(CANNOT));
        assert_eq!(command(&words("bench nonsense")), Err(CANNOT));
        assert_eq!(command(&words("fuzz nonsense")), Err(CANNOT));
        assert_eq!(command(&words("test --help")), Ok(()));
        assert_eq!(command(&words("coverage --read")), Err(CANNOT));
        assert_eq!(command(&words("--help")), Ok(()));
        assert_eq!(command(&[]), Ok(()));
    }
}
