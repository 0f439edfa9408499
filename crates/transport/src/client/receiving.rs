//! What a client takes from its host, by which channel and when (NET-08, 09, 32, 45, 46, 48, 79). Knows the packets, not
//! the game.

use core::net::SocketAddr;

use mjolnir_wire::address::canonical;
use mjolnir_wire::framing::read_datagram;
use mjolnir_wire::kinds::Sender;
use mjolnir_wire::packets::{Packet, SettingsRecord};
use mjolnir_wire::{Kind, Machine, Message, MessageType, Moment, names};

use super::{Client, Event, Phase};
use crate::counters::Traffic;
use crate::error::Error;
use crate::inbox::{Channel, Senders, allow};
use crate::limits::PRECACHED_PERIOD;
use crate::stamps::Stamps;
use crate::why::Why;

/// Events that are kept while the game loads.
const HELD: usize = 1024;

/// The host, as its client's inbox asks of it.
#[derive(Debug)]
pub(super) struct HostSide {
    pub(super) stamps: Stamps,
    pub(super) in_game: bool,
    pub(super) traffic: Traffic,
}

impl HostSide {
    pub(super) fn new() -> Self {
        Self { stamps: Stamps::new(), in_game: false, traffic: Traffic::default() }
    }
}

impl Senders for HostSide {
    const SENDER: Sender = Sender::Host;

    fn stamps(&mut self, _: Machine) -> Option<&mut Stamps> {
        Some(&mut self.stamps)
    }

    fn in_game(&self, _: Machine) -> bool {
        self.in_game
    }

    fn taken(&mut self, _: Machine) {
        self.traffic.received.messages += 1;
    }
}

impl Client {
    pub(super) fn handle_datagram(&mut self, now: Moment, from: SocketAddr, bytes: &[u8]) {
        let is_host = self.host.is_some_and(|host| host.real == canonical(from));
        if is_host {
            self.host_side.traffic.received.datagram(bytes.len());
        }
        let taken = read_datagram(bytes).map_err(Error::from).and_then(|(of, bytes)| match of {
            MessageType::Error => Err(Error::ErrorText),
            MessageType::Packet => match Packet::read(bytes)? {
                // What a host says to everybody on the network; listing games is not a session's.
                Packet::Advertise(_) => Ok(()),
                Packet::Pong(_) => Err(Error::Unasked),
                packet if packet.info().sender == Sender::Client => Err(Error::WrongSender),
                _ => Err(Error::WrongChannel),
            },
            MessageType::Data if !is_host => Err(Error::UnknownAddress),
            MessageType::Data => {
                let message = Message::read(bytes)?;
                self.heard = now;
                self.datagram_heard = now;
                if core::mem::take(&mut self.is_one_path) {
                    self.events.push_back(Event::DatagramsBack);
                }
                allow(&message, Channel::Datagram, Sender::Host)?;
                if !self.host_side.stamps.has_begun() && message.kind != Kind::VoiceDown {
                    return Err(Error::NoBaseline);
                }
                let inbox = if message.kind == Kind::VoiceDown { &mut self.voices } else { &mut self.inbox };
                inbox.push_datagram(Machine::HOST, message.tick, bytes)
            }
        });
        let from = is_host.then_some(Machine::HOST);
        let of = read_datagram(bytes).ok().map(|(of, _)| of);
        match taken {
            Err(error) => {
                self.counters.count(error);
                self.trace.refused(from, Channel::Datagram, of, bytes, error);
            }
            // Of a distributed message that is said once its parts are read.
            Ok(()) if of == Some(MessageType::Packet) => {
                self.trace.received(from, Channel::Datagram, MessageType::Packet, bytes);
            }
            Ok(()) => {}
        }
    }

    pub(super) fn handle_bytes(&mut self, now: Moment, bytes: &[u8]) {
        self.heard = now;
        self.host_side.traffic.received.stream(bytes.len());
        let mut reader = core::mem::take(&mut self.reader);
        reader.push(bytes);
        let damaged = loop {
            match reader.next_message() {
                Ok(None) => break false,
                Ok(Some((of, bytes))) => self.handle_message(now, of, bytes),
                Err(_) => break true,
            }
            if self.phase == Phase::Closed {
                break false;
            }
        };
        self.reader = reader;
        if damaged {
            self.close(Why::Damaged);
        }
    }

