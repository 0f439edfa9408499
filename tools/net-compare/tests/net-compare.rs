//! The judging of two logs, as a program sees it: written logs in, a verdict out.
#![allow(clippy::unwrap_used, reason = "the functions here serve tests alone")]

#[path = "net-compare/any.rs"]
mod any;
#[path = "net-compare/fields.rs"]
mod fields;
#[path = "net-compare/logs.rs"]
mod logs;

use mjolnir_net_compare::{
    Alive, Drift, Fault, Field, Line, LineError, Player, Progress, Record, Side, Unjudged, Verdict, View,
    Weapon, judge, last_game, read_log,
};

/// One line of each form: alive, riding, dead, several players.
const GOLDEN: &str = "network test: tick 90 player 0: (1.000 2.000 0.500) h1.00/0.75 g2/1 w a90.0/-5.0 f90.0 \
    l90.0/-5.0 as0/0 st3 thr1.00 1a2b:60+600 s3 k3 d1 f0 t0 m0 player 1: (4.000 2.000 0.600) h1.00/1.00 riding \
    g0/0 w a0.0/0.0 f0.0 l0.0/0.0 as0/0 st0 thr0.00 s0 k0 d2 f0 t1 m1 player 2: dead s1 k1 d1 f0 t1 m2 | items 4 \
    (+12 -8 !0 x3) | playing to 25 | sent 840 received 812 corrected 2 | hits 3 dealt 3 rejected 0 replayed 2 | \
    local 0 camera (1.000 2.000 1.100) respawn 0 | drift 58 0 0.000000 0.000000";

fn alive() -> Alive {
    Alive {
        position: [1.0, 2.0, 0.5],
        body: 1.0,
        shield: 0.75,
        grenades: [2, 1],
        aim: [90.0, -5.0],
        facing: 90.0,
        look: [90.0, -5.0],
        animation: 3,
        throttle: 1.0,
        weapons: vec![Weapon { tag: 0x1a2b, loaded: 60, reserve: 600 }],
        ..Alive::default()
    }
}

fn player(slot: u8) -> Player {
    Player { slot, alive: Some(alive()), record: Record { machine: slot.into(), ..Record::default() } }
}

/// A game of so many seconds on both machines, two players standing still.
struct Game {
    host: Vec<Line>,
    client: Vec<Line>,
}

impl Game {
    fn of(seconds: u32) -> Self {
        let line = |second| Line {
            tick: 30 * second,
            players: vec![player(0), player(1)],
            to_win: 25,
            drift: Some(Drift::default()),
            view: View { slot: Some(0), ..View::default() },
            ..Line::default()
        };
        let lines: Vec<Line> = (1..=seconds).map(line).collect();
        Self { host: lines.clone(), client: lines }
    }

    /// Changes the client's view of player 1 in those seconds.
    fn client(mut self, seconds: std::ops::RangeInclusive<usize>, change: impl Fn(&mut Player)) -> Self {
        for second in seconds {
            change(&mut self.client[second - 1].players[1]);
        }
        self
    }

    /// The same of one who lives.
    fn living(self, seconds: std::ops::RangeInclusive<usize>, change: impl Fn(&mut Alive)) -> Self {
        self.client(seconds, |player| change(player.alive.as_mut().expect("alive")))
    }

    fn verdict(&self) -> Verdict {
        judge(&self.host, &self.client).verdict
    }

    #[track_caller]
    fn passes(&self) {
        assert_eq!(self.verdict(), Verdict::Pass);
    }

    #[track_caller]
    fn fails(&self, field: Field, tick: u32) {
        let Verdict::Fail(first) = self.verdict() else { panic!("{}", self.verdict()) };
        assert_eq!((first.player, first.field, first.tick), (Some(1), field, tick));
    }
}

/// TOOL-55: the golden line reads and is written back byte for byte.
#[test]
fn golden_line_comes_back() {
    let line: Line = GOLDEN.parse().unwrap();
    assert_eq!(line.to_string(), GOLDEN);
    assert_eq!(line.tick, 90);
    assert_eq!(line.player(0).unwrap().alive, Some(alive()));
    assert!(line.player(1).unwrap().alive.as_ref().unwrap().riding);
    assert_eq!(line.player(2).unwrap().alive, None);
    assert_eq!(line.player(2).unwrap().record.score, 1);
    assert_eq!((line.items.created, line.items.removed, line.to_win), (12, 3, 25));
    assert_eq!((line.counts.sent, line.hits.replayed, line.view.camera[2]), (840, 2, 1.1));
    assert_eq!(line.drift.unwrap().ticks, 58);
}

