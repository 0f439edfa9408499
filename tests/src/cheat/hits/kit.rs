//! The lies about hits that are tried, each with the most that the rows let it come to. The arithmetic is the rows', with the
//! reference game's numbers; nothing is asked of the code that keeps them.

use mjolnir_skirmish::game::Kind;
use mjolnir_skirmish::game::effects::{
    BLOW, BLOW_EVERY, Effect, FRAG_BLAST, FRAG_TAP, GUN_ROUND, LANCE, PELLET, RAM, RAM_CROWD, RAM_EVERY,
    ROCKET_BLAST, ROUND, THROW_EVERY,
};

use super::scene::Has;
use super::trial::{THROWN_EACH, Trial};
use super::{Claim, Lie};
use crate::cheat::trial::TICKS;

/// How much faster than it fires what is dealt may come, for good (DMG-25).
const MARGIN: f64 = 1.25;
/// Seconds of fire that may come at once (DMG-25).
const BURST: f64 = 1.0;
const SECOND: f64 = 30.0;
const MINUTE: f64 = TICKS as f64 / SECOND;
/// How many stand there.
const TARGETS: f64 = 3.0;
/// What stands alone at 20 wu, and what others stand apart.
const FAR: (f32, f32) = (20.0, 1.0);
/// Nothing is dealt.
const NONE: (f64, f64) = (0.0, 0.0);

/// DMG-25: of what fires so many at a time each so many ticks, in so many seconds.
fn rate_in(seconds: f64, every: u8, count: f64) -> f64 {
    let a_second = SECOND / f64::from(every) * count;
    count + a_second * (BURST + MARGIN * seconds)
}

/// The most of a minute, and the least of what asks for more: the last that fills up may be short of one.
fn all(every: u8, count: f64) -> (f64, f64) {
    let most = rate_in(MINUTE, every, count);
    (most, most - 0.02 * most - 2.0)
}

fn every(kind: Kind) -> u8 {
    kind.firing().or_else(|| kind.gun()).map_or(u8::MAX, |firing| firing.every)
}

fn trial(
    has: Has,
    (with, effects): (&'static str, &[&'static Effect]),
    targets: (f32, f32),
    (times, every): (u32, u32),
    lies: &[Lie],
    (most, least): (f64, f64),
    rows: &'static str,
) -> Trial {
    let claim = Claim { effects: effects.to_vec(), every, times, lies: lies.to_vec() };
    Trial { has, with, targets, run: false, claim, most, least, rows }
}

/// All of them.
pub fn kit() -> Vec<Trial> {
    let mut all = rifles();
    all.extend(places());
    all.extend(times());
    all.extend(others());
    all.extend(rides());
    all
}

const HOLDS: Has = Has::Holds(Kind::Rifle);
const RIFLE: (&str, &[&Effect]) = ("a rifle", &[&ROUND]);
const ROCKET: (&str, &[&Effect]) = ("a rocket", &[&ROCKET_BLAST]);
const FRAG: (&str, &[&Effect]) = ("a grenade", &[&FRAG_BLAST]);
const FIST: (&str, &[&Effect]) = ("a blow", &[&BLOW]);
const CAR: (&str, &[&Effect]) = ("a car", &[&RAM]);
const GUN: (&str, &[&Effect]) = ("a vehicle's gun", &[&GUN_ROUND]);

