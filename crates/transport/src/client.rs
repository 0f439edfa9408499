//! A client's end of the session: asking to join, loading, playing, leaving (FACT wire 4.4). Knows no socket, no
//! clock and nothing of what the game's messages mean.
//!
//! A tick of it: [`Client::handle`] what the network has, [`Client::poll`], the events, the messages, the game's own
//! tick, [`Client::flush`], and the transmits to the network.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;

use mjolnir_wire::batch::BatchWriter;
use mjolnir_wire::framing::StreamReader;
use mjolnir_wire::limits::MAX_LOCAL_PLAYERS;
use mjolnir_wire::packets::field::Unread;
use mjolnir_wire::packets::list::{
    AddPlayerPregame, AddPlayerRequestIngame, ClientExitPostgame, ClientExitPregame, ClientUpdate,
    GameStartRequest, JoinRequest, Loaded, MapPrecached, SettingsRequest,
};
use mjolnir_wire::packets::settings::MachineName;
use mjolnir_wire::packets::text::Chars;
use mjolnir_wire::packets::values::Actions;
use mjolnir_wire::packets::{NetworkPlayer, Packet, SettingsAssembler, SettingsRecord, StartRequest};
use mjolnir_wire::{Machine, Moment, Outbox, Tick};

use crate::counters::{Counters, Traffic};
use crate::gather;
use crate::inbox::{INBOX_BYTES, Inbox, Received};
use crate::limits::{
    CLIENT_UPDATE_PERIOD, HOST_SILENCE_LIMIT, JOIN_LIMIT, JOIN_TOKEN, LOAD_LIMIT, NO_PLAYER_LIMIT, ONE_PATH,
    PRECACHED_PERIOD, SETTINGS_LIMIT, STREAM_WORD_PERIOD,
};
use crate::network::{NetEvent, Network, PeerAddress, StreamId, Transmits};
use crate::stamps::Stamps;
use crate::trace::{Trace, Traced};
use crate::why::Why;

mod receiving;

use receiving::HostSide;

/// What a client is made of.
#[derive(Clone, Debug)]
pub struct ClientSettings {
    /// The machine's name.
    pub name: MachineName,
    /// The join token.
    pub token: [u8; 16],
    /// 32 hexadecimal digits.
    pub hardware_id: [u8; 32],
    /// Its players, at most four: names and colours; the rest is the host's to give.
    pub players: Vec<NetworkPlayer>,
}

impl ClientSettings {
    /// A machine of that name with those players.
    pub fn new(name: &str, players: Vec<NetworkPlayer>) -> Self {
        Self { name: MachineName::cut(name), token: JOIN_TOKEN, hardware_id: [0; 32], players }
    }
}

/// What happened, for whoever runs the game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// The host let this machine in.
    Accepted {
        /// What this machine is.
        machine: Machine,
        /// The game's seed.
        seed: u32,
    },
    /// The settings came, or came anew: [`Client::record`].
    Settings,
    /// The lobby counts down.
    Countdown {
        /// Seconds left.
        seconds: i16,
    },
    /// The game begins: load it, with the settings' players, and say so ([`Client::loaded`]).
    Begin {
        /// The low 16 bits of the host's tick.
        time_low16: u16,
    },
    /// A player came into the game.
    PlayerAdded {
        /// The player, with its slot.
        player: NetworkPlayer,
    },
    /// A player leaves the game at that tick.
    PlayerRemoved {
        /// The player, with its slot.
        player: NetworkPlayer,
        /// When.
        at: Tick,
    },
    /// The host's clock and its count of updates.
    Update {
        /// The count.
        number: i32,
        /// The host's tick.
        tick: Tick,
    },
    /// The host is heard by its stream alone (NET-76).
    DatagramsLost,
    /// Its datagrams are heard again.
    DatagramsBack,
    /// The game is over.
    Over,
    /// Back in the lobby.
    Lobby,
    /// The session ended. Nothing comes after it.
    Closed {
        /// Why.
        why: Why,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Connecting,
    Joining,
    Lobby,
    Loading,
    InGame,
    Scores,
    Closed,
}

/// See the module's text.
#[derive(Debug)]
pub struct Client {
    settings: ClientSettings,
    phase: Phase,
    /// When this phase began, where that is asked.
    since: Moment,
    heard: Moment,
    /// When a datagram of the host was last heard, and whether its stream alone is.
    datagram_heard: Moment,
    is_one_path: bool,
    stream: Option<StreamId>,
    host: Option<PeerAddress>,
    machine: Option<Machine>,
    /// Whether its players and its map wait for a word of whoever runs the game, and what that has said.
    is_gated: bool,
    brings: bool,
    has_map: bool,
    reader: StreamReader,
    assembler: SettingsAssembler,
    record: Option<Box<SettingsRecord>>,
    host_side: HostSide,
    next_update: i32,
    /// When the next client update, or the next word of the map, is due.
    due: Moment,
    /// When the next word by the stream is due in the game.
    word_due: Moment,
    events: VecDeque<Event>,
    /// Players that came and went while it loaded.
    held: VecDeque<Event>,
    inbox: Inbox,
    /// Voices apart: they wait for no tick.
    voices: Inbox,
    counters: Counters,
    trace: Trace,
    out: Transmits,
    writer: BatchWriter,
}

