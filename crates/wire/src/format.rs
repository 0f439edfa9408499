//! The record: everything that machines send each other, as sorted lines of text. `network_format.txt` is made of it
//! and compared with it. Knows no file.
//!
//! Each line is `<what> <name> <values>`, so that whatever changes shows as a changed line that names it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::error::Error;
use crate::kinds::{Channels, KINDS, Kind, KindInfo, Sender};
use crate::layout::{Bits, Described, PackedField, Values};
use crate::{
    actors, chat, cold, coop, damage, game_state, inputs, limits, mapshare, objects, packets, pickups, pings,
    rules, session, space, statistics, swarm, units, voice, votekick,
};

/// A struct that is sent whole, as far as tools and tests deal with it without naming it.
#[derive(Clone, Copy, Debug)]
pub struct LayoutInfo {
    /// Its lines.
    pub describe: fn() -> Described,
    /// Reads it from the front of those bytes and writes it again.
    pub rewrite: fn(&[u8]) -> Result<Vec<u8>, Error>,
    /// The same by way of serde and bincode.
    pub rewrite_cold: fn(&[u8]) -> Result<Vec<u8>, Error>,
}

macro_rules! layouts {
    ($( $path:path ),+ $(,)?) => {
        &[ $( LayoutInfo {
            describe: <$path>::describe,
            rewrite: |bytes| {
                let mut to = Vec::with_capacity(<$path>::SIZE);
                <$path>::read(bytes)?.write(&mut to);
                Ok(to)
            },
            rewrite_cold: |bytes| cold::encode(&cold::decode::<$path>(bytes)?),
        } ),+ ]
    };
}

/// Every struct that a distributed message holds whole.
pub const LAYOUTS: &[LayoutInfo] = layouts![
    actors::ActorStateEntry,
    chat::ChatConfigEntry,
    chat::ChatLineEntry,
    coop::CoopDeviceGroupEntry,
    coop::CoopDeviceStateEntry,
    coop::CoopEventEntry,
    coop::CoopObjectLookEntry,
    coop::CoopObjectNamesEntry,
    coop::CoopObjectTransformEntry,
    coop::CoopPresentationEntry,
    coop::CoopScreenEffectEntry,
    coop::CoopSkipVoteEntry,
    damage::ActorDamageEntry,
    damage::DamageEntry,
    damage::DamageAnimationEntry,
    damage::DamageEventEntry,
    damage::HitReportEntry,
    game_state::CtfState,
    game_state::GameStateHeader,
    game_state::KingState,
    game_state::OddballState,
    game_state::RaceState,
    game_state::SlayerState,
    inputs::PlayerInputEntry,
    mapshare::MapShareOfferEntry,
    mapshare::MapShareProgressEntry,
    mapshare::MapShareRequestEntry,
    mapshare::MapShareSourceEntry,
    objects::InventoryEntry,
    objects::ObjectChangeEntry,
    objects::ObjectStateEntry,
    pickups::PickupEntry,
    pings::PingEntry,
    rules::AimAssistPolicyEntry,
    session::ClientIdentityEntry,
    session::StructureBspEntry,
    statistics::PlayerStatisticsEntry,
    statistics::Statistics,
    voice::VoiceConfigEntry,
    voice::VoiceDownHeader,
    voice::VoiceUpHeader,
    votekick::VotekickEntry,
    votekick::VotekickStatusEntry,
];

/// Every struct that one of the game's own packets holds whole.
pub const PACKET_LAYOUTS: &[LayoutInfo] = layouts![
    packets::Advertisement,
    packets::NetworkPlayer,
    packets::SettingsRecord,
    packets::advertisement::AddressBlock,
    packets::settings::MachineEntry,
    packets::settings::Options,
    packets::settings::Variant,
];

/// Every struct of the frames that carry maps.
pub const FRAME_LAYOUTS: &[LayoutInfo] = layouts![
    swarm::SwarmBlock,
    swarm::SwarmHashes,
    swarm::SwarmHave,
    swarm::SwarmHeader,
    swarm::SwarmHello,
    swarm::SwarmPiece,
];

