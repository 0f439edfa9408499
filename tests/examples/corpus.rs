//! Writes the corpora of the fuzz targets anew: `cargo run -p mjolnir-tests --example corpus`. They are made of the
//! golden vectors, of what honest machines say, in a good game and in one of soak's, and for whole games of chance from
//! a seed. What a fuzzer found and somebody put beside them stays.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use mjolnir_skirmish::game::map_file::Making;
use mjolnir_skirmish::game::random::Random;
use mjolnir_tests::fuzz::honest_scripts;
use mjolnir_tests::{Way, messages, soak};
use mjolnir_wire::actors::{ActorState, Impulse};
use mjolnir_wire::coop::CoopEventEntry;
use mjolnir_wire::damage::{Damage, Hit, HitReport, Parts};
use mjolnir_wire::events::{Action, Surface, SurfaceBroken};
use mjolnir_wire::game_state::{Body, GameState};
use mjolnir_wire::kinds::KINDS;
use mjolnir_wire::layout::Pad;
use mjolnir_wire::mapshare::{File, FileHash, FileSet};
use mjolnir_wire::presentation::{Camera, Presentation, Timer, Vitality};
use mjolnir_wire::scripted::{Look, ObjectNames, ScreenEffect, Transform};
use mjolnir_wire::swarm::{Frame, HASHES_MAX, Have};
use mjolnir_wire::units::Ride;
use mjolnir_wire::{Axes, Kind, ObjectId, ObjectName, Slot, Tag, Tick, Vec3};

/// The game of soak's that is listened to, and for how long, in seconds.
const SOAK_SEED: u64 = 3;
const SOAK_SECONDS: u64 = 60;
/// Games of chance.
const GAMES: u64 = 12;

/// What is said of a map, from the kind on: the examples of our own paper.
const OF_A_MAP: [(&str, &str); 5] = [
    ("request", "560145230100 05000000 637573746f6d5f6d6170735c68756765617373"),
    (
        "offer",
        "570145230100 c0270900 76699f6d357bf2fcfaf0e7e53887ca7ff129a59d321acf6d958f99d8908f9f4b 76699f6d 00000000",
    ),
    ("refusal", "570145230100"),
    (
        "sources",
        "580245230100 03010101c0a80128000000000000000000000000 05020100000102030405060708090a0b0c0d0e0f",
    ),
    ("progress", "590145230100 0000080000000000 76699f6d 01000000"),
];

/// Frames that carry a map: the same.
const FRAMES: [(&str, &str); 9] = [
    ("hello", "1000000001ff0000 4d4a4d53 0100 2000 03 06 0000 76699f6d"),
    (
        "have",
        "2900000002000000 76699f6d357bf2fcfaf0e7e53887ca7ff129a59d321acf6d958f99d8908f9f4b c0270900 00000000 03",
    ),
    ("have_piece", "0400000003000000 02000000"),
    ("request", "0400000004000000 02000000"),
    ("cancel", "0400000005000000 02000000"),
    ("block", "0b00000006000000 02000000 00000000 010203"),
    ("hashes_request", "0400000007000000 00000000"),
    (
        "hashes",
        "6800000008000000 00000000 03000000 f4dfab981a82a6ff5c5cb9e7c5fca5a041ea437aa901f3ba60ebe5d9be385547 \
         f4dfab981a82a6ff5c5cb9e7c5fca5a041ea437aa901f3ba60ebe5d9be385547 \
         938199d3aca8672b3a2ec85f1198ba1c6b3f13b0d2216b18fe84909c106e9683",
    ),
    ("idle", "0000000009ff0000"),
];

