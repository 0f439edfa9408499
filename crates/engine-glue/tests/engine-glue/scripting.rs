//! What the host's scripts do and its actors, from one game to the other.

use mjolnir_engine_glue::coop::NameCommand;
use mjolnir_engine_glue::objects::{ActorCommand, ActorRow};
use mjolnir_wire::actors::{ActorDamage, ActorState};
use mjolnir_wire::devices::{DeviceGroup, DeviceState, Setting};
use mjolnir_wire::events::{Action, HudText};
use mjolnir_wire::inputs::PlayerInput;
use mjolnir_wire::presentation::{Presentation, TeamSet};
use mjolnir_wire::scripted::{Look, ObjectNames, ScreenEffect, Transform};
use mjolnir_wire::units::{Life, LivingUnit, Placement, ShieldFlags, UnitState};
use mjolnir_wire::{Axes, Buttons, Input, Kind, MachineSet, ObjectId, ObjectName, Vec3};

use super::game::{Game, Trace, unit_of};
use super::scripts::Did;
use super::table::{Said, Table, slot};

fn help(text: u16) -> Action {
    Action::Hud(HudText::Help(text))
}

fn acts(game: &Game) -> Vec<Action> {
    let act = |did: &Did| if let Did::Act(action) = did { Some(*action) } else { None };
    game.scripts.did.iter().filter_map(act).collect()
}

fn shown(game: &Game) -> Option<Presentation> {
    let show = |did: &Did| if let Did::Show(shown) = did { Some(*shown) } else { None };
    game.scripts.did.iter().rev().find_map(show)
}

/// A level of eight names of which the third and the sixth are there.
fn names() -> ObjectNames {
    let mut names = ObjectNames::none(Some(0), 8);
    names.insert(2);
    names.insert(5);
    names
}

fn stood(name: u16) -> Transform {
    Transform { object: ObjectName::Named(name), position: Vec3::new(1.0, 2.0, 3.0), axes: Axes::UPRIGHT }
}

/// COOP-05, 06: what scripts show, and whose allies the players are, is shown on a client two ticks later; what changes is shown in
/// its turn, and what stays the same is told in each tick.
#[test]
fn what_scripts_show_is_shown() {
    let mut table = Table::playing(1_000);
    let a = table.seat(1);
    table.run(1_000);
    assert_eq!(shown(&table.seats[a].game), None);
    let mut allied = TeamSet::default();
    allied.insert(0);
    allied.insert(2);
    let first = Presentation { cinematic: true, allied, skip_voters: 1, ..Presentation::default() };
    let said = |table: &Table| {
        let is_it = |said: &&Said| **said == Said::Datagram(Kind::CoopPresentation);
        table.network.said.iter().filter(is_it).count()
    };
    for (at, now) in [first, Presentation { letterbox: true, ..first }].into_iter().enumerate() {
        table.game.scripts.shown = Some(now);
        table.run(100);
        let shown = shown(&table.seats[a].game).expect("it was told");
        let Presentation { cinematic, letterbox, allied, .. } = shown;
        assert_eq!((cinematic, letterbox, allied), (now.cinematic, now.letterbox, now.allied), "{at}");
    }
    let before = said(&table);
    table.run(1_000);
    assert!((29..=31).contains(&(said(&table) - before)), "{}", said(&table) - before);
}

/// COOP-07, 09: what scripts did once happens once on each machine, in order; who comes later hears of none of it, and of what comes
/// then.
#[test]
fn what_scripts_did_happens_once() {
    let mut table = Table::playing(1_000);
    let a = table.seat(1);
    table.game.scripts.shown = Some(Presentation::default());
    table.run(1_000);
    table.game.scripts.actions = vec![help(1), help(2)];
    table.run(1_000);
    table.game.scripts.actions = vec![Action::ChapterTitle(3)];
    table.run(1_000);
    let first = [help(1), help(2), Action::ChapterTitle(3)];
    assert_eq!(acts(&table.seats[a].game), first);
    assert!(table.network.first(Said::Stream(Kind::CoopEvents)).is_some(), "once by the stream too");
    let b = table.seat(1);
    table.run(1_000);
    table.game.scripts.actions = vec![help(4)];
    table.run(1_000);
    assert_eq!(acts(&table.seats[b].game), [help(4)]);
    assert_eq!(acts(&table.seats[a].game), [&first[..], &[help(4)]].concat());
}

