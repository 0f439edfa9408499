//! What became of a message, as `--trace` writes it: a JSON line each. Knows the names that the format's record has,
//! not what a message means.

use mjolnir_engine_glue::transport::Channel;
use mjolnir_engine_glue::transport::trace::{Fate, Traced};
use mjolnir_wire::packets::PACKETS;
use mjolnir_wire::{Kind, MessageType, Moment, Tick};
use serde::Serialize;

/// One line.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Passage {
    /// Milliseconds since the program began.
    ms: u64,
    /// The machine's own tick.
    tick: i32,
    way: &'static str,
    /// The machine at the other end; none of a stranger.
    machine: Option<u8>,
    channel: &'static str,
    space: Option<&'static str>,
    kind: Option<u8>,
    name: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u8>,
    /// The sender's tick.
    #[serde(skip_serializing_if = "Option::is_none")]
    stamp: Option<i32>,
    bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
    /// Whether it is one entry of a message that was taken.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    entry: bool,
}

impl Passage {
    /// Of a message that went or came by then.
    pub fn new(now: Moment, tick: Tick, traced: &Traced) -> Self {
        let (way, why) = match traced.fate {
            Fate::Sent => ("sent", None),
            Fate::Received => ("received", None),
            Fate::Dropped(why) => ("dropped", Some(why)),
            Fate::Refused(why) | Fate::EntryRefused(why) => ("refused", Some(why)),
        };
        let number = traced.number;
        let (space, name) = match traced.of {
            Some(MessageType::Data) => {
                (Some("distributed"), number.and_then(|number| Kind::new(number).ok()).map(Kind::name))
            }
            Some(MessageType::Packet) => (
                Some("game"),
                number.and_then(|number| PACKETS.get(usize::from(number))).map(|info| info.name),
            ),
            Some(MessageType::Error) => (Some("error"), None),
            None => (None, None),
        };
        Self {
            ms: now.as_micros() / 1000,
            tick: tick.get(),
            way,
            machine: traced.machine.map(|machine| machine.get()),
            channel: match traced.channel {
                Channel::Stream => "stream",
                Channel::Datagram => "datagram",
            },
            space,
            kind: number,
            name,
            count: traced.count,
            stamp: traced.stamp.map(Tick::get),
            bytes: traced.bytes,
            why,
            entry: matches!(traced.fate, Fate::EntryRefused(_)),
        }
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::Machine;

    use super::*;

    #[test]
    fn a_line_names_what_it_can() {
        let traced = Traced {
            fate: Fate::Dropped("stale"),
            machine: Machine::new(2),
            channel: Channel::Datagram,
            of: Some(MessageType::Data),
            number: Some(14),
            count: Some(1),
            stamp: Tick::new(97),
            bytes: 60,
        };
        let line = |traced: &Traced| {
            let passage = Passage::new(Moment::from_millis(1_500), Tick::ZERO.plus(99), traced);
            serde_json::to_string(&passage).unwrap()
        };
        assert_eq!(
            line(&traced),
            r#"{"ms":1500,"tick":99,"way":"dropped","machine":2,"channel":"datagram","space":"distributed","#
                .to_owned()
                + r#""kind":14,"name":"player_inputs","count":1,"stamp":97,"bytes":60,"why":"stale"}"#
        );
        let packet = Traced {
            fate: Fate::Sent,
            channel: Channel::Stream,
            of: Some(MessageType::Packet),
            number: Some(20),
            count: None,
            stamp: None,
            bytes: 17,
            ..traced
        };
        assert_eq!(
            line(&packet),
            r#"{"ms":1500,"tick":99,"way":"sent","machine":2,"channel":"stream","space":"game","kind":20,"#
                .to_owned()
                + r#""name":"server_game_update","bytes":17}"#
        );
        let noise = Traced { machine: None, of: None, number: None, fate: Fate::Refused("x"), ..packet };
        assert_eq!(
            line(&noise),
            r#"{"ms":1500,"tick":99,"way":"refused","machine":null,"channel":"stream","space":null,"#
                .to_owned()
                + r#""kind":null,"name":null,"bytes":17,"why":"x"}"#
        );
        let entry = line(&Traced { fate: Fate::EntryRefused("x"), number: Some(200), ..traced });
        assert!(
            entry.ends_with(
                r#""kind":200,"name":null,"count":1,"stamp":97,"bytes":60,"why":"x","entry":true}"#
            )
        );
    }
}
