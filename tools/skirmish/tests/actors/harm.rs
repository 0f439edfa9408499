//! What actors and players do to each other: where it is decided, and where it is shown.

use mjolnir_skirmish::game::actors::{ENEMIES, PLAYERS};
use mjolnir_skirmish::game::world::BODY_STAYS;
use mjolnir_skirmish::game::{Event, FriendlyFire, GameType, Kind, Rules, World};
use mjolnir_wire::damage::EventKind;
use mjolnir_wire::{Buttons, Input, Machine, ObjectId, Vec3};

use crate::scene::{EAST, aim, client, dealt, field, field_of, left, only, place, run, slot, step};

const GUARD: &str = "squad a 1 guard plasma 6 0 0 180\nplaced a\nkit sniper";

/// A shot of the first player at a unit's middle.
fn shoot(world: &mut World, at: ObjectId) {
    let middle = place(world, at) + Vec3::UP * 0.35;
    let input = Input { buttons: Buttons::PRIMARY_TRIGGER, trigger: 1.0, zoom: Some(0), ..Input::default() };
    aim(world, 0, middle, input);
    step(world);
    aim(world, 0, middle, Input::default());
}

/// DMG-41: a player's shot kills an actor, which nobody's death is: one killing blow of no player, a body that lies and goes,
/// its weapon on the ground; nobody drives it any more.
#[test]
fn an_actor_dies() {
    let mut world = field(GUARD, &[EAST * -10.0]);
    let unit = only(&world);
    let (kills, deaths) = (world.player(slot(0)).unwrap().kills(), world.decisions().deaths);
    let weapon = world.inventory(unit).unwrap().weapons[0].unwrap().object;
    shoot(&mut world, unit);
    let events = dealt(&mut world);
    let said: Vec<_> = events.iter().map(|event| (event.kind, event.object, event.player)).collect();
    assert_eq!(said, [(EventKind::KillingBlow, Some(unit), None)]);
    assert_eq!((events[0].damage.owner, events[0].kill.friendly_fire), (Some(slot(0)), false));
    assert!(!world.stands(unit) && world.actor(unit).is_none() && world.describe(unit).unwrap().dead);
    assert_eq!((world.carrier(weapon), world.decisions().deaths - deaths), (None, 1));
    assert_eq!((world.player(slot(0)).unwrap().kills(), world.squad_alive(0)), (kills, 0));
    assert!(!world.drain_events().any(|event| matches!(event, Event::Died { .. })));
    run(&mut world, u32::from(BODY_STAYS) + 1);
    assert!(world.drain_events().any(|event| event == Event::Deleted(unit)));
}

/// OBJ-50: what an actor shows of a hit is what is missing, and for a while what it took; a major's shield first, which fills
/// again; one without a shield gains none.
#[test]
fn what_an_actor_shows_follows_its_hits() {
    for (lines, shield) in [(GUARD.to_owned(), 0.0), (format!("{GUARD}\nmajors a"), 1.0)] {
        let lines = lines.replace("sniper", "pistol").replace("plasma", "shotgun");
        let mut world = field(&lines, &[EAST * -10.0]);
        let unit = only(&world);
        assert_eq!(left(&world, unit), 1.0 + shield);
        shoot(&mut world, unit);
        for _ in 0..30 {
            if left(&world, unit) < 1.0 + shield {
                break;
            }
            step(&mut world);
        }
        step(&mut world);
        let taken = 1.0 + shield - left(&world, unit);
        let shown = world.shown_damage(unit).unwrap();
        let (of_shield, of_body) = if shield > 0.0 { (taken, 0.0) } else { (0.0, taken) };
        assert!(taken > 0.1);
        let near = |one: f32, other: f32| (one - other).abs() < 1e-5;
        assert!(near(shown.current_shield, of_shield) && near(shown.recent_shield, of_shield), "{shown:?}");
        assert!(near(shown.current_body, of_body) && near(shown.recent_body, of_body), "{shown:?}");
        run(&mut world, 40);
        let shown = world.shown_damage(unit).unwrap();
        assert_eq!((shown.recent_shield, shown.recent_body), (0.0, 0.0));
        run(&mut world, 250);
        let vitality = world.vitality(unit).unwrap();
        assert_eq!((vitality.shield, near(vitality.body, 1.0 - of_body)), (shield, true));
    }
}

/// DMG-01, 02: a client's own player's shot at an actor hurts nobody there and is one hit to report, which the host deals.
#[test]
fn a_clients_shot_at_an_actor_is_reported() {
    let mut host = field(GUARD, &[EAST * -10.0]);
    let unit = only(&host);
    let mut world = client(&host);
    shoot(&mut world, unit);
    let mut hits = Vec::new();
    world.take_hits(&mut hits);
    assert_eq!((hits.len(), hits[0].object, hits[0].damage.owner), (1, unit, Some(slot(0))));
    assert_eq!((left(&world, unit), dealt(&mut world).len()), (1.0, 0));
    assert!(world.stands(unit));
    host.deal_hit(&hits[0]);
    assert!(!host.stands(unit));
    // Its blow fells it on the client, and nobody's death is announced.
    let blow = dealt(&mut host).remove(0);
    world.drain_events();
    assert!(world.replay_kill(&blow) && !world.stands(unit) && world.actor(unit).is_none());
    assert!(!world.replay_kill(&blow));
    assert_eq!(world.drain_events().count(), 0);
}