/// COOP-01: where the engine says that nothing is shown, the game is no co-op, and nothing of scripts is told.
#[test]
fn outside_co_op_nothing_of_scripts_is_told() {
    let mut table = Table::playing(1_000);
    let a = table.seat(1);
    let scripts = &mut table.game.scripts;
    (scripts.names, scripts.transforms) = (Some(names()), vec![stood(2)]);
    scripts.effect = Some(ScreenEffect::default());
    scripts.actions = vec![help(1)];
    table.run(2_000);
    assert_eq!(table.seats[a].game.scripts.did, []);
    for kind in [
        Kind::CoopPresentation,
        Kind::CoopEvents,
        Kind::CoopObjectNames,
        Kind::CoopObjectTransforms,
        Kind::CoopObjectLooks,
        Kind::CoopScreenEffect,
    ] {
        assert_eq!(table.network.first(Said::Datagram(kind)), None, "{kind:?}");
    }
}

/// COOP-21, 59, 66: a machine that joins in the middle has the named objects, where scripts put them, how they look and the screen's
/// effect within a second.
#[test]
fn who_joins_has_what_scripts_did_before() {
    let mut table = Table::playing(1_000);
    let look = Look { object: ObjectName::Named(5), regions: [1; 8], scale: 2.0 };
    let effect = ScreenEffect { has_control: true, ..ScreenEffect::default() };
    let scripts = &mut table.game.scripts;
    scripts.shown = Some(Presentation { shows_hud: true, ..Presentation::default() });
    (scripts.names, scripts.effect) = (Some(names()), Some(effect));
    (scripts.transforms, scripts.looks) = (vec![stood(2)], vec![look]);
    table.run(10_000);
    let a = table.seat(1);
    table.seats[a].game.scripts.names = Some(ObjectNames::none(Some(0), 8));
    table.seats[a].game.scripts.is_client = true;
    table.run(1_000);
    let did = &table.seats[a].game.scripts.did;
    for name in [2, 5] {
        assert!(did.contains(&Did::Name(NameCommand::Make { name })), "{did:?}");
    }
    assert!(did.contains(&Did::Stand(stood(2))) && did.contains(&Did::Look(look)), "{did:?}");
    assert!(
        did.contains(&Did::Effect(effect))
            && shown(&table.seats[a].game).is_some_and(|shown| shown.shows_hud)
    );
    let order = |what: &Did| did.iter().position(|did| did == what);
    assert!(order(&Did::Name(NameCommand::Make { name: 2 })) < order(&Did::Stand(stood(2))));
}

