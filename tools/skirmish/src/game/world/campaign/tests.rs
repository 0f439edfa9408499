//! What scripts do, line by line, and what comes of it where the world decides and elsewhere.

use mjolnir_wire::events::{Action, HudText, NavigationPoint};
use mjolnir_wire::scripted::Look;
use mjolnir_wire::{Buttons, Input, Machine, ObjectName, Slot, Tick, Vec3};

use super::*;
use crate::game::world::{Event, Role};
use crate::game::{Map, Tuning};

const FIELD: &str = "campaign\nbounds -40 -40 -2 40 40 30\nbox -44 -44 -1 44 44 0\nspawn 0 0 0 0\n\
    platform lift 10 10 -0.3 12 12 0.1 0 0 4 0.1\ncluster all -40 -40 -2 40 40 30\n\
    squad foes 1 guard plasma 30 30 0 0 30 32 0 0\nsquad riders 1 guard plasma 20 -20 0 0 20 -22 0 0 \
    20 -24 0 0 20 -26 0 0 20 -28 0 0\n\
    name tree scenery 5 5 0 90\nname rock scenery 6 5 0 absent\nname pack medkit 7 5 0.2\nname gun rifle 8 5 0.2 absent\n\
    name ship dropship 20 0 5 0\nvolume east 10 -5 -1 20 5 5\nvolume all -40 -40 -2 40 40 30\nplace far 15 0 0 0\n\
    place other -15 0 0 0\ncamera one 0 -10 5 90 -10\ncamera two 10 -10 5 90 -10 40\ntext intro The begin\n\
    text go Go there\nroute away dropship 0.2 20 0 5 20 10 5\n";

fn slot(index: u8) -> Slot {
    Slot::new(index).unwrap()
}

fn step(world: &mut World) -> Vec<String> {
    world.step(world.tick().next());
    let level = world.level().unwrap().clone();
    let showed = world.drain_events().filter_map(|event| match event {
        Event::Showed(showed) => Some(showed.text(&level)),
        _ => None,
    });
    showed.collect()
}

/// A level with those scripts that is played by so many, each of a machine of its own; nothing has run.
fn level(scripts: &str, players: u8, role: Role) -> World {
    let map = Map::parse(&format!("{FIELD}{scripts}")).unwrap_or_else(|error| panic!("{error}: {scripts}"));
    let mut world = World::new(&map, 1, Tuning::default());
    world.set_rules(None);
    world.set_role(role);
    for index in 0..players {
        assert!(world.join(slot(index), &format!("P{index}"), Machine::new(index).unwrap(), Some(index)));
    }
    world
}

/// The same with one script of those lines, on a host, after its first tick; and what that showed.
fn script(lines: &str) -> (World, Vec<String>) {
    let mut world = level(&format!("script main\n{lines}\nend"), 1, Role::Host);
    let showed = step(&mut world);
    (world, showed)
}

/// COOP-03: scripts begin once somebody plays; a client's world runs none, however long.
#[test]
fn the_one_who_decides_runs_scripts() {
    let scripts = "script main continuous\ntitle intro\nsleep 10\nend";
    let mut empty = level(scripts, 0, Role::Host);
    (0..100).for_each(|_| assert!(step(&mut empty).is_empty()));
    assert_eq!((empty.decisions().scripts, empty.level_ticks()), (0, None));
    for (role, runs) in [(Role::Host, true), (Role::Local, true), (Role::Client, false)] {
        let mut world = level(scripts, 1, role);
        let shown: usize = (0..300).map(|_| step(&mut world).len()).sum();
        assert_eq!((world.decisions().scripts > 0, shown > 0), (runs, runs), "{role:?}");
        assert_eq!(world.decisions().total() > 0, runs, "{role:?}");
    }
    // Where a game type is played there is no level (COOP-01); a map that is none has no scripts' world either (COOP-02).
    let mut world = level(scripts, 1, Role::Host);
    world.set_rules(Some(crate::game::Rules::named("slayer").unwrap()));
    assert!(!world.is_coop() && world.presentation().is_none() && world.object_names().is_none());
    let flat = World::new(&Map::named("flat").unwrap(), 1, Tuning::default());
    assert!(!flat.is_coop());
}

