//! Which requirement ids stand in the doc comments of which tests.
//!
//! Before the comment's first colon a list may leave the family out after its first id: `WIRE-12, 13: ...`.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::TextFile;

/// The families of ids; what else looks like one (UTF-16) is none.
const FAMILIES: [&str; 14] = [
    "AUTH", "CHAT", "CHEAT", "CLOCK", "COOP", "DMG", "GLUE", "MAP", "NET", "OBJ", "PRED", "TOOL", "VOICE",
    "WIRE",
];

/// Ids, each with the tests that show it.
pub(super) type Shown = BTreeMap<String, BTreeSet<String>>;

/// Every id in a test's doc comment of these files.
pub(super) fn shown(files: &[TextFile]) -> Shown {
    let mut shown = Shown::new();
    for file in files.iter().filter(|file| file.path.ends_with(".rs")) {
        for (name, comment) in tests(&file.text) {
            for id in cited(&comment) {
                shown.entry(id).or_default().insert(format!("{}::{name}", package(&file.path)));
            }
        }
    }
    shown
}

/// Every test of these files, `crate::test`.
pub(super) fn names(files: &[TextFile]) -> BTreeSet<String> {
    let rust = files.iter().filter(|file| file.path.ends_with(".rs"));
    let named = |file: &TextFile| {
        let named = |(name, _)| format!("{}::{name}", package(&file.path));
        tests(&file.text).into_iter().map(named).collect::<Vec<_>>()
    };
    rust.flat_map(named).collect()
}

/// A file's crate, by its folder.
fn package(path: &str) -> &str {
    let mut folders = path.split('/');
    match folders.next() {
        Some("crates" | "tools") => folders.next().unwrap_or(path),
        first => first.unwrap_or(path),
    }
}

/// The tests of a file, each with its doc comment.
fn tests(text: &str) -> Vec<(String, String)> {
    let mut tests = Vec::new();
    let (mut comment, mut is_test) = (String::new(), false);
    for line in text.lines().map(str::trim) {
        if let Some(words) = line.strip_prefix("///") {
            comment.push_str(words);
            comment.push('\n');
        } else if line.starts_with("#[") {
            is_test |= line.starts_with("#[test]") || line.contains("::test]") || line.contains("::test(");
        } else {
            let name = line.split_once("fn ").filter(|_| is_test).map(|(_, rest)| name_at_front(rest));
            tests.extend(name.map(|name| (name, comment.clone())));
            comment.clear();
            is_test = false;
        }
    }
    tests
}

fn name_at_front(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// The ids that a comment cites.
fn cited(comment: &str) -> Vec<String> {
    let mut cited = ids(comment);
    let list = comment.split_once(':').map_or("", |(list, _)| list);
    let mut family: Option<String> = None;
    for item in list.split([',', ' ', '\n']).filter(|item| !item.is_empty()) {
        match (ids(item).pop(), family.take()) {
            (Some(id), _) => family = id.split_once('-').map(|(family, _)| String::from(family)),
            (None, Some(name)) if item.len() == 2 && item.bytes().all(|byte| byte.is_ascii_digit()) => {
                cited.push(format!("{name}-{item}"));
                family = Some(name);
            }
            // A sentence with a colon further on is no list.
            (None, _) => break,
        }
    }
    cited
}

/// The ids in a text, in its order: `FAMILY-NN`.
pub(super) fn ids(text: &str) -> Vec<String> {
    let mut ids = Vec::new();
    for word in text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')) {
        if let Some((family, number)) = word.split_once('-') {
            let digits = number.len() == 2 && number.bytes().all(|byte| byte.is_ascii_digit());
            if digits && FAMILIES.contains(&family) {
                ids.push(word.to_owned());
            }
        }
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A test's comment counts, another function's does not.
    #[test]
    fn finds_the_tests() {
        let text = "\
            //! GLUE-01\n/// WIRE-01: no test.\nfn helper() {}\n\n/// PRED-11, AUTH-09: it closes\n/// half (CLOCK-05).\n\
            #[test]\nfn closes_half() {}\nproptest! {\n    /// WIRE-11: round trips.\n    #[test]\n    fn round(x in 0..9) {}\n}\n\
            /// NET-16: set.\n#[tokio::test]\nasync fn no_delay() {}\n";
        let file = TextFile { path: String::from("crates/wire/tests/wire.rs"), text: String::from(text) };
        let shown = shown(&[file]);
        let found: Vec<(&str, &str)> = shown
            .iter()
            .flat_map(|(id, tests)| tests.iter().map(|test| (id.as_str(), test.as_str())))
            .collect();
        let wanted = [
            ("AUTH-09", "wire::closes_half"),
            ("CLOCK-05", "wire::closes_half"),
            ("NET-16", "wire::no_delay"),
            ("PRED-11", "wire::closes_half"),
            ("WIRE-11", "wire::round"),
        ];
        assert_eq!(found, wanted);
    }

    /// A test has its name whether it cites anything or not.
    #[test]
    fn names_the_tests() {
        let text = "#[test]\nfn one() {}\nfn helper() {}\n/// WIRE-01: two.\n#[test]\nfn two() {}\n";
        let file = TextFile { path: String::from("tools/net-compare/src/a.rs"), text: String::from(text) };
        assert_eq!(
            names(&[file]),
            BTreeSet::from(["net-compare::one", "net-compare::two"].map(String::from))
        );
    }

    /// Ids are whole words of a known family; a list may leave the family out.
    #[test]
    fn reads_ids() {
        assert_eq!(ids("UTF-16, WIRE-1, WIRE-123, AWIRE-12, WIRE-12x, (WIRE-12)."), ["WIRE-12"]);
        assert_eq!(cited(" WIRE-12, 13, PRED-08, 09: split"), ["WIRE-12", "PRED-08", "WIRE-13", "PRED-09"]);
        assert_eq!(cited(" PRED-11: of 10, 20 wu: half"), ["PRED-11"]);
        assert_eq!(cited(" It holds 12: PRED-11"), ["PRED-11"]);
    }

    /// A crate is named by its folder.
    #[test]
    fn names_crates() {
        assert_eq!(package("crates/wire/src/lib.rs"), "wire");
        assert_eq!(package("tools/skirmish/src/main.rs"), "skirmish");
        assert_eq!(package("tests/tests/walk.rs"), "tests");
        assert_eq!(package("xtask/src/main.rs"), "xtask");
    }
}
