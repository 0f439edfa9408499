//! The host's half, assembled: who is let in, whose clock runs too fast, who is kicked, banned and voted out, and what everybody
//! is told of it. Knows no stream, no file and no engine: what is to be done of it comes out as [`Output`]s, in order.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use mjolnir_wire::identity::Identity;
use mjolnir_wire::limits::MAX_MACHINES;
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::rules::AimAssistPolicy;
use mjolnir_wire::session::Notice;
use mjolnir_wire::votekick::VotekickStatus;
use mjolnir_wire::{Machine, MachineSet, Moment, Outbox, Slot, Tick};

use crate::aim::{AIM_ASSIST, AimHost};
use crate::clocks::Clocks;
use crate::command::{Command, Error, Target, Verb};
use crate::person::Person;
use crate::record::Record;
use crate::shutout::ShutOut;
use crate::speed::{Finding, Measure, Way};
use crate::texts::{announcements, commands, votes as vote_texts};
use crate::votes::{self, End, Votes};

/// Why a prediction is not looked at: its machine's clock runs too fast (CHEAT-10). A stable word for counters.
pub const CLOCK_REFUSED: &str = "cheat_clock";

/// Somebody who asks to be let in, for whoever reads `bans.txt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asker {
    /// What the answer names.
    pub ticket: u32,
    /// Who it is.
    pub person: Person,
}

/// A player that is there, in a game or in the lobby.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Player {
    /// Its place.
    pub slot: Slot,
    /// Its machine.
    pub machine: Machine,
    /// Its name.
    pub name: Name,
}

/// What is to be done, in the order in which it comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Every machine shows that in red, the host's own too (kind 17).
    Announce(Notice),
    /// That machine alone shows that.
    Tell(Machine, Notice),
    /// A line for a file.
    Record(Record),
    /// That machine is to go, once what was announced before has been sent.
    Drop(Machine),
}

/// What is kept of a machine.
#[derive(Clone, Copy, Debug)]
struct Member {
    person: Person,
    identity: Identity,
    /// Host ticks in a game since it joined.
    played: u32,
    /// It is to go, and nothing of it counts any more.
    is_dropped: bool,
}

/// Who is there.
#[derive(Debug)]
struct People {
    members: [Option<Member>; MAX_MACHINES],
    players: Vec<Player>,
}

impl People {
    fn names(&self, machine: Machine) -> impl Iterator<Item = Name> + Clone {
        self.players.iter().filter(move |player| player.machine == machine).map(|player| player.name)
    }

    fn member(&self, machine: Machine) -> Option<&Member> {
        self.members[machine.index()].as_ref().filter(|member| !member.is_dropped)
    }

    fn member_mut(&mut self, machine: Machine) -> Option<&mut Member> {
        self.members[machine.index()].as_mut().filter(|member| !member.is_dropped)
    }
}

impl votes::World for People {
    fn machines(&self) -> MachineSet {
        let is_played = self.players.iter().any(|player| player.machine == Machine::HOST);
        let host = is_played.then_some(Machine::HOST);
        Machine::all().filter(|machine| self.member(*machine).is_some()).chain(host).collect()
    }

    fn person(&self, machine: Machine) -> Option<Person> {
        self.member(machine).map(|member| member.person)
    }

    fn played(&self, machine: Machine) -> u32 {
        self.member(machine).map_or(0, |member| member.played)
    }

    fn players(&self) -> impl Iterator<Item = (Slot, Machine, Name)> {
        self.players.iter().map(|player| (player.slot, player.machine, player.name))
    }
}

/// See the file's text. It outlives games.
#[derive(Debug)]
pub struct Host {
    people: People,
    clocks: Clocks,
    shut_out: ShutOut,
    votes: Votes,
    aim: AimHost,
    outputs: VecDeque<Output>,
}

impl Default for Host {
    fn default() -> Self {
        Self::new()
    }
}

impl Host {
    /// With nobody but the host, votes as they are by default, and aim assist allowed.
    pub fn new() -> Self {
        Self {
            people: People { members: [None; MAX_MACHINES], players: Vec::new() },
            clocks: Clocks::new(),
            shut_out: ShutOut::new(),
            votes: Votes::new(votes::Settings::default()),
            aim: AimHost::new(AIM_ASSIST),
            outputs: VecDeque::new(),
        }
    }

    /// What the host wants of votes.
    pub fn set_votes(&mut self, now: Moment, settings: votes::Settings) {
        self.votes.set_settings(now, settings);
    }

    /// Whether optional mouse magnetism is blocked on every machine (CHEAT-45).
    pub const fn set_aim_assist(&mut self, policy: AimAssistPolicy) {
        self.aim.set_policy(policy);
    }

    /// See [`Host::set_aim_assist`].
    pub const fn aim_assist(&self) -> AimAssistPolicy {
        self.aim.policy()
    }