/// TOOL-55: the forms that the golden line has not.
#[test]
fn other_forms_come_back() {
    let changed = |from: &str, to: &str| {
        let text = GOLDEN.replacen(from, to, 1);
        assert_ne!(text, GOLDEN, "{from}");
        let line: Line = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(line.to_string(), text);
        line
    };
    assert!(changed(" riding", " riding camo").players[1].alive.as_ref().unwrap().camouflaged);
    assert_eq!(changed("playing", "game over").progress, Progress::GameOver);
    assert_eq!(changed("local 0", "local -1").view.slot, None);
    assert_eq!(changed("s3 k3", "s-3 k3").players[0].record.score, -3);
    assert_eq!(changed(" | drift 58 0 0.000000 0.000000", "").drift, None);
    assert_eq!(changed("60+600", "60+600 0021:8+0").players[0].alive.as_ref().unwrap().weapons.len(), 2);
    let none =
        GOLDEN.replacen(&GOLDEN[GOLDEN.find(" player").unwrap()..GOLDEN.find(" | items").unwrap()], "", 1);
    assert_eq!(none.parse::<Line>().unwrap().to_string(), none);
}

/// TOOL-56: a tag's low 16 bits in hexadecimal with its rounds loaded and in reserve; angles with one decimal.
#[test]
fn tags_rounds_and_angles_as_written() {
    let tag = 0xE1F4_0021_u32 as u16;
    let mut wanted = Line { players: vec![player(0)], ..Line::default() };
    let body = wanted.players[0].alive.as_mut().unwrap();
    body.weapons = vec![Weapon { tag, loaded: 12, reserve: 48 }];
    body.aim = [359.96, -0.04];
    let text = wanted.to_string();
    assert!(text.contains(" 0021:12+48 "), "{text}");
    assert!(text.contains(" a360.0/-0.0 "), "{text}");
}

/// TOOL-57: a client's drift is 0.
#[test]
fn no_drift_is_written_as_zeros() {
    let line = Line { drift: Some(Drift::default()), ..Line::default() };
    assert!(line.to_string().ends_with(" | drift 0 0 0.000000 0.000000"));
}

/// TOOL-55: another build's decimals are read.
#[test]
fn decimals_are_read_in_any_number() {
    let line: Line = GOLDEN.replacen("(1.000 2.000 0.500)", "(1 2.00 0.500000)", 1).parse().unwrap();
    assert_eq!(line.to_string(), GOLDEN);
}

/// TOOL-55: a line cut anywhere is refused, where it was cut, but in its last number and before the drift.
#[test]
fn cut_lines_are_refused() {
    let bare = GOLDEN.find(" | drift").unwrap();
    let last_number = GOLDEN.rfind(' ').unwrap() + 1;
    for cut in 0..GOLDEN.len() {
        let parsed = GOLDEN[..cut].parse::<Line>();
        if cut == bare || cut > last_number {
            assert!(parsed.is_ok(), "{cut}");
        } else {
            let error = parsed.expect_err(&GOLDEN[..cut]);
            assert!(error.at <= cut, "{cut}: {error}");
        }
    }
}

/// TOOL-55: any byte changed gives a line or an error, never a panic, and what is read can be written.
#[test]
fn changed_lines_never_panic() {
    for at in 0..GOLDEN.len() {
        for byte in (0x20..0x7f).chain([0, b'\t', b'\n']) {
            let mut bytes = GOLDEN.as_bytes().to_vec();
            bytes[at] = byte;
            let text = String::from_utf8(bytes).unwrap();
            if let Ok(line) = text.parse::<Line>() {
                assert_eq!(line.to_string().parse::<Line>().unwrap(), line, "{text}");
            }
        }
    }
    for text in ["", "é", "network test: tick é", "network test: tick 90 player 0: (1.é"] {
        assert!(text.parse::<Line>().is_err());
    }
}

