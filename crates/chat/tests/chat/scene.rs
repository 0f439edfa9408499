//! A host and its clients, each with its own view of who plays where, and what they say to each other by the bytes. Knows no
//! rule of the chat.

use std::collections::BTreeMap;

use mjolnir_chat::{Channel, Client, Down, Error, Event, Host, Line, Player, Settings, Text, World};
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::{Kind, Machine, MachineSet, Message, MessageType, Moment, ObjectId, Outbox, Slot, Tick};

pub(crate) fn machine(index: u8) -> Machine {
    Machine::new(index).unwrap()
}

pub(crate) fn slot(index: u8) -> Slot {
    Slot::new(index).unwrap()
}

pub(crate) fn seconds(seconds: f64) -> Moment {
    Moment::from_micros((seconds * 1e6).round() as u64)
}

/// A player, its team in a game of teams, and what it rides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat {
    pub(crate) player: Player,
    pub(crate) team: u8,
    pub(crate) root: Option<ObjectId>,
}

/// A machine's view of the game.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) own: Machine,
    pub(crate) has_teams: bool,
    pub(crate) seats: Vec<Seat>,
}

impl Game {
    pub(crate) fn seat(&mut self, index: u8) -> &mut Seat {
        self.seats.iter_mut().find(|seat| seat.player.slot == slot(index)).unwrap()
    }

    pub(crate) fn leave(&mut self, index: u8) {
        self.seats.retain(|seat| seat.player.slot != slot(index));
    }

    pub(crate) fn come(&mut self, index: u8, of: u8, name: &str, team: u8) {
        let player = Player { slot: slot(index), machine: machine(of), name: Name::cut(name) };
        self.seats.push(Seat { player, team, root: None });
    }

    fn find(&self, slot: Slot) -> Option<&Seat> {
        self.seats.iter().find(|seat| seat.player.slot == slot)
    }
}

impl World for Game {
    fn roster(&self) -> impl Iterator<Item = Player> {
        self.seats.iter().map(|seat| seat.player)
    }

    fn own_machine(&self) -> Machine {
        self.own
    }

    fn team_of(&self, slot: Slot) -> Option<u8> {
        self.find(slot).filter(|_| self.has_teams).map(|seat| seat.team)
    }

    fn vehicle_root(&self, slot: Slot) -> Option<ObjectId> {
        self.find(slot).and_then(|seat| seat.root)
    }
}

/// What a machine has shown, as a line of its log: `3>all: text` with the views behind it, `notice: text`.
pub(crate) fn shown(event: &Event) -> String {
    match event {
        Event::Notice(text) => format!("notice: {text}"),
        Event::Line { line: Line { slot, channel, text }, hearers } => {
            let views: Vec<_> = hearers.iter().map(|slot| slot.get().to_string()).collect();
            let channel = match channel {
                Channel::All => "all",
                Channel::Team => "team",
                Channel::Vehicle => "vehicle",
            };
            format!("{}>{channel}: {text} [{}]", slot.get(), views.join(" "))
        }
    }
}

pub(crate) struct Peer {
    pub(crate) client: Client,
    pub(crate) game: Game,
    pub(crate) shown: Vec<String>,
    /// What the host told it, in order.
    pub(crate) downs: Vec<Down>,
    /// Its settings messages, by their length.
    pub(crate) configs: Vec<usize>,
}

/// A game of a host and its clients.
pub(crate) struct Scene {
    pub(crate) now: Moment,
    pub(crate) host: Host,
    pub(crate) game: Game,
    pub(crate) shown: Vec<String>,
    pub(crate) peers: BTreeMap<u8, Peer>,
    /// What clients' messages came to, in order, and how many messages went up.
    pub(crate) taken: Vec<Result<(), Error>>,
    pub(crate) ups: usize,
    /// What is told by streams, whatever the message.
    pub(crate) down_messages: usize,
    outbox: Outbox,
}

impl Scene {
    /// Of players of those machines and names, by slot, of two teams in turn; everybody is told of the settings.
    pub(crate) fn new(settings: Settings, players: &[(u8, &str)]) -> Self {
        let mut game = Game { own: Machine::HOST, has_teams: true, seats: Vec::new() };
        for (index, (of, name)) in players.iter().enumerate() {
            game.come(index as u8, *of, name, index as u8 % 2);
        }
        let mut scene = Self {
            now: seconds(1000.0),
            host: Host::new(settings),
            game,
            shown: Vec::new(),
            peers: BTreeMap::new(),
            taken: Vec::new(),
            ups: 0,
            down_messages: 0,
            outbox: Outbox::new(),
        };
        for (of, _) in players.iter().filter(|(of, _)| *of != 0) {
            scene.connect(*of);
        }
        scene.step();
        scene.forget();
        scene
    }

    /// That machine is a client, with the host's view of the game.
    pub(crate) fn connect(&mut self, of: u8) {
        let game = Game { own: machine(of), ..self.game.clone() };
        let peer =
            Peer { client: Client::new(), game, shown: Vec::new(), downs: Vec::new(), configs: Vec::new() };
        self.peers.insert(of, peer);
        self.host.join(machine(of));
    }

    /// That machine and its players have left.
    pub(crate) fn disconnect(&mut self, of: u8) {
        self.peers.remove(&of);
        self.host.remove(machine(of));
        self.game.seats.retain(|seat| seat.player.machine != machine(of));
        self.share();
    }

