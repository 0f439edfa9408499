//! What flies and what explodes, from outside; and whose of it harm is: dealt, reported, or another machine's to tell of.
#![allow(clippy::unwrap_used, reason = "a test's helper fails its test")]

use mjolnir_skirmish::game::effects::{self, AREA, Effect};
use mjolnir_skirmish::game::objects::BIPED;
use mjolnir_skirmish::game::projectiles::Response;
use mjolnir_skirmish::game::{Event, FriendlyFire, GameType, Kind, Map, Role, Rules, Tuning, World};
use mjolnir_wire::damage::{Damage, DamageEvent, EventKind, Hit};
use mjolnir_wire::{Axes, Buttons, Input, Machine, ObjectId, Slot, Tick, Vec3};

const ANN: Slot = slot(0);
const BOB: Slot = slot(1);
const CID: Slot = slot(2);

const fn slot(index: u8) -> Slot {
    match Slot::new(index) {
        Some(slot) => slot,
        None => panic!("no slot"),
    }
}

fn elsewhere() -> Machine {
    Machine::new(1).unwrap()
}

/// Ann at that machine with that weapon and grenades; Bob so far east of her, of the host's; Cid aside of him, of a third.
fn field(lines: &str, weapon: Kind, apart: f32, machine: Machine, rules: Rules) -> World {
    let text = format!(
        "bounds -90 -90 -5 90 90 30\nbox -94 -94 -1 94 94 0\n{lines}\nspawn 0 0 0 0\nspawn 40 0 0 0\nspawn 0 40 0 0"
    );
    let mut world = World::new(&Map::parse(&text).unwrap(), 1, Tuning::default());
    world.set_harm(true);
    world.set_rules(Some(rules));
    let third = Machine::new(2).unwrap();
    for (who, machine) in [(ANN, machine), (BOB, Machine::HOST), (CID, third)] {
        let team = if who == CID || !rules.teams { who.get() } else { 0 };
        world.join(who, "P", machine, Some(team));
    }
    world.step(Tick::new(1).unwrap());
    world.move_to(ANN, Vec3::ZERO);
    world.move_to(BOB, Vec3::new(apart, 0.0, 0.0));
    world.move_to(CID, Vec3::new(apart, 40.0, 0.0));
    world.give(ANN, weapon).unwrap();
    let mut has = world.inventory(world.unit(ANN).unwrap()).unwrap();
    has.grenades = [4, 4];
    assert!(world.set_inventory(&has));
    world.drain_events();
    world.set_role(Role::Host);
    world
}

fn free() -> Rules {
    Rules::endless(GameType::Slayer, false)
}

fn run(world: &mut World, ticks: u32) {
    for _ in 0..ticks {
        world.step(world.tick().next());
    }
}

fn fire(world: &mut World, pitch: f32) {
    world.drive(ANN, Input { buttons: Buttons::PRIMARY_TRIGGER, pitch, ..Input::default() });
    run(world, 1);
    world.drive(ANN, Input::default());
}

fn throw(world: &mut World, which: u8, pitch: f32) {
    let input = Input { buttons: Buttons::THROW_GRENADE, grenade: Some(which), pitch, ..Input::default() };
    world.drive(ANN, input);
    run(world, 1);
    world.drive(ANN, Input::default());
}

/// Where the first of what flies is.
fn first(world: &World) -> Option<Vec3> {
    world.projectiles().next().map(|projectile| projectile.place())
}

fn left(world: &World, who: Slot) -> f32 {
    let vitality = world.unit(who).and_then(|unit| world.vitality(unit));
    vitality.map_or(0.0, |vitality| vitality.shield + vitality.body)
}

fn dealt(world: &mut World) -> Vec<DamageEvent> {
    let mut dealt = Vec::new();
    world.take_dealt(&mut dealt);
    dealt
}

fn hits(world: &mut World) -> Vec<Hit> {
    let mut hits = Vec::new();
    world.take_hits(&mut hits);
    hits
}

