//! Every decoder, given anything: an error or a message, never a panic, never more memory than the bytes justify.

use mjolnir_wire::actors::{ActorDamage, ActorState};
use mjolnir_wire::chat::{Down, Line, Settings};
use mjolnir_wire::damage::{DamageAnimation, DamageEvent, HitReport};
use mjolnir_wire::devices::{DeviceGroup, DeviceState};
use mjolnir_wire::events::CoopEvent;
use mjolnir_wire::format::{FRAME_LAYOUTS, LAYOUTS, LayoutInfo, PACKET_LAYOUTS};
use mjolnir_wire::framing::{StreamReader, read_datagram};
use mjolnir_wire::game_state::GameState;
use mjolnir_wire::inputs::{PlayerInput, RelayedActions};
use mjolnir_wire::kinds::KINDS;
use mjolnir_wire::mapshare::{Offer, Progress, Request, Source};
use mjolnir_wire::objects::{Inventory, ObjectState, VehiclePrediction};
use mjolnir_wire::packets::Packet;
use mjolnir_wire::pickups::Pickup;
use mjolnir_wire::presentation::Presentation;
use mjolnir_wire::scripted::{Look, ObjectNames, ScreenEffect, Transform};
use mjolnir_wire::session::{ClientReady, Notice};
use mjolnir_wire::statistics::PlayerStatistics;
use mjolnir_wire::swarm::{FRAME_BODY_MAX, Frame, Header};
use mjolnir_wire::units::{Life, UnitState};
use mjolnir_wire::votekick::{Votekick, VotekickStatus};
use mjolnir_wire::{Axes, Kind, Message, ObjectChange, Parts, Ping, Vec3};
use proptest::prelude::*;

use super::bytes::{hex, message};
use super::vectors::all;

fn layouts() -> impl Iterator<Item = &'static LayoutInfo> {
    LAYOUTS.iter().chain(PACKET_LAYOUTS).chain(FRAME_LAYOUTS)
}

fn assert_placed(position: Vec3, axes: Axes) {
    assert!(position.to_array().iter().all(|part| part.abs() <= 32768.0));
    assert!((axes.forward.length() - 1.0).abs() <= 1e-5 && (axes.up.length() - 1.0).abs() <= 1e-5);
}

