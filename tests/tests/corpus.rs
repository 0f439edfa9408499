//! Every fuzz target over its committed corpus, and over inputs of chance and corpus inputs changed by chance, without
//! a fuzzer. A crash that a fuzzer finds becomes a named test of the crate at fault; its input may join the corpus.
#![allow(clippy::unwrap_used, reason = "the functions here serve tests alone")]

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use mjolnir_skirmish::game::random::Random;
use mjolnir_tests::fuzz::{Op, TARGETS, Target};

/// The seed of the inputs of chance.
const SEED: u64 = 364;
/// Inputs of chance and changed ones of each target of `wire`, of each end, of whole games, of a level of the campaign.
const TRIALS: [usize; 4] = [10_000, 2_000, 40, 1_000];
/// Bytes of an input of chance, at most.
const LONGEST: u32 = 1_472;
/// Bytes that reading may hold at once, with the copies that a target compares (WIRE-08).
const HELD: u64 = 64 * 1024;
/// The same of the settings: a record of 13 KB, of which the target makes eight in one shape or another.
const SETTINGS_HELD: u64 = 2 * HELD;

fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let mut inputs: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{target} has no corpus: {error}"))
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect();
    inputs.sort();
    inputs
}

/// The targets whose names `wanted` takes.
fn targets(wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = (&'static str, Target)> {
    TARGETS.iter().copied().filter(move |(name, _)| wanted(name))
}

/// Runs it; what it panics over is told with its input.
fn tried(name: &str, target: Target, what: &str, bytes: &[u8]) {
    let done = catch_unwind(AssertUnwindSafe(|| target(bytes)));
    let shown: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(done.is_ok(), "{name} does not hold with {what}: {shown}");
}

fn chance(random: &mut Random) -> Vec<u8> {
    let length = random.below(LONGEST + 1);
    (0..length).map(|_| random.bits() as u8).collect()
}

/// Bits flipped, bytes set to what bounds are made of, cut short, stretched, joined with another.
fn changed(random: &mut Random, bytes: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len().max(1) as u32) as usize;
        match random.below(5) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            1 if !bytes.is_empty() => bytes[at] = [0, 1, 0x7F, 0x80, 0xFF][random.below(5) as usize],
            2 => bytes.truncate(at),
            3 => bytes.extend((0..random.below(40)).map(|_| random.bits() as u8)),
            _ => {
                bytes.truncate(at);
                bytes.extend(&other[random.below(other.len() as u32 + 1) as usize..]);
            }
        }
    }
    bytes
}

fn try_all(name: &str, target: Target, trials: usize) {
    let inputs = corpus(name);
    assert!(!inputs.is_empty());
    for (file, bytes) in &inputs {
        tried(name, target, file, bytes);
    }
    let mut random = Random::new(SEED);
    for trial in 0..trials {
        let one = &inputs[random.below(inputs.len() as u32) as usize].1;
        let two = &inputs[random.below(inputs.len() as u32) as usize].1;
        let bytes = if trial % 4 == 0 { chance(&mut random) } else { changed(&mut random, one, two) };
        tried(name, target, &format!("seed {SEED}, trial {trial}"), &bytes);
    }
}

/// WIRE-08, 11: each file's decoder, over its corpus, 2 500 inputs of chance and 7 500 changed ones: a message or an
/// error, and what was read is written and reads the same.
#[test]
fn every_decoder_holds() {
    for (name, target) in targets(|name| name.starts_with("wire_")) {
        try_all(name, target, TRIALS[0]);
    }
}

/// WIRE-08: reading holds no more than 64 KiB with the copies that it is compared with, the settings' twice that.
#[test]
fn a_decoder_holds_little() {
    for (name, target) in targets(|name| name.starts_with("wire_")) {
        let most = if name == "wire_packets_settings" { SETTINGS_HELD } else { HELD };
        for (file, bytes) in corpus(name) {
            let held = allocation_counter::measure(|| target(&bytes)).bytes_max;
            assert!(held <= most, "{name} holds {held} bytes with {file}");
        }
    }
}

/// CHEAT-23, 27, 55, 56: any list of bans refuses whom the plainest reading of it does, whole and in pieces; any table and text of a
/// system gives an id or none; any command means whom it says, and a name is completed as far as it can be.
#[test]
fn what_fair_play_reads_holds() {
    for (name, target) in targets(|name| matches!(name, "bans" | "machine_id" | "commands")) {
        try_all(name, target, TRIALS[0]);
    }
}

/// MAP-15, 17, 19, 20, 52: any name is a map's on every system or none; any list of part files has nothing deleted but what it names and
/// what is one; any file is a map of the reference game or none.
#[test]
fn what_stands_in_a_folder_holds() {
    for (name, target) in targets(|name| matches!(name, "map_names" | "part_files" | "map_file")) {
        try_all(name, target, TRIALS[0]);
    }
}

/// MAP-27, 28, 30, 60, 76, 78: a download, whatever its ends say and do and however its disk is: what it wants is what it may want, and
/// it ends.
#[test]
fn a_download_holds() {
    targets(|name| name == "download").for_each(|(name, target)| try_all(name, target, TRIALS[1]));
}

/// MAP-83: with all that any of its scripts has going on, a swarm, its download and the files that they are about take less than what
/// connections and pieces under way may.
#[test]
fn a_swarm_holds_little() {
    let [connections, pieces, script] = [1_258_291, 31 * 262_144, 64 * 1024];
    for (file, bytes) in corpus("swarm") {
        targets(|name| name == "swarm").for_each(|(_, target)| {
            target(&bytes);
            let held = allocation_counter::measure(|| target(&bytes)).bytes_max;
            assert!(held <= connections + pieces + script, "{held} bytes with {file}");
        });
    }
}

/// MAP-27, 38, 42, 73, 75: a machine's swarm, whatever the others say and do: what leaves is good and true, and what waits knows until when.
#[test]
fn a_swarm_holds() {
    targets(|name| name == "swarm").for_each(|(name, target)| try_all(name, target, TRIALS[1]));
}

/// NET-33: the host of a game, whatever one of its machines says: it ticks on, and another's game is none the worse.
#[test]
fn the_host_holds() {
    targets(|name| name == "host").for_each(|(name, target)| try_all(name, target, TRIALS[1]));
}

/// NET-33: a client, whatever its host says.
#[test]
fn a_client_holds() {
    targets(|name| name == "client").for_each(|(name, target)| try_all(name, target, TRIALS[1]));
}

/// NET-33, COOP-03, OBJ-33, 51: a client of a level of the campaign, whatever its host's scripts and actors are said to do.
#[test]
fn a_client_of_the_campaign_holds() {
    targets(|name| name == "together").for_each(|(name, target)| try_all(name, target, TRIALS[3]));
}

/// NET-33: whole games to which things are done; whoever is still in agrees with the host afterwards.
#[test]
fn a_game_holds() {
    targets(|name| name == "session").for_each(|(name, target)| try_all(name, target, TRIALS[2]));
}

/// A script is written as it is read, and one cut short anywhere is read to where it ends.
#[test]
fn a_script_comes_back() {
    for target in ["host", "client"] {
        for (file, bytes) in corpus(target) {
            let ops = Op::read_all(&bytes);
            let mut again = Vec::new();
            ops.iter().for_each(|op| op.write(&mut again));
            assert_eq!(again, bytes, "{target}/{file}");
            assert!((0..bytes.len()).all(|end| Op::read_all(&bytes[..end]).len() <= ops.len()));
        }
    }
}
