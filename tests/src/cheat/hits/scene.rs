//! Where lies about hits are told: who stands where with what, and what was dealt. Knows no lie.

use std::fmt;

use mjolnir_skirmish::game::effects::Effect;
use mjolnir_skirmish::game::health::{MOST, Vitality};
use mjolnir_skirmish::game::{Kind, World};
use mjolnir_wire::{Input, ObjectId, Slot, Vec3};

use crate::lab::{Lab, Plan, Who};
use crate::played::{Hand, still};
use crate::seat::Seating;

/// Ticks in which everybody comes to stand.
const BEFORE: u32 = 60;
/// Ticks in which who runs comes round.
const ROUND: f32 = 300.0;
const SEED: u64 = 62;
/// The game's first tick: what is said to be long ago is of this game.
const START: i32 = 1000;
/// How whole everybody is before each tick, shield and body together.
const WHOLE: f32 = 2.0 * MOST;

/// A plain, and what stands on it at its begin.
macro_rules! plain {
    ($more:literal) => {
        concat!(
            "about A plain.\nbounds -50 -90 -2  400 90 60\nbox -60 -95 -1  410 95 0\n",
            "spawn 0 0 0  0\nspawn 0 9 0  0\nspawn 0 -9 0  0\nspawn 9 0 0  0\nspawn 9 9 0  0\nspawn 9 -9 0  0\n",
            $more
        )
    };
}

const PLAIN: &str = plain!("");
/// With what is ridden.
const PARKED: [(Kind, &str); 3] = [
    (Kind::Car, plain!("item car 1 0 0.3")),
    (Kind::Transport, plain!("item transport 1 0 0.4")),
    (Kind::Turret, plain!("item turret 1 0 0.4")),
];

/// What the liar has, as the host knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Has {
    /// Its hands.
    Nothing,
    /// That weapon.
    Holds(Kind),
    /// Those two.
    Both(Kind, Kind),
    /// It had that weapon until so many ticks before.
    Held(Kind, u32),
    /// Four grenades of that kind, which it keeps.
    Keeps(Kind),
    /// The same, and it throws one each ten seconds, to where nobody is.
    Throws(Kind),
    /// It sits in that, in that seat.
    Sits(Kind, u8),
    /// It sat in the driver's seat of that until so many ticks before.
    Sat(Kind, u32),
}

impl fmt::Display for Has {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Nothing => write!(f, "nothing"),
            Self::Holds(kind) => write!(f, "a {}", kind.name()),
            Self::Both(one, other) => write!(f, "a {} and a {}", one.name(), other.name()),
            Self::Held(kind, ticks) => write!(f, "a {} until {ticks} ticks ago", kind.name()),
            Self::Keeps(kind) => write!(f, "{} that it keeps", kind.name()),
            Self::Throws(kind) => write!(f, "{}, one thrown each ten seconds", kind.name()),
            Self::Sits(kind, 0) => write!(f, "the first seat of a {}", kind.name()),
            Self::Sits(kind, _) => write!(f, "a passenger's seat of a {}", kind.name()),
            Self::Sat(kind, ticks) => {
                write!(f, "the first seat of a {} until {ticks} ticks ago", kind.name())
            }
        }
    }
}

impl Has {
    fn ground(self) -> &'static str {
        let rides = match self {
            Self::Sits(kind, _) | Self::Sat(kind, _) => Some(kind),
            _ => None,
        };
        PARKED.iter().find(|(kind, _)| Some(*kind) == rides).map_or(PLAIN, |(_, ground)| ground)
    }
}

/// A game in which that lie is told: the liar is the first client, the bystander the second.
#[derive(Debug)]
pub struct Scene {
    /// The game.
    pub lab: Lab,
    /// The three.
    pub targets: Vec<Slot>,
    /// The liar, and the bystander.
    pub players: [Slot; 2],
    /// What the three lost since they stood.
    pub lost: f64,
    /// Where they are held, whatever throws them; nothing holds one who runs.
    held: Vec<Vec3>,
}

/// A hand that runs in a circle.
fn circles() -> Hand {
    Box::new(|_, _, tick| {
        let yaw = tick.get() as f32 * std::f32::consts::TAU / ROUND;
        Input { yaw, throttle: [1.0, 0.0], ..Input::default() }
    })
}

impl Scene {
    /// Everybody stands where they are to, with what they have.
    ///
    /// # Panics
    ///
    /// If they do not come to.
    pub fn set(has: Has, (off, apart): (f32, f32), run: bool, milliseconds: u64) -> Self {
        let plan =
            Plan { ground: Some(has.ground()), harm: true, start: START, ..Plan::new("flat", SEED, 2) };
        let host = Seating::of((0..4).map(|of| if run && of < 3 { circles() } else { still() }).collect());
        let mut lab = Lab::play_as(plan.network(milliseconds, 0.0), host, |_| Seating::of(vec![still()]));
        lab.host.engine.harms.keeps = true;
        let players = [0, 1].map(|of| lab.clients[of].slot());
        let hosts = lab.host.engine.world().players().map(|(slot, _)| slot);
        let mut targets: Vec<_> = hosts.filter(|slot| !players.contains(slot)).collect();
        let fourth = targets.pop().expect("four of the host's");
        let held = (0..targets.len()).map(|of| Vec3::new(off, apart * of as f32, 0.0)).collect();
        let mut scene = Self { lab, targets, players, lost: 0.0, held };
        let world = scene.lab.host.engine.world_mut();
        let [liar, bystander] = players;
        world.move_to(liar, Vec3::ZERO);
        world.move_to(bystander, Vec3::new(0.0, 70.0, 0.0));
        world.move_to(fourth, Vec3::new(5.0, 70.0, 0.0));
        for (slot, place) in scene.targets.iter().zip(&scene.held) {
            world.move_to(*slot, *place);
        }
        world.give(bystander, Kind::Rifle).expect("a rifle");
        if run {
            scene.held.clear();
        }
        scene.arm(has);
        scene
    }

