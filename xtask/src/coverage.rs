//! `coverage`: which requirements a test shows. Ids stand in the tests' doc comments; what they mean and which are
//! declared out of scope for now stands in `docs/requirements.md`, whose tests' column is written here. What
//! `docs/failures.md` names as a test has to be one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::{CANNOT, FOUND, Failed, json, tree};

mod cited;
mod named;
mod page;

use cited::Shown;
use page::Page;

const PAGE: &str = "docs/requirements.md";
/// What failed elsewhere, and the tests that show it cannot here.
const FAILURES: &str = "docs/failures.md";

/// Reports; with `--write` the page's column is rewritten first, with `--json` the report is JSON.
pub(crate) fn run(args: &[String]) -> Result<(), Failed> {
    let (mut write, mut as_json) = (false, false);
    for arg in args {
        match arg.as_str() {
            "--write" => write = true,
            "--json" => as_json = true,
            other => {
                eprintln!("xtask: coverage knows --write and --json, not {other}");
                return Err(CANNOT);
            }
        }
    }
    let path = tree::root().join(PAGE);
    let text = fs::read_to_string(&path).map_err(|error| cannot(PAGE, &error))?;
    let failures =
        fs::read_to_string(tree::root().join(FAILURES)).map_err(|error| cannot(FAILURES, &error))?;
    let page = Page::read(&text);
    let files = tree::texts();
    let shown = cited::shown(&files);
    let mut report = Report::of(&page, &shown);
    report.missing = named::missing(&failures, &cited::names(&files));
    let rewritten = page.write(&shown);
    if write && rewritten != text {
        fs::write(&path, &rewritten).map_err(|error| cannot(PAGE, &error))?;
    }
    let stale = !write && rewritten != text;
    print!("{}", if as_json { report.json(stale) } else { report.text(stale) });
    if stale || !report.is_sound() { Err(FOUND) } else { Ok(()) }
}

fn cannot(page: &str, error: &std::io::Error) -> Failed {
    eprintln!("xtask: {page}: {error}");
    CANNOT
}

/// Ids by what is known of them.
#[derive(Debug, Default)]
struct Report {
    with: BTreeMap<String, BTreeSet<String>>,
    without: BTreeSet<String>,
    declared: BTreeMap<String, String>,
    unknown: BTreeMap<String, BTreeSet<String>>,
    twice: BTreeSet<String>,
    missing: BTreeSet<String>,
}

impl Report {
    fn of(page: &Page<'_>, shown: &Shown) -> Self {
        let mut report = Self { declared: page.declared(), twice: page.twice(), ..Self::default() };
        for id in page.ids() {
            match shown.get(id) {
                Some(tests) => drop(report.with.insert(id.to_owned(), tests.clone())),
                None => drop(report.without.insert(id.to_owned())),
            }
        }
        let known = |id: &String| report.with.contains_key(id) || report.declared.contains_key(id);
        report.unknown = shown
            .iter()
            .filter(|(id, _)| !known(id))
            .map(|(id, tests)| (id.clone(), tests.clone()))
            .collect();
        report
    }

    fn is_sound(&self) -> bool {
        self.unknown.is_empty() && self.twice.is_empty() && self.missing.is_empty()
    }

    fn text(&self, stale: bool) -> String {
        let mut out = format!(
            "{} requirements: {} with a test, {} without; {} declared out of scope for now\n",
            self.with.len() + self.without.len(),
            self.with.len(),
            self.without.len(),
            self.declared.len()
        );
        if !self.without.is_empty() {
            let ids: Vec<&str> = self.without.iter().map(String::as_str).collect();
            out.push_str(&format!("without a test: {}\n", ids.join(", ")));
        }
        for (id, tests) in &self.unknown {
            let tests: Vec<&str> = tests.iter().map(String::as_str).collect();
            out.push_str(&format!("unknown: {id}, of {}\n", tests.join(", ")));
        }
        for id in &self.twice {
            out.push_str(&format!("twice in the page: {id}\n"));
        }
        for test in &self.missing {
            out.push_str(&format!("{FAILURES} names {test}, which is no test\n"));
        }
        if stale {
            out.push_str(&format!("{PAGE} is stale: cargo xtask coverage --write\n"));
        }
        out
    }

    fn json(&self, stale: bool) -> String {
        let tests_of = |ids: &BTreeMap<String, BTreeSet<String>>| {
            let of = |(id, tests): (&String, &BTreeSet<String>)| {
                format!("{}:{}", json::text(id), json::list(tests.iter().map(|test| json::text(test))))
            };
            ids.iter().map(of).collect::<Vec<_>>().join(",")
        };
        let list = |ids: &BTreeSet<String>| json::list(ids.iter().map(|id| json::text(id)));
        let declared =
            self.declared.iter().map(|(id, why)| format!("{}:{}", json::text(id), json::text(why)));
        format!(
            "{{\"with\":{{{}}},\"without\":{},\"declared\":{{{}}},\"unknown\":{{{}}},\"twice\":{},\"missing\":{},\"stale\":{stale}}}\n",
            tests_of(&self.with),
            list(&self.without),
            declared.collect::<Vec<_>>().join(","),
            tests_of(&self.unknown),
            list(&self.twice),
            list(&self.missing),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
## clock

| id | what holds | tests |
|---|---|---|
| CLOCK-01 | Thirty ticks a second. | |
| CLOCK-02 | No machine waits. | |

## Declared out of scope for now

- NET-05: internet play.
";

    fn shown(ids: &[&str]) -> Shown {
        let tests = |id: &&str| (String::from(*id), BTreeSet::from([String::from("clock::paces")]));
        ids.iter().map(tests).collect()
    }

    /// Ids with, without, declared and unknown are told apart; only unknown ones and repeated ones are faults.
    #[test]
    fn reports() {
        let page = Page::read(TEXT);
        let report = Report::of(&page, &shown(&["CLOCK-01", "NET-05", "CLOCK-99"]));
        assert_eq!(report.with.len(), 1);
        assert_eq!(report.without, BTreeSet::from([String::from("CLOCK-02")]));
        assert!(!report.is_sound());
        let text = report.text(true);
        assert!(text.contains("without a test: CLOCK-02\nunknown: CLOCK-99, of clock::paces\n"), "{text}");
        assert!(text.ends_with("docs/requirements.md is stale: cargo xtask coverage --write\n"), "{text}");
        assert_eq!(
            report.json(false),
            "{\"with\":{\"CLOCK-01\":[\"clock::paces\"]},\"without\":[\"CLOCK-02\"],\
             \"declared\":{\"NET-05\":\"internet play.\"},\
             \"unknown\":{\"CLOCK-99\":[\"clock::paces\"]},\"twice\":[],\"missing\":[],\"stale\":false}\n"
        );
        assert!(Report::of(&page, &shown(&["CLOCK-01"])).is_sound());
        let twice = TEXT.replace("CLOCK-02", "CLOCK-01");
        assert!(!Report::of(&Page::read(&twice), &shown(&[])).is_sound());
        let missing = Report { missing: BTreeSet::from([String::from("clock::gone")]), ..Report::default() };
        assert!(!missing.is_sound());
        assert!(missing.text(false).ends_with("docs/failures.md names clock::gone, which is no test\n"));
    }
}
