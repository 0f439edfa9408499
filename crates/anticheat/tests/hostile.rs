//! What somebody might try against a host's rules of conduct, as a whole: clocks that boast before they run, machines that go
//! while something is to be done about them. Virtual time; no stream, no engine.

#![allow(clippy::unwrap_used, reason = "what a script takes for granted and is not so fails it")]

use mjolnir_anticheat::command::{Error, Verb};
use mjolnir_anticheat::{File, Finding, HardwareId, Host, Output, Person, Player, Speed, Way, votes};
use mjolnir_wire::identity::Identity;
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::time::micros_of_ticks;
use mjolnir_wire::{Machine, MachineSet, Moment, Slot, Tick};

fn tick(number: i32) -> Tick {
    Tick::new(number).unwrap()
}

fn at(tick: i32) -> Moment {
    Moment::from_micros(micros_of_ticks(tick as u64))
}

fn machine(index: u8) -> Machine {
    Machine::new(index).unwrap()
}

fn slot(index: u8) -> Slot {
    Slot::new(index).unwrap()
}

/// A machine's clock as its host measures it, at each of the host's ticks `0..to`: what it stamps by its stream then, if
/// anything, and by a datagram. The ticks at which windows ended that were too fast.
fn fast_windows(
    to: i32,
    stream: impl Fn(i32) -> Option<i32>,
    datagram: impl Fn(i32) -> Option<i32>,
) -> Vec<i32> {
    let mut speed = Speed::new(at(0), tick(0));
    let mut fast = Vec::new();
    for host in 0..to {
        let ways = [(stream(host), Way::Stream), (datagram(host), Way::Datagram)];
        for (stamp, way) in ways.into_iter().filter_map(|(stamp, way)| Some((stamp?, way))) {
            speed.note(at(host), tick(host), tick(stamp), way);
        }
        if speed.measure(at(host)).is_some_and(|found| found != Finding::Honest) {
            fast.push(host);
        }
    }
    fast
}

/// 1.3 times as fast as the host, from that tick on.
fn sped_up(host: i32, from: i32) -> i32 {
    host + (host - from).max(0) * 3 / 10
}

/// CHEAT-10: given a machine that stamps what it says by its stream hours ahead while it loads, for one window or for five, then
/// its clock is found in play as anybody's, three windows after it is fast at the latest.
#[test]
fn who_boasts_while_it_loads_is_measured_in_play() {
    for boasted in [61, 121, 301] {
        for ahead in [400, 1_000_000, i32::MAX - 4000] {
            let stream = |host| (host < boasted && host % 15 == 1).then_some(host + ahead);
            let datagram = |host| (host >= boasted).then(|| sped_up(host, 900));
            let fast: Vec<_> =
                fast_windows(3000, stream, datagram).into_iter().filter(|host| *host > 900).collect();
            assert!(
                fast.len() >= 30 && fast[0] <= 900 + 3 * 60,
                "{boasted} {ahead}: {} of 35, {:?}",
                fast.len(),
                fast.first()
            );
        }
    }
}

/// CHEAT-10: given a machine that is honest for half a minute, boasts of 13 s for two windows, falls back and runs at 1.3, then each
/// window of that but the first two is too fast.
#[test]
fn a_boast_in_play_hides_nothing_that_comes_later() {
    let stream = |host| (900..1020).contains(&host).then_some(host + 390);
    let fast = fast_windows(2400, stream, |host| Some(sped_up(host, 1080)));
    assert!(fast.iter().filter(|host| **host > 1080).count() >= 20, "{fast:?}");
}

/// CHEAT-08, 09: stamps of either end of what a stamp can be, alone and between honest ones, and a host that has run for as long as
/// a game can: nothing overflows, and who is honest after is let off.
#[test]
fn stamps_at_the_ends_are_measured() {
    for odd in [0, 1, i32::MAX - 1, i32::MAX] {
        for start in [0, i32::MAX - 4000] {
            let mut speed = Speed::new(at(0), tick(start));
            for host in 0..3000 {
                let (now, here) = (at(host), tick(start + host));
                if (300..1200).contains(&host) && host % 7 == 0 {
                    let way = if host % 2 == 0 { Way::Stream } else { Way::Datagram };
                    speed.note(now, here, tick(odd), way);
                }
                speed.note(now, here, here, Way::Datagram);
                speed.measure(now);
            }
            assert!(!speed.is_refused(), "{odd} {start}");
            // And at the end of all time.
            let late = Moment::from_micros(u64::MAX);
            speed.note(late, tick(odd), tick(start), Way::Stream);
            speed.measure(late);
        }
    }
}