    fn arm(&mut self, has: Has) {
        let liar = self.players[0];
        let world = self.lab.host.engine.world_mut();
        let unit = world.unit(liar).expect("a living liar");
        match has {
            Has::Nothing => self.run(BEFORE),
            Has::Holds(kind) => {
                world.give(liar, kind).expect("a weapon");
                self.run(BEFORE);
            }
            Has::Both(one, other) => {
                for kind in [one, other] {
                    world.give(liar, kind).expect("a weapon");
                }
                self.run(BEFORE);
            }
            Has::Held(kind, ticks) => {
                let weapon = world.give(liar, kind).expect("a weapon");
                self.run(BEFORE);
                self.lab.host.engine.world_mut().erase(weapon);
                self.run(ticks);
            }
            Has::Keeps(_) | Has::Throws(_) => {
                let mut inventory = world.inventory(unit).expect("an inventory");
                inventory.grenades = [4, 4];
                world.set_inventory(&inventory);
                self.run(BEFORE);
            }
            Has::Sits(kind, seat) => {
                let vehicle = parked(world, kind);
                assert!(world.set_seat(unit, Some((vehicle, seat))), "no seat");
                self.run(BEFORE);
            }
            Has::Sat(kind, ticks) => {
                let vehicle = parked(world, kind);
                assert!(world.set_seat(unit, Some((vehicle, 0))), "no seat");
                self.run(BEFORE);
                self.lab.host.engine.world_mut().set_seat(unit, None);
                self.run(ticks);
            }
        }
    }

    /// Runs so many ticks in which nobody lies.
    pub fn run(&mut self, ticks: u32) {
        self.watch(ticks, |_| {});
    }

    /// Runs so many ticks; `says` is asked after each of the liar's. Everybody is whole before each of the host's.
    pub fn watch(&mut self, ticks: u32, mut says: impl FnMut(&mut Lab)) {
        let Self { lab, targets, lost, held, .. } = self;
        lab.watch_ticks(ticks, |lab, who| match who {
            Who::Host => {
                let world = lab.host.engine.world_mut();
                *lost += heal(world, targets);
                hold(world, targets, held);
            }
            Who::Client(0) => says(lab),
            Who::Client(_) => {}
        });
    }

    /// Hits that were dealt of a player's, and what they were said to take.
    pub fn dealt(&self, of: Slot) -> (u64, f64) {
        let its = self.lab.host.engine.harms.deals.iter().map(|dealt| dealt.hit);
        its.filter(|hit| hit.damage.owner == Some(of)).fold((0, 0.0), |(count, harm), hit| {
            let amount = Effect::of(hit.damage.effect).map_or(0.0, |effect| effect.amount);
            (count + 1, harm + f64::from(amount * hit.damage.scale))
        })
    }

    /// All that the host refused.
    pub fn refused(&self) -> u64 {
        self.lab.host.net.counters().refused.values().sum()
    }
}

/// Everybody is whole again. What those lost.
fn heal(world: &mut World, targets: &[Slot]) -> f64 {
    let mut lost = 0.0;
    let all: Vec<_> = world.players().filter_map(|(slot, player)| Some((slot, player.unit?))).collect();
    for (slot, unit) in all {
        if let Some(vitality) = world.vitality(unit).filter(|_| targets.contains(&slot)) {
            lost += f64::from((WHOLE - vitality.shield - vitality.body).max(0.0));
        }
        world.set_vitality(unit, Vitality { body: MOST, shield: MOST, ..Vitality::WHOLE });
    }
    lost
}

/// Nobody is anywhere but there.
fn hold(world: &mut World, targets: &[Slot], held: &[Vec3]) {
    for (slot, place) in targets.iter().zip(held) {
        if let Some(unit) = world.unit(*slot) {
            world.place(unit, *place, Some(Vec3::ZERO), None);
        }
    }
}

fn parked(world: &World, kind: Kind) -> ObjectId {
    world.objects().find(|id| world.kind(*id) == Some(kind)).expect("a vehicle")
}

/// Who throws has something to throw.
pub(super) fn refill(world: &mut World, slot: Slot) {
    let Some(mut inventory) = world.unit(slot).and_then(|unit| world.inventory(unit)) else { return };
    if inventory.grenades != [4, 4] {
        inventory.grenades = [4, 4];
        world.set_inventory(&inventory);
    }
}