impl Client {
    /// Waiting for the stream that its network was asked to open.
    pub fn new(now: Moment, settings: ClientSettings) -> Self {
        Self {
            settings,
            phase: Phase::Connecting,
            since: now,
            heard: now,
            datagram_heard: now,
            is_one_path: false,
            stream: None,
            host: None,
            machine: None,
            is_gated: false,
            brings: true,
            has_map: true,
            reader: StreamReader::new(),
            assembler: SettingsAssembler::new(),
            record: None,
            host_side: HostSide::new(),
            next_update: 0,
            due: now,
            word_due: now,
            events: VecDeque::new(),
            held: VecDeque::new(),
            inbox: Inbox::new(INBOX_BYTES),
            voices: Inbox::new(INBOX_BYTES),
            counters: Counters::default(),
            trace: Trace::default(),
            out: Transmits::new(),
            writer: BatchWriter::new(),
        }
    }

    /// Whether its players wait until it is known whether the game's map is here ([`Client::bring_players`]), and that the map is
    /// here is said only once it is ([`Client::set_map`]). Not so unless this says it, before the host lets it in. A host that
    /// names no map within [`SETTINGS_LIMIT`] is brought the players all the same.
    pub const fn set_gated(&mut self, gated: bool) {
        self.is_gated = gated;
        self.brings = !gated;
        self.has_map = !gated;
    }

    /// Asks for the players that waited. Nothing where they do not.
    pub fn bring_players(&mut self) {
        if core::mem::replace(&mut self.brings, true) {
            return;
        }
        if let Some(machine) = self.machine {
            for controller in 0..self.settings.players.len() {
                self.say_player(machine, controller);
            }
        }
    }

    /// Says whether the map that the settings name is here.
    pub fn set_map(&mut self, is_here: bool) {
        let is_new = is_here && !self.has_map;
        self.has_map = is_here;
        if is_new && self.phase == Phase::Lobby {
            self.say_map();
        }
    }

    /// Takes what the network has to tell.
    pub fn handle(&mut self, now: Moment, event: NetEvent<'_>) {
        if self.phase == Phase::Closed {
            return;
        }
        match event {
            NetEvent::Datagram { from, bytes } => self.handle_datagram(now, from, bytes),
            NetEvent::Opened { stream, address } if self.phase == Phase::Connecting => {
                self.stream = Some(stream);
                self.host = Some(PeerAddress::direct(address));
                self.enter(now, Phase::Joining);
                let ClientSettings { name, token, hardware_id, .. } = self.settings;
                self.say(&Packet::JoinRequest(JoinRequest { name, token, hardware_id }));
            }
            NetEvent::Bytes { stream, bytes } if Some(stream) == self.stream => self.handle_bytes(now, bytes),
            // Before it is open too: the host could not be reached.
            NetEvent::Closed { stream } if self.stream.is_none_or(|own| own == stream) => {
                self.stream = None;
                self.close(self.why_ended(now));
            }
            _ => {}
        }
    }

    /// Why the host's end of the stream is gone, as far as this machine can tell: no packet says that a time has run
    /// out, but it has (NET-44). A second is left for what the clocks of two machines differ by.
    fn why_ended(&self, now: Moment) -> Why {
        let waited = now.since(self.since).saturating_add(Moment::SECOND);
        match self.phase {
            Phase::Connecting | Phase::Joining => Why::NotJoined,
            Phase::Lobby if self.settings.players.is_empty() && waited >= NO_PLAYER_LIMIT => Why::NoPlayer,
            Phase::Loading if waited >= LOAD_LIMIT => Why::NotLoaded,
            Phase::Lobby | Phase::Loading | Phase::InGame | Phase::Scores | Phase::Closed => Why::Gone,
        }
    }