/// COOP-07, 10: each word that happens once happens once, in the tick of its line, in order, and is told of; of all kinds.
#[test]
fn each_word_happens_once() {
    let lines = "title intro\nhelp go\nobjective go\nflash go\nclear\ncheckpoint\nsound bang\nsound bang ship\nloop wind\n\
        unloop wind\neffect dust far\nshift 0.1 0 0\nturn 1 0 0\nshake 1 0.5\nsteady 0.5\npoint far\nunpoint far\npoint ship\n\
        show player0 far\nhide player0 far\nanimate tree waves\nanimate ship lands\nopen ship\nclose ship\nattach tree ship\n\
        detach tree ship";
    let (mut world, showed) = script(lines);
    let ship = world.named_object(4).unwrap().index();
    let unit = world.unit(slot(0)).unwrap().index();
    let expected = format!(
        "title intro|help go|objective go|flash go|clear|checkpoint|sound bang|sound bang on #{ship}|loop wind|unloop wind|\
         effect dust far|shake by|shake about|shake|steady|point far|unpoint far|point #{ship}|point far for #{unit}|\
         unpoint far for #{unit}|animate tree waves|animate #{ship} lands|open #{ship}|close #{ship}|attach tree #{ship}|\
         detach tree #{ship}"
    );
    assert_eq!(showed.join("|"), expected);
    let mut actions = Vec::new();
    world.take_actions(&mut actions);
    assert_eq!(actions.len(), showed.len());
    assert_eq!(actions[1], Action::Hud(HudText::Help(1)));
    (0..60).for_each(|_| assert!(step(&mut world).is_empty()));
    world.take_actions(&mut actions);
    assert_eq!(actions.len(), showed.len(), "asked for anew");

    // A client that is told all of it shows all of it, in that order.
    let mut client = level(
        "script main\nsound bang\nsound bang\nloop wind\neffect dust far\nanimate tree waves\n\
        animate ship lands\nend",
        1,
        Role::Client,
    );
    for made in world.objects().filter_map(|id| world.describe(id)).collect::<Vec<_>>() {
        client.make_at(&made);
    }
    client.drain_events().for_each(drop);
    actions.iter().for_each(|action| client.show_action(action));
    assert_eq!(step(&mut client).join("|"), expected);
    assert_eq!(client.decisions().total(), 0);
    assert_eq!(client.scenery(0).unwrap().plays.map(|(animation, _)| animation), Some(0));
}

/// COOP-10: what names nothing that is here does nothing.
#[test]
fn what_is_not_here_does_nothing() {
    let mut client = level("script main\ntitle intro\nend", 1, Role::Client);
    let ship = ObjectName::Object(mjolnir_wire::ObjectId::new(9, 1).unwrap(), mjolnir_wire::Tag(3));
    let point = |of| Action::NavigationPoint(NavigationPoint { kind: 0, of, shows: true, height: 0.0 });
    for action in [
        Action::ChapterTitle(2),
        Action::Hud(HudText::Objective(2)),
        Action::UnitOpen { unit: ship, opens: true },
        Action::UnitOpen { unit: ObjectName::Named(1), opens: true },
        point(Navigation::TeamToFlag(0, 2)),
        point(Navigation::TeamToObject(0, ship)),
    ] {
        client.show_action(&action);
    }
    client.show_action(&Action::ChapterTitle(1));
    client.set_look(&Look { object: ObjectName::Named(511), regions: [0; 8], scale: 1.0 });
    client.make_named(511);
    client.delete_named(1);
    assert_eq!((step(&mut client), client.goal()), (vec!["title go".to_owned()], None));
}

