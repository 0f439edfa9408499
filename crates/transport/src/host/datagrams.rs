//! Datagrams at the host: whose they are, and which count (NET-08..11, 15, 43, 45..48). Knows no contents but the
//! first slot, or the key, that they name.

use core::net::SocketAddr;

use mjolnir_wire::address::canonical;
use mjolnir_wire::framing::read_datagram;
use mjolnir_wire::kinds::Sender;
use mjolnir_wire::packets::Packet;
use mjolnir_wire::packets::list::{Advertise, Pong};
use mjolnir_wire::voice::VoiceUp;
use mjolnir_wire::{Kind, Machine, MachineSet, Message, MessageType, Moment, Parts, Slot};

use super::member::Endpoint;
use super::{Event, Host};
use crate::error::Error;
use crate::inbox::{Channel, allow};
use crate::lan::Due;
use crate::limits::{ENDPOINT_DOUBTS, ENDPOINT_SILENCE};

impl Host {
    pub(super) fn handle_datagram(&mut self, now: Moment, from: SocketAddr, bytes: &[u8]) {
        let from = canonical(from);
        let framed = read_datagram(bytes).map_err(Error::from);
        let machine = framed.ok().and_then(|(of, bytes)| self.whose(now, from, of, bytes));
        match machine.and_then(|machine| self.members.get_mut(machine)) {
            Some(member) => {
                member.heard = now;
                member.datagram_heard = now;
                member.traffic.received.datagram(bytes.len());
                if core::mem::take(&mut member.is_one_path)
                    && let Some(machine) = machine
                {
                    self.events.push_back(Event::DatagramsBack { machine });
                }
            }
            None => self.elsewhere.received.datagram(bytes.len()),
        }
        let taken = framed.and_then(|(of, bytes)| match of {
            MessageType::Error => Err(Error::ErrorText),
            MessageType::Packet => self.handle_datagram_packet(now, from, machine, bytes),
            MessageType::Data => self.handle_datagram_message(machine, bytes),
        });
        let of = framed.ok().map(|(of, _)| of);
        match taken {
            Err(error) => {
                self.counters.count(error);
                self.trace.refused(machine, Channel::Datagram, of, bytes, error);
            }
            // Of a distributed message that is said once its parts are read.
            Ok(()) if of == Some(MessageType::Packet) => {
                self.trace.received(machine, Channel::Datagram, MessageType::Packet, bytes);
            }
            Ok(()) => {}
        }
    }

    /// The machine that a datagram of the game comes from: a client update or a whole distributed message.
    fn whose(&mut self, now: Moment, from: SocketAddr, of: MessageType, bytes: &[u8]) -> Option<Machine> {
        match of {
            MessageType::Data => {
                let message = Message::read(bytes).ok()?;
                let named = self.named(from, &message);
                self.sender(now, from, named)
            }
            MessageType::Packet if matches!(Packet::read(bytes), Ok(Packet::ClientUpdate(_))) => {
                self.sender(now, from, None)
            }
            MessageType::Packet | MessageType::Error => None,
        }
    }

    fn handle_datagram_packet(
        &mut self,
        now: Moment,
        from: SocketAddr,
        machine: Option<Machine>,
        bytes: &[u8],
    ) -> Result<(), Error> {
        match Packet::read(bytes)? {
            Packet::Ping(ping) => {
                self.reply(from, &Packet::Pong(Pong { timestamp: ping.timestamp }));
                Ok(())
            }
            Packet::Search(search) => {
                self.announcer.handle_search(from, &search)?;
                self.advertise(now);
                Ok(())
            }
            // It counts as heard; its actions are not read (NET-18).
            Packet::ClientUpdate(_) => {
                let member = machine.and_then(|machine| self.members.get_mut(machine));
                member.ok_or(Error::UnknownAddress)?.traffic.received.messages += 1;
                Ok(())
            }
            packet if packet.info().sender == Sender::Host => Err(Error::WrongSender),
            _ => Err(Error::WrongChannel),
        }
    }

    fn handle_datagram_message(&mut self, machine: Option<Machine>, bytes: &[u8]) -> Result<(), Error> {
        let message = Message::read(bytes)?;
        let machine = machine.ok_or(Error::UnknownAddress)?;
        allow(&message, Channel::Datagram, Sender::Client)?;
        let has_begun = self.members.get(machine).is_some_and(|member| member.stamps.has_begun());
        if !has_begun && message.kind != Kind::VoiceUp {
            return Err(Error::NoBaseline);
        }
        let inbox = if message.kind == Kind::VoiceUp { &mut self.voices } else { &mut self.inbox };
        inbox.push_datagram(machine, message.tick, bytes)
    }

