//! What scripts show and do, word by word, on every machine in its time.

use mjolnir_tests::{Errand, Lab, Plan, Seating, Who, go, rider, still};
use mjolnir_wire::presentation::Presentation;
use mjolnir_wire::scripted::ObjectNames;
use mjolnir_wire::{Kind, Message, Slot, Vec3};

use crate::stage::{late, lose, millis, record, stage, stage_of, ticks, when};

/// COOP-10, 13, 14: at 100 ms each way each of the nine kinds of what scripts do once is shown once on every client, with the same
/// argument, in the host's order, within the way and three ticks; with one datagram in twenty lost too, where it may take until
/// the stream has it.
#[test]
fn each_of_nine_kinds_is_shown_once() {
    let lines = "sleep 90\nsound bang tree\nsleep 7\ntitle intro\nsleep 7\nhelp go\nsleep 7\nobjective climb\nsleep 7\ncheckpoint\n\
        sleep 7\nshake 1 0.3\nsleep 7\npoint far\nsleep 7\nanimate tree waves\nact foes waves\nsleep 7\nopen ship\nsleep 40\nclose ship\n\
        unpoint far";
    let nine = [
        "sound bang on tree",
        "title intro",
        "help go",
        "objective climb",
        "checkpoint",
        "shake",
        "point far",
    ];
    for (seed, loss) in [(1, 0.0), (2, 5.0), (3, 5.0)] {
        let scripts = format!("script main\nsquad foes\n{lines}\nend\n");
        let mut lab = stage(&scripts, seed, 3, (100, loss));
        let all = record(&mut lab, 330);
        let texts = |of: &[(u64, String)]| of.iter().map(|(_, text)| text.clone()).collect::<Vec<_>>();
        let host = texts(&all[0]);
        assert_eq!(host[..7], nine, "seed {seed}");
        assert_eq!((host.len(), &*host[7], &*host[11]), (12, "animate tree waves", "unpoint far"));
        // An actor's unit and a vehicle are told by what they are, and not by the level's name.
        for (at, what) in [(8, "animate #"), (9, "open #"), (10, "close #")] {
            assert!(host[at].starts_with(what), "{host:?}");
        }
        for (place, had) in all[1..].iter().enumerate() {
            assert_eq!(texts(had), host, "seed {seed}, client {place}");
            let late = all[0].iter().zip(had).map(|((there, _), (here, _))| here - there);
            let most = late.max().unwrap();
            println!("seed {seed}, client {place}: {most} us late at most");
            let within = if loss > 0.0 { millis(500) } else { millis(100) + ticks(3) };
            assert!(most <= within, "seed {seed}, client {place}: {most}");
        }
    }
}

/// COOP-14: a dropship's doors are open on every client while they are on the host.
#[test]
fn doors_open_and_close() {
    let mut lab = stage("script main\nsleep 90\nopen ship\nsleep 60\nclose ship\nend\n", 4, 2, (100, 0.0));
    let ship = lab.host.engine.world().level().unwrap().named("ship").unwrap();
    let ship = lab.host.engine.world().named_object(ship).unwrap();
    for (is_open, so_many) in [(true, 100), (false, 60)] {
        let all = late(&when(&mut lab, so_many, |world| world.has_open_doors(ship) == is_open));
        assert!(all.iter().all(|late| *late <= millis(100) + ticks(3)), "{is_open}: {all:?}");
    }
}

/// COOP-21: three named objects that are made and one that is deleted are so on a client within half a second and the way; where
/// a message is lost, within a second and the way.
#[test]
fn named_objects_come_and_go() {
    let scripts = "script main\nsleep 120\ncreate rock\ncreate bush\ncreate hut\ndelete tree\nend\n";
    let names = |world: &mjolnir_skirmish::game::World| [0, 1, 2, 3].map(|name| world.is_named(name));
    for (seed, loses) in [(5, false), (6, true), (7, true)] {
        let mut lab = stage(scripts, seed, 1, (100, 0.0));
        if loses {
            // Those of the tick that changed them and of the two after it.
            let has_rock =
                |part: &Message<'_>| ObjectNames::read_all(part).flatten().any(|names| names.contains(1));
            lose(&mut lab, 3, Kind::CoopObjectNames, has_rock);
        }
        let done = |world: &mjolnir_skirmish::game::World| names(world) == [false, true, true, true];
        lab.run_until("the script", 10, |lab| done(lab.host.engine.world()));
        let at = lab.now();
        lab.run_until("the names", 5, |lab| done(lab.clients[0].engine.world()));
        let late = lab.now() - at;
        let (least, most) = if loses { (ticks(3), 1000) } else { (0, 500) };
        assert!((least..=millis(most + 100) + ticks(2)).contains(&late), "{loses}: {late}");
    }
}

