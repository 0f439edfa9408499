//! A game by its rows, a host with machines in it, a decoder that writes down what it is asked. Knows no rule.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use mjolnir_voice::{
    CodecError, Decode, Ear, Ears, Encode, Error, FRAME_SAMPLES, Frame, Heard, Host, Player, Sides, Stage,
    World,
};
use mjolnir_wire::voice::{Packet, Route, VoiceConfig, VoiceDown, VoiceKey, VoiceSettings, VoiceUp};
use mjolnir_wire::{Axes, Machine, Message, Moment, Slot, Tick, Vec3};

pub(crate) fn machine(index: u8) -> Machine {
    Machine::new(index).unwrap()
}

pub(crate) fn slot(index: u8) -> Slot {
    Slot::new(index).unwrap()
}

pub(crate) fn tick(number: i32) -> Tick {
    Tick::new(number).unwrap()
}

pub(crate) fn millis(millis: u64) -> Moment {
    Moment::from_millis(millis)
}

pub(crate) fn packet(bytes: &[u8]) -> Packet<'_> {
    Packet::new(bytes).unwrap()
}

/// Players by machine, and where the game stands.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) stage: Stage,
    pub(crate) players: BTreeMap<u8, Player>,
}

impl Game {
    /// A lobby in which each of those machines has a player.
    pub(crate) fn lobby(machines: impl IntoIterator<Item = u8>) -> Self {
        let player = |index| Player { slot: slot(index), team: 0, is_alive: true, place: Vec3::ZERO };
        let players = machines.into_iter().map(|index| (index, player(index))).collect();
        Self { stage: Stage::Lobby, players }
    }

    /// The same in a game of those sides, all in one place.
    pub(crate) fn played(sides: Sides, machines: impl IntoIterator<Item = u8>) -> Self {
        Self { stage: Stage::Game { tick: tick(900), sides }, ..Self::lobby(machines) }
    }

    pub(crate) fn of(&mut self, index: u8) -> &mut Player {
        self.players.get_mut(&index).unwrap()
    }
}

impl World for Game {
    fn stage(&self) -> Stage {
        self.stage
    }

    fn player(&self, machine: Machine) -> Option<Player> {
        self.players.get(&machine.get()).copied()
    }
}

/// A host, and what its machines were told last.
pub(crate) struct Hosted {
    pub(crate) host: Host,
    pub(crate) keys: BTreeMap<u8, VoiceKey>,
}

/// What a machine was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) to: u8,
    pub(crate) from: u8,
    pub(crate) key: VoiceKey,
    pub(crate) player: Option<u8>,
    pub(crate) route: Route,
    pub(crate) sequence: u16,
    pub(crate) packet: Vec<u8>,
    pub(crate) stamp: Tick,
}

impl Hosted {
    /// Machines 1 to `last` have joined, were told their keys, and say that they hear voices.
    pub(crate) fn with(settings: VoiceSettings, last: u8) -> Self {
        let mut this = Self { host: Host::new([1, 2], settings), keys: BTreeMap::new() };
        (1..=last).for_each(|index| this.host.join(millis(0), machine(index)));
        this.step(millis(0));
        (1..=last).for_each(|index| this.says_that_it_hears(millis(0), index));
        this
    }

    /// Who is told what.
    pub(crate) fn step(&mut self, now: Moment) -> Vec<(u8, VoiceConfig)> {
        let mut told = Vec::new();
        self.host.step(now, |to, config| told.push((to.get(), *config)));
        self.keys.extend(told.iter().map(|(to, config)| (*to, config.key)));
        told
    }

    pub(crate) fn says_that_it_hears(&mut self, now: Moment, from: u8) {
        let frame = VoiceUp { key: self.keys[&from], sequence: 0, packet: Packet::EMPTY };
        let heard = self.host.handle_up(now, machine(from), &frame, &Game::lobby([]));
        assert_eq!(heard, Ok(None));
    }

