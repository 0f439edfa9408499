//! This machine's hardware id, from files as a Linux system has them.

#![cfg(feature = "files")]
#![allow(clippy::unwrap_used, reason = "what a script takes for granted and is not so fails it")]

use std::fs;
use std::path::{Path, PathBuf};

use mjolnir_anticheat::{HardwareId, machine_id};

/// A root of its own for a test, empty.
fn root(name: &str) -> PathBuf {
    let root =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("machine-id-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&root);
    for folder in ["etc", "var/lib/dbus"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    root
}

/// CHEAT-23: `/etc/machine-id` is taken, without it or with nothing in it D-Bus's, and none without either.
#[test]
fn the_first_file_that_has_an_id_is_taken() {
    let root = root("order");
    let (etc, dbus) = (root.join("etc/machine-id"), root.join("var/lib/dbus/machine-id"));
    let of = |text: &str| HardwareId::of_machine(text.as_bytes());
    assert_eq!(machine_id::read(&root), None);
    fs::write(&dbus, "fedcba98765432100123456789abcdef\n").unwrap();
    assert_eq!(machine_id::read(&root), of("fedcba98765432100123456789abcdef"));
    for none in ["", "\n", "uninitialized\n"] {
        fs::write(&etc, none).unwrap();
        assert_eq!(machine_id::read(&root), of("fedcba98765432100123456789abcdef"), "{none:?}");
    }
    fs::write(&etc, "0123456789abcdef0123456789abcdef\n").unwrap();
    let id = machine_id::read(&root).unwrap();
    assert_eq!(id.as_str(), "3dd0fbf156d188d3eb69294cb78aa058");
    fs::remove_dir_all(&root).unwrap();
}

/// CHEAT-23: what is no file, or a long one, is no failure: of a long one its beginning is read.
#[test]
fn odd_files_are_no_failure() {
    let root = root("odd");
    fs::create_dir(root.join("etc/machine-id")).unwrap();
    fs::write(root.join("var/lib/dbus/machine-id"), [b'a'; 100_000]).unwrap();
    assert_eq!(machine_id::read(&root), HardwareId::of_machine(&[b'a'; 256]));
    fs::remove_dir_all(&root).unwrap();
}