/// TOOL-55: what is wrong is named with its place.
#[test]
fn malformed_lines_name_the_fault() {
    let fault = |from: &str, to: &str| {
        let error = GOLDEN.replacen(from, to, 1).parse::<Line>().unwrap_err();
        let at = GOLDEN.find(from).unwrap();
        (error.at - at, error.fault)
    };
    assert_eq!(fault("tick 90", "tick x"), (5, Fault::Number));
    assert_eq!(fault("tick 90", "tick -1"), (5, Fault::Range));
    assert_eq!(fault("player 1:", "player 0:"), (7, Fault::Repeated));
    assert_eq!(fault("player 1:", "player 256:"), (7, Fault::Range));
    assert_eq!(fault("h1.00/", "h1.00|"), (5, Fault::Expected("/")));
    assert_eq!(fault("(1.000", "(nan"), (1, Fault::Number));
    assert_eq!(fault("1a2b:", "11a2b:"), (0, Fault::Range));
    let (_, trailing) = fault("0.000000 0.000000", "0.000000 0.000000 x");
    assert_eq!(trailing, Fault::Trailing);
    let error = LineError { at: 24, fault: Fault::Expected("/") };
    assert_eq!(error.to_string(), "byte 24: expected \"/\"");
}

/// TOOL-58: a log's other lines are passed over; a malformed one is an error with its number.
#[test]
fn logs_are_read_past_other_lines() {
    let log = format!("a start\n12:00:01 {GOLDEN}\r\nchat notice: x\n{GOLDEN}\n");
    assert_eq!(read_log(&log).unwrap().len(), 2);
    let error = read_log(&format!("x\n{}\n{GOLDEN}\n", &GOLDEN[..100])).unwrap_err();
    assert_eq!(error.line, 2);
    assert!(error.error.at <= 100);
}

/// TOOL-58: the line that was being written as its machine ended is left out.
#[test]
fn last_line_may_be_cut() {
    let log = format!("{GOLDEN}\n{}", &GOLDEN[..100]);
    assert_eq!(read_log(&log).unwrap().len(), 1);
    assert!(read_log(&format!("{log}\n")).is_err());
}

/// TOOL-58: of two games in a log the last is judged, whether its ticks begin anew or go on after the first's end.
#[test]
fn last_game_is_judged() {
    let fine = Game::of(5);
    let bad = Game::of(5).living(1..=5, |body| body.position[0] += 5.0);
    let host = [fine.host.clone(), fine.host.clone()].concat();
    let client = [bad.client, fine.client].concat();
    assert_eq!(judge(&host, &client).verdict, Verdict::Pass);
    assert_eq!(last_game(&host).len(), 5);

    let mut on: Vec<Line> = Game::of(6).host;
    on[2].progress = Progress::GameOver;
    assert_eq!(last_game(&on)[0].tick, 120);
    assert_eq!(last_game(&on[..3]).len(), 3);
    assert_eq!(last_game(&[]).len(), 0);
}

/// TOOL-45: only equal ticks are compared.
#[test]
fn only_equal_ticks_are_compared() {
    let mut game = Game::of(10).living(1..=10, |body| body.position[0] += 5.0);
    for line in &mut game.client[..9] {
        line.tick += 1;
    }
    game.passes();
    assert_eq!(judge(&game.host, &game.client).figures.seconds, 1);
    game.client[9].tick += 1;
    assert_eq!(game.verdict(), Verdict::Error(Unjudged::NothingInCommon));
}

/// TOOL-46: position within 1 wu; out 2 seconds in a row fails.
#[test]
fn position() {
    let out = |body: &mut Alive| body.position[0] += 1.01;
    Game::of(9).living(3..=3, out).living(5..=5, out).passes();
    Game::of(9).living(4..=5, out).fails(Field::Position, 120);
    Game::of(9).living(1..=9, |body| body.position[2] -= 1.0).passes();
}