    /// Every client has the host's view of the game.
    pub(crate) fn share(&mut self) {
        for (of, peer) in &mut self.peers {
            peer.game = Game { own: machine(*of), ..self.game.clone() };
        }
    }

    /// What was shown and told until now is looked at no more.
    pub(crate) fn forget(&mut self) {
        self.shown.clear();
        self.taken.clear();
        (self.ups, self.down_messages) = (0, 0);
        for peer in self.peers.values_mut() {
            peer.shown.clear();
            peer.downs.clear();
            peer.configs.clear();
        }
    }

    pub(crate) fn machines(&self) -> MachineSet {
        self.peers.keys().map(|of| machine(*of)).collect()
    }

    pub(crate) fn peer(&mut self, of: u8) -> &mut Peer {
        self.peers.get_mut(&of).unwrap()
    }

    /// A player types something on its machine.
    pub(crate) fn say(&mut self, index: u8, channel: Channel, typed: &str) -> Result<(), Error> {
        let of = self.game.seats.iter().find(|seat| seat.player.slot == slot(index)).unwrap().player.machine;
        if of == Machine::HOST {
            return self.host.say(self.now, slot(index), channel, typed, &self.game);
        }
        let peer = self.peer(of.get());
        peer.client.say(slot(index), channel, typed, &peer.game)
    }

    /// A line comes up that machine's stream, whatever its client would let through.
    pub(crate) fn forge(&mut self, from: u8, index: u8, text: &str) -> Result<(), Error> {
        let line = Line { slot: slot(index), channel: Channel::All, text: Text::new(text) };
        self.host.handle_line(self.now, machine(from), &line, &self.game)
    }

    /// All that was said goes up, is taken, comes down and is shown, without time.
    pub(crate) fn step(&mut self) {
        self.up();
        self.down();
    }

    pub(crate) fn up(&mut self) {
        for (of, peer) in &mut self.peers {
            self.outbox.begin(Tick::ZERO, 0);
            peer.client.tell(&mut self.outbox);
            assert!(!gathers_datagrams(&self.outbox, Machine::HOST), "a line goes by the stream alone");
            let mut bytes = Vec::new();
            self.outbox.gather_stream(Machine::HOST, &mut bytes);
            for message in messages(&bytes) {
                assert_eq!((message.kind, message.count), (Kind::ChatUp, 1));
                self.ups += 1;
                for line in Line::read_all(&message) {
                    let done = self.host.handle_line(self.now, machine(*of), &line.unwrap(), &self.game);
                    self.taken.push(done);
                }
            }
        }
    }

    pub(crate) fn down(&mut self) {
        self.outbox.begin(Tick::ZERO, 0);
        self.host.tell(self.now, self.machines(), &mut self.outbox);
        self.deliver();
    }

    /// A machine has become ready.
    pub(crate) fn ready(&mut self, of: u8) {
        self.outbox.begin(Tick::ZERO, 0);
        self.host.tell_settings(MachineSet::only(machine(of)), &mut self.outbox);
        self.deliver();
    }

    fn deliver(&mut self) {
        assert_eq!(self.outbox.unsendable(), 0);
        self.shown.extend(self.host.events().map(|event| shown(&event)));
        let mut nobody = Vec::new();
        for of in Machine::all().filter(|of| !self.peers.contains_key(&of.get())) {
            self.outbox.gather_stream(of, &mut nobody);
        }
        assert!(nobody.is_empty(), "who is not there is told nothing");
        for (of, peer) in &mut self.peers {
            assert!(!gathers_datagrams(&self.outbox, machine(*of)), "the host tells by the stream alone");
            let mut bytes = Vec::new();
            self.outbox.gather_stream(machine(*of), &mut bytes);
            for message in messages(&bytes) {
                self.down_messages += 1;
                assert_eq!(message.count, 1);
                match message.kind {
                    Kind::ChatDown => {
                        for down in Down::read_all(&message).map(Result::unwrap) {
                            peer.downs.push(down);
                            let _ = peer.client.handle(&down, &peer.game);
                        }
                    }
                    Kind::ChatConfig => {
                        peer.configs.push(message.body.len());
                        for settings in Settings::read_all(&message) {
                            peer.client.handle_settings(settings.unwrap());
                        }
                    }
                    other => panic!("{other:?} is none of the chat's"),
                }
            }
            peer.shown.extend(peer.client.events().map(|event| shown(&event)));
        }
    }

    /// So many seconds go by, a tick at a time.
    pub(crate) fn run(&mut self, for_seconds: f64) {
        let end = self.now.plus((for_seconds * 1e6).round() as u64);
        while self.now < end {
            self.now = self.now.plus(33_333).min(end);
            self.step();
        }
    }
}

fn messages(mut bytes: &[u8]) -> Vec<Message<'_>> {
    let mut all = Vec::new();
    while let Some((word, _)) = bytes.split_first_chunk() {
        let (of, length) = mjolnir_wire::message::read_word(*word).unwrap();
        assert_eq!(of, MessageType::Data);
        let (message, rest) = bytes.split_at(length);
        all.push(Message::read(message).unwrap());
        bytes = rest;
    }
    all
}

fn gathers_datagrams(outbox: &Outbox, to: Machine) -> bool {
    let mut any = false;
    outbox.gather_datagrams(to, &mut mjolnir_wire::BatchWriter::new(), |_| any = true);
    any
}