/// COOP-61: while scripts have players' input nobody's stick moves a player or turns it: at once on the host and on the client that
/// was told, and after half a second whatever a client says that it does or where it is; and it does again once they give it back.
#[test]
fn scripts_take_players_input() {
    let mut table = Table::new(1);
    table.begin(1_000);
    table.run(100);
    let a = table.seat(1);
    let raw = table.raw();
    table.run(1_000);
    let buttons = Buttons::JUMP;
    let held =
        Input { throttle: [1.0, 0.5], yaw: 2.0, pitch: 0.5, trigger: 1.0, buttons, ..Input::default() };
    for game in [&mut table.game, &mut table.seats[a].game] {
        game.input = held;
    }
    table.run(500);
    table.game.scripts.shown = Some(Presentation { input_disabled: true, ..Presentation::default() });
    let at = table.host.now_tick();
    let mut position = table.game.place(2).unwrap();
    let mut walked = Vec::new();
    for _ in 0..60 {
        let (now, said) = (table.now, table.host.now_tick());
        let input = PlayerInput {
            slot: slot(2),
            structure_bsp: None,
            friendly_fire: false,
            tick: said,
            host_tick: said,
            input: held,
            history: [buttons; 4],
        };
        table.raws[raw].say(now, said, |outbox| {
            outbox.entry(MachineSet::HOST, Kind::PlayerInputs, |bytes| input.write(bytes)).unwrap();
            // It says that it walks on, too.
            let placement = Placement { position, velocity: Vec3::ZERO, axes: Axes::UPRIGHT };
            let life = Life::Alive(LivingUnit::whole(unit_of(slot(2)), placement));
            let state = UnitState { slot: slot(2), shield: ShieldFlags::default(), life };
            outbox.entry(MachineSet::HOST, Kind::PlayerPrediction, |bytes| state.write(bytes)).unwrap();
        });
        table.run(33);
        let place = table.game.place(2).unwrap();
        walked.push(place);
        position = place + Vec3::new(0.0, 0.07, 0.0);
    }
    let taken = walked.iter().zip(&walked[1..]).filter(|(before, after)| after.y > before.y).count();
    assert!((10..=18).contains(&taken), "its word on where it is is taken for as long: {taken}");
    assert_eq!(walked[20], walked[59], "and no longer");
    let drove = |game: &Game, of: u8, since: i32| -> Vec<(i32, Input)> {
        let of =
            game.driven.iter().filter(|(tick, driven, _)| driven.get() == of && *tick > at.get() + since);
        of.map(|(tick, _, input)| (*tick, *input)).collect()
    };
    let is_still = |(tick, input): &(i32, Input)| {
        let Input { throttle, trigger, buttons, zoom, yaw, pitch, .. } = *input;
        assert_eq!((throttle, trigger, buttons, zoom), ([0.0; 2], 0.0, Buttons::default(), None), "{tick}");
        assert_eq!((yaw, pitch), (held.yaw, held.pitch), "{tick}: it aims where it did");
    };
    let own = drove(&table.game, 0, 1);
    assert!(own.len() >= 50, "{}", own.len());
    own.iter().for_each(is_still);
    let client = drove(&table.seats[a].game, 1, 4);
    assert!(client.len() >= 50, "{}", client.len());
    client.iter().for_each(is_still);
    // What the liar holds drives it for as long as an honest one's could be on its way.
    let liar = drove(&table.game, 2, 0);
    assert_eq!(liar.iter().filter(|(_, input)| input.throttle != [0.0; 2]).count(), 16, "{liar:?}");
    liar[17..].iter().for_each(is_still);
    // Nor does what it held come to others with the three ticks before.
    let relayed = drove(&table.seats[a].game, 2, 25);
    assert!(relayed.len() >= 25, "{}", relayed.len());
    for (tick, Input { throttle, trigger, buttons, .. }) in relayed {
        assert_eq!((throttle, trigger, buttons), ([0.0; 2], 0.0, Buttons::default()), "{tick}");
    }

    table.game.scripts.shown = Some(Presentation::default());
    table.run(500);
    let last =
        |game: &Game, of: u8| game.driven.iter().rev().find(|(_, driven, _)| driven.get() == of).unwrap().2;
    assert_eq!(
        (last(&table.game, 0).throttle, last(&table.seats[a].game, 1).throttle),
        ([1.0, 0.5], [1.0, 0.5])
    );
}

