//! What a lie about hits is worth: a game of a minute in which a client tells it, and what the host dealt for it. Knows what
//! the rows of damage allow; their code it asks nothing.
//!
//! Three players of the host's stand where the liar says that it hit them. Beside them another client's player shoots at a
//! fourth, honestly: its hits are the same in every game, and each is dealt.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use mjolnir_wire::{Buttons, Input};

use super::scene::{Has, Scene, refill};
use super::{Claim, Claims, Lie, Parties};
use crate::cheat::trial::{LATENCIES, TICKS};
use crate::played::{Hand, still};

/// Ticks in which what was said last comes.
const AFTER: u32 = 30;
/// Ticks from one throw to the next.
pub const THROWN_EACH: u32 = 300;
/// Ticks from one of the bystander's shots to the next.
const SHOT_EACH: u32 = 15;

/// A lie about hits, and what it may be worth.
#[derive(Clone, Debug)]
pub struct Trial {
    /// What the liar has.
    pub has: Has,
    /// What it says that it hit with.
    pub with: &'static str,
    /// How far off the first of the three stands, and how far it is from each to the next, wu.
    pub targets: (f32, f32),
    /// Whether they run, in circles.
    pub run: bool,
    /// What it says.
    pub claim: Claim,
    /// The hits that may be dealt for it in the minute, by the rows.
    pub most: f64,
    /// The least: what the rows take in full.
    pub least: f64,
    /// By which rows.
    pub rows: &'static str,
}

impl Trial {
    /// In words.
    pub fn name(&self) -> String {
        let run = if self.run { " and running" } else { "" };
        format!("has {}; {} wu off{run}, with {}: {}", self.has, self.targets.0, self.with, self.claim)
    }
}

/// What a lie came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worth {
    /// Hits of the liar's that were dealt.
    pub dealt: u64,
    /// What these were said to take, in whole shields or bodies.
    pub harm: f64,
    /// What the three lost by that.
    pub lost: f64,
    /// What was refused, of all that came.
    pub refused: u64,
    /// Hits that the bystander's machine reported, and that were dealt.
    pub bystander: (u64, u64),
}

/// A hand that pulls the trigger each so many ticks.
fn shoots() -> Hand {
    let mut ticks = 0_u32;
    Box::new(move |_, _, _| {
        ticks += 1;
        let fires = ticks.is_multiple_of(SHOT_EACH);
        Input {
            buttons: if fires { Buttons::PRIMARY_TRIGGER } else { Buttons::default() },
            ..Input::default()
        }
    })
}

/// One that throws a grenade of that place among its kinds each so many ticks, back and up.
fn throws(which: u8) -> Hand {
    let mut ticks = 0_u32;
    Box::new(move |_, _, _| {
        ticks += 1;
        let buttons = if ticks % THROWN_EACH == 1 { Buttons::THROW_GRENADE } else { Buttons::default() };
        Input { buttons, grenade: Some(which), yaw: std::f32::consts::PI, pitch: 0.6, ..Input::default() }
    })
}

/// Plays the game in which a lie is told.
pub fn play(trial: &Trial, milliseconds: u64) -> Worth {
    let mut scene = Scene::set(trial.has, trial.targets, trial.run, milliseconds);
    let [liar, bystander] = scene.players;
    if let Has::Throws(kind) = trial.has {
        let which = kind.grenade_place().and_then(|place| u8::try_from(place).ok()).unwrap_or_default();
        scene.lab.clients[0].engine.take_over(0, throws(which));
    }
    scene.lab.clients[1].engine.take_over(0, shoots());
    let (before, refused) = (scene.dealt(liar), scene.refused());
    let reported = |scene: &Scene| scene.lab.clients[1].net.counters().hits.reported;
    let honest = (reported(&scene), scene.dealt(bystander).0);
    scene.lost = 0.0;

    let mut claims = Claims::new(trial.claim.clone());
    let targets = scene.targets.clone();
    let by_datagram = trial.claim.lies.contains(&Lie::ByDatagram);
    scene.watch(TICKS, |lab| {
        if let Has::Throws(_) = trial.has {
            refill(lab.host.engine.world_mut(), liar);
        }
        let seat = &mut lab.clients[0];
        let parties = Parties { liar, other: bystander, targets: &targets };
        let reports = claims.after_tick(seat.engine.world(), seat.net.clock().heard(), &parties);
        if by_datagram { seat.report_by_datagram(&reports) } else { seat.report(&reports) }
    });
    scene.lab.clients[1].engine.take_over(0, still());
    scene.run(AFTER);
    let dealt = scene.dealt(liar);
    Worth {
        dealt: dealt.0 - before.0,
        harm: dealt.1 - before.1,
        lost: scene.lost,
        refused: scene.refused() - refused,
        bystander: (reported(&scene) - honest.0, scene.dealt(bystander).0 - honest.1),
    }
}

/// Plays all of them at each latency, as many games at once as there are cores; what they came to, in order.
pub fn run(trials: &[Trial]) -> Vec<[Worth; LATENCIES.len()]> {
    let next = AtomicUsize::new(0);
    let (give, got) = mpsc::channel();
    let work = |give: mpsc::Sender<_>| {
        while let at = next.fetch_add(1, Ordering::Relaxed)
            && let Some(trial) = trials.get(at)
        {
            // Nobody but a test that failed hangs up.
            let _ = give.send((at, LATENCIES.map(|milliseconds| play(trial, milliseconds))));
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            let give = give.clone();
            scope.spawn(|| work(give));
        }
    });
    drop(give);
    let mut all: Vec<_> = got.into_iter().collect();
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, worth)| worth).collect()
}

/// The table as it stands in `docs/security.md`.
pub fn table(trials: &[Trial], worth: &[[Worth; LATENCIES.len()]]) -> String {
    let mut lines = vec![
        String::from(
            "| who says that it hit | dealt at 0, 100 ms | at most | harm at 0, 100 ms | by | refused at 0, 100 ms |",
        ),
        String::from("|---|---|---|---|---|---|"),
    ];
    for (trial, [near, far]) in trials.iter().zip(worth) {
        lines.push(format!(
            "| {} | {} / {} | {:.0} | {:.1} / {:.1} | {} | {} / {} |",
            trial.name(),
            near.dealt,
            far.dealt,
            trial.most,
            near.harm,
            far.harm,
            trial.rows,
            near.refused,
            far.refused,
        ));
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}