    /// A machine says that, with its own key.
    pub(crate) fn says<'a>(
        &mut self,
        now: Moment,
        from: u8,
        said: &'a [u8],
        game: &Game,
    ) -> Result<Option<Heard<'a>>, Error> {
        let frame = VoiceUp { key: self.keys[&from], sequence: 5, packet: packet(said) };
        self.host.handle_up(now, machine(from), &frame, game)
    }

    /// What leaves.
    pub(crate) fn sent(&mut self) -> Vec<Sent> {
        let mut sent = Vec::new();
        self.host.send(|to, bytes| {
            let message = Message::read(bytes).unwrap();
            let down = VoiceDown::read(&message).unwrap();
            sent.push(Sent {
                to: to.get(),
                from: down.machine.get(),
                key: down.key,
                player: down.player.map(Slot::get),
                route: down.route,
                sequence: down.sequence,
                packet: down.packet.bytes().to_vec(),
                stamp: message.tick,
            });
        });
        sent
    }

    /// To whom something leaves.
    pub(crate) fn hearers(&mut self) -> Vec<u8> {
        self.sent().iter().map(|sent| sent.to).collect()
    }
}

/// What a decoder was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Decode(Vec<u8>),
    Recover(Vec<u8>),
    Conceal,
    Reset,
}

/// Writes down what it is asked; its sound is the packet's first byte, ten times. A packet of "none" is none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Noted(pub(crate) Rc<RefCell<Vec<Call>>>);

impl Noted {
    pub(crate) fn take(&self) -> Vec<Call> {
        self.0.take()
    }

    fn sounds(packet: &[u8], to: &mut Frame) -> Result<(), CodecError> {
        if packet == b"none" {
            return Err(CodecError);
        }
        *to = [i16::from(packet[0]) * 10; FRAME_SAMPLES];
        Ok(())
    }
}

impl Decode for Noted {
    fn decode(&mut self, packet: &[u8], to: &mut Frame) -> Result<(), CodecError> {
        self.0.borrow_mut().push(Call::Decode(packet.to_vec()));
        Self::sounds(packet, to)
    }

    fn recover(&mut self, following: &[u8], to: &mut Frame) -> Result<(), CodecError> {
        self.0.borrow_mut().push(Call::Recover(following.to_vec()));
        Self::sounds(following, to)
    }

    fn conceal(&mut self, to: &mut Frame) -> Result<(), CodecError> {
        self.0.borrow_mut().push(Call::Conceal);
        *to = [0; FRAME_SAMPLES];
        Ok(())
    }

    fn reset(&mut self) {
        self.0.borrow_mut().push(Call::Reset);
    }
}

/// Packs a frame into its first sample's low byte, so many times; writes down the rest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packs {
    pub(crate) bytes: usize,
    pub(crate) kbps: Rc<RefCell<Vec<u8>>>,
    pub(crate) resets: Rc<RefCell<u32>>,
}

impl Encode for Packs {
    fn encode(&mut self, frame: &Frame, to: &mut [u8]) -> Result<usize, CodecError> {
        to.get_mut(..self.bytes).ok_or(CodecError)?.fill(frame[0] as u8);
        Ok(self.bytes)
    }

    fn set_kbps(&mut self, kbps: u8) -> Result<(), CodecError> {
        self.kbps.borrow_mut().push(kbps);
        Ok(())
    }

    fn reset(&mut self) {
        *self.resets.borrow_mut() += 1;
    }
}

/// Who listens at the origin, looking east, and where players are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Around(pub(crate) BTreeMap<u8, Vec3>);

impl Ears for Around {
    fn ear(&self) -> Option<Ear> {
        Some(Ear { place: Vec3::ZERO, axes: Axes::UPRIGHT })
    }

    fn place(&self, player: Slot) -> Option<Vec3> {
        self.0.get(&player.get()).copied()
    }
}

/// A frame of a machine's, heard everywhere.
pub(crate) fn heard(from: u8, sequence: u16, said: &[u8]) -> Heard<'_> {
    Heard { machine: machine(from), player: None, route: Route::Global, sequence, packet: packet(said) }
}
