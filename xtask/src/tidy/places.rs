//! What ties a file to one machine: a path that only it has, a host that the project does not name on purpose.
//! Lock files are cargo's and left to it.

use super::{Finding, Workspace};
use crate::tree::TextFile;

/// Folders at a machine's root whose contents are its own.
const FOLDERS: [&str; 6] = ["home", "root", "tmp", "work", "Users", "mnt"];

/// The hosts that our texts link to. A new one is added here, so that someone looked at it.
const HOSTS: [&str; 8] = [
    "docs.rs",
    "doc.rust-lang.org",
    "github.com",
    "keepachangelog.com",
    "rustup.rs",
    "semver.org",
    "www.apache.org",
    "www.w3.org",
];

fn looked_at(workspace: &Workspace) -> impl Iterator<Item = &TextFile> {
    workspace.files.iter().filter(|file| !file.path.ends_with("Cargo.lock"))
}

pub(super) fn no_path_of_a_machine(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in looked_at(workspace) {
        for (at, line) in file.text.lines().enumerate() {
            if let Some(path) =
                FOLDERS.iter().map(|folder| format!("/{folder}/")).find(|path| has_root(line, path))
            {
                findings.push(Finding::new(&file.path, at + 1, format!("{path} is a path of one machine")));
            }
        }
    }
    findings
}

/// Whether `path` stands in the line as a path from the root: after nothing that a longer path has.
fn has_root(line: &str, path: &str) -> bool {
    let longer = |c: char| c.is_alphanumeric() || ".-_~}>*/".contains(c);
    line.match_indices(path).any(|(at, _)| !line[..at].ends_with(longer))
}

pub(super) fn known_hosts(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in looked_at(workspace) {
        for (at, line) in file.text.lines().enumerate() {
            for host in hosts(line).filter(|host| !HOSTS.contains(host)) {
                let what = format!("{host:?} is a host that xtask/src/tidy/places.rs does not list");
                findings.push(Finding::new(&file.path, at + 1, what));
            }
            let settings = file.path.ends_with(".toml") && line.trim_start().starts_with("[source");
            if settings || (file.path.ends_with(".toml") && line.contains("[registries")) {
                findings.push(Finding::new(
                    &file.path,
                    at + 1,
                    "where crates come from is each machine's own",
                ));
            }
        }
    }
    findings
}

/// The hosts of the links in a line.
fn hosts(line: &str) -> impl Iterator<Item = &str> {
    line.split("://").skip(1).filter_map(|rest| {
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || ".-_".contains(c))).unwrap_or(rest.len());
        (end > 0).then_some(&rest[..end])
    })
}

#[cfg(test)]
mod tests {
    use super::super::planted::found;
    use super::*;

    /// A path of one machine is found, in any text; a path within the project is none.
    #[test]
    fn finds_a_path() {
        for folder in FOLDERS {
            let text = format!("first\nsee /{folder}/x/y\n");
            assert_eq!(found(no_path_of_a_machine, &[("docs/a.md", &text)]), ["docs/a.md:2"]);
            let quoted = format!("let a = \"/{folder}/x\";\n");
            assert_eq!(found(no_path_of_a_machine, &[("crates/a/src/lib.rs", &quoted)]).len(), 1);
            for inner in [format!("src/{folder}/x"), format!("./{folder}/x"), format!("a{folder}/x")] {
                assert_eq!(found(no_path_of_a_machine, &[("docs/a.md", &inner)]), [""; 0]);
            }
            assert_eq!(found(no_path_of_a_machine, &[("Cargo.lock", &text)]), [""; 0]);
        }
    }

    /// A host that is not listed is found, and a registry's settings.
    #[test]
    fn finds_a_host() {
        let of = |path: &str, text: &str| found(known_hosts, &[(path, text)]);
        assert_eq!(of("README.md", "[rustup](https://rustup.rs) and https://github.com/a/b"), [""; 0]);
        let planted = format!("registry = \"sparse+https{}registry.example/index\"", "://");
        assert_eq!(of(".cargo/config.toml", &planted), [".cargo/config.toml:1"]);
        assert_eq!(of("Cargo.lock", &planted), [""; 0]);
        assert_eq!(of(".cargo/config.toml", "a = 1\n[source.crates-io]\n"), [".cargo/config.toml:2"]);
        assert_eq!(of("docs/a.md", "a://, b"), [""; 0]);
    }
}
