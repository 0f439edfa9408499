//! Tests that a page names: `crate::test` between backticks. Knows no requirement.

use std::collections::BTreeSet;

/// What the page names and no test is called.
pub(super) fn missing(page: &str, tests: &BTreeSet<String>) -> BTreeSet<String> {
    page.split('`')
        .skip(1)
        .step_by(2)
        .filter(|code| is_name(code) && !tests.contains(*code))
        .map(String::from)
        .collect()
}

/// `crate::test`, and nothing that is a path of code: two words of small letters, the crate's with dashes.
fn is_name(code: &str) -> bool {
    let is_word = |word: &str, more: char| {
        !word.is_empty()
            && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == more)
    };
    code.split_once("::").is_some_and(|(of, name)| is_word(of, '-') && is_word(name, '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only names of tests are looked for, and only those that are none are found.
    #[test]
    fn finds_what_is_no_test() {
        let tests = BTreeSet::from(["wire::reads", "engine-glue::plays"].map(String::from));
        let page = "`wire::reads` `wire::read`, `engine-glue::plays`; `Host::begin`, `host.rs`, wire::none, `a::b::c`";
        assert_eq!(missing(page, &tests), BTreeSet::from([String::from("wire::read")]));
        assert!(missing("no code", &tests).is_empty());
    }
}