/// The structs that a kind's messages hold, in order: before the entries, an entry.
const HOLDS: &[(Kind, &[&str])] = &[
    (Kind::PlayerStatistics, &["PlayerStatisticsEntry"]),
    (Kind::Inventories, &["InventoryEntry"]),
    (Kind::ObjectChanges, &["ObjectChangeEntry"]),
    (Kind::ObjectStates, &["ObjectStateEntry"]),
    (Kind::GameState, &["GameStateHeader"]),
    (Kind::DamageEvents, &["DamageEventEntry"]),
    (Kind::HitReports, &["HitReportEntry"]),
    (Kind::VehiclePrediction, &["ObjectStateEntry"]),
    (Kind::Pickups, &["PickupEntry"]),
    (Kind::PlayerInputs, &["PlayerInputEntry"]),
    (Kind::ClientIdentity, &["ClientIdentityEntry"]),
    (Kind::Pings, &["PingEntry"]),
    (Kind::ActorStates, &["ActorStateEntry"]),
    (Kind::StructureBsp, &["StructureBspEntry"]),
    (Kind::CoopPresentation, &["CoopPresentationEntry"]),
    (Kind::CoopDeviceGroups, &["CoopDeviceGroupEntry"]),
    (Kind::CoopObjectNames, &["CoopObjectNamesEntry"]),
    (Kind::CoopSkipVote, &["CoopSkipVoteEntry"]),
    (Kind::CoopEvents, &["CoopEventEntry"]),
    (Kind::CoopObjectTransforms, &["CoopObjectTransformEntry"]),
    (Kind::ActorDamage, &["ActorDamageEntry"]),
    (Kind::CoopObjectLooks, &["CoopObjectLookEntry"]),
    (Kind::DamageAnimations, &["DamageAnimationEntry"]),
    (Kind::CoopScreenEffect, &["CoopScreenEffectEntry"]),
    (Kind::CoopDeviceStates, &["CoopDeviceStateEntry"]),
    (Kind::Votekick, &["VotekickEntry"]),
    (Kind::VotekickStatus, &["VotekickStatusEntry"]),
    (Kind::VoiceUp, &["VoiceUpHeader"]),
    (Kind::VoiceDown, &["VoiceDownHeader"]),
    (Kind::VoiceConfig, &["VoiceConfigEntry"]),
    (Kind::ChatUp, &["ChatLineEntry"]),
    (Kind::ChatDown, &["ChatLineEntry"]),
    (Kind::ChatConfig, &["ChatConfigEntry"]),
    (Kind::MapShareRequest, &["MapShareRequestEntry"]),
    (Kind::MapShareOffer, &["MapShareOfferEntry"]),
    (Kind::MapShareSources, &["MapShareSourceEntry"]),
    (Kind::MapShareProgress, &["MapShareProgressEntry"]),
    (Kind::AimAssistPolicy, &["AimAssistPolicyEntry"]),
];

const BITS: &[&[Bits]] = &[
    &[
        ("settings.coop_flags", &[("pass_through", packets::settings::COOP_PASS_THROUGH_BIT as u32)]),
        (
            "advertisement.network_flags",
            &[
                ("distributed", packets::advertisement::DISTRIBUTED_BIT as u32),
                ("in_progress", packets::advertisement::IN_PROGRESS_BIT as u32),
            ],
        ),
        (
            "advertisement.flags",
            &[
                ("open", packets::advertisement::OPEN_BIT as u32),
                ("teams", packets::advertisement::TEAMS_BIT as u32),
                ("oddball", packets::advertisement::ODDBALL_BIT as u32),
            ],
        ),
    ],
    &[units::FLAGS, units::PARTS, units::UNIT_FLAGS, inputs::RELAYED_PARTS],
    inputs::BITS,
    objects::BITS,
    actors::BITS,
    damage::BITS,
    coop::BITS,
    voice::BITS,
    votekick::BITS,
    chat::BITS,
    mapshare::BITS,
    swarm::BITS,
];

