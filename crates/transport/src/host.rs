//! The host's end of the session: who is in, who is let in, what each is told when. Knows no socket, no clock and
//! nothing of what the game's messages mean.
//!
//! A tick of it: [`Host::handle`] what the network has, [`Host::poll`], the events, the messages, the game's own
//! tick, [`Host::flush`], and the transmits to the network.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::net::Ipv4Addr;

use mjolnir_wire::batch::BatchWriter;
use mjolnir_wire::framing::StreamReader;
use mjolnir_wire::layout::Pad;
use mjolnir_wire::limits::{HOST_PORT, MAX_MACHINES, NETWORK_VERSION};
use mjolnir_wire::packets::advertisement::{self, AddressBlock, PROTOCOL};
use mjolnir_wire::packets::field::Unread;
use mjolnir_wire::packets::list::{
    BeginGame, GameOver, GameUpdate, HostExitPostgame, HostExitPregame, HostSwitchToPregame, JoinRequest,
};
use mjolnir_wire::packets::settings::{LevelName, MachineName};
use mjolnir_wire::packets::values::SkippedActions;
use mjolnir_wire::packets::{Advertisement, NetworkPlayer, Packet, SettingsRecord};
use mjolnir_wire::{Machine, MachineSet, Moment, Slot, Tick};

use crate::counters::{Counters, Traffic};
use crate::inbox::{Inbox, MACHINE_INBOX_BYTES, Received};
use crate::lan::{Announcer, Broadcast};
use crate::limits::JOIN_TOKEN;
use crate::network::{NetEvent, Network, PeerAddress, StreamId, Transmits};
use crate::roster::{Player, Roster};
use crate::stamps::Stamps;
use crate::trace::{Trace, Traced};
use crate::why::Why;

mod asking;
mod datagrams;
mod downloading;
mod joining;
mod member;
mod packets;
mod ring;
mod sending;
mod standing;
mod timers;

pub use downloading::Download;
use member::Members;
use standing::Standing;

/// What a host is made of.
#[derive(Clone, Debug)]
pub struct HostSettings {
    /// The network version that it advertises.
    pub version: u16,
    /// Machines that it takes, itself included: 1..=128.
    pub machines: usize,
    /// The host machine's name.
    pub machine_name: MachineName,
    /// What joining machines must show.
    pub token: [u8; 16],
    /// Its nonce, its key's name and its key, as advertised.
    pub nonce: [u8; 8],
    /// See [`HostSettings::nonce`].
    pub key_id: [u8; 8],
    /// See [`HostSettings::nonce`].
    pub key: [u8; 16],
    /// The port that it advertises.
    pub port: u16,
    /// The address that it advertises, for builds that join there and not where the advertisement came from;
    /// unspecified where it is not known.
    pub ip: Ipv4Addr,
    /// Who is told of the game without having searched.
    pub broadcast: Broadcast,
    /// The game: name, map, rules, seed, how many players. Its lists of machines and players are kept by the host.
    pub record: Box<SettingsRecord>,
    /// The host's own players, at most four.
    pub players: Vec<NetworkPlayer>,
}

impl HostSettings {
    /// A dedicated host of that game that only those hear of who search, with everything else as it usually is.
    pub fn new(record: Box<SettingsRecord>) -> Self {
        Self {
            version: NETWORK_VERSION,
            machines: MAX_MACHINES,
            machine_name: MachineName::cut("Host"),
            token: JOIN_TOKEN,
            nonce: [0; 8],
            key_id: [0; 8],
            key: [0; 16],
            port: HOST_PORT,
            ip: Ipv4Addr::UNSPECIFIED,
            broadcast: Broadcast::nobody(),
            record,
            players: Vec::new(),
        }
    }
}

/// What happened, for whoever runs the game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A machine asks to join a gated host, by the right token: [`Host::answer`] says whether it may. Not told any more
    /// once its stream has ended.
    Asking {
        /// Its stream, by which it is answered.
        stream: StreamId,
        /// Where it is.
        address: PeerAddress,
        /// Its name, as it said it.
        name: MachineName,
        /// 32 hexadecimal digits, or anything else.
        hardware_id: [u8; 32],
    },
    /// A machine was let in.
    Joined {
        /// Its index.
        machine: Machine,
        /// Where it is.
        address: PeerAddress,
        /// Its name, as it said it.
        name: MachineName,
        /// 32 hexadecimal digits, or anything else.
        hardware_id: [u8; 32],
    },
    /// A player is in: one slot, one name, one team on every machine.
    PlayerAdded {
        /// The player.
        player: Player,
    },
    /// In the lobby a player has another name or colour, as its machine asked.
    PlayerChanged {
        /// The player.
        player: Player,
    },
    /// A player leaves at that tick of the game; in the lobby at once.
    PlayerRemoved {
        /// The player.
        player: Player,
        /// When it leaves.
        at: Tick,
    },
    /// A machine has loaded: its players get units, and the tick's messages go to it.
    Loaded {
        /// The machine.
        machine: Machine,
    },
    /// A machine is gone, its players removed before this.
    Left {
        /// The machine.
        machine: Machine,
        /// Why.
        why: Why,
    },
    /// A machine in play is heard by its stream alone (NET-76): it should be told, by its stream.
    DatagramsLost {
        /// The machine.
        machine: Machine,
    },
    /// Its datagrams are heard again.
    DatagramsBack {
        /// The machine.
        machine: Machine,
    },
    /// The countdown has come to its end: the game should begin.
    StartDue,
    /// The host and the machines that were in the lobby have loaded, or these were waited for long enough.
    Started,
}

