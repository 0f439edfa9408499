//! Who may depend on whom, as the table of `docs/architecture.md` says: each of our crates stands in it once, and
//! no manifest names one of ours that its row does not.

use std::collections::{BTreeMap, BTreeSet};

use super::{Finding, Workspace};

const PAGE: &str = "docs/architecture.md";
/// The table's head.
const HEAD: &str = "| crate | may depend on |";

/// A crate of ours by its short name, as the table has it.
fn ours(package: &str) -> Option<&str> {
    if package == "xtask" { Some(package) } else { package.strip_prefix("mjolnir-") }
}

pub(super) fn keep_to_the_table(workspace: &Workspace) -> Vec<Finding> {
    let page = workspace.files.iter().find(|file| file.path == PAGE).map_or("", |file| file.text.as_str());
    let (table, mut findings) = read(page);
    let mut unseen: BTreeSet<&str> = table.keys().copied().collect();
    for manifest in &workspace.manifests {
        let Some(name) = manifest.name().and_then(ours) else { continue };
        unseen.remove(name);
        let Some(allowed) = table.get(name) else {
            findings.push(Finding::new(
                &manifest.path,
                1,
                format!("{name} is not in the arrows' table of {PAGE}"),
            ));
            continue;
        };
        for dependency in manifest.dependencies() {
            let Some(other) = ours(dependency.name) else { continue };
            if let Allowed::These(these) = allowed
                && !these.contains(other)
            {
                let what = format!("{name} may not depend on {other} ({PAGE})");
                findings.push(Finding::new(&manifest.path, dependency.line, what));
            }
        }
    }
    findings.extend(unseen.iter().map(|name| Finding::new(PAGE, 1, format!("there is no crate {name}"))));
    findings
}

enum Allowed<'a> {
    All,
    These(BTreeSet<&'a str>),
}

/// The table: in the first column the crates that a row is of, in the second those they may depend on, or `all`.
fn read(page: &str) -> (BTreeMap<&str, Allowed<'_>>, Vec<Finding>) {
    let mut table = BTreeMap::new();
    let mut findings = Vec::new();
    let lines = page.lines().enumerate().skip_while(|(_, line)| *line != HEAD).skip(2);
    for (at, line) in lines.take_while(|(_, line)| line.starts_with('|')) {
        let mut cells = line.trim_matches('|').split('|');
        let (names, others) = (cells.next().unwrap_or_default(), cells.next().unwrap_or_default());
        for name in quoted(names) {
            let allowed =
                if others.trim() == "all" { Allowed::All } else { Allowed::These(quoted(others).collect()) };
            if table.insert(name, allowed).is_some() {
                findings.push(Finding::new(PAGE, at + 1, format!("{name} has two rows")));
            }
        }
    }
    if table.is_empty() {
        findings.push(Finding::new(PAGE, 1, format!("the arrows' table is missing: {HEAD}")));
    }
    (table, findings)
}

/// What stands between backquotes.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[cfg(test)]
mod tests {
    use super::super::planted::found;
    use super::*;

    const TABLE: &str = "\
text
| crate | may depend on |
|---|---|
| `wire` | nothing |
| `clock`, `chat` | `wire` |
| `tests` | all |

| `other` | table |
";
    const WIRE: (&str, &str) = ("crates/wire/Cargo.toml", "[package]\nname = \"mjolnir-wire\"\n");
    const CHAT: (&str, &str) = ("crates/chat/Cargo.toml", "[package]\nname = \"mjolnir-chat\"\n");
    const TESTS: (&str, &str) = (
        "tests/Cargo.toml",
        "[package]\nname = \"mjolnir-tests\"\n[dependencies]\nmjolnir-chat.workspace = true\nserde = \"1\"\n",
    );

    fn with_clock(dependencies: &str) -> Vec<String> {
        let clock = format!("[package]\nname = \"mjolnir-clock\"\n{dependencies}");
        let clock = ("crates/clock/Cargo.toml", clock.as_str());
        found(keep_to_the_table, &[(PAGE, TABLE), WIRE, CHAT, TESTS, clock])
    }

    /// An arrow that the table has not is found, for tests too.
    #[test]
    fn finds_an_arrow() {
        assert_eq!(with_clock("[dependencies]\nmjolnir-wire.workspace = true\n"), [""; 0]);
        let planted =
            with_clock("[dependencies]\nmjolnir-wire.workspace = true\nmjolnir-chat.workspace = true\n");
        assert_eq!(planted, ["crates/clock/Cargo.toml:5"]);
        let planted = with_clock("[dev-dependencies]\nmjolnir-chat = { workspace = true }\n");
        assert_eq!(planted, ["crates/clock/Cargo.toml:4"]);
    }

    /// A crate without a row, a row without a crate, two rows and no table are found.
    #[test]
    fn finds_a_wrong_table() {
        assert_eq!(found(keep_to_the_table, &[(PAGE, TABLE), WIRE, CHAT, TESTS]), [format!("{PAGE}:1")]);
        let coop = ("crates/coop/Cargo.toml", "[package]\nname = \"mjolnir-coop\"\n");
        let table = "| crate | may depend on |\n|---|---|\n| `wire` | nothing |\n";
        assert_eq!(found(keep_to_the_table, &[(PAGE, table), WIRE, coop]), ["crates/coop/Cargo.toml:1"]);
        let twice = format!("{table}| `wire` | all |\n");
        assert_eq!(found(keep_to_the_table, &[(PAGE, &twice), WIRE]), [format!("{PAGE}:4")]);
        assert_eq!(found(keep_to_the_table, &[WIRE]).len(), 2);
    }
}
