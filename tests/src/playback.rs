//! One machine of a game played again alone, from what its network brought it: what it costs is then its netcode's
//! and its engine's, and no other machine's. Knows neither end of the netcode but by what a seat knows.

use std::f32::consts::TAU;

use mjolnir_engine_glue::transport::{NetEvent, Network, Transmits};
use mjolnir_engine_glue::{Client, Host, Session as _};
use mjolnir_skirmish::game::{Kind, World};
use mjolnir_skirmish::seam::Setup;
use mjolnir_wire::{Axes, Buttons, Input, Moment, ObjectId, Slot, Tick, Vec3};

use crate::lab::{Lab, Plan, Who};
use crate::played::{Hand, Played};
use crate::seat::Seating;
use crate::seen::{Passed, Way};

/// What the lab's machines of a tape do.
fn hand(plan: Plan, of: usize) -> Hand {
    if plan.harm { fights(of) } else { walks(of) }
}

/// One that walks.
fn walks(of: usize) -> Hand {
    let mut turn = of as u32;
    Box::new(move |_, _, _| {
        turn = turn.wrapping_add(1);
        // Round and round, so that nobody ever stands against a wall.
        Input { yaw: (turn as f32 * 0.05) % TAU, throttle: [1.0, 0.0], ..Input::default() }
    })
}

/// One that stands, aims at whoever is nearest, and fires.
fn fights(of: usize) -> Hand {
    let mut walk = walks(of);
    Box::new(move |world, slot, tick| {
        let walked = walk(world, slot, tick);
        let Some(here) = world.position(slot) else { return walked };
        let others = Slot::all().filter(|other| *other != slot).filter_map(|other| world.position(other));
        let nearest = others.min_by(|a, b| a.distance(here).total_cmp(&b.distance(here)));
        let Some(way) = nearest.map(|there| there - here) else { return walked };
        let yaw = way.y.atan2(way.x);
        Input { yaw, throttle: [0.0, 0.0], buttons: Buttons::PRIMARY_TRIGGER, ..walked }
    })
}

/// After a tick of a host's in which all fight: nobody dies, and from that one on everybody has what never runs dry.
fn keep_up(world: &mut World, is_first: bool) {
    for slot in Slot::all() {
        world.set_health(slot, 1.0);
        if is_first {
            world.give(slot, Kind::Plasma);
        }
    }
}

/// A network that brings what it brought before, at the same moments, and sends nothing.
#[derive(Debug)]
struct Playback<'a> {
    passed: &'a [Passed],
    next: usize,
}

impl Network for Playback<'_> {
    fn receive(&mut self, now: Moment, into: &mut dyn FnMut(NetEvent<'_>)) {
        while let Some(passed) = self.passed.get(self.next).filter(|passed| passed.at <= now) {
            self.next += 1;
            if passed.way == Way::In {
                into(passed.event());
            }
        }
    }

    fn send(&mut self, _now: Moment, out: &Transmits) {
        // It is sent, as far as the netcode can tell.
        std::hint::black_box(out.datagrams().count() + out.writes().count());
    }
}

/// A call of the netcode in a game played again, to be measured by whoever plays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// A frame.
    Frame,
    /// What stands before the engine's tick.
    Before(Tick),
    /// What stands after it.
    After(Tick),
}

/// What one machine's network brought it in a whole game.
#[derive(Debug)]
pub struct Tape {
    plan: Plan,
    /// The client's place; none for the host.
    place: Option<usize>,
    passed: Vec<Passed>,
    frames: Vec<Moment>,
    /// When the host began the game, by its clock.
    began: Moment,
    /// Units beside the players' that move about on the host when it is played again.
    crowd: u16,
    /// All fight, from the host's tick after this one on.
    armed: Option<Tick>,
}

impl Tape {
    /// A game of a dedicated host and so many clients with a player each, all of them walking: the host's tape, and
    /// the first client's.
    pub fn record(map: &'static str, clients: usize, seconds: f64) -> [Self; 2] {
        Self::of(Plan::new(map, 160, clients), seconds)
    }

    /// The same of a game in which all of them fight: each fires at whoever is nearest, and nobody dies.
    pub fn record_fight(map: &'static str, clients: usize, seconds: f64) -> [Self; 2] {
        Self::of(Plan { harm: true, ..Plan::new(map, 160, clients) }, seconds)
    }