/// The bits that the record names of that field: each's name and mask.
pub(crate) fn bits_of(field: &str) -> impl Iterator<Item = (&'static str, u32)> {
    let buttons = if field == "buttons" { inputs::Buttons::NAMES.as_slice() } else { &[] };
    let buttons = buttons.iter().enumerate().map(|(bit, name)| (*name, 1 << bit));
    let named = BITS.iter().copied().flatten().filter(move |(of, _)| *of == field);
    named.flat_map(|(_, bits)| bits.iter().copied()).chain(buttons)
}

const VALUES: &[&[Values]] = &[
    &[
        ("game_type", &game_state::GAME_TYPES),
        ("ping.milliseconds", &[("unknown", pings::UNKNOWN_MILLISECONDS as u32)]),
    ],
    objects::VALUES,
    session::VALUES,
    actors::VALUES,
    damage::VALUES,
    pickups::VALUES,
    coop::VALUES,
    voice::VALUES,
    mapshare::VALUES,
    swarm::VALUES,
    rules::VALUES,
];

const LIMITS: &[(&str, usize)] = &[
    ("TICKS_PER_SECOND", limits::TICKS_PER_SECOND as usize),
    ("MAX_PLAYERS", limits::MAX_PLAYERS),
    ("MAX_MACHINES", limits::MAX_MACHINES),
    ("MAX_LOCAL_PLAYERS", limits::MAX_LOCAL_PLAYERS),
    ("MAX_OBJECTS", limits::MAX_OBJECTS),
    ("FIRST_OWN_OBJECT", limits::FIRST_OWN_OBJECT),
    ("MAX_ACTOR_UNITS", limits::MAX_ACTOR_UNITS),
    ("MAX_OBJECT_NAMES", limits::MAX_OBJECT_NAMES),
    ("WEAPON_SLOTS", limits::WEAPON_SLOTS),
    ("GRENADE_KINDS", limits::GRENADE_KINDS),
    ("MESSAGE_BYTES", limits::MESSAGE_BYTES),
    ("DATAGRAM_BYTES", limits::DATAGRAM_BYTES),
    ("HEADER_BYTES", limits::HEADER_BYTES),
    ("PART_BYTES", limits::PART_BYTES),
    ("MAX_COUNT", limits::MAX_COUNT),
    ("GAME_STATE_BYTES", limits::GAME_STATE_BYTES),
    ("POSITION_BOUND", limits::POSITION_BOUND as usize),
    ("UNIT_STATE_MOST", units::UNIT_STATE_MOST),
    ("RELAYED_ACTION_LEAST", inputs::RELAYED_ACTION_LEAST),
    ("RELAYED_ACTION_MOST", inputs::RELAYED_ACTION_MOST),
    ("NOTICE_CHARACTERS", session::NOTICE_CHARACTERS),
    ("PACKET_VERSION", packets::list::PACKET_VERSION as usize),
    ("PIECE_BYTES", packets::pieces::PIECE_BYTES),
    ("PROTOCOL", packets::advertisement::PROTOCOL as usize),
    ("HOST_PORT", limits::HOST_PORT as usize),
    ("CLIENT_PORT", limits::CLIENT_PORT as usize),
    ("MAP_SHARE_PORT", limits::MAP_SHARE_PORT as usize),
    ("SHARED_FILE_MAX", mapshare::SHARED_FILE_MAX as usize),
    // The settings have pieces too.
    ("SHARED_FILE_PIECE_BYTES", mapshare::PIECE_BYTES as usize),
    ("SHARED_FILE_PIECES_MAX", mapshare::PIECES_MAX as usize),
    ("SWARM_VERSION", swarm::SWARM_VERSION as usize),
    ("SWARM_FRAME_HEADER_BYTES", swarm::FRAME_HEADER_BYTES),
    ("SWARM_FRAME_BODY_MAX", swarm::FRAME_BODY_MAX),
    ("SWARM_BLOCK_BYTES", swarm::BLOCK_BYTES as usize),
    ("SWARM_HASHES_MAX", swarm::HASHES_MAX),
];

