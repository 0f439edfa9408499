//! Any operations in any order: what must hold all the same.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use mjolnir_anticheat::Person;
use mjolnir_anticheat::votes::{End, REMEMBERED, Refusal, Settings, World};
use mjolnir_wire::Machine;
use mjolnir_wire::address::household;

use super::chance::Random;
use super::scene::{MINUTE, Scene, machine, person};

/// Games that are played.
const SEEDS: u64 = 100;

impl Random {
    fn person(&mut self) -> Person {
        let address = match self.below(12) {
            0 => String::new(),
            1 => format!("2001:db8::{}:0:0:0:{}", self.below(3), self.below(9)),
            2 => format!("::ffff:203.0.113.{}", self.below(12)),
            _ => format!("203.0.113.{}", self.below(12)),
        };
        let id = [None, None, None, Some('a'), Some('b'), Some('c')][self.below(6) as usize];
        person(&address, id)
    }
}

/// The vote as a reader of the rules would count it.
struct Model {
    target: Machine,
    target_person: Person,
    /// Who might vote as it began; none is the host.
    electors: BTreeMap<u8, Option<Person>>,
    ballots: BTreeSet<u8>,
}

impl Model {
    /// Homes of those who might vote and are still there, and the target's once.
    fn electorate(&self) -> usize {
        let home = |person: &Person| person.address.map(household);
        let mut homes: BTreeSet<Option<IpAddr>> = self.electors.values().flatten().map(home).collect();
        homes.insert(home(&self.target_person));
        homes.len() + usize::from(self.electors.contains_key(&0))
    }

    fn needed(&self) -> usize {
        (self.electorate() / 2 + 1).max(2)
    }
}

fn electors(scene: &Scene, minutes: u8, starter: u8) -> BTreeMap<u8, Option<Person>> {
    let enough = u32::from(minutes.min(2)) * MINUTE;
    let guests = scene.game.guests.iter();
    let guests = guests.filter(|(_, guest)| guest.played >= enough && guest.person.address.is_some());
    let mut electors: BTreeMap<_, _> = guests.map(|(index, guest)| (*index, Some(guest.person))).collect();
    electors.insert(0, None);
    assert!(electors.contains_key(&starter), "who may start may vote");
    electors
}

/// What must hold whatever was done.
fn check(scene: &Scene, model: Option<&Model>, of: &str) {
    assert_eq!(scene.votes.target(), model.map(|model| model.target), "{of}");
    let now = scene.now();
    for list in [scene.votes.kept_out(), scene.votes.cooling(), scene.votes.protected()] {
        assert!(list.len(now) <= REMEMBERED, "{of}");
    }
    let machines: Vec<u8> = scene.game.machines().iter().map(Machine::get).collect();
    let Some(model) = model else {
        assert!(machines.iter().all(|index| scene.status(*index).slot.is_none()), "{of}");
        return;
    };
    assert_ne!(model.target, Machine::HOST, "{of}");
    assert!(scene.is_kept_out(&model.target_person) || model.target_person == Person::default(), "{of}");
    for index in machines {
        let status = scene.status(index);
        assert_eq!(usize::from(status.votes), model.ballots.len(), "{of}");
        assert_eq!(usize::from(status.needed), model.needed(), "{of}");
        assert!(status.needed >= 2 && usize::from(status.votes) <= model.electorate(), "{of}");
        assert!(status.seconds_left <= 45, "{of}");
        let shown = status.slot.and_then(|slot| scene.game.players.iter().find(|(other, ..)| *other == slot));
        assert!(status.slot.is_none() || shown.is_some_and(|(_, owner, _)| *owner == model.target), "{of}");
        let (may, voted) = match model.electors.get(&index) {
            None => (false, false),
            Some(None) => (true, model.ballots.contains(&0)),
            Some(Some(who)) => {
                let has = |ballot: &u8| model.electors[ballot].is_some_and(|other| other.is_same(who));
                (!who.is_same(&model.target_person), model.ballots.iter().any(has))
            }
        };
        assert_eq!((status.you_may_vote, status.you_voted), (may, voted), "{of}: machine {index}");
        assert!(index == 0 || machine(index) != model.target || !status.you_may_vote, "{of}");
    }
}

