//! A host that counts votes, its guests, and what they are told of it by the bytes. Knows no rule of the votes.

use std::collections::BTreeMap;
use std::net::IpAddr;

use mjolnir_anticheat::votes::{Outcome, Refusal, Settings, Votes, World};
use mjolnir_anticheat::{HardwareId, Person};
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::time::micros_of_ticks;
use mjolnir_wire::votekick::VotekickStatus;
use mjolnir_wire::{BatchWriter, Kind, Machine, MachineSet, Message, Moment, Outbox, Parts, Slot, Tick};

/// Ticks of a minute.
pub(crate) const MINUTE: u32 = 60 * 30;

pub(crate) fn machine(index: u8) -> Machine {
    Machine::new(index).unwrap()
}

pub(crate) fn slot(index: u8) -> Slot {
    Slot::new(index).unwrap()
}

/// A person of that address, if it is one, and of that id, 32 times the digit.
pub(crate) fn person(address: &str, id: Option<char>) -> Person {
    let address: Option<IpAddr> = (!address.is_empty()).then(|| address.parse().unwrap());
    Person { address, hardware: id.map(|digit| HardwareId::heard(&[digit as u8; 32]).unwrap()) }
}

/// Who is behind that machine unless a script says otherwise: somebody at an address of its own.
pub(crate) fn anyone(index: u8) -> Person {
    person(&format!("203.0.113.{index}"), None)
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Guest {
    pub(crate) person: Person,
    /// Ticks of the host since it joined.
    pub(crate) played: u32,
}

/// The host's game: itself with a player in slot 0, guests.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) guests: BTreeMap<u8, Guest>,
    pub(crate) players: Vec<(Slot, Machine, Name)>,
}

impl World for Game {
    fn machines(&self) -> MachineSet {
        self.guests.keys().map(|index| machine(*index)).chain([Machine::HOST]).collect()
    }

    fn person(&self, of: Machine) -> Option<Person> {
        assert_ne!(of, Machine::HOST, "the host is only itself");
        self.guests.get(&of.get()).map(|guest| guest.person)
    }

    fn played(&self, of: Machine) -> u32 {
        assert_ne!(of, Machine::HOST, "the host has always played long enough");
        self.guests.get(&of.get()).map_or(0, |guest| guest.played)
    }

    fn players(&self) -> impl Iterator<Item = (Slot, Machine, Name)> {
        self.players.iter().copied()
    }
}

/// Whether each guest has voted and may, how many votes there are, and what is needed.
pub(crate) type Told = (u8, u8, bool, bool);

pub(crate) struct Scene {
    tick: u64,
    pub(crate) votes: Votes,
    pub(crate) game: Game,
    /// Votes that ended, and when in seconds.
    pub(crate) outcomes: Vec<(f64, Outcome)>,
    /// What each machine was told, and when in seconds.
    pub(crate) told: BTreeMap<u8, Vec<(f64, VotekickStatus)>>,
    outbox: Outbox,
}

impl Scene {
    /// Of so many guests, in the slots of their numbers, who have played for an hour.
    pub(crate) fn new(guests: u8) -> Self {
        Self::of(guests, Settings::default())
    }

    pub(crate) fn of(guests: u8, settings: Settings) -> Self {
        let host = (slot(0), Machine::HOST, Name::cut("Host"));
        let mut scene = Self {
            tick: 100 * 30,
            votes: Votes::new(settings),
            game: Game { guests: BTreeMap::new(), players: vec![host] },
            outcomes: Vec::new(),
            told: BTreeMap::new(),
            outbox: Outbox::new(),
        };
        for index in 1..=guests {
            scene.join(index, index, anyone(index), 60 * MINUTE);
        }
        scene
    }

    pub(crate) fn now(&self) -> Moment {
        Moment::from_micros(micros_of_ticks(self.tick))
    }

    /// Seconds since the scene began.
    pub(crate) fn seconds(&self) -> f64 {
        self.tick as f64 / 30.0 - 100.0
    }

    /// That machine joins with a player in that slot.
    pub(crate) fn join(&mut self, index: u8, in_slot: u8, person: Person, played: u32) {
        self.game.guests.insert(index, Guest { person, played });
        self.seat(index, in_slot);
    }

    /// One more player of that machine's.
    pub(crate) fn seat(&mut self, index: u8, in_slot: u8) {
        let name = Name::cut(&format!("P{in_slot}"));
        self.game.players.push((slot(in_slot), machine(index), name));
    }

    pub(crate) fn guest(&mut self, index: u8) -> &mut Guest {
        self.game.guests.get_mut(&index).unwrap()
    }

    /// That machine and its players leave.
    pub(crate) fn leave(&mut self, index: u8) -> Option<Outcome> {
        self.game.guests.remove(&index).unwrap();
        self.game.players.retain(|(_, of, _)| *of != machine(index));
        let outcome = self.votes.left(self.now(), machine(index));
        self.outcomes.extend(outcome.map(|outcome| (self.seconds(), outcome)));
        outcome
    }

    /// The host kicks that machine.
    pub(crate) fn kick(&mut self, index: u8) -> Option<Outcome> {
        self.votes.kicked(self.now(), machine(index));
        self.leave(index)
    }

    /// A vote comes up that machine's stream.
    pub(crate) fn ask(&mut self, from: u8, on: u8) -> Result<(), Refusal> {
        self.votes.ask(self.now(), machine(from), slot(on), &self.game)
    }

    /// The end of a tick; what was heard before is judged and told.
    pub(crate) fn step(&mut self) -> Option<Outcome> {
        let outcome = self.votes.step(self.now());
        self.outcomes.extend(outcome.map(|outcome| (self.seconds(), outcome)));
        self.tell();
        outcome
    }

    fn tell(&mut self) {
        self.outbox.begin(Tick::ZERO, 0);
        self.votes.tell(self.now(), self.game.machines(), &self.game, &mut self.outbox);
        assert_eq!(self.outbox.unsendable(), 0);
        if self.outbox.is_empty() {
            return;
        }
        let at = self.seconds();
        for of in Machine::all() {
            let mut stream = Vec::new();
            self.outbox.gather_stream(of, &mut stream);
            assert!(stream.is_empty(), "a status goes by datagrams alone");
            let (outbox, told) = (&self.outbox, &mut self.told);
            outbox.gather_datagrams(of, &mut BatchWriter::new(), |datagram| {
                for part in Parts::of(&Message::read(datagram).unwrap()) {
                    let part = part.unwrap();
                    assert_eq!((part.kind, part.count), (Kind::VotekickStatus, 1));
                    let status = VotekickStatus::read_all(&part).next().unwrap().unwrap();
                    told.entry(of.get()).or_default().push((at, status));
                }
            });
        }
    }

    /// So many seconds go by, in ticks, the first of them the present one's end.
    pub(crate) fn run(&mut self, seconds: f64) {
        for _ in 0..(seconds * 30.0).round() as u64 {
            self.step();
            self.tick += 1;
            self.game.guests.values_mut().for_each(|guest| guest.played += 1);
        }
    }

    /// How the vote stands for that machine.
    pub(crate) fn status(&self, index: u8) -> VotekickStatus {
        self.votes.status(self.now(), machine(index), &self.game)
    }

    /// The same, without the player and the time.
    pub(crate) fn stands(&self, index: u8) -> Told {
        let status = self.status(index);
        (status.votes, status.needed, status.you_voted, status.you_may_vote)
    }

    pub(crate) fn is_kept_out(&self, person: &Person) -> bool {
        self.votes.is_kept_out(self.now(), person)
    }
}