/// The record: `version <n>`, then the sorted lines (WIRE-55, TOOL-73). Each ends with a newline.
pub fn description() -> String {
    let mut lines = Vec::new();
    lines.extend(KINDS.iter().flat_map(kind));
    lines.extend(
        HOLDS
            .iter()
            .flat_map(|(kind, structs)| structs.iter().map(|name| format!("holds {} {name}", kind.name()))),
    );
    let layouts = LAYOUTS.iter().chain(FRAME_LAYOUTS);
    lines.extend(layouts.flat_map(|layout| structure(&(layout.describe)())));
    lines.extend(swarm::FRAMES.iter().flat_map(swarm_frame));
    lines.extend(packed("unit_state", units::FIELDS, &[units::FLAGS, units::PARTS]));
    lines.extend(packed("relayed_action", inputs::RELAYED_FIELDS, &[inputs::RELAYED_PARTS]));
    lines.extend(frames());
    for (field, bits) in BITS.iter().copied().flatten() {
        lines.extend(bits.iter().map(|(bit, mask)| format!("bit {field}.{bit} {}", mask.trailing_zeros())));
    }
    lines.extend(
        inputs::Buttons::NAMES.iter().enumerate().map(|(bit, name)| format!("bit buttons.{name} {bit}")),
    );
    for (field, values) in VALUES.iter().copied().flatten() {
        lines.extend(values.iter().map(|(name, value)| format!("value {field}.{name} {value}")));
    }
    lines.extend(LIMITS.iter().map(|(name, value)| format!("limit {name} {value}")));
    lines.extend(scales());
    lines.extend(packets::describe());
    lines.sort_unstable();

    let mut text = format!("version {}\n", limits::NETWORK_VERSION);
    for line in lines {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// A kind's line, and one for what stands before its entries, for how few it may count, and for a count that is
/// not the number of its entries.
fn kind(info: &KindInfo) -> Vec<String> {
    let KindInfo { name, prefix, entry, least, most, .. } = info;
    let sender = match info.sender {
        Sender::Host => "host",
        Sender::Client => "client",
        Sender::Either => "either",
    };
    let channels = match info.channels {
        Channels::Stream => "stream",
        Channels::Datagram => "datagram",
        Channels::Either => "either",
        Channels::Own => "own_datagram",
    };
    let mut lines =
        alloc::vec![format!("kind {name} {} {sender} {channels} {entry} {most}", info.kind as u8)];
    if *prefix > 0 {
        lines.push(format!("prefix {name} {prefix}"));
    }
    if *least > 0 {
        lines.push(format!("least {name} {least}"));
    }
    if !info.counted {
        lines.push(format!("uncounted {name} 0"));
    }
    lines
}

/// The line of a frame of a map's files: number, who sends it, bytes of the shortest and the longest body, and one for what that
/// begins with.
fn swarm_frame(info: &swarm::FrameInfo) -> Vec<String> {
    let swarm::FrameInfo { kind, name, holds, least, most } = info;
    let mut lines = alloc::vec![format!("swarm_frame {name} {} either {least} {most}", *kind as u8)];
    lines.extend(holds.map(|held| format!("holds swarm_frame.{name} {held}")));
    lines
}

/// A struct's lines.
fn structure(described: &Described) -> Vec<String> {
    let Described { name, size, fields } = described;
    let mut lines = alloc::vec![format!("struct {name} {size}")];
    lines.extend(fields.iter().map(|(field, ty, offset)| format!("field {name}.{field} {ty} {offset}")));
    lines
}

/// The lines of an entry packed by hand: type, place in the order, and the bits that it stands with.
fn packed<'a>(
    name: &'a str,
    fields: &'a [PackedField],
    bits: &'a [Bits],
) -> impl Iterator<Item = String> + use<'a> {
    fields.iter().enumerate().map(move |(place, field)| {
        let mut line = format!("packed {name}.{} {} {place}", field.name, field.type_name);
        for (of, names) in bits {
            let (with, without) =
                if of.ends_with(".flags") { (field.flags, field.not_flags) } else { (field.parts, 0) };
            for (bit, mask) in *names {
                if u32::from(with) & mask != 0 {
                    line.push_str(&format!(" {bit}"));
                }
                if u32::from(without) & mask != 0 {
                    line.push_str(&format!(" not_{bit}"));
                }
            }
        }
        line
    })
}

