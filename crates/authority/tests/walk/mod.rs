//! A walker on ramps and ledges, the same on both machines, and a line that holds a client's datagrams back in
//! bunches. Stands in for an engine; knows nothing of the crate's insides.

use std::collections::VecDeque;

use mjolnir_authority::{Drift, Host, InputRow, Takings};
use mjolnir_wire::inputs::History;
use mjolnir_wire::units::Placement;
use mjolnir_wire::{Axes, Buttons, Input, MachineSet, Outbox, Vec3};

use super::{GRAVITY, LIMITS, alive, machine, places, row, slot, standing, tick};

/// A repeatable source of numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// The ground: ramps so long that rise as much and end in a ledge.
fn ground(place: Vec3, ramp: f32) -> f32 {
    place.x.rem_euclid(ramp)
}

/// What a walker steps up or down without leaving the ground, wu.
const STEP: f32 = 0.2;

#[derive(Clone, Copy, Debug)]
struct Walker {
    place: Vec3,
    velocity: Vec3,
    grounded: bool,
    ramp: f32,
}

impl Walker {
    fn new(ramp: f32, start: f32) -> Self {
        let place = Vec3::new(start, 0.0, start);
        Self { place, velocity: Vec3::ZERO, grounded: true, ramp }
    }

    /// As an explosion does.
    fn throw(&mut self, impulse: Vec3) {
        self.velocity += impulse;
        // What is thrown up is off the ground, and falls from there.
        self.grounded &= impulse.z <= 0.0;
    }

    fn placement(&self) -> Placement {
        Placement { position: self.place, velocity: self.velocity, axes: Axes::UPRIGHT }
    }

    /// One tick; whether it jumped.
    fn step(&mut self, input: &Input, run: f32) -> bool {
        let wish = Vec3::new(input.throttle[0] * run, input.throttle[1] * run, 0.0);
        let grip = if self.grounded { 0.5 } else { 0.05 };
        let across = self.velocity.across() + (wish - self.velocity.across()) * grip;
        let jumped = self.grounded && input.buttons.contains(Buttons::JUMP);
        let rise = if jumped { LIMITS.jump } else { self.velocity.z };
        let falls = !self.grounded || jumped;
        let rise = if falls { rise - GRAVITY } else { 0.0 };
        self.velocity = Vec3::new(across.x, across.y, rise);
        let from = self.place;
        self.place += self.velocity;
        if ground(self.place, self.ramp) > self.place.z + STEP {
            (self.place.x, self.velocity.x) = (from.x, 0.0);
        }
        let ground = ground(self.place, self.ramp);
        // It stays on ground that drops less than a step, and stops on ground that it comes down to.
        let step = if falls { 0.0 } else { STEP };
        self.grounded = self.place.z <= ground + step;
        if self.grounded {
            self.place.z = ground;
            self.velocity.z = 0.0;
        }
        jumped
    }
}

/// What a play came to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Report {
    pub(crate) takings: Takings,
    pub(crate) drift: Drift,
    /// Between the host's state and where the client was at the tick it names, wu.
    pub(crate) largest_difference: f32,
    /// Furthest east that the host had it.
    pub(crate) furthest: f32,
    pub(crate) falls: u32,
    pub(crate) jumps: u32,
    /// Highest that the host had it.
    pub(crate) highest: f32,
    /// How long the host's copy was in the air at most, in ticks, and in which tick it came down from there.
    pub(crate) longest_flight: u32,
    pub(crate) landed: Option<i32>,
    /// Where the host has it at the end.
    pub(crate) last: Vec3,
    /// Between where the two are at the end, wu.
    pub(crate) last_difference: f32,
}

/// A client's tick under way.
#[derive(Clone, Copy)]
struct Sent {
    client: i32,
    input: Input,
    placement: Placement,
}

/// One client and its host.
pub(crate) struct Line {
    numbers: Numbers,
    /// Ticks to the host at least, in each third of a play.
    pub(crate) delays: [i32; 3],
    bunch: u64,
    /// How long and how high the ground's ramps are, wu.
    pub(crate) ramp: f32,
    /// As fast as the client runs, wu a tick.
    pub(crate) client_run: f32,
    /// Where it begins, wu east.
    pub(crate) start: f32,
    /// Of a hundred datagrams so many are lost.
    pub(crate) loss: u64,
    /// What throws the player: in the host's tick of that number, if there, and in that of the client.
    pub(crate) throws: Vec<(Option<i32>, i32, Vec3)>,
    /// Its stick and jump, where it does not play by chance.
    pub(crate) script: Option<fn(i32) -> Input>,
}

impl Line {
    /// `delay` ticks to the host at least; datagrams come in bunches of up to `bunch` ticks' worth.
    pub(crate) fn new(seed: u64, delay: i32, bunch: u64) -> Self {
        Self {
            numbers: Numbers(seed),
            delays: [delay; 3],
            bunch,
            ramp: 8.0,
            client_run: LIMITS.run,
            start: 0.0,
            loss: 0,
            throws: Vec::new(),
            script: None,
        }
    }

