//! What made others' decoders fail (docs/failures.md) and is no requirement's own test elsewhere.

use mjolnir_wire::actors::{ActorDamage, ActorState};
use mjolnir_wire::damage::{DamageAnimation, DamageEvent, HitReport};
use mjolnir_wire::devices::{DeviceGroup, DeviceState};
use mjolnir_wire::events::CoopEvent;
use mjolnir_wire::game_state::GameState;
use mjolnir_wire::inputs::{PlayerInput, RelayedActions};
use mjolnir_wire::objects::{Inventory, ObjectState, VehiclePrediction};
use mjolnir_wire::pickups::Pickup;
use mjolnir_wire::presentation::Presentation;
use mjolnir_wire::scripted::{Look, ObjectNames, ScreenEffect, Transform};
use mjolnir_wire::statistics::PlayerStatistics;
use mjolnir_wire::units::UnitState;
use mjolnir_wire::{Kind, Message, ObjectChange, Ping};

use super::bytes::{message, written};
use super::vectors::all;
use super::{actors, events, scripted};

/// What a message is read as, entry by entry, in words; none of a kind whose numbers nothing reads yet.
fn read(message: &Message<'_>) -> Option<Vec<Result<String, String>>> {
    fn said<T: core::fmt::Debug, E: core::fmt::Debug>(entry: Result<T, E>) -> Result<String, String> {
        entry.map(|entry| format!("{entry:?}")).map_err(|error| format!("{error:?}"))
    }
    Some(match message.kind {
        Kind::PlayerPrediction | Kind::UnitStates => UnitState::read_all(message).map(said).collect(),
        Kind::ObjectChanges => ObjectChange::read_all(message).map(said).collect(),
        Kind::Inventories => Inventory::read_all(message).map(said).collect(),
        Kind::ObjectStates => ObjectState::read_all(message).map(said).collect(),
        Kind::VehiclePrediction => VehiclePrediction::read_all(message).map(said).collect(),
        Kind::PlayerInputs => PlayerInput::read_all(message).map(said).collect(),
        Kind::RelayedActions => RelayedActions::read(message).into_iter().flatten().map(said).collect(),
        Kind::Pings => Ping::read_all(message).map(said).collect(),
        Kind::PlayerStatistics => PlayerStatistics::read_all(message).map(said).collect(),
        Kind::Pickups => Pickup::read_all(message).map(said).collect(),
        Kind::DamageEvents => DamageEvent::read_all(message).map(said).collect(),
        Kind::HitReports => HitReport::read_all(message).map(said).collect(),
        Kind::DamageAnimations => DamageAnimation::read_all(message).map(said).collect(),
        Kind::ActorStates => ActorState::read_all(message).map(said).collect(),
        Kind::ActorDamage => ActorDamage::read_all(message).map(said).collect(),
        Kind::CoopPresentation => Presentation::read_all(message).map(said).collect(),
        Kind::CoopDeviceGroups => DeviceGroup::read_all(message).map(said).collect(),
        Kind::CoopDeviceStates => DeviceState::read_all(message).map(said).collect(),
        Kind::CoopObjectNames => ObjectNames::read_all(message).map(said).collect(),
        Kind::CoopEvents => CoopEvent::read_all(message).map(said).collect(),
        Kind::CoopObjectTransforms => Transform::read_all(message).map(said).collect(),
        Kind::CoopObjectLooks => Look::read_all(message).map(said).collect(),
        Kind::CoopScreenEffect => ScreenEffect::read_all(message).map(said).collect(),
        Kind::GameState => (1..=5).map(|of| said(GameState::read(message.body, of))).collect(),
        _ => return None,
    })
}

/// WIRE-09: of every recorded message of a kind that is read, from a client and from a host alike, every four bytes
/// are put to NaN, both infinities and numbers as large as they get, one place at a time: whatever is then taken of
/// it is finite, also where it is made straight or scaled. No kind is forgotten, since each has its recorded message, or one
/// made here: a reader that takes one number as it came fails here.
#[test]
fn no_number_that_is_not_finite_is_taken_of_any_kind() {
    let evil = [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e30, -1e9];
    let (mut kinds, mut refused) = (std::collections::BTreeSet::new(), 0);
    let recorded = all().into_iter().filter(|vector| vector.distributed).map(|vector| vector.bytes);
    let events: Vec<_> = events::every().iter().map(|(event, _)| written(|to| event.write(7, to))).collect();
    let made = [
        message(64, 1, &written(|to| actors::busy().write(to))),
        message(71, events.len() as u8, &events.concat()),
        message(76, 1, &written(|to| scripted::effect().write(to))),
    ];
    for whole in recorded.chain(made) {
        if !Message::read(&whole).is_ok_and(|message| read(&message).is_some()) {
            continue;
        }
        kinds.insert(whole[2]);
        for at in 8..whole.len().saturating_sub(3) {
            for number in evil {
                let mut bytes = whole.clone();
                bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
                let Ok(message) = Message::read(&bytes) else { continue };
                for entry in read(&message).into_iter().flatten() {
                    match entry {
                        Ok(words) => {
                            let words = words.to_lowercase();
                            assert!(
                                !words.contains("nan") && !words.contains("inf"),
                                "{} {at}: {words}",
                                whole[2]
                            );
                        }
                        Err(_) => refused += 1,
                    }
                }
            }
        }
    }
    assert!(kinds.len() >= 23, "{kinds:?}");
    assert!(refused > 1000, "{refused} entries were refused");
}
