//! The fields of the netcode's messages: which layout each kind holds, stated once for every kind, so that a new one
//! does not compile before it is shown. Knows no byte: `wire` reads and names.

use std::cell::RefCell;
use std::marker::PhantomData;

use mjolnir_wire::actors::{ActorDamage, ActorState, ActorStateEntry};
use mjolnir_wire::chat::{ChatConfigEntry, ChatLineEntry};
use mjolnir_wire::coop::{
    CoopDeviceGroupEntry, CoopDeviceStateEntry, CoopEventEntry, CoopObjectLookEntry, CoopObjectNamesEntry,
    CoopObjectTransformEntry, CoopPresentationEntry, CoopScreenEffectEntry, CoopSkipVoteEntry,
};
use mjolnir_wire::damage::{
    ActorDamageEntry, DamageAnimation, DamageAnimationEntry, DamageEventEntry, HitReportEntry,
};
use mjolnir_wire::devices::{DeviceGroup, DeviceState};
use mjolnir_wire::events::CoopEvent;
use mjolnir_wire::game_state::{CtfState, GameStateHeader, KingState, OddballState, RaceState, SlayerState};
use mjolnir_wire::inputs::{PlayerInput, PlayerInputEntry, RelayedActionShown, RelayedActions};
use mjolnir_wire::layout::Plain;
use mjolnir_wire::mapshare::{
    MapShareOfferEntry, MapShareProgressEntry, MapShareRequestEntry, MapShareSourceEntry, Offer, Progress,
    Request, Source,
};
use mjolnir_wire::objects::{
    InventoryEntry, ObjectChangeEntry, ObjectState, ObjectStateEntry, VehiclePrediction,
};
use mjolnir_wire::pickups::PickupEntry;
use mjolnir_wire::pings::PingEntry;
use mjolnir_wire::presentation::Presentation;
use mjolnir_wire::rules::AimAssistPolicyEntry;
use mjolnir_wire::scripted::{Look, ObjectNames, ScreenEffect, Transform};
use mjolnir_wire::session::{ClientIdentityEntry, Notice, StructureBspEntry};
use mjolnir_wire::shown::{Fields, hex};
use mjolnir_wire::statistics::PlayerStatisticsEntry;
use mjolnir_wire::units::{UnitState, UnitStateShown};
use mjolnir_wire::voice::{VoiceConfigEntry, VoiceDownHeader, VoiceUpHeader};
use mjolnir_wire::votekick::{VotekickEntry, VotekickStatusEntry};
use mjolnir_wire::{Error, Kind, Message, ObjectChange, Ping};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::meanings::{Meant, MeantEntries};
use crate::reading::{game_type, parts};

/// A message's fields: its count and tick, what stands before its entries, its entries.
pub(crate) struct MessageFields<'a> {
    pub(crate) message: &'a Message<'a>,
    pub(crate) at: usize,
}

impl Serialize for MessageFields<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("count", &self.message.count)?;
        map.serialize_entry("tick", &self.message.tick.get())?;
        self.kind(&mut map)?;
        map.end()
    }
}

