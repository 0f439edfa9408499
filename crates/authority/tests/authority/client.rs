//! What a client does with it.

use super::*;

fn told(of: u8) -> PlayerRow {
    PlayerRow { slot: slot(of), unit: None }
}

fn with(of: u8, unit: ObjectId) -> PlayerRow {
    PlayerRow { slot: slot(of), unit: Some(unit) }
}

fn before(client: &mut Client, rows: &[PlayerRow]) -> Vec<Command> {
    let mut commands = Vec::new();
    client.before_tick(rows, |_| true, &mut commands);
    commands
}

/// AUTH-52, 04, 05: a player gets the unit that the host says, then what goes with it; nothing again unless it
/// changes; its place is handed on and moves nothing here.
#[test]
fn a_client_applies_what_changes() {
    let mut client = Client::new();
    let mut state = alive(1, standing(east(0.1)));
    client.handle_state(tick(5), &state).unwrap();
    let commands = before(&mut client, &[told(1)]);
    assert_eq!(commands[0], Command::Own { slot: slot(1), unit: unit(1) });
    assert!(matches!(commands[1], Command::Vitality { .. }));
    assert_eq!(commands.len(), 2);
    assert!(client.words().is_empty(), "the engine has not given it the unit yet");

    assert_eq!(before(&mut client, &[with(1, unit(1))]), []);
    let words = client.words();
    assert_eq!((words.len(), words[0].tick, words[0].placement), (1, tick(5), Some(standing(east(0.1)))));
    assert_eq!(before(&mut client, &[with(1, unit(1))]), []);
    assert!(client.words().is_empty(), "each state once");

    let Life::Alive(living) = &mut state.life else { panic!() };
    living.body = 0.5;
    living.predicted = Some(1234);
    client.handle_state(tick(6), &state).unwrap();
    let mut vitality = Vitality {
        body: 0.5,
        shield: 1.0,
        flags: ShieldFlags::default(),
        shown: ShownDamage::default(),
        powerups: [0; 2],
        unit_flags: 0,
        camouflage: 0.0,
    };
    let told = |vitality| [Command::Vitality { slot: slot(1), unit: unit(1), vitality }];
    assert_eq!(before(&mut client, &[with(1, unit(1))]), told(vitality));
    assert_eq!(client.words()[0].predicted, Some(1234));

    // Each of the rest by itself, on top of what changed before it.
    let changes: [fn(&mut Vitality); 13] = [
        |of| of.shield = 2.5,
        |of| of.flags.depleted = true,
        |of| of.flags.charging = true,
        |of| of.flags.over_charging = true,
        |of| of.shown.current_body = 0.25,
        |of| of.shown.recent_body = 0.5,
        |of| of.shown.current_shield = 0.75,
        |of| of.shown.recent_shield = 1.25,
        |of| of.powerups[0] = 7,
        |of| of.powerups[1] = 9,
        |of| of.unit_flags = 3,
        |of| of.camouflage = 0.4,
        |of| of.flags.depleted = false,
    ];
    for (stamp, change) in (7..).zip(changes) {
        change(&mut vitality);
        let Vitality { body, shield, flags, shown, powerups, unit_flags, camouflage } = vitality;
        state.shield = flags;
        let Life::Alive(living) = &mut state.life else { panic!() };
        *living = LivingUnit { body, shield, shown, powerups, unit_flags, camouflage, ..*living };
        client.handle_state(tick(stamp), &state).unwrap();
        assert_eq!(before(&mut client, &[with(1, unit(1))]), told(vitality), "{stamp}");
        assert_eq!(before(&mut client, &[with(1, unit(1))]), [], "{stamp}");
    }
}

/// AUTH-53: what a unit rides is handed on as its place is: each state once, and of who rides no place, whatever else is
/// said.
#[test]
fn a_seat_is_handed_on() {
    let mut client = Client::new();
    let ride = Ride { vehicle: Some(unit(300)), seat: 2 };
    for (stamp, placed) in [(5, false), (6, true)] {
        let mut state = alive(1, standing(east(0.1)));
        let Life::Alive(living) = &mut state.life else { panic!() };
        living.ride = Some(ride);
        if !placed {
            living.placement = None;
        }
        client.handle_state(tick(stamp), &state).unwrap();
        before(&mut client, &[with(1, unit(1))]);
        let [word] = client.words() else { panic!("{:?}", client.words()) };
        assert_eq!(
            (word.slot, word.tick, word.placement, word.ride),
            (slot(1), tick(stamp), None, Some(ride))
        );
        before(&mut client, &[with(1, unit(1))]);
        assert!(client.words().is_empty(), "once");
    }
    client.handle_state(tick(7), &alive(1, standing(east(0.1)))).unwrap();
    before(&mut client, &[with(1, unit(1))]);
    assert_eq!((client.words()[0].placement, client.words()[0].ride), (Some(standing(east(0.1))), None));
}

