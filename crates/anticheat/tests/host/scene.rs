//! A host of a game that runs, its guests, and what it is to do as lines of text. Knows no rule.

use std::collections::BTreeMap;

use mjolnir_anticheat::{Command, HardwareId, Host, Output, Person, Player, Way};
use mjolnir_wire::framing::StreamReader;
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::time::micros_of_ticks;
use mjolnir_wire::votekick::VotekickStatus;
use mjolnir_wire::{BatchWriter, Kind, Machine, MachineSet, Message, Moment, Outbox, Parts, Slot, Tick};

/// The host's tick as the scene begins.
const BEGIN: u32 = 3_000;

pub(crate) fn machine(index: u8) -> Machine {
    Machine::new(index).unwrap()
}

pub(crate) fn slot(index: u8) -> Slot {
    Slot::new(index).unwrap()
}

pub(crate) fn tick(number: u32) -> Tick {
    Tick::new(number as i32).unwrap()
}

/// A person of that address, and of that id, 32 times the digit.
pub(crate) fn person(address: &str, id: Option<char>) -> Person {
    let hardware = id.map(|digit| HardwareId::heard(&[digit as u8; 32]).unwrap());
    Person { address: Some(address.parse().unwrap()), hardware }
}

pub(crate) fn anyone(index: u8) -> Person {
    person(&format!("203.0.113.{index}"), None)
}

/// How a machine's messages are stamped: its clock's rate from a tick on, and which of them say so.
#[derive(Clone, Copy)]
struct Fast {
    rate: f64,
    from: u32,
    ways: &'static [Way],
}

pub(crate) struct Scene {
    pub(crate) host: Host,
    /// The host's tick.
    pub(crate) at: u32,
    pub(crate) guests: MachineSet,
    pub(crate) players: Vec<Player>,
    fast: BTreeMap<u8, Fast>,
    outbox: Outbox,
}

impl Scene {
    /// Of so many guests, each with a player in the slot of its number: `P1`, `P2`. The host has `Host` in slot 0.
    pub(crate) fn new(guests: u8) -> Self {
        let mut scene = Self {
            host: Host::new(),
            at: BEGIN,
            guests: MachineSet::NONE,
            players: Vec::new(),
            fast: BTreeMap::new(),
            outbox: Outbox::new(),
        };
        scene.host.start_game(scene.now(), tick(BEGIN));
        scene.seat(0, 0, "Host");
        for index in 1..=guests {
            scene.join(index, anyone(index));
        }
        scene
    }

    pub(crate) fn now(&self) -> Moment {
        Moment::from_micros(micros_of_ticks(u64::from(self.at)))
    }

    pub(crate) fn join(&mut self, index: u8, who: Person) {
        self.host.join(self.now(), machine(index), who, Some(tick(self.at)));
        self.guests.insert(machine(index));
        self.seat(index, index, &format!("P{index}"));
    }

    /// One more player of that machine.
    pub(crate) fn seat(&mut self, index: u8, in_slot: u8, name: &str) {
        self.players.push(Player { slot: slot(in_slot), machine: machine(index), name: Name::cut(name) });
        self.host.set_players(self.players.iter().copied());
    }

    pub(crate) fn leave(&mut self, index: u8) {
        self.host.leave(self.now(), machine(index));
        self.guests.remove(machine(index));
        self.fast.remove(&index);
        self.players.retain(|player| player.machine != machine(index));
        self.host.set_players(self.players.iter().copied());
    }

    /// From now on that machine's clock goes so many times as fast, by what it sends by these ways.
    pub(crate) fn speed_up(&mut self, index: u8, rate: f64, ways: &'static [Way]) {
        self.fast.insert(index, Fast { rate, from: self.at, ways });
    }

    /// A tick: everybody's messages are heard, and the host steps.
    pub(crate) fn tick(&mut self) {
        self.at += 1;
        let (now, host) = (self.now(), tick(self.at));
        for of in self.guests.iter() {
            for way in [Way::Stream, Way::Datagram] {
                let fast = self.fast.get(&of.get()).filter(|fast| fast.ways.contains(&way));
                let ahead = fast.map_or(0.0, |fast| f64::from(self.at - fast.from) * (fast.rate - 1.0));
                self.host.note(now, host, of, way, tick(self.at + ahead as u32));
            }
        }
        self.host.step(now, self.guests);
    }

    pub(crate) fn run(&mut self, seconds: u32) {
        (0..seconds * 30).for_each(|_| self.tick());
    }

    pub(crate) fn command(&mut self, typed: &str) {
        // Why it means nobody is told as well.
        let _ = self.host.command(self.now(), &Command::of(typed).unwrap());
    }

    pub(crate) fn vote(&mut self, from: u8, on: u8) {
        let _ = self.host.handle_vote(self.now(), machine(from), slot(on));
    }

    /// What is to be done, in order: `all: TEXT`, `N: TEXT`, `FILE LINE`, `drop N`.
    pub(crate) fn done(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.host.next_output())
            .map(|output| match output {
                Output::Announce(text) => format!("all: {}", text.as_str()),
                Output::Tell(to, text) => format!("{}: {}", to.get(), text.as_str()),
                Output::Record(record) => format!("{} {}", record.file().name(), record.body()),
                Output::Drop(of, ..) => format!("drop {}", of.get()),
            })
            .collect()
    }

    /// What those machines are told with a tick: each kind with its bytes behind the header, of the stream and of datagrams.
    pub(crate) fn told(&mut self, ready: MachineSet) -> BTreeMap<u8, Vec<(Kind, Vec<u8>)>> {
        self.outbox.begin(tick(self.at), 0);
        self.host.tell_ready(ready, &mut self.outbox);
        self.host.tell(self.now(), self.guests, &mut self.outbox);
        let mut told: BTreeMap<u8, Vec<(Kind, Vec<u8>)>> = BTreeMap::new();
        for of in Machine::all() {
            let (mut reader, mut stream) = (StreamReader::new(), Vec::new());
            self.outbox.gather_stream(of, &mut stream);
            reader.push(&stream);
            while let Some((_, bytes)) = reader.next_message().unwrap() {
                let message = Message::read(bytes).unwrap();
                told.entry(of.get()).or_default().push((message.kind, message.body.to_vec()));
            }
            self.outbox.gather_datagrams(of, &mut BatchWriter::new(), |datagram| {
                for part in Parts::of(&Message::read(datagram).unwrap()) {
                    let part = part.unwrap();
                    told.entry(of.get()).or_default().push((part.kind, part.body.to_vec()));
                }
            });
        }
        told
    }

    /// The same of votes alone: how each stands for whom.
    pub(crate) fn told_of_votes(&mut self) -> BTreeMap<u8, Vec<VotekickStatus>> {
        let of_votes = |told: Vec<(Kind, Vec<u8>)>| -> Vec<VotekickStatus> {
            let votes = told.into_iter().filter(|(kind, _)| *kind == Kind::VotekickStatus);
            votes.map(|(_, body)| VotekickStatus::read(&body).unwrap()).collect()
        };
        self.told(MachineSet::NONE).into_iter().map(|(of, told)| (of, of_votes(told))).collect()
    }
}