fn bytes_of(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> =
        hex.bytes().filter_map(|digit| char::from(digit).to_digit(16)).map(|digit| digit as u8).collect();
    digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

/// The target of the file that has a kind's entries.
fn target_of(kind: Kind) -> &'static str {
    match kind {
        Kind::PlayerPrediction | Kind::UnitStates => "wire_units",
        Kind::PlayerStatistics => "wire_statistics",
        Kind::Inventories | Kind::ObjectChanges | Kind::ObjectStates | Kind::VehiclePrediction => {
            "wire_objects"
        }
        Kind::GameState => "wire_game_state",
        Kind::DamageEvents | Kind::HitReports | Kind::ActorDamage | Kind::DamageAnimations => "wire_damage",
        Kind::Pickups => "wire_pickups",
        Kind::PlayerInputs | Kind::RelayedActions => "wire_inputs",
        Kind::Batch => "wire_batch",
        Kind::ObjectsSynchronized | Kind::ClientReady | Kind::Notice | Kind::StructureBsp => "wire_session",
        Kind::ClientIdentity => "wire_identity",
        Kind::Pings => "wire_pings",
        Kind::ActorStates => "wire_actors",
        Kind::Votekick | Kind::VotekickStatus => "wire_votekick",
        Kind::VoiceUp | Kind::VoiceDown | Kind::VoiceConfig => "wire_voice",
        Kind::ChatUp | Kind::ChatDown | Kind::ChatConfig => "wire_chat",
        Kind::MapShareRequest | Kind::MapShareOffer | Kind::MapShareSources | Kind::MapShareProgress => {
            "wire_mapshare"
        }
        Kind::AimAssistPolicy => "wire_rules",
        Kind::CoopPresentation => "wire_presentation",
        Kind::CoopObjectNames
        | Kind::CoopObjectTransforms
        | Kind::CoopObjectLooks
        | Kind::CoopScreenEffect => "wire_scripted",
        Kind::CoopSkipVote => "wire_coop",
        Kind::CoopDeviceGroups | Kind::CoopDeviceStates => "wire_devices",
        Kind::CoopEvents => "wire_events",
    }
}

/// Of each kind that went each way in one of soak's games the shortest and the longest message.
fn from_soak() -> io::Result<Vec<(String, Kind, Vec<u8>)>> {
    let passed =
        soak::overhear(SOAK_SEED, SOAK_SECONDS).map_err(|broken| io::Error::other(broken.to_string()))?;
    let mut kept = Vec::new();
    for (way, name) in [(Way::In, "up"), (Way::Out, "down")] {
        let mut of_kind: BTreeMap<u8, [Vec<u8>; 2]> = BTreeMap::new();
        messages(&passed, way, |_, message| {
            let (tick, head) = (message.tick.get().to_le_bytes(), [message.kind as u8, message.count]);
            let bytes = [&head[..], &tick[..], message.body].concat();
            let [shortest, longest] =
                of_kind.entry(message.kind as u8).or_insert_with(|| [bytes.clone(), bytes.clone()]);
            if bytes.len() < shortest.len() {
                shortest.clone_from(&bytes);
            }
            if bytes.len() > longest.len() {
                longest.clone_from(&bytes);
            }
        });
        for (number, [shortest, longest]) in of_kind {
            let Ok(kind) = Kind::new(number) else { continue };
            kept.push((format!("soak-{name}-{number:03}-short"), kind, shortest));
            kept.push((format!("soak-{name}-{number:03}-long"), kind, longest));
        }
    }
    Ok(kept)
}