/// A host in its game, with a player of its own in slot 0, and guests with one player each in the slot of their machine's number.
struct Game {
    host: Host,
    tick: i32,
    players: Vec<Player>,
}

impl Game {
    fn new(guests: u8) -> Self {
        let mut game = Self { host: Host::new(), tick: 0, players: Vec::new() };
        game.seat(0, 0);
        let settings = votes::Settings { minutes: 0, ..votes::Settings::default() };
        game.host.set_votes(game.now(), settings);
        game.host.start_game(game.now(), tick(0));
        for guest in 1..=guests {
            game.join(guest);
        }
        game
    }

    fn now(&self) -> Moment {
        at(self.tick)
    }

    fn join(&mut self, index: u8) {
        let person = Person { address: format!("203.0.113.{index}").parse().ok(), hardware: None };
        self.host.join(self.now(), machine(index), person, Some(tick(self.tick)));
        self.seat(index, index);
    }

    fn seat(&mut self, index: u8, in_slot: u8) {
        let name = Name::cut(&format!("P{in_slot}"));
        self.players.push(Player { slot: slot(in_slot), machine: machine(index), name });
        self.roll();
    }

    fn unseat(&mut self, in_slot: u8) {
        self.players.retain(|player| player.slot != slot(in_slot));
        self.roll();
    }

    fn roll(&mut self) {
        self.host.set_players(self.players.iter().copied());
    }

    fn leave(&mut self, index: u8) {
        self.host.leave(self.now(), machine(index));
        self.players.retain(|player| player.machine != machine(index));
        self.roll();
    }

    fn vote(&mut self, from: u8, on: u8) -> Result<(), votes::Refusal> {
        self.host.handle_vote(self.now(), machine(from), slot(on))
    }

    /// The end of a tick; what is to be done.
    fn step(&mut self) -> Vec<Output> {
        let in_game: MachineSet = self.players.iter().map(|player| player.machine).collect();
        self.host.step(self.now(), in_game.without(MachineSet::HOST));
        self.tick += 1;
        std::iter::from_fn(|| self.host.next_output()).collect()
    }
}

fn said(outputs: &[Output]) -> Vec<&str> {
    let mut said = Vec::new();
    for output in outputs {
        if let Output::Announce(text) | Output::Tell(_, text) = output {
            said.push(text.as_str());
        }
    }
    said
}

fn drops(outputs: &[Output]) -> Vec<u8> {
    let dropped = |output: &Output| match output {
        Output::Drop(machine, _) => Some(machine.get()),
        _ => None,
    };
    outputs.iter().filter_map(dropped).collect()
}

/// CHEAT-29: given a kick, and the machine gone before the tick in which it is to be done, and another let in at its index, then
/// that one stays; everybody hears of the kick, and nobody of what was to be told the one that is gone.
#[test]
fn who_has_the_index_of_a_kicked_machine_stays() {
    for verb in [Verb::Kick, Verb::Ban] {
        let mut game = Game::new(3);
        assert!(game.vote(2, 0).is_err());
        game.host.act(game.now(), verb, slot(2)).unwrap();
        game.leave(2);
        game.join(2);
        let outputs = game.step();
        assert_eq!(drops(&outputs), [0; 0], "{verb:?}");
        assert_eq!(said(&outputs), ["P2 was removed from the game by the host."], "{verb:?}");
        assert_eq!(game.host.act(game.now(), verb, slot(2)), Ok(()), "it is as any other");
    }
}

/// CHEAT-67, 29: given a kick, then a vote on the same player in the same tick starts none: who is kicked is not said to be kept
/// out, and may come back at once.
#[test]
fn no_vote_starts_on_who_is_kicked() {
    let mut game = Game::new(3);
    game.host.act(game.now(), Verb::Kick, slot(2)).unwrap();
    assert_eq!(game.vote(1, 2), Err(votes::Refusal::NoPlayer));
    assert_eq!(game.host.votes().target(), None);
    game.step();
    game.leave(2);
    assert!(said(&game.step()).is_empty());
    assert_eq!(game.vote(1, 3), Err(votes::Refusal::TooFast));
    game.tick += 30;
    assert_eq!(game.vote(1, 3), Ok(()), "and no pause began");
}

