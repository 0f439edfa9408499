//! Structs that are sent whole: their offsets against the public table, and two ways of reading and writing them
//! against each other.

use std::collections::BTreeMap;

use mjolnir_wire::Error;
use mjolnir_wire::cold;
use mjolnir_wire::format::{FRAME_LAYOUTS, LAYOUTS, LayoutInfo, PACKET_LAYOUTS};
use mjolnir_wire::game_state::body_bytes;
use mjolnir_wire::layout::Described;
use mjolnir_wire::limits::GAME_STATE_BYTES;
use mjolnir_wire::pings::PingEntry;
use proptest::prelude::*;

/// The public table: each struct's size, and the offset and size of each field.
const TABLE: &str = include_str!("../layout.txt");

/// Each struct and its name in the table. Those that are ours alone are not in it.
const NAMES: &[(&str, &str)] = &[
    ("PlayerInputEntry", "input_e"),
    ("PickupEntry", "pickup_e"),
    ("Statistics", "stats"),
    ("PlayerStatisticsEntry", "stats_e"),
    ("PingEntry", "ping_e"),
    ("StructureBspEntry", "bsp_e"),
    ("ClientIdentityEntry", "ident_e"),
    ("ObjectChangeEntry", "change_e"),
    ("ObjectStateEntry", "state_e"),
    ("InventoryEntry", "inv_e"),
    ("Damage", "dmg"),
    ("DamageEventEntry", "event_e"),
    ("HitReportEntry", "hit_e"),
    ("DamageAnimationEntry", "danim_e"),
    ("ActorStateEntry", "actor_e"),
    ("ActorDamageEntry", "adamage_e"),
    ("CoopPresentationEntry", "pres_e"),
    ("CoopEventEntry", "cevent_e"),
    ("CoopDeviceGroupEntry", "devgroup_e"),
    ("CoopObjectNamesEntry", "names_e"),
    ("CoopObjectTransformEntry", "xform_e"),
    ("CoopObjectLookEntry", "look_e"),
    ("CoopSkipVoteEntry", "vote_e"),
    ("CoopDeviceStateEntry", "dev_e"),
    ("CoopScreenEffectEntry", "screen_e"),
    ("VotekickEntry", "kickreq_e"),
    ("VotekickStatusEntry", "kickst_e"),
    ("VoiceUpHeader", "vup_e"),
    ("VoiceDownHeader", "vdown_e"),
    ("VoiceConfigEntry", "vcfg_e"),
    ("AimAssistPolicyEntry", "aim_e"),
    ("SlayerState", "gs_slayer"),
    ("CtfState", "gs_ctf"),
    ("OddballState", "gs_oddball"),
    ("KingState", "gs_king"),
    ("RaceState", "gs_race"),
    ("AddressBlock", "xaddr"),
    ("Advertisement", "advert"),
    ("Variant", "variant"),
    ("NetworkPlayer", "player_rec"),
    ("Options", "options_rec"),
    ("SettingsRecord", "settings_rec"),
];

/// Structs that the table does not have: ours, and two that are its arrays' elements or a single number.
const NOT_IN_TABLE: &[&str] = &[
    "ChatConfigEntry",
    "ChatLineEntry",
    "GameStateHeader",
    "MachineEntry",
    "MapShareOfferEntry",
    "MapShareProgressEntry",
    "MapShareRequestEntry",
    "MapShareSourceEntry",
    "SwarmBlock",
    "SwarmHashes",
    "SwarmHave",
    "SwarmHeader",
    "SwarmHello",
    "SwarmPiece",
];

type Fields = Vec<(usize, usize)>;

/// Puts those fields, at their offsets within it, in the place of a field.
fn splice((_, fields): &mut (usize, Fields), of: (usize, usize), by: &[(usize, usize)]) {
    let at = fields.iter().position(|field| *field == of).unwrap();
    fields.splice(at..=at, by.iter().map(|(offset, size)| (of.0 + offset, *size)));
}

/// The table's structs: size, and (offset, size) of each field that is no pad.
fn table() -> BTreeMap<&'static str, (usize, Fields)> {
    let number = |text: &str, name: &str| -> usize {
        text.split_whitespace().find_map(|word| word.strip_prefix(name)).unwrap().parse().unwrap()
    };
    let mut structs: BTreeMap<&str, (usize, Fields)> = BTreeMap::new();
    let mut last = "";
    for line in TABLE.lines().filter(|line| !line.is_empty()) {
        let name = line.split_whitespace().next().unwrap();
        if !line.starts_with(' ') {
            last = name;
            structs.insert(name, (number(line, "size="), Vec::new()));
        } else if !name.starts_with("pad") {
            structs.get_mut(last).unwrap().1.push((number(line, "off="), number(line, "size=")));
        }
    }
    // An input holds an action, which the table gives as one field; its two throttles are an array of ours.
    let mut action = structs["act"].1.clone();
    action.retain(|field| *field != (16, 4));
    for field in action.iter_mut().filter(|field| **field == (12, 4)) {
        field.1 = 8;
    }
    splice(structs.get_mut("input_e").unwrap(), (12, 32), &action);
    // The advertisement's reserved bytes begin with the network version and its flags (WIRE-02, 03).
    splice(structs.get_mut("advert").unwrap(), (90, 26), &[(0, 2), (2, 1)]);
    structs
}

