//! What is needed of the machine beyond Rust: Opus for a build with voice's codec, and a browser for the tests of the
//! demo's report.
//!
//! Opus needs the system's libopus, found by pkg-config, or cmake to build it. Where neither is there it is
//! installed if that needs no one's word; otherwise the one line to run is said. Without a browser its tests say
//! that they were not run.

use std::fs;
use std::process::{Command, Stdio};

use crate::{CANNOT, Failed, tree};

/// Has cargo build the codec too, in a command for the whole workspace: the tests' feature asks for it of every crate that
/// knows of it.
pub(crate) const WITH_CODEC: [&str; 2] = ["--features", "mjolnir-tests/opus"];
/// The package that makes the codec's sources or the system's library necessary.
const CODEC: &str = "audiopus";
/// The one line.
const BY_HAND: &str = "apt-get install libopus-dev pkg-config";
/// The names that a browser which the tests can drive goes by.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// No question, no waiting without end where there is no network or another installs.
const APT: [&str; 8] = [
    "-y",
    "--no-install-recommends",
    "-o",
    "DPkg::Lock::Timeout=60",
    "-o",
    "Acquire::Retries=0",
    "-o",
    "Acquire::http::Timeout=20",
];

/// Makes sure of what the workspace needs; says what it installs.
pub(crate) fn ensure() -> Result<(), Failed> {
    let voice = fs::read_to_string(tree::root().join("crates/voice/Cargo.toml")).unwrap_or_default();
    if !voice.contains(CODEC) || ensure_opus(&mut succeeds) {
        return Ok(());
    }
    eprintln!("xtask: Opus needs libopus or cmake. Run this, then try again:\n  {BY_HAND}");
    Err(CANNOT)
}

/// Whether the machine has Opus, or has it now. `succeeds` runs a command and says whether it ended well.
fn ensure_opus(succeeds: &mut dyn FnMut(&[&str]) -> bool) -> bool {
    if succeeds(&["pkg-config", "--exists", "opus"]) || succeeds(&["cmake", "--version"]) {
        return true;
    }
    install(&["libopus-dev", "pkg-config"], "voice's codec needs them", succeeds)
        && succeeds(&["pkg-config", "--exists", "opus"])
}

/// Makes sure of a browser for the tests, if it can; says what it installs, or that there is none.
pub(crate) fn ensure_browser() {
    if !has_browser(&mut succeeds) {
        eprintln!("xtask: no chromium: the demo's report is not tried in a browser");
    }
}

/// Whether the machine has a browser, or has it now.
fn has_browser(succeeds: &mut dyn FnMut(&[&str]) -> bool) -> bool {
    let has = |succeeds: &mut dyn FnMut(&[&str]) -> bool| {
        BROWSERS.iter().any(|browser| succeeds(&[browser, "--version"]))
    };
    has(succeeds)
        || (install(&["chromium"], "the tests of the demo's report need it", succeeds) && has(succeeds))
}

/// Whether those packages could be installed without anyone's word.
fn install(packages: &[&'static str], why: &str, succeeds: &mut dyn FnMut(&[&str]) -> bool) -> bool {
    let before: &[&str] = if succeeds(&["sh", "-c", "test \"$(id -u)\" = 0"]) {
        &[]
    } else if succeeds(&["sudo", "-n", "true"]) {
        &["sudo", "-n"]
    } else {
        return false;
    };
    if !succeeds(&["apt-get", "--version"]) {
        return false;
    }
    eprintln!("xtask: installing {} ({why})", packages.join(" and "));
    let apt = |command: &[&'static str]| [before, &["apt-get"], &APT, command].concat();
    let install = apt(&[&["install"], packages].concat());
    // A machine without lists of packages knows none: they are fetched, and it is tried once more.
    succeeds(&install) || (succeeds(&apt(&["update"])) && succeeds(&install))
}

fn succeeds(command: &[&str]) -> bool {
    let quiet = !command.contains(&"apt-get");
    let mut run = Command::new(command[0]);
    run.args(&command[1..])
        .stdin(Stdio::null())
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdout(Stdio::null());
    if quiet {
        run.stderr(Stdio::null());
    }
    run.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is asked of a machine on which only commands that contain one of `working` end well.
    fn asked(working: &[&str], library_after_install: bool) -> (bool, Vec<String>) {
        let mut asked = Vec::new();
        let mut installed = false;
        let has = ensure_opus(&mut |command| {
            let command = command.join(" ");
            let works = working.iter().any(|works| command.contains(works));
            installed |= works && command.contains(" install ");
            asked.push(command.clone());
            works || (command.contains("--exists") && installed && library_after_install)
        });
        (has, asked)
    }

    /// A browser of any of the names will do; one that installs without being there after is none.
    #[test]
    fn a_browser() {
        let has = |working: &[&str]| {
            let mut asked = Vec::new();
            let has = has_browser(&mut |command| {
                asked.push(command.join(" "));
                working.iter().any(|works| asked[asked.len() - 1].contains(works))
            });
            (has, asked)
        };
        assert_eq!(has(&["chromium --version"]).1.len(), 1);
        assert!(has(&["google-chrome --version"]).0);
        let (is_there, commands) = has(&["id -u", "apt-get --version", " install "]);
        assert!(
            !is_there && commands.iter().filter(|command| command.contains(" install chromium")).count() == 1
        );
        assert!(!has(&[]).0);
    }

    /// A machine that has it is asked nothing more.
    #[test]
    fn present() {
        assert_eq!(asked(&["--exists opus"], false).1.len(), 1);
        let (has, commands) = asked(&["cmake --version"], false);
        assert!(has && commands.len() == 2);
    }

    /// Root installs, with the lists fetched first only where the package is not known.
    #[test]
    fn installed_by_root() {
        let (has, commands) = asked(&["id -u", "apt-get --version", " install ", " update"], true);
        assert!(has, "{commands:?}");
    }

    /// sudo is used where it asks for no password.
    #[test]
    fn installed_by_sudo() {
        let (has, commands) = asked(&["sudo -n", "apt-get --version"], true);
        assert!(has, "{commands:?}");
        assert!(commands.iter().any(|command| command.starts_with("sudo -n apt-get -y")));
    }

    /// Without the right to install nothing is tried; without a network it is tried once more and given up.
    #[test]
    fn not_installed() {
        let (has, commands) = asked(&["apt-get --version"], false);
        assert!(!has && !commands.iter().any(|command| command.contains("install")));
        let (has, commands) = asked(&["id -u", "apt-get --version"], false);
        assert!(!has);
        assert_eq!(commands.iter().filter(|command| command.contains(" install ")).count(), 1);
    }
}
