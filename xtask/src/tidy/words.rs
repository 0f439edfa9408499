//! Words that no code holds: what pretends to be there, and tests that wait for time to pass.

use super::{Finding, Workspace};

const PRETENDED: [&str; 4] = ["todo!", "unimplemented!", "#[ignore]", "#[ignore ="];
const SLEEPS: [&str; 2] = ["thread::sleep", "time::sleep"];

pub(super) fn nothing_pretended(workspace: &Workspace) -> Vec<Finding> {
    find(workspace, &PRETENDED, false, "is not there yet: leave it out, or build it")
}

pub(super) fn tests_do_not_sleep(workspace: &Workspace) -> Vec<Finding> {
    find(workspace, &SLEEPS, true, "in a test: time is an argument, and a socket test waits for a line")
}

fn find(workspace: &Workspace, words: &[&str], only_tests: bool, why: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in &workspace.sources {
        for line in source.lines().filter(|line| line.test || !only_tests) {
            if let Some(word) = words.iter().find(|word| line.code.contains(**word)) {
                findings.push(Finding::new(&source.path, line.number, format!("{word} {why}")));
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

    /// What pretends is found, in code alone.
    #[test]
    fn finds_what_pretends() {
        let text = "//! todo!()\nfn a() { todo!() }\nfn b() { unimplemented!(\"c\") }\nlet d = \"todo!\";\n#[ignore]\n";
        let wanted = [2, 3, 5].map(|line| format!("{PATH}:{line}"));
        assert_eq!(found(nothing_pretended, &[(PATH, text)]), wanted);
    }

    /// A test that sleeps is found; a program may.
    #[test]
    fn finds_a_sleep() {
        let text = "fn a() { std::thread::sleep(b); }\n";
        assert_eq!(found(tests_do_not_sleep, &[(PATH, text)]), [""; 0]);
        assert_eq!(found(tests_do_not_sleep, &[("tests/tests/walk.rs", text)]), ["tests/tests/walk.rs:1"]);
        let inside = format!("#[cfg(test)]\nmod tests {{\n{text}}}\n");
        assert_eq!(found(tests_do_not_sleep, &[(PATH, &inside)]), [format!("{PATH}:3")]);
    }
}