/// CHEAT-60: a vote of a machine that is kicked goes along at once, not only once it is gone.
#[test]
fn a_kicked_machines_vote_counts_no_more() {
    let mut game = Game::new(3);
    game.vote(1, 3).unwrap();
    game.vote(2, 3).unwrap();
    // Three of the four are needed: the host's vote would be the third.
    assert_eq!(game.host.vote(game.now()).votes, 2);
    game.host.act(game.now(), Verb::Kick, slot(2)).unwrap();
    game.host.act(game.now(), Verb::Votekick, slot(3)).unwrap();
    let status = game.host.vote(game.now());
    assert_eq!((status.votes, status.needed), (2, 2));
    let mut game = Game::new(4);
    game.vote(1, 4).unwrap();
    game.vote(2, 4).unwrap();
    game.host.act(game.now(), Verb::Kick, slot(2)).unwrap();
    let status = game.host.vote(game.now());
    assert_eq!((status.votes, status.needed), (1, 3));
}

/// CHEAT-38, 64: given a vote, and a target whose only player leaves while its machine stays, which no vote could then be given on,
/// then it has left: it is said by its name, dropped and kept out. One of two players that leaves changes nothing.
#[test]
fn a_target_without_players_has_left() {
    let mut game = Game::new(4);
    game.seat(2, 20);
    game.vote(1, 2).unwrap();
    game.unseat(2);
    assert!(drops(&game.step()).is_empty());
    game.tick += 30;
    assert_eq!(game.vote(3, 20), Ok(()));
    game.unseat(20);
    let outputs = game.step();
    assert_eq!(said(&outputs), ["P20 left during a vote to kick, and may join again in 30 minutes."]);
    assert_eq!((drops(&outputs), game.host.votes().target()), (vec![2], None));
    let person = Person { address: "203.0.113.2".parse().ok(), hardware: None };
    assert!(game.host.is_kept_out(game.now(), &person));
    game.leave(2);
    assert!(game.step().is_empty());
}

/// Whoever comes, votes, is kicked and goes, for a thousand times: nothing is left of it to be done.
#[test]
fn nothing_is_left_to_do_of_who_is_gone() {
    let mut game = Game::new(2);
    for round in 0..1000_u32 {
        let index = 3 + (round % 100) as u8;
        game.join(index);
        let _ = game.vote(index, 1);
        if round % 3 == 0 {
            game.host.act(game.now(), Verb::Kick, slot(index)).unwrap();
        }
        game.leave(index);
        let outputs = game.step();
        assert!(outputs.len() <= 2, "{outputs:?}");
        assert!(!outputs.iter().any(|output| matches!(output, Output::Tell(..) | Output::Drop(..))));
        game.tick += 20;
    }
}

impl Game {
    /// So many ticks, in which that machine's clock goes so many tenths faster than the host's, by datagrams and by what its stream
    /// says in every fifth; the ticks in which there was something to be done, with that.
    fn run(&mut self, ticks: i32, index: u8, tenths: i32, is_by_stream: bool) -> Vec<(i32, Vec<Output>)> {
        let from = self.tick;
        let mut done = Vec::new();
        for _ in 0..ticks {
            let stamp = tick(self.tick + (self.tick - from) * tenths / 10);
            let (now, host) = (self.now(), tick(self.tick));
            self.host.note(now, host, machine(index), Way::Datagram, stamp);
            if is_by_stream && self.tick % 5 == 0 {
                self.host.note(now, host, machine(index), Way::Stream, stamp);
            }
            let at = self.tick;
            let outputs = self.step();
            if !outputs.is_empty() {
                done.push((at, outputs));
            }
        }
        done
    }
}

fn records(outputs: &[Output]) -> Vec<(File, &str)> {
    let mut records = Vec::new();
    for output in outputs {
        if let Output::Record(record) = output {
            records.push((record.file(), record.body()));
        }
    }
    records
}