/// Where the game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Lobby,
    /// Those of the lobby load.
    Loading {
        since: Moment,
    },
    Playing,
    Over,
}

/// A connection that has not joined.
#[derive(Debug)]
struct Stranger {
    stream: StreamId,
    address: PeerAddress,
    since: Moment,
    reader: StreamReader,
    /// What it asked, while that waits for its answer.
    asked: Option<JoinRequest>,
}

/// See the module's text.
#[derive(Debug)]
pub struct Host {
    settings: HostSettings,
    stage: Stage,
    /// Whether the host's own machine has yet to load what begins.
    is_loading: bool,
    /// Whether who joins is asked about first.
    is_gated: bool,
    strangers: Vec<Stranger>,
    members: Members,
    roster: Roster,
    /// When the countdown ends, and the seconds that were last said.
    countdown: Option<(Moment, i16)>,
    /// Whether the settings changed since they were sent, and when they were.
    is_changed: bool,
    settings_sent: Option<Moment>,
    events: VecDeque<Event>,
    inbox: Inbox,
    /// Voices apart: they wait for no tick.
    voices: Inbox,
    announcer: Announcer,
    counters: Counters,
    trace: Trace,
    /// What went between the host and strangers, and machines that are gone.
    elsewhere: Traffic,
    out: Transmits,
    writer: BatchWriter,
}

impl Host {
    /// In its lobby, with its own players and nobody else.
    pub fn new(settings: HostSettings) -> Self {
        let mut host = Self {
            roster: Roster::new(settings.record.clone()),
            announcer: Announcer::new(settings.broadcast.clone()),
            settings,
            stage: Stage::Lobby,
            is_loading: false,
            is_gated: false,
            strangers: Vec::new(),
            members: Members::new(),
            countdown: None,
            is_changed: false,
            settings_sent: None,
            events: VecDeque::new(),
            inbox: Inbox::new(MACHINE_INBOX_BYTES),
            voices: Inbox::new(MACHINE_INBOX_BYTES),
            counters: Counters::default(),
            trace: Trace::default(),
            elsewhere: Traffic::default(),
            out: Transmits::new(),
            writer: BatchWriter::new(),
        };
        for (controller, player) in (0..).zip(host.settings.players.clone()) {
            let own = NetworkPlayer { machine: -1, controller, ..player };
            if let Ok(player) = host.roster.add(Machine::HOST, &own, None) {
                host.events.push_back(Event::PlayerAdded { player: *player });
            }
        }
        host.list_machines();
        host
    }

    /// Takes what the network has to tell.
    pub fn handle(&mut self, now: Moment, tick: Tick, event: NetEvent<'_>) {
        match event {
            NetEvent::Datagram { from, bytes } => self.handle_datagram(now, from, bytes),
            NetEvent::Opened { stream, address } => self.handle_opened(now, stream, address),
            NetEvent::Bytes { stream, bytes } => self.handle_bytes(now, tick, stream, bytes),
            NetEvent::Written { stream, bytes } => self.handle_written(now, stream, bytes),
            NetEvent::Closed { stream } => self.handle_closed(tick, stream),
        }
    }

