//! A machine that learns late of what there is: what came to rest meanwhile is told it.

use mjolnir_objects::{Class, Event, LATE_A_TICK, LATE_REPEAT_TICKS};
use mjolnir_wire::objects::Creation;
use mjolnir_wire::{MachineSet, ObjectId, Tag, Vec3};

use super::states::{Scene, at_rest, moving};
use super::{machine, object, tick};

/// A host on which so many things moved as a machine was listed everything.
fn listed(moves: u16) -> Scene {
    let mut scene = Scene::new(0);
    scene.rows = (0..moves).map(|index| moving(index, 0.0)).collect();
    // Many that were made at rest, so that no turn comes in the time.
    scene.rows.extend((1000..3000).map(at_rest));
    (0..3).for_each(|_| scene.tick());
    scene.host.handle_ready(tick(scene.now), machine(1)).unwrap();
    scene.tick();
    scene
}

fn behind(scene: &mut Scene, is: bool) {
    scene.host.set_behind(if is { MachineSet::only(machine(1)) } else { MachineSet::NONE });
}

/// The ticks of the next ones in which the machine is told of that object.
fn ticks(scene: &mut Scene, ticks: i32, of: usize) -> Vec<i32> {
    (0..ticks).filter(|_| scene.told(1).contains(&of)).collect()
}

/// OBJ-21: what comes to rest while a machine's list is on its way is told it three times from when the list has left,
/// and once more after two seconds.
#[test]
fn what_rests_before_the_list_comes_is_told_after_it() {
    let mut scene = listed(1);
    behind(&mut scene, true);
    scene.rows[0] = at_rest(0);
    // Its three words are gone by then.
    ticks(&mut scene, 60, 0);
    assert_eq!(ticks(&mut scene, 60, 0), []);
    behind(&mut scene, false);
    // In the first tick it is told of what it lacks.
    assert_eq!(ticks(&mut scene, 100, 0), LATE_REPEAT_TICKS.map(|at| at + 1));
    assert_eq!(ticks(&mut scene, 100, 0), []);
}

/// OBJ-21: what is made while a machine reads slowly and comes to rest before it is told of that is told it then.
#[test]
fn what_rests_before_it_is_known_is_told_after_it() {
    let mut scene = listed(0);
    ticks(&mut scene, LATE_REPEAT_TICKS[3] + 1, 0);
    behind(&mut scene, true);
    let made = Creation::plain(object(0, 1), Tag(9), Vec3::ZERO);
    scene.rows.insert(0, moving(0, 0.0));
    scene.events.push(Event::Made(made));
    scene.tick();
    scene.rows[0] = at_rest(0);
    // It came to rest more than its three words ago.
    ticks(&mut scene, 30, 0);
    behind(&mut scene, false);
    assert_eq!(ticks(&mut scene, 100, 0), LATE_REPEAT_TICKS.map(|at| at + 1));
}

/// OBJ-21: what came to rest before the list was written is said so by it; what comes to rest after that, while the
/// words to who is late go on, is told to all, and to it once more at each repeat.
#[test]
fn what_the_list_says_is_not_told_again() {
    let mut scene = listed(1);
    // It made those at rest; one that came to rest earlier is no news either.
    let mut earlier = Scene::new(0);
    earlier.rows = vec![moving(0, 0.0)];
    earlier.rows.extend((1000..3000).map(at_rest));
    earlier.tick();
    earlier.rows[0] = at_rest(0);
    (0..20).for_each(|_| earlier.tick());
    earlier.host.handle_ready(tick(earlier.now), machine(1)).unwrap();
    // Its turn comes first.
    (0..2).for_each(|_| earlier.tick());
    assert_eq!(ticks(&mut earlier, 100, 0), []);
    scene.tick();
    scene.rows[0] = at_rest(0);
    assert_eq!(ticks(&mut scene, 100, 0), [0, 6, 7, 14, 15, 59]);
}

/// OBJ-28: of a body that lay there before the list with its light on, which no creation says, whoever is listed is told
/// as of what came to rest since; of one whose light is off it is not.
#[test]
fn a_light_that_is_on_is_told_after_the_list() {
    let mut scene = Scene::new(0);
    scene.rows = [0, 1].map(at_rest).to_vec();
    for (row, on) in scene.rows.iter_mut().zip([true, false]) {
        (row.class, row.state.dead, row.state.light) = (Class::Unit, true, Some(on));
    }
    scene.rows.extend((1000..3000).map(at_rest));
    (0..40).for_each(|_| scene.tick());
    scene.host.handle_ready(tick(scene.now), machine(1)).unwrap();
    scene.tick();
    let told: Vec<_> = (0..100).map(|_| scene.told(1)).collect();
    let at = |of: usize| (0..100).filter(|at| told[*at as usize].contains(&of)).collect::<Vec<i32>>();
    assert_eq!((at(0), at(1)), (LATE_REPEAT_TICKS.to_vec(), vec![0]), "the first tick is both's turn");
}

/// OBJ-21: many that came to rest go over some ticks, each at each repeat; to nobody else.
#[test]
fn many_that_rest_are_told_over_some_ticks() {
    let mut scene = listed(200);
    scene.host.handle_ready(tick(scene.now), machine(2)).unwrap();
    (0..100).for_each(|_| scene.tick());
    scene.host.forget(machine(1));
    scene.host.handle_ready(tick(scene.now), machine(1)).unwrap();
    scene.tick();
    behind(&mut scene, true);
    scene.rows.splice(0..200, (0..200).map(at_rest));
    (0..20).for_each(|_| scene.tick());
    behind(&mut scene, false);
    let mut counts = [0; 200];
    for _ in 0..120 {
        let told = scene.told(1);
        assert!(told.len() <= LATE_A_TICK + 4, "{}", told.len());
        told.iter().filter(|index| **index < 200).for_each(|index| counts[*index] += 1);
        let others: Vec<ObjectId> = scene.states(2).iter().map(|state| state.object).collect();
        assert!(!others.contains(&object(7, 1)), "it was told long since");
    }
    assert_eq!(counts, [LATE_REPEAT_TICKS.len(); 200]);
}
