//! Streams that open, join and end (NET-27, 32, 34, 53..55, 60, 62, 77). Knows no packet of a machine that is in.

use core::net::SocketAddr;

use mjolnir_wire::address::household;
use mjolnir_wire::framing::StreamReader;
use mjolnir_wire::packets::list::{Accepted, JoinRequest, Rejected, RemovePlayerIngame};
use mjolnir_wire::packets::{Packet, Rejection};
use mjolnir_wire::{Machine, MessageType, Moment, Slot, Tick, names};

use super::downloading::Download;
use super::member::Member;
use super::ring::Ring;
use super::standing::{Standing, Telling};
use super::{Event, Host, Stage, Stranger};
use crate::counters::Traffic;
use crate::error::Error;
use crate::inbox::Channel;
use crate::limits::{KEEP_ALIVE, LEAVE_TICKS, UNJOINED, UNJOINED_PER_ADDRESS};
use crate::network::{PeerAddress, StreamId};
use crate::stamps::Stamps;
use crate::trace::Fate;
use crate::why::Why;

impl Host {
    pub(super) fn handle_opened(&mut self, now: Moment, stream: StreamId, address: SocketAddr) {
        let address = PeerAddress::direct(address);
        let ip = household(address.real.ip());
        let is_same = |stranger: &&Stranger| household(stranger.address.real.ip()) == ip;
        let of_address = self.strangers.iter().filter(is_same).count();
        if self.strangers.len() >= UNJOINED || !ip.is_loopback() && of_address >= UNJOINED_PER_ADDRESS {
            self.counters.count(Error::Overrun);
            self.out.close(stream);
            return;
        }
        self.strangers.push(Stranger {
            stream,
            address,
            since: now,
            reader: StreamReader::default(),
            asked: None,
        });
    }

    pub(super) fn handle_bytes(&mut self, now: Moment, tick: Tick, stream: StreamId, bytes: &[u8]) {
        if let Some(at) = self.strangers.iter().position(|stranger| stranger.stream == stream) {
            self.elsewhere.received.stream(bytes.len());
            if self.strangers[at].asked.is_some() {
                self.keep_behind(at, bytes);
            } else {
                self.strangers[at].reader.push(bytes);
                self.read_stranger(now, tick, at);
            }
        } else if let Some(machine) = self.members.by_stream(stream)
            && let Some(member) = self.members.get_mut(machine)
        {
            member.heard = now;
            member.traffic.received.stream(bytes.len());
            member.reader.push(bytes);
            self.read_member(now, tick, machine);
        }
    }

    pub(super) fn handle_written(&mut self, now: Moment, stream: StreamId, bytes: usize) {
        if let Some(machine) = self.members.by_stream(stream)
            && let Some(member) = self.members.get_mut(machine)
        {
            member.ring.leave(now, bytes);
        }
    }

    pub(super) fn handle_closed(&mut self, tick: Tick, stream: StreamId) {
        if let Some(at) = self.strangers.iter().position(|stranger| stranger.stream == stream) {
            let stranger = self.strangers.swap_remove(at);
            self.withdraw(&stranger, Why::Gone.reason());
        }
        if let Some(machine) = self.members.by_stream(stream) {
            self.remove(tick, machine, Why::Gone);
        }
    }

    /// Reads the one message that a stranger may send. Any other closes its stream (NET-77).
    fn read_stranger(&mut self, now: Moment, tick: Tick, at: usize) {
        let request = match self.strangers[at].reader.next_message() {
            Ok(None) => return,
            Ok(Some((MessageType::Packet, bytes))) => match Packet::read(bytes) {
                Ok(Packet::JoinRequest(request)) => Ok(request),
                Ok(_) => Err(Error::Unexpected),
                Err(error) => Err(error.into()),
            },
            Ok(Some(_)) => Err(Error::Unexpected),
            Err(error) => Err(error.into()),
        };
        match request {
            Ok(request) if request.token != self.settings.token => {
                let stranger = self.strangers.swap_remove(at);
                self.settle(now, tick, stranger, &request, Err(Rejection::BadToken));
            }
            Ok(request) if self.is_gated => self.hold(at, request),
            Ok(request) => {
                let stranger = self.strangers.swap_remove(at);
                self.settle(now, tick, stranger, &request, Ok(()));
            }
            Err(error) => {
                let stranger = self.strangers.swap_remove(at);
                self.counters.count(error);
                self.trace.refused(None, Channel::Stream, None, &[], error);
                self.out.close(stranger.stream);
            }
        }
    }

    /// Lets a machine in that may come, where there is room for it now, or tells it why not (NET-55).
    pub(super) fn settle(
        &mut self,
        now: Moment,
        tick: Tick,
        stranger: Stranger,
        request: &JoinRequest,
        may_come: Result<(), Rejection>,
    ) {
        match may_come.and_then(|()| self.room()) {
            Ok(machine) => {
                self.trace.packet(Some(machine), &Packet::JoinRequest(*request), Fate::Received);
                self.join(now, machine, stranger, request);
                self.read_member(now, tick, machine);
            }
            Err(reason) => {
                let fate = Fate::Refused(Why::Rejected(reason).reason());
                self.trace.packet(None, &Packet::JoinRequest(*request), fate);
                self.counters.refused.count(Why::Rejected(reason).reason());
                self.out.write_with(stranger.stream, |bytes| {
                    // Six bytes always fit.
                    let _ = Packet::Rejected(Rejected { reason }).write(bytes);
                });
                self.out.close(stranger.stream);
            }
        }
    }