    fn of(plan: Plan, seconds: f64) -> [Self; 2] {
        let mut lab = Lab::open(plan, Seating::of(Vec::new()));
        lab.host.network.listen();
        for place in 0..plan.clients {
            lab.join(Seating::of(vec![hand(plan, place)]));
        }
        lab.clients[0].network.listen();
        lab.gather();
        let began = lab.host.now(lab.now());
        lab.begin();
        lab.settle();
        let armed = plan.harm.then(|| lab.tick());
        lab.watch_ticks((seconds * 30.0) as u32, |lab, who| {
            if who == Who::Host && armed.is_some() {
                let is_first = armed.is_some_and(|armed| lab.tick() == armed.next());
                keep_up(lab.host.engine.world_mut(), is_first);
            }
        });
        let client = &lab.clients[0];
        [
            Self {
                plan,
                place: None,
                passed: lab.host.network.passed().to_vec(),
                frames: lab.host.frames.clone(),
                began,
                crowd: 0,
                armed,
            },
            Self {
                plan,
                place: Some(0),
                passed: client.network.passed().to_vec(),
                frames: client.frames.clone(),
                began,
                crowd: 0,
                armed,
            },
        ]
    }

    /// The same, with so many units more, which are nobody's and move in every tick, over a field of 400 wu.
    #[must_use]
    pub fn with_units(self, count: u16) -> Self {
        Self { crowd: count, ..self }
    }

    /// What its network brought it, and what it sent.
    pub fn passed(&self) -> &[Passed] {
        &self.passed
    }

    /// Plays it again. Every call of the netcode is made by `make`, which is told which it is.
    pub fn play(&self, make: impl FnMut(Call, &mut dyn FnMut())) -> Played {
        match self.place {
            None => self.play_host(make),
            Some(place) => self.play_client(place, make),
        }
    }

    fn play_host(&self, mut make: impl FnMut(Call, &mut dyn FnMut())) -> Played {
        let mut network = Playback { passed: &self.passed, next: 0 };
        let setup = Setup { harm: self.plan.harm, ..Setup::default() };
        let mut engine = Played::new(setup, Vec::new(), None);
        let mut host = Host::new(self.frames[0], self.plan.host_settings(0));
        let (mut is_begun, mut crowd) = (false, Vec::new());
        for now in self.frames.iter().copied() {
            engine.game.set_now(now);
            if now > self.began && !std::mem::replace(&mut is_begun, true) {
                let start = Tick::new(self.plan.start).expect("a tick");
                host.begin(self.began, &mut engine, start);
            }
            make(Call::Frame, &mut || host.frame(now, &mut engine, &mut network));
            for _ in 0..host.ticks_due(now) {
                let tick = host.now_tick().next();
                make(Call::Before(tick), &mut || {
                    host.before_tick(now, &mut engine, &mut network);
                });
                self.stir(&mut engine, &mut crowd, tick);
                engine.simulate(tick);
                make(Call::After(tick), &mut || host.after_tick(now, &mut engine, &mut network));
                if let Some(armed) = self.armed.filter(|armed| tick > *armed) {
                    keep_up(engine.world_mut(), tick == armed.next());
                }
                engine.forget();
            }
        }
        engine
    }

    /// Makes the crowd in the first tick, and moves each of it on.
    fn stir(&self, engine: &mut Played, crowd: &mut Vec<ObjectId>, tick: Tick) {
        let Some(world) = engine.game.world_mut() else { return };
        for of in crowd.len()..usize::from(self.crowd) {
            let at = Vec3::new((of % 32) as f32, (of / 32) as f32, 0.0) * 12.0 - Vec3::new(186.0, 186.0, 0.0);
            crowd.extend(world.make(Kind::Biped.tag(), at, Axes::UPRIGHT, None));
        }
        let speed = if tick.get() % 60 < 30 { 0.08 } else { -0.08 };
        for unit in crowd {
            if let Some(placement) = world.placement(*unit) {
                let step = Vec3::new(speed, 0.0, 0.0);
                world.place(*unit, placement.position + step, Some(step), None);
            }
        }
    }

    fn play_client(&self, place: usize, mut make: impl FnMut(Call, &mut dyn FnMut())) -> Played {
        let mut network = Playback { passed: &self.passed, next: 0 };
        let setup = Setup { harm: self.plan.harm, ..Setup::default() };
        let mut engine = Played::new(setup, vec![hand(self.plan, place)], None);
        let mut client = Client::new(self.frames[0], Plan::client_settings(place, 1));
        for now in self.frames.iter().copied() {
            engine.game.set_now(now);
            make(Call::Frame, &mut || client.frame(now, &mut engine, &mut network));
            for _ in 0..client.ticks_due(now) {
                let mut tick = None;
                let next = client.clock().tick().map_or(Tick::ZERO, Tick::next);
                make(Call::Before(next), &mut || {
                    tick = client.before_tick(now, &mut engine, &mut network);
                });
                let Some(tick) = tick else { continue };
                engine.simulate(tick);
                make(Call::After(tick), &mut || client.after_tick(now, tick, &mut engine, &mut network));
                engine.forget();
            }
        }
        engine
    }
}