/// A thread waits for its ticks, its conditions and its being woken: each to the tick.
#[test]
fn threads_wait() {
    let scripts = "script main\nsleep 10\ntitle intro\nuntil any east within 20\ntitle go\nuntil any east\ncheckpoint\nwake other\n\
        until done other\nclear\nend\nscript other dormant\nsleep 5\nhelp go\nend\nscript again continuous\nsleep 7\nsound tick\nend\n\
        script busy continuous\nhelp intro\nend";
    let mut world = level(scripts, 1, Role::Host);
    let mut seen = Vec::new();
    for tick in 0..100 {
        if tick == 50 {
            assert!(world.move_to(slot(0), Vec3::new(15.0, 0.0, 0.0)));
        }
        let showed = step(&mut world);
        seen.extend(showed.into_iter().filter(|text| text != "help intro").map(|text| (tick, text)));
    }
    let ticks: Vec<_> = seen.iter().filter(|(_, text)| text == "sound tick").map(|(tick, _)| *tick).collect();
    // Seven ticks asleep, and the next from a tick after its last line.
    assert_eq!(ticks[..4], [7, 15, 23, 31]);
    seen.retain(|(_, text)| text != "sound tick");
    let seen: Vec<_> = seen.iter().map(|(tick, text)| (*tick, text.as_str())).collect();
    assert_eq!(
        seen,
        [(10, "title intro"), (30, "title go"), (50, "checkpoint"), (55, "help go"), (56, "clear")]
    );
    assert_eq!(world.is_script_done("main"), Some(true));
    assert_eq!((world.is_script_done("again"), world.is_script_done("none")), (Some(false), None));
}

/// A script that never waits runs so many lines a tick and holds nothing up.
#[test]
fn a_tick_of_a_script_has_an_end() {
    let lines = "clear\n".repeat(200);
    let (mut world, first) = script(&lines);
    assert_eq!(first.len(), 64);
    assert_eq!([0; 4].map(|_| step(&mut world).len()), [64, 64, 8, 0]);
}

/// COOP-22, 23: of slots 0 to 3 without a unit for slot 2, what is done to player0 is done to slots 3 and 0, what is done to
/// player1 to slot 1.
#[test]
fn player0_is_the_last_and_all_past_the_second() {
    let mut world =
        level("script main\nsleep 5\nteleport player0 far\nteleport player1 other\nend", 4, Role::Host);
    step(&mut world);
    let place = |world: &World, index| world.position(slot(index)).map(|place| place.x);
    assert!((0..4).all(|index| place(&world, index).unwrap().abs() < 1.0));
    assert!(world.kill(slot(2), None));
    (0..5).for_each(|_| drop(step(&mut world)));
    assert_eq!([0, 1, 2, 3].map(|index| place(&world, index)), [Some(15.0), Some(-15.0), None, Some(15.0)]);
    let mut sent = Vec::new();
    world.take_sent(&mut sent);
    assert_eq!(sent, [3, 0, 1].map(slot));
}

/// COOP-05, 56, 61: what is shown changes in the tick of its line and is noted once; a client has it by the host's word, and notes
/// the same.
#[test]
fn what_is_shown_is_noted() {
    let lines = "cinematic on\nletterbox on\ninput off\nhud off\nhelps off\nshaking on\nfade out 9 8 7 30\ncamera one\n\
        timer 90\nvitality 2 3\ncluster all\nsleep 10\ncamera two 20\npause on\nally 0 5\nsleep 30\ncamera off\ntimer off\n\
        cinematic off\ninput on\ncluster off\nvitality off\nfoe 0 5";
    let (mut world, first) = script(lines);
    let mut client = level("", 1, Role::Client);
    let mut told = Vec::new();
    let mut tell = |world: &World, client: &mut World| {
        client.present(world.presentation().unwrap());
        assert_eq!(client.presentation(), world.presentation());
        told.extend(step(client));
    };
    tell(&world, &mut client);
    assert_eq!(
        first.join("|"),
        "cinematic on|letterbox on|input off|hud off|helps off|camera on|timer on|shaking on|vitality on|fade out|cluster 0"
    );
    let shown = *client.presentation().unwrap();
    assert!(shown.cinematic && shown.input_disabled && !shown.shows_hud);
    assert_eq!((shown.fade.colour, shown.fade.ticks, shown.fade.elapsed), ([9, 8, 7], 30, 0));
    assert_eq!((client.active_cluster(), shown.timer.unwrap().ticks), (Some(0), 90));
    assert_eq!(client.scripted_camera().unwrap().position, Vec3::new(0.0, -10.0, 5.0));
    let mut noted = first;
    for tick in 1..60 {
        noted.extend(step(&mut world));
        tell(&world, &mut client);
        let shown = *client.presentation().unwrap();
        assert_eq!(i32::from(shown.fade.elapsed), tick.min(30));
        match tick {
            9 | 10 => assert_eq!(shown.timer.unwrap().ticks, 81, "it stands from the tenth on"),
            20 => {
                // Half the way, and the timer stands.
                let camera = shown.camera.unwrap();
                assert!(camera.position.distance(Vec3::new(5.0, -10.0, 5.0)) < 1e-3, "{camera:?}");
                assert!((camera.field_of_view.to_degrees() - 55.0).abs() < 0.01);
                assert_eq!(
                    (shown.timer.unwrap().ticks, client.is_ally(5), client.allied(0, 5)),
                    (81, true, true)
                );
            }
            _ => {}
        }
    }
    assert_eq!(
        noted[11..].join("|"),
        "ally 5 on|cinematic off|input on|camera off|timer off|vitality off|cluster off|ally 5 off"
    );
    assert_eq!(noted, told);
    assert!(!client.is_ally(5) && !client.allied(0, 5) && client.is_ally(2), "marines are from the begin");
}

