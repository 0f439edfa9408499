//! The protocol crates know no clock, socket, thread, file or environment: they are `no_std`, but in the few
//! places that are there for it (GLUE-12).

use super::{Finding, Workspace, is_protocol};

/// Where a protocol crate may name `std`: the sockets, the part files, the codec, the host's two files and where a machine's id
/// stands.
const PLACES: [&str; 8] = [
    "crates/transport/src/net/",
    "crates/transport/src/net.rs",
    "crates/mapshare/src/disk/",
    "crates/mapshare/src/disk.rs",
    "crates/voice/src/codec.rs",
    "crates/anticheat/src/files/",
    "crates/anticheat/src/files.rs",
    "crates/anticheat/src/machine_id.rs",
];

pub(super) fn no_std(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for manifest in workspace.protocol_crates() {
        let root = format!("{}/src/lib.rs", manifest.folder());
        let lib = workspace.sources.iter().find(|source| source.path == root);
        if !lib.is_some_and(|lib| lib.lines().any(|line| line.code.trim() == "#![no_std]")) {
            findings.push(Finding::new(&root, 1, "a protocol crate is #![no_std]"));
        }
    }
    findings
}

pub(super) fn std_in_its_places(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in workspace.sources.iter().filter(|source| is_protocol(&source.path)) {
        if PLACES.iter().any(|place| source.path.starts_with(place)) || !source.path.contains("/src/") {
            continue;
        }
        for line in source.lines().filter(|line| !line.test && line.code.contains("extern crate std")) {
            let what =
                "std belongs in transport's net, mapshare's disk, voice's codec and anticheat's files alone";
            findings.push(Finding::new(&source.path, line.number, what));
        }
    }
    findings
}

/// A number under another name is still any number; what has a shape of its own may have a short name.
pub(super) fn no_type_aliases(workspace: &Workspace) -> Vec<Finding> {
    const NUMBERS: [&str; 14] = [
        "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "u128", "i128", "usize", "isize", "f32", "f64",
    ];
    let renames = |code: &str| {
        let of = code.trim_start().strip_prefix("pub type ").and_then(|rest| rest.split_once('='));
        of.is_some_and(|(_, of)| NUMBERS.contains(&of.trim().trim_end_matches(';')))
    };
    let mut findings = Vec::new();
    for source in workspace.sources.iter().filter(|source| is_protocol(&source.path)) {
        for line in source.lines().filter(|line| renames(line.code)) {
            findings.push(Finding::new(&source.path, line.number, "a name of its own is a type of its own"));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::planted::found;
    use super::*;

    const MANIFEST: (&str, &str) = ("crates/chat/Cargo.toml", "[package]\nname = \"mjolnir-chat\"\n");
    const LIB: &str = "crates/chat/src/lib.rs";

    /// GLUE-12: a protocol crate that is not `no_std` is found.
    #[test]
    fn finds_a_crate_with_std() {
        assert_eq!(found(no_std, &[MANIFEST, (LIB, "//! Chat.\n#![no_std]\n")]), [""; 0]);
        for planted in ["//! Chat.\n", "//! Chat.\n// #![no_std]\n", "#![cfg_attr(not(test), no_std)]\n"] {
            assert_eq!(found(no_std, &[MANIFEST, (LIB, planted)]), [format!("{LIB}:1")]);
        }
        assert_eq!(found(no_std, &[MANIFEST]), [format!("{LIB}:1")]);
        let glue = ("crates/engine-glue/Cargo.toml", "[package]\nname = \"mjolnir-engine-glue\"\n");
        assert_eq!(found(no_std, &[glue, ("crates/engine-glue/src/lib.rs", "")]), [""; 0]);
    }

    /// GLUE-12: a planted `extern crate std` is found everywhere but in its places.
    #[test]
    fn finds_std() {
        let planted = "//! X.\nextern crate std;\n";
        let of = |path: &str| found(std_in_its_places, &[(path, planted)]);
        for path in [
            LIB,
            "crates/transport/src/lib.rs",
            "crates/transport/src/network.rs",
            "crates/wire/src/a/b.rs",
            "crates/anticheat/src/lib.rs",
            "crates/anticheat/src/bans.rs",
            "crates/wire/src/machine_id.rs",
        ] {
            assert_eq!(of(path), [format!("{path}:2")]);
        }
        for path in [
            "crates/transport/src/net/udp.rs",
            "crates/mapshare/src/disk/hash.rs",
            "crates/voice/src/codec.rs",
            "crates/anticheat/src/files/disk.rs",
            "crates/anticheat/src/machine_id.rs",
        ] {
            assert_eq!(of(path), [""; 0]);
        }
        assert_eq!(of("crates/engine-glue/src/lib.rs"), [""; 0]);
        let in_tests = "//! X.\n#[cfg(test)]\nmod tests {\n    extern crate std;\n}\n";
        assert_eq!(found(std_in_its_places, &[(LIB, in_tests)]), [""; 0]);
    }

    /// An alias is found, an associated type is none.
    #[test]
    fn finds_an_alias() {
        let text = "impl A for B {\n    type Err = C;\n}\npub type Time = u32;\n// pub type X = u8;\n";
        assert_eq!(found(no_type_aliases, &[(LIB, text)]), [format!("{LIB}:4")]);
        assert_eq!(found(no_type_aliases, &[("tools/skirmish/src/lib.rs", text)]), [""; 0]);
    }
}
