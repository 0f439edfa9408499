//! The host's objects on every machine, and who decides.

use mjolnir_engine_glue::objects::Command;
use mjolnir_net_compare::Line;
use mjolnir_skirmish::game::{Looks, Made, World};
use mjolnir_tests::{Flaw, Lab, Plan, Seating, bot, still};
use mjolnir_wire::limits::FIRST_OWN_OBJECT;
use mjolnir_wire::{Axes, ObjectId, Tag, Vec3};

/// An object that nothing moves.
const CRATE: Tag = Tag(0xE175_0001);

/// The host's objects as a machine has them.
fn objects(world: &World) -> Vec<(ObjectId, Tag)> {
    let all = world.objects().filter(|id| id.index() < FIRST_OWN_OBJECT);
    all.map(|id| (id, world.describe(id).unwrap().tag)).collect()
}

/// OBJ-01, PRED-36: after a minute of running, falling and dying every client has the host's objects, index,
/// identifier and tag.
#[test]
fn every_machine_has_the_hosts_objects() {
    let mut lab = Lab::play(Plan::new("tower", 61, 7).network(50, 5.0));
    for second in 0..60 {
        lab.run_seconds(1.0);
        let slot = lab.clients[second % 7].slot();
        lab.host.engine.world_mut().kill(slot, None);
    }
    lab.run_seconds(5.0);
    let there = objects(lab.host.engine.world());
    assert_eq!(there.len(), 8);
    for seat in &lab.clients {
        assert_eq!(objects(seat.engine.world()), there);
        assert_eq!(seat.net.objects().lacking(), 0);
        // A new life begins where the host has it.
        assert_eq!(seat.engine.notes.own_moves, []);
    }
    // Every one of them had several units.
    assert!(there.iter().any(|(id, _)| id.index() >= 40));
}

/// OBJ-02, OBJ-03: an object that the host makes is on every client, in its place, and one that it deletes is gone,
/// within the way and two ticks.
#[test]
fn what_the_host_makes_and_deletes_is_followed() {
    let mut lab = Lab::idle(Plan::new("flat", 62, 3).network(50, 10.0));
    lab.run_ticks(60);
    let (at, way) = (Vec3::new(1.0, 2.0, 3.0), Lab::ticks_of(50) + 2);
    let made = lab.host.engine.world_mut().make(CRATE, at, Axes::UPRIGHT, None).unwrap();
    lab.run_ticks(1 + way);
    for seat in &lab.clients {
        let Made { tag, position, .. } = seat.engine.world().describe(made).unwrap();
        assert_eq!((tag, position), (CRATE, at));
    }
    // A player's death leaves a body, which the host deletes.
    let slot = lab.clients[0].slot();
    let unit = lab.host.engine.world().unit(slot).unwrap();
    assert!(lab.host.engine.world_mut().kill(slot, None));
    lab.run_ticks(1 + way);
    let body = |seat: &mjolnir_tests::Seat<_>| seat.engine.world().describe(unit).map(|made| made.dead);
    assert!(lab.clients.iter().all(|seat| body(seat) == Some(true)));
    for gone in [made, unit] {
        assert!(lab.host.engine.world_mut().erase(gone));
    }
    lab.run_ticks(1 + way);
    for gone in [made, unit] {
        assert!(lab.clients.iter().all(|seat| seat.engine.world().describe(gone).is_none()));
    }
}

/// OBJ-02: each player's unit looks on every machine as on the host (team, variant, forced shader permutation, colours and
/// regions), also after a new life and to who comes later; no two look alike.
#[test]
fn units_look_alike_on_every_machine() {
    let plan = Plan { teams: true, ..Plan::new("flat", 67, 3).network(30, 0.0) };
    let mut lab = Lab::idle(plan);
    let slot = lab.clients[1].slot();
    assert!(lab.host.engine.world_mut().kill(slot, None));
    lab.run_seconds(4.0);
    let late = lab.join(Seating::of(vec![bot(9)]).with_faults(plan.faults));
    lab.run_until("it plays", 10, |lab| lab.clients[late].ticks > 60);
    let looks = |world: &World| -> Vec<Looks> {
        let units = world.players().filter_map(|(slot, _)| world.unit(slot));
        units.map(|unit| world.describe(unit).unwrap().looks).collect()
    };
    let there = looks(lab.host.engine.world());
    assert_eq!(there.len(), 4);
    for (at, own) in there.iter().enumerate() {
        assert!(there[..at].iter().all(|other| other != own) && own.shader_permutation > 0, "{own:?}");
    }
    for seat in &lab.clients {
        assert_eq!(looks(seat.engine.world()), there);
    }
}