/// With what, how often, how hard.
fn rifles() -> Vec<Trial> {
    let rifle = all(every(Kind::Rifle), 1.0);
    let each = |lies: &[Lie], worth, rows| trial(HOLDS, RIFLE, FAR, (1, 1), lies, worth, rows);
    let held = |ticks| Has::Held(Kind::Rifle, ticks);
    let sniper: (&str, &[&Effect]) = ("a sniper rifle", &[&LANCE]);
    let pellets = all(every(Kind::Shotgun), 15.0);
    let other = all(every(Kind::Sniper), 1.0);
    let both = (rifle.0 + other.0, rifle.1 + other.1);
    // A second of the ten that it counts for is left, and what the burst is.
    let rest = rate_in(1.0, every(Kind::Rifle), 1.0);
    vec![
        trial(
            HOLDS,
            RIFLE,
            FAR,
            (1, 9),
            &[Lie::Head],
            (TARGETS * MINUTE * SECOND / 9.0, 599.0),
            "DMG-20, 37",
        ),
        each(&[], rifle, "DMG-25"),
        trial(HOLDS, RIFLE, FAR, (111, 1), &[], rifle, "DMG-25, 28"),
        trial(
            Has::Holds(Kind::Shotgun),
            ("a shotgun", &[&PELLET]),
            (8.0, 1.0),
            (15, 1),
            &[],
            pellets,
            "DMG-25",
        ),
        trial(
            Has::Both(Kind::Rifle, Kind::Sniper),
            ("both", &[&ROUND, &LANCE]),
            FAR,
            (1, 1),
            &[],
            both,
            "DMG-06, 25",
        ),
        trial(HOLDS, sniper, FAR, (1, 3), &[], NONE, "DMG-06"),
        trial(held(330), RIFLE, FAR, (1, 1), &[], NONE, "DMG-06"),
        trial(held(270), RIFLE, FAR, (1, 1), &[], (rest, 10.0), "DMG-06, 25"),
        each(&[Lie::Hard(1.01)], NONE, "DMG-12"),
        each(&[Lie::Hard(10.0)], NONE, "DMG-12"),
        each(&[Lie::Hard(-1.0)], NONE, "DMG-12"),
        each(&[Lie::Anothers], NONE, "DMG-05"),
        each(&[Lie::ByDatagram], NONE, "DMG-04"),
        each(&[Lie::NoNumber], NONE, "DMG-34"),
        each(&[Lie::NoNode], NONE, "DMG-34"),
        each(&[Lie::NoWay], NONE, "DMG-32"),
    ]
}

/// From where, and at whom.
fn places() -> Vec<Trial> {
    let (rifle, rocket) = (all(every(Kind::Rifle), 1.0), all(every(Kind::Launcher), 1.0));
    let of = |off: f32| (off, 0.2);
    let shots = |off, lies: &[Lie], worth, rows| trial(HOLDS, RIFLE, of(off), (1, 1), lies, worth, rows);
    let launcher = Has::Holds(Kind::Launcher);
    let rockets = |off, worth| trial(launcher, ROCKET, (off, 9.0), (1, 1), &[], worth, "DMG-17");
    // Each of the three by each rocket: a flight of 1.6 wu, and 2 wu that it is said to be nearer.
    let gathered = (TARGETS * rocket.0, TARGETS * rocket.1);
    vec![
        shots(45.5, &[], rifle, "DMG-17"),
        shots(46.5, &[], NONE, "DMG-17"),
        shots(48.5, &[Lie::Puts(-1.9)], NONE, "DMG-17"),
        rockets(221.0, rocket),
        rockets(223.0, NONE),
        shots(20.0, &[Lie::Puts(1.9)], rifle, "DMG-21"),
        shots(20.0, &[Lie::Puts(2.1)], NONE, "DMG-21"),
        shots(20.0, &[Lie::Above(2.0)], NONE, "DMG-16"),
        shots(20.0, &[Lie::Split(0.1)], NONE, "DMG-13"),
        trial(launcher, ROCKET, (20.0, 1.9), (1, 1), &[Lie::Gathers(1.9)], gathered, "DMG-16, 21, 26"),
        trial(launcher, ROCKET, (20.0, 0.2), (1, 1), &[Lie::Again(30)], gathered, "DMG-25, 26, 27"),
    ]
}

/// When.
fn times() -> Vec<Trial> {
    let rifle = all(every(Kind::Rifle), 1.0);
    let each = |lies: &[Lie], worth, rows| trial(HOLDS, RIFLE, FAR, (1, 3), lies, worth, rows);
    let bursts = f64::from(TICKS / 120) * rate_in(0.0, every(Kind::Rifle), 1.0);
    vec![
        each(&[Lie::Heard(-91)], NONE, "DMG-24"),
        each(&[Lie::Heard(-80)], rifle, "DMG-23, 24, 25"),
        each(&[Lie::Heard(30)], NONE, "DMG-24"),
        each(&[Lie::Late(91)], NONE, "DMG-24"),
        Trial { run: true, ..each(&[Lie::Late(20)], (rifle.0, 700.0), "DMG-21, 22, 24, 25") },
        Trial { run: true, ..each(&[Lie::Late(75)], NONE, "DMG-23") },
        each(&[Lie::Held(120)], (bursts, bursts - 15.0), "DMG-24, 25"),
    ]
}

