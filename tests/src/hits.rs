//! What shooters saw hit, and what became of it: a seeded game for each means of harm and each latency, in which clients'
//! players that move hurt each other. Every hit of a client's own game is followed to the host, and all that the host
//! dealt of theirs back to the hit. Knows no file.

mod fighter;
mod table;

use std::collections::BTreeMap;

use mjolnir_engine_glue::damage::{Command, Error};
use mjolnir_engine_glue::transport::impair::Faults;
use mjolnir_skirmish::game::{Kind, World};
use mjolnir_wire::damage::{DamageEvent, EventKind};
use mjolnir_wire::{Slot, Tick};

use crate::budget::each_case;
use crate::lab::{Lab, Plan, Who};
use crate::played::{Dealt, Hand, Harms, Mark, Saw};

pub use fighter::{Means, driver, fighter, walker};
pub use table::{TITLE, table};

/// Milliseconds each way.
const LATENCIES: [u64; 3] = [0, 50, 100];
/// Milliseconds later that a datagram comes at most.
pub const JITTER: u64 = 10;
/// Per cent of the datagrams lost, each way.
const LOSS: f32 = 2.0;
/// Clients of each game, with a player each. The host has none.
const CLIENTS: usize = 6;
/// Of those, how many fight where the others have nothing to fight with.
const RIDERS: usize = 3;
/// The host's ticks in which they fight.
const TICKS: u32 = 1800;
/// Seconds in which all that flies comes down, and what was hit is told of.
const ENDS: f64 = 12.0;
/// Ticks from one look after their rounds to the next.
const RESTOCKED: u32 = 30;

/// A game of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// By which means.
    pub means: Means,
    /// Milliseconds each way.
    pub latency: u64,
    /// The game's seed.
    pub seed: u64,
}

/// What became of the hits of a game's clients.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Hits that clients' own games saw of their players.
    pub seen: usize,
    /// Of these, those of bodies.
    pub bodies: usize,
    /// Hits that clients reported, by their count.
    pub reported: u64,
    /// Of these, those dealt, as the host's game was told.
    pub dealt: usize,
    /// Of these, those of units that had died on the host by then, and lived where they were hit: they move a body, and harm
    /// nobody.
    pub late: usize,
    /// Hits that the host refused, by its count.
    pub rejected: u64,
    /// Why.
    pub reasons: BTreeMap<&'static str, u64>,
    /// Those that were seen and not dealt.
    pub lost: Vec<Saw>,
    /// Of these, those of players that had died on the host before the report came.
    pub posthumous: usize,
    /// What the host dealt of a client's player that its client had not seen.
    pub false_hits: usize,
    /// Ticks of the client's from its hit to the host's word of the damage, of those whose word came: the mean, and the most.
    pub answered: [f64; 2],
    /// Players that died of them.
    pub kills: usize,
}

impl Figures {
    /// Per cent of the hits seen that were dealt.
    pub fn percent(&self) -> f64 {
        100.0 * self.dealt as f64 / self.seen.max(1) as f64
    }

    /// Of those not dealt, those of the dead, whom the host had cleared away.
    pub fn gone(&self) -> usize {
        self.lost.iter().filter(|saw| saw.is_body).count()
    }

    /// Those not dealt for anything else.
    pub fn missed(&self) -> usize {
        self.lost.len() - self.gone() - self.posthumous
    }
}

/// The games, in the table's order; the seed is a game's place in it.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for means in Means::ALL {
        for latency in LATENCIES {
            cases.push(Case { means, latency, seed: cases.len() as u64 + 1 });
        }
    }
    cases
}

/// Plays every game, as many at once as this machine has cores, and gives their figures in the order of [`cases`].
pub fn measure_all() -> Vec<(Case, Figures)> {
    each_case(&cases(), measure)
}

/// Plays one game.
pub fn measure(case: Case) -> Figures {
    let Case { means, latency, seed } = case;
    let plan = Plan { ground: Some(means.ground()), ..bad(Plan::new("flat", seed, CLIENTS), latency) };
    let hand = |place: usize| {
        let seed = seed * 1000 + place as u64;
        if means.rides() && place >= RIDERS { walker(seed) } else { fighter(seed, means) }
    };
    play(plan, TICKS, hand, |world, tick| {
        if tick.is_multiple_of(RESTOCKED) {
            restock(world, means.grenade());
        }
    })
}

