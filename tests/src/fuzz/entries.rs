//! Targets of the files of `wire` whose entries are checked as they are read: what was read can be written, and reads
//! the same. Knows what a reader promises, not what an entry does.

use std::fmt::Debug;

use mjolnir_wire::coop::{CoopDeviceGroupEntry, CoopDeviceStateEntry};
use mjolnir_wire::damage::{
    ActorDamageEntry, Damage, DamageAnimation, DamageAnimationEntry, DamageEntry, DamageEvent,
    DamageEventEntry, EventKind, HitReport, HitReportEntry,
};
use mjolnir_wire::devices::{DeviceGroup, DeviceState};
use mjolnir_wire::identity::{DISCORD_ID_DIGITS, DISCORD_NAME_CHARACTERS, Identity};
use mjolnir_wire::inputs::{Buttons, PlayerInput, PlayerInputEntry, RelayedAction, RelayedActions};
use mjolnir_wire::inputs::{RELAYED_ACTION_LEAST, RELAYED_ACTION_MOST};
use mjolnir_wire::limits::{DATAGRAM_BYTES, MESSAGE_BYTES, POSITION_BOUND};
use mjolnir_wire::message::word;
use mjolnir_wire::objects::{Inventory, MOST_GRENADES, ObjectChange, VehiclePrediction};
use mjolnir_wire::objects::{InventoryEntry, Motion, ObjectChangeEntry, ObjectState, ObjectStateEntry};
use mjolnir_wire::pings::PingEntry;
use mjolnir_wire::session::{ClientIdentityEntry, ClientReady, Notice, StructureBspEntry};
use mjolnir_wire::units::{Life, Placement, UNIT_STATE_MOST, UnitState};
use mjolnir_wire::{Axes, BatchWriter, Error, Kind, Message, MessageType, Parts, Ping, Tick, Vec3};

use super::layouts::{both_ways, structs};
use super::{campaign, scores};

/// How far a direction may be off for having travelled once more.
const TURNED: f32 = 2e-4;