/// OBJ-34, 36, 50: a unit that an actor of the host's drives does the same on each client, shows its shield and body, and stands
/// still after two seconds without a word.
#[test]
fn an_actors_unit_is_driven_on_clients() {
    let mut table = Table::playing(1_000);
    let unit = ObjectId::new(700, 1).unwrap();
    table.game.walk(unit, Vec3::new(3.0, 0.0, 0.0));
    let a = table.seat(1);
    table.run(1_000);
    let place = table.game.place_of(unit).unwrap();
    let state = ActorState { throttle: [1.0, 0.0, 0.0], ..ActorState::still(unit, place) };
    let damage = ActorDamage { unit, shield: 0.5, recent_shield: 0.25, body: 1.0, recent_body: 0.0 };
    table.game.scripts.actors = vec![ActorRow { state, damage }];
    table.run(500);
    let did = |table: &Table| -> Vec<ActorCommand> {
        let of = |did: &Did| if let Did::Actor(command) = did { Some(*command) } else { None };
        table.seats[a].game.scripts.did.iter().filter_map(of).collect()
    };
    let driven = did(&table).into_iter().filter_map(|command| match command {
        ActorCommand::Drive { state, .. } => Some(state.throttle[0]),
        _ => None,
    });
    let driven: Vec<_> = driven.collect();
    assert!((12..=15).contains(&driven.len()) && driven.iter().all(|ahead| *ahead == 1.0), "{driven:?}");
    assert!(did(&table).contains(&ActorCommand::Show(damage)));
    table.game.scripts.actors.clear();
    table.run(1_900);
    assert!(!did(&table).contains(&ActorCommand::Stop { unit }));
    table.run(200);
    assert_eq!(did(&table).iter().filter(|command| **command == ActorCommand::Stop { unit }).count(), 1);
}

/// GLUE-02: a client shows what scripts show and makes what they named before objects, and lets happen what is about objects after
/// those.
#[test]
fn what_is_about_objects_comes_after_them() {
    let mut table = Table::playing(1_000);
    let id = ObjectId::new(300, 1).unwrap();
    table.game.lay(id, Vec3::ZERO);
    table.game.scripts.shown = Some(Presentation::default());
    let a = table.seat(1);
    table.seats[a].game.scripts.names = Some(ObjectNames::none(Some(0), 8));
    table.seats[a].game.scripts.is_client = true;
    table.run(1_000);
    let trace = Trace::default();
    table.seats[a].game.trace = Some(trace.clone());
    let scripts = &mut table.game.scripts;
    (scripts.names, scripts.actions) = (Some(names()), vec![help(1)]);
    scripts.transforms = vec![stood(2)];
    table.game.put(id, Vec3::UP);
    table.run(1_000);
    let trace = trace.borrow();
    let first = |what: &str| trace.iter().position(|did| *did == what).unwrap();
    assert!(first("name") < first("stand") && first("place") < first("act"), "{trace:?}");
    let act = first("act");
    let drive = act + trace[act..].iter().position(|did| *did == "drive").unwrap();
    assert!(!trace[act..drive].contains(&"simulate"), "{trace:?}");
}