/// COOP-66: scenery that a script moves and dresses is so on a client within a round trip and three ticks; lost three times, within
/// a second and the way.
#[test]
fn scenery_is_moved_and_dressed() {
    let scripts =
        "script main\nsleep 120\nmove tree 9 9 0 45\nregion tree 2 5\nscreen 0.1 0.2 0.3 0.4\nend\n";
    let done = |world: &mjolnir_skirmish::game::World| {
        let tree = world.scenery(0).unwrap();
        let is_there = tree.position.distance(Vec3::new(9.0, 9.0, 0.0)) < 1e-3;
        is_there && tree.regions[2] == 5 && world.screen_effect().is_some_and(|screen| screen.noise == 0.4)
    };
    for (seed, loses) in [(8, false), (9, true)] {
        let mut lab = stage(scripts, seed, 1, (50, 0.0));
        if loses {
            lose(&mut lab, 3, Kind::CoopObjectTransforms, |_| true);
        }
        lab.run_until("the script", 10, |lab| done(lab.host.engine.world()));
        let at = lab.now();
        lab.run_until("the scenery", 5, |lab| done(lab.clients[0].engine.world()));
        let late = lab.now() - at;
        // The next is told a second after the change.
        let (least, most) =
            if loses { (millis(900), millis(1050) + ticks(3)) } else { (0, millis(100) + ticks(3)) };
        assert!((least..=most).contains(&late), "{loses}: {late}");
    }
}

/// COOP-56, 61: in a cutscene every client looks through the script's camera and keeps the cluster active that the host does; its
/// players are held to run all the while, and none moves once that is heard, on any machine, until it is over; then they go on.
#[test]
fn a_cutscene_is_everybodys() {
    let scripts = "script main\nsleep 120\ninput off\ncinematic on\ncluster yard\ncamera one\nsleep 60\ncamera two\nsleep 60\n\
        cluster off\ncamera off\ncinematic off\ninput on\nend\n";
    let mut lab = stage_of(scripts, 10, 2, (100, 0.0), || go(3.0));
    lab.run_until("the cutscene", 10, |lab| lab.host.engine.world().is_input_disabled());
    // A round trip: who ran until it heard is where it then was.
    lab.run_ticks(12);
    let slots = [0, 1].map(|place: usize| lab.clients[place].slot());
    let places = |lab: &Lab| -> Vec<Vec3> {
        let worlds = lab.clients.iter().map(|seat| seat.engine.world()).chain([lab.host.engine.world()]);
        worlds.flat_map(|world| slots.map(|slot| world.position(slot).unwrap())).collect()
    };
    let shown = |world: &mjolnir_skirmish::game::World| {
        let Presentation { cinematic, cluster, camera, .. } = *world.presentation().unwrap();
        (cinematic, cluster, camera.map(|camera| (camera.position, camera.field_of_view)))
    };
    let (before, mut cameras) = (places(&lab), Vec::new());
    for _ in 0..13 {
        lab.run_ticks(6);
        let there = shown(lab.host.engine.world());
        if let Some((place, _)) = there.2
            && cameras.last() != Some(&place)
        {
            cameras.push(place);
            lab.run_ticks(6);
        }
        for seat in &lab.clients {
            let here = shown(seat.engine.world());
            assert_eq!((here.0, here.1), (there.0, there.1));
            let (here, there) = (here.2.unwrap(), there.2.unwrap());
            assert!(here.0.distance(there.0) < 1e-3 && (here.1 - there.1).abs() < 1e-3, "{here:?} {there:?}");
        }
    }
    let moved = before.iter().zip(places(&lab)).map(|(before, now)| before.distance(now)).fold(0.0, f32::max);
    assert!(moved < 0.3 && cameras.len() == 2, "{moved} {cameras:?}");
    lab.run_until("it is over", 5, |lab| {
        lab.clients.iter().all(|seat| !seat.engine.world().is_input_disabled())
    });
    let before = places(&lab);
    lab.run_ticks(30);
    assert!(before.iter().zip(places(&lab)).all(|(before, now)| before.distance(now) > 1.0));
}