    /// Says that the game is there, to whom that is due (NET-51).
    pub(super) fn advertise(&mut self, now: Moment) {
        let Some(due) = self.announcer.next(now) else {
            return;
        };
        let game = self.advertisement(self.announcer.nonce());
        let packet = Packet::Advertise(Advertise { game });
        match due {
            Due::Searcher(to) => self.reply(to, &packet),
            Due::Everybody => {
                for target in 0.. {
                    let Some(to) = self.announcer.target(target) else { break };
                    self.reply(to, &packet);
                }
            }
        }
    }

    fn reply(&mut self, to: SocketAddr, packet: &Packet<'_>) {
        let length = self.out.datagram_with(to, |bytes| {
            // What a host answers fits.
            let _ = packet.write(bytes);
        });
        self.elsewhere.sent.datagram(length);
    }

    /// Whose datagram it is (NET-15). An address that is nobody's yet is learnt: that of the machine whose slot is
    /// named, else of the only one of that IP without an address. A machine's address moves only once the old one
    /// was silent, or when what comes from it keeps naming another machine that has none.
    fn sender(&mut self, now: Moment, from: SocketAddr, named: Option<Machine>) -> Option<Machine> {
        if let Some(known) = self.at(from) {
            let other = named.filter(|named| *named != known && self.may_move(now, *named, from, false));
            let member = self.members.get_mut(known)?;
            let endpoint = member.endpoint.as_mut()?;
            if named == Some(known) {
                endpoint.is_named = true;
                endpoint.doubts = 0;
            }
            endpoint.doubts += u8::from(other.is_some());
            // One damaged slot does not move an address that named its own.
            if endpoint.doubts == 0 || endpoint.is_named && endpoint.doubts < ENDPOINT_DOUBTS {
                endpoint.heard = now;
                return Some(known);
            }
            member.endpoint = None;
        }
        let machine = match named {
            Some(named) => Some(named).filter(|named| self.may_move(now, *named, from, true)),
            None => self.only_candidate(now, from),
        }?;
        let endpoint = Endpoint { address: from, heard: now, is_named: named.is_some(), doubts: 0 };
        self.members.get_mut(machine)?.endpoint = Some(endpoint);
        Some(machine)
    }

    /// The machine that a datagram names, by a slot or by its voice's key. Whoever knows a key was told it by the stream.
    fn named(&self, from: SocketAddr, message: &Message<'_>) -> Option<Machine> {
        if message.kind == Kind::VoiceUp {
            let key = VoiceUp::read(message).ok()?.key;
            let has_it = |machine: &Machine| {
                let member = self.members.get(*machine);
                member.is_some_and(|m| m.voice_key == Some(key) && m.address.real.ip() == from.ip())
            };
            return Machine::all().find(has_it);
        }
        // One who left is nobody's: its machine's index may be another's by now.
        let player = first_slot(message).and_then(|slot| self.roster.get(slot)).filter(|player| !player.left);
        player.map(|player| player.machine)
    }

    /// The machine whose datagrams come from there.
    fn at(&self, from: SocketAddr) -> Option<Machine> {
        self.members.by_endpoint(from)
    }

    /// Whether a machine's datagrams may come from there from now on. From where nobody's came yet, one that names a
    /// slot of it goes before an address that was guessed.
    fn may_move(&self, now: Moment, machine: Machine, from: SocketAddr, names: bool) -> bool {
        self.members.get(machine).is_some_and(|member| {
            let gives_way = |endpoint: Endpoint| {
                names && !endpoint.is_named || now.since(endpoint.heard) >= ENDPOINT_SILENCE
            };
            member.address.real.ip() == from.ip() && member.endpoint.is_none_or(gives_way)
        })
    }

    /// The only machine of that IP without an address; where all have one, the only one whose is silent.
    fn only_candidate(&self, now: Moment, from: SocketAddr) -> Option<Machine> {
        let may_move = |machine: &Machine| self.may_move(now, *machine, from, false);
        let has_none = |machine: &Machine| self.members.get(*machine).is_some_and(|m| m.endpoint.is_none());
        let free: MachineSet = Machine::all().filter(may_move).collect();
        let without: MachineSet = free.iter().filter(has_none).collect();
        let candidates = if without.is_empty() { free } else { without };
        candidates.iter().next().filter(|_| candidates.len() == 1)
    }
}

/// The slot that a datagram's first entry of kind 1 or 14 names.
fn first_slot(message: &Message<'_>) -> Option<Slot> {
    let names = |message: &Message<'_>| {
        let is_own = matches!(message.kind, Kind::PlayerPrediction | Kind::PlayerInputs);
        let byte = message.body.first().filter(|_| is_own && message.count > 0)?;
        Slot::new(*byte)
    };
    names(message).or_else(|| Parts::of(message).flatten().find_map(|part| names(&part)))
}