impl MessageFields<'_> {
    fn kind<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error> {
        let message = self.message;
        match message.kind {
            Kind::PlayerPrediction | Kind::UnitStates => unit_states(message, to),
            Kind::PlayerStatistics => entries::<PlayerStatisticsEntry, M>(message, to),
            Kind::Inventories => entries::<InventoryEntry, M>(message, to),
            Kind::ObjectChanges => {
                checked::<ObjectChangeEntry, M>(message, to, |b| ObjectChange::read(b).err())
            }
            Kind::ObjectStates => checked::<ObjectStateEntry, M>(message, to, |b| ObjectState::read(b).err()),
            Kind::GameState => game_state(message, to),
            Kind::ObjectsSynchronized | Kind::ClientReady => ignored(to, message.body),
            Kind::DamageEvents => entries::<DamageEventEntry, M>(message, to),
            Kind::HitReports => entries::<HitReportEntry, M>(message, to),
            Kind::VehiclePrediction => {
                checked::<ObjectStateEntry, M>(message, to, |b| VehiclePrediction::read(b).err())
            }
            Kind::Pickups => entries::<PickupEntry, M>(message, to),
            Kind::PlayerInputs => checked::<PlayerInputEntry, M>(message, to, |b| PlayerInput::read(b).err()),
            Kind::RelayedActions => relayed_actions(message, to),
            Kind::Batch => to.serialize_entry("parts", &PartsOf(self)),
            Kind::Notice => {
                to.serialize_entry("text", Notice::read(message).as_str())?;
                let end = message.body.iter().position(|byte| *byte == 0);
                ignored(to, end.map_or(&[], |end| &message.body[end + 1..]))
            }
            Kind::ClientIdentity => entries::<ClientIdentityEntry, M>(message, to),
            Kind::Pings => checked::<PingEntry, M>(message, to, |b| Ping::read(b).err()),
            Kind::ActorStates => checked::<ActorStateEntry, M>(message, to, |b| ActorState::read(b).err()),
            Kind::StructureBsp => entries::<StructureBspEntry, M>(message, to),
            Kind::CoopPresentation => meant::<CoopPresentationEntry, Presentation, M>(message, to),
            Kind::CoopDeviceGroups => meant::<CoopDeviceGroupEntry, DeviceGroup, M>(message, to),
            Kind::CoopObjectNames => meant::<CoopObjectNamesEntry, ObjectNames, M>(message, to),
            Kind::CoopSkipVote => entries::<CoopSkipVoteEntry, M>(message, to),
            Kind::CoopEvents => meant::<CoopEventEntry, CoopEvent, M>(message, to),
            Kind::CoopObjectTransforms => meant::<CoopObjectTransformEntry, Transform, M>(message, to),
            Kind::ActorDamage => checked::<ActorDamageEntry, M>(message, to, |b| ActorDamage::read(b).err()),
            Kind::CoopObjectLooks => meant::<CoopObjectLookEntry, Look, M>(message, to),
            Kind::DamageAnimations => {
                checked::<DamageAnimationEntry, M>(message, to, |b| DamageAnimation::read(b).err())
            }
            Kind::CoopScreenEffect => {
                checked::<CoopScreenEffectEntry, M>(message, to, |b| ScreenEffect::read(b).err())
            }
            Kind::CoopDeviceStates => meant::<CoopDeviceStateEntry, DeviceState, M>(message, to),
            Kind::Votekick => entries::<VotekickEntry, M>(message, to),
            Kind::VotekickStatus => entries::<VotekickStatusEntry, M>(message, to),
            Kind::VoiceUp => voice::<VoiceUpHeader, M>(message, to),
            Kind::VoiceDown => voice::<VoiceDownHeader, M>(message, to),
            Kind::VoiceConfig => entries::<VoiceConfigEntry, M>(message, to),
            Kind::ChatUp | Kind::ChatDown => entries::<ChatLineEntry, M>(message, to),
            Kind::ChatConfig => entries::<ChatConfigEntry, M>(message, to),
            Kind::MapShareRequest => {
                checked::<MapShareRequestEntry, M>(message, to, |b| Request::read(b).err())
            }
            Kind::MapShareOffer => checked::<MapShareOfferEntry, M>(message, to, |b| Offer::read(b).err()),
            Kind::MapShareSources => {
                checked::<MapShareSourceEntry, M>(message, to, |b| Source::read(b).err())
            }
            Kind::MapShareProgress => {
                checked::<MapShareProgressEntry, M>(message, to, |b| Progress::read(b).err())
            }
            Kind::AimAssistPolicy => entries::<AimAssistPolicyEntry, M>(message, to),
        }
    }
}

/// The entries of a kind whose reader says more than its fields.
fn meant<T: Plain + Fields, R: Meant, M: SerializeMap>(
    message: &Message<'_>,
    to: &mut M,
) -> Result<(), M::Error> {
    to.serialize_entry("entries", &MeantEntries::<T, R>::of(message))?;
    ignored(to, &message.body[usize::from(message.count) * T::SIZE..])
}

/// Bytes that a receiver reads over.
fn ignored<M: SerializeMap>(to: &mut M, bytes: &[u8]) -> Result<(), M::Error> {
    if bytes.is_empty() { Ok(()) } else { to.serialize_entry("ignored", &hex(bytes)) }
}

/// An entry's fields, and why a receiver refuses it.
struct Entry<T> {
    fields: T,
    refused: Option<Error>,
}

impl<T: Fields> Serialize for Entry<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        self.fields.fields(&mut map)?;
        if let Some(error) = self.refused {
            map.serialize_entry("refused", error.reason())?;
        }
        map.end()
    }
}

/// The entries of a kind that has no reader beyond its layout yet.
fn entries<T: Plain + Fields, M: SerializeMap>(message: &Message<'_>, to: &mut M) -> Result<(), M::Error> {
    checked::<T, M>(message, to, |_| None)
}

/// The entries of a kind whose reader also checks them.
fn checked<T: Plain + Fields, M: SerializeMap>(
    message: &Message<'_>,
    to: &mut M,
    check: fn(&[u8]) -> Option<Error>,
) -> Result<(), M::Error> {
    let all = Entries { message, check, of: PhantomData::<T> };
    to.serialize_entry("entries", &all)?;
    ignored(to, &message.body[usize::from(message.count) * T::SIZE..])
}

