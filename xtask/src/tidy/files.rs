//! Rust files: each says what it is, stays small, and holds a concern that has a name.

use super::{Finding, Workspace};

/// Lines without tests at which a file is told to be split.
const LONG: usize = 400;
/// Lines without tests that are too many.
const TOO_LONG: usize = 600;
/// Names that say nothing.
const NAMELESS: [&str; 7] = ["common", "helper", "helpers", "misc", "shared", "util", "utils"];

pub(super) fn open_with_their_purpose(workspace: &Workspace) -> Vec<Finding> {
    let silent = workspace.sources.iter().filter(|source| !source.text.starts_with("//! "));
    silent.map(|source| Finding::new(&source.path, 1, "a file opens with //! and what it is")).collect()
}

pub(super) fn stay_small(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in &workspace.sources {
        let lines = source.lines().filter(|line| !line.test).count();
        if lines > LONG {
            let what = format!("{lines} lines without tests; {TOO_LONG} at most, and {LONG} is long");
            let finding = Finding::new(&source.path, 1, what);
            findings.push(Finding { only_warns: lines <= TOO_LONG, ..finding });
        }
    }
    findings
}

pub(super) fn hold_a_concern(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in &workspace.sources {
        let nameless = |part: &str| NAMELESS.contains(&part.trim_end_matches(".rs"));
        if let Some(part) = source.path.split('/').find(|part| nameless(part)) {
            findings.push(Finding::new(&source.path, 1, format!("{part} names no concern")));
        }
        for line in source.lines() {
            let words: Vec<&str> = line.code.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
            let module = words.windows(2).any(|pair| pair[0] == "mod" && NAMELESS.contains(&pair[1]));
            if module && line.code.contains('{') {
                findings.push(Finding::new(&source.path, line.number, "a module is named by its concern"));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::planted::found;
    use super::*;

    const PATH: &str = "crates/chat/src/lib.rs";

    /// A file that does not say what it is is found.
    #[test]
    fn finds_a_silent_file() {
        assert_eq!(found(open_with_their_purpose, &[(PATH, "//! Chat.\n")]), [""; 0]);
        for planted in ["", "// Chat.\n", "#![no_std]\n//! Chat.\n", "//!\n"] {
            assert_eq!(found(open_with_their_purpose, &[(PATH, planted)]), [format!("{PATH}:1")]);
        }
    }

    /// Lines count without tests: over 400 is said, over 600 is wrong.
    #[test]
    fn finds_a_long_file() {
        let of = |lines: usize, tests: usize| {
            let body = "let a = 1;\n".repeat(tests.saturating_sub(3));
            let tests =
                if tests > 0 { format!("#[cfg(test)]\nmod tests {{\n{body}}}\n") } else { String::new() };
            let text = format!("{}{tests}", "//! Chat.\n".repeat(lines));
            let file = crate::tree::TextFile { path: PATH.into(), text };
            stay_small(&Workspace::of(vec![file]))
                .into_iter()
                .map(|finding| finding.only_warns)
                .collect::<Vec<_>>()
        };
        assert_eq!(of(400, 900), []);
        assert_eq!(of(401, 0), [true]);
        assert_eq!(of(600, 900), [true]);
        assert_eq!(of(601, 0), [false]);
        assert_eq!(found(stay_small, &[("crates/chat/tests/chat.rs", &"//! A.\n".repeat(999))]), [""; 0]);
    }

    /// Names that say nothing are found, of files, folders and modules.
    #[test]
    fn finds_a_nameless_module() {
        for path in
            ["crates/chat/src/utils.rs", "crates/chat/src/common/mod.rs", "crates/chat/tests/helpers.rs"]
        {
            assert_eq!(found(hold_a_concern, &[(path, "//! A.\n")]), [format!("{path}:1")]);
        }
        let text = "//! A.\nmod util {}\nmod utility {}\n// mod util {}\n";
        assert_eq!(found(hold_a_concern, &[(PATH, text)]), [format!("{PATH}:2")]);
    }
}