/// DMG-01, DMG-02, DMG-35: the same hit is dealt by the host of its own player, is nobody's on the host of a client's, waits
/// to be reported on that client, and is nobody's on any other; hurt is nobody but where it is dealt.
#[test]
fn a_hit_is_its_owners_machines() {
    for kind in [Kind::Rifle, Kind::Pistol, Kind::Plasma, Kind::Sniper, Kind::Launcher] {
        for (role, machine, local, deals, reports) in [
            (Role::Host, Machine::HOST, false, true, false),
            (Role::Host, elsewhere(), false, false, false),
            (Role::Client, elsewhere(), true, false, true),
            (Role::Client, elsewhere(), false, false, false),
        ] {
            let mut world = field("", kind, 5.0, machine, free());
            world.set_role(role);
            world.set_local(ANN, local);
            let decisions = world.decisions();
            fire(&mut world, 0.0);
            assert!(world.fired(ANN) && !world.fired(BOB));
            run(&mut world, 9);
            assert_eq!(left(&world, BOB) < 2.0, deals, "{kind:?} {role:?} {local}");
            assert_eq!(dealt(&mut world).is_empty(), !deals);
            // A rocket is its explosion and its shock wave.
            let wanted = usize::from(reports) * if kind == Kind::Launcher { 2 } else { 1 };
            let of = hits(&mut world);
            assert_eq!(of.len(), wanted, "{kind:?} {role:?} {local}");
            if role == Role::Client {
                assert_eq!((left(&world, BOB), world.decisions()), (2.0, decisions));
            }
            for hit in of {
                let shape = world.shape(hit.object).unwrap();
                assert_eq!((hit.damage.owner, hit.target), (Some(ANN), shape.place));
                assert_eq!(hit.damage.origin, hit.damage.epicentre);
                assert!(hit.damage.origin.distance(hit.target) <= shape.size);
                assert!((hit.damage.direction.length() - 1.0).abs() < 1e-5);
                assert!((0.0..=1.0).contains(&hit.damage.scale));
                let deals = effects::deals(kind.tag(), hit.damage.effect);
                assert!(deals.is_some(), "{kind:?} does not deal {:?}", hit.damage.effect);
            }
        }
    }
}

/// DMG-01: where shots shall not hurt nothing flies and nothing is dealt, reported or taken from a report.
#[test]
fn without_harm_nothing_is_hit() {
    for role in [Role::Host, Role::Client] {
        let mut world = field("", Kind::Launcher, 5.0, Machine::HOST, free());
        world.set_role(role);
        world.set_local(ANN, true);
        fire(&mut world, 0.0);
        run(&mut world, 9);
        let report = hits(&mut world);
        let mut world = field("", Kind::Launcher, 5.0, Machine::HOST, free());
        world.set_harm(false);
        world.set_role(role);
        world.set_local(ANN, true);
        fire(&mut world, 0.0);
        throw(&mut world, 0, 0.0);
        assert_eq!(world.projectiles().count(), 0);
        report.iter().for_each(|hit| world.deal_hit(hit));
        run(&mut world, 200);
        assert_eq!((left(&world, BOB), dealt(&mut world), hits(&mut world)), (2.0, vec![], vec![]));
    }
}

/// DMG-01: what a client reports the host deals as it is, and a client takes no report.
#[test]
fn a_report_is_dealt_where_it_is_decided() {
    let mut client = field("", Kind::Launcher, 5.0, elsewhere(), free());
    client.set_role(Role::Client);
    client.set_local(ANN, true);
    fire(&mut client, 0.0);
    run(&mut client, 9);
    let reports = hits(&mut client);
    let mut alone = field("", Kind::Launcher, 5.0, Machine::HOST, free());
    fire(&mut alone, 0.0);
    run(&mut alone, 9);
    let mut host = field("", Kind::Launcher, 5.0, elsewhere(), free());
    reports.iter().for_each(|hit| {
        host.deal_hit(hit);
        client.deal_hit(hit);
    });
    assert_eq!(left(&client, BOB), 2.0);
    let of = |world: &mut World| {
        dealt(world).into_iter().map(|event| (event.kind, event.total_damage)).collect::<Vec<_>>()
    };
    assert_eq!((left(&host, BOB), of(&mut host)), (left(&alone, BOB), of(&mut alone)));
    assert!(left(&host, BOB) < 2.0);
}

