//! Anything, in any order: what must hold whatever machines and the disk say.

use std::collections::BTreeMap;

use mjolnir_mapshare::{News, Order};
use mjolnir_wire::Machine;
use mjolnir_wire::mapshare::{File, FileSet, ProgressState, Refusal};
use proptest::prelude::*;

use crate::maps::{found, hash};
use crate::said::{LEVEL, machine};
use crate::scene::{ON, SIZE, Scene, Told, VERSION};

#[derive(Clone, Debug)]
enum Step {
    Wait(u64),
    Ask(u8, u8, bool),
    Say(u8, u64, u8),
    Join(u8),
    Leave(u8),
    Game(bool),
    Shares(bool),
    Answer(bool),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0_u64..4_000).prop_map(Step::Wait),
        6 => (0_u8..6, 1_u8..16, any::<bool>()).prop_map(|(who, what, which)| Step::Ask(who, what, which)),
        6 => (0_u8..6, 0_u64..6_000_000, 0_u8..4).prop_map(|(who, had, state)| Step::Say(who, had, state)),
        2 => (0_u8..6).prop_map(Step::Join),
        1 => (0_u8..6).prop_map(Step::Leave),
        1 => any::<bool>().prop_map(Step::Game),
        1 => any::<bool>().prop_map(Step::Shares),
        4 => any::<bool>().prop_map(Step::Answer),
    ]
}

proptest! {
    /// MAP-16, 55, 58: no machine has more answers than requests may have been taken, and each of its requests one at most; nobody is
    /// named to itself, no host is, and none that is not in the game; only who is in the game lacks its map or is excused.
    #[test]
    fn whatever_is_said_the_host_keeps_its_rules(steps in prop::collection::vec(step(), 1..200)) {
        let mut scene = Scene::looking();
        let mut orders = Vec::new();
        // Of each machine: when it came, what it asked, what it was answered.
        let mut counts: BTreeMap<u8, (u64, u64, u64)> = BTreeMap::new();
        let mut joined: Vec<u8> = vec![1, 2, 3];
        for step in steps {
            match step {
                Step::Wait(millis) => scene.now = scene.now.plus(millis * 1000),
                Step::Ask(who, what, which) => {
                    let of = if which { LEVEL } else { "custom_maps\\other" };
                    let asked = scene.ask(who, FileSet::read(what).unwrap(), of);
                    prop_assert_eq!(asked.is_ok(), joined.contains(&who));
                    counts.entry(who).or_default().1 += 1;
                }
                Step::Say(who, had, state) => {
                    let states = [ProgressState::Checking, ProgressState::Downloading, ProgressState::HasAll, ProgressState::Stopped];
                    let _ = scene.progress(who, had, states[usize::from(state)]);
                }
                Step::Join(who) => {
                    scene.host.join(machine(who), Some(format!("10.0.0.{who}").parse().unwrap()));
                    counts.insert(who, (scene.now.as_micros(), 0, 0));
                    if who > 0 && !joined.contains(&who) {
                        joined.push(who);
                    }
                }
                Step::Leave(who) => {
                    scene.host.leave(machine(who));
                    joined.retain(|other| *other != who);
                }
                Step::Game(which) => scene.host.set_game(if which { LEVEL } else { "custom_maps\\other" }, 0),
                Step::Shares(shares) => scene.host.set_settings(mjolnir_mapshare::HostSettings { shares, ..ON }),
                Step::Answer(is_good) => {
                    orders.extend(scene.orders());
                    for order in orders.drain(..) {
                        match order {
                            Order::Look { ticket, .. } => {
                                let needs = FileSet::only(File::Sounds);
                                let map = if is_good { Ok(Some(found(VERSION, SIZE, needs))) } else { Err(Refusal::TooLarge) };
                                scene.host.handle_news(News::Looked { ticket, map, resources: FileSet::NONE });
                            }
                            Order::Hash { ticket, file } => {
                                let answer = if is_good { Ok((7, hash(3))) } else { Err(Refusal::CannotBeRead) };
                                scene.host.handle_news(News::Hashed { ticket, file, answer });
                            }
                            _ => {}
                        }
                    }
                }
            }
            for (to, told) in scene.poll() {
                prop_assert!(joined.contains(&to.get()));
                match &told {
                    Told::Offers(offers) => {
                        prop_assert!(!offers.is_empty());
                        let (since, asked, answered) = counts.entry(to.get()).or_default();
                        *answered += 1;
                        let turns = 1 + (scene.now.as_micros() - *since) / 5_000_000;
                        prop_assert!(*answered <= turns && answered <= asked, "{:?} {:?}", to, counts);
                    }
                    Told::Sources(sources) => {
                        for source in sources {
                            prop_assert!(source.machine != to && source.machine != Machine::HOST);
                            prop_assert!(joined.contains(&source.machine.get()) && !source.files.is_empty());
                        }
                    }
                }
            }
            for who in 0..6 {
                let standing = scene.standing(who);
                prop_assert!(!standing.is_downloading || joined.contains(&who));
                prop_assert!(!standing.is_excused || joined.contains(&who));
            }
        }
    }
}