/// What is said of a map and the frames that carry one, as they are good, and at their bounds.
fn of_maps(keep: impl Fn(&str, &str, &[u8]) -> io::Result<()>) -> io::Result<()> {
    for (name, hex) in OF_A_MAP {
        let mut bytes = bytes_of(hex);
        match name {
            "request" => bytes.resize(6 + 132, 0),
            "refusal" => bytes.extend([&[0; 36][..], &[0x76, 0x69, 0x9f, 0x6d, 0, 2, 0, 0]].concat()),
            _ => {}
        }
        keep("wire_mapshare", name, &bytes)?;
    }
    // An IPv4 address within IPv6, and one file offered twice.
    let head = [Kind::MapShareSources as u8, 1, 5, 0, 0, 0, 3, 3, 1, 1];
    let mapped = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 10, 0, 0, 1];
    keep("wire_mapshare", "mapped", &[&head[..], &mapped].concat())?;
    let offer = [&[9, 0, 0, 0][..], &[7; 36], &[2, 0, 0, 0]].concat();
    keep(
        "wire_mapshare",
        "twice",
        &[&[Kind::MapShareOffer as u8, 2, 5, 0, 0, 0][..], &offer, &offer].concat(),
    )?;
    let mut all = Vec::new();
    for (name, hex) in FRAMES {
        let bytes = bytes_of(hex);
        keep("wire_swarm", name, &bytes)?;
        all.extend(bytes);
    }
    keep("wire_swarm", "all", &all)?;
    let mut longest = Vec::new();
    Frame::Have(File::Loc, Have { hash: FileHash([7; 32]), size: u32::MAX, bitmap: Some(&[0xFF; 2048]) })
        .write(&mut longest);
    keep("wire_swarm", "longest_have", &longest)?;
    longest.clear();
    Frame::Hashes(File::Map, 512, &[[9; 32]; HASHES_MAX]).write(&mut longest);
    keep("wire_swarm", "most_hashes", &longest)?;
    // Of a kind and of a file that are none, each before a good one; of no hash; of no byte; longer than any.
    for (name, hex) in [
        ("unknown", "04000000c8000000 01020304 0000000009ff0000"),
        ("no_file", "0400000003ff0000 02000000 0000000009ff0000"),
        ("no_hash", "0800000008000000 00000000 00000000"),
        ("no_byte", "0800000006000000 02000000 00000000"),
        ("longer", "0940000006000000 02000000 00000000"),
        (
            "spare_bit",
            "2900000002000000 76699f6d357bf2fcfaf0e7e53887ca7ff129a59d321acf6d958f99d8908f9f4b c0270900 00000000 0b",
        ),
    ] {
        keep("wire_swarm", name, &bytes_of(hex))?;
    }
    Ok(())
}

/// What stands in a folder of maps: names, a list of part files, map files.
fn of_folders(keep: impl Fn(&str, &str, &[u8]) -> io::Result<()>) -> io::Result<()> {
    let names = [
        "hugeass",
        "hugeass.map",
        "hugeass_0e2b3ee4.map",
        "hugeass_0e2b3ee4.map.part",
        "CON.map",
        "com1 .x",
        "..\\..\\x",
        "a%2e%2e",
        "Bitmaps",
        "trailing. ",
        "caf\u{e9}",
        "_12345678.map",
    ];
    for (number, name) in names.iter().enumerate() {
        keep(
            "map_names",
            &format!("name-{number:02}"),
            &[&[0x0E, 0x2B, 0x3E, 0xE4], name.as_bytes()].concat(),
        )?;
    }
    keep("map_names", "longest", &[&[0; 4][..], &[b'x'; 64]].concat())?;
    keep("map_names", "too-long", &[&[0; 4][..], &[b'x'; 65]].concat())?;
    let lies = "../x.map.part\nnotes.txt\na.map\nCON.map.part\n/etc/x.map.part\n\nx.part\nyes.map.part\r\nb.map.part\nlast.map.part";
    for (name, is_one, text) in [
        ("lies", 1, lies),
        ("own", 1, "?ther.map.part\nfetched.map.part\nsounds.map.part\n"),
        ("cut", 0, "Part files of downl"),
        ("another", 0, "b.map.part\n"),
        ("none", 1, ""),
    ] {
        keep("part_files", name, &[&[is_one], text.as_bytes()].concat())?;
    }
    for (name, file, needs) in [
        ("plain", File::Map, FileSet::NONE),
        ("sounds", File::Map, FileSet::only(File::Sounds)),
        ("resource", File::Sounds, FileSet::NONE),
    ] {
        let mut bytes = Vec::new();
        let making = Making::new(file, 2048, 5, needs).map_err(|why| io::Error::other(format!("{why:?}")))?;
        making.write(&mut bytes)?;
        keep("map_file", name, &bytes)?;
        bytes[4] = 9;
        keep("map_file", &format!("{name}-of-another-version"), &bytes)?;
        bytes.truncate(900);
        bytes[4] = 1;
        bytes[8..16].copy_from_slice(&900_u64.to_le_bytes());
        keep("map_file", &format!("{name}-cut"), &bytes)?;
    }
    Ok(())
}