/// DMG-36, DMG-63: a rocket of a client that left deals what it hits, as its own while its slot is its own; once another has
/// the slot it is nobody's, team and object as they were. Before that its machine tells.
#[test]
fn a_rocket_outlives_its_owners_stay() {
    for (leaves, comes, owner) in [(false, false, None), (true, false, Some(ANN)), (true, true, None)] {
        let mut world = field("", Kind::Launcher, 20.0, elsewhere(), free());
        let unit = world.unit(ANN).unwrap();
        fire(&mut world, 0.0);
        run(&mut world, 3);
        if leaves {
            world.leave(ANN);
        }
        if comes {
            assert!(world.join(ANN, "Ann again", elsewhere(), Some(7)));
        }
        run(&mut world, 30);
        let events = dealt(&mut world);
        assert_eq!(events.is_empty(), !leaves, "{leaves} {comes}");
        assert_eq!(left(&world, BOB) < 2.0, leaves);
        for event in &events {
            let damage = event.damage;
            assert_eq!((damage.owner, damage.team, damage.owner_object), (owner, Some(0), Some(unit)));
        }
    }
}

/// DMG-63: a rocket whose owner left kills; once another has its slot the blow has no owner and no killer's score, all else in
/// it as it was, and is to nobody's credit.
#[test]
fn a_strangers_rocket_is_to_nobodys_credit() {
    let killed = |comes: bool| {
        let mut world = field("", Kind::Launcher, 20.0, elsewhere(), free());
        assert!(world.damage(BOB, 1.9, None));
        fire(&mut world, 0.0);
        run(&mut world, 3);
        world.leave(ANN);
        if comes {
            assert!(world.join(ANN, "Ann again", elsewhere(), Some(7)));
        }
        dealt(&mut world);
        run(&mut world, 30);
        let of = |slot: Slot| world.player(slot).map(|player| (player.kills(), player.score()));
        let credit = [of(ANN), of(CID)];
        (dealt(&mut world), credit)
    };
    let ((own, of_ann), (strange, of_next)) = (killed(false), killed(true));
    let unowned = |event: &DamageEvent| DamageEvent {
        damage: Damage { owner: None, ..event.damage },
        killer_score: 0,
        ..*event
    };
    assert!(own.iter().any(|event| event.kind == EventKind::KillingBlow), "{own:?}");
    assert_eq!(strange, own.iter().map(unowned).collect::<Vec<_>>());
    assert_eq!((of_ann, of_next), ([Some((1, 1)), Some((0, 0))], [Some((0, 0)); 2]));
}

/// DMG-63: on a client a rocket whose owner's slot is its own player's now is reported by nobody.
#[test]
fn a_client_reports_no_strangers_rocket() {
    for (stranger, reports) in [(true, 0), (false, 2)] {
        let mut world = field("", Kind::Launcher, 20.0, elsewhere(), free());
        world.set_role(Role::Client);
        world.set_local(ANN, true);
        fire(&mut world, 0.0);
        if stranger {
            world.leave(ANN);
            world.join(ANN, "Ann again", elsewhere(), Some(0));
            world.set_local(ANN, true);
        }
        run(&mut world, 30);
        assert_eq!(hits(&mut world).len(), reports);
    }
}

