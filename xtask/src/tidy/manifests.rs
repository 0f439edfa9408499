//! Manifests: names by folder, and lints, versions and features stated once.

use super::{Finding, Workspace};

/// The one feature of the workspace.
const FEATURE: &str = "opus";

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

pub(super) fn one_feature(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for manifest in &workspace.manifests {
        for entry in
            manifest.entries.iter().filter(|entry| entry.section == "features" && entry.key != FEATURE)
        {
            let what = format!("feature {}: the workspace has one, {FEATURE}", entry.key);
            findings.push(Finding::new(&manifest.path, entry.line, what));
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
        let rules = [folders_name_crates, lints_from_the_workspace, versions_from_the_workspace, one_feature];
        for rule in rules {
            assert_eq!(found(rule, &[(PATH, FINE)]), [""; 0]);
        }
        for (rule, from, to, line) in [
            (0, "mjolnir-chat", "chat", 1),
            (1, "[lints]\nworkspace = true", "", 1),
            (2, "mjolnir-wire.workspace = true", "mjolnir-wire = { path = \"../wire\" }", 11),
            (3, "opus = []", "opus = []\nfast = []", 9),
        ] {
            let planted = FINE.replace(from, to);
            for (at, check) in rules.into_iter().enumerate() {
                let wanted = if at == rule { vec![format!("{PATH}:{line}")] } else { vec![] };
                assert_eq!(found(check, &[(PATH, &planted)]), wanted, "{to}");
            }
        }
    }
}