/// CHEAT-12, 13, 14, 17, 25, 57, 60: given a machine of two players with a clock a fifth too fast by its stream too, which votes, then
/// it is dropped once: a line in either file with both names, one announcement, then the drop; its vote is gone, its address kept
/// out, and nobody else is.
#[test]
fn a_cheater_is_written_down_announced_and_dropped_once() {
    let mut game = Game::new(3);
    game.seat(2, 20);
    game.host.handle_identity(machine(2), Identity::new("7", "cid"));
    game.vote(2, 3).unwrap();
    // Fast enough to be ahead by half a second at the second measure, and dropped at the sixth.
    let done = game.run(6 * 60 + 1, 2, 2, true);
    let status = game.host.vote(game.now());
    assert_eq!((status.votes, game.host.is_refused(machine(2))), (0, true));
    let later = game.run(60, 1, 0, true);
    assert!(later.is_empty(), "{later:?}");
    let [(_, outputs)] = done.as_slice() else { panic!("{done:?}") };
    let [Output::Record(_), Output::Record(_), Output::Announce(_), Output::Drop(..)] = outputs.as_slice()
    else {
        panic!("{outputs:?}")
    };
    let line = "ip=203.0.113.2\thwid=none\tdiscord_username=cid (self-reported)\tdiscord_id=7\tplayers=P2, P20\t\
                reason=speed hack (1.20 times as fast as time)";
    assert_eq!(records(outputs), [(File::Bans, line), (File::Cheaters, line)]);
    assert_eq!(said(outputs), ["P2 and P20 were dropped for cheating: the game's clock was sped up."]);
    assert_eq!(drops(outputs), [2]);
    let kept_out = |index: u8| {
        let person = Person { address: format!("203.0.113.{index}").parse().ok(), hardware: None };
        game.host.is_kept_out(game.now(), &person)
    };
    assert_eq!([1, 2, 4].map(kept_out), [false, true, false]);
}

/// CHEAT-15, 16, 51: given a clock half too fast by datagrams alone for a minute, then it is refused, one line in `cheaters.txt` says
/// that it is unverified, and nothing else comes of it; once its stream says so too, it is dropped.
#[test]
fn an_unverified_machine_is_written_down_once() {
    let mut game = Game::new(1);
    let done = game.run(30 * 60, 1, 5, false);
    let [(_, outputs)] = done.as_slice() else { panic!("{done:?}") };
    let [(File::Cheaters, line)] = records(outputs)[..] else { panic!("{outputs:?}") };
    assert!(line.ends_with("reason=speed hack (1.50 times as fast as time), unverified"), "{line}");
    assert_eq!((outputs.len(), game.host.is_refused(machine(1))), (1, true));
    let (now, host) = (game.now(), tick(game.tick));
    for way in [Way::Stream, Way::Datagram] {
        game.host.note(now, host, machine(1), way, tick(game.tick + game.tick));
    }
    let mut outputs = Vec::new();
    for _ in 0..60 {
        game.tick += 1;
        outputs.extend(game.step());
    }
    assert_eq!((records(&outputs).len(), drops(&outputs)), (2, vec![1]));
}

/// CHEAT-20, 25: given a machine that told its Discord user and left, then whoever has its index next is banned under none, and
/// with its own hardware id.
#[test]
fn what_a_leaver_said_is_not_anothers() {
    let mut game = Game::new(2);
    game.host.handle_identity(machine(2), Identity::new("7", "ann"));
    game.leave(2);
    let hardware = HardwareId::heard(&[b'e'; 32]);
    let person = Person { address: "198.51.100.9".parse().ok(), hardware };
    game.host.join(game.now(), machine(2), person, Some(tick(game.tick)));
    game.seat(2, 2);
    game.host.act(game.now(), Verb::Ban, slot(2)).unwrap();
    // Nor what is said by one that is to go.
    game.host.handle_identity(machine(2), Identity::new("8", "bob"));
    let outputs = game.step();
    let line = format!(
        "ip=198.51.100.9\thwid={}\tdiscord_username=none\tdiscord_id=none\tplayers=P2\treason=banned by the host",
        "e".repeat(32)
    );
    assert_eq!(records(&outputs), [(File::Bans, line.as_str())]);
    assert_eq!(drops(&outputs), [2]);
}

/// CHEAT-29, 41, 63, 64: given the host's scoreboard, then a kick is announced with all of its machine's players and writes nothing
/// down, and who was kicked may join at once; it is done once, and not to the host's own player or an empty slot; a vote is no kick.
#[test]
fn a_kick_writes_nothing_down() {
    let mut game = Game::new(2);
    game.seat(2, 20);
    for (on, why) in [(0, Error::Own), (9, Error::NoPlayer)] {
        assert_eq!(Verb::ALL.map(|verb| game.host.act(game.now(), verb, slot(on))), [Err(why); 3]);
    }
    assert_eq!(game.host.act(game.now(), Verb::Votekick, slot(20)), Ok(()));
    assert!(game.step().is_empty());
    assert_eq!(game.host.vote(game.now()).votes, 1);
    assert_eq!(game.host.act(game.now(), Verb::Kick, slot(20)), Ok(()));
    assert_eq!(game.host.act(game.now(), Verb::Kick, slot(2)), Err(Error::NotJoined));
    let outputs = game.step();
    assert_eq!(said(&outputs), ["P2 and P20 were removed from the game by the host."]);
    assert_eq!((records(&outputs), drops(&outputs)), (vec![], vec![2]));
    game.leave(2);
    let person = Person { address: "203.0.113.2".parse().ok(), hardware: None };
    assert!(!game.host.is_kept_out(game.now(), &person));
}