/// Offset and size of each field of ours that is no pad. Fields stand without gaps, so each ends where the next
/// begins.
fn fields(described: &Described) -> Fields {
    let ends = described.fields.iter().skip(1).map(|(_, _, offset)| *offset).chain([described.size]);
    described
        .fields
        .iter()
        .zip(ends)
        .filter(|((_, ty, _), _)| !ty.starts_with("pad["))
        .map(|((_, _, offset), end)| (*offset, end - offset))
        .collect()
}

fn all() -> impl Iterator<Item = &'static LayoutInfo> {
    LAYOUTS.iter().chain(PACKET_LAYOUTS).chain(FRAME_LAYOUTS)
}

/// WIRE-31, 59, 90, 93: every struct has the public table's size, and a field wherever it has one. Of the rows on later
/// kinds (38 to 50, 75, 79, 80, 85, 86) that is a part: what is checked of their fields comes with what reads them.
#[test]
fn every_struct_stands_as_the_table_says() {
    let table = table();
    for layout in all() {
        let described = (layout.describe)();
        let Some((_, name)) = NAMES.iter().find(|(ours, _)| *ours == described.name) else {
            assert!(NOT_IN_TABLE.contains(&described.name), "{}", described.name);
            continue;
        };
        let (size, theirs) = &table[name];
        assert_eq!(described.size, *size, "{name}");
        let mut ours = fields(&described);
        // The choice that is ours stands where the table has a pad.
        if described.name == "PlayerInputEntry" {
            ours.retain(|field| *field != (2, 1));
        }
        assert_eq!(ours, *theirs, "{name}");
    }
    let missing: Vec<_> = table
        .keys()
        .filter(|name| !["hdr", "act"].contains(name) && !NAMES.iter().any(|(_, theirs)| theirs == *name))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// WIRE-59: the bytes that are pads are written zero.
fn without_pads(described: &Described, bytes: &[u8]) -> Vec<u8> {
    let mut clean = vec![0; described.size];
    for (offset, size) in fields(described) {
        let inner = all().map(|layout| (layout.describe)()).find(|inner| {
            described
                .fields
                .iter()
                .any(|(_, ty, at)| *at == offset && ty.split('[').next() == Some(inner.name))
        });
        match inner {
            Some(inner) => {
                for at in (offset..offset + size).step_by(inner.size) {
                    clean[at..at + inner.size].copy_from_slice(&without_pads(&inner, &bytes[at..]));
                }
            }
            None => clean[offset..offset + size].copy_from_slice(&bytes[offset..offset + size]),
        }
    }
    clean
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// WIRE-11, 59: whatever the bytes, each struct is written as it was read, but for its pads, which are zero; and
    /// serde with bincode, which share no code with the direct reader and writer, give the same.
    #[test]
    fn two_ways_give_the_same_bytes(seed in any::<u64>()) {
        for layout in all() {
            let described = (layout.describe)();
            let mut state = seed ^ described.size as u64;
            let bytes: Vec<u8> = (0..described.size)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (state >> 56) as u8
                })
                .collect();
            let direct = (layout.rewrite)(&bytes).unwrap();
            prop_assert_eq!(&direct, &without_pads(&described, &bytes), "{}", described.name);
            prop_assert_eq!(&(layout.rewrite_cold)(&bytes).unwrap(), &direct, "{}", described.name);
        }
    }
}

/// WIRE-78: each game type's body is as long as the format says, and none is longer than a body may be.
#[test]
fn each_game_type_has_a_body_of_its_own_length() {
    let bodies = [None, Some(56), Some(1408), Some(1108), Some(1436), Some(2704), None];
    for (game_type, bytes) in (0..).zip(bodies) {
        assert_eq!(body_bytes(game_type), bytes);
        assert!(bytes.is_none_or(|bytes| bytes <= GAME_STATE_BYTES));
    }
}

/// WIRE-08: one byte short is refused by both, one more by the one that is given exactly its bytes.
#[test]
fn a_struct_needs_all_its_bytes() {
    for layout in all() {
        let size = (layout.describe)().size;
        let bytes = vec![0; size + 1];
        assert_eq!((layout.rewrite)(&bytes[..size - 1]), Err(Error::Truncated));
        assert_eq!((layout.rewrite_cold)(&bytes[..size - 1]), Err(Error::Truncated));
        assert!((layout.rewrite)(&bytes).is_ok());
        assert_eq!((layout.rewrite_cold)(&bytes), Err(Error::TrailingBytes));
    }
    assert_eq!(cold::decode::<PingEntry>(&[]), Err(Error::Truncated));
}
