//! One machine in the lab: its end of the netcode, its engine, its network, its clock, and what it saw. Knows no
//! other machine.

use mjolnir_engine_glue::authority::Drift;
use mjolnir_engine_glue::transport::impair::Faults;
use mjolnir_engine_glue::{Client, Counters, Host, client, host};
use mjolnir_skirmish::custom;
use mjolnir_skirmish::game::Tuning;
use mjolnir_skirmish::record::Recording;
use mjolnir_skirmish::seam::Setup;
use mjolnir_skirmish::second::{self, Seconds};
use mjolnir_wire::{Machine, Moment, Slot, Tick, Vec3};

use crate::cheat::{Cheat, Forger, Heard, Liar};
use crate::clockwork::OwnClock;
use crate::link::{Link, Trace};
use crate::maps::Files;
use crate::played::{Hand, Played};

/// Microseconds between two frames at most, as skirmish has them.
const FRAME: u64 = 5_000;

/// How a machine is set up.
pub struct Seating {
    /// What plays its players, one each.
    pub hands: Vec<Hand>,
    /// What goes wrong with what it receives.
    pub faults: Faults,
    /// How fast its players are.
    pub tuning: Tuning,
    /// Microseconds that it loads.
    pub load_micros: u64,
    /// Its maps, if it shares them.
    pub files: Option<Files>,
}

impl Seating {
    /// With those hands, on a good network.
    pub fn of(hands: Vec<Hand>) -> Self {
        Self { hands, faults: Faults::default(), tuning: Tuning::default(), load_micros: 0, files: None }
    }

    /// Which shares those maps.
    #[must_use]
    pub fn with_files(self, files: Files) -> Self {
        Self { files: Some(files), ..self }
    }

    /// With other faults.
    #[must_use]
    pub fn with_faults(self, faults: Faults) -> Self {
        Self { faults, ..self }
    }
}

/// An end of the netcode, as far as a seat runs it.
pub trait End {
    /// What it tells.
    type Notice;
    /// What waits for no tick.
    fn frame(&mut self, now: Moment, engine: &mut Played, network: &mut Link);
    /// How many ticks to run.
    fn ticks_due(&mut self, now: Moment) -> u32;
    /// When the next is due, while ticks run.
    fn next_tick_at(&self) -> Option<Moment>;
    /// One tick.
    fn tick(&mut self, now: Moment, engine: &mut Played, network: &mut Link) -> Option<Tick>;
    /// What it told.
    fn take_notices(&mut self) -> Vec<Self::Notice>;
    /// What it counted.
    fn counters(&self) -> Counters;
    /// What of that was counted in this game.
    fn game_counters(&self) -> Counters;
    /// Its first player.
    fn own(&self) -> Option<Slot>;
    /// The drift since this was last asked.
    fn take_drift(&mut self) -> Drift;
}

impl End for Host {
    type Notice = host::Notice;

    fn frame(&mut self, now: Moment, engine: &mut Played, network: &mut Link) {
        self.frame(now, engine, network);
    }

    fn ticks_due(&mut self, now: Moment) -> u32 {
        self.ticks_due(now)
    }

    fn next_tick_at(&self) -> Option<Moment> {
        Self::next_tick_at(self)
    }

    fn tick(&mut self, now: Moment, engine: &mut Played, network: &mut Link) -> Option<Tick> {
        Some(self.tick(now, engine, network))
    }

    fn take_notices(&mut self) -> Vec<host::Notice> {
        self.take_notices()
    }

    fn counters(&self) -> Counters {
        self.counters()
    }

    fn game_counters(&self) -> Counters {
        self.game_counters()
    }

    fn own(&self) -> Option<Slot> {
        self.transport().players().find(|player| player.machine == Machine::HOST).map(|player| player.slot)
    }

    fn take_drift(&mut self) -> Drift {
        self.authority().take_drift()
    }
}

impl End for Client {
    type Notice = client::Notice;

    fn frame(&mut self, now: Moment, engine: &mut Played, network: &mut Link) {
        self.frame(now, engine, network);
    }

    fn ticks_due(&mut self, now: Moment) -> u32 {
        self.ticks_due(now)
    }

    fn next_tick_at(&self) -> Option<Moment> {
        Self::next_tick_at(self)
    }

    fn tick(&mut self, now: Moment, engine: &mut Played, network: &mut Link) -> Option<Tick> {
        self.tick(now, engine, network)
    }

    fn take_notices(&mut self) -> Vec<client::Notice> {
        self.take_notices()
    }

    fn counters(&self) -> Counters {
        self.counters()
    }

    fn game_counters(&self) -> Counters {
        self.game_counters()
    }

    fn own(&self) -> Option<Slot> {
        self.own_slots().first().copied()
    }

    fn take_drift(&mut self) -> Drift {
        Drift::default()
    }
}