/// What a campaign says: a unit of an actor's and what it shows, what scripts show and change, an event of each kind and some that do
/// nothing.
fn of_campaign(keep: impl Fn(&str, &str, &[u8]) -> io::Result<()>) -> io::Result<()> {
    let message = |kind: Kind, count: u8| vec![kind as u8, count, 5, 0, 0, 0];
    let unit = ObjectId::new(7, 2).expect("an object");
    let (object, named) = (ObjectName::Object(unit, Tag(0x0E11_0001)), ObjectName::Named(9));
    let at = Vec3::new(1.5, -2.0, 0.25);

    let mut bytes = message(Kind::ActorStates, 2);
    let mut actor = ActorState::still(unit, at);
    actor.write(&mut bytes);
    actor.ride = Some(Ride { vehicle: Some(unit), seat: 1 });
    actor.impulse = Impulse { kind: Some(15), number: 255, alignment: Some(1.5) };
    actor.runs_blindly = Some(0.25);
    actor.team = Some(1);
    actor.speech.sound = Some(Tag(0x0E11_0002));
    actor.user_animation.graph = Some(Tag(0x0E11_0003));
    actor.write(&mut bytes);
    keep("wire_actors", "two", &bytes)?;

    let mut bytes = message(Kind::CoopPresentation, 1);
    let camera =
        Camera { position: at, axes: Axes::UPRIGHT, field_of_view: 1.2, object: Some(unit), offset: at };
    let mut shown = Presentation { camera: Some(camera), cluster: Some(3), ..Presentation::default() };
    shown.timer = Some(Timer { reference: 5, ticks: 900, ..Timer::default() });
    shown.vitality = Some(Vitality { body: 75.0, shield: 75.0 });
    shown.allied.insert(127);
    shown.write(&mut bytes);
    keep("wire_presentation", "camera", &bytes)?;

    let mut bytes = message(Kind::CoopObjectNames, 1);
    let mut names = ObjectNames::none(Some(1), 512);
    [0, 7, 8, 511].iter().for_each(|name| names.insert(*name));
    names.write(&mut bytes);
    keep("wire_scripted", "names", &bytes)?;
    let mut bytes = message(Kind::CoopObjectTransforms, 2);
    for object in [object, named] {
        Transform { object, position: at, axes: Axes::UPRIGHT }.write(&mut bytes);
    }
    keep("wire_scripted", "transforms", &bytes)?;
    let mut bytes = message(Kind::CoopObjectLooks, 2);
    for (object, scale) in [(object, 0.01), (named, 99.9)] {
        Look { object, regions: [0, 1, 2, 3, 4, 5, 6, 255], scale }.write(&mut bytes);
    }
    keep("wire_scripted", "looks", &bytes)?;
    let mut bytes = message(Kind::CoopScreenEffect, 1);
    ScreenEffect { extra_passes: 8, convolution: 2, overbright: 2, ..ScreenEffect::default() }
        .write(&mut bytes);
    keep("wire_scripted", "screen", &bytes)?;

    // Of each kind and type an event, whatever else it says; then each as an object of the level would be named.
    let types = [3, 1, 5, 4, 4, 1, 1, 2, 2, 1, 1, 1, 1];
    for (name, object_name, object) in [("objects", -1, unit.raw()), ("names", 9, -1)] {
        let mut bytes = message(Kind::CoopEvents, types.iter().sum());
        for (kind, types) in (0..).zip(types) {
            for event_type in 0..types {
                let event = CoopEventEntry {
                    kind,
                    event_type,
                    number: 65_530_u16.wrapping_add(kind.into()),
                    value: 1,
                    frame: 2,
                    object_name,
                    interpolate: 1,
                    pad_11: Pad,
                    object,
                    target: object,
                    tag: 3,
                    object_definition_tag: 4,
                    reals: [1.0, 0.0, 0.5],
                };
                event.write(&mut bytes);
            }
        }
        keep("wire_events", name, &bytes)?;
    }
    // Two surfaces that broke, the second of which names none, and an event of another kind.
    let mut bytes = message(Kind::CoopEvents, 3);
    for (number, index) in [(1, 7), (2, u16::MAX), (u16::MAX, 0)] {
        let broken = SurfaceBroken { surface: Surface { structure_bsp: 0, index }, at };
        Action::SurfaceBroken(broken).write(number, &mut bytes);
    }
    let other = bytes.len() - 40;
    bytes[other] = 9;
    keep("wire_events", "broken", &bytes)
}

