//! The fuzz targets: each a function of any bytes that panics where something does not hold. A fuzzer calls them
//! from `tests/fuzz`, a test over the committed corpus from `tests/tests/corpus.rs`. Knows no fuzzer.
//!
//! A target of `wire_` is of the file of that name in `crates/wire/src`: `wire_packets_list` of `packets/list.rs`.
//! `bans`, `machine_id` and `commands` are of the same in `anticheat`, which reads a file, a system's tables and what is typed.
//! `map_file`, `map_names` and `part_files` are of what map sharing and the reference game read of a folder, `download` and `swarm` of
//! what other machines say to who fetches or sends a map.
//! `host` and `client` are each end's handling of what the other says, `together` a client's of a level of the campaign, `session` is
//! whole games.

mod campaign;
mod client;
mod conduct;
mod contents;
mod counted;
mod download;
mod entries;
mod folders;
mod host;
mod layouts;
mod maps;
mod packets;
mod primitives;
mod said;
mod scores;
mod script;
mod session;
mod swarm;
mod together;

pub use script::Op;

/// A target.
pub type Target = fn(&[u8]);

/// Every target by its name.
pub const TARGETS: &[(&str, Target)] = &[
    ("wire_actors", campaign::actors),
    ("wire_address", primitives::address),
    ("wire_batch", entries::batch),
    ("wire_chat", layouts::chat),
    ("wire_coop", layouts::coop),
    ("wire_damage", entries::damage),
    ("wire_devices", entries::devices),
    ("wire_events", campaign::events),
    ("wire_framing", primitives::framing),
    ("wire_game_state", scores::game_state),
    ("wire_identity", entries::identity),
    ("wire_ids", primitives::ids),
    ("wire_inputs", entries::inputs),
    ("wire_mapshare", maps::mapshare),
    ("wire_message", entries::message),
    ("wire_names", primitives::names),
    ("wire_objects", entries::objects),
    ("wire_packets_advertisement", packets::advertisement),
    ("wire_packets_field", packets::field),
    ("wire_packets_list", packets::list),
    ("wire_packets_pieces", packets::pieces),
    ("wire_packets_player", packets::player),
    ("wire_packets_settings", packets::settings),
    ("wire_packets_text", packets::text),
    ("wire_packets_values", packets::values),
    ("wire_pickups", scores::pickups),
    ("wire_pings", entries::pings),
    ("wire_presentation", campaign::presentation),
    ("wire_rules", layouts::rules),
    ("wire_scripted", campaign::scripted),
    ("wire_session", entries::session),
    ("wire_space", primitives::space),
    ("wire_statistics", scores::statistics),
    ("wire_swarm", maps::swarm),
    ("wire_time", primitives::time),
    ("wire_units", entries::units),
    ("wire_voice", layouts::voice),
    ("wire_votekick", layouts::votekick),
    ("bans", conduct::bans),
    ("machine_id", conduct::machine_id),
    ("commands", conduct::commands),
    ("map_file", folders::map_file),
    ("map_names", folders::map_names),
    ("part_files", folders::part_files),
    ("download", download::download),
    ("swarm", swarm::swarm),
    ("host", host::host),
    ("client", client::client),
    ("together", together::together),
    ("session", session::session),
];

/// Runs the target of that name.
///
/// # Panics
///
/// If there is none, and if something does not hold.
pub fn run(name: &str, bytes: &[u8]) {
    let (_, target) = TARGETS.iter().find(|(known, _)| *known == name).expect("a target's name");
    target(bytes);
}

/// Bytes for the corpora of `host` and `client`, what an honest machine says in the first seconds of the same game, and for those of map
/// sharing's, where all goes well.
pub fn honest_scripts() -> [(&'static str, Vec<Vec<u8>>); 4] {
    [
        ("host", host::honest()),
        ("client", client::honest()),
        ("download", download::honest()),
        ("swarm", swarm::honest()),
    ]
}