    /// Which machine the next would be, or why there is none.
    fn room(&self) -> Result<Machine, Rejection> {
        if !matches!(self.stage, Stage::Lobby | Stage::Playing) {
            return Err(Rejection::Closed);
        }
        match self
            .members
            .free(self.settings.machines, |machine| self.inbox.holds(machine) || self.voices.holds(machine))
        {
            Some(machine) if !self.roster.is_full() => Ok(machine),
            _ => Err(Rejection::Full),
        }
    }

    fn join(&mut self, now: Moment, machine: Machine, stranger: Stranger, request: &JoinRequest) {
        let is_lobby = self.stage == Stage::Lobby;
        let mut member = Member {
            stream: stranger.stream,
            address: stranger.address,
            reader: stranger.reader,
            name: names::clean(&request.name),
            hardware_id: request.hardware_id,
            standing: Standing::entering(is_lobby),
            is_counted: false,
            joined: now,
            heard: now,
            datagram_heard: now,
            is_one_path: false,
            brought: None,
            has_map: false,
            download: Download::NONE,
            waiting: alloc::vec::Vec::new(),
            may_be_late: false,
            keep_alive: now.plus(KEEP_ALIVE),
            stamps: Stamps::new(),
            endpoint: None,
            voice_key: None,
            ring: Ring::default(),
            held: alloc::vec::Vec::new(),
            traffic: Traffic::default(),
        };
        let seed = self.roster.record().seed;
        let accepted = Accepted { seed, machine: i16::from(machine.get()) };
        member.send(&mut self.out, &Packet::Accepted(accepted));
        self.events.push_back(Event::Joined {
            machine,
            address: member.address,
            name: member.name,
            hardware_id: member.hardware_id,
        });
        self.members.insert(machine, member);
        self.list_machines();
        // Also of a game in progress: a machine brings its players once it knows that it has the map (MAP-10).
        self.send_settings_to(machine);
    }

    /// Reads every whole message of a machine that is in.
    fn read_member(&mut self, now: Moment, tick: Tick, machine: Machine) {
        let Some(member) = self.members.get_mut(machine) else {
            return;
        };
        let stream = member.stream;
        // Lent out, since a message may change or remove the machine.
        let mut reader = core::mem::take(&mut member.reader);
        let damaged = loop {
            match reader.next_message() {
                Ok(None) => break false,
                Ok(Some((of, bytes))) => self.handle_message(now, tick, machine, of, bytes),
                Err(_) => break true,
            }
            if self.members.get(machine).is_none_or(|member| member.stream != stream) {
                return;
            }
        };
        if damaged {
            self.counters.refused.count(Why::Damaged.reason());
            self.remove(tick, machine, Why::Damaged);
        } else if let Some(member) = self.members.get_mut(machine) {
            member.reader = reader;
        }
    }

    fn handle_message(&mut self, now: Moment, tick: Tick, machine: Machine, of: MessageType, bytes: &[u8]) {
        let taken = match of {
            MessageType::Error => Err(Error::ErrorText),
            MessageType::Data => self.inbox.push_stream(machine, bytes),
            MessageType::Packet => Packet::read(bytes)
                .map_err(Error::from)
                .and_then(|p| self.handle_packet(now, tick, machine, &p)),
        };
        match taken {
            Err(error) => {
                self.counters.count(error);
                self.trace.refused(Some(machine), Channel::Stream, Some(of), bytes, error);
            }
            Ok(()) if of == MessageType::Packet => {
                self.trace.received(Some(machine), Channel::Stream, of, bytes);
            }
            Ok(()) => {}
        }
    }

    /// Takes a machine out: its players leave, the others are told, its stream ends.
    pub(super) fn remove(&mut self, tick: Tick, machine: Machine, why: Why) {
        let Some(mut member) = self.members.remove(machine) else {
            return;
        };
        if why == Why::Kicked {
            let reason = Rejection::Blacklisted;
            member.send(&mut self.out, &Packet::Rejected(Rejected { reason }));
        }
        if why != Why::Gone {
            self.out.close(member.stream);
        }
        self.elsewhere.add(&member.traffic);
        for slot in Slot::all() {
            if self.roster.get(slot).is_some_and(|player| player.machine == machine && !player.left) {
                self.remove_player(tick, slot);
            }
        }
        self.list_machines();
        self.events.push_back(Event::Left { machine, why });
    }

    /// Takes a player out, told to leave a little later so that every machine does it at the same tick (NET-63).
    pub(super) fn remove_player(&mut self, tick: Tick, slot: Slot) {
        let is_game = self.stage != Stage::Lobby;
        let Some(player) = self.roster.remove(slot, is_game) else {
            return;
        };
        self.is_changed = true;
        let at = if is_game { tick.plus(LEAVE_TICKS) } else { tick };
        self.events.push_back(Event::PlayerRemoved { player, at });
        let packet = Packet::RemovePlayerIngame(RemovePlayerIngame { player: player.entry, at });
        self.tell_game(&packet);
    }

    /// Tells those in the game now, and those who load it when they have.
    pub(super) fn tell_game(&mut self, packet: &Packet<'_>) {
        for (_, member) in self.members.iter_mut() {
            match member.standing.telling() {
                Telling::Now => member.send(&mut self.out, packet),
                Telling::OnceLoaded => member.hold(packet),
                Telling::BySettings => {}
            }
        }
    }
}
