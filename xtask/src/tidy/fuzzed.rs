//! Every file of `wire` that reads bytes has a fuzz target of its name, and every target stands where it is looked
//! for: its program, its line in the package of programs, its line in the table of functions.

use super::{Finding, Workspace};

/// Where `wire` reads.
const WIRE: &str = "crates/wire/src/";
/// The targets' programs.
const PROGRAMS: &str = "tests/fuzz/fuzz_targets/";
/// Their manifest.
const MANIFEST: &str = "tests/fuzz/Cargo.toml";
/// The table of their functions.
const TABLE: &str = "tests/src/fuzz.rs";

/// Files of `wire` that read nothing, or nothing that another's target does not read: the oracle is held beside
/// every struct, a kind is a byte, of which a test tries all.
const READ_NOTHING: [&str; 25] = [
    "actors/layouts.rs",
    "cold.rs",
    "damage/layouts.rs",
    "error.rs",
    "events/actions.rs",
    "events/fields.rs",
    "format.rs",
    "inputs/shown.rs",
    "kinds.rs",
    "layout.rs",
    "lib.rs",
    "limits.rs",
    "machines.rs",
    "mapshare/files.rs",
    "mapshare/layouts.rs",
    "object_name.rs",
    "outbox.rs",
    "packets/mod.rs",
    "shown.rs",
    "stamps.rs",
    "swarm/kinds.rs",
    "swarm/layouts.rs",
    "units/shown.rs",
    "voice/layouts.rs",
    "voice/settings.rs",
];

/// The target of a file of `wire`.
fn target_of(file: &str) -> String {
    format!("wire_{}", file.trim_end_matches(".rs").replace('/', "_"))
}

pub(super) fn wire_has_targets(workspace: &Workspace) -> Vec<Finding> {
    let paths = || workspace.files.iter().map(|file| file.path.as_str());
    let text = |path: &str| {
        workspace.files.iter().find(|file| file.path == path).map_or("", |file| file.text.as_str())
    };
    let wire: Vec<&str> = paths().filter_map(|path| path.strip_prefix(WIRE)).collect();
    if wire.is_empty() {
        return Vec::new();
    }
    let programs: Vec<&str> =
        paths().filter_map(|path| path.strip_prefix(PROGRAMS)?.strip_suffix(".rs")).collect();
    let mut findings = Vec::new();
    let reading: Vec<&str> = wire.iter().copied().filter(|file| !READ_NOTHING.contains(file)).collect();
    for file in &reading {
        let target = target_of(file);
        if !programs.contains(&target.as_str()) {
            let what = format!("it has no fuzz target {target} and is not listed as reading nothing");
            findings.push(Finding::new(&format!("{WIRE}{file}"), 1, what));
        }
    }
    for file in READ_NOTHING.iter().filter(|file| !wire.contains(file)) {
        let what = format!("{file} is listed as reading nothing and is not there");
        findings.push(Finding::new(WIRE, 1, what));
    }
    for program in programs {
        let path = format!("{PROGRAMS}{program}.rs");
        if program.starts_with("wire_") && !reading.iter().any(|file| target_of(file) == program) {
            findings.push(Finding::new(&path, 1, "no file of wire that reads has this name"));
        }
        for (place, line) in
            [(MANIFEST, format!("name = \"{program}\"")), (TABLE, format!("(\"{program}\", "))]
        {
            if !text(place).contains(&line) {
                findings.push(Finding::new(&path, 1, format!("{place} does not have it")));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::planted::found;
    use super::*;

    /// What the rule finds in a workspace with these wire files and programs, both of which the table and the
    /// manifest list but `unlisted`.
    fn of(wire: &[&str], programs: &[&str], unlisted: &str) -> Vec<String> {
        let mut files: Vec<(String, String)> = Vec::new();
        let nothing = READ_NOTHING.iter().filter(|file| !wire.contains(file));
        files.extend(nothing.chain(wire).map(|file| (format!("{WIRE}{file}"), String::new())));
        files.extend(programs.iter().map(|name| (format!("{PROGRAMS}{name}.rs"), String::new())));
        let listed = || programs.iter().filter(|name| **name != unlisted);
        files.push((MANIFEST.into(), listed().map(|name| format!("name = \"{name}\"\n")).collect()));
        files.push((TABLE.into(), listed().map(|name| format!("(\"{name}\", a),\n")).collect()));
        let files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        found(wire_has_targets, &files)
    }

    /// A file without a target is found, a target without a file, and one that is not where it is looked for.
    #[test]
    fn finds_what_has_no_target() {
        let wire = ["units.rs", "packets/text.rs"];
        let programs = ["wire_units", "wire_packets_text", "host"];
        assert_eq!(of(&wire, &programs, ""), [""; 0]);
        assert_eq!(of(&wire, &programs[1..], ""), [format!("{WIRE}units.rs:1")]);
        assert_eq!(of(&wire[..1], &programs, ""), [format!("{PROGRAMS}wire_packets_text.rs:1")]);
        for name in programs {
            assert_eq!(of(&wire, &programs, name), vec![format!("{PROGRAMS}{name}.rs:1"); 2]);
        }
        assert_eq!(found(wire_has_targets, &[("docs/a.md", "")]), [""; 0]);
    }

    /// A file that is listed as reading nothing and is gone is found.
    #[test]
    fn finds_a_stale_list() {
        let files = [(format!("{WIRE}units.rs"), ""), (format!("{PROGRAMS}wire_units.rs"), "")];
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        let stale =
            found(wire_has_targets, &files).iter().filter(|place| *place == &format!("{WIRE}:1")).count();
        assert_eq!(stale, READ_NOTHING.len());
    }
}