/// DMG-35: an actor's shots and blows hurt players where it is decided; a client's copy of it fires the same shots, which are
/// seen there and hurt nobody, and are nothing to report.
#[test]
fn an_actors_shots_hurt_on_the_host_alone() {
    let lines = "squad a 1 guard rifle 6 0 0 180\nplaced a";
    let mut host = field_of(lines, &[Vec3::ZERO], Machine::new(1).unwrap(), 4);
    let unit = only(&host);
    let mut world = client(&host);
    let own = world.unit(slot(0)).unwrap();
    let decided = world.decisions();
    let (mut seen, mut shots) = (0, 0);
    for _ in 0..90 {
        let actor = host.actor(unit).unwrap();
        let (team, control) = (actor.team(), *actor.control());
        assert!(world.drive_actor(unit, team, control, Default::default()));
        step(&mut host);
        step(&mut world);
        shots += host.impacts().len();
        seen += world.impacts().len();
    }
    assert!(shots > 5, "{shots}");
    assert_eq!(seen, shots);
    assert!(left(&host, host.unit(slot(0)).unwrap()) < 2.0);
    let events = dealt(&mut host);
    let of = &events[0];
    assert_eq!((of.player, of.damage.owner, of.damage.owner_object), (Some(slot(0)), None, Some(unit)));
    assert_eq!(of.damage.team, Some(u16::from(ENEMIES)));
    let mut hits = Vec::new();
    world.take_hits(&mut hits);
    assert_eq!((left(&world, own), hits.len(), dealt(&mut world).len()), (2.0, 0, 0));
    assert_eq!(world.decisions(), decided);
    // It never runs out.
    assert_eq!(host.in_hand(unit).unwrap().1, Kind::Rifle.firing().unwrap().rounds);
}

/// A blow of an actor's hurts where it is decided, once for each impulse; on a client it is shown alone.
#[test]
fn an_actors_blow_hurts_on_the_host_alone() {
    let lines = "squad a 1 guard rifle 0 0 0 0\nplaced a";
    let mut host = field(lines, &[EAST * 0.6]);
    host.set_harm(false);
    let unit = only(&host);
    while host.actor(unit).unwrap().showed().impulses == 0 {
        // Only the blow is of interest.
        step(&mut host);
        assert!(host.tick().get() < 100);
    }
    let impulse = host.actor(unit).unwrap().control().impulse;
    assert_eq!((impulse.kind, impulse.number), (Some(14), 1));
    let mut world = client(&host);
    world.set_harm(true);
    let control = mjolnir_skirmish::game::actors::Control { impulse, ..*host.actor(unit).unwrap().control() };
    let begins = mjolnir_skirmish::game::actors::Begun { impulse: true, ..Default::default() };
    assert!(world.drive_actor(unit, ENEMIES, control, begins));
    step(&mut world);
    assert_eq!(world.actor(unit).unwrap().showed().impulses, 2);
    assert_eq!((left(&world, world.unit(slot(0)).unwrap()), dealt(&mut world).len()), (2.0, 0));

    host.set_harm(true);
    let mut blows = Vec::new();
    while blows.is_empty() {
        step(&mut host);
        blows.extend(
            dealt(&mut host)
                .into_iter()
                .filter(|event| event.damage.effect == mjolnir_skirmish::game::effects::BLOW.tag),
        );
        assert!(host.tick().get() < 200);
    }
    assert_eq!((blows.len(), blows[0].player, blows[0].damage.owner_object), (1, Some(slot(0)), Some(unit)));
}

/// GLUE-27: a player's shot at an allied actor follows the game's rule for friends; with none, as in co-op, it hurts; at a foe
/// it always does. An actor's own takes nothing of its friends.
#[test]
fn friends_are_spared_by_the_games_rule() {
    let of = |friendly_fire| Some(Rules { friendly_fire, ..Rules::endless(GameType::Slayer, false) });
    for (team, rules, hurt) in [
        (2, None, true),
        (2, of(FriendlyFire::On), true),
        (2, of(FriendlyFire::Off), false),
        (2, of(FriendlyFire::ExplosivesOnly), false),
        (1, of(FriendlyFire::Off), true),
    ] {
        let lines = format!("squad a {team} guard plasma 6 0 0 180\nplaced a\nkit sniper");
        let mut world = field(&lines, &[EAST * -10.0]);
        world.set_rules(rules);
        let unit = only(&world);
        shoot(&mut world, unit);
        assert_eq!(!world.stands(unit), hurt, "{team} {rules:?}");
        let friendly = dealt(&mut world).first().map(|event| event.kill.friendly_fire);
        assert_eq!(friendly, hurt.then_some(team == 2));
    }
    // A foe stands behind a friend: the friend is hit, and nothing is taken of it.
    let lines = "squad a 1 guard rifle 0 0 0 0\nsquad b 1 guard rifle 4 0 0 0\nplaced a b";
    let mut world = field(lines, &[EAST * 8.0]);
    let [first, second] = [0, 1].map(|squad| world.squad_units(squad).next().unwrap());
    let mut met = 0;
    for _ in 0..300 {
        world.move_to(slot(0), EAST * 8.0);
        step(&mut world);
        met += world.impacts().iter().filter(|impact| impact.object == Some(second)).count();
        let player = world.unit(slot(0)).unwrap();
        let vitality = world.vitality(player).unwrap();
        world.set_vitality(player, mjolnir_skirmish::game::Vitality { body: 3.0, ..vitality });
    }
    assert!(met > 3, "{met}");
    assert_eq!((left(&world, first), left(&world, second)), (1.0, 1.0));
    assert!(!world.allied(PLAYERS, ENEMIES));
}

/// Two squads of foes fight each other without any player.
#[test]
fn foes_among_actors_fight() {
    let lines =
        "squad a 1 guard rifle 0 0 0 0 0 2 0 0\nsquad b 2 attack rifle 30 0 0 180 30 2 0 180\nplaced a b";
    let mut world = field(lines, &[]);
    run(&mut world, 900);
    let alive = [0, 1].map(|squad| world.squad_alive(squad));
    assert!(alive.contains(&0), "{alive:?}");
}