/// Grenades and blows.
fn others() -> Vec<Trial> {
    let throws = f64::from(TICKS / THROWN_EACH);
    let keeps = |every| trial(Has::Keeps(Kind::Grenades), FRAG, FAR, (1, every), &[], NONE, "DMG-08, 10");
    // Nothing bounds how far it gets.
    let far = (300.0, 1.0);
    let throws_them = Has::Throws(Kind::Grenades);
    let thrown = |lies: &[Lie], worth, rows| trial(throws_them, FRAG, far, (1, 1), lies, worth, rows);
    let tap: (&str, &[&Effect]) = ("a grenade on its way", &[&FRAG_TAP]);
    let taps = trial(throws_them, tap, far, (1, 1), &[], all(THROW_EVERY, 1.0), "DMG-08, 19, 25");
    let blow = all(BLOW_EVERY, 1.0);
    let strikes =
        |off, lies: &[Lie], worth, rows| trial(Has::Nothing, FIST, (off, 0.2), (1, 1), lies, worth, rows);
    let reaches = &[Lie::Reaches(3.9), Lie::Puts(-1.9)];
    vec![
        keeps(u32::from(THROW_EVERY)),
        thrown(&[], (throws, throws - 1.0), "DMG-09, 19"),
        taps,
        thrown(&[Lie::Again(THROWN_EACH)], (TARGETS * throws, TARGETS * (throws - 1.0)), "DMG-09, 19, 27"),
        strikes(1.2, &[], blow, "DMG-25"),
        strikes(1.2, &[Lie::Hard(1.5)], blow, "DMG-12, 25"),
        strikes(1.2, &[Lie::Hard(1.51)], NONE, "DMG-12"),
        strikes(7.0, reaches, blow, "DMG-14, 16, 21"),
        strikes(8.5, reaches, NONE, "DMG-16"),
        strikes(7.0, &[Lie::Reaches(4.2), Lie::Puts(-1.9)], NONE, "DMG-14"),
        strikes(9.0, &[], NONE, "DMG-16"),
    ]
}

/// Vehicles.
fn rides() -> Vec<Trial> {
    let crowd = all(RAM_EVERY, f64::from(RAM_CROWD));
    let rest = rate_in(1.0, RAM_EVERY, f64::from(RAM_CROWD));
    let turret = all(every(Kind::Turret), 1.0);
    let rams = |has, off, lies: &[Lie], worth, rows| trial(has, CAR, (off, 1.0), (1, 1), lies, worth, rows);
    let sits = |seat| Has::Sits(Kind::Car, seat);
    // Its size is 0.95 wu.
    // It stands: no harder than what comes together so slowly.
    let (slowly, harder) = (Lie::Hard(0.12), Lie::Hard(0.13));
    let further = &[slowly, Lie::Reaches(4.9), Lie::Puts(-1.9)];
    let guns = |has, worth, rows| trial(has, GUN, FAR, (1, 1), &[], worth, rows);
    vec![
        rams(Has::Nothing, 1.0, &[slowly], NONE, "DMG-11"),
        rams(sits(1), 2.0, &[slowly], NONE, "DMG-11"),
        rams(sits(0), 2.0, &[slowly], crowd, "DMG-11, 12, 25"),
        rams(sits(0), 2.0, &[harder], NONE, "DMG-12"),
        rams(sits(0), 9.7, further, crowd, "DMG-15, 21"),
        rams(sits(0), 11.0, further, NONE, "DMG-15"),
        rams(sits(0), 9.7, &[slowly, Lie::Reaches(5.1), Lie::Puts(-1.9)], NONE, "DMG-15"),
        rams(Has::Sat(Kind::Car, 270), 2.0, &[slowly], (rest, 10.0), "DMG-11, 25"),
        rams(Has::Sat(Kind::Car, 330), 2.0, &[slowly], NONE, "DMG-11"),
        guns(Has::Nothing, NONE, "DMG-07"),
        guns(Has::Sits(Kind::Turret, 0), turret, "DMG-07, 25"),
        guns(Has::Sits(Kind::Transport, 1), NONE, "DMG-07"),
    ]
}