/// Reads a message by every reader that its kind has; what is taken keeps what the readers promise. Entries.
fn read_message(message: &Message<'_>) -> usize {
    let mut taken = 0;
    let mut take = |ok: bool| taken += usize::from(ok);
    match message.kind {
        Kind::PlayerPrediction | Kind::UnitStates => {
            for state in UnitState::read_all(message) {
                take(state.is_ok());
                if let Ok(UnitState { life: Life::Alive(unit), .. }) = state
                    && let Some(placement) = unit.placement
                {
                    assert_placed(placement.position, placement.axes);
                }
            }
        }
        Kind::ObjectChanges => {
            for change in ObjectChange::read_all(message) {
                take(change.is_ok());
                if let Ok(ObjectChange::Create(made)) = change {
                    assert_placed(made.position, made.axes);
                }
            }
        }
        Kind::ActorStates => {
            for state in ActorState::read_all(message) {
                take(state.is_ok());
                if let Ok(state) = state {
                    assert_placed(state.position, state.axes);
                    assert!(state.throttle.iter().all(|part| part.abs() <= 1.0));
                }
            }
        }
        Kind::CoopPresentation => {
            for shown in Presentation::read_all(message) {
                take(shown.is_ok());
                if let Ok(Presentation { camera: Some(camera), .. }) = shown {
                    assert_placed(camera.position, camera.axes);
                    assert!(camera.field_of_view > 0.0 && camera.offset.is_finite());
                }
            }
        }
        Kind::CoopObjectTransforms => {
            for moved in Transform::read_all(message) {
                take(moved.is_ok());
                if let Ok(moved) = moved {
                    assert_placed(moved.position, moved.axes);
                }
            }
        }
        Kind::CoopObjectLooks => {
            for look in Look::read_all(message) {
                take(look.is_ok());
                assert!(look.is_err() || look.is_ok_and(|look| look.scale > 0.0 && look.scale < 100.0));
            }
        }
        Kind::CoopObjectNames => {
            for names in ObjectNames::read_all(message) {
                take(names.is_ok());
                assert!(names.is_err() || names.is_ok_and(|names| !names.contains(names.count())));
            }
        }
        Kind::CoopScreenEffect => ScreenEffect::read_all(message).for_each(|effect| take(effect.is_ok())),
        Kind::CoopEvents => CoopEvent::read_all(message).for_each(|event| take(event.is_ok())),
        Kind::CoopDeviceGroups => DeviceGroup::read_all(message).for_each(|group| take(group.is_ok())),
        Kind::CoopDeviceStates => DeviceState::read_all(message).for_each(|state| take(state.is_ok())),
        Kind::ActorDamage => ActorDamage::read_all(message).for_each(|shown| take(shown.is_ok())),
        Kind::DamageEvents => DamageEvent::read_all(message).for_each(|event| take(event.is_ok())),
        Kind::HitReports => HitReport::read_all(message).for_each(|report| take(report.is_ok())),
        Kind::DamageAnimations => DamageAnimation::read_all(message).for_each(|pick| take(pick.is_ok())),
        Kind::Inventories => Inventory::read_all(message).for_each(|said| take(said.is_ok())),
        Kind::ObjectStates => ObjectState::read_all(message).for_each(|state| take(state.is_ok())),
        Kind::VehiclePrediction => VehiclePrediction::read_all(message).for_each(|said| take(said.is_ok())),
        Kind::PlayerInputs => {
            for input in PlayerInput::read_all(message) {
                take(input.is_ok());
                if let Ok(input) = input {
                    assert!(input.input.throttle.iter().all(|part| part.abs() <= 1.0));
                    assert!(input.input.yaw.is_finite() && (0.0..=1.0).contains(&input.input.trigger));
                }
            }
        }
        Kind::RelayedActions => {
            if let Ok(actions) = RelayedActions::read(message) {
                actions.for_each(|action| take(action.is_ok()));
            }
        }
        Kind::Batch => {
            for part in Parts::of(message).flatten() {
                assert!(part.kind != Kind::Batch);
                taken += read_message(&part);
            }
        }
        Kind::Notice => assert!(Notice::read(message).as_str().len() <= 159),
        Kind::ClientReady => take(ClientReady::read(message).is_ok()),
        Kind::Pings => Ping::read_all(message).for_each(|ping| take(ping.is_ok())),
        Kind::PlayerStatistics => PlayerStatistics::read_all(message).for_each(|said| take(said.is_ok())),
        Kind::Pickups => Pickup::read_all(message).for_each(|pickup| take(pickup.is_ok())),
        Kind::ChatUp => Line::read_all(message).for_each(|line| take(line.is_ok())),
        Kind::ChatDown => Down::read_all(message).for_each(|down| take(down.is_ok())),
        Kind::ChatConfig => Settings::read_all(message).for_each(|said| take(said.is_ok())),
        Kind::Votekick => Votekick::read_all(message).for_each(|vote| take(vote.is_ok())),
        Kind::VotekickStatus => VotekickStatus::read_all(message).for_each(|said| take(said.is_ok())),
        Kind::MapShareRequest => Request::read_all(message).for_each(|said| take(said.is_ok())),
        Kind::MapShareOffer => Offer::read_all(message).for_each(|offer| take(offer.is_ok())),
        Kind::MapShareSources => Source::read_all(message).for_each(|source| take(source.is_ok())),
        Kind::MapShareProgress => Progress::read_all(message).for_each(|said| take(said.is_ok())),
        Kind::GameState => (0..=6).for_each(|of| take(GameState::read(message.body, of).is_ok())),
        _ => taken += message.entries().count(),
    }
    taken
}

/// Reads bytes as frames of map files, as far as they are whole. Frames that are taken.
fn read_frames(mut bytes: &[u8]) -> usize {
    let mut taken = 0;
    while let Some((head, rest)) = bytes.split_first_chunk()
        && let Ok(header) = Header::read(head)
        && let Some((body, rest)) = rest.split_at_checked(header.length)
    {
        assert!(body.len() <= FRAME_BODY_MAX);
        taken += usize::from(Frame::read(header, body).is_ok());
        bytes = rest;
    }
    taken
}

fn read_everything(bytes: &[u8]) -> usize {
    let _ = read_datagram(bytes);
    let _ = Packet::read(bytes);
    let mut taken = 0;
    for message in [Message::read(bytes), Message::read_after_word(bytes)].into_iter().flatten() {
        taken += read_message(&message);
    }
    taken += read_frames(bytes);
    let mut reader = StreamReader::new();
    reader.push(bytes);
    while let Ok(Some((_, message))) = reader.next_message() {
        assert!(message.len() >= 2);
    }
    taken
}

