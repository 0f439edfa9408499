//! Manifests: names by folder, and lints, versions and features stated once.

use super::{Finding, Workspace};

/// The features of the workspace, each of its crate: `opus` wherever speech is passed on to the codec, `files` of `anticheat` and
/// `disk` of `mapshare` alone.
/// docs/style.md says why they are.
const FEATURES: [(&str, Option<&str>); 3] =
    [("opus", None), ("files", Some("mjolnir-anticheat")), ("disk", Some("mjolnir-mapshare"))];

pub(super) fn folders_name_crates(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for manifest in &workspace.manifests {
        let folder = manifest.folder().rsplit('/').next().unwrap_or_default();
        let wanted = if folder == "xtask" { folder.to_owned() } else { format!("mjolnir-{folder}") };
        if manifest.name() != Some(wanted.as_str()) {
            findings.push(Finding::new(&manifest.path, 1, format!("its package is to be named {wanted}")));
        }
    }
    findings
}

pub(super) fn lints_from_the_workspace(workspace: &Workspace) -> Vec<Finding> {
    let without = workspace.manifests.iter().filter(|manifest| {
        manifest.value("lints", "workspace") != Some("true")
            && manifest.value("", "lints.workspace") != Some("true")
    });
    without.map(|manifest| Finding::new(&manifest.path, 1, "[lints] workspace = true is missing")).collect()
}

pub(super) fn versions_from_the_workspace(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for manifest in &workspace.manifests {
        for dependency in manifest.dependencies().filter(|dependency| !dependency.inherited) {
            let what = format!("{} is to come from the workspace's dependencies", dependency.name);
            findings.push(Finding::new(&manifest.path, dependency.line, what));
        }
    }
    findings
}

pub(super) fn listed_features(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for manifest in &workspace.manifests {
        let is_listed = |feature: &str| {
            FEATURES.iter().any(|(name, of)| *name == feature && (of.is_none() || *of == manifest.name()))
        };
        for entry in manifest.entries.iter().filter(|entry| entry.section == "features") {
            if !is_listed(&entry.key) {
                let what = format!("feature {}: this crate has none of that name (docs/style.md)", entry.key);
                findings.push(Finding::new(&manifest.path, entry.line, what));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::planted::found;
    use super::*;

    const PATH: &str = "crates/chat/Cargo.toml";
    const FINE: &str = "\
[package]
name = \"mjolnir-chat\"

[lints]
workspace = true

[features]
opus = []

[dependencies]
mjolnir-wire.workspace = true
";

    /// In each manifest one fault is planted, which one rule finds.
    #[test]
    fn finds_each_fault() {
        let rules =
            [folders_name_crates, lints_from_the_workspace, versions_from_the_workspace, listed_features];
        for rule in rules {
            assert_eq!(found(rule, &[(PATH, FINE)]), [""; 0]);
        }
        for (rule, from, to, line) in [
            (0, "mjolnir-chat", "chat", 1),
            (1, "[lints]\nworkspace = true", "", 1),
            (2, "mjolnir-wire.workspace = true", "mjolnir-wire = { path = \"../wire\" }", 11),
            (3, "opus = []", "opus = []\nfast = []", 9),
            (3, "opus = []", "files = []", 8),
        ] {
            let planted = FINE.replace(from, to);
            for (at, check) in rules.into_iter().enumerate() {
                let wanted = if at == rule { vec![format!("{PATH}:{line}")] } else { vec![] };
                assert_eq!(found(check, &[(PATH, &planted)]), wanted, "{to}");
            }
        }
    }

    /// A feature that one crate has is fine there alone.
    #[test]
    fn a_feature_is_of_its_crate() {
        let path = "crates/anticheat/Cargo.toml";
        let fine = FINE.replace("mjolnir-chat", "mjolnir-anticheat").replace("opus", "files");
        assert_eq!(found(listed_features, &[(path, &fine)]), [""; 0]);
    }
}