/// A message of one hit.
fn report() -> Vec<u8> {
    let id = |index, identifier| ObjectId::new(index, identifier).expect("an object");
    let damage = Damage {
        effect: Tag(0x0E11_0001),
        flags: 1,
        owner: Slot::new(2),
        team: None,
        owner_object: Some(id(3, 1)),
        origin: Vec3::new(1.5, -2.0, 0.25),
        epicentre: Vec3::new(1.5, -2.0, 0.5),
        direction: Vec3::new(0.0, 1.0, 0.0),
        scale: 1.0,
        multiplier: 0.75,
        material_effect_scale: 1.0,
        material: None,
    };
    let hit = Hit {
        object: id(7, 2),
        damage,
        target: Vec3::new(4.0, 5.0, 6.0),
        normal: Some(Vec3::UP),
        parts: Parts { node: Some(12), region: None, material: Some(1) },
    };
    let mut message = vec![Kind::HitReports as u8, 1, 5, 0, 0, 0];
    HitReport { hit, heard: Tick::new(74_565).expect("a tick") }.write(&mut message);
    message
}

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let keep = |target: &str, name: &str, bytes: &[u8]| -> io::Result<()> {
        let folder = root.join("corpus").join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(name), bytes)
    };
    let vectors = fs::read_to_string(root.join("../crates/wire/tests/vectors.json"))?;
    let vectors: Vec<serde_json::Value> = serde_json::from_str(&vectors)?;
    for (number, vector) in vectors.iter().enumerate() {
        let bytes = bytes_of(vector["hex"].as_str().unwrap_or_default());
        let name = format!("vector-{number:03}");
        if vector["space"] == "distributed" {
            keep("wire_message", &name, &bytes)?;
            if let Ok(kind) = Kind::new(bytes[2]) {
                keep(target_of(kind), &name, &bytes[2..])?;
            }
            // A stream's reads of seven bytes.
            keep("wire_framing", &name, &[&[6], &bytes[..]].concat())?;
        } else {
            keep("wire_packets_list", &name, &bytes)?;
            let fields = &bytes[3..bytes.len() - 1];
            match bytes[bytes.len() - 1] {
                2 => keep("wire_packets_advertisement", &name, fields)?,
                12 => keep("wire_packets_text", &name, fields)?,
                13 | 16 | 21 => keep("wire_packets_player", &name, fields)?,
                25 => keep("wire_packets_values", &name, &fields[4..])?,
                20 => keep("wire_packets_field", &name, fields)?,
                _ => {}
            }
        }
    }
    // A message of one entry of every kind, since not every kind has a vector.
    for info in KINDS.iter().filter(|info| info.counted) {
        let body = (0..(info.prefix + info.entry) as u8).collect::<Vec<u8>>();
        let message = [&[info.kind as u8, 1, 5, 0, 0, 0], &body[..]].concat();
        keep(target_of(info.kind), &format!("kind-{:03}", info.kind as u8), &message)?;
    }
    // A state of every game type, and one of a hill that has a point too many.
    for game_type in 1..=5 {
        let Some(body) = Body::begin(game_type) else { continue };
        let mut message = vec![Kind::GameState as u8, 0, 5, 0, 0, 0];
        GameState { post_game_phase: 0, body }.write(&mut message);
        keep("wire_game_state", &format!("type-{game_type}"), &message)?;
        if game_type == 4 {
            message[10 + 1152] = 13;
            keep("wire_game_state", "points", &message)?;
        }
    }
    keep("wire_damage", "report", &report())?;
    of_maps(keep)?;
    of_folders(keep)?;
    of_campaign(keep)?;
    let mut advertisement = [0; 276];
    advertisement[54] = 2;
    keep("wire_packets_advertisement", "open", &advertisement)?;
    keep("wire_packets_text", "name", b"A name\0\xFF and more than a name has room for")?;
    keep("wire_packets_field", "long", &[0x7F, 0xC0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])?;
    // The maximum of players, and a count past it.
    keep("wire_packets_settings", "counts", &[&[0x14, 0x23, 2, 128, 0][..], &[0x12, 1, 2, 128, 0]].concat())?;
    keep("wire_packets_settings", "past", &[0x14, 0x23, 2, 129, 0])?;
    keep("wire_packets_pieces", "whole", &[0; 4 * 4])?;
    keep("wire_packets_pieces", "gap", &[0, 0, 0, 1, 1, 200, 9, 1, 0, 0, 0, 2, 3, 0, 9, 3])?;
    keep("wire_space", "axes", &[1.0_f32, 0.0, 0.0, 0.05, 0.0, 1.2].map(f32::to_le_bytes).concat())?;
    keep("wire_time", "wrap", &[0x0A, 0, 1, 0, 0xFF, 0xFF])?;
    let names = ["Bob", "BOB", " bo\u{200B}b|", "", "ABCDEFGHIJK", "abcdefghijkl", "Jos\u{E9}", "Bob 2"];
    let name = |name: &str| {
        let mut units: Vec<u16> = name.encode_utf16().collect();
        units.resize(12, 0);
        units.into_iter().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()
    };
    keep("wire_names", "alike", &names.map(name).concat())?;
    keep("wire_ids", "last", &[127, 0xFF, 0x1F, 1, 0])?;
    let mapped = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 10, 0, 0, 1, 20, 30, 1, 1];
    keep("wire_address", "mapped", &mapped)?;
    keep("wire_address", "neighbours", &[&[0x20, 1, 0x0D, 0xB8][..], &[5; 24]].concat())?;
    keep("wire_identity", "cut", &[&[18, 1, 5, 0, 0, 0][..], b"12a;34\0", &[b'.'; 57], &[0; 8]].concat())?;
    // Whom it asks for, into how long pieces it is cut, and a list that names both.
    let list = "2026-03-07 09:05:00\tip=1.2.3.4\thwid=0123456789abcdef0123456789abcdef\tplayers=Bob\n";
    let own = "# by hand ip=2001:db8:1:2::9 and more\r\nip=none hwid=FEDCBA98765432100123456789ABCDEF\n";
    for whom in 0..16 {
        keep(
            "bans",
            &format!("list-{whom:02}"),
            &[&[whom, 40][..], list.as_bytes(), own.as_bytes()].concat(),
        )?;
    }
    keep("bans", "long", &[&[5, 255][..], &[b'x'; 504], b"ip=1.2.3.4\nip=1.2.3.4"].concat())?;
    // A table of a firmware that has a vendor's name before its system's structure, and what a registry has.
    let table = [
        &[44, 0, 3, 2, 0, 36, 0, 0, 0, 0, 6, 0, 0, 1, 2, b'V', 0, 0, 1, 24, 1, 0, 1, 2, 3, 4][..],
        &[0x33, 0x22, 0x11, 0, 0x55, 0x44, 0x77, 0x66, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF],
        &[0, 0, b' ', b'a', b'b', b'\n', 0],
    ];
    keep("machine_id", "system", &table.concat())?;
    keep("machine_id", "texts", b"\x20uninitialized\n0123456789abcdef0123456789abcdef\n")?;
    for (number, typed) in ["kick bo", "BAN Bob", "votekick ", "Votekick abcdefghijk"].iter().enumerate() {
        let mut bytes = [0; 32];
        bytes[..typed.len()].copy_from_slice(typed.as_bytes());
        keep("commands", &format!("typed-{number}"), &[&bytes[..], &names.map(name).concat()].concat())?;
    }
    for (target, scripts) in honest_scripts() {
        for (number, script) in scripts.iter().enumerate() {
            keep(target, &format!("said-{number:03}"), script)?;
        }
    }
    for (name, kind, message) in from_soak()? {
        keep(target_of(kind), &name, &message)?;
    }
    for seed in 0..GAMES {
        let mut random = Random::new(seed);
        let length = 16 * (1 + random.below(16));
        let bytes: Vec<u8> = (0..length).map(|_| random.bits() as u8).collect();
        keep("session", &format!("chance-{seed:03}"), &bytes)?;
    }
    Ok(())
}