    /// Whether this host lets nobody like that join: dropped for cheating, or voted out (CHEAT-14, 38). Who is not may still be in
    /// `bans.txt`.
    pub fn is_kept_out(&self, now: Moment, person: &Person) -> bool {
        person.address.is_some_and(|address| self.shut_out.is_shut_out(address))
            || self.votes.is_kept_out(now, person)
    }

    /// A machine was let in, in a game at that tick of the host's. From then on it may know the game's time, and its clock is
    /// measured, however long it loads.
    pub fn join(&mut self, now: Moment, machine: Machine, person: Person, host: Option<Tick>) {
        if let Some(host) = host {
            self.clocks.add(now, machine, host);
        }
        let member = Member { person, identity: Identity::NONE, played: 0, is_dropped: false };
        self.people.members[machine.index()] = Some(member);
    }

    /// A machine is gone, whatever for. What it said of itself goes with it (CHEAT-20), and so does what was still to be done to
    /// it: whoever has its index next is not kicked in its place.
    pub fn leave(&mut self, now: Moment, machine: Machine) {
        if self.people.members[machine.index()].take().is_none() {
            return;
        }
        self.outputs
            .retain(|output| !matches!(output, Output::Drop(of) | Output::Tell(of, _) if *of == machine));
        self.clocks.remove(machine);
        self.aim.forget(machine);
        if let Some(outcome) = self.votes.left(now, machine) {
            self.announce_outcome(&outcome);
        }
    }

    /// Who plays, in a game or in the lobby, has changed: these do. To be said before a machine of theirs is gone, but not of who
    /// goes with it.
    pub fn set_players(&mut self, players: impl Iterator<Item = Player>) {
        self.people.players.clear();
        self.people.players.extend(players);
    }

    /// Another game is loaded: nobody is ready, and a vote that runs is over (CHEAT-62).
    pub fn begin_game(&mut self, now: Moment) {
        self.aim.begin();
        self.votes.new_game(now);
    }

    /// The game is over, and everybody is in the lobby, where nobody votes: so is a vote that runs, as by the next game.
    pub fn end_game(&mut self, now: Moment) {
        self.votes.new_game(now);
    }

    /// Its ticks begin, after that one: everybody's clock is measured anew.
    pub fn start_game(&mut self, now: Moment, host: Tick) {
        self.clocks.new_game(now, host);
        for machine in Machine::all().filter(|machine| self.people.member(*machine).is_some()) {
            if !self.clocks.contains(machine) {
                self.clocks.add(now, machine, host);
            }
        }
    }

    /// A message of that machine, stamped so, was heard while the host was at that tick (CHEAT-08).
    pub fn note(&mut self, now: Moment, host: Tick, from: Machine, way: Way, stamp: Tick) {
        self.clocks.note(now, from, host, stamp, way);
    }

    /// Whether that machine's word on where its players are is not taken: its clock runs too fast (CHEAT-10).
    pub fn is_refused(&self, machine: Machine) -> bool {
        self.clocks.is_refused(machine)
    }

    /// Who that machine says its player is (CHEAT-20). Only of its stream.
    pub fn handle_identity(&mut self, from: Machine, identity: Identity) {
        if let Some(member) = self.people.member_mut(from) {
            member.identity = identity;
        }
    }

    /// That machine votes to kick that player (CHEAT-31). Only of its stream. Who is refused is told why, and nobody else is.
    pub fn handle_vote(&mut self, now: Moment, from: Machine, slot: Slot) -> Result<(), votes::Refusal> {
        let asked = self.votes.ask(now, from, slot, &self.people);
        if let Err(refusal) = asked
            && let Some(text) = vote_texts::refusal(refusal)
        {
            self.outputs.push_back(Output::Tell(from, text));
        }
        asked
    }

    /// What the host's console was told: `kick`, `ban` or `votekick`, and a name (CHEAT-27, 29, 63). Why it means nobody is told
    /// the host too.
    pub fn command(&mut self, now: Moment, command: &Command<'_>) -> Result<(), Error> {
        let players = votes::World::players(&self.people);
        let machines = votes::World::machines(&self.people);
        let done = command
            .whom(Machine::HOST, machines, players)
            .and_then(|Target { slot, .. }| self.act(now, command.verb, slot));
        if let Err(error) = done {
            self.outputs.push_back(Output::Tell(Machine::HOST, commands::refusal(error, command.verb)));
        }
        done
    }

    /// What the host's scoreboard was told, of that player (CHEAT-41): its whole machine goes, or its machine's vote counts as
    /// any other's (CHEAT-63, 64).
    pub fn act(&mut self, now: Moment, verb: Verb, slot: Slot) -> Result<(), Error> {
        let machine = self.machine_of(slot)?;
        match verb {
            Verb::Kick => self.kick(now, machine),
            Verb::Ban => self.ban(now, machine),
            Verb::Votekick => {
                // Why it is refused was told.
                let _ = self.handle_vote(now, Machine::HOST, slot);
                Ok(())
            }
        }
    }

