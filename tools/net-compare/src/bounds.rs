//! What of a player is compared, and how far apart two machines may have it: the design document's numbers,
//! "Comparing two builds". Knows one tick of one player, not how long anything lasts but its patience.

use std::fmt;

use crate::line::{Alive, Player};

/// How far apart a player may stand, world units; for less than 2 seconds in a row also further.
pub const POSITION_WU: f64 = 1.0;
/// How far apart a player may aim, in yaw and in pitch, degrees.
pub const AIM_DEGREES: f64 = 15.0;
/// How far apart body and shield may be.
pub const VITALITY: f64 = 0.15;
/// How far apart the rounds of a weapon may be, loaded and in reserve.
pub const ROUNDS: i32 = 3;
/// What is written with two or three decimals is compared as written: 1.00 and 0.85 are 0.15 apart.
pub(crate) const AS_WRITTEN: f64 = 1e-6;

/// What is compared. The order is that in which a verdict names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// In the list of players at all.
    Present,
    /// Alive or dead.
    Alive,
    /// Where it stands.
    Position,
    /// Where it aims.
    Aim,
    /// Its body's health.
    Body,
    /// Its shield.
    Shield,
    /// On foot or riding.
    Riding,
    /// Grenades.
    Grenades,
    /// Weapons, slot for slot.
    Weapons,
    /// Rounds, of weapons that are the same.
    Rounds,
    /// Score.
    Score,
    /// Kills.
    Kills,
    /// Deaths.
    Deaths,
    /// Team.
    Team,
    /// The share of ticks apart.
    Drift,
}

/// The fields of a player, each with a run of seconds.
pub(crate) const PLAYER_FIELDS: [Field; 14] = [
    Field::Present,
    Field::Alive,
    Field::Position,
    Field::Aim,
    Field::Body,
    Field::Shield,
    Field::Riding,
    Field::Grenades,
    Field::Weapons,
    Field::Rounds,
    Field::Score,
    Field::Kills,
    Field::Deaths,
    Field::Team,
];

impl Field {
    /// Its name in a verdict.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Present => "present",
            Self::Alive => "alive",
            Self::Position => "position",
            Self::Aim => "aim",
            Self::Body => "body",
            Self::Shield => "shield",
            Self::Riding => "riding",
            Self::Grenades => "grenades",
            Self::Weapons => "weapons",
            Self::Rounds => "rounds",
            Self::Score => "score",
            Self::Kills => "kills",
            Self::Deaths => "deaths",
            Self::Team => "team",
            Self::Drift => "drift",
        }
    }

    /// Seconds in a row out of bounds that fail.
    pub(crate) const fn patience(self) -> u32 {
        match self {
            Self::Position => 2,
            Self::Rounds => 6,
            _ => 3,
        }
    }
}

/// The two values of a field as text, where they are out of bounds.
pub(crate) fn out_of_bounds(
    field: Field,
    host: Option<&Player>,
    client: Option<&Player>,
) -> Option<(String, String)> {
    if field == Field::Present {
        let said =
            |player: Option<&Player>| String::from(if player.is_some() { "listed" } else { "not listed" });
        return (host.is_some() != client.is_some()).then(|| (said(host), said(client)));
    }
    let (host, client) = (host?, client?);
    let (a, b) = (&host.record, &client.record);
    match field {
        Field::Alive => {
            let said = |player: &Player| String::from(if player.alive.is_some() { "alive" } else { "dead" });
            (host.alive.is_some() != client.alive.is_some()).then(|| (said(host), said(client)))
        }
        Field::Score => differ(a.score, b.score),
        Field::Kills => differ(a.kills, b.kills),
        Field::Deaths => differ(a.deaths, b.deaths),
        Field::Team => differ(a.team, b.team),
        _ => living(field, host.alive.as_ref()?, client.alive.as_ref()?),
    }
}

fn living(field: Field, host: &Alive, client: &Alive) -> Option<(String, String)> {
    match field {
        Field::Position => is_past(distance(&host.position, &client.position), POSITION_WU).then(|| {
            let said = |[x, y, z]: [f64; 3]| format!("({x:.3} {y:.3} {z:.3})");
            (said(host.position), said(client.position))
        }),
        Field::Aim => {
            let out = (0..2).any(|i| is_past(turn(host.aim[i], client.aim[i]), AIM_DEGREES));
            let said = |[yaw, pitch]: [f64; 2]| format!("{yaw:.1}/{pitch:.1}");
            out.then(|| (said(host.aim), said(client.aim)))
        }
        Field::Body => vitality(host.body, client.body),
        Field::Shield => vitality(host.shield, client.shield),
        Field::Riding => differ(host.riding, client.riding),
        Field::Grenades => differ(Pair(host.grenades), Pair(client.grenades)),
        Field::Weapons => {
            let same = host.weapons.iter().map(|w| w.tag).eq(client.weapons.iter().map(|w| w.tag));
            (!same).then(|| (carried(host), carried(client)))
        }
        Field::Rounds => {
            let mut pairs = host.weapons.iter().zip(&client.weapons);
            let same =
                host.weapons.len() == client.weapons.len() && pairs.clone().all(|(a, b)| a.tag == b.tag);
            let far = |a: i32, b: i32| a.abs_diff(b) > ROUNDS.unsigned_abs();
            (same && pairs.any(|(a, b)| far(a.loaded, b.loaded) || far(a.reserve, b.reserve)))
                .then(|| (carried(host), carried(client)))
        }
        _ => None,
    }
}

#[derive(PartialEq)]
struct Pair([i32; 2]);

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.0[0], self.0[1])
    }
}

fn differ<T: PartialEq + fmt::Display>(host: T, client: T) -> Option<(String, String)> {
    (host != client).then(|| (host.to_string(), client.to_string()))
}

fn vitality(host: f64, client: f64) -> Option<(String, String)> {
    is_past((host - client).abs(), VITALITY).then(|| (format!("{host:.2}"), format!("{client:.2}")))
}

/// Whether two machines' values are further apart than that. What is no number is as far as can be: a line that was kept
/// in memory may have it, a log that was read has not.
fn is_past(apart: f64, bound: f64) -> bool {
    apart.is_nan() || apart > bound + AS_WRITTEN
}

fn carried(player: &Alive) -> String {
    let weapons: Vec<String> = player.weapons.iter().map(ToString::to_string).collect();
    if weapons.is_empty() { String::from("nothing") } else { weapons.join(" ") }
}

/// World units between two places.
pub(crate) fn distance(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    (0..3).map(|i| (a[i] - b[i]) * (a[i] - b[i])).sum::<f64>().sqrt()
}

/// Degrees between two directions, the short way round.
fn turn(a: f64, b: f64) -> f64 {
    let apart = (a - b).rem_euclid(360.0);
    apart.min(360.0 - apart)
}