/// COOP-03, 07, 16, OBJ-33, NET-33: a client that sends what only a host may, well formed, by datagrams, by the stream and thrown by hand:
/// each message is refused and counted, and neither the host's game nor another client's is asked anything.
#[test]
fn a_client_scripts_nothing() {
    let mut table = Table::playing(1_000);
    let a = table.seat(1);
    let raw = table.raw();
    table.game.scripts.shown = Some(Presentation::default());
    let unit = ObjectId::new(700, 1).unwrap();
    table.game.walk(unit, Vec3::new(3.0, 0.0, 0.0));
    table.run(1_000);
    let (before, did) = (table.host.counters(), table.seats[a].game.scripts.did.len());
    let shows = |game: &Game| {
        let other = |did: &&Did| !matches!(did, Did::Show(shown) if *shown == Presentation::default());
        game.scripts.did[did..].iter().filter(other).count()
    };
    let (turns, of_client) = (table.game.turns(), table.seats[a].game.turns());
    let device = ObjectName::Named(3);
    let mut kinds = 0_u64;
    for by_stream in [false, true] {
        let (now, at) = (table.now, table.host.now_tick());
        table.raws[raw].say(now, at, |outbox| {
            let mut put = |kind: Kind, write: &dyn Fn(&mut Vec<u8>)| {
                if by_stream {
                    // What travels by datagrams alone is refused by this end already.
                    kinds += u64::from(outbox.reliable_entry(MachineSet::HOST, kind, |to| write(to)).is_ok());
                } else {
                    outbox.entry(MachineSet::HOST, kind, |to| write(to)).unwrap();
                    kinds += 1;
                }
            };
            let damage = ActorDamage { unit, shield: 0.5, recent_shield: 0.25, body: 1.0, recent_body: 0.0 };
            put(Kind::CoopEvents, &|to| help(1).write(1, to));
            put(Kind::CoopPresentation, &|to| {
                Presentation { input_disabled: true, ..Presentation::default() }.write(to);
            });
            put(Kind::CoopDeviceGroups, &|to| {
                let of = Setting::Group(0);
                DeviceGroup { of, value: 1.0, snaps: 1, changed: 1 }.write(to);
            });
            put(Kind::CoopDeviceStates, &|to| {
                DeviceState { device, moving: false, position: 1.0, power: 0.0 }.write(to);
            });
            put(Kind::CoopObjectNames, &|to| names().write(to));
            put(Kind::CoopObjectTransforms, &|to| stood(2).write(to));
            put(Kind::CoopObjectLooks, &|to| {
                Look { object: device, regions: [1; 8], scale: 2.0 }.write(to);
            });
            put(Kind::CoopScreenEffect, &|to| ScreenEffect::default().write(to));
            put(Kind::ActorStates, &|to| ActorState::still(unit, Vec3::ZERO).write(to));
            put(Kind::ActorDamage, &|to| damage.write(to));
        });
        table.run(200);
    }
    let after = table.host.counters();
    let sum = |counters: &mjolnir_engine_glue::Counters| counters.refused.values().sum::<u64>();
    assert!(kinds >= 11, "{kinds}");
    assert_eq!(sum(&after) - sum(&before), kinds, "{:?}", after.refused);
    assert_eq!(after.refused.get("wrong_sender"), Some(&kinds), "{:?}", after.refused);
    assert_eq!((table.game.turns(), table.seats[a].game.turns()), (turns, of_client));
    assert_eq!((table.game.scripts.did.len(), shows(&table.seats[a].game)), (0, 0));
}

/// COOP-07, 13, 14: scripts that make an object and have it open in the same tick: a client whose stream is behind does that once the
/// object is there, after it and before what came later, though the datagrams are there long before.
#[test]
fn what_is_about_what_was_just_made_comes_after_it() {
    use mjolnir_wire::{Creation, ObjectChange, Tag};

    use super::foreign::Foreign;

    let mut foreign: Foreign = Foreign::of(1, Game::new());
    let ship = ObjectId::new(70, 1).unwrap();
    let opens = Action::UnitOpen { unit: ObjectName::Object(ship, Tag(2)), opens: true };
    let by_stream = |outbox: &mut mjolnir_wire::Outbox, number, action: Action| {
        let to = MachineSet::CLIENTS;
        outbox.reliable_entry(to, Kind::CoopEvents, |bytes| action.write(number, bytes)).unwrap();
    };
    foreign.step(|outbox| by_stream(outbox, 1, help(1)));
    foreign.run(2);
    assert_eq!(acts(&foreign.game), [help(1)]);
    foreign.step(|outbox| {
        for (number, action) in [(2, opens), (3, help(3))] {
            let to = MachineSet::CLIENTS;
            outbox.entry(to, Kind::CoopEvents, |bytes| action.write(number, bytes)).unwrap();
        }
    });
    foreign.run(20);
    assert_eq!(acts(&foreign.game), [help(1)], "it waits");
    foreign.step(|outbox| {
        let made = ObjectChange::Create(Creation::plain(ship, Tag(2), Vec3::ZERO));
        outbox.reliable_entry(MachineSet::CLIENTS, Kind::ObjectChanges, |to| made.write(to)).unwrap();
        by_stream(outbox, 2, opens);
        by_stream(outbox, 3, help(3));
    });
    foreign.run(2);
    assert_eq!(acts(&foreign.game), [help(1), opens, help(3)]);
    assert!(foreign.game.place_of(ship).is_some());
}