/// TOOL-47: aim within 15 degrees, the short way round; out 3 seconds in a row fails.
#[test]
fn aim() {
    let out = |body: &mut Alive| body.aim[0] += 15.1;
    Game::of(9).living(2..=3, out).passes();
    Game::of(9).living(2..=4, out).fails(Field::Aim, 60);
    Game::of(9).living(2..=4, |body| body.aim[1] -= 15.1).fails(Field::Aim, 60);
    Game::of(9).living(1..=9, |body| body.aim = [105.0, 10.0]).passes();
    let mut across = Game::of(9).living(1..=9, |body| body.aim[0] = 1.0);
    for line in &mut across.host {
        line.players[1].alive.as_mut().unwrap().aim[0] = 359.0;
    }
    across.passes();
}

/// TOOL-48: body and shield within 0.15; out 3 seconds in a row fails.
#[test]
fn vitality() {
    Game::of(9).living(1..=3, |body| body.body -= 0.151).fails(Field::Body, 30);
    Game::of(9).living(1..=3, |body| body.shield += 0.151).fails(Field::Shield, 30);
    Game::of(9).living(1..=2, |body| body.body -= 0.151).passes();
    Game::of(9).living(1..=9, |body| body.body -= 0.149).passes();
    Game::of(9).living(1..=9, |body| body.shield = 0.9).passes();
}

/// TOOL-49: what must be the same may differ for 2 seconds in a row, not for 3.
#[test]
fn equal_fields() {
    let case = |field, change: fn(&mut Player)| {
        Game::of(9).client(4..=5, change).client(7..=8, change).passes();
        Game::of(9).client(4..=6, change).fails(field, 120);
    };
    case(Field::Alive, |player| player.alive = None);
    case(Field::Riding, |player| player.alive.as_mut().unwrap().riding = true);
    case(Field::Grenades, |player| player.alive.as_mut().unwrap().grenades = [1, 2]);
    case(Field::Weapons, |player| player.alive.as_mut().unwrap().weapons[0].tag += 1);
    case(Field::Weapons, |player| player.alive.as_mut().unwrap().weapons.clear());
    case(Field::Score, |player| player.record.score += 1);
    case(Field::Kills, |player| player.record.kills += 1);
    case(Field::Deaths, |player| player.record.deaths += 1);
    case(Field::Team, |player| player.record.team += 1);
}

/// TOOL-49: a player whom one machine does not list is a difference as well.
#[test]
fn missing_player() {
    let mut game = Game::of(5);
    game.client[0].players.pop();
    game.client[1].players.pop();
    game.passes();
    game.client[2].players.pop();
    game.fails(Field::Present, 30);
}

/// TOOL-49: while a player is dead on one machine alone, what only the living have is not compared.
#[test]
fn dead_are_compared_as_dead() {
    let out = |body: &mut Alive| body.position[0] += 9.0;
    let game = Game::of(9).living(3..=3, out).client(4..=4, |player| player.alive = None).living(5..=5, out);
    game.passes();
}

/// TOOL-50: rounds within 3; out 6 seconds in a row fails.
#[test]
fn rounds() {
    let by = |rounds: i32| move |body: &mut Alive| body.weapons[0].loaded -= rounds;
    Game::of(9).living(2..=6, by(4)).passes();
    Game::of(9).living(2..=7, by(4)).fails(Field::Rounds, 60);
    Game::of(9).living(2..=7, |body| body.weapons[0].reserve += 4).fails(Field::Rounds, 60);
    Game::of(9).living(1..=9, by(3)).passes();
}

/// TOOL-58: facing, looks, screens, animation, throttle, camouflage, items, hits and the camera decide nothing.
#[test]
fn what_is_not_judged() {
    let mut game = Game::of(9).living(1..=9, |body| {
        body.facing += 90.0;
        body.look = [0.0, 0.0];
        body.screens = [1, 2];
        body.animation = 0;
        body.throttle = 0.0;
        body.camouflaged = true;
    });
    for line in &mut game.client {
        line.items.on_ground = 9;
        line.hits.dealt = 9;
        line.view.camera = [9.0; 3];
    }
    game.passes();
}

/// TOOL-57: a client's log that compares moves is a host's; so logs that stand the wrong way round are an error, and no
/// drift goes unjudged.
#[test]
fn logs_the_wrong_way_round_are_errors() {
    let mut game = Game::of(4);
    game.host[1].drift = Some(Drift { ticks: 30, apart: 30, mean: 0.002, largest: 0.01 });
    assert!(matches!(judge(&game.host, &game.client).verdict, Verdict::Fail(_)));
    let swapped = judge(&game.client, &game.host).verdict;
    assert_eq!(swapped, Verdict::Error(Unjudged::Swapped));
    assert_eq!(swapped.to_string(), "ERROR the client logged a drift, as hosts do");
}