struct Entries<'a, T> {
    message: &'a Message<'a>,
    check: fn(&[u8]) -> Option<Error>,
    of: PhantomData<T>,
}

impl<T: Plain + Fields> Serialize for Entries<'_, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let entries = self.message.entries();
        to.collect_seq(entries.map(|entry| Entry { fields: T::get(entry), refused: (self.check)(entry) }))
    }
}

/// A list that is read as it is written.
struct Once<I>(RefCell<Option<I>>);

impl<I> Once<I> {
    fn new(items: I) -> Self {
        Self(RefCell::new(Some(items)))
    }
}

impl<I: Iterator<Item: Serialize>> Serialize for Once<I> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.take().into_iter().flatten())
    }
}

/// An entry packed by hand: as it was read, or its bytes and why it was refused.
#[derive(Serialize)]
#[serde(untagged, bound = "T: Fields")]
enum Packed<T> {
    Read(Entry<T>),
    Refused { refused: &'static str, bytes: String },
}

fn packed<T>(read: Result<T, Error>, entry: &[u8]) -> Packed<T> {
    match read {
        Ok(fields) => Packed::Read(Entry { fields, refused: None }),
        Err(error) => Packed::Refused { refused: error.reason(), bytes: hex(entry) },
    }
}

/// What stood between two places of the same bytes.
fn between<'a>(before: &'a [u8], after: &[u8]) -> &'a [u8] {
    &before[..before.len() - after.len()]
}

fn unit_states<M: SerializeMap>(message: &Message<'_>, to: &mut M) -> Result<(), M::Error> {
    let mut states = UnitState::read_all(message);
    let items = core::iter::from_fn(|| {
        let before = states.left();
        let state = states.next()?;
        let entry = between(before, states.left());
        let byte = |at: usize| before.get(at).copied().unwrap_or_default();
        Some(packed(state.map(|state| UnitStateShown { state, flags: byte(1), parts: byte(2) }), entry))
    });
    to.serialize_entry("entries", &Once::new(items))?;
    ignored(to, states.left())
}

fn relayed_actions<M: SerializeMap>(message: &Message<'_>, to: &mut M) -> Result<(), M::Error> {
    // There is room for the number: the message's bounds were checked.
    let Ok(mut actions) = RelayedActions::read(message) else {
        return Ok(());
    };
    to.serialize_entry("update_number", &actions.update)?;
    let items = core::iter::from_fn(|| {
        let before = actions.left();
        let action = actions.next()?;
        let entry = between(before, actions.left());
        let parts = before.get(1).copied().unwrap_or_default();
        Some(packed(action.map(|action| RelayedActionShown { action, parts }), entry))
    });
    to.serialize_entry("entries", &Once::new(items))?;
    ignored(to, actions.left())
}

/// A layout's fields among the message's own, from the front of those bytes if they hold it; what follows it.
fn layout<'a, T: Plain + Fields, M: SerializeMap>(bytes: &'a [u8], to: &mut M) -> Result<&'a [u8], M::Error> {
    match bytes.split_at_checked(T::SIZE) {
        Some((layout, rest)) => T::get(layout).fields(to).map(|()| rest),
        None => Ok(bytes),
    }
}

fn game_state<M: SerializeMap>(message: &Message<'_>, to: &mut M) -> Result<(), M::Error> {
    let body = layout::<GameStateHeader, M>(message.body, to)?;
    let rest = match game_type(message) {
        Some(1) => layout::<CtfState, M>(body, to)?,
        Some(2) => layout::<SlayerState, M>(body, to)?,
        Some(3) => layout::<OddballState, M>(body, to)?,
        Some(4) => layout::<KingState, M>(body, to)?,
        Some(5) => layout::<RaceState, M>(body, to)?,
        _ => body,
    };
    ignored(to, rest)
}

fn voice<T: Plain + Fields, M: SerializeMap>(message: &Message<'_>, to: &mut M) -> Result<(), M::Error> {
    let packet = layout::<T, M>(message.body, to)?;
    to.serialize_entry("packet", &hex(packet))
}

/// A batch's parts: each a message, or why it is none.
struct PartsOf<'a>(&'a MessageFields<'a>);

impl Serialize for PartsOf<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Part<A, B> {
            Read(A),
            Wrong(B),
        }
        to.collect_seq(parts(self.0.message, self.0.at).map(|part| part.map_or_else(Part::Wrong, Part::Read)))
    }
}