/// PRED-34: on a client its own player's weapon works in the same tick: what flies is there, its round is gone; others' are
/// shown, and their rounds are the host's to count.
#[test]
fn own_shots_are_there_at_once() {
    for (local, spent) in [(true, 1), (false, 0)] {
        let mut world = field("", Kind::Launcher, 30.0, elsewhere(), free());
        world.set_role(Role::Client);
        world.set_local(ANN, local);
        let unit = world.unit(ANN).unwrap();
        let has = |world: &World| (world.in_hand(unit).unwrap().1, world.inventory(unit).unwrap().grenades);
        let (rounds, _) = has(&world);
        fire(&mut world, 0.3);
        let flies: Vec<_> = world.projectiles().map(|it| (it.slot(), it.tag(), it.age())).collect();
        assert_eq!(flies, [(Some(ANN), effects::ROCKET.tag, 0)]);
        assert_eq!(has(&world), (rounds - spent, [4, 4]));
        throw(&mut world, 0, 0.3);
        throw(&mut world, 1, 0.3);
        // The second is thrown too soon.
        assert_eq!(world.projectiles().count(), 2);
        assert_eq!(has(&world), (rounds - spent, [4 - spent as u8, 4]));
        run(&mut world, u32::from(effects::THROW_EVERY));
        throw(&mut world, 1, 0.3);
        assert_eq!(world.projectiles().count(), 3);
        let mut throws = Vec::new();
        world.take_throws(&mut throws);
        assert_eq!(throws, [], "a client tells of no throw");
    }
}

/// A frag goes off 60 ticks after its first bounce, wherever it lies then: its explosion and its shock wave once to each that
/// they reach, less further off, and to nobody behind a wall.
#[test]
fn a_frag_goes_off_after_its_bounce() {
    for (wall, hurts) in [("", true), ("box 4 -3 0  4.2 3 3", false)] {
        let mut world = field(wall, Kind::Rifle, 60.0, Machine::HOST, free());
        throw(&mut world, 0, -0.6);
        let mut throws = Vec::new();
        world.take_throws(&mut throws);
        assert_eq!(throws, [(ANN, Kind::Grenades.tag())]);
        let mut bounced = None;
        let mut at = Vec3::ZERO;
        while let Some(place) = first(&world) {
            at = place;
            if bounced.is_none() && !world.impacts().is_empty() {
                bounced = Some(world.tick());
            }
            // Out of its own reach, and beside where it lies.
            world.move_to(ANN, Vec3::new(-30.0, 0.0, 0.0));
            let aside = if wall.is_empty() { 1.2 } else { (4.5 - at.x).max(0.6) };
            world.move_to(BOB, Vec3::new(at.x + aside, 0.0, 0.0));
            if bounced.is_none() {
                world.move_to(BOB, Vec3::new(60.0, 0.0, 0.0));
            }
            run(&mut world, 1);
        }
        assert_eq!(world.tick().get() - bounced.unwrap().get(), 60, "{at:?}");
        let events = dealt(&mut world);
        let of: Vec<_> = events
            .iter()
            .filter(|event| event.kind != EventKind::ScreenEffect)
            .map(|event| (event.player, event.damage.effect, event.damage.flags))
            .collect();
        if hurts {
            let tags = [effects::FRAG_BLAST.tag, effects::FRAG_SHOCK.tag];
            assert_eq!(of, tags.map(|tag| (Some(BOB), tag, AREA)), "{at:?}");
            let scale = events[0].damage.scale;
            assert!(scale > 0.3 && scale < 0.9, "{scale}");
            assert!((2.0 - left(&world, BOB) - events[0].total_damage - 0.05 * 1.0).abs() < 0.06);
        } else {
            assert_eq!(of, []);
            assert_eq!(left(&world, BOB), 2.0, "{at:?}");
        }
    }
}

/// A sticky grenade is carried by whom it sticks to and goes off 45 ticks later: to that one directly, to another near it as
/// area damage, to neither twice.
#[test]
fn a_sticky_is_carried() {
    let mut world = field("", Kind::Rifle, 3.0, Machine::HOST, free());
    throw(&mut world, 1, -0.15);
    let mut ticks = 0;
    while !world.projectiles().next().unwrap().is_stuck() {
        run(&mut world, 1);
        ticks += 1;
        assert!(ticks < 30);
    }
    world.move_to(BOB, Vec3::new(50.0, -50.0, 0.0));
    world.move_to(CID, Vec3::new(50.8, -50.0, 0.0));
    run(&mut world, 44);
    let place = world.projectiles().next().unwrap().place();
    assert!(place.distance(Vec3::new(50.0, -50.0, 0.4)) < 0.5, "{place:?}");
    assert_eq!(dealt(&mut world), []);
    run(&mut world, 1);
    let events = dealt(&mut world);
    let of: Vec<_> = events
        .iter()
        .filter(|event| event.kind != EventKind::ScreenEffect)
        .map(|event| (event.player, event.damage.flags, event.damage.scale < 1.0))
        .collect();
    assert_eq!(of, [(Some(BOB), 0, false), (Some(CID), AREA, true)]);
    assert_eq!(world.projectiles().count(), 0);
}