/// A golden vector, its bits flipped and its end cut or its word put right again.
fn mangled() -> impl Strategy<Value = Vec<u8>> {
    let vectors: Vec<Vec<u8>> = all().into_iter().map(|vector| vector.bytes).collect();
    let flips = prop::collection::vec((any::<prop::sample::Index>(), 0_u32..8), 0..12);
    (prop::sample::select(vectors), flips, any::<prop::sample::Index>(), any::<bool>(), any::<bool>())
        .prop_map(|(mut bytes, flips, end, cut, framed)| {
            for (at, bit) in flips {
                let at = at.index(bytes.len());
                bytes[at] ^= 1 << bit;
            }
            if cut {
                bytes.truncate(end.index(bytes.len() + 1));
            }
            if framed && bytes.len() >= 2 {
                let word = (bytes.len() as u16) << 4 | u16::from(bytes[1] & 0b1100);
                bytes[..2].copy_from_slice(&word.to_be_bytes());
            }
            bytes
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    /// WIRE-08: random bytes.
    #[test]
    fn random_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..1472)) {
        read_everything(&bytes);
    }

    /// WIRE-08: random bytes behind a good header of each kind.
    #[test]
    fn random_entries_are_read(
        kind in prop::sample::select(KINDS),
        count in any::<u8>(),
        body in prop::collection::vec(any::<u8>(), 0..1400),
    ) {
        read_everything(&message(kind.kind as u8, count, &body));
    }

    /// WIRE-08: parts of random kinds, one after another, in a batch.
    #[test]
    fn random_parts_are_read(
        parts in prop::collection::vec(
            (prop::sample::select(KINDS), any::<u8>(), prop::collection::vec(any::<u8>(), 0..200)),
            0..8,
        ),
    ) {
        let mut body = Vec::new();
        for (info, count, entries) in parts {
            body.extend(((entries.len() + 6) as u16).to_le_bytes());
            body.extend([info.kind as u8, count, 1, 0, 0, 0]);
            body.extend(entries);
        }
        read_everything(&message(16, 0, &body));
    }

    /// WIRE-08: good messages with bits flipped, cut, and framed anew.
    #[test]
    fn mangled_messages_are_read(bytes in mangled()) {
        read_everything(&bytes);
    }

    /// WIRE-08: structs of random bytes, too short or too long.
    #[test]
    fn random_structs_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for layout in layouts() {
            let _ = (layout.rewrite)(&bytes);
            let _ = (layout.rewrite_cold)(&bytes);
        }
    }
}

/// Of one byte, of two and of four: -1, the least and the most there is, and both sides of each limit of an index.
const ENDS: [i32; 14] =
    [-1, 0, 1, 127, 128, 255, 256, 8191, 8192, 32_767, 32_768, -32_768, i32::MAX, i32::MIN];

/// These bytes with each end there, in each width that fits.
fn ends_at(bytes: &[u8], at: usize, mut read: impl FnMut(&[u8])) {
    for width in [1, 2, 4].into_iter().filter(|width| at + width <= bytes.len()) {
        for end in ENDS {
            let mut bytes = bytes.to_vec();
            bytes[at..at + width].copy_from_slice(&end.to_le_bytes()[..width]);
            read(&bytes);
        }
    }
}

/// WIRE-10, 08: an index, a count or a number at less than nothing, at its end and past it: in every field of every struct,
/// which is written and read the same, and wherever one may stand in a golden vector.
#[test]
fn every_field_is_read_at_its_ends() {
    let mut taken = 0;
    for layout in layouts() {
        let described = (layout.describe)();
        for (_, _, at) in &described.fields {
            ends_at(&vec![0; described.size], *at, |bytes| {
                // A struct holds what came: an index is made of its number by who takes it.
                let once = (layout.rewrite)(bytes).unwrap();
                assert_eq!((layout.rewrite)(&once).as_ref(), Ok(&once), "{} at {at}", described.name);
                taken += 1;
            });
        }
    }
    assert!(taken > 10_000, "{taken}");
    for vector in all() {
        for at in 0..vector.bytes.len() {
            ends_at(&vector.bytes, at, |bytes| {
                read_everything(bytes);
            });
        }
    }
}

/// Every beginning of every golden vector.
#[test]
fn every_prefix_is_read() {
    for vector in all() {
        for end in 0..=vector.bytes.len() {
            read_everything(&vector.bytes[..end]);
        }
        if let Ok(message) = Message::read(&vector.bytes)
            && message.count > 0
            && message.kind.info().counted
        {
            assert_eq!(read_message(&message), usize::from(message.count), "{}", vector.name);
        }
    }
}

/// WIRE-08: reading takes no memory at all.
#[test]
fn reading_allocates_nothing() {
    let mut counted = 0;
    for vector in all().into_iter().filter(|vector| vector.distributed) {
        let message = Message::read(&vector.bytes).unwrap();
        let measured = allocation_counter::measure(|| counted += read_message(&message));
        assert_eq!(measured.count_total, 0, "{}", vector.name);
    }
    assert!(counted > 0);
    // A part whose count lies takes none either.
    let bytes = hex("00c80f0045230100ffffffff");
    let mut lying = Message::read(&bytes).unwrap();
    lying.count = 255;
    assert_eq!(allocation_counter::measure(|| counted = read_message(&lying)).count_total, 0);
    assert_eq!(counted, 0);
}
