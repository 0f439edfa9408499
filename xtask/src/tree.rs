//! The workspace's files: where they are and what they hold. Leaves out what is built and what is not kept.

use std::fs;
use std::path::{Path, PathBuf};

/// A file of text and its path from the root, with `/` between the folders.
#[derive(Clone, Debug)]
pub(crate) struct TextFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// The workspace's folder.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Whether a crate of ours lives in a folder of that name.
pub(crate) fn has_crate(name: &str) -> bool {
    let manifest = |folder: &str| root().join(folder).join("Cargo.toml").is_file();
    manifest(&format!("crates/{name}"))
        || manifest(&format!("tools/{name}"))
        || name == "tests" && manifest(name)
}

/// Where cargo builds.
pub(crate) fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// Every text file under the root, by path. Files that are no text are left out.
pub(crate) fn texts() -> Vec<TextFile> {
    let root = root();
    let ignored = fs::read_to_string(root.join(".gitignore")).unwrap_or_default();
    let ignored: Vec<&str> = ignored.lines().filter_map(|line| line.strip_prefix('/')).collect();
    let mut files = Vec::new();
    walk(&root, "", &ignored, &mut files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

fn walk(folder: &Path, prefix: &str, ignored: &[&str], files: &mut Vec<TextFile>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = format!("{prefix}{name}");
        if matches!(name.as_str(), ".git" | "target") || ignored.contains(&path.as_str()) {
            continue;
        }
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(&entry.path(), &format!("{path}/"), ignored, files),
            Ok(kind) if kind.is_file() => {
                files.extend(fs::read_to_string(entry.path()).ok().map(|text| TextFile { path, text }));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The walk finds the sources and passes by what is built.
    #[test]
    fn finds_the_sources() {
        let paths: Vec<String> = texts().into_iter().map(|file| file.path).collect();
        assert!(paths.iter().any(|path| path == "xtask/src/tree.rs"));
        assert!(paths.iter().any(|path| path == "Cargo.toml"));
        assert!(!paths.iter().any(|path| path.starts_with("target/") || path.starts_with(".git/")));
    }
}