/// That game, in which shots hurt, over the table's network of that latency, in milliseconds each way.
pub fn bad(plan: Plan, latency: u64) -> Plan {
    let (latency_us, jitter_us) = (latency * 1000, JITTER * 1000);
    Plan {
        faults: Faults { latency_us, jitter_us, loss: LOSS / 100.0, ..Faults::default() },
        harm: true,
        ..plan
    }
}

/// Plays a game of so many of the host's ticks with those hands, and `stir`s the host's world after each, by its number; all
/// that was seen in it is followed to its end.
pub fn play(
    plan: Plan,
    ticks: u32,
    mut hand: impl FnMut(usize) -> Hand,
    mut stir: impl FnMut(&mut World, u32),
) -> Figures {
    let mut lab = Lab::idle(plan);
    let before = watch(&mut lab);
    for (place, seat) in lab.clients.iter_mut().enumerate() {
        seat.engine.take_over(0, hand(place));
    }
    let mut passed = 0;
    lab.watch_ticks(ticks, |lab, who| {
        if who == Who::Host {
            passed += 1;
            stir(lab.host.engine.world_mut(), passed);
        }
    });
    lab.stand_still();
    lab.run_seconds(ENDS);
    judge(&lab, &before)
}

/// What machines had counted before.
#[derive(Debug, Default)]
pub struct Before {
    reported: u64,
    rejected: u64,
    refused: BTreeMap<&'static str, u64>,
}

/// Notes all damage of a lab's machines from now on.
pub fn watch(lab: &mut Lab) -> Before {
    lab.host.engine.harms.keep_anew();
    lab.clients.iter_mut().for_each(|seat| seat.engine.harms.keep_anew());
    counts(lab)
}

fn counts(lab: &Lab) -> Before {
    let counters = lab.host.net.counters();
    let reported = lab.clients.iter().map(|seat| seat.net.counters().hits.reported).sum();
    let is_of_hits = |reason: &str| Error::ALL.iter().any(|error| error.reason() == reason);
    let refused = counters.refused.into_iter().filter(|(reason, _)| is_of_hits(reason)).collect();
    Before { reported, rejected: counters.hits.rejected, refused }
}

/// Whoever lives has all the rounds of what it carries again, and where it has no grenades of that kind some lie at its feet.
pub fn restock(world: &mut World, grenade: Option<Kind>) {
    let units: Vec<_> =
        world.players().filter_map(|(slot, player)| Some((player.unit?, world.position(slot)?))).collect();
    for (unit, place) in units {
        let Some(load) = world.inventory(unit) else { continue };
        for weapon in load.weapons.iter().flatten() {
            let firing = world.kind(weapon.object).and_then(Kind::firing);
            if let Some(firing) = firing {
                world.set_weapon(weapon.object, firing.rounds, weapon.loaded[0], 0);
            }
        }
        let place_of = grenade.and_then(Kind::grenade_place);
        if let Some((grenade, of)) = grenade.zip(place_of)
            && load.grenades[of] == 0
        {
            world.spawn(grenade, place);
        }
    }
}