/// DMG-51, DMG-52: what a shot does where it hits follows from the host's word of shield and body, on the host's own copies
/// as on the client that fired: in 100 of 100, either kind of answer among them.
#[test]
fn copies_answer_alike() {
    let mut seen = [0; 2];
    for round in 0..100_u8 {
        let answer = |role: Role| {
            let mut world = field("", Kind::Plasma, 5.0, elsewhere(), free());
            let shield = if round % 3 == 0 { 0.0 } else { 0.01 * f32::from(round) };
            assert!(world.damage(BOB, if round % 3 == 0 { 1.3 } else { 1.0 - shield }, None));
            world.set_role(role);
            world.set_local(ANN, role == Role::Client);
            fire(&mut world, 0.002 * f32::from(round % 7));
            let mut of = Vec::new();
            for _ in 0..12 {
                run(&mut world, 1);
                let flies = world.projectiles().map(|it| (it.place(), it.velocity())).collect::<Vec<_>>();
                of.push((world.impacts().to_vec(), flies));
            }
            of
        };
        let (host, client) = (answer(Role::Host), answer(Role::Client));
        assert_eq!(host, client, "{round}");
        for (impacts, _) in &host {
            for impact in impacts {
                match impact.response {
                    Response::Shield => seen[0] += 1,
                    Response::Flesh => seen[1] += 1,
                    _ => {}
                }
            }
        }
        // What a shield deflected flies on.
        let is_deflected = !host.last().unwrap().1.is_empty();
        assert_eq!(is_deflected, round % 3 != 0, "{round}");
    }
    assert_eq!(seen, [66, 34]);
}

/// A shotgun's 15 pellets are the same on every machine, whoever decides there; near by all hit, far off few.
#[test]
fn pellets_are_alike_everywhere() {
    let pellets = |apart: f32, role: Role, machine: Machine| {
        let mut world = field("", Kind::Shotgun, apart, machine, free());
        world.set_role(role);
        world.set_local(ANN, role == Role::Client);
        fire(&mut world, -0.05);
        let reports = hits(&mut world).len();
        (world.impacts().iter().map(|impact| (impact.place, impact.response)).collect::<Vec<_>>(), reports)
    };
    let (host, reported) = pellets(1.0, Role::Host, elsewhere());
    let (client, reports) = pellets(1.0, Role::Client, elsewhere());
    assert_eq!((host.len(), reported, reports), (15, 0, 15));
    assert_eq!(host, client);
    let on_bob = |apart| {
        let (impacts, _) = pellets(apart, Role::Host, Machine::HOST);
        impacts.iter().filter(|(_, response)| *response == Response::Shield).count()
    };
    assert!((1..10).contains(&on_bob(8.0)), "{}", on_bob(8.0));
}

/// GLUE-27: explosives spare a friend where the options say so, and oneself nowhere; a friend's shield alone is hurt where
/// they say that.
#[test]
fn explosives_hurt_friends_as_the_options_say() {
    for (friendly_fire, spared, shield_alone) in [
        (FriendlyFire::On, false, false),
        (FriendlyFire::Off, true, false),
        (FriendlyFire::ShieldsOnly, false, true),
        (FriendlyFire::ExplosivesOnly, false, false),
    ] {
        let rules = Rules { friendly_fire, ..Rules::endless(GameType::Slayer, true) };
        let mut world = field("", Kind::Launcher, 1.2, Machine::HOST, rules);
        fire(&mut world, -0.45);
        run(&mut world, 2);
        assert!(left(&world, ANN) < 2.0, "{friendly_fire:?}");
        let of_bob: Vec<_> =
            dealt(&mut world).into_iter().filter(|event| event.player == Some(BOB)).collect();
        assert_eq!(of_bob.is_empty(), spared, "{friendly_fire:?}");
        assert_eq!(of_bob.iter().any(|event| event.body_damage > 0.0), !spared && !shield_alone);
        assert_eq!(left(&world, BOB) == 2.0, spared, "{friendly_fire:?}");
    }
}

