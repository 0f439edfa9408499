//! Messages as people read them: each field under its name in the record, as serde's maps. Knows no text format and
//! no file; what is read is read by the layouts and packets themselves.
//!
//! A number is a number, but what is not finite is text. Beside a field of bits stands the list of those that are set,
//! as `…_bits`. Text ends at its NUL, keys and packets are hexadecimal, pads are left out, and what nobody looks at is
//! null.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::format::bits_of;

/// What can be shown.
pub trait Show {
    /// It has no meaning and is left out.
    const IS_PAD: bool = false;
    /// It is a list of numbers rather than one.
    const IS_LIST: bool = false;

    /// Its value.
    fn show<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error>;

    /// The bits of its number at that place, where it is whole numbers; none past the last.
    fn bits(&self, at: usize) -> Option<u32> {
        let _ = at;
        None
    }
}

/// What has fields with names.
pub trait Fields {
    /// Adds them to a map, in the order in which they travel.
    fn fields<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error>;
}

/// A value for serde, as [`Show`] has it.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a, T>(pub &'a T);

impl<T: Show> Serialize for Shown<'_, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.show(to)
    }
}

/// Those fields as a map of their own.
pub fn show_fields<T: Fields, S: Serializer>(of: &T, to: S) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(None)?;
    of.fields(&mut map)?;
    map.end()
}

/// Those bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

macro_rules! whole_number {
    ($($ty:ident)*) => {$(
        impl Show for $ty {
            fn show<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                self.serialize(to)
            }

            fn bits(&self, at: usize) -> Option<u32> {
                (at == 0).then_some(i64::from(*self) as u32)
            }
        }
    )*};
}
whole_number!(u8 i8 u16 i16 u32 i32);

impl Show for f32 {
    fn show<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.is_finite() { to.serialize_f32(*self) } else { to.collect_str(self) }
    }
}

impl<T: Show, const N: usize> Show for [T; N] {
    const IS_LIST: bool = true;

    fn show<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter().map(Shown))
    }

    fn bits(&self, at: usize) -> Option<u32> {
        self.get(at)?.bits(0)
    }
}

/// What a field of numbers is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    /// Characters, to a NUL or the field's end.
    Text,
    /// Bytes that are no numbers.
    Bytes,
    /// Bits that the record names so.
    Bits(&'static str),
}

use Meaning::{Bits, Bytes, Text};

/// The fields that are more than their numbers: struct, field, meaning.
const MEANINGS: &[(&str, &str, Meaning)] = &[
    ("Action", "flags", Bits("buttons")),
    ("ActorStateEntry", "control_flags", Bits("buttons")),
    ("ActorStateEntry", "flags", Bits("actor_state.flags")),
    ("AddressBlock", "identity", Bytes),
    ("Advertisement", "flags", Bits("advertisement.flags")),
    ("Advertisement", "key", Bytes),
    ("Advertisement", "key_id", Bytes),
    ("Advertisement", "netcode", Bits("advertisement.network_flags")),
    ("Advertisement", "nonce", Bytes),
    ("Advertisement", "search_nonce", Bytes),
    ("Advertisement", "token", Bytes),
    ("ChatConfigEntry", "flags", Bits("chat_config.flags")),
    ("ChatLineEntry", "flags", Bits("chat_line.flags")),
    ("ChatLineEntry", "text", Text),
    ("ClientIdentityEntry", "discord_id", Text),
    ("ClientIdentityEntry", "name", Text),
    ("CoopPresentationEntry", "flags", Bits("coop_presentation.flags")),
    ("DamageEventEntry", "kill_flags", Bits("damage_event.kill_flags")),
    ("JoinRequest", "hardware_id", Text),
    ("JoinRequest", "token", Bytes),
    ("MapShareOfferEntry", "hash", Bytes),
    ("MapShareRequestEntry", "lacked", Bits("map_share.files")),
    ("MapShareRequestEntry", "level", Text),
    ("MapShareSourceEntry", "address", Bytes),
    ("MapShareSourceEntry", "files", Bits("map_share.files")),
    ("MapShareSourceEntry", "flags", Bits("map_share_source.flags")),
    ("ObjectChangeEntry", "flags", Bits("object_change.flags")),
    ("ObjectStateEntry", "flags", Bits("object_state.flags")),
    ("PlayerInputEntry", "buttons", Bits("buttons")),
    ("PlayerInputEntry", "friendly_fire", Bits("player_input.friendly_fire")),
    ("PlayerInputEntry", "history", Bits("buttons")),
    ("Search", "nonce", Bytes),
    ("SettingsRecord", "coop_flags", Bits("settings.coop_flags")),
    ("SwarmHave", "hash", Bytes),
    ("SwarmHello", "flags", Bits("swarm_hello.flags")),
    ("SwarmHello", "magic", Text),
    ("VoiceConfigEntry", "flags", Bits("voice_config.flags")),
    ("VotekickStatusEntry", "flags", Bits("votekick_status.flags")),
    ("relayed_action", "buttons", Bits("buttons")),
    ("relayed_action", "buttons_one_tick_before", Bits("buttons")),
    ("relayed_action", "buttons_three_ticks_before", Bits("buttons")),
    ("relayed_action", "buttons_two_ticks_before", Bits("buttons")),
    ("relayed_action", "parts", Bits("relayed_action.parts")),
    ("unit_state", "flags", Bits("unit_state.flags")),
    ("unit_state", "parts", Bits("unit_state.parts")),
    ("unit_state", "unit_flags", Bits("unit_state.unit_flags")),
];

