//! What game types are about, over a network: flags and balls are the same objects everywhere, and who carries one is
//! slower and moved by nobody.

use mjolnir_skirmish::game::types::CARRIER_PACE;
use mjolnir_skirmish::game::{Rules, World};
use mjolnir_tests::{Lab, Plan, Who};
use mjolnir_wire::game_state::Body;
use mjolnir_wire::{ObjectId, Slot};

/// A game of that variant without an end, with bots, on the map of two bases.
fn play(variant: &str, seed: u64, milliseconds: u64, loss: f32) -> Lab {
    let rules = Rules { score_limit: 0, ..Rules::named(variant).unwrap() };
    let plan = Plan { rules: Some(rules), ..Plan::new("two_bases", seed, 3).network(milliseconds, loss) };
    Lab::play(plan)
}

/// What the game is about, and who has it.
fn goals(world: &World) -> Vec<(ObjectId, Option<Slot>)> {
    world.goals().map(|goal| (goal.flag, world.bearer(goal.flag))).collect()
}

/// OBJ-46: through five times and more that they were taken, fell and came home, flags and balls have on every machine
/// the index and the identifier that they have on the host, each second, and whoever has one on a client had it on the
/// host within the two seconds before.
#[test]
fn flags_and_balls_are_the_same_objects_everywhere() {
    for (variant, count) in [("ctf", 2), ("oddball", 1)] {
        let mut lab = play(variant, 301, 50, 5.0);
        let (mut recent, mut changes) = (Vec::new(), 0);
        let first = goals(lab.host.engine.world());
        assert_eq!(first.len(), count);
        for second in 0..360 {
            lab.watch_ticks(30, |lab, who| {
                if who != Who::Host {
                    return;
                }
                let now = goals(lab.host.engine.world());
                changes += usize::from(recent.last().is_some_and(|last| *last != now));
                recent.push(now);
            });
            // Nothing hits anybody here: what a bot carries falls when it dies by word.
            if second % 20 == 19 {
                let world = lab.host.engine.world_mut();
                let bearers: Vec<_> = goals(world).into_iter().filter_map(|(_, bearer)| bearer).collect();
                bearers.into_iter().for_each(|slot| assert!(world.kill(slot, None)));
            }
            recent.drain(..recent.len().saturating_sub(60));
            for (place, seat) in lab.clients.iter().enumerate() {
                for (at, (goal, bearer)) in goals(seat.engine.world()).into_iter().enumerate() {
                    let what = format!("{variant}, second {second}, client {place}");
                    assert_eq!(goal, first[at].0, "{what}");
                    assert!(recent.iter().any(|then| then[at] == (goal, bearer)), "{what}: {bearer:?}");
                }
            }
        }
        assert!(changes > 15, "{variant}: {changes}");
        match lab.host.engine.world().game_state().map(|state| state.body) {
            Some(Body::Ctf(ctf)) => {
                assert!(ctf.grabs[0] + ctf.grabs[1] > 5 && ctf.returns[0] + ctf.returns[1] > 5, "{ctf:?}");
            }
            Some(Body::Oddball(oddball)) => assert!(oddball.player_score.iter().sum::<i32>() > 3000),
            _ => panic!("another game"),
        }
    }
}

/// AUTH-59: whoever carries a flag runs slower on its own machine too, and so is moved by no word and refused nothing, at
/// 100 ms each way.
#[test]
fn a_carrier_is_moved_by_nobody() {
    let mut lab = play("ctf", 302, 100, 0.0);
    // Ticks in which each client's player has carried one and run.
    let (mut carried, mut runs) = (0, [0; 3]);
    lab.watch_ticks(30 * 150, |lab, who| {
        let Who::Client(place) = who else { return };
        let (world, slot) = (lab.clients[place].engine.world(), lab.clients[place].slot());
        let carries = world.goals().any(|goal| world.bearer(goal.flag) == Some(slot));
        let is_run = carries && world.unit(slot).is_some_and(|unit| world.grounded(unit));
        runs[place] = if is_run { runs[place] + 1 } else { 0 };
        // In the tick in which it was heard, and as it comes down, it still goes as before.
        if let Some(velocity) = world.velocity(slot).filter(|_| runs[place] > 2) {
            assert!(velocity.across().length() <= world.limits().run * CARRIER_PACE + 1e-4, "{velocity:?}");
            carried += 1;
        }
    });
    assert!(carried > 300, "carried for {carried} ticks");
    for (place, seat) in lab.clients.iter().enumerate() {
        assert_eq!(seat.engine.notes.own_moves, [], "client {place}");
    }
    let counters = lab.host.net.counters();
    assert_eq!(["past_tolerance", "past_bounds"].map(|reason| counters.refused.get(reason)), [None, None]);
}