/// The lines of what frames every message (FACT wire 1.2, 1.3, 1.5).
fn frames() -> impl Iterator<Item = String> {
    [
        "frame word.flags bits 0..2",
        "frame word.type bits 2..4",
        "frame word.length bits 4..16",
        "frame word u16_big_endian 0",
        "frame header.word u16_big_endian 0",
        "frame header.kind u8 2",
        "frame header.count u8 3",
        "frame header.tick i32 4",
        "frame part.length u16 0",
        "frame part.kind u8 2",
        "frame part.count u8 3",
        "frame part.tick i32 4",
        "frame relayed_actions.update_number i32 0",
        "value message_type.error 1",
        "value message_type.data 2",
        "value message_type.packet 3",
    ]
    .into_iter()
    .map(String::from)
}

/// The lines of how amounts travel (FACT wire 1.8): what one is.
fn scales() -> impl Iterator<Item = String> {
    [
        ("unit_vector", space::PackedUnit::SCALE),
        ("velocity", space::PackedVelocity::SCALE),
        ("angular_velocity", space::PackedAngular::SCALE),
        ("vitality", f32::from(space::pack_vitality(1.0))),
        ("share", f32::from(space::pack_share(1.0))),
        ("throttle", f32::from(space::pack_throttle(1.0))),
        ("age", f32::from(space::pack_age(1.0))),
        ("speed", f32::from(space::pack_speed(1.0))),
        ("field_of_view", f32::from(space::pack_field_of_view(1.0))),
        ("half_turn", f32::from(space::pack_angle(core::f32::consts::PI))),
    ]
    .into_iter()
    .map(|(name, scale)| format!("scale {name} {scale}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TOOL-73: the first line names the version, the rest is sorted and says nothing twice.
    #[test]
    fn the_lines_are_sorted_and_none_stands_twice() {
        let text = description();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "version 32");
        assert!(lines[1..].is_sorted_by(|a, b| a < b));
        let subjects: Vec<_> =
            lines[1..].iter().map(|line| line.splitn(3, ' ').take(2).collect::<Vec<_>>()).collect();
        assert!(subjects.is_sorted_by(|a, b| a < b), "one subject with two values");
    }

    /// MAP-73: frames are numbered from 1 without a gap, as the record says; the shortest body of each is what it holds, and none is
    /// longer than a body may be.
    #[test]
    fn what_a_frame_holds_is_its_shortest_body() {
        assert_eq!(swarm::FRAMES.len(), 9);
        let text = description();
        for (number, info) in (1_u8..).zip(swarm::FRAMES) {
            assert_eq!(info.kind as u8, number);
            let held: Vec<_> = FRAME_LAYOUTS
                .iter()
                .map(|layout| (layout.describe)())
                .filter(|described| Some(described.name) == info.holds)
                .collect();
            assert_eq!(held.len(), usize::from(info.holds.is_some()), "{}", info.name);
            assert_eq!(
                info.least,
                held.iter().map(|described| described.size).sum::<usize>(),
                "{}",
                info.name
            );
            assert!((info.least..=swarm::FRAME_BODY_MAX).contains(&info.most), "{}", info.name);
            let line = format!("swarm_frame {} {number} either {} {}", info.name, info.least, info.most);
            assert!(text.lines().any(|recorded| recorded == line), "{line}");
        }
        assert!(text.lines().any(|line| line == "limit SWARM_FRAME_BODY_MAX 16392"));
    }

    /// The structs that a kind is said to hold are as long as the kind's table says.
    #[test]
    fn what_a_kind_holds_is_as_long_as_its_entry() {
        let size = |name: &str| {
            LAYOUTS
                .iter()
                .map(|layout| (layout.describe)())
                .find(|described| described.name == name)
                .unwrap()
                .size
        };
        for info in KINDS {
            let held = HOLDS.iter().find(|(kind, _)| *kind == info.kind);
            let sum: usize = held.map_or(0, |(_, names)| names.iter().map(|name| size(name)).sum());
            let packed =
                matches!(info.kind, Kind::PlayerPrediction | Kind::UnitStates | Kind::RelayedActions);
            assert_eq!(sum, if packed { 0 } else { info.prefix + info.entry }, "{}", info.name);
        }
    }
}