    /// What happened next.
    pub fn next_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// The next distributed message that counts. After the last, what came since is forgotten.
    pub fn next_message(&mut self) -> Option<Received<'_>> {
        self.inbox.next(&mut self.members, &mut self.counters, &mut self.trace)
    }

    /// The next voice, each a datagram of its own (NET-67): apart, so that they may be taken in each frame, and need not wait for
    /// the tick that all else is taken with.
    pub fn next_voice(&mut self) -> Option<Received<'_>> {
        self.voices.next(&mut self.members, &mut self.counters, &mut self.trace)
    }

    /// What is to be sent; [`Host::clear_transmits`] once it was.
    pub const fn transmits(&self) -> &Transmits {
        &self.out
    }

    /// Forgets what was sent.
    pub fn clear_transmits(&mut self) {
        self.out.clear();
    }

    /// Hands everything that is to be sent to a network.
    pub fn send(&mut self, now: Moment, network: &mut impl Network) {
        let by_stream = |stream| self.members.by_stream(stream);
        self.trace.sent(&self.out, by_stream, |address| self.members.by_endpoint(address));
        network.send(now, &self.out);
        self.out.clear();
    }

    /// Says whether the host's own machine has yet to load: a game that has begun goes on, and is joined, only once
    /// it has. It is taken as loaded unless this says otherwise before [`Host::begin_game`].
    pub fn set_loading(&mut self, now: Moment, loads: bool) {
        self.is_loading = loads;
        self.start_if_loaded(now);
    }

    /// Begins the game at that tick: the lobby's machines load it. One that heard no countdown hears its end first,
    /// since that is how a machine tells a game's own start, which has no time before its first update, from a
    /// join in progress, which is told the time (CLOCK-03, 04).
    pub fn begin_game(&mut self, now: Moment, tick: Tick) {
        if self.stage != Stage::Lobby {
            return;
        }
        self.countdown = None;
        // The settings list those who play from the start.
        self.leave_downloading(tick);
        if self.is_changed {
            self.send_settings(now);
        }
        self.stage = Stage::Loading { since: now };
        for (_, member) in self.members.iter_mut() {
            if member.standing != Standing::Lobby {
                continue;
            }
            if !member.is_counted {
                member.count(&mut self.out, 0);
            }
            member.send(&mut self.out, &Packet::BeginGame(BeginGame { time: tick.low16() }));
            member.standing.tell(now, false);
            member.held.clear();
        }
        self.start_if_loaded(now);
    }

    /// The game is over: everybody is told, and nobody is let in.
    pub fn end_game(&mut self) {
        if !matches!(self.stage, Stage::Loading { .. } | Stage::Playing) {
            return;
        }
        self.stage = Stage::Over;
        for (_, member) in self.members.iter_mut() {
            if member.standing.knows_the_game() {
                member.send(&mut self.out, &Packet::GameOver(GameOver { value: Unread }));
            }
            member.may_be_late |= member.standing.loads();
            member.standing.end();
            member.held.clear();
        }
    }

    /// Back to the lobby: slots of those who left are free again.
    pub fn to_lobby(&mut self, now: Moment) {
        if self.stage == Stage::Lobby {
            return;
        }
        self.stage = Stage::Lobby;
        self.roster.forget_left();
        for (_, member) in self.members.iter_mut() {
            let packet = Packet::HostSwitchToPregame(HostSwitchToPregame { value: Unread });
            member.send(&mut self.out, &packet);
            member.may_be_late |= member.standing.loads();
            member.standing.return_to_lobby();
            member.is_counted = false;
            member.stamps = Stamps::new();
        }
        self.list_waiting(now);
        self.send_settings(now);
    }

    /// In the lobby: the next game is that record's, but for its lists of machines and players, which stay. Teams are given
    /// anew where it is played in teams and the last was not, or the other way round. Everybody is sent the settings.
    /// Nothing outside the lobby.
    pub fn set_game(&mut self, record: &SettingsRecord) {
        if self.stage == Stage::Lobby {
            self.roster.set_game(record);
            self.is_changed = true;
        }
    }

    /// The own name and the version of the settings' map, now that they are known (MAP-02); who is in the lobby hears of it.
    pub fn name_map(&mut self, level: LevelName, version: u32) {
        self.is_changed |= self.roster.name_map(level, version.cast_signed());
    }

    /// The host leaves in order: every machine is told once, and every stream ends.
    pub fn leave(&mut self) {
        let packet = match self.stage {
            Stage::Lobby => Packet::HostExitPregame(HostExitPregame { value: Unread }),
            _ => Packet::HostExitPostgame(HostExitPostgame { value: Unread }),
        };
        for machine in Machine::all() {
            if let Some(mut member) = self.members.remove(machine) {
                member.send(&mut self.out, &packet);
                self.out.close(member.stream);
            }
        }
        for stranger in core::mem::take(&mut self.strangers) {
            self.out.close(stranger.stream);
            self.withdraw(&stranger, Why::Gone.reason());
        }
    }

    /// Sends the game update (20) to those machines of the game: the host's count of its updates and its tick.
    pub fn send_update(&mut self, machines: MachineSet, number: i32, tick: Tick) {
        let update = Packet::GameUpdate(GameUpdate { number, seed: 0, time: tick, actions: SkippedActions });
        for (machine, member) in self.members.iter_mut() {
            if machines.contains(machine) && member.standing == Standing::InGame {
                member.send(&mut self.out, &update);
            }
        }
    }

    /// Removes a machine; it is told that it is kept out.
    pub fn kick(&mut self, tick: Tick, machine: Machine) {
        self.remove(tick, machine, Why::Kicked);
    }

    /// Whether the game is played: begun, loaded by those of the lobby or gone on without them, and not over.
    pub fn is_playing(&self) -> bool {
        self.stage == Stage::Playing
    }

    /// Every machine that was let in.
    pub fn machines(&self) -> MachineSet {
        self.members.set(|_| true)
    }

    /// The machines that have loaded the game.
    pub fn in_game(&self) -> MachineSet {
        self.members.set(|member| member.standing == Standing::InGame)
    }

    /// The machines that hear what is said now: in the lobby, in the game, on its scores, but not while they load it.
    pub fn hearing(&self) -> MachineSet {
        self.members.set(|member| member.standing.hears())
    }

    /// The players that are there, by slot.
    pub fn players(&self) -> impl Iterator<Item = &Player> {
        self.roster.present()
    }

    /// A slot's player, one that has left too.
    pub fn player(&self, slot: Slot) -> Option<&Player> {
        self.roster.get(slot)
    }

    /// Where a machine is.
    pub fn address(&self, machine: Machine) -> Option<PeerAddress> {
        self.members.get(machine).map(|member| member.address)
    }

    /// What went both ways between the host and a machine.
    pub fn traffic(&self, machine: Machine) -> Option<Traffic> {
        self.members.get(machine).map(|member| member.traffic)
    }

    /// Bytes on their way to a machine's stream: what is not urgent waits while they are many.
    pub fn unsent(&self, machine: Machine) -> usize {
        self.members.get(machine).map_or(0, |member| member.ring.unsent())
    }

    /// Bytes that are kept for a machine that loads, to be told once it has: at most
    /// [`HELD_BYTES`](crate::limits::HELD_BYTES).
    pub fn held(&self, machine: Machine) -> usize {
        self.members.get(machine).map_or(0, |member| member.held.len())
    }

    /// The machines whose streams are slower than what is said to them: more than [`BEHIND_BYTES`] were on their way,
    /// and still more than [`CAUGHT_UP_BYTES`] are. What may be told later, and then once, should be.
    ///
    /// [`BEHIND_BYTES`]: crate::limits::BEHIND_BYTES
    /// [`CAUGHT_UP_BYTES`]: crate::limits::CAUGHT_UP_BYTES
    pub fn behind(&self) -> MachineSet {
        self.members.set(|member| member.ring.is_behind())
    }

    /// What went both ways in all, with strangers and machines that are gone too.
    pub fn totals(&self) -> Traffic {
        let mut totals = self.elsewhere;
        for (_, member) in self.members.iter() {
            totals.add(&member.traffic);
        }
        totals
    }

    /// When anything of a machine was last heard, stream or datagram (NET-28).
    pub fn heard(&self, machine: Machine) -> Option<Moment> {
        self.members.get(machine).map(|member| member.heard)
    }

    /// Keeps what becomes of each message from now on, for [`Host::take_traced`].
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

    /// The settings as they stand, the lists of machines and players among them.
    pub fn record(&self) -> &SettingsRecord {
        self.roster.record()
    }

    /// What the host says of its game (NET-21, 26): open in the lobby and in play, closed while it loads and when
    /// it is over.
    pub fn advertisement(&self, search_nonce: [u8; 8]) -> Advertisement {
        let record = self.roster.record();
        let is_open = matches!(self.stage, Stage::Lobby | Stage::Playing);
        let bit = |holds, bit| if holds { bit } else { 0 };
        Advertisement {
            search_nonce,
            nonce: self.settings.nonce,
            key_id: self.settings.key_id,
            key: self.settings.key,
            address: AddressBlock { size: 12, flags: 0, identity: [0; 6], ip: self.settings.ip.octets() },
            port: self.settings.port,
            protocol: PROTOCOL,
            platform: 0,
            name: record.name,
            version: self.settings.version,
            netcode: advertisement::DISTRIBUTED_BIT
                | if self.stage == Stage::Lobby { 0 } else { advertisement::IN_PROGRESS_BIT },
            reserved: Pad,
            map_version: record.map_version,
            map: record.map,
            game_type: record.variant.game_type as i16,
            machines: record.machine_count,
            players: record.player_count,
            max_players: i16::from(record.max_players),
            score_limit: record.variant.score_limit as i16,
            flags: bit(is_open, advertisement::OPEN_BIT)
                | bit(record.variant.teams != 0, advertisement::TEAMS_BIT),
            token: self.settings.token,
        }
    }

    fn list_machines(&mut self) {
        let own = (Machine::HOST, self.settings.machine_name);
        let others = self.members.iter().map(|(machine, member)| (machine, member.name));
        self.roster.list_machines(core::iter::once(own).chain(others));
        self.is_changed = true;
    }
}