/// The message that stands in those bytes from its kind on, if one does. A first byte that is none of `kinds` chooses
/// one.
pub(super) fn with_message(kinds: &[Kind], bytes: &[u8], check: impl FnOnce(&Message<'_>)) {
    let mut bytes = bytes.to_vec();
    let Some(first) = bytes.first_mut() else { return };
    if !kinds.iter().any(|kind| *kind as u8 == *first) {
        *first = kinds[usize::from(*first) % kinds.len()] as u8;
    }
    if let Ok(message) = Message::read_after_word(&bytes) {
        assert!(kinds.contains(&message.kind));
        framed(&message, &bytes);
        check(&message);
    }
}

/// What holds of every message: its entries are as many as it counts, and behind a word it is the same.
fn framed(message: &Message<'_>, after_word: &[u8]) {
    let info = message.kind.info();
    if info.counted {
        assert_eq!(message.entries().count(), usize::from(message.count));
        assert!(message.entries().all(|entry| entry.len() == info.entry));
    }
    match word(MessageType::Data, after_word.len() + 2) {
        Ok(word) => {
            let whole = [&word, after_word].concat();
            assert_eq!(Message::read(&whole).as_ref(), Ok(message));
            assert_eq!(Message::read(&whole[..whole.len() - 1]), Err(Error::Truncated));
        }
        Err(error) => {
            assert_eq!(error, Error::TooLong);
            assert!(after_word.len() + 2 > MESSAGE_BYTES);
        }
    }
}

/// What an entry is when it is written and read once more.
pub(super) fn again<T>(entry: &T, write: fn(&T, &mut Vec<u8>), read: fn(&[u8]) -> Result<T, Error>) -> T {
    let mut bytes = Vec::new();
    write(entry, &mut bytes);
    read(&bytes).expect("what was read can be written and read")
}

/// That entry comes back to the bit.
pub(super) fn comes_back<T: Debug + PartialEq>(
    entry: &T,
    write: fn(&T, &mut Vec<u8>),
    read: fn(&[u8]) -> Result<T, Error>,
) {
    assert_eq!(&again(entry, write, read), entry);
}

/// A place and axes are such as a reader gives.
pub(super) fn is_placed(position: Vec3, axes: Axes) {
    assert!(position.to_array().iter().all(|part| part.abs() <= POSITION_BOUND));
    assert!((axes.forward.length() - 1.0).abs() <= 1e-5 && (axes.up.length() - 1.0).abs() <= 1e-5);
    assert!(axes.forward.dot(axes.up).abs() <= 1e-5);
}

/// Axes have travelled once more.
pub(super) fn is_close(a: Axes, b: Axes) {
    assert!(a.forward.distance(b.forward) <= TURNED && a.up.distance(b.up) <= TURNED, "{a:?} is not {b:?}");
}

/// One state, wherever it came from.
fn unit(state: &UnitState) {
    let mut bytes = Vec::new();
    state.write(&mut bytes);
    assert!(bytes.len() <= UNIT_STATE_MOST);
    let message = Message { kind: Kind::UnitStates, count: 1, tick: Tick::ZERO, body: &bytes };
    let mut states = UnitState::read_all(&message);
    let mut again = states.next().expect("one").expect("what was read can be written and read");
    assert!(states.next().is_none());
    if let (Life::Alive(once), Life::Alive(twice)) = (&state.life, &mut again.life)
        && let (Some(Placement { position, axes, .. }), Some(placement)) =
            (once.placement, twice.placement.as_mut())
    {
        is_placed(position, axes);
        is_close(axes, placement.axes);
        placement.axes = axes;
    }
    assert_eq!(&again, state);
}

fn motion(motion: &Motion, again: &mut Motion) {
    is_placed(motion.position, motion.axes);
    is_close(motion.axes, again.axes);
    again.axes = motion.axes;
}

fn change(change: &ObjectChange) {
    if let ObjectChange::Create(creation) = change {
        is_placed(creation.position, creation.axes);
        assert!(creation.velocity.is_finite() && creation.angular_velocity.is_finite());
    }
    comes_back(change, ObjectChange::write, ObjectChange::read);
}

fn object(state: &ObjectState) {
    let mut again = again(state, ObjectState::write, ObjectState::read);
    motion(&state.motion, &mut again.motion);
    assert_eq!(&again, state);
}

fn vehicle(said: &VehiclePrediction) {
    let mut again = again(said, VehiclePrediction::write, VehiclePrediction::read);
    motion(&said.motion, &mut again.motion);
    assert_eq!(&again, said);
}

fn inventory(said: &Inventory) {
    assert!(said.grenades.iter().all(|count| *count <= MOST_GRENADES));
    assert!(said.in_hand.is_none_or(|slot| usize::from(slot) < said.weapons.len()));
    comes_back(said, Inventory::write, Inventory::read);
}

fn input(entry: &PlayerInput) {
    let input = &entry.input;
    assert!(input.throttle.iter().all(|part| part.abs() <= 1.0) && (0.0..=1.0).contains(&input.trigger));
    assert!(input.yaw.is_finite() && input.pitch.is_finite());
    assert_eq!(Buttons::KNOWN.contains(input.buttons.known()), input.buttons.known().0 <= 0x7FFF);
    comes_back(entry, PlayerInput::write, PlayerInput::read);
}

fn action(entry: &RelayedAction) {
    let mut bytes = vec![0; 4];
    entry.write(&mut bytes);
    assert!((RELAYED_ACTION_LEAST..=RELAYED_ACTION_MOST).contains(&(bytes.len() - 4)));
    let message = Message { kind: Kind::RelayedActions, count: 1, tick: Tick::ZERO, body: &bytes };
    let again: Vec<_> = RelayedActions::read(&message).expect("its prefix").collect();
    assert_eq!(again, [Ok(*entry)]);
}

fn is_dealt(damage: &Damage) {
    let Damage { origin, epicentre, direction, scale, multiplier, material_effect_scale, .. } = damage;
    assert!([origin, epicentre, direction].iter().all(|part| part.is_finite()));
    assert!([scale, multiplier, material_effect_scale].iter().all(|part| part.is_finite()));
}

fn hit(report: &HitReport) {
    is_dealt(&report.hit.damage);
    assert!(report.hit.target.is_finite() && report.hit.normal.is_none_or(Vec3::is_finite));
    comes_back(report, HitReport::write, HitReport::read);
}

fn dealt(event: &DamageEvent) {
    is_dealt(&event.damage);
    let amounts = [event.shield_damage, event.body_damage, event.body_multiplier, event.total_damage];
    assert!(amounts.iter().all(|amount| amount.is_finite()));
    assert!(event.killer_score == 0 || event.kind == EventKind::KillingBlow);
    comes_back(event, DamageEvent::write, DamageEvent::read);
}

/// Every reader of that message's kind.
fn walk(message: &Message<'_>) {
    match message.kind {
        Kind::PlayerPrediction | Kind::UnitStates => {
            assert!(UnitState::read_all(message).count() <= usize::from(message.count));
            UnitState::read_all(message).flatten().for_each(|state| unit(&state));
        }
        Kind::ObjectChanges => ObjectChange::read_all(message).flatten().for_each(|entry| change(&entry)),
        Kind::Inventories => Inventory::read_all(message).flatten().for_each(|said| inventory(&said)),
        Kind::ObjectStates => ObjectState::read_all(message).flatten().for_each(|state| object(&state)),
        Kind::VehiclePrediction => {
            VehiclePrediction::read_all(message).flatten().for_each(|said| vehicle(&said));
        }
        Kind::PlayerInputs => PlayerInput::read_all(message).flatten().for_each(|entry| input(&entry)),
        Kind::RelayedActions => {
            let actions = RelayedActions::read(message).expect("its prefix was checked");
            assert!(actions.count() <= usize::from(message.count));
            actions.flatten().for_each(|entry| action(&entry));
        }
        Kind::Pings => {
            let pings = Ping::read_all(message).flatten();
            pings.for_each(|ping| comes_back(&ping, Ping::write, Ping::read));
        }
        Kind::DamageEvents => DamageEvent::read_all(message).flatten().for_each(|event| dealt(&event)),
        Kind::HitReports => HitReport::read_all(message).flatten().for_each(|report| hit(&report)),
        Kind::DamageAnimations => DamageAnimation::read_all(message).flatten().for_each(|pick| {
            comes_back(&pick, DamageAnimation::write, DamageAnimation::read);
        }),
        Kind::CoopDeviceGroups => DeviceGroup::read_all(message).flatten().for_each(|group| {
            assert!((0.0..=1.0).contains(&group.value));
            comes_back(&group, DeviceGroup::write, DeviceGroup::read);
        }),
        Kind::CoopDeviceStates => DeviceState::read_all(message).flatten().for_each(|state| {
            assert!((0.0..=1.0).contains(&state.position) && (0.0..=1.0).contains(&state.power));
            comes_back(&state, DeviceState::write, DeviceState::read);
        }),
        Kind::PlayerStatistics | Kind::GameState | Kind::Pickups => scores::walk(message),
        Kind::ActorStates
        | Kind::ActorDamage
        | Kind::CoopEvents
        | Kind::CoopPresentation
        | Kind::CoopObjectNames
        | Kind::CoopObjectTransforms
        | Kind::CoopObjectLooks
        | Kind::CoopScreenEffect => campaign::walk(message),
        Kind::ClientReady => {
            let ready = ClientReady::read(message).expect("a count that was checked");
            assert_eq!(ready.count(), message.count);
        }
        Kind::Notice => {
            let notice = Notice::read(message);
            assert!(notice.as_str().bytes().all(|byte| (0x20..=0x7E).contains(&byte)));
            assert_eq!(Notice::new(notice.as_str()), notice);
            let mut bytes = Vec::new();
            notice.write(&mut bytes);
            assert_eq!(Notice::read(&Message { body: &bytes, ..*message }), notice);
        }
        Kind::Batch => {
            for part in Parts::of(message).flatten() {
                assert!(part.kind != Kind::Batch, "a batch in a batch");
                walk(&part);
            }
        }
        _ => assert_eq!(ClientReady::read(message), Err(Error::UnknownKind)),
    }
}

/// Kinds 1 and 2.
pub(super) fn units(bytes: &[u8]) {
    with_message(&[Kind::PlayerPrediction, Kind::UnitStates], bytes, walk);
}

/// Kinds 14 and 15.
pub(super) fn inputs(bytes: &[u8]) {
    with_message(&[Kind::PlayerInputs, Kind::RelayedActions], bytes, walk);
    both_ways!(bytes; PlayerInputEntry);
}

/// Kinds 4, 5, 6 and 12.
pub(super) fn objects(bytes: &[u8]) {
    let kinds = [Kind::Inventories, Kind::ObjectChanges, Kind::ObjectStates, Kind::VehiclePrediction];
    with_message(&kinds, bytes, walk);
    both_ways!(bytes; InventoryEntry, ObjectChangeEntry, ObjectStateEntry);
}

/// Kinds 10, 11, 73 and 75.
pub(super) fn damage(bytes: &[u8]) {
    let kinds = [Kind::DamageEvents, Kind::HitReports, Kind::ActorDamage, Kind::DamageAnimations];
    with_message(&kinds, bytes, walk);
    structs(bytes, &kinds, |bytes| {
        both_ways!(
            bytes;
            ActorDamageEntry,
            DamageEntry,
            DamageAnimationEntry,
            DamageEventEntry,
            HitReportEntry,
        );
    });
}

/// Kinds 68 and 77.
pub(super) fn devices(bytes: &[u8]) {
    with_message(&[Kind::CoopDeviceGroups, Kind::CoopDeviceStates], bytes, walk);
    both_ways!(bytes; CoopDeviceGroupEntry, CoopDeviceStateEntry);
}

/// Kind 19.
pub(super) fn pings(bytes: &[u8]) {
    with_message(&[Kind::Pings], bytes, walk);
    both_ways!(bytes; PingEntry);
}

/// Kinds 8, 9, 17, 18 and 65.
pub(super) fn session(bytes: &[u8]) {
    let kinds = [
        Kind::ObjectsSynchronized,
        Kind::ClientReady,
        Kind::Notice,
        Kind::ClientIdentity,
        Kind::StructureBsp,
    ];
    with_message(&kinds, bytes, walk);
    both_ways!(bytes; ClientIdentityEntry, StructureBspEntry);
}

/// Kind 18: what is kept of a user is what may be, and is kept as it is from then on.
pub(super) fn identity(bytes: &[u8]) {
    let held = |identity: Identity| {
        assert!(identity.id().len() <= DISCORD_ID_DIGITS && identity.name().len() <= DISCORD_NAME_CHARACTERS);
        assert!(identity.id().bytes().all(|byte| byte.is_ascii_digit()));
        let is_kept = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
        assert!(identity.name().bytes().all(is_kept));
        comes_back(&identity, Identity::write, Identity::read);
        assert_eq!(Identity::new(identity.id(), identity.name()), identity);
    };
    with_message(&[Kind::ClientIdentity], bytes, |message| {
        Identity::read_all(message).flatten().for_each(held);
    });
    let (id, name) = bytes.split_at(bytes.len() / 2);
    let [id, name] = [id, name].map(String::from_utf8_lossy);
    held(Identity::new(&id, &name));
    // A short entry is refused, and of a long one the rest is another's.
    assert_eq!(Identity::read(bytes).is_err(), bytes.len() < ClientIdentityEntry::SIZE);
    Identity::read(bytes).into_iter().for_each(held);
}

/// Messages of every kind, as a stream frames them and as a batch holds them.
pub(super) fn message(bytes: &[u8]) {
    for message in [Message::read(bytes), Message::read_after_word(bytes)].into_iter().flatten() {
        walk(&message);
    }
    if let Ok(message) = Message::read_after_word(bytes) {
        framed(&message, bytes);
    }
}

/// The parts of a batch, and the same entries filled into datagrams anew.
pub(super) fn batch(bytes: &[u8]) {
    with_message(&[Kind::Batch], bytes, |batch| {
        walk(batch);
        let refused = Parts::of(batch).filter(Result::is_err).count();
        assert!(Parts::of(batch).count() - refused <= batch.body.len() / 8);
        let mut written = Written { tick: batch.tick, writer: BatchWriter::new(), entries: Vec::new() };
        written.writer.begin(batch.tick);
        let mut pushed = Vec::new();
        for part in Parts::of(batch).flatten().filter(|part| refills(part.kind)) {
            for entry in part.entries() {
                written.push(part.kind, entry);
                pushed.push((part.kind, entry.to_vec()));
            }
        }
        written.leave();
        assert_eq!(written.entries, pushed);
    });
}

/// Whether a kind's entries are of one size, with nothing before them.
fn refills(kind: Kind) -> bool {
    let info = kind.info();
    let packed = matches!(kind, Kind::PlayerPrediction | Kind::UnitStates | Kind::RelayedActions);
    info.counted && info.prefix == 0 && !packed && BatchWriter::fits_alone(kind, info.entry)
}

/// Datagrams as a sender fills them, and what is read of them.
struct Written {
    tick: Tick,
    writer: BatchWriter,
    entries: Vec<(Kind, Vec<u8>)>,
}

impl Written {
    fn push(&mut self, kind: Kind, entry: &[u8]) {
        if !self.writer.push(kind, &[], entry) {
            self.leave();
            assert!(self.writer.push(kind, &[], entry), "an empty datagram has no room");
        }
    }

    fn leave(&mut self) {
        let Self { tick, writer, entries } = self;
        let bytes = writer.finish();
        assert!(bytes.len() <= DATAGRAM_BYTES);
        if !bytes.is_empty() {
            let batch = Message::read(bytes).expect("what was written");
            assert_eq!((batch.kind, batch.tick), (Kind::Batch, *tick));
            for part in Parts::of(&batch) {
                let part = part.expect("what was written");
                entries.extend(part.entries().map(|entry| (part.kind, entry.to_vec())));
            }
        }
        writer.begin(*tick);
    }
}