/// COOP-22, 23: what a script does to player0 is done to the highest slot and to all past the second highest, on every machine:
/// nobody is left where the level's part was before.
#[test]
fn nobody_is_left_behind() {
    let scripts = "script main\nsleep 120\nteleport player0 far\nteleport player1 other\nend\n";
    let mut lab = stage(scripts, 11, 3, (50, 5.0));
    lab.run_ticks(180);
    let worlds = lab.clients.iter().map(|seat| seat.engine.world()).chain([lab.host.engine.world()]);
    for world in worlds {
        for index in 0..4 {
            let place = world.position(Slot::new(index).unwrap()).unwrap();
            let due = Vec3::new(if index == 2 { -45.0 } else { 45.0 }, 0.0, 0.0);
            assert!(place.distance(due) < 3.0, "{index}: {place:?}");
        }
    }
}

/// COOP-59, 09: who joins after thirty seconds in which a device went up, four named objects came and went and the way was shown
/// has all of it, and what is shown, within a second of playing; and no sound of before.
#[test]
fn who_joins_later_has_what_lasts() {
    let scripts = "script main\nsound bang\ncreate rock\ncreate bush\ncreate hut\ndelete tree\ngroup lift 1\npoint far\ntimer 9000\nally 0 1\n\
        cluster yard\nscreen 0.1 0.2 0.3 0.4\nmove rock 1 2 0 90\nscale rock 2\nend\n";
    let mut lab = stage(scripts, 12, 1, (50, 0.0));
    lab.run_seconds(30.0);
    let late =
        lab.join(Seating::of(vec![still()]).with_faults(Plan::new("flat", 0, 0).network(50, 0.0).faults));
    lab.settle();
    lab.run_ticks(30);
    let (host, world) = (lab.host.engine.world(), lab.clients[late].engine.world());
    let names = |world: &mjolnir_skirmish::game::World| [0, 1, 2, 3].map(|name| world.is_named(name));
    assert_eq!((names(world), names(host)), ([false, true, true, true], [false, true, true, true]));
    let lift = |world: &mjolnir_skirmish::game::World| {
        (world.groups().next().unwrap().value, world.devices().next().unwrap().position)
    };
    assert_eq!((lift(world), lift(host)), ((1.0, 1.0), (1.0, 1.0)));
    let rock = world.scenery(1).unwrap();
    assert!(rock.position.distance(Vec3::new(1.0, 2.0, 0.0)) < 1e-3 && rock.scale == 2.0);
    assert_eq!(
        (world.points(), world.active_cluster(), world.is_ally(1)),
        (host.points(), host.active_cluster(), true)
    );
    assert!(world.points().len() == 1 && world.screen_effect() == host.screen_effect());
    assert!(world.allied(0, 1) && world.presentation().unwrap().timer.is_some());
    let acted = &lab.clients[late].engine.notes.acted;
    assert_eq!(acted.len(), 1, "{acted:?}");
}