/// GLUE-27: in co-op, where nobody has chosen otherwise, an explosion hurts who fired it and none of those who are in it together;
/// where no level is played and no rule holds it hurts both.
#[test]
fn players_in_it_together_spare_each_other() {
    for (level, spared) in [("campaign", true), ("", false)] {
        let mut world =
            field(level, Kind::Launcher, 1.2, Machine::HOST, Rules::endless(GameType::Slayer, true));
        world.set_rules(None);
        assert_eq!((world.is_coop(), world.are_friends(ANN, BOB)), (spared, true));
        fire(&mut world, -0.45);
        run(&mut world, 2);
        assert!(left(&world, ANN) < 2.0);
        assert_eq!(left(&world, BOB) == 2.0, spared);
    }
}

/// D04: a kill is one death and one killing blow, with the killer's score after it; whoever is dead is hit no more, and what
/// explodes beside its body pushes that.
#[test]
fn a_kill_is_dealt_once() {
    let mut world = field("", Kind::Launcher, 6.0, Machine::HOST, free());
    let unit = world.unit(BOB).unwrap();
    fire(&mut world, 0.0);
    run(&mut world, 10);
    let events = dealt(&mut world);
    let blows: Vec<_> = events.iter().filter(|event| event.kind == EventKind::KillingBlow).collect();
    assert_eq!((blows.len(), world.unit(BOB)), (1, None));
    let blow = blows[0];
    assert_eq!((blow.player, blow.object, blow.killer_score), (Some(BOB), Some(unit), 1));
    assert_eq!((blow.damage.owner, blow.kill.friendly_fire, blow.kill.by_vehicle), (Some(ANN), false, false));
    let deaths = world.drain_events().filter(|event| matches!(event, Event::Died { .. })).count();
    assert_eq!((deaths, world.player(BOB).unwrap().deaths()), (1, 1));
    assert!(world.placement(unit).unwrap().velocity.x > 0.0, "the blow throws it");
    for _ in 0..20 {
        world.deal_hit(&Hit {
            object: unit,
            damage: blow.damage,
            target: Vec3::ZERO,
            normal: None,
            parts: blow.parts,
        });
    }
    assert_eq!((dealt(&mut world), world.player(ANN).unwrap().kills()), (vec![], 1));
}

/// Falls, and the console's word, are told as any blow is, by nobody and by whom it says.
#[test]
fn every_death_has_its_blow() {
    let mut world = field("", Kind::Rifle, 6.0, Machine::HOST, free());
    world.move_to(BOB, Vec3::new(30.0, 30.0, 20.0));
    world.kill(CID, Some(ANN));
    run(&mut world, 200);
    let blows: Vec<_> = dealt(&mut world)
        .into_iter()
        .filter(|event| event.kind == EventKind::KillingBlow)
        .map(|event| (event.player, event.damage.owner, event.damage.effect, event.killer_score))
        .collect();
    assert_eq!(
        blows,
        [(Some(CID), Some(ANN), effects::WORD.tag, 1), (Some(BOB), None, effects::FALL.tag, 0)]
    );
}

/// A vehicle that is hit says so and is pushed by what pushes; who drives it has no hand free to fire or throw.
#[test]
fn a_vehicle_is_hit() {
    let mut world = field("item car 6 0 0.1", Kind::Launcher, 30.0, Machine::HOST, free());
    let car = world.objects().find(|id| world.kind(*id) == Some(Kind::Car)).unwrap();
    run(&mut world, 60);
    fire(&mut world, -0.02);
    run(&mut world, 9);
    let of: Vec<(Option<ObjectId>, _)> =
        dealt(&mut world).iter().map(|event| (event.object, event.damage.effect)).collect();
    assert_eq!(of, [(Some(car), effects::ROCKET_BLAST.tag), (Some(car), effects::ROCKET_SHOCK.tag)]);
    assert!(world.motion(car).unwrap().velocity.x > 0.0);
    run(&mut world, 60);
    let unit = world.unit(ANN).unwrap();
    assert!(world.set_seat(unit, Some((car, 0))));
    let rounds = world.in_hand(unit);
    fire(&mut world, 0.0);
    throw(&mut world, 0, 0.0);
    assert_eq!((world.projectiles().count(), world.in_hand(unit)), (0, rounds));
}

