//! What friends do to each other in a game of teams, as its settings say, by what clients report.

use mjolnir_skirmish::game::effects::{Effect, ROCKET_BLAST, SLUG};
use mjolnir_skirmish::game::{FriendlyFire, Kind, Rules, Vitality};
use mjolnir_tests::{Lab, Plan};
use mjolnir_wire::{Slot, Vec3};

use crate::blows::hit;

const GROUND: &str = "bounds -40 -40 -2 40 40 30\nbox -44 -44 -1 44 44 0\nkit pistol\n\
                      spawns -20 -20 20 20 4 4 0";
/// It hurts the shield, and the body.
const WHOLE: (bool, bool) = (true, true);

/// What the first client's player takes of another's shield and body by so many hits of that effect.
fn taken(lab: &mut Lab, (effect, scale, times): (&Effect, f32, u64), of: Slot) -> (f32, f32) {
    let by = lab.clients[0].slot();
    let world = lab.host.engine.world_mut();
    let unit = world.unit(of).expect("it lives");
    world.set_vitality(unit, Vitality::WHOLE);
    lab.run_ticks(20);
    let before = lab.host.net.counters().hits;
    for _ in 0..times {
        let world = lab.clients[0].engine.world_mut();
        let hit = hit(world, by, effect, scale, of);
        world.strike(hit);
        lab.run_ticks(10);
    }
    let after = lab.host.net.counters();
    let dealt = (after.hits.reported - before.reported, after.hits.dealt - before.dealt);
    assert_eq!(dealt, (times, times), "{:?}", after.refused);
    let left = lab.host.engine.world().vitality(unit).unwrap();
    (1.0 - left.shield, 1.0 - left.body)
}

/// GLUE-27: in a game of teams over a network a client's shot and its rocket hurt a friend as the settings say: whole, not at all,
/// the shield alone, or by the explosion alone; an enemy and oneself always whole. All machines are told of the same options.
#[test]
fn friends_are_spared_as_the_options_say() {
    for (number, (friendly_fire, shot, blast)) in (460..).zip([
        (FriendlyFire::On, (true, true), (true, true)),
        (FriendlyFire::Off, (false, false), (false, false)),
        (FriendlyFire::ShieldsOnly, (true, false), (true, false)),
        (FriendlyFire::ExplosivesOnly, (false, false), (true, true)),
    ]) {
        let rules = Rules { friendly_fire, score_limit: 0, ..Rules::named("team_slayer").unwrap() };
        let plan = Plan {
            ground: Some(GROUND),
            rules: Some(rules),
            teams: true,
            harm: true,
            ..Plan::new("flat", number, 4)
        };
        let mut lab = Lab::idle(plan.network(40, 0.0));
        lab.run_ticks(60);
        let slots: Vec<Slot> = lab.clients.iter().map(mjolnir_tests::Seat::slot).collect();
        for (at, slot) in slots.iter().enumerate() {
            let place = Vec3::new(at as f32 * 5.0 - 8.0, 0.0, 0.0);
            assert!(lab.host.engine.world_mut().move_to(*slot, place));
        }
        assert!(lab.host.engine.world_mut().give(slots[0], Kind::Launcher).is_some());
        lab.run_ticks(30);
        for seat in &lab.clients {
            assert_eq!(seat.engine.world().rules().unwrap().friendly_fire, friendly_fire);
        }
        let is_friend = |lab: &Lab, slot: &Slot| lab.host.engine.world().are_friends(slots[0], *slot);
        let friend = slots.iter().copied().find(|slot| is_friend(&lab, slot)).unwrap();
        let enemy = slots[1..].iter().copied().find(|slot| !is_friend(&lab, slot)).unwrap();
        // Either is more than a shield holds, and less than both.
        let (shots, rocket) = ((&SLUG, 1.0, 4), (&ROCKET_BLAST, 0.6, 1));
        let hurts = |(shield, body): (f32, f32)| (shield > 0.5, body > 0.2);
        for (of, shot, blast) in [(friend, shot, blast), (enemy, WHOLE, WHOLE)] {
            for (what, expected) in [(shots, shot), (rocket, blast)] {
                let took = taken(&mut lab, what, of);
                let is_friend = of == friend;
                assert_eq!(
                    hurts(took),
                    expected,
                    "{friendly_fire:?}, friend: {is_friend}, {what:?}: {took:?}"
                );
            }
        }
        let took = taken(&mut lab, rocket, slots[0]);
        assert_eq!(hurts(took), WHOLE, "{friendly_fire:?}, oneself: {took:?}");
    }
}
