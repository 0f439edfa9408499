//! Any calls in any order: what must hold of the host's half all the same.

use std::collections::BTreeSet;

use mjolnir_anticheat::command::Verb;
use mjolnir_anticheat::votes::Settings;
use mjolnir_anticheat::{Command, Host, Output, Player, Way};
use mjolnir_wire::identity::Identity;
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::rules::AimAssistPolicy;
use mjolnir_wire::{Machine, MachineSet, Moment, Outbox, Slot};

use super::chance::Random;
use super::scene::{machine, person, slot, tick};

/// Games that are played, and calls of each.
const SEEDS: u64 = 200;
const CALLS: u32 = 4_000;
/// Machines and slots that there are, the host's among them; a few more are named.
const MACHINES: u64 = 7;

impl Random {
    fn machine(&mut self) -> Machine {
        machine(self.below(MACHINES) as u8)
    }

    fn client(&mut self) -> Machine {
        machine(1 + self.below(MACHINES - 1) as u8)
    }

    fn slot(&mut self) -> Slot {
        slot(self.below(MACHINES + 2) as u8)
    }
}

struct Trial {
    seed: u64,
    random: Random,
    host: Host,
    now: Moment,
    /// The host's tick, and how far ahead each machine's clock is.
    at: u32,
    ahead: [u32; MACHINES as usize],
    joined: BTreeSet<Machine>,
    dropped: BTreeSet<Machine>,
    drops: usize,
    outbox: Outbox,
}

impl Trial {
    fn join(&mut self, of: Machine) {
        let address = format!("203.0.113.{}", self.random.below(9));
        let id = [None, None, Some('a'), Some('b')][self.random.below(4) as usize];
        let host = (self.random.below(4) > 0).then(|| tick(self.at));
        self.host.join(self.now, of, person(&address, id), host);
        self.joined.insert(of);
        self.dropped.remove(&of);
    }

    fn call(&mut self) {
        let of = self.random.client();
        match self.random.below(22) {
            0 => self.join(of),
            1 => {
                self.host.leave(self.now, of);
                self.joined.remove(&of);
                self.dropped.remove(&of);
            }
            2 => {
                let mut players = Vec::new();
                for index in 0..MACHINES + 2 {
                    let (machine, name) = (self.random.machine(), self.random.below(4) as usize);
                    let name = Name::cut(["Ann", "Bob", "Bobby", ""][name]);
                    if self.random.below(5) > 0 {
                        players.push(Player { slot: slot(index as u8), machine, name });
                    }
                }
                self.host.set_players(players.into_iter());
            }
            3 if self.random.below(20) == 0 => self.host.begin_game(self.now),
            4 if self.random.below(20) == 0 => self.host.start_game(self.now, tick(self.at)),
            5 => {
                let way = if self.random.below(2) == 0 { Way::Stream } else { Way::Datagram };
                let stamp = self.random.below(1 << 31) as u32;
                self.host.note(self.now, tick(self.at), of, way, tick(stamp));
            }
            6 => self.host.handle_identity(of, Identity::new("7", "Zed")),
            7 | 8 => {
                let (from, on) = (self.random.machine(), self.random.slot());
                let _ = self.host.handle_vote(self.now, from, on);
            }
            9 => {
                let typed = ["kick a", "kick bob", "ban ann", "votekick b", "kick", "ban bobby"];
                let typed = typed[self.random.below(6) as usize];
                let _ = self.host.command(self.now, &Command::of(typed).unwrap());
            }
            10 => {
                let verb = Verb::ALL[self.random.below(3) as usize];
                let on = self.random.slot();
                let _ = self.host.act(self.now, verb, on);
            }
            11 if self.random.below(30) == 0 => {
                let settings = Settings {
                    allowed: self.random.below(4) > 0,
                    minutes: self.random.below(3) as u8,
                    ban_minutes: self.random.below(2_000) as u16,
                };
                self.host.set_votes(self.now, settings);
            }
            12 => {
                let policy = [AimAssistPolicy::Allowed, AimAssistPolicy::Blocked];
                self.host.set_aim_assist(policy[self.random.below(2) as usize]);
            }
            13 => {
                let ready: MachineSet = self.joined.iter().copied().collect();
                self.outbox.begin(tick(self.at), 0);
                self.host.tell_ready(ready, &mut self.outbox);
            }
            14 => self.now = self.now.plus(self.random.below(3_000_000)),
            _ => self.tick(),
        }
        self.take();
    }

    /// A tick, in which some machines' clocks go too fast.
    fn tick(&mut self) {
        let ticks = if self.random.below(50) == 0 { 60 } else { 1 };
        for _ in 0..ticks {
            self.at += 1;
            self.now = self.now.plus(33_333);
            for index in 1..MACHINES as usize {
                self.ahead[index] += u32::from(index % 3 == 0);
                for way in [Way::Stream, Way::Datagram] {
                    let ahead = if index == 6 && way == Way::Stream { 0 } else { self.ahead[index] };
                    self.host.note(self.now, tick(self.at), machine(index as u8), way, tick(self.at + ahead));
                }
            }
            let there: MachineSet = self.joined.iter().copied().collect();
            self.host.step(self.now, there);
            self.outbox.begin(tick(self.at), 0);
            self.host.tell(self.now, there, &mut self.outbox);
            assert_eq!(self.outbox.unsendable(), 0, "seed {}", self.seed);
            self.take();
        }
    }

    /// What is to be done is what may be.
    fn take(&mut self) {
        while let Some(output) = self.host.next_output() {
            match output {
                Output::Announce(text) | Output::Tell(_, text) => assert_ne!(text.as_str(), ""),
                Output::Record(record) => assert!(record.body().starts_with("ip=203.0.113.")),
                Output::Drop(of, ..) => {
                    let is_there = of != Machine::HOST && self.joined.contains(&of);
                    assert!(is_there && self.dropped.insert(of), "seed {}: {of:?} is dropped", self.seed);
                    self.drops += 1;
                }
            }
        }
        let target = self.host.votes().target();
        let is_there = target.is_none_or(|of| of != Machine::HOST && self.joined.contains(&of));
        assert!(is_there, "seed {}: a vote on {target:?}", self.seed);
        assert!(!self.host.is_refused(Machine::HOST), "seed {}", self.seed);
    }
}

/// CHEAT-12, 29, 59, 64: nothing panics; the host's own machine is never dropped, refused or voted on; who is dropped had joined, and
/// goes once.
#[test]
fn any_calls_in_any_order_hold() {
    let mut drops = 0;
    for seed in 1..=SEEDS {
        let mut trial = Trial {
            seed,
            random: Random(seed),
            host: Host::new(),
            now: Moment::START,
            at: 0,
            ahead: [0; MACHINES as usize],
            joined: BTreeSet::new(),
            dropped: BTreeSet::new(),
            drops: 0,
            outbox: Outbox::new(),
        };
        trial.host.start_game(trial.now, tick(0));
        trial.host.set_votes(trial.now, Settings { minutes: 0, ..Settings::default() });
        (0..CALLS).for_each(|_| trial.call());
        drops += trial.drops;
    }
    println!("{SEEDS} seeds, {drops} drops");
    assert!(drops > SEEDS as usize, "too few were dropped for this to show anything: {drops}");
}