fn play(seed: u64, counts: &mut BTreeMap<&'static str, u32>) {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let minutes = [0, 1, 2, 5][random.below(4) as usize];
    let mut scene = Scene::of(0, Settings { minutes, ban_minutes: 2, ..Settings::default() });
    let mut model: Option<Model> = None;
    let mut count = |what: &'static str| *counts.entry(what).or_default() += 1;
    for number in 0..400 {
        let of = format!("seed {seed}, operation {number}");
        let index = 1 + random.below(14) as u8;
        let is_here = scene.game.guests.contains_key(&index);
        match random.below(20) {
            0..=4 if !is_here => {
                let who = random.person();
                if !scene.is_kept_out(&who) {
                    let played = random.below(6 * u64::from(MINUTE)) as u32;
                    scene.join(index, index, who, played);
                    if random.below(4) == 0 {
                        scene.seat(index, index + 20);
                    }
                }
            }
            5 if is_here && random.below(3) == 0 => {
                let was = model.as_ref().is_some_and(|model| model.target == machine(index));
                let who = scene.game.guests[&index].person;
                let outcome = scene.leave(index);
                assert_eq!(outcome.map(|outcome| outcome.end), was.then_some(End::Left), "{of}");
                if was {
                    model = None;
                    let is_known = who != Person::default();
                    assert_eq!(scene.is_kept_out(&who), is_known, "{of}");
                    count("left");
                } else if let Some(model) = &mut model {
                    model.electors.remove(&index);
                    model.ballots.remove(&index);
                }
            }
            6 if is_here && random.below(3) == 0 => {
                if model.as_ref().is_some_and(|model| model.target == machine(index)) {
                    model = None;
                    count("kicked");
                } else if let Some(model) = &mut model {
                    model.electors.remove(&index);
                    model.ballots.remove(&index);
                }
                assert_eq!(scene.kick(index), None, "{of}");
            }
            7 if random.below(20) == 0 => {
                let now = scene.now();
                scene.votes.new_game(now);
                model = None;
            }
            8..=17 => {
                let from = random.below(15) as u8;
                if from > 0 && !scene.game.guests.contains_key(&from) {
                    continue;
                }
                let on = match &model {
                    Some(model) if random.below(3) > 0 => model.target.get(),
                    _ => random.below(36) as u8,
                };
                let before = scene.votes.target();
                let answer = scene.ask(from, on);
                count(answer.map_or_else(Refusal::reason, |()| "counted"));
                if answer.is_ok() {
                    let (_, target, _) =
                        *scene.game.players.iter().find(|(slot, ..)| slot.get() == on).unwrap();
                    let running = model.get_or_insert_with(|| {
                        assert_eq!(before, None, "{of}: a second vote");
                        Model {
                            target,
                            target_person: scene.game.guests[&target.get()].person,
                            electors: electors(&scene, minutes, from),
                            ballots: BTreeSet::new(),
                        }
                    });
                    assert_eq!(running.target, target, "{of}");
                    assert!(running.ballots.insert(from), "{of}: twice");
                }
            }
            _ => scene.run([1.0 / 30.0, 1.0, 10.0, 50.0][random.below(4) as usize]),
        }
        let over = scene.outcomes.iter().any(|(_, outcome)| outcome.end != End::Left);
        if !over && scene.votes.target().is_some() {
            check(&scene, model.as_ref(), &of);
        }
        scene.step();
        for (_, outcome) in std::mem::take(&mut scene.outcomes) {
            if outcome.end == End::Left {
                continue;
            }
            let ended = model.take().unwrap();
            assert_eq!(outcome.machine, ended.target, "{of}");
            assert_eq!((outcome.votes, outcome.needed), (ended.ballots.len(), ended.needed()), "{of}");
            assert_eq!(outcome.end == End::Passed, outcome.votes >= outcome.needed, "{of}");
            assert!(outcome.end != End::Passed || outcome.votes >= 2, "{of}");
            count(if outcome.end == End::Passed { "passed" } else { "failed" });
            if outcome.end == End::Passed {
                let is_known = ended.target_person != Person::default();
                assert_eq!(scene.is_kept_out(&ended.target_person), is_known, "{of}");
                assert_eq!(scene.leave(ended.target.get()), None, "{of}");
            }
        }
        check(&scene, model.as_ref(), &of);
        scene.told.clear();
    }
}

/// CHEAT-32 to 36, 59 to 61, 65: of any operations, what a naive reader of the rules counts; never two votes, never on the host,
/// never with fewer than two, and each machine told its own.
#[test]
fn any_operations_are_counted_by_the_rules() {
    let mut counts = BTreeMap::new();
    for seed in 1..=SEEDS {
        play(seed, &mut counts);
    }
    // It would show nothing if nothing happened.
    let least =
        ["counted", "passed", "failed", "left", "kicked"].map(|what| counts.get(what).copied().unwrap_or(0));
    assert!(least.iter().all(|count| *count >= 5), "{counts:?}");
    for refusal in Refusal::ALL.into_iter().filter(|refusal| *refusal != Refusal::Off) {
        assert!(counts.contains_key(refusal.reason()), "{} in {counts:?}", refusal.reason());
    }
}