/// COOP-61: while input is off no player moves, turns or fires, on the host or elsewhere, whatever it is driven with.
#[test]
fn nobody_moves_in_a_cutscene() {
    for role in [Role::Host, Role::Client] {
        let mut world = level("script main\nsleep 30\ninput off\nsleep 30\ninput on\nend", 1, Role::Host);
        step(&mut world);
        if role == Role::Client {
            let mut client = level("", 1, Role::Client);
            for made in world.objects().filter_map(|id| world.describe(id)).collect::<Vec<_>>() {
                client.make_at(&made);
            }
            client.own(slot(0), world.unit(slot(0)).unwrap());
            client.set_local(slot(0), true);
            world = client;
        }
        let mut walked = [0.0; 3];
        for tick in 1..90_u32 {
            if role == Role::Client {
                let mut shown = *world.presentation().unwrap();
                shown.input_disabled = (30..60).contains(&tick);
                world.present(&shown);
            }
            let (before, aim) = (world.position(slot(0)).unwrap(), world.aim(slot(0)));
            let input = Input {
                throttle: [1.0, 0.0],
                yaw: tick as f32 * 0.01,
                buttons: Buttons::PRIMARY_TRIGGER,
                ..Input::default()
            };
            world.drive(slot(0), input);
            step(&mut world);
            let third = (tick / 30) as usize;
            walked[third] += world.position(slot(0)).unwrap().distance(before);
            // The tick in which scripts say so has been simulated by then.
            if (32..60).contains(&tick) {
                assert_eq!((world.aim(slot(0)), world.is_input_disabled()), (aim, true), "{role:?} {tick}");
            }
        }
        assert!(walked[0] > 2.0 && walked[1] < 0.1 && walked[2] > 2.0, "{role:?} {walked:?}");
    }
}