/// OBJ-10, 32: on a map with a thousand things every machine places the same ones, by their checksum, none left out; the
/// host's list finds them all, also on a machine that comes later.
#[test]
fn a_map_with_a_thousand_things_is_placed_alike() {
    const COUNT: usize = 1000;
    let kinds = ["rifle", "pistol", "plasma", "medkit", "grenades", "cart", "flag"];
    let mut text = String::from("bounds -60 -60 -5 60 60 30\nbox -60 -60 -1 60 60 0\nspawn 0 0 0 0\n");
    for number in 0..COUNT {
        let (x, y) = (3 * (number % 36) as i32 - 54, 3 * (number / 36) as i32 - 50);
        text += &format!("item {} {x} {y} 1\n", kinds[number % kinds.len()]);
    }
    let plan = Plan { ground: Some(text.leak()), ..Plan::new("flat", 68, 2).network(20, 0.0) };
    let mut lab = Lab::play_as(plan, Seating::of(Vec::new()), |_| Seating::of(vec![still()]));
    let late = lab.join(Seating::of(vec![still()]).with_faults(plan.faults));
    lab.run_until("it has the list", 10, |lab| lab.clients[late].net.objects().list_complete());
    lab.run_seconds(1.0);
    let there = lab.host.engine.world();
    assert_eq!((there.placing().count, objects(there).len()), (COUNT, COUNT + 3));
    for seat in &lab.clients {
        let here = seat.engine.world();
        assert_eq!(here.placing(), there.placing());
        assert_eq!(objects(here), objects(there));
        assert_eq!(seat.net.objects().mistaken(), 0);
        let made = seat.engine.notes.objects.iter().filter(|(made, _)| matches!(made, Command::Make(_)));
        assert_eq!(made.count(), 3, "units, and nothing of the map's");
    }
}

/// OBJ-04, OBJ-05: a late joiner gets what there is; three objects of its own in the host's half stay until the
/// host's list has ended, and go with it.
#[test]
fn what_the_host_never_told_of_goes_with_the_list() {
    let mut lab = Lab::play(Plan::new("rooms", 63, 2).network(100, 0.0));
    for number in 0..20 {
        let at = Vec3::new(number as f32, 0.0, 0.0);
        lab.host.engine.world_mut().make(CRATE, at, Axes::UPRIGHT, None).unwrap();
    }
    lab.run_seconds(1.0);
    let late =
        lab.join(Seating::of(vec![bot(3)]).with_faults(mjolnir_engine_glue::transport::impair::Faults {
            latency_us: 100_000,
            ..Default::default()
        }));
    lab.run_until("it plays", 10, |lab| lab.clients[late].ticks > 0);
    let ids = [4000, 4001, 4002].map(|index| ObjectId::new(index, 9).unwrap());
    for id in ids {
        let made = Made::plain(id, CRATE, Vec3::ZERO);
        assert!(lab.clients[late].engine.world_mut().make_at(&made));
    }
    let count = |lab: &Lab| {
        let world = lab.clients[late].engine.world();
        ids.iter().filter(|id| world.describe(**id).is_some()).count()
    };
    let mut before = 0;
    while !lab.clients[late].net.objects().list_complete() {
        assert_eq!(count(&lab), 3);
        lab.step();
        before += u32::from(lab.clients[late].ticked.is_some());
    }
    assert!(before > 3, "the list came after {before}");
    assert_eq!(count(&lab), 0);
    lab.run_seconds(1.0);
    let there = objects(lab.host.engine.world());
    assert!(there.len() == 24 && objects(lab.clients[late].engine.world()) == there);
}