/// A gun upon a vehicle fires from where it is, and hits neither its gunner nor the vehicle.
#[test]
fn a_gun_hits_what_it_is_aimed_at() {
    let mut world = field("item turret 0 5 0.1", Kind::Rifle, 10.0, Machine::HOST, free());
    let turret = world.objects().find(|id| world.kind(*id) == Some(Kind::Turret)).unwrap();
    world.move_to(BOB, Vec3::new(10.0, 5.0, 0.0));
    let firing = Kind::Turret.gun().unwrap();
    world.fire_gun(ANN, &firing, Vec3::new(0.0, 5.0, 0.4), 0.0, 0.0, turret);
    let events = dealt(&mut world);
    assert_eq!((events[0].player, events[0].damage.owner_object), (Some(BOB), Some(turret)));
    let taken = Effect::of(events[0].damage.effect).unwrap().amount;
    assert!((left(&world, BOB) - (2.0 - taken)).abs() < 1e-5);
}

/// The same inputs are the same fight: explosions, grenades and all, to the last bit.
#[test]
fn the_same_fight_is_the_same() {
    let fight = || {
        let mut world = field("box 8 -3 0 9 3 1", Kind::Launcher, 6.0, Machine::HOST, free());
        for round in 0..12_u8 {
            fire(&mut world, 0.05 * f32::from(round % 5) - 0.1);
            throw(&mut world, round % 2, 0.1 * f32::from(round % 3));
            run(&mut world, 23);
        }
        world.state_hash()
    };
    assert_eq!(fight(), fight());
}

/// GLUE-27: where no friend is to be hurt a friend's hit takes nothing, and one's own, an enemy's, that of nobody and of somebody
/// unknown do; so does a fall, a friend's hit where no teams play, and any of a unit that is no player's.
#[test]
fn only_friends_are_spared() {
    let off = |teams| Rules { friendly_fire: FriendlyFire::Off, ..Rules::endless(GameType::Slayer, teams) };
    let open = |teams| field("", Kind::Pistol, 5.0, Machine::HOST, off(teams));
    let mut client = open(true);
    client.set_role(Role::Client);
    client.set_local(ANN, true);
    fire(&mut client, 0.0);
    run(&mut client, 9);
    let hit = hits(&mut client)[0];
    let by = |owner| Hit { damage: Damage { owner, ..hit.damage }, ..hit };
    for (owner, hurts) in
        [(Some(ANN), false), (Some(BOB), true), (Some(CID), true), (None, true), (Some(slot(9)), true)]
    {
        let mut world = open(true);
        assert_eq!(world.unit(BOB), Some(hit.object));
        world.deal_hit(&by(owner));
        assert_eq!(left(&world, BOB) < 2.0, hurts, "{owner:?}");
    }

    let mut world = open(true);
    world.move_to(BOB, Vec3::new(5.0, 0.0, 4.0));
    run(&mut world, 60);
    let falls = dealt(&mut world);
    assert!(
        falls.iter().any(|of| (of.player, of.damage.owner) == (Some(BOB), None) && of.total_damage > 0.0)
    );

    // Of one team still, but teams are nothing there.
    let mut world = open(true);
    world.set_rules(Some(off(false)));
    world.deal_hit(&by(Some(ANN)));
    assert!(left(&world, BOB) < 2.0);

    let mut world = open(true);
    let actor = world.make(BIPED, Vec3::new(8.0, 0.0, 0.0), Axes::UPRIGHT, None).unwrap();
    let whole = world.vitality(actor).unwrap();
    world.deal_hit(&Hit { object: actor, ..by(Some(ANN)) });
    assert_ne!(world.vitality(actor), Some(whole));
}