/// COOP-21, 66: scripts make, delete, move and dress named objects; a client's scenery follows what it is told, and things come
/// with the host's objects.
#[test]
fn named_objects_come_and_go() {
    let lines = "sleep 1\ncreate rock\ncreate gun\ndelete tree\ndelete pack\ncreate rock\nmove rock 1 2 3 90\nscale rock 2\n\
        region rock 1 4\nmove ship 9 9 9 0\nregion ship 2 3\nsleep 1\ncreate tree\ndelete rock";
    let (mut world, first) = script(lines);
    let there =
        |world: &World| (0..5).map(|name| world.object_names().unwrap().contains(name)).collect::<Vec<_>>();
    assert_eq!((first.len(), there(&world)), (0, vec![true, false, true, false, true]));
    let ship = world.named_object(4).unwrap();
    let showed = step(&mut world);
    assert_eq!(
        showed.join("|"),
        format!(
            "create rock|create gun|delete tree|delete pack|move rock|look rock|look rock|move #{0}|look #{0}",
            ship.index()
        )
    );
    assert_eq!(there(&world), [false, true, false, true, true]);
    let rock = world.scenery(1).unwrap();
    assert_eq!(
        (rock.position, rock.scale, rock.regions[..3].to_vec()),
        (Vec3::new(1.0, 2.0, 3.0), 2.0, vec![255, 4, 255])
    );
    assert!(rock.axes.forward.distance(Vec3::new(0.0, 1.0, 0.0)) < 1e-6);
    let (mut transforms, mut looks) = (Vec::new(), Vec::new());
    world.transforms(&mut transforms);
    world.looks(&mut looks);
    assert_eq!(transforms.len(), 1, "what is the host's object is told with those");
    let tag = world.describe(ship).unwrap().tag;
    let objects: Vec<_> = looks.iter().map(|look| look.object).collect();
    assert_eq!(objects, [ObjectName::Object(ship, tag), ObjectName::Named(1)]);
    assert_eq!(world.placement(ship).unwrap().position, Vec3::new(9.0, 9.0, 9.0));

    let mut client = level("", 1, Role::Client);
    assert_eq!(there(&client), [true, false, true, false, true], "as the level has it at the begin");
    assert!(client.has_named(ObjectName::Named(0)) && !client.has_named(ObjectName::Named(1)));
    assert!(!client.has_named(ObjectName::Object(ship, tag)));
    for name in [1, 3] {
        client.make_named(name);
    }
    for name in [0, 2] {
        client.delete_named(name);
    }
    transforms.iter().for_each(|transform| client.set_transform(transform));
    looks.iter().for_each(|look| client.set_look(look));
    assert_eq!((there(&client), client.scenery(1)), (there(&world), world.scenery(1)));
    assert_eq!(client.object_count(), 0, "it makes nothing of the host's");
    // The same word again changes nothing.
    client.drain_events().for_each(drop);
    client.make_named(1);
    client.set_transform(&transforms[0]);
    client.set_look(&looks[1]);
    assert!(step(&mut client).is_empty());

    step(&mut world);
    assert_eq!(there(&world), [true, false, false, true, true]);
    assert_eq!(world.scenery(0).unwrap().axes.forward.y, 1.0, "as the level has it");
    // A thing that is used up is no more.
    let gun = world.named_object(3).unwrap();
    assert!(world.erase(gun));
    assert_eq!((step(&mut world), world.is_named(3)), (vec!["delete gun".to_owned()], false));
}

/// COOP-15, 67: scripts set groups, at once or on their way, and both are counted; a group's devices stand there later.
#[test]
fn scripts_set_devices() {
    let lines =
        "group lift 1\nuntil stands lift 1\ntitle intro\nsnap lift 0\nsleep 5\npower lift 0\ngroup lift 1";
    let (mut world, _) = script(lines);
    let group =
        |world: &World| world.groups().map(|group| (group.value, group.changed, group.snaps)).next().unwrap();
    assert_eq!(group(&world), (1.0, 1, 0));
    let mut ticks = 0;
    while !step(&mut world).contains(&"title intro".to_owned()) {
        ticks += 1;
    }
    // Four wu at a tenth a tick, and one in which it stands.
    assert!((40..=42).contains(&ticks), "{ticks}");
    assert_eq!(group(&world), (0.0, 2, 1));
    step(&mut world);
    assert_eq!(world.devices().next().unwrap().position, 0.0);
    (0..30).for_each(|_| drop(step(&mut world)));
    let device = world.devices().next().unwrap();
    assert_eq!((group(&world), device.position, device.power), ((1.0, 3, 1), 0.0, 0.0));
}