/// See the module's text.
#[derive(Debug)]
pub struct Seat<N: End> {
    /// Its end of the netcode.
    pub net: N,
    /// Its engine.
    pub engine: Played,
    /// Its network.
    pub network: Link,
    /// Where it had the players at each tick, and each second's line.
    pub recording: Recording,
    /// What its netcode told, with the lab's time.
    pub notices: Vec<(u64, N::Notice)>,
    /// Ticks that it simulated.
    pub ticks: u32,
    /// The tick that its last run simulated, if it did.
    pub ticked: Option<Tick>,
    /// When its frames fell, by its own clock, since its network was listened to.
    pub frames: Vec<Moment>,
    /// Whether it still runs.
    pub runs: bool,
    clock: OwnClock,
    seconds: Seconds,
    last: Option<Tick>,
    next_frame: u64,
    /// It does not run before this time of the lab.
    asleep: u64,
}

impl<N: End> Seat<N> {
    pub(crate) fn new(
        lab: u64,
        clock: OwnClock,
        seating: Seating,
        ground: Option<&'static str>,
        network: Link,
        make: impl FnOnce(Moment) -> N,
    ) -> Self {
        let Seating { hands, tuning, load_micros, files, .. } = seating;
        let maps = files.map(|files| custom::Maps::new(files.folder)).unwrap_or_default();
        let setup = Setup { tuning, load_micros, maps, ..Setup::default() };
        Self {
            net: make(clock.read(lab)),
            engine: Played::new(setup, hands, ground),
            network,
            recording: Recording::default(),
            notices: Vec::new(),
            ticks: 0,
            ticked: None,
            frames: Vec::new(),
            runs: true,
            clock,
            seconds: Seconds::default(),
            last: None,
            next_frame: lab,
            asleep: 0,
        }
    }

    /// What its clock reads at that time of the lab.
    pub const fn now(&self, lab: u64) -> Moment {
        self.clock.read(lab)
    }

    /// When it is to run next.
    pub(crate) fn due(&self) -> u64 {
        let tick = self.net.next_tick_at().map_or(u64::MAX, |at| self.clock.when(at));
        self.next_frame.min(tick).max(self.asleep)
    }

    /// Its program does nothing until that time of the lab: no frame, no tick. What comes meanwhile waits for it.
    pub fn sleep_until(&mut self, until: u64) {
        self.asleep = until;
    }

    /// The same, and its clock goes on or `stands`.
    pub(crate) fn sleep(&mut self, lab: u64, until: u64, stands: bool) {
        self.sleep_until(until);
        if stands {
            self.clock.stand(lab, until);
        }
    }

    /// Its clock goes so many times as fast as the lab's from now on, as a speed hack has it.
    pub fn pace(&mut self, lab: u64, times: f64) {
        self.clock.pace(lab, times);
        self.next_frame = lab;
    }

    /// Its clock jumps ahead.
    pub(crate) const fn jump(&mut self, lab: u64, micros: u64) {
        self.clock.jump(lab, micros);
    }

    /// One frame, and the ticks that are due.
    pub(crate) fn run(&mut self, lab: u64) {
        let now = self.clock.read(lab);
        self.engine.game.set_now(now);
        self.ticked = None;
        if self.network.listens() {
            self.frames.push(now);
        }
        self.net.frame(now, &mut self.engine, &mut self.network);
        for _ in 0..self.net.ticks_due(now) {
            self.ticked = self.net.tick(now, &mut self.engine, &mut self.network);
            if let Some(tick) = self.ticked {
                self.note(tick);
            }
        }
        self.notices.extend(self.net.take_notices().into_iter().map(|notice| (lab, notice)));
        self.next_frame = self.clock.when(now.plus(FRAME));
    }

    fn note(&mut self, tick: Tick) {
        self.ticks += 1;
        if self.last.replace(tick).is_some_and(|last| tick < last) {
            // Another game.
            self.seconds = Seconds::default();
        }
        let Some(world) = self.engine.game.world() else { return };
        self.recording.note(tick, world);
        if self.seconds.due(tick) {
            let drift = self.net.take_drift();
            let counters = self.net.game_counters();
            self.recording.lines.push(second::line(tick, world, self.net.own(), &counters, drift));
        }
    }

    /// Its first player.
    ///
    /// # Panics
    ///
    /// If it has none.
    pub fn slot(&self) -> Slot {
        self.net.own().expect("a player of its own")
    }

    /// Where it has a player.
    ///
    /// # Panics
    ///
    /// If it has no such player alive.
    pub fn place(&self, slot: Slot) -> Vec3 {
        self.engine.world().position(slot).expect("a living player")
    }

    /// It lies so from now on; with nothing to lie about it is honest again.
    pub fn cheat(&mut self, cheats: &[Cheat]) {
        let heard = Heard::default();
        let lies = !cheats.is_empty();
        self.network.forger = lies.then(|| Forger::new(cheats, heard.clone()));
        self.engine.liar = lies.then(|| Liar::new(cheats, heard));
    }

    /// Notes the steps of its engine and its network from now on.
    pub fn trace(&mut self) -> Trace {
        let trace = self.engine.traced.begin();
        self.network.traced = self.engine.traced.clone();
        trace
    }
}