/// AUTH-52: a word that gives a player the unit of another, as damage makes one, waits until the other is without it.
#[test]
fn a_players_unit_is_not_given_to_another() {
    let mut client = Client::new();
    client.handle_state(tick(5), &alive(1, standing(east(1.0)))).unwrap();
    let mut damaged = alive(2, standing(east(2.0)));
    let Life::Alive(living) = &mut damaged.life else { panic!() };
    living.unit = unit(1);
    client.handle_state(tick(5), &damaged).unwrap();
    let told_of = |commands: &[Command], of: u8| {
        commands
            .iter()
            .any(|command| matches!(command, Command::Own { slot: named, .. } if *named == slot(of)))
    };
    let commands = before(&mut client, &[with(1, unit(1)), with(2, unit(2))]);
    assert!(!told_of(&commands, 2), "{commands:?}");
    assert!(client.words().iter().all(|word| word.slot == slot(1)));
    assert!(told_of(&before(&mut client, &[told(1), with(2, unit(2))]), 2));
}

/// AUTH-04, PRED-33: an older state changes nothing, one of the same tick is taken.
#[test]
fn an_older_state_is_not_applied() {
    let mut client = Client::new();
    client.handle_state(tick(5), &alive(1, standing(east(5.0)))).unwrap();
    assert_eq!(client.handle_state(tick(4), &alive(1, standing(east(4.0)))), Err(Error::Old));
    client.handle_state(tick(5), &alive(2, standing(east(2.0)))).unwrap();
    before(&mut client, &[with(1, unit(1)), with(2, unit(2))]);
    let places: Vec<_> = client.words().iter().filter_map(|word| Some(word.placement?.position)).collect();
    assert_eq!(places, [east(5.0), east(2.0)]);
    let ping = Ping { slot: slot(3), milliseconds: Some(80) };
    client.handle_ping(tick(60), &ping).unwrap();
    assert_eq!(client.handle_ping(tick(0), &Ping { milliseconds: None, ..ping }), Err(Error::Old));
    assert_eq!((client.ping(slot(3)), client.ping(slot(4))), (Some(80), None));
}

/// AUTH-44, NET-74: round trips come each 60 ticks: two that agree are the host's time though the first one's stamp was
/// damaged; one that was lost between them changes nothing.
#[test]
fn a_damaged_stamp_silences_no_round_trip() {
    for between in [60, 120] {
        let mut client = Client::new();
        let ping = |milliseconds| Ping { slot: slot(3), milliseconds: Some(milliseconds) };
        client.handle_ping(tick(90_060), &ping(1)).unwrap();
        assert_eq!(client.handle_ping(tick(60), &ping(2)), Err(Error::Old));
        assert_eq!(client.handle_ping(tick(60 + between), &ping(3)), Ok(()));
        assert_eq!(client.ping(slot(3)), Some(3), "{between}");
    }
}

/// NET-74: a state whose stamp was damaged makes no later one an older one; nor does such a round trip.
#[test]
fn a_damaged_stamp_hides_no_state() {
    let mut client = Client::new();
    let at = |number, x| (tick(number), alive(1, standing(east(x))));
    for (stamp, state) in [at(5, 5.0), at(305, 9.0), at(6, 6.0)] {
        assert_eq!(client.handle_state(stamp, &state), Ok(()));
    }
    assert_eq!(client.newest(slot(1)).unwrap().0, tick(6));
    assert_eq!(client.handle_state(tick(5), &at(5, 5.0).1), Err(Error::Old));
    let ping = |milliseconds| Ping { slot: slot(3), milliseconds: Some(milliseconds) };
    for (stamp, milliseconds) in [(60, 1), (400, 2), (120, 3)] {
        assert_eq!(client.handle_ping(tick(stamp), &ping(milliseconds)), Ok(()));
    }
    assert_eq!(client.ping(slot(3)), Some(3));
}

/// AUTH-61: who killed a player is known from its state, once; also to one who comes after the kill.
#[test]
fn a_dead_players_killer_is_known() {
    let mut client = Client::new();
    client.handle_state(tick(5), &dead(1, Some(7))).unwrap();
    let death = Death { killer: Some(slot(7)), ..Death::default() };
    assert_eq!(before(&mut client, &[told(1)]), [Command::Die { slot: slot(1), death }]);
    client.handle_state(tick(6), &dead(1, Some(7))).unwrap();
    assert_eq!(before(&mut client, &[told(1)]), []);
    client.handle_state(tick(7), &alive(1, standing(Vec3::ZERO))).unwrap();
    assert_eq!(before(&mut client, &[told(1)]).len(), 2);
    client.handle_state(tick(8), &dead(1, Some(7))).unwrap();
    assert_eq!(before(&mut client, &[with(1, unit(1))]).len(), 1, "a second death is another");
}

/// OBJ-40: a state before its unit's creation waits for it and is applied when it is there; one of a player the
/// engine does not know waits likewise.
#[test]
fn a_state_waits_for_its_unit() {
    let mut client = Client::new();
    client.handle_state(tick(5), &alive(1, standing(Vec3::ZERO))).unwrap();
    let mut commands = Vec::new();
    client.before_tick(&[told(1)], |_| false, &mut commands);
    client.before_tick(&[], |_| true, &mut commands);
    assert!(commands.is_empty() && client.words().is_empty());
    assert_eq!(before(&mut client, &[told(1)]).len(), 2);
}