    fn kick(&mut self, now: Moment, machine: Machine) -> Result<(), Error> {
        self.people.member(machine).ok_or(Error::NotJoined)?;
        self.votes.kicked(now, machine);
        self.outputs.push_back(Output::Announce(announcements::removed_by_host(self.people.names(machine))));
        self.drop_machine(machine);
        Ok(())
    }

    fn ban(&mut self, now: Moment, machine: Machine) -> Result<(), Error> {
        let Member { person, identity, .. } = *self.people.member(machine).ok_or(Error::NotJoined)?;
        self.votes.kicked(now, machine);
        let record = Record::ban(&person, &identity, self.people.names(machine));
        self.outputs.push_back(Output::Record(record));
        self.outputs.push_back(Output::Announce(announcements::removed_by_host(self.people.names(machine))));
        self.drop_machine(machine);
        Ok(())
    }

    fn drop_machine(&mut self, machine: Machine) {
        if let Some(member) = self.people.member_mut(machine) {
            member.is_dropped = true;
            self.outputs.push_back(Output::Drop(machine));
        }
    }

    fn machine_of(&self, slot: Slot) -> Result<Machine, Error> {
        let player = self.people.players.iter().find(|player| player.slot == slot);
        match player.map(|player| player.machine) {
            None => Err(Error::NoPlayer),
            Some(Machine::HOST) => Err(Error::Own),
            Some(machine) => Ok(machine),
        }
    }

    /// After a tick of a game, in which those machines were: whose clocks run how fast, which votes are over.
    pub fn step(&mut self, now: Moment, in_game: MachineSet) {
        for machine in in_game.iter() {
            if let Some(member) = self.people.member_mut(machine) {
                member.played = member.played.saturating_add(1);
            }
        }
        let Self { people, clocks, outputs, .. } = self;
        let mut cheaters = MachineSet::NONE;
        clocks.step(now, |machine, finding| {
            let Some(Member { person, identity, .. }) = people.member(machine) else { return };
            match finding {
                Finding::Unverified(Measure { rate, .. }) => {
                    let record = Record::unverified(person, identity, people.names(machine), rate);
                    outputs.push_back(Output::Record(record));
                }
                Finding::Cheater(Measure { rate, .. }) => {
                    let records = Record::cheater(person, identity, people.names(machine), rate);
                    outputs.extend(records.map(Output::Record));
                    outputs.push_back(Output::Announce(announcements::dropped_for_cheating(
                        people.names(machine),
                    )));
                    cheaters.insert(machine);
                }
                Finding::Fast(_) | Finding::Honest => {}
            }
        });
        for machine in cheaters.iter() {
            if let Some(address) = self.people.member(machine).and_then(|member| member.person.address) {
                self.shut_out.shut_out(address);
            }
            self.votes.kicked(now, machine);
            self.drop_machine(machine);
        }
        self.step_votes(now);
    }

    /// Whether a vote is over; where no ticks are, as on a game's scores, to be called as often.
    pub fn step_votes(&mut self, now: Moment) {
        if let Some(outcome) = self.votes.step(now) {
            self.announce_outcome(&outcome);
            if outcome.end == End::Passed {
                self.drop_machine(outcome.machine);
            }
        }
    }

    fn announce_outcome(&mut self, outcome: &votes::Outcome) {
        if let Some(text) = announcements::voted(outcome, self.people.names(outcome.machine)) {
            self.outputs.push_back(Output::Announce(text));
        }
    }

    /// What machines that become ready are told in their turn (NET-69, kind 90).
    pub fn tell_ready(&mut self, ready: MachineSet, outbox: &mut Outbox) {
        self.aim.tell_ready(ready, outbox);
    }

    /// With a tick: tells those machines of a policy that has changed, and how a vote stands (kinds 90, 79).
    pub fn tell(&mut self, now: Moment, machines: MachineSet, outbox: &mut Outbox) {
        self.aim.tell(machines, outbox);
        self.votes.tell(now, machines, &self.people, outbox);
    }

    /// What is to be done next.
    pub fn next_output(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// How a vote stands for the host's own scoreboard.
    pub fn vote(&self, now: Moment) -> VotekickStatus {
        self.votes.status(now, Machine::HOST, &self.people)
    }

    /// The votes: who is kept out, who waits.
    pub const fn votes(&self) -> &Votes {
        &self.votes
    }

    /// The clocks, as they were measured last.
    pub const fn clocks(&self) -> &Clocks {
        &self.clocks
    }
}
