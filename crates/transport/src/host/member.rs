//! A machine in the host's session, and the table of them. Knows what is known of each, not what to do with it.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::net::SocketAddr;

use mjolnir_wire::framing::StreamReader;
use mjolnir_wire::kinds::Sender;
use mjolnir_wire::limits::MAX_MACHINES;
use mjolnir_wire::packets::list::Countdown;
use mjolnir_wire::packets::settings::MachineName;
use mjolnir_wire::packets::{NetworkPlayer, Packet};
use mjolnir_wire::voice::VoiceKey;
use mjolnir_wire::{Machine, MachineSet, Moment};

use crate::counters::Traffic;
use crate::inbox::Senders;
use crate::network::{PeerAddress, StreamId, Transmits};
use crate::stamps::Stamps;

use super::downloading::Download;
use super::ring::Ring;
use super::standing::Standing;

/// Where a machine's datagrams come from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Endpoint {
    pub(super) address: SocketAddr,
    pub(super) heard: Moment,
    /// Whether a datagram from there named one of the machine's slots.
    pub(super) is_named: bool,
    /// Datagrams from there that named another machine's slot, since the last that named its own.
    pub(super) doubts: u8,
}

/// A machine that was let in.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) stream: StreamId,
    pub(super) address: PeerAddress,
    pub(super) reader: StreamReader,
    pub(super) name: MachineName,
    pub(super) hardware_id: [u8; 32],
    pub(super) standing: Standing,
    /// Whether it heard a countdown since it came to this lobby.
    pub(super) is_counted: bool,
    pub(super) joined: Moment,
    pub(super) heard: Moment,
    /// When a datagram of it was last heard, and whether its stream alone is.
    pub(super) datagram_heard: Moment,
    pub(super) is_one_path: bool,
    /// When it last asked for a player; none while it never did with success.
    pub(super) brought: Option<Moment>,
    /// Whether it said that it has the map.
    pub(super) has_map: bool,
    /// What holds it up: the game's map is on its way to it.
    pub(super) download: Download,
    /// Players that it asked for and that wait for the map, at most four (MAP-11).
    pub(super) waiting: Vec<NetworkPlayer>,
    /// A game ended while it loaded: what it says next of loading is of that game, unless a word of the lobby comes
    /// before it.
    pub(super) may_be_late: bool,
    /// When the next keep-alive is due.
    pub(super) keep_alive: Moment,
    pub(super) stamps: Stamps,
    pub(super) endpoint: Option<Endpoint>,
    /// What its voice's datagrams name it by, once it was told.
    pub(super) voice_key: Option<VoiceKey>,
    pub(super) ring: Ring,
    /// What is told once it has loaded: at most [`HELD_BYTES`](crate::limits::HELD_BYTES).
    pub(super) held: Vec<u8>,
    pub(super) traffic: Traffic,
}

impl Member {
    /// Sends it a packet by its stream.
    pub(super) fn send(&mut self, out: &mut Transmits, packet: &Packet<'_>) {
        self.send_with(out, 1, |bytes| {
            // What the host says fits; what would not is not said.
            let _ = packet.write(bytes);
        });
    }

    /// Sends it so many messages by its stream, as `fill` appends them.
    pub(super) fn send_with(&mut self, out: &mut Transmits, messages: u64, fill: impl FnOnce(&mut Vec<u8>)) {
        let length = out.write_with(self.stream, fill);
        self.ring.add(length);
        self.traffic.sent.stream(length);
        self.traffic.sent.messages += messages;
    }

    /// Says how many seconds the countdown has left.
    pub(super) fn count(&mut self, out: &mut Transmits, seconds: i16) {
        self.is_counted = true;
        self.send(out, &Packet::Countdown(Countdown { seconds }));
    }

    /// Keeps a packet for when it has loaded. A slot's player comes and leaves once in a game, so there is an end to
    /// these (AUTH-55).
    pub(super) fn hold(&mut self, packet: &Packet<'_>) {
        let _ = packet.write(&mut self.held);
    }
}

/// The machines of the session, by index; the host's own place is empty.
#[derive(Debug)]
pub(super) struct Members(Box<[Option<Box<Member>>; MAX_MACHINES]>);

impl Members {
    pub(super) fn new() -> Self {
        Self(Box::new([const { None }; MAX_MACHINES]))
    }

    pub(super) fn get(&self, machine: Machine) -> Option<&Member> {
        self.0[machine.index()].as_deref()
    }

    pub(super) fn get_mut(&mut self, machine: Machine) -> Option<&mut Member> {
        self.0[machine.index()].as_deref_mut()
    }

    pub(super) fn insert(&mut self, machine: Machine, member: Member) {
        self.0[machine.index()] = Some(Box::new(member));
    }

    pub(super) fn remove(&mut self, machine: Machine) -> Option<Box<Member>> {
        self.0[machine.index()].take()
    }

    /// The lowest index that is nobody's, of so many machines with the host; not one of which a word is still to be
    /// read, which would be taken for the next machine's.
    pub(super) fn free(&self, machines: usize, is_unread: impl Fn(Machine) -> bool) -> Option<Machine> {
        let mut indices = Machine::all().take(machines).skip(1);
        indices.find(|machine| self.get(*machine).is_none() && !is_unread(*machine))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Machine, &Member)> {
        Machine::all().zip(self.0.iter()).filter_map(|(machine, member)| Some((machine, member.as_deref()?)))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (Machine, &mut Member)> {
        Machine::all()
            .zip(self.0.iter_mut())
            .filter_map(|(machine, member)| Some((machine, member.as_deref_mut()?)))
    }

    pub(super) fn by_stream(&self, stream: StreamId) -> Option<Machine> {
        self.iter().find(|(_, member)| member.stream == stream).map(|(machine, _)| machine)
    }

    /// The machine whose datagrams come from there.
    pub(super) fn by_endpoint(&self, from: SocketAddr) -> Option<Machine> {
        let is_it = |member: &Member| member.endpoint.is_some_and(|endpoint| endpoint.address == from);
        self.iter().find(|(_, member)| is_it(member)).map(|(machine, _)| machine)
    }

    pub(super) fn set(&self, mut holds: impl FnMut(&Member) -> bool) -> MachineSet {
        self.iter().filter(|(_, member)| holds(member)).map(|(machine, _)| machine).collect()
    }
}

impl Senders for Members {
    const SENDER: Sender = Sender::Client;

    fn stamps(&mut self, from: Machine) -> Option<&mut Stamps> {
        self.get_mut(from).map(|member| &mut member.stamps)
    }

    fn in_game(&self, from: Machine) -> bool {
        self.get(from).is_some_and(|member| member.standing == Standing::InGame)
    }

    fn taken(&mut self, from: Machine) {
        if let Some(member) = self.get_mut(from) {
            member.traffic.received.messages += 1;
        }
    }
}