/// TOOL-44: a log without drift is an error, whichever machine's.
#[test]
fn logs_without_drift_are_errors() {
    let mut game = Game::of(5);
    game.client[3].drift = None;
    assert_eq!(game.verdict(), Verdict::Error(Unjudged::NoDrift(Side::Client)));
    game.host[0].drift = None;
    assert_eq!(game.verdict(), Verdict::Error(Unjudged::NoDrift(Side::Host)));
    assert_eq!(judge(&[], &game.client).verdict, Verdict::Error(Unjudged::Empty(Side::Host)));
    assert_eq!(judge(&Game::of(1).host, &[]).verdict, Verdict::Error(Unjudged::Empty(Side::Client)));
}

/// TOOL-54: more than 60 % of the host's ticks apart fails, at the first second that compared any.
#[test]
fn drift() {
    let apart = |ticks: [u64; 2]| {
        let mut game = Game::of(4);
        game.host[1].drift = Some(Drift { ticks: 30, apart: ticks[0], mean: 0.002, largest: 0.01 });
        game.host[2].drift = Some(Drift { ticks: 70, apart: ticks[1], mean: 0.001, largest: 0.02 });
        judge(&game.host, &game.client)
    };
    let allowed = apart([30, 30]);
    assert_eq!(allowed.verdict, Verdict::Pass);
    let drift = allowed.figures.drift;
    assert_eq!((drift.ticks, drift.apart, drift.largest), (100, 60, 0.02));
    assert!((drift.mean - 0.0013).abs() < 1e-12);
    let Verdict::Fail(first) = apart([30, 31]).verdict else { panic!() };
    assert_eq!((first.tick, first.player, first.field), (60, Some(0), Field::Drift));
    assert_eq!(first.to_string(), "player 0 tick 60 drift (61 of 100 ticks apart, 60% allowed)");
}

/// TOOL-49: a score that grows each second may be a second old for as long as it follows; one that is two seconds old, or
/// does not grow, may not.
#[test]
fn a_score_that_grows_each_second_follows() {
    let growing = |late: u32, until: u32| {
        let mut game = Game::of(9);
        for (second, (host, client)) in (0..).zip(game.host.iter_mut().zip(&mut game.client)) {
            host.players[1].record.score = second;
            client.players[1].record.score = (second - late as i32).clamp(0, until as i32);
        }
        game
    };
    growing(1, 9).passes();
    growing(2, 9).fails(Field::Score, 60);
    growing(1, 4).fails(Field::Score, 210);
    growing(0, 4).fails(Field::Score, 180);
}

/// TOOL-37: PASS, FAIL with the first divergent player, tick and field, ERROR, and a line of figures.
#[test]
fn verdicts_as_written() {
    let game = Game::of(12)
        .client(7..=9, |player| player.record.score = 9)
        .living(11..=12, |body| body.position[0] += 2.0)
        .living(3..=3, |body| body.position[1] += 0.5);
    assert_eq!(game.verdict().to_string(), "FAIL player 1 tick 210 score (host 0, client 9)");
    let figures = judge(&game.host, &game.client).figures;
    assert_eq!((figures.seconds, figures.positions, figures.largest_wu), (12, 24, 2.0));
    assert_eq!(
        figures.to_string(),
        "12 s, positions 0.188 wu apart, 2.000 at most, 0 of 0 ticks apart (0%, 0.000000 wu at most), corrected 0 and 0"
    );
    let later = Game::of(12).living(11..=12, |body| body.position[0] += 2.0);
    let said = later.verdict().to_string();
    assert_eq!(
        said,
        "FAIL player 1 tick 330 position (host (1.000 2.000 0.500), client (3.000 2.000 0.500))"
    );
    assert_eq!(Game::of(1).verdict().to_string(), "PASS");
    assert_eq!(judge(&[], &[]).verdict.to_string(), "ERROR the host logged nothing");
}