/// CHEAT-10: given a machine that is refused for its clock and comes back at once, at its old index or by another's, then it is not
/// refused before it is measured, is by the second measure, and nobody else is.
#[test]
fn who_comes_back_is_measured_again() {
    let mut game = Game::new(2);
    for _ in 0..3 {
        assert!(!game.host.is_refused(machine(2)));
        assert!(game.run(2 * 60 + 1, 2, 3, true).is_empty());
        assert_eq!([1, 2].map(|index| game.host.is_refused(machine(index))), [false, true]);
        game.leave(2);
        assert!(!game.host.is_refused(machine(2)));
        game.join(2);
    }
}

/// CHEAT-29, 38, 60, 67: of any order of joins, leavings, players that come and go, kicks, bans, votes and ticks: a machine is to go
/// once, while it is there and has done or suffered something for it; nobody is told who is not there; a running vote is on one that
/// is there and stays; and who was neither voted out nor its neighbour is kept out of nothing.
#[test]
fn any_order_drops_each_once() {
    let mut dropped_in_all = 0;
    for seed in 0..300_u64 {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut chance = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut game = Game::new(0);
        let (mut there, mut guilty, mut gone) = (MachineSet::NONE, MachineSet::NONE, MachineSet::NONE);
        for _ in 0..400 {
            let index = 1 + chance(6) as u8;
            let is_there = there.contains(machine(index));
            match chance(12) {
                0..=2 if !is_there => {
                    game.join(index);
                    there.insert(machine(index));
                }
                3 if is_there => {
                    game.leave(index);
                    for of in [&mut there, &mut guilty, &mut gone] {
                        of.remove(machine(index));
                    }
                }
                4 if is_there => game.seat(index, index + 10 * (1 + chance(3) as u8)),
                5 => game.unseat(index + 10 * chance(4) as u8),
                6 => {
                    let verb = Verb::ALL[chance(3) as usize];
                    let done = game.host.act(game.now(), verb, slot(index));
                    if done.is_ok() && verb != Verb::Votekick {
                        assert!(is_there && !guilty.contains(machine(index)), "seed {seed}");
                        guilty.insert(machine(index));
                    }
                }
                7 | 8 if is_there => {
                    let _ = game.vote(index, 1 + chance(6) as u8);
                }
                9 => game.host.begin_game(game.now()),
                _ => {
                    let target = game.host.votes().target();
                    for output in game.step() {
                        match output {
                            Output::Tell(to, _) => {
                                assert!(to == Machine::HOST || there.contains(to), "seed {seed}");
                            }
                            Output::Drop(of, _) => {
                                assert!(there.contains(of) && !gone.contains(of), "seed {seed}");
                                assert!(guilty.contains(of) || target == Some(of), "seed {seed}");
                                gone.insert(of);
                                dropped_in_all += 1;
                            }
                            Output::Announce(text) => {
                                assert!(!text.as_str().starts_with("A player "), "seed {seed}: {text:?}");
                            }
                            Output::Record(_) => {}
                        }
                    }
                    assert_eq!(guilty.without(gone), MachineSet::NONE, "seed {seed}: all is done");
                    let going: Vec<_> = gone.iter().filter(|_| chance(2) == 0).collect();
                    for of in going {
                        game.leave(of.get());
                        for set in [&mut there, &mut guilty, &mut gone] {
                            set.remove(of);
                        }
                    }
                    game.tick += 7 * chance(40) as i32;
                }
            }
            if let Some(target) = game.host.votes().target() {
                assert!(
                    there.contains(target) && !guilty.contains(target) && !gone.contains(target),
                    "seed {seed}"
                );
            }
        }
    }
    assert!(dropped_in_all > 1000, "{dropped_in_all}");
}
