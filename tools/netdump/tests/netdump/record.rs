//! What is shown beside the record of the format: every kind and packet, every field by its name and, where it is a
//! whole number or a float, with the value that stands at its offset.

use std::collections::BTreeSet;

use mjolnir_wire::kinds::KINDS;
use mjolnir_wire::packets::PACKETS;
use serde_json::Value;

use super::bytes::{hex, message, packet, shown};

/// The record's lines that begin so, split at spaces.
pub(crate) fn lines(what: &'static str) -> Vec<Vec<&'static str>> {
    include_str!("../../../../network_format.txt")
        .lines()
        .map(|line| line.split(' ').collect::<Vec<_>>())
        .filter(|words| words[0] == what)
        .collect()
}

/// The fields of a struct: name, type, offset; pads left out.
fn fields(what: &'static str, of: &str) -> Vec<(&'static str, &'static str, usize)> {
    lines(what)
        .into_iter()
        .filter_map(|words| {
            let (name, field) = words[1].split_once('.')?;
            // A packet's list has spaces in its type.
            let (offset, ty) = (words.last()?.parse().ok()?, words[2]);
            (name == of && !ty.starts_with("pad[")).then_some((field, ty, offset))
        })
        .collect()
}

/// The number of that type in those bytes, as JSON shows it; none of a type that is no number.
fn number(ty: &str, bytes: &[u8]) -> Option<Value> {
    fn at<const N: usize>(bytes: &[u8]) -> [u8; N] {
        *bytes.first_chunk().unwrap()
    }
    Some(match ty {
        "u8" => bytes[0].into(),
        "i8" => (bytes[0] as i8).into(),
        "u16" => u16::from_le_bytes(at(bytes)).into(),
        "i16" => i16::from_le_bytes(at(bytes)).into(),
        "u32" => u32::from_le_bytes(at(bytes)).into(),
        "i32" => i32::from_le_bytes(at(bytes)).into(),
        "f32" => f32::from_le_bytes(at(bytes)).to_string().parse::<f64>().unwrap().into(),
        _ => return None,
    })
}

/// Every field of that struct stands in what is shown of those bytes. Fields, and numbers compared.
pub(crate) fn is_shown(of: &str, bytes: &[u8], shown: &Value) -> [usize; 2] {
    let mut counted = [0; 2];
    for (name, ty, offset) in fields("field", of) {
        let ours = shown.get(name).unwrap_or_else(|| panic!("{of}.{name} is not shown"));
        counted[0] += 1;
        let (of_one, list) = ty.split_once('[').unwrap_or((ty, ""));
        if of_one.starts_with(char::is_uppercase) {
            let [fields, numbers] = is_shown(of_one, &bytes[offset..], ours);
            counted = [counted[0] + fields, counted[1] + numbers];
        } else if let (Some(number), "") = (number(of_one, &bytes[offset..]), list) {
            assert_eq!(ours, &number, "{of}.{name}");
            counted[1] += 1;
        } else if let (Value::Array(ours), Some(first)) = (ours, number(of_one, &bytes[offset..]))
            && !ty.contains('/')
        {
            let first_of_ours = ours[0].get(0).unwrap_or(&ours[0]);
            assert_eq!(first_of_ours, &first, "{of}.{name}");
            counted[1] += 1;
        }
    }
    assert!(counted[0] > 0, "{of} has no fields");
    let keys = shown.as_object().unwrap().keys();
    assert!(keys.clone().all(|key| !key.starts_with("pad_")), "{of}: {keys:?}");
    counted
}

/// Bytes that differ from their neighbours, and in fours are finite floats.
pub(crate) fn body(length: usize) -> Vec<u8> {
    (0..length).map(|at| if at % 4 == 3 { 0x3F } else { (at * 37 + 11) as u8 }).collect()
}

/// Every kind is shown, with every field that the record says its structs have.
#[test]
fn every_kind_is_shown_by_the_records_names() {
    let mut counted = [0; 2];
    for info in KINDS {
        let held: Vec<_> = lines("holds").into_iter().filter(|words| words[1] == info.name).collect();
        let count = info.most.min(1);
        let mut bytes = body(info.prefix + info.entry * usize::from(count));
        match info.name {
            // Lengths that hold, and whole entries of those that are packed by hand.
            "voice_up" => bytes[6] = 0,
            "voice_down" => bytes[9] = 0,
            "player_prediction" | "unit_states" => bytes = vec![3, 0, 0],
            "relayed_actions" => bytes = [vec![0; 4], hex("0300ffffff0040 0000 7f00 00 0000")].concat(),
            "batch" | "notice" => bytes.clear(),
            _ => {}
        }
        let shown = shown(&message(info.kind as u8, count, &bytes)).unwrap();
        assert_eq!((&shown["kind"], &shown["name"]), (&(info.kind as u8).into(), &info.name.into()));
        let fields = &shown["fields"];
        assert_eq!((&fields["count"], &fields["tick"]), (&count.into(), &7.into()), "{}", info.name);
        for words in held {
            let entry = if info.prefix > 0 { fields } else { &fields["entries"][0] };
            let [fields, numbers] = is_shown(words[2], &bytes, entry);
            counted = [counted[0] + fields, counted[1] + numbers];
        }
    }
    assert!(counted[0] > 250 && counted[1] > 200, "{counted:?}");
}

/// Every game type's state is shown behind its header.
#[test]
fn every_game_type_is_shown() {
    for of in ["CtfState", "SlayerState", "OddballState", "KingState", "RaceState"] {
        let size = lines("struct").into_iter().find(|words| words[1] == of).unwrap()[2].parse().unwrap();
        let state = body(size);
        let shown = shown(&message(7, 0, &[&[9, 0, 0, 0][..], &state].concat())).unwrap();
        assert_eq!(shown["fields"]["post_game_phase"], 9);
        is_shown(of, &state, &shown["fields"]);
    }
    let none = shown(&message(7, 0, &[9, 0, 0, 0])).unwrap();
    assert_eq!(none["fields"]["post_game_phase"], 9);
}

/// Entries packed by hand show the fields that stand in them, under the record's names, and none else.
#[test]
fn a_packed_entry_shows_what_stands_in_it() {
    let of = |name: &str| -> BTreeSet<String> {
        lines("packed")
            .into_iter()
            .filter_map(|words| words[1].strip_prefix(&format!("{name}.")).map(str::to_owned))
            .collect()
    };
    let keys = |entry: &Value| -> BTreeSet<String> {
        entry.as_object().unwrap().keys().filter(|key| !key.ends_with("_bits")).cloned().collect()
    };
    // Alive, placed and predicted with every part, and dead with a killer.
    let alive = "03 83 1f 1e00a4e1 2c00a9e1 0100 00002841 000088c0 0000803f 4000 0000 e0ff ff7f 0000 0000 \
                 0000 0000 ff7f 0f27 0040 0020 0100 0200 0300 0400 0500 0600 03 ff";
    let dead = "05 08 20 02";
    let states = shown(&message(2, 2, &hex(&format!("{alive}{dead}")))).unwrap();
    let [alive, dead] = [&states["fields"]["entries"][0], &states["fields"]["entries"][1]];
    let killer: BTreeSet<String> = ["killer_player".to_owned()].into();
    assert_eq!(keys(alive), &of("unit_state") - &killer);
    assert_eq!(alive["flags_bits"], serde_json::json!(["alive", "placed", "predicted"]));
    assert_eq!(alive["parts_bits"].as_array().unwrap().len(), 5);
    assert_eq!((&alive["predicted_time"], &alive["seat"]), (&9999.into(), &1.into()));
    assert_eq!((&alive["body_vitality"], &alive["shield_vitality"]), (&1.0.into(), &0.5.into()));
    assert_eq!((&alive["camouflage_ticks"], &alive["full_spectrum_vision_ticks"]), (&5.into(), &6.into()));
    assert_eq!((&alive["unit_flags"], &alive["camouflage"]), (&3.into(), &1.0.into()));
    let always = ["player", "flags", "parts"].map(str::to_owned).into();
    assert_eq!(keys(dead), &always | &killer);
    assert_eq!(dead["killer_player"], 2);

    let action = "03 07 00 01 05 0040 0000 7f 81 ff 0100 0200 0400 0800";
    let actions = shown(&message(15, 1, &hex(&format!("34120000 {action}")))).unwrap();
    let entry = &actions["fields"]["entries"][0];
    assert_eq!(actions["fields"]["update_number"], 0x1234);
    assert_eq!(keys(entry), of("relayed_action"));
    assert_eq!(
        ["weapon", "grenade", "zoom", "buttons", "buttons_three_ticks_before"]
            .map(|name| entry[name].as_i64()),
        [Some(0), Some(1), Some(5), Some(1), Some(8)]
    );
    assert_eq!(entry["buttons_one_tick_before_bits"], serde_json::json!(["jump"]));
    assert_eq!((&entry["throttle_ahead"], &entry["throttle_left"]), (&1.0.into(), &(-1.0).into()));
}

/// Every packet is shown, with every field that the record says it has, and its structs'.
#[test]
fn every_packet_is_shown_by_the_records_names() {
    let mut counted = 0;
    for info in PACKETS {
        let mut bytes = vec![0; info.size - 4];
        if info.number == 2 {
            bytes[54] = 2;
        }
        let shown = shown(&packet(info.number, &bytes)).unwrap();
        assert_eq!((&shown["space"], &shown["kind"]), (&"game".into(), &info.number.into()));
        assert_eq!(shown["name"], info.name);
        for (name, ty, _) in fields("packet_field", info.name) {
            let ours =
                shown["fields"].get(name).unwrap_or_else(|| panic!("{}.{name} is not shown", info.name));
            for (inner, ..) in fields("packet_struct_field", ty) {
                assert!(ours.get(inner).is_some(), "{ty}.{inner} is not shown");
                counted += 1;
            }
            counted += 1;
        }
    }
    assert!(counted > 100, "{counted}");
}

/// Text is text to its NUL, keys are hexadecimal, bits have names, and a float that is not finite is text: any
/// message is JSON.
#[test]
fn what_is_no_number_is_text() {
    let line = [&[4, 3][..], b"say \"hi\"\n\xFF", &[0; 54]].concat();
    let chat = shown(&message(84, 1, &line)).unwrap();
    let entry = &chat["fields"]["entries"][0];
    assert_eq!(entry["text"], "say \"hi\"\n\u{FFFD}");
    assert_eq!(entry["flags_bits"], serde_json::json!(["team", "vehicle"]));

    let mut report = vec![0; 108];
    for (at, value) in [(20, f32::NAN), (24, f32::INFINITY), (28, f32::NEG_INFINITY), (56, 0.5)] {
        report[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    let hit = shown(&message(11, 1, &report)).unwrap();
    let damage = &hit["fields"]["entries"][0]["damage"];
    assert_eq!(damage["origin"], serde_json::json!(["NaN", "inf", "-inf"]));
    assert_eq!(damage["scale"], 0.5);

    let mut offer = vec![0; 44];
    offer[4..6].copy_from_slice(&[0xAB, 0x01]);
    let offer = shown(&message(87, 1, &offer)).unwrap();
    assert!(offer["fields"]["entries"][0]["hash"].as_str().unwrap().starts_with("ab0100"));
}

/// An entry that a receiver refuses is shown with why; bytes that it reads over are shown too.
#[test]
fn what_a_receiver_refuses_is_said() {
    let pings = shown(&message(19, 2, &[3, 0, 1, 0, 200, 0, 2, 0, 9, 9])).unwrap();
    let fields = &pings["fields"];
    assert_eq!((fields["entries"][0].get("refused"), &fields["ignored"]), (None, &"0909".into()));
    assert_eq!(fields["entries"][1]["refused"], "bad_index");
    assert_eq!(fields["entries"][1]["player"], 200);
    // Of maps: a fifth file, an address that nobody is at, nothing lacked, a state that there is not.
    let mut offer = vec![1, 0, 0, 0];
    offer.extend([7; 36]);
    let offers = [&offer[..], &[3, 0, 0, 0], &offer, &[4, 0, 0, 0]].concat();
    let offers = shown(&message(87, 2, &offers)).unwrap();
    let entries = &offers["fields"]["entries"];
    assert_eq!((entries[0].get("refused"), &entries[1]["refused"]), (None, &"bad_index".into()));
    let sources = [&[3, 1, 1, 1, 10, 0, 0, 1][..], &[0; 12], &[3, 1, 5, 0, 224], &[0; 15]].concat();
    let sources = shown(&message(88, 2, &sources)).unwrap();
    let entries = &sources["fields"]["entries"];
    assert_eq!((entries[0].get("refused"), &entries[1]["refused"]), (None, &"out_of_range".into()));
    assert_eq!(entries[0]["flags_bits"], serde_json::json!(["downloading"]));
    assert_eq!(entries[1]["files_bits"], serde_json::json!(["map", "sounds"]));
    let request = shown(&message(86, 1, &[0; 132])).unwrap();
    assert_eq!(request["fields"]["entries"][0]["refused"], "bad_flag");
    let progress = shown(&message(89, 1, &[4; 16])).unwrap();
    assert_eq!(progress["fields"]["entries"][0]["refused"], "bad_flag");
    // One packed by hand is its bytes: there is no reading of it.
    let states = shown(&message(2, 2, &[200, 0, 0, 4, 0, 0])).unwrap();
    let entries = &states["fields"]["entries"];
    assert_eq!(entries[0], serde_json::json!({"refused": "bad_index", "bytes": "c80000"}));
    assert_eq!(entries[1]["player"], 4);
}