    /// Plays so many ticks; `claim` says what the client sends of where it is.
    pub(crate) fn play(&mut self, ticks: i32, mut claim: impl FnMut(i32, Placement) -> Placement) -> Report {
        let mut host = Host::new();
        host.set_clients(MachineSet::CLIENTS);
        host.set_round_trip(machine(1), Some(2.0 * self.delays[0] as f32));
        let mut copy = Walker::new(self.ramp, self.start);
        let mut own = copy;
        let mut owed = Buttons::default();
        let mut flight = 0;
        let mut line: VecDeque<Sent> = VecDeque::new();
        let mut history = Vec::new();
        let mut held = Input::default();
        let mut heard: Option<i32> = None;
        let mut opens = 0;
        let mut wish = Input::default();
        let mut report = Report {
            takings: Takings::default(),
            drift: Drift::default(),
            largest_difference: 0.0,
            furthest: 0.0,
            falls: 0,
            jumps: 0,
            highest: f32::MIN,
            longest_flight: 0,
            landed: None,
            last: Vec3::ZERO,
            last_difference: 0.0,
        };
        let (mut commands, mut outbox) = (Vec::new(), Outbox::new());
        for now in 0..ticks {
            // The client's tick of the same number.
            if self.numbers.below(20) == 0 {
                let way = |number| number as f32 - 1.0;
                wish.throttle = [1.0, way(self.numbers.below(3))];
                if self.numbers.below(5) == 0 {
                    wish.throttle[0] = -1.0;
                }
            }
            let jumps = self.numbers.below(25) == 0;
            let by_chance = Input { buttons: if jumps { Buttons::JUMP } else { Buttons::default() }, ..wish };
            let input = self.script.map_or(by_chance, |script| script(now));
            for (at, later, impulse) in &self.throws {
                if Some(now) == *at {
                    copy.throw(*impulse);
                }
                if now == *later {
                    own.throw(*impulse);
                }
            }
            let was_grounded = own.grounded;
            let jumped = own.step(&input, self.client_run);
            report.jumps += u32::from(jumped);
            report.falls += u32::from(was_grounded && !own.grounded && !jumped);
            history.push(own.place);
            let claimed = claim(now, own.placement());
            // A press that was lost comes with the next.
            let buttons = input.buttons.union(owed);
            owed = buttons;
            if self.loss == 0 || self.numbers.below(100) >= self.loss {
                owed = Buttons::default();
                line.push_back(Sent { client: now, input: Input { buttons, ..input }, placement: claimed });
            }

            // The host's tick: what the line lets through, then the run, then the take.
            held.buttons = Buttons::default();
            let mut of = None;
            let delay = self.delays[(now * 3 / ticks) as usize];
            if now >= opens {
                while line.front().is_some_and(|sent| sent.client + delay <= now) {
                    let sent = line.pop_front().unwrap();
                    let buttons = held.buttons.union(sent.input.buttons);
                    held = Input { buttons, ..sent.input };
                    of = (heard.is_none_or(|had| had + 1 == sent.client)).then_some(tick(sent.client));
                    heard = Some(sent.client);
                    let state = alive(1, sent.placement);
                    // The host has not read its first row yet.
                    let _ = host.handle_prediction(machine(1), tick(sent.client), &state);
                }
                opens = now + 1 + self.numbers.below(self.bunch) as i32;
            }
            copy.step(&held, LIMITS.run);
            let mut rows = [row(1, copy.placement())];
            rows[0].grounded = copy.grounded;
            let history_of = [held.buttons, Buttons::default(), Buttons::default(), Buttons::default()];
            let inputs = [InputRow {
                slot: slot(1),
                machine: machine(1),
                input: held,
                history: History::from(history_of),
                of,
            }];
            commands.clear();
            outbox.begin(tick(now), now);
            host.after_tick(tick(now), GRAVITY, &mut rows, &inputs, &mut commands);
            host.tell(tick(now), &rows, &places(&rows), &inputs, &mut outbox);
            let unit = rows[0].living().copied().unwrap();
            let placement = unit.placement.unwrap_or(standing(Vec3::ZERO));
            (copy.place, copy.velocity) = (placement.position, placement.velocity);
            report.furthest = report.furthest.max(copy.place.x);
            report.highest = report.highest.max(copy.place.z);
            if flight > 0 && flight == report.longest_flight && copy.grounded {
                report.landed = Some(now);
            }
            flight = if copy.grounded { 0 } else { flight + 1 };
            report.longest_flight = report.longest_flight.max(flight);
            report.last = copy.place;
            report.last_difference = own.place.distance(copy.place);
            if let Some(named) = super::named_in(&outbox) {
                let there = history[usize::from(named)];
                report.largest_difference = report.largest_difference.max(there.distance(copy.place));
            }
        }
        report.takings = host.takings();
        report.drift = host.take_drift();
        report
    }
}