    /// Does what is due. Called each tick, and in the lobby and while loading at least every tick's time.
    pub fn poll(&mut self, now: Moment) {
        let limit = match self.phase {
            Phase::Connecting | Phase::Joining => (self.since, JOIN_LIMIT, Why::NotJoined),
            Phase::Lobby | Phase::Loading | Phase::InGame | Phase::Scores => {
                (self.heard, HOST_SILENCE_LIMIT, Why::Silent)
            }
            Phase::Closed => return,
        };
        let (since, limit, why) = limit;
        if now.since(since) >= limit {
            return self.close(why);
        }
        let is_missed = self.phase == Phase::InGame
            && now.since(self.datagram_heard) >= ONE_PATH
            && now.since(self.heard) < ONE_PATH;
        if is_missed && !core::mem::replace(&mut self.is_one_path, true) {
            self.events.push_back(Event::DatagramsLost);
        }
        let is_unnamed = self.phase == Phase::Lobby && self.record.is_none();
        if is_unnamed && now.since(self.since) >= SETTINGS_LIMIT {
            self.bring_players();
        }
        if now >= self.due {
            match self.phase {
                Phase::InGame => {
                    self.due = now.plus(CLIENT_UPDATE_PERIOD);
                    self.say_update();
                }
                Phase::Lobby if self.record.is_some() => {
                    self.due = now.plus(PRECACHED_PERIOD);
                    self.say_map();
                }
                _ => {}
            }
        }
        if self.phase == Phase::InGame && now >= self.word_due {
            self.word_due = now.plus(STREAM_WORD_PERIOD);
            // Every host takes this word at any time; it means nothing in the game.
            self.say_map();
        }
    }