/// TOOL-67: one object that a machine could not make, and three that its host told it nothing of: its lines say `!1` and
/// `x3` from then on, and nobody else's do. The one is made when the host lists it again, and fails no second time.
#[test]
fn what_failed_and_what_was_removed_is_in_the_lines() {
    let mut lab = Lab::idle(Plan::new("flat", 69, 1).network(50, 0.0));
    let late = lab.join(Seating::of(vec![still()]));
    lab.run_until("it plays", 10, |lab| lab.clients[late].ticks > 0);
    assert!(!lab.clients[late].net.objects().list_complete());
    for index in [4000, 4001, 4002] {
        let unknown = Made::plain(ObjectId::new(index, 9).unwrap(), CRATE, Vec3::ZERO);
        assert!(lab.clients[late].engine.world_mut().make_at(&unknown));
    }
    lab.run_until("it has the list", 10, |lab| lab.clients[late].net.objects().list_complete());
    lab.clients[late].engine.flaw = Some(Flaw::MakesNone);
    let made = lab.host.engine.world_mut().make(CRATE, Vec3::ZERO, Axes::UPRIGHT, None).unwrap();
    lab.run_until("it fails", 1, |lab| lab.clients[late].net.counters().failed > 0);
    lab.clients[late].engine.flaw = None;
    let has = |lab: &Lab| lab.clients[late].engine.world().describe(made).is_some();
    lab.run_seconds(2.0);
    assert!(!has(&lab));
    lab.run_until("it is made", 30, has);
    lab.run_seconds(2.0);
    let seen = |lines: &[Line]| -> Vec<(u64, u64)> {
        let mut seen: Vec<_> = lines.iter().map(|line| (line.items.failed, line.items.removed)).collect();
        seen.dedup();
        seen
    };
    let lines = &lab.clients[late].recording.lines;
    assert_eq!(seen(lines).last(), Some(&(1, 3)));
    assert!(seen(lines).is_sorted(), "{:?}", seen(lines));
    let text = lines.last().unwrap().to_string();
    assert!(text.contains(" !1 x3) | "), "{text}");
    for lines in [&lab.host.recording.lines, &lab.clients[0].recording.lines] {
        assert_eq!(seen(lines), [(0, 0)]);
    }
}

/// OBJ-12, GLUE-18: a thousand objects made by the host and by a client stand in their halves of the table; the
/// clients have the host's thousand, and nobody the client's.
#[test]
fn each_half_of_the_table_is_filled_by_its_own() {
    let mut lab = Lab::idle(Plan::new("flat", 64, 2).network(20, 0.0));
    let make = |world: &mut World| -> Vec<usize> {
        let made = (0..1000).map(|_| world.make(CRATE, Vec3::ZERO, Axes::UPRIGHT, None).unwrap());
        made.map(ObjectId::index).collect()
    };
    let host = make(lab.host.engine.world_mut());
    let client = make(lab.clients[0].engine.world_mut());
    assert!(host.iter().all(|index| *index < FIRST_OWN_OBJECT));
    assert!(client.iter().all(|index| *index >= FIRST_OWN_OBJECT));
    lab.run_seconds(2.0);
    let there = objects(lab.host.engine.world());
    assert_eq!(there.len(), 1002);
    for (seat, own) in lab.clients.iter().zip([1000, 0]) {
        assert_eq!(objects(seat.engine.world()), there);
        assert_eq!(seat.engine.world().object_count(), 1002 + own);
    }
    assert_eq!(lab.host.net.counters().misplaced, 0);
}

/// GLUE-17, AUTH-01: in half a minute of falling and dying no client decides anything; cut off from the host none
/// does either, whatever happens to its players.
#[test]
fn clients_decide_nothing() {
    let mut lab = Lab::play(Plan::new("tower", 65, 4));
    lab.run_seconds(30.0);
    assert!(lab.host.engine.world().decisions().total() > 5);
    for place in 0..4 {
        lab.partition(place, true);
    }
    let slot = lab.clients[0].slot();
    let world = lab.clients[0].engine.world_mut();
    let (unit, deadly) = (world.unit(slot).unwrap(), Vec3::new(0.0, 0.0, -1.9));
    world.place(unit, Vec3::new(-20.0, 20.0, 25.0), Some(deadly), None);
    lab.run_seconds(5.0);
    for seat in &lab.clients {
        assert_eq!(seat.engine.world().decisions().total(), 0);
    }
    assert_eq!(lab.clients[0].engine.world().unit(slot), Some(unit));
}

/// GLUE-19: whether copies are drawn gliding or not, every machine simulates the same game to the bit.
#[test]
fn what_is_drawn_is_not_simulated() {
    let play = |draws| {
        let mut lab = Lab::play(Plan::new("rooms", 66, 4).network(60, 5.0));
        for seat in &mut lab.clients {
            seat.engine.draws = draws;
        }
        let mut drawn = 0.0_f32;
        lab.watch_ticks(600, |lab, _| {
            let world = lab.clients[0].engine.world();
            for (slot, _) in world.players() {
                if let (Some(unit), Some(place)) = (world.unit(slot), world.position(slot)) {
                    drawn = drawn.max(world.drawn(unit).unwrap().distance(place));
                }
            }
        });
        (lab.digest(), drawn)
    };
    let ((with, drawn), (without, still)) = (play(true), play(false));
    assert!(drawn > 0.05 && still < drawn, "{drawn} and {still} wu");
    assert_eq!(with, without);
}
