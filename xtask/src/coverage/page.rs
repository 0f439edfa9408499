//! The page of requirements: a table a crate, `| id | what holds | tests |`, and under the heading "Declared out of
//! scope for now" a list, `- IDS: the reason`.

use std::collections::{BTreeMap, BTreeSet};

use super::cited::{Shown, ids};

const DECLARED: &str = "Declared out of scope for now";

/// The page, line by line.
pub(super) struct Page<'a> {
    lines: Vec<Line<'a>>,
    newline: &'a str,
}

enum Line<'a> {
    Row { id: &'a str, what: &'a str },
    Declared { ids: Vec<String>, reason: &'a str },
    Other(&'a str),
}

impl<'a> Page<'a> {
    pub(super) fn read(text: &'a str) -> Self {
        let mut declaring = false;
        let lines = text.lines().map(|line| {
            if let Some(heading) = line.strip_prefix('#') {
                declaring = heading.trim_start_matches('#').trim() == DECLARED;
            }
            if let Some((named, reason)) = line.strip_prefix("- ").filter(|_| declaring).and_then(split_item)
            {
                return Line::Declared { ids: ids(named), reason };
            }
            row(line).unwrap_or(Line::Other(line))
        });
        Self { lines: lines.collect(), newline: if text.ends_with('\n') { "\n" } else { "" } }
    }

    /// The ids that have a row.
    pub(super) fn ids(&self) -> impl Iterator<Item = &'a str> {
        self.lines.iter().filter_map(|line| if let Line::Row { id, .. } = line { Some(*id) } else { None })
    }

    /// The ids declared, with the reason.
    pub(super) fn declared(&self) -> BTreeMap<String, String> {
        let mut declared = BTreeMap::new();
        for line in &self.lines {
            if let Line::Declared { ids, reason } = line {
                declared.extend(ids.iter().map(|id| (id.clone(), String::from(*reason))));
            }
        }
        declared
    }

    /// The ids that stand there more than once.
    pub(super) fn twice(&self) -> BTreeSet<String> {
        let mut seen = BTreeSet::new();
        let declared = self.lines.iter().filter_map(|line| match line {
            Line::Declared { ids, .. } => Some(ids.iter().map(String::as_str)),
            _ => None,
        });
        let all = self.ids().chain(declared.flatten());
        all.filter(|id| !seen.insert(*id)).map(String::from).collect()
    }

    /// The page with its tests' column written anew.
    pub(super) fn write(&self, shown: &Shown) -> String {
        let lines = self.lines.iter().map(|line| match line {
            Line::Row { id, what } => {
                let tests = shown.get(*id).into_iter().flatten().map(|test| format!("`{test}`"));
                let tests = tests.collect::<Vec<_>>().join(", ");
                let gap = if tests.is_empty() { "" } else { " " };
                format!("| {id} | {what} |{gap}{tests} |")
            }
            Line::Declared { ids, reason } => format!("- {}: {reason}", ids.join(", ")),
            Line::Other(line) => String::from(*line),
        });
        lines.collect::<Vec<_>>().join("\n") + self.newline
    }
}

fn row(line: &str) -> Option<Line<'_>> {
    let mut cells = line.strip_prefix('|')?.trim_end().strip_suffix('|')?.splitn(3, '|').map(str::trim);
    let (id, what, _) = (cells.next()?, cells.next()?, cells.next()?);
    (ids(id) == [id]).then_some(Line::Row { id, what })
}

/// `IDS: the reason`, if what stands before the colon are ids.
fn split_item(item: &str) -> Option<(&str, &str)> {
    let (named, reason) = item.split_once(": ")?;
    (!ids(named).is_empty()).then_some((named, reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# Requirements

| id | what holds | tests |
|---|---|---|
| CLOCK-01 | Thirty ticks. | `old::one` |
| CLOCK-02 | No waiting. | |

## Declared out of scope for now

- NET-05, NET-06: internet play.
- nothing: else
";

    /// The column is rewritten and nothing else moves.
    #[test]
    fn rewrites_the_column() {
        let page = Page::read(TEXT);
        let tests = BTreeSet::from([String::from("clock::a"), String::from("clock::b")]);
        let shown = Shown::from([(String::from("CLOCK-02"), tests)]);
        let wanted = TEXT
            .replace("| `old::one` |", "| |")
            .replace("No waiting. | |", "No waiting. | `clock::a`, `clock::b` |");
        let written = page.write(&shown);
        assert_eq!(written, wanted);
        assert_eq!(Page::read(&written).write(&shown), written);
    }

    /// What is declared has its reason; what stands there twice is found.
    #[test]
    fn declared_and_twice() {
        let page = Page::read(TEXT);
        assert_eq!(page.declared()["NET-06"], "internet play.");
        assert_eq!(page.declared().len(), 2);
        assert!(page.twice().is_empty());
        let text = TEXT.replace("CLOCK-02", "NET-05");
        assert_eq!(Page::read(&text).twice(), BTreeSet::from([String::from("NET-05")]));
    }
}