    fn handle_message(&mut self, now: Moment, of: MessageType, bytes: &[u8]) {
        let taken = match of {
            MessageType::Error => Err(Error::ErrorText),
            MessageType::Data => self.inbox.push_stream(Machine::HOST, bytes),
            MessageType::Packet => {
                self.host_side.traffic.received.messages += 1;
                Packet::read(bytes).map_err(Error::from).and_then(|packet| self.handle_packet(now, &packet))
            }
        };
        match taken {
            Err(error) => {
                self.counters.count(error);
                self.trace.refused(Some(Machine::HOST), Channel::Stream, Some(of), bytes, error);
            }
            Ok(()) if of == MessageType::Packet => {
                self.trace.received(Some(Machine::HOST), Channel::Stream, of, bytes);
            }
            Ok(()) => {}
        }
    }

    fn handle_packet(&mut self, now: Moment, packet: &Packet<'_>) -> Result<(), Error> {
        let is_joined = !matches!(self.phase, Phase::Connecting | Phase::Joining | Phase::Closed);
        match packet {
            Packet::Accepted(accepted) if self.phase == Phase::Joining => {
                let index = u8::try_from(accepted.machine).ok().and_then(Machine::new);
                let machine = index.filter(|machine| *machine != Machine::HOST).ok_or(Error::Unexpected)?;
                self.machine = Some(machine);
                self.enter(now, Phase::Lobby);
                self.events.push_back(Event::Accepted { machine, seed: accepted.seed });
                self.introduce(machine);
                Ok(())
            }
            Packet::Rejected(rejected) => {
                self.close(Why::Rejected(rejected.reason));
                Ok(())
            }
            Packet::SettingsPiece(piece) if is_joined => {
                if let Some(bytes) = self.assembler.push(piece)? {
                    let mut record = SettingsRecord::decode(bytes)?;
                    names::clean_record(&mut record);
                    self.record = Some(record);
                    self.events.push_back(Event::Settings);
                }
                Ok(())
            }
            Packet::Countdown(countdown) if self.phase == Phase::Lobby => {
                self.events.push_back(Event::Countdown { seconds: countdown.seconds });
                Ok(())
            }
            Packet::BeginGame(begin) if self.phase == Phase::Lobby => {
                // There is nothing to load without the settings.
                self.record.as_ref().ok_or(Error::Unexpected)?;
                self.enter(now, Phase::Loading);
                self.held.clear();
                self.events.push_back(Event::Begin { time_low16: begin.time });
                Ok(())
            }
            Packet::HostExitPregame(_) | Packet::HostExitPostgame(_) => {
                self.close(Why::Left);
                Ok(())
            }
            Packet::PregameKeepAlive(_) | Packet::PostgameKeepAlive(_) => Ok(()),
            Packet::GameUpdate(update) => {
                if self.phase == Phase::InGame {
                    self.host_side.stamps.clock(update.time);
                    self.events.push_back(Event::Update { number: update.number, tick: update.time });
                }
                Ok(())
            }
            Packet::AddPlayerIngame(added) => {
                self.change_players(Event::PlayerAdded { player: names::clean_player(&added.player) })
            }
            Packet::RemovePlayerIngame(removed) => {
                let player = names::clean_player(&removed.player);
                self.change_players(Event::PlayerRemoved { player, at: removed.at })
            }
            Packet::GameOver(_) if matches!(self.phase, Phase::Loading | Phase::InGame) => {
                // What came before it and was not read counts still; with the next reading that ends.
                let in_game = self.host_side.in_game;
                self.enter(now, Phase::Scores);
                self.host_side.in_game = in_game;
                self.events.push_back(Event::Over);
                Ok(())
            }
            Packet::HostSwitchToPregame(_) if is_joined => {
                self.enter(now, Phase::Lobby);
                // What is still on its way of the game that was is none of the next's, whose ticks may be lower.
                self.host_side.stamps = Stamps::new();
                // At once, also when the next start is already here: what is said of loading after it is not the last
                // game's.
                self.due = now.plus(PRECACHED_PERIOD);
                self.say_map();
                self.events.push_back(Event::Lobby);
                Ok(())
            }
            packet if packet.info().sender == Sender::Client => Err(Error::WrongSender),
            Packet::Advertise(_) | Packet::Pong(_) => Err(Error::WrongChannel),
            _ => Err(Error::Unexpected),
        }
    }

    /// In the game players come and go; while it loads that is kept; elsewhere it is another game's (NET-79).
    fn change_players(&mut self, event: Event) -> Result<(), Error> {
        match self.phase {
            Phase::InGame => self.events.push_back(event),
            Phase::Loading if self.held.len() < HELD => self.held.push_back(event),
            Phase::Loading => return Err(Error::Overrun),
            _ => {}
        }
        Ok(())
    }
}
