//! A Cargo manifest as far as the rules need it: its sections' keys, line by line. Not a reader of all of TOML.

use crate::tree::TextFile;

/// One `key = value` of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) line: usize,
    pub(crate) section: String,
    pub(crate) key: String,
    pub(crate) value: String,
}

/// A crate's manifest.
#[derive(Clone, Debug)]
pub(crate) struct Manifest {
    /// Its path from the root.
    pub(crate) path: String,
    pub(crate) entries: Vec<Entry>,
}

/// A dependency of a crate, whatever for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dependency<'a> {
    pub(crate) line: usize,
    pub(crate) name: &'a str,
    /// Whether its version stands in the workspace's manifest.
    pub(crate) inherited: bool,
}

impl Manifest {
    /// Reads it. Quoted keys and values lose their quotes; what is not `key = value` is passed over.
    pub(crate) fn read(file: &TextFile) -> Self {
        let mut section = String::new();
        let mut entries = Vec::new();
        for (number, line) in file.text.lines().enumerate() {
            let line = line.trim();
            if let Some(header) = line.strip_prefix('[').filter(|_| !line.contains('=')) {
                header
                    .split(']')
                    .next()
                    .unwrap_or_default()
                    .trim_matches(['[', ' '])
                    .clone_into(&mut section);
            } else if let Some((key, value)) = line.split_once('=').filter(|_| !line.starts_with('#')) {
                entries.push(Entry {
                    line: number + 1,
                    section: section.clone(),
                    key: unquoted(key),
                    value: unquoted(value),
                });
            }
        }
        Self { path: file.path.clone(), entries }
    }

    /// Its folder from the root; empty for the workspace's own.
    pub(crate) fn folder(&self) -> &str {
        self.path.strip_suffix("Cargo.toml").unwrap_or(&self.path).trim_end_matches('/')
    }

    /// The package's name.
    pub(crate) fn name(&self) -> Option<&str> {
        self.value("package", "name")
    }

    /// A value.
    pub(crate) fn value(&self, section: &str, key: &str) -> Option<&str> {
        let found = self.entries.iter().find(|entry| entry.section == section && entry.key == key);
        found.map(|entry| entry.value.as_str())
    }

    /// What it depends on, for its building, its tests and itself.
    pub(crate) fn dependencies(&self) -> impl Iterator<Item = Dependency<'_>> {
        self.entries.iter().filter_map(|Entry { line, section, key, value }| {
            let tables = ["dependencies", "dev-dependencies", "build-dependencies"];
            let inherits = |text: &str| text.replace(' ', "").contains("workspace=true");
            if tables.iter().any(|table| section == table || section.ends_with(&format!(".{table}"))) {
                let (name, attribute) = key.split_once('.').unwrap_or((key, ""));
                let inherited = inherits(value) || (attribute == "workspace" && value == "true");
                return Some(Dependency { line: *line, name, inherited });
            }
            // `[dependencies.name]`, of whose keys one is enough.
            let (table, name) = section.rsplit_once('.')?;
            let own = tables.iter().any(|t| table == *t || table.ends_with(&format!(".{t}")));
            (own && matches!(key.as_str(), "workspace" | "version" | "path" | "git")).then(|| Dependency {
                line: *line,
                name,
                inherited: key == "workspace" && value == "true",
            })
        })
    }
}

fn unquoted(text: &str) -> String {
    let text = text.trim();
    match text.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
        Some((inner, _)) => inner.to_owned(),
        None => text.split('#').next().unwrap_or_default().trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The forms in which a dependency is written.
    #[test]
    fn reads_dependencies() {
        let text = "\
[package]
name = \"mjolnir-chat\" # theirs
[dependencies]
mjolnir-wire.workspace = true
libm = { workspace = true }
serde = \"1\"
# rand = \"1\"
[target.'cfg(unix)'.dependencies]
rustix = { version = \"1\" }
[dev-dependencies.proptest]
workspace = true
[features]
opus = []
";
        let manifest = Manifest::read(&TextFile { path: "crates/chat/Cargo.toml".into(), text: text.into() });
        assert_eq!((manifest.name(), manifest.folder()), (Some("mjolnir-chat"), "crates/chat"));
        let found: Vec<(&str, bool, usize)> =
            manifest.dependencies().map(|d| (d.name, d.inherited, d.line)).collect();
        let wanted = [
            ("mjolnir-wire", true, 4),
            ("libm", true, 5),
            ("serde", false, 6),
            ("rustix", false, 9),
            ("proptest", true, 11),
        ];
        assert_eq!(found, wanted);
        assert_eq!(manifest.value("features", "opus"), Some("[]"));
    }
}
