//! The filter of links against a table of lines that are links and of speech that is none. Knows no rule of the filter: the
//! table's head says which lines it gets wrong, and why that stays.

use std::collections::BTreeMap;

use mjolnir_chat::{Text, has_link};

const TABLE: &str = include_str!("table.txt");

/// The table's lines by the heading that they stand under.
fn table() -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut parts = BTreeMap::new();
    let mut heading = "";
    for line in TABLE.lines().filter(|line| !line.starts_with("# ") && *line != "#") {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(part @ ("links" | "speech" | "taken" | "missed")) => heading = part,
            _ => parts.entry(heading).or_insert_with(Vec::new).push(line),
        }
    }
    parts
}

/// CHAT-34, 35, 36, 37, 38, 39: of more than three hundred lines, about as many links as ordinary speech, each is what it is; the
/// errors that remain are those that the table's head decides on, no more and no fewer.
#[test]
fn links_and_speech_are_told_apart() {
    let parts = table();
    let wrong = |part: &str, is_link: bool| -> Vec<&str> {
        let lines = parts[part].iter();
        // As it travels.
        lines.filter(|line| has_link(Text::new(line).as_bytes()) != is_link).copied().collect()
    };
    let none: [&str; 0] = [];
    assert_eq!(wrong("links", true), none, "links that pass");
    assert_eq!(wrong("speech", false), none, "speech that is refused");
    assert_eq!(wrong("taken", true), none, "speech that passes after all");
    assert_eq!(wrong("missed", false), none, "links that are found after all");
    let counts = ["links", "speech", "taken", "missed"].map(|part| parts[part].len());
    println!("{counts:?} links, speech, taken, missed");
    assert!(counts[0] >= 170 && counts[1] >= 170 && counts[0] + counts[1] >= 300, "{counts:?}");
    assert!(counts[2] <= 13 && counts[3] <= 42, "{counts:?}");
    assert_eq!(parts.len(), 4);
}

/// No line of the table is cut or changed on its way, and none stands twice under a heading.
#[test]
fn the_tables_lines_travel() {
    for (part, lines) in table() {
        for (at, line) in lines.iter().enumerate() {
            assert_eq!(Text::new(line).as_str(), *line, "{part}");
            assert!(!lines[..at].contains(line), "{part}: {line} stands twice");
        }
    }
}
