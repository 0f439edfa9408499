//! Every field that is compared, each just inside of what is allowed and just past it, for one second less than its
//! patience and for just that; and every field that decides nothing. In lines as kept and in logs as written.

use std::ops::RangeInclusive;

use super::*;

/// A change of a player, just inside of what is allowed (or, of what must be the same, none) and just past it.
pub(crate) struct Case {
    name: &'static str,
    pub(crate) field: Field,
    /// Seconds in a row that fail.
    pub(crate) patience: usize,
    inside: fn(&mut Player),
    pub(crate) past: fn(&mut Player),
}

/// A change, and what it is of.
type Change<T> = (&'static str, fn(&mut T));

fn body(player: &mut Player) -> &mut Alive {
    player.alive.as_mut().unwrap()
}

fn case(
    name: &'static str,
    (field, patience): (Field, usize),
    inside: fn(&mut Player),
    past: fn(&mut Player),
) -> Case {
    Case { name, field, patience, inside, past }
}

fn same(name: &'static str, field: Field, past: fn(&mut Player)) -> Case {
    case(name, (field, 3), |_| {}, past)
}

/// The player that is changed carries two weapons.
pub(crate) fn cases() -> Vec<Case> {
    let position = (Field::Position, 2);
    let (aim, rounds) = ((Field::Aim, 3), (Field::Rounds, 6));
    vec![
        case("x", position, |p| body(p).position[0] += 1.0, |p| body(p).position[0] += 1.001),
        case("y", position, |p| body(p).position[1] -= 1.0, |p| body(p).position[1] -= 1.001),
        case("z", position, |p| body(p).position[2] += 1.0, |p| body(p).position[2] += 1.001),
        case(
            "all three",
            position,
            |p| body(p).position = [1.6, 2.0, 1.3],
            |p| body(p).position = [1.6, 2.05, 1.3],
        ),
        case("yaw", aim, |p| body(p).aim[0] += 15.0, |p| body(p).aim[0] += 15.1),
        case("yaw back", aim, |p| body(p).aim[0] -= 15.0, |p| body(p).aim[0] -= 15.1),
        case("yaw about", aim, |p| body(p).aim[0] += 375.0, |p| body(p).aim[0] += 180.0),
        case("pitch", aim, |p| body(p).aim[1] -= 15.0, |p| body(p).aim[1] -= 15.1),
        case("body", (Field::Body, 3), |p| body(p).body -= 0.15, |p| body(p).body -= 0.16),
        case("body more", (Field::Body, 3), |p| body(p).body += 0.15, |p| body(p).body += 0.16),
        case("shield", (Field::Shield, 3), |p| body(p).shield -= 0.15, |p| body(p).shield -= 0.16),
        case("shield more", (Field::Shield, 3), |p| body(p).shield += 0.15, |p| body(p).shield += 2.25),
        case("loaded", rounds, |p| body(p).weapons[0].loaded -= 3, |p| body(p).weapons[0].loaded -= 4),
        case("loaded more", rounds, |p| body(p).weapons[1].loaded += 3, |p| body(p).weapons[1].loaded += 4),
        case("reserve", rounds, |p| body(p).weapons[0].reserve += 3, |p| body(p).weapons[0].reserve += 4),
        case(
            "reserve of 2",
            rounds,
            |p| body(p).weapons[1].reserve -= 3,
            |p| body(p).weapons[1].reserve -= 4,
        ),
        same("alive", Field::Alive, |p| p.alive = None),
        same("riding", Field::Riding, |p| body(p).riding = true),
        same("grenade", Field::Grenades, |p| body(p).grenades[0] += 1),
        same("other grenade", Field::Grenades, |p| body(p).grenades[1] -= 1),
        same("first weapon", Field::Weapons, |p| body(p).weapons[0].tag += 1),
        same("second weapon", Field::Weapons, |p| body(p).weapons[1].tag -= 1),
        same("a weapon less", Field::Weapons, |p| body(p).weapons.truncate(1)),
        same("a weapon more", Field::Weapons, |p| body(p).weapons.push(Weapon::default())),
        same("weapons changed about", Field::Weapons, |p| body(p).weapons.swap(0, 1)),
        same("score", Field::Score, |p| p.record.score += 1),
        same("score less", Field::Score, |p| p.record.score -= 1),
        same("kills", Field::Kills, |p| p.record.kills += 1),
        same("deaths", Field::Deaths, |p| p.record.deaths += 1),
        same("team", Field::Team, |p| p.record.team += 1),
    ]
}

/// A game of two players with two weapons each.
pub(crate) fn armed(seconds: u32) -> Game {
    let mut game = Game::of(seconds);
    for player in game.host.iter_mut().chain(&mut game.client).flat_map(|line| &mut line.players) {
        body(player).weapons.push(Weapon { tag: 0x21, loaded: 12, reserve: 48 });
    }
    game
}

/// The same game as it is judged from two logs.
fn written(game: &Game) -> Verdict {
    let log = |lines: &[Line]| -> String {
        lines.iter().map(|line| format!("12:00:00 {line}\nanother line\n")).collect()
    };
    let [host, client] = [&game.host, &game.client].map(|lines| read_log(&log(lines)).unwrap());
    judge(&host, &client).verdict
}

/// Its verdict, whichever way it comes.
#[track_caller]
fn verdict(name: &str, game: &Game) -> Verdict {
    let verdict = game.verdict();
    assert_eq!(written(game), verdict, "{name}: as written");
    verdict
}

/// A game in which one machine has player 1 otherwise in those seconds.
fn changed(of_the_host: bool, seconds: &[RangeInclusive<usize>], change: fn(&mut Player)) -> Game {
    let mut game = seconds.iter().cloned().fold(armed(20), |game, seconds| game.client(seconds, change));
    if of_the_host {
        std::mem::swap(&mut game.host, &mut game.client);
    }
    game
}

/// TOOL-46, 47, 48, 49, 50: each field passes just inside of what is allowed for ever; past it for a second less than it
/// is suffered, again and again; and fails past it for just as long, wherever in the game, on whichever machine.
#[test]
fn each_field_is_judged() {
    for Case { name, field, patience, inside, past } in cases() {
        for of_the_host in [false, true] {
            let changed = |seconds: &[_], change| changed(of_the_host, seconds, change);
            assert_eq!(verdict(name, &changed(&[1..=20], inside)), Verdict::Pass, "{name} inside");
            let less = patience - 1;
            let again: Vec<_> =
                (0..20 / patience).map(|time| time * patience + 1..=(time + 1) * patience - 1).collect();
            assert_eq!(verdict(name, &changed(&again, past)), Verdict::Pass, "{name} again and again");
            for start in 1..=20 - less {
                let game = changed(&[start..=start + less - 1], past);
                assert_eq!(verdict(name, &game), Verdict::Pass, "{name} from {start} on");
            }
            for start in 1..=20 - less {
                let Verdict::Fail(first) = verdict(name, &changed(&[start..=start + less], past)) else {
                    panic!("{name} passes from {start} on");
                };
                let tick = 30 * start as u32;
                assert_eq!((first.player, first.field, first.tick), (Some(1), field, tick), "{name}");
                let said = format!("player 1 tick {tick} {} (host ", field.name());
                assert!(first.to_string().starts_with(&said), "{first}");
            }
        }
    }
}

/// TOOL-45, 49: a player whom one machine does not list, as long as any that must be the same.
#[test]
fn whom_one_does_not_list_is_judged() {
    for of_the_host in [false, true] {
        for (seconds, fails) in [(2, false), (3, true)] {
            let mut game = armed(9);
            let lines = if of_the_host { &mut game.host } else { &mut game.client };
            lines[4..4 + seconds].iter_mut().for_each(|line| drop(line.players.remove(1)));
            let said = verdict("present", &game).to_string();
            let [there, not] = ["listed", "not listed"];
            let [host, client] = if of_the_host { [not, there] } else { [there, not] };
            let failed = format!("FAIL player 1 tick 150 present (host {host}, client {client})");
            assert_eq!(said, if fails { &failed } else { "PASS" });
        }
    }
}

/// TOOL-54, 57: the share of ticks apart, at the bound and past it, in one second or in many; only the host's, and a client's
/// log that has any is none.
#[test]
fn the_drift_is_judged() {
    for (apart, fails) in [(0, false), (59, false), (60, false), (61, true), (100, true)] {
        for seconds in [1, 4, 20] {
            let mut game = armed(20);
            for line in &mut game.host[20 - seconds..] {
                line.drift = Some(Drift { ticks: 100, apart, mean: 0.001, largest: 0.002 });
            }
            let Verdict::Fail(first) = verdict("drift", &game) else {
                assert!(!fails, "{apart} in {seconds} s pass");
                continue;
            };
            assert!(fails, "{apart} in {seconds} s fail");
            let tick = 30 * (21 - seconds as u32);
            assert_eq!((first.player, first.field, first.tick), (Some(0), Field::Drift, tick));
            std::mem::swap(&mut game.host, &mut game.client);
            assert_eq!(verdict("the client's", &game), Verdict::Error(Unjudged::Swapped));
        }
    }
}

/// TOOL-58: what else a player's part of a line says decides nothing, however far apart and however long.
#[test]
fn what_else_is_said_of_a_player_decides_nothing() {
    let fields: [Change<Player>; 10] = [
        ("camouflage", |p| body(p).camouflaged = true),
        ("facing", |p| body(p).facing += 180.0),
        ("look's yaw", |p| body(p).look[0] += 180.0),
        ("look's pitch", |p| body(p).look[1] += 60.0),
        ("aiming screen", |p| body(p).screens[0] += 1),
        ("looking screen", |p| body(p).screens[1] += 1),
        ("animation", |p| body(p).animation += 1),
        ("throttle", |p| body(p).throttle = 0.0),
        ("team kills", |p| p.record.team_kills += 1),
        ("machine", |p| p.record.machine += 1),
    ];
    for (name, change) in fields {
        for of_the_host in [false, true] {
            let game = changed(of_the_host, &[1..=20], change);
            assert_ne!(game.host, game.client, "{name}");
            assert_eq!(verdict(name, &game), Verdict::Pass, "{name}");
        }
    }
}

/// TOOL-58: nor does what a line says of its machine.
#[test]
fn what_else_a_line_says_decides_nothing() {
    let fields: [Change<Line>; 17] = [
        ("on the ground", |line| line.items.on_ground += 9),
        ("created", |line| line.items.created += 9),
        ("deleted", |line| line.items.deleted += 9),
        ("failed", |line| line.items.failed += 9),
        ("removed", |line| line.items.removed += 9),
        ("progress", |line| line.progress = Progress::GameOver),
        ("to win", |line| line.to_win += 9),
        ("sent", |line| line.counts.sent += 9),
        ("received", |line| line.counts.received += 9),
        ("corrected", |line| line.counts.corrected += 9),
        ("reported", |line| line.hits.reported += 9),
        ("dealt", |line| line.hits.dealt += 9),
        ("rejected", |line| line.hits.rejected += 9),
        ("replayed", |line| line.hits.replayed += 9),
        ("local", |line| line.view.slot = None),
        ("camera", |line| line.view.camera = [99.0; 3]),
        ("respawn", |line| line.view.respawn += 99),
    ];
    for (name, change) in fields {
        let mut game = armed(20);
        game.client.iter_mut().for_each(change);
        assert_ne!(game.host, game.client, "{name}");
        assert_eq!(verdict(name, &game), Verdict::Pass, "{name}");
        assert_eq!(judge(&game.host, &game.client).figures.seconds, 20, "{name}");
    }
}

/// TOOL-37: of several fields out the verdict names the one whose seconds began first; of those of one second the lowest
/// player's, and of one player's the first as the line of fields has them; the drift before all.
#[test]
fn the_first_is_named() {
    let mut game = armed(20)
        .client(7..=9, |player| player.record.deaths = 9)
        .client(6..=11, |player| body(player).weapons[0].loaded = 0)
        .client(12..=14, |player| player.alive = None);
    let first = |game: &Game| {
        let Verdict::Fail(first) = game.verdict() else { panic!() };
        (first.tick, first.player, first.field)
    };
    assert_eq!(first(&game), (180, Some(1), Field::Rounds));
    game.client[5..8].iter_mut().for_each(|line| line.players[1].record.team = 9);
    assert_eq!(first(&game), (180, Some(1), Field::Rounds));
    game.client[5..8].iter_mut().for_each(|line| line.players[0].record.team = 9);
    assert_eq!(first(&game), (180, Some(0), Field::Team));
    game.host[18].drift = Some(Drift { ticks: 10, apart: 10, ..Drift::default() });
    assert_eq!(first(&game), (570, Some(0), Field::Drift));
    // Two players of one machine: whose moves they are is not told.
    game.client[19].players[1].record.machine = 0;
    assert_eq!(first(&game), (570, None, Field::Drift));
}

/// TOOL-49: a score that follows only each other second, or comes in bursts, fails.
#[test]
fn a_score_that_follows_now_and_then_fails() {
    for burst in [2_i32, 3, 4] {
        let mut game = armed(20);
        for (second, (host, client)) in (0..).zip(game.host.iter_mut().zip(&mut game.client)) {
            host.players[1].record.score = second;
            client.players[1].record.score = (second / burst * burst - 1).max(0);
        }
        let Verdict::Fail(first) = verdict("bursts", &game) else { panic!("bursts of {burst} pass") };
        assert_eq!((first.player, first.field), (Some(1), Field::Score), "{burst}");
    }
}

/// TOOL-49: a point too few that is there from the first is found once the score stands, and kills and deaths follow nothing.
#[test]
fn a_missing_point_is_found() {
    let grows = |change: fn(&mut Player, i32)| {
        let mut game = armed(20);
        for (second, (host, client)) in (0..).zip(game.host.iter_mut().zip(&mut game.client)) {
            change(&mut host.players[1], 1 + second.min(9));
            change(&mut client.players[1], second.min(9));
        }
        game
    };
    grows(|player, to| player.record.score = to).fails(Field::Score, 330);
    grows(|player, to| player.record.kills = to).fails(Field::Kills, 30);
    grows(|player, to| player.record.deaths = to).fails(Field::Deaths, 30);
}

/// TOOL-46, 47, 48: what is no number, in lines that were never written, is out of bounds.
#[test]
fn no_number_is_out_of_bounds() {
    let cases: [(Field, Change<Alive>); 5] = [
        (Field::Position, ("y", |body| body.position[1] = f64::NAN)),
        (Field::Position, ("y", |body| body.position[1] = f64::INFINITY)),
        (Field::Aim, ("pitch", |body| body.aim[1] = f64::NAN)),
        (Field::Body, ("body", |body| body.body = f64::NAN)),
        (Field::Shield, ("shield", |body| body.shield = f64::NAN)),
    ];
    for (field, (name, change)) in cases {
        let patience = if field == Field::Position { 2 } else { 3 };
        assert_eq!(Game::of(9).living(4..=2 + patience, change).verdict(), Verdict::Pass, "{name}");
        Game::of(9).living(4..=3 + patience, change).fails(field, 120);
    }
}