fn meaning(of: &str, name: &str) -> Option<Meaning> {
    MEANINGS.iter().find(|(st, field, _)| *st == of && *field == name).map(|(_, _, meaning)| *meaning)
}

/// The names of the bits that are set, of those that the record names.
struct Named(&'static str, u32);

impl Serialize for Named {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(bits_of(self.0).filter(|(_, mask)| self.1 & mask != 0).map(|(name, _)| name))
    }
}

/// Adds a field of a struct, and what goes with it.
pub fn field<T: Show, M: SerializeMap>(to: &mut M, of: &str, name: &str, value: &T) -> Result<(), M::Error> {
    if T::IS_PAD {
        return Ok(());
    }
    let numbers = || (0..).map_while(|at| value.bits(at));
    let bytes = || numbers().map(|number| number as u8);
    match meaning(of, name) {
        None => to.serialize_entry(name, &Shown(value)),
        Some(Text) => {
            let text: Vec<u8> = bytes().take_while(|byte| *byte != 0).collect();
            to.serialize_entry(name, &String::from_utf8_lossy(&text))
        }
        Some(Bytes) => to.serialize_entry(name, &hex(&bytes().collect::<Vec<u8>>())),
        Some(Bits(record)) => {
            to.serialize_entry(name, &Shown(value))?;
            let mut named = numbers().map(|number| Named(record, number));
            let key = format!("{name}_bits");
            if T::IS_LIST {
                to.serialize_entry(&key, &named.collect::<Vec<_>>())
            } else {
                to.serialize_entry(&key, &named.next())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{FRAME_LAYOUTS, LAYOUTS, PACKET_LAYOUTS, description};

    /// A meaning stands for a field that there is, and its bits for bits that the record has; every bit of the record
    /// stands beside some field.
    #[test]
    fn every_bit_of_the_record_is_shown_somewhere() {
        assert!(MEANINGS.is_sorted_by(|a, b| (a.0, a.1) < (b.0, b.1)));
        let layouts: Vec<_> =
            [LAYOUTS, PACKET_LAYOUTS, FRAME_LAYOUTS].concat().iter().map(|l| (l.describe)()).collect();
        for (of, name, meaning) in MEANINGS {
            if let Some(layout) = layouts.iter().find(|layout| layout.name == *of) {
                assert!(layout.fields.iter().any(|(field, ..)| field == name), "{of}.{name}");
            }
            if let Bits(record) = meaning {
                assert!(bits_of(record).count() > 0, "{of}.{name}: {record}");
            }
        }
        let text = description();
        for line in text.lines().filter_map(|line| line.strip_prefix("bit ")) {
            let field = line.split(' ').next().and_then(|name| name.rsplit_once('.')).unwrap().0;
            let shown = MEANINGS.iter().any(|(_, _, meaning)| *meaning == Bits(String::from(field).leak()));
            assert!(shown, "{line}");
        }
    }
}