    /// What happened next.
    pub fn next_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// The next distributed message that counts. After the last, what came since is forgotten.
    pub fn next_message(&mut self) -> Option<Received<'_>> {
        let in_game = self.phase == Phase::InGame;
        let message = self.inbox.next(&mut self.host_side, &mut self.counters, &mut self.trace);
        if message.is_none() {
            self.host_side.in_game = in_game;
        }
        message
    }

    /// The next voice, each a datagram of its own (NET-67): apart, so that they may be taken in each frame, and need not wait for
    /// the tick that all else is taken with.
    pub fn next_voice(&mut self) -> Option<Received<'_>> {
        self.voices.next(&mut self.host_side, &mut self.counters, &mut self.trace)
    }

    /// The game is loaded: the host is told, and from now on this machine plays.
    pub fn loaded(&mut self, now: Moment) {
        if self.phase != Phase::Loading {
            return;
        }
        self.enter(now, Phase::InGame);
        self.host_side.stamps = Stamps::new();
        self.host_side.in_game = true;
        self.say(&Packet::Loaded(Loaded { value: Unread }));
        self.events.append(&mut self.held);
    }

    /// The next update that this machine expects, which its client updates name.
    pub fn set_next_update(&mut self, number: i32) {
        self.next_update = number & i32::MAX;
    }

    /// Asks the host to begin the countdown, or to stop it.
    pub fn ask_start(&mut self, request: StartRequest) {
        if self.phase == Phase::Lobby {
            self.say(&Packet::GameStartRequest(GameStartRequest { request }));
        }
    }

    /// One more player of this machine, beside [`ClientSettings::players`]: asked for at once where the host let the
    /// machine in, else with the others once it has. False, and nothing is asked, where the machine has four.
    pub fn ask_player(&mut self, player: NetworkPlayer) -> bool {
        let controller = self.settings.players.len();
        if controller >= MAX_LOCAL_PLAYERS {
            return false;
        }
        self.settings.players.push(player);
        if let Some(machine) = self.machine.filter(|_| self.brings) {
            self.say_player(machine, controller);
        }
        true
    }

    /// Leaves in order: the host is told once, and the stream ends.
    pub fn leave(&mut self) {
        let packet = match self.phase {
            Phase::Lobby | Phase::Loading => Packet::ClientExitPregame(ClientExitPregame { value: Unread }),
            Phase::InGame | Phase::Scores => Packet::ClientExitPostgame(ClientExitPostgame { value: Unread }),
            Phase::Connecting | Phase::Joining | Phase::Closed => return self.close(Why::Left),
        };
        self.say(&packet);
        self.close(Why::Left);
    }

    /// Gathers what the tick sends to the host: reliable messages into the stream, unreliable ones into datagrams.
    pub fn flush(&mut self, outbox: &Outbox) {
        let (Some(stream), Some(host)) = (self.stream, self.host) else {
            return;
        };
        let sent = &mut self.host_side.traffic.sent;
        gather::stream(outbox, Machine::HOST, stream, sent, &mut self.out);
        if self.phase == Phase::InGame {
            gather::datagrams(outbox, Machine::HOST, host.real, &mut self.writer, sent, &mut self.out);
        }
    }

    /// Sends the host a whole datagram as it is, by itself (NET-67); nothing before it let this machine in, and while that loads.
    pub fn datagram(&mut self, bytes: &[u8]) {
        let is_there = matches!(self.phase, Phase::Lobby | Phase::InGame | Phase::Scores);
        if let Some(host) = self.host.filter(|_| is_there) {
            self.out.datagram(host.real, bytes);
            let sent = &mut self.host_side.traffic.sent;
            sent.datagram(bytes.len());
            sent.messages += 1;
        }
    }

    /// What is to be sent; [`Client::clear_transmits`] once it was.
    pub const fn transmits(&self) -> &Transmits {
        &self.out
    }

    /// Forgets what was sent.
    pub fn clear_transmits(&mut self) {
        self.out.clear();
    }

    /// Hands everything that is to be sent to a network.
    pub fn send(&mut self, now: Moment, network: &mut impl Network) {
        self.trace.sent(&self.out, |_| Some(Machine::HOST), |_| Some(Machine::HOST));
        network.send(now, &self.out);
        self.out.clear();
    }

    /// What this machine is, once it was let in.
    pub const fn machine(&self) -> Option<Machine> {
        self.machine
    }

    /// Where the host is, once the stream is open.
    pub const fn host(&self) -> Option<PeerAddress> {
        self.host
    }

    /// The settings, once they came.
    pub fn record(&self) -> Option<&SettingsRecord> {
        self.record.as_deref()
    }

    /// Whether it has loaded the game and plays it.
    pub fn is_in_game(&self) -> bool {
        self.phase == Phase::InGame
    }

    /// What went both ways between the host and this machine.
    pub const fn traffic(&self) -> Traffic {
        self.host_side.traffic
    }

    /// When anything of the host was last heard, stream or datagram.
    pub const fn heard(&self) -> Moment {
        self.heard
    }

    /// Keeps what becomes of each message from now on, for [`Client::take_traced`].
    pub fn begin_trace(&mut self) {
        self.trace.begin();
    }

    /// Moves what became of the messages since the last time to the end of `into`.
    pub fn take_traced(&mut self, into: &mut Vec<Traced>) {
        self.trace.take(into);
    }

    /// What was dropped and refused.
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }

    fn enter(&mut self, now: Moment, phase: Phase) {
        self.phase = phase;
        self.since = now;
        self.heard = now;
        self.datagram_heard = now;
        self.is_one_path = false;
        self.due = now;
        self.word_due = now.plus(STREAM_WORD_PERIOD);
        self.host_side.in_game = false;
    }

    fn close(&mut self, why: Why) {
        if let Some(stream) = self.stream.take() {
            self.out.close(stream);
        }
        if self.phase != Phase::Closed {
            self.phase = Phase::Closed;
            self.host_side.in_game = false;
            self.events.push_back(Event::Closed { why });
        }
    }

    fn say(&mut self, packet: &Packet<'_>) {
        if let Some(stream) = self.stream {
            let length = self.out.write_with(stream, |bytes| {
                // What a client says fits.
                let _ = packet.write(bytes);
            });
            self.host_side.traffic.sent.stream(length);
            self.host_side.traffic.sent.messages += 1;
        }
    }

    /// What a machine says once it is in: that it wants the settings, its players, its map.
    fn introduce(&mut self, machine: Machine) {
        let index = machine.get() as i8;
        self.say(&Packet::SettingsRequest(SettingsRequest { name: self.settings.name, machine: index }));
        if self.brings {
            for controller in 0..self.settings.players.len() {
                self.say_player(machine, controller);
            }
        }
        self.say_map();
    }

    /// That it wants that player of its settings: as a machine of the lobby asks, or as one of a game that has begun.
    fn say_player(&mut self, machine: Machine, controller: usize) {
        let Some(player) = self.settings.players.get(controller) else {
            return;
        };
        let player = NetworkPlayer { machine: machine.get() as i8, controller: controller as i8, ..*player };
        let is_game = matches!(self.phase, Phase::Loading | Phase::InGame);
        self.say(&if is_game {
            Packet::AddPlayerRequestIngame(AddPlayerRequestIngame { player })
        } else {
            Packet::AddPlayerPregame(AddPlayerPregame { player })
        });
    }

    /// The map that it has at hand; none while it does not know which, or lacks it.
    fn say_map(&mut self) {
        let known = self.record.as_ref().filter(|_| self.has_map).and_then(|record| record.map.as_str());
        let map = known.and_then(|name| Chars::new(name).ok()).unwrap_or(Chars::EMPTY);
        self.say(&Packet::MapPrecached(MapPrecached { map }));
    }

    /// It goes from the moment the game is loaded: the first ones tell the host where this machine's datagrams come
    /// from, if its input has not.
    fn say_update(&mut self) {
        let Some(host) = self.host else {
            return;
        };
        let update = ClientUpdate { next_update: self.next_update, actions: Actions::default() };
        let length = self.out.datagram_with(host.real, |bytes| {
            let _ = Packet::ClientUpdate(update).write(bytes);
        });
        self.host_side.traffic.sent.datagram(length);
        self.host_side.traffic.sent.messages += 1;
    }
}