/// COOP-14, 49: a squad rides a dropship as far as it has seats, flies its way once, and is let out beside it, each at a place of its
/// own; its doors are as scripts say, on every machine.
#[test]
fn a_dropship_brings_riders() {
    let lines = "squad riders\nboard riders ship\nfly ship away\nuntil arrived ship\nopen ship\nsleep 5\nunload ship\n\
        until empty ship\nclose ship\nact riders waves\nuntil dead riders\nwin";
    let (mut world, _) = script(lines);
    let ship = world.named_object(4).unwrap();
    let riders = |world: &World| world.riders(ship).unwrap().iter().flatten().count();
    assert_eq!((riders(&world), world.squad_alive(1)), (4, 5), "one finds no seat");
    let aboard: Vec<_> = world.riders(ship).unwrap().into_iter().flatten().collect();
    let mut arrives = 0;
    while !step(&mut world).iter().any(|text| text.starts_with("open")) {
        arrives += 1;
    }
    assert!((49..=52).contains(&arrives), "{arrives}");
    assert!(world.placement(ship).unwrap().position.distance(Vec3::new(20.0, 10.0, 5.0)) < 1e-3);
    assert!(world.has_open_doors(ship));
    let mut showed = Vec::new();
    (0..6).for_each(|_| showed.extend(step(&mut world)));
    assert_eq!((riders(&world), world.has_open_doors(ship)), (0, false), "closed though it stands");
    assert_eq!(showed.iter().filter(|text| text.ends_with(" waves")).count(), 5);
    let places: Vec<_> = aboard.iter().map(|unit| world.placement(*unit).unwrap().position).collect();
    for (at, place) in places.iter().enumerate() {
        assert!(places[..at].iter().all(|other| other.distance(*place) > 0.3), "{places:?}");
    }
    for unit in world.squad_units(1).collect::<Vec<_>>() {
        assert!(world.kill_actor(unit));
    }
    step(&mut world);
    assert_eq!(world.post_game_phase(), 1);

    let mut client = level("", 1, Role::Client);
    let made = world.describe(ship).unwrap();
    client.make_at(&made);
    let unit = ObjectName::Object(ship, made.tag);
    for opens in [true, false] {
        client.show_action(&Action::UnitOpen { unit, opens });
        assert_eq!(client.has_open_doors(ship), opens);
    }
}

/// COOP-39: a level that is won is over as a game is, and its scripts run no more; a failure is noted and nothing else.
#[test]
fn a_level_is_won() {
    let (mut world, _) = script("fail\nfail\nsleep 5\nwin\ntitle intro");
    assert_eq!((world.fails(), world.post_game_phase()), (2, 0));
    for _ in 0..5 {
        step(&mut world);
    }
    assert_eq!((world.post_game_phase(), world.is_played_out()), (1, false));
    let steps = world.decisions().scripts;
    for tick in 0..u32::from(OVER_AFTER) {
        assert!(!world.is_played_out(), "{tick}");
        assert!(step(&mut world).is_empty());
    }
    assert!(world.is_played_out() && world.decisions().scripts == steps);
    let mut won = level("script main\nwin\nend", 1, Role::Host);
    won.step(Tick::ZERO);
    let over = |event: &Event| *event == Event::News(crate::game::News::Over);
    assert_eq!(won.drain_events().filter(over).count(), 1);
}

/// What the way is shown to is where players go: of several the last, a goal alone of goals; gone with what it marks.
#[test]
fn players_go_where_the_way_is_shown() {
    let (world, _) = script("point ship\ngoal far\ngoal other");
    assert_eq!(world.goal().map(|place| place.x), Some(-15.0));
    assert_eq!(world.points().len(), 2, "the ship and the last goal");
    let waypoint = world.waypoint(slot(0)).unwrap();
    assert!(waypoint.stays && waypoint.place.x == -15.0);
    let (world, _) = script("point ship\ngoal far\ngoal off");
    assert_eq!(
        world.goal(),
        world.named_object(4).and_then(|ship| world.placement(ship)).map(|at| at.position)
    );
    let (world, _) = script("point ship\ndelete ship");
    assert_eq!((world.goal(), world.waypoint(slot(0))), (None, None));
}

/// COOP-06: in co-op every player is of one side, whatever the lists say.
#[test]
fn players_are_of_one_side() {
    let world = level("", 4, Role::Host);
    assert!(world.players().all(|(_, player)| player.team == Some(0)));
    assert!(world.are_friends(slot(0), slot(3)));
}

