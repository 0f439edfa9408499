//! A map as large as any, at four machines at once.

use std::fs;

use super::{FREE, HUGEASS, Machines, fetched_by_four};

/// MAP-01: 256 MiB at four machines that lack it, without limits: all have it byte for byte and play, and the host sends less
/// than twice the file.
#[test]
fn four_get_a_quarter_of_a_gigabyte() {
    let machines = Machines::new("maps_large", 27);
    fetched_by_four(&machines, FREE, 256 * 1024 * 1024);
    assert_eq!(machines.files("host"), [HUGEASS.split_once('/').unwrap().1]);
    // More than a gigabyte is not left about.
    fs::remove_dir_all(&machines.folder).unwrap();
}