/// What became of the hits that a lab's clients saw since it was watched.
pub fn judge(lab: &Lab, before: &Before) -> Figures {
    let now = counts(lab);
    let mut figures = Figures {
        reported: now.reported - before.reported,
        rejected: now.rejected - before.rejected,
        ..Figures::default()
    };
    for (reason, count) in now.refused {
        let more = count - before.refused.get(reason).copied().unwrap_or(0);
        if more > 0 {
            figures.reasons.insert(reason, more);
        }
    }
    let host = &lab.host.engine.harms;
    figures.dealt = host.deals.len();
    let Faults { latency_us, jitter_us, .. } = lab.host.network.faults();
    let trip = 2 * Lab::ticks_of((latency_us + jitter_us) / 1000) as i32;
    let (mut owners, mut matched, mut waited) = (Vec::new(), 0, Vec::new());
    for seat in &lab.clients {
        let harms = &seat.engine.harms;
        let own = seat.net.own_slots();
        owners.extend_from_slice(own);
        figures.seen += harms.hits.len();
        figures.bodies += harms.hits.iter().filter(|saw| saw.is_body).count();
        let is_own = |dealt: &&Dealt| dealt.hit.damage.owner.is_some_and(|owner| own.contains(&owner));
        let pairs = pairs(&harms.hits, host.deals.iter().filter(is_own));
        matched += pairs.iter().flatten().count();
        for (saw, dealt) in harms.hits.iter().zip(pairs) {
            match dealt {
                Some(dealt) => figures.late += usize::from(dealt.is_late && !saw.is_body),
                None => {
                    figures.posthumous += usize::from(!saw.is_body && is_posthumous(harms, saw, trip));
                    figures.lost.push(*saw);
                }
            }
        }
        waited.extend(answers(harms));
    }
    figures.false_hits = host.deals.len() - matched + unseen(host, &owners);
    let kills = host.events.iter().filter(|(_, event)| event.kind == EventKind::KillingBlow);
    figures.kills = kills.filter(|(_, event)| event.damage.owner.is_some()).count();
    let sum: i32 = waited.iter().sum();
    let most = waited.iter().max().copied().unwrap_or(0);
    figures.answered = [f64::from(sum) / waited.len().max(1) as f64, f64::from(most)];
    figures
}

/// Whether a hit's player was dead on the host when that was told of it: its machine heard so less than a round trip after it.
fn is_posthumous(harms: &Harms, saw: &Saw, trip: i32) -> bool {
    let is_of_owner =
        |command: &Command| matches!(command, Command::Kill(event) if event.player == saw.hit.damage.owner);
    let after = |tick: Tick| (0..=trip).contains(&tick.since(saw.tick));
    harms.replayed.iter().any(|word| after(word.after) && is_of_owner(&word.command))
}

/// For each hit that a machine saw the one that was dealt for it, in the order of both.
fn pairs<'a>(hits: &[Saw], dealt: impl Iterator<Item = &'a Dealt>) -> Vec<Option<&'a Dealt>> {
    let mut pairs = vec![None; hits.len()];
    let mut from = 0;
    for dealt in dealt {
        let mark = Mark::of(&dealt.hit.damage);
        let is_it = |saw: &Saw| mark.is_of(&saw.hit, dealt.hit.object) && saw.hit.target == dealt.hit.target;
        if let Some(at) = hits[from..].iter().position(is_it) {
            pairs[from + at] = Some(dealt);
            from += at + 1;
        }
    }
    pairs
}

/// Events of damage that those players dealt, and that was not dealt for a hit of theirs just before.
fn unseen(host: &Harms, owners: &[Slot]) -> usize {
    let theirs = |event: &DamageEvent| event.damage.owner.is_some_and(|owner| owners.contains(&owner));
    let is_dealt = |tick: Tick, event: &DamageEvent| {
        let first = host.deals.partition_point(|dealt| dealt.after.next() < tick);
        let mut just = host.deals[first..].iter().take_while(|dealt| dealt.after < tick);
        just.any(|dealt| Mark::of(&dealt.hit.damage) == Mark::of(&event.damage))
    };
    host.events.iter().filter(|(tick, event)| theirs(event) && !is_dealt(*tick, event)).count()
}

/// For each hit of a client's that the host's word came back of: ticks from the one that it was made in to the one that it was
/// replayed in.
fn answers(harms: &Harms) -> Vec<i32> {
    let told = |command: &Command| match command {
        Command::Replay(event) | Command::Kill(event) | Command::Break(event) => Some(*event),
        Command::Show(_) | Command::KillSilently { .. } => None,
    };
    let mut all = Vec::new();
    for Saw { tick: made, hit, .. } in &harms.hits {
        let first = harms.replayed.partition_point(|word| word.after < *made);
        let answer = harms.replayed[first..].iter().find(|word| {
            told(&word.command).is_some_and(|event| {
                event.object == Some(hit.object) && Mark::of(&event.damage) == Mark::of(&hit.damage)
            })
        });
        // It is carried out before the tick that follows the one simulated last.
        all.extend(answer.map(|word| word.after.since(*made) + 1));
    }
    all
}
