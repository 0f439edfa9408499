//! `tidy`: the rules of the architecture that a compiler does not keep. Each is a function from what the workspace
//! holds to what is wrong with it; why it is a rule stands in `docs/style.md`.

use std::fmt;

use crate::manifest::Manifest;
use crate::source::Source;
use crate::tree::TextFile;
use crate::{FOUND, Failed, tree};

mod arrows;
mod files;
mod fuzzed;
mod manifests;
mod places;
mod purity;
mod words;

/// What the rules look at.
struct Workspace {
    files: Vec<TextFile>,
    sources: Vec<Source>,
    /// Those of crates; the workspace's own is none.
    manifests: Vec<Manifest>,
}

impl Workspace {
    fn of(files: Vec<TextFile>) -> Self {
        let sources = files.iter().filter(|file| file.path.ends_with(".rs")).map(Source::read).collect();
        let ours = |file: &&TextFile| file.path.ends_with("/Cargo.toml") && !is_apart(&file.path);
        let manifests = files.iter().filter(ours).map(Manifest::read);
        Self { sources, manifests: manifests.collect(), files }
    }

    /// The manifests of the crates without clocks, sockets, threads and files.
    fn protocol_crates(&self) -> impl Iterator<Item = &Manifest> {
        self.manifests.iter().filter(|manifest| is_protocol(manifest.folder()))
    }
}

/// Whether that path is in a workspace of its own: the fuzz targets' programs, which no crate depends on.
fn is_apart(path: &str) -> bool {
    path.starts_with("tests/fuzz/")
}

/// Whether that path is in a protocol crate: all of `crates/` but those that know the machine.
fn is_protocol(path: &str) -> bool {
    let Some(inner) = path.strip_prefix("crates/") else { return false };
    !matches!(inner.split('/').next(), Some("engine-glue" | "c-api"))
}

/// Something wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Finding {
    path: String,
    line: usize,
    what: String,
    /// Whether it is said and no more.
    only_warns: bool,
}

impl Finding {
    fn new(path: &str, line: usize, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, what: what.into(), only_warns: false }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let warning = if self.only_warns { "warning: " } else { "" };
        write!(f, "{}:{}: {warning}{}", self.path, self.line, self.what)
    }
}

/// A rule.
type Rule = fn(&Workspace) -> Vec<Finding>;

const RULES: [Rule; 16] = [
    arrows::keep_to_the_table,
    purity::no_std,
    purity::std_in_its_places,
    purity::no_type_aliases,
    manifests::folders_name_crates,
    manifests::lints_from_the_workspace,
    manifests::versions_from_the_workspace,
    manifests::listed_features,
    files::open_with_their_purpose,
    files::stay_small,
    files::hold_a_concern,
    fuzzed::wire_has_targets,
    words::nothing_pretended,
    words::tests_do_not_sleep,
    places::no_path_of_a_machine,
    places::known_hosts,
];

/// Says what is wrong.
pub(crate) fn run() -> Result<(), Failed> {
    let workspace = Workspace::of(tree::texts());
    let findings: Vec<Finding> = RULES.iter().flat_map(|rule| rule(&workspace)).collect();
    for finding in &findings {
        println!("{finding}");
    }
    let wrong = findings.iter().filter(|finding| !finding.only_warns).count();
    if wrong > 0 {
        eprintln!("xtask: {wrong} against the rules (docs/style.md says why they are)");
        return Err(FOUND);
    }
    println!("tidy: {} files, {} rules", workspace.files.len(), RULES.len());
    Ok(())
}

#[cfg(test)]
mod planted {
    //! A workspace of a few files, in which the rules' tests plant a fault each.

    use super::*;

    /// The paths, with a line each, of what a rule finds in these files.
    pub(super) fn found(rule: Rule, files: &[(&str, &str)]) -> Vec<String> {
        let file =
            |(path, text): &(&str, &str)| TextFile { path: String::from(*path), text: String::from(*text) };
        let findings = rule(&Workspace::of(files.iter().map(file).collect()));
        let place = |finding: Finding| format!("{}:{}", finding.path, finding.line);
        findings.into_iter().map(place).collect()
    }
}