/// COOP-55: two who walk at each other, or stand on one spot. With collisions neither passes the other; without, those of
/// different machines do and those of one do not. Nobody moves faster than it walks, by much.
#[test]
fn players_collide_as_the_settings_say() {
    let meets = |passes: bool, one_machine: bool| {
        let mut world = level("", 0, Role::Host);
        world.set_pass_through(passes);
        for index in 0..2 {
            let machine = Machine::new(if one_machine { 0 } else { index }).unwrap();
            world.join(slot(index), "P", machine, None);
        }
        step(&mut world);
        for (index, x) in [(0, -2.0), (1, 2.0)] {
            world.move_to(slot(index), Vec3::new(x, 0.0, 0.0));
        }
        let mut least = f32::INFINITY;
        for _ in 0..40 {
            for (index, yaw) in [(0, 0.0), (1, std::f32::consts::PI)] {
                world.drive(slot(index), Input { yaw, throttle: [1.0, 0.0], ..Input::default() });
            }
            let before = world.position(slot(0)).unwrap();
            step(&mut world);
            let [one, other] = [0, 1].map(|index| world.position(slot(index)).unwrap());
            least = least.min(one.distance(other));
            assert!(before.distance(one) <= 0.08 + 0.031, "{}", before.distance(one));
        }
        least
    };
    for one_machine in [false, true] {
        let apart = meets(false, one_machine);
        assert!(apart > 0.3, "{one_machine}: {apart}");
    }
    assert!(meets(true, false) < 0.1 && meets(true, true) > 0.3);

    // On one spot, standing: they part to where both have room, at a rate of no walk.
    for (passes, apart) in [(false, 0.4), (true, 0.0)] {
        let mut world = level("", 2, Role::Host);
        world.set_pass_through(passes);
        step(&mut world);
        for index in 0..2 {
            world.move_to(slot(index), Vec3::new(3.0, 3.0, 0.0));
        }
        (0..60).for_each(|_| drop(step(&mut world)));
        let far = world.position(slot(0)).unwrap().distance(world.position(slot(1)).unwrap());
        assert!((far - apart).abs() < 0.02, "{passes}: {far}");
    }
    // Outside co-op they pass, as ever.
    let mut world = level("", 2, Role::Host);
    world.set_rules(Some(crate::game::Rules::named("slayer").unwrap()));
    world.step(Tick::ZERO);
    for index in 0..2 {
        world.move_to(slot(index), Vec3::new(3.0, 3.0, 0.0));
    }
    (0..30).for_each(|tick| world.step(Tick::ZERO.plus(1 + tick)));
    assert_eq!(world.position(slot(0)), world.position(slot(1)));
}

/// A level is its seed and its inputs alone: the same again is the same to the last bit, and every part of it counts.
#[test]
fn a_level_follows_from_its_seed() {
    let scripts = "script main\nsquad foes\ncreate rock\nmove rock 1 1 1 0\nfade out 1 2 3 60\ncamera one\ncamera two 50\nsleep 20\n\
        screen 1 0 0 0.5\npoint far\nend\nscript other continuous\nsleep 3\nsound tick\nend";
    let run = |ticks: u32| {
        let mut world = level(scripts, 2, Role::Host);
        (0..ticks).for_each(|_| drop(step(&mut world)));
        world.state_hash()
    };
    assert_eq!(run(100), run(100));
    let mut world = level(scripts, 2, Role::Host);
    (0..10).for_each(|_| drop(step(&mut world)));
    let was = world.state_hash();
    let mut other = world.clone();
    other.act_for_test("scale rock 3");
    assert_ne!(other.state_hash(), was);
    let mut other = world.clone();
    other.act_for_test("timer 90");
    assert_ne!(other.state_hash(), was);
    assert_eq!(world.state_hash(), was);
}

impl World {
    /// Does a line at once.
    fn act_for_test(&mut self, line: &str) {
        let map = Map::parse(&format!("{FIELD}script main\n{line}\nend")).unwrap();
        self.do_word(&map.campaign, &map.campaign.scripts[0].lines[0]);
    }
}
