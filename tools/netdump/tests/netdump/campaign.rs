//! What a campaign says, shown: beside an entry's fields stands what they mean.

use mjolnir_wire::actors::ActorState;
use mjolnir_wire::devices::{DeviceGroup, DeviceState, Role, Setting};
use mjolnir_wire::events::{Action, HudText};
use mjolnir_wire::presentation::Presentation;
use mjolnir_wire::scripted::{Look, ObjectNames, ScreenEffect, Transform};
use mjolnir_wire::{Axes, ObjectId, ObjectName, Tag, Vec3};
use serde_json::{Value, json};

use super::bytes::{message, shown};

fn id() -> ObjectId {
    ObjectId::new(30, 0xE1A4).unwrap()
}

fn named() -> [ObjectName; 2] {
    [ObjectName::Object(id(), Tag(0xE174_0100)), ObjectName::Named(9)]
}

/// The entries of a message of that kind, as they are shown.
fn entries(kind: u8, count: u8, write: impl FnOnce(&mut Vec<u8>)) -> Vec<Value> {
    let mut bytes = Vec::new();
    write(&mut bytes);
    shown(&message(kind, count, &bytes)).unwrap()["fields"]["entries"].as_array().unwrap().clone()
}

fn of(entries: &[Value], key: &str) -> Vec<Value> {
    entries.iter().map(|entry| entry.get(key).cloned().unwrap_or("nothing".into())).collect()
}

/// WIRE-84: an entry of an object says by what a receiver looks for it; one that names nothing is refused.
#[test]
fn an_object_is_shown_with_what_it_is_named_by() {
    let moved = entries(72, 3, |to| {
        named().iter().for_each(|object| {
            Transform { object: *object, position: Vec3::ZERO, axes: Axes::UPRIGHT }.write(to);
        });
        to.extend([0xFF; 12]);
        to.extend([0; 24]);
    });
    assert_eq!(of(&moved, "named_by"), ["object", "level", "nothing"]);
    assert_eq!(of(&moved, "refused"), ["nothing", "nothing", "bad_index"]);
    assert_eq!(of(&moved, "object_name"), [-1, 9, -1]);
    let looks = entries(74, 2, |to| {
        named().iter().for_each(|object| Look { object: *object, regions: [0; 8], scale: 1.5 }.write(to));
    });
    assert_eq!(of(&looks, "named_by"), ["object", "level"]);
    let devices = entries(77, 2, |to| {
        named().iter().for_each(|device| {
            DeviceState { device: *device, moving: true, position: 0.5, power: 1.0 }.write(to);
        });
    });
    assert_eq!(of(&devices, "named_by"), ["object", "level"]);
    let groups = entries(68, 2, |to| {
        for of in [Setting::Group(3), Setting::Own(named()[0], Role::Power)] {
            DeviceGroup { of, value: 0.5, snaps: 0, changed: 1 }.write(to);
        }
    });
    assert_eq!(of(&groups, "named_by"), ["group", "object"]);
}

/// WIRE-43: an event is shown with what it does by the record's names, one that does nothing with null, one of no kind as refused.
#[test]
fn an_event_is_shown_with_what_it_does() {
    let events = entries(71, 5, |to| {
        Action::Hud(HudText::Objective(3)).write(1, to);
        Action::UnitOpen { unit: named()[0], opens: true }.write(2, to);
        Action::Reverted.write(3, to);
        Action::ChapterTitle(40_000).write(4, to);
        Action::Reverted.write(5, to);
        to[4 * 40] = 12;
    });
    let actions =
        [json!("hud.objective"), "unit_open_close".into(), "reverted".into(), Value::Null, "nothing".into()];
    assert_eq!(of(&events, "action"), actions);
    assert_eq!(of(&events, "named_by"), ["nothing", "object", "nothing", "nothing", "nothing"]);
    assert_eq!(events[4]["refused"], "bad_flag");
    assert_eq!(of(&events, "number"), [1, 2, 3, 4, 5]);
}

/// WIRE-42, 45, 86: what scripts show is shown with its cluster and its teams, names with those that are there.
#[test]
fn what_scripts_show_is_shown_with_what_it_means() {
    let presented = entries(66, 1, |to| {
        let mut shown = Presentation { cluster: Some(7), cinematic: true, ..Presentation::default() };
        [0, 31, 32, 127].iter().for_each(|team| shown.allied.insert(*team));
        shown.write(to);
    });
    let shown = &presented[0];
    assert_eq!((&shown["cluster"], &shown["activating_cluster_plus_one"]), (&7.into(), &8.into()));
    assert_eq!((&shown["allied"], &shown["friendly"]), (&json!([0, 31, 32, 127]), &json!([])));
    assert_eq!(shown["flags_bits"], json!(["cinematic"]));
    let none = entries(66, 1, |to| Presentation::default().write(to));
    assert_eq!(none[0]["cluster"], Value::Null);
    let refused = entries(66, 1, |to| {
        Presentation::default().write(to);
        to[84..88].copy_from_slice(&f32::NAN.to_le_bytes());
    });
    let refused = &refused[0];
    assert_eq!((&refused["refused"], refused.get("cluster")), (&"not_finite".into(), None));
    assert_eq!(refused["max_body"], "NaN");
    let names = entries(69, 1, |to| {
        let mut names = ObjectNames::none(Some(2), 512);
        [0, 8, 511].iter().for_each(|name| names.insert(*name));
        names.write(to);
    });
    assert_eq!((&names[0]["present"], &names[0]["structure_bsp"]), (&json!([0, 8, 511]), &2.into()));
}

/// WIRE-41, 82, 85: an actor, its damage, a pick and a screen effect that a receiver refuses are shown with why.
#[test]
fn a_campaigns_entries_that_are_refused_are_said() {
    let actors = entries(64, 2, |to| {
        ActorState::still(id(), Vec3::ZERO).write(to);
        ActorState::still(id(), Vec3::ZERO).write(to);
        to[88 + 13] = 7;
    });
    assert_eq!(of(&actors, "refused"), ["nothing", "out_of_range"]);
    assert_eq!(actors[1]["animation_state"], 7);
    let damage = entries(73, 1, |to| to.extend([0; 12]));
    assert_eq!(damage[0]["refused"], "bad_index");
    let picks = entries(75, 1, |to| to.extend([30, 0, 0xA4, 0xE1, 0, 0, 4, 1]));
    assert_eq!(picks[0]["refused"], "bad_flag");
    let screen = entries(76, 1, |to| {
        ScreenEffect::default().write(to);
        to[6] = 9;
    });
    assert_eq!(screen[0]["refused"], "out_of_range");
}