/// COOP-15 to 17: in co-op too a client's player that presses a switch sets nothing itself: the host's group is set half a round trip
/// later, the client's a whole one; out of reach on the host nothing is set. A script's word on a group is a client's as late.
#[test]
fn devices_are_the_hosts_in_co_op() {
    let is_set = |world: &mjolnir_skirmish::game::World| world.groups().next().unwrap().value == 1.0;
    for (near, place) in [(true, Vec3::new(8.0, 0.0, 0.0)), (false, Vec3::new(-5.0, 0.0, 0.0))] {
        let mut lab = stage("", 13, 1, (100, 0.0));
        let slot = lab.clients[0].slot();
        assert!(lab.host.engine.world_mut().move_to(slot, place));
        lab.run_ticks(30);
        let begun = lab.now();
        lab.clients[0].engine.take_over(0, rider(vec![Errand::Press]));
        let all = when(&mut lab, 60, is_set);
        assert_eq!((all[0].is_some(), all[1].is_some()), (near, near), "{all:?}");
        if near {
            let [there, here] = [0, 1].map(|at: usize| all[at].unwrap() - begun);
            assert!((millis(100)..=millis(100) + ticks(4)).contains(&there), "{there}");
            assert!((millis(200)..=millis(200) + ticks(5)).contains(&here), "{here}");
        }
    }
    for seed in 14..18 {
        let mut lab = stage("script main\nsleep 90\ngroup lift 1\nend\n", seed, 2, (100, 20.0));
        let all = late(&when(&mut lab, 180, is_set));
        assert!(all.iter().all(|late| *late <= millis(1100) + ticks(3)), "{all:?}");
    }
}

/// COOP-06: teams that a script makes the players' allies, and foes again, are so on every client within the way and three ticks.
#[test]
fn allies_are_everybodys() {
    let mut lab = stage("script main\nsleep 90\nally 0 1\nsleep 40\nfoe 0 1\nend\n", 19, 2, (100, 0.0));
    for is_ally in [true, false] {
        let all = when(&mut lab, 40 + 60 * u32::from(is_ally), |world| {
            world.allied(0, 1) == is_ally && world.tick().get() > 60
        });
        assert!(late(&all).iter().all(|late| *late <= millis(100) + ticks(3)), "{is_ally}: {all:?}");
    }
}

/// COOP-03, 04, OBJ-33: five scripts run for a minute, and fifty actors fight: on the host alone; no client runs a line, thinks, or
/// spawns anybody, and its player is where the host put it.
#[test]
fn only_the_host_decides() {
    let threads: String =
        (0..5).map(|of| format!("script s{of} continuous\nsleep 7\neffect dust far\nend\n")).collect();
    let mut lab = stage(&format!("script main\nsquad east\nsquad west\nend\n{threads}"), 20, 1, (100, 5.0));
    let actors = lab.host.engine.world().actors().count();
    let mut thought = 0;
    lab.watch_ticks(1800, |lab, who| {
        if who == Who::Host {
            thought = lab.host.engine.world().decisions().thoughts;
        }
    });
    let (host, client) = (lab.host.engine.world().decisions(), lab.clients[0].engine.world().decisions());
    assert!(actors >= 50 && host.scripts > 1000 && thought > 1000 && host.spawns > 50, "{actors} {host:?}");
    assert_eq!((client.total(), client.thoughts, client.spawns, client.scripts), (0, 0, 0, 0));
}

/// COOP-55: the host's setting that players of different machines pass through each other goes with the settings: with it two that are put
/// upon each other stay there on every machine, without it they are pushed apart on every one.
#[test]
fn players_collide_as_the_host_says() {
    for passes in [false, true] {
        let mut lab = stage("", 40, 2, (50, 0.0));
        lab.host.engine.world_mut().set_pass_through(passes);
        for seat in &mut lab.clients {
            seat.engine.world_mut().set_pass_through(passes);
        }
        let slots = [0, 1].map(|place: usize| lab.clients[place].slot());
        for (slot, x) in slots.into_iter().zip([5.0, 5.1]) {
            assert!(lab.host.engine.world_mut().move_to(slot, Vec3::new(x, -12.0, 0.0)));
        }
        lab.run_ticks(60);
        let worlds = lab.clients.iter().map(|seat| seat.engine.world()).chain([lab.host.engine.world()]);
        for world in worlds {
            let [one, other] = slots.map(|slot| world.position(slot).unwrap());
            let apart = one.distance(other);
            assert!(if passes { apart < 0.15 } else { apart > 0.3 }, "{passes}: {apart}");
        }
    }
}
