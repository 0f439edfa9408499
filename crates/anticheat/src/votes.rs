//! The players' votes to kick one of them, as the host alone counts them (CHEAT-30 to 39, 58 to 67). Knows no stream: whoever
//! hands it a vote has it from the stream of the machine that it names (CHEAT-31). It drops nobody: it says whom to.
//!
//! A vote is about a machine and the person behind it, never about a slot, which is another's as soon as it is left.

mod list;
mod outcome;
mod refusal;
mod running;
mod settings;
mod status;
mod who;

use mjolnir_wire::limits::MAX_MACHINES;
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::votekick::VotekickStatus;
use mjolnir_wire::{Kind, Machine, MachineSet, Moment, Outbox, Slot};

pub use self::list::{REMEMBERED, Remembered};
pub use self::outcome::{End, Outcome};
pub use self::refusal::Refusal;
use self::running::Running;
pub use self::settings::{Settings, VOTER_MINUTES};
use self::status::{shown, status};
pub use self::who::Who;
use crate::person::Person;

/// Microseconds that a vote runs (CHEAT-37).
pub const VOTE_LENGTH: u64 = 45 * Moment::SECOND;
/// Microseconds from a vote's end to the next's beginning (CHEAT-36).
pub const VOTE_PAUSE: u64 = 30 * Moment::SECOND;
/// Microseconds for which who started one that failed starts none (CHEAT-37).
pub const STARTER_COOL_DOWN: u64 = 300 * Moment::SECOND;
/// Microseconds for which nobody starts another on the target of one that failed (CHEAT-37).
pub const TARGET_PROTECTED: u64 = 600 * Moment::SECOND;
/// Microseconds from one vote that a machine asks for to the next (CHEAT-30).
pub const VOTE_PERIOD: u64 = Moment::SECOND;
/// Microseconds by which one may come early, as it does whose last was held up on its way. Over any longer time it is one a
/// [`VOTE_PERIOD`] all the same.
pub const VOTE_PERIOD_SLACK: u64 = Moment::SECOND / 10;
/// Microseconds from one telling of how a vote stands to the next (CHEAT-39).
pub const STATUS_PERIOD: u64 = Moment::SECOND;
/// Votes without which none passes (CHEAT-34).
pub const VOTES_LEAST: usize = 2;

const MINUTE: u64 = 60 * Moment::SECOND;

/// What the votes ask of the host's game.
pub trait World {
    /// Every machine that has joined, those that load too; the host's among them while somebody plays on it.
    fn machines(&self) -> MachineSet;

    /// Who is behind that machine. Never asked of the host's.
    fn person(&self, machine: Machine) -> Option<Person>;

    /// Ticks of the host since that machine joined, over all games. Never asked of the host's.
    fn played(&self, machine: Machine) -> u32;

    /// Everybody who plays, each once, with whose machine's it is and what it is called.
    fn players(&self) -> impl Iterator<Item = (Slot, Machine, Name)>;
}

/// See the file's text. It outlives games, as those whom it keeps out do.
#[derive(Debug)]
pub struct Votes {
    settings: Settings,
    running: Option<Running>,
    /// When the next may begin.
    next: Moment,
    /// When each machine may ask again.
    asks: [Moment; MAX_MACHINES],
    kept_out: Remembered,
    cooling: Remembered,
    protected: Remembered,
    /// Clients do not know yet how it stands, or that it is over.
    is_changed: bool,
    /// When they are told again of one that runs.
    status_due: Moment,
}

impl Votes {
    /// Of a host that begins, with those settings.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings: settings.clamped(),
            running: None,
            next: Moment::START,
            asks: [Moment::START; MAX_MACHINES],
            kept_out: Remembered::new(),
            cooling: Remembered::new(),
            protected: Remembered::new(),
            is_changed: false,
            status_due: Moment::START,
        }
    }

    /// The host wants it otherwise. A vote that runs when it wants none ends as neither passed nor failed; who is kept out stays
    /// so for as long as was said.
    pub fn set_settings(&mut self, now: Moment, settings: Settings) {
        self.settings = settings.clamped();
        if !self.settings.allowed {
            self.end(now);
        }
    }

    /// What the host wants, within its bounds.
    pub const fn settings(&self) -> Settings {
        self.settings
    }

    /// A vote of that machine on that slot's player: the first starts one (CHEAT-59), and the others count in it. The host's own
    /// is as any machine's (CHEAT-63). Why it is refused is for the asker alone (CHEAT-58).
    pub fn ask(&mut self, now: Moment, from: Machine, slot: Slot, world: &impl World) -> Result<(), Refusal> {
        self.pace(now, from)?;
        if !self.settings.allowed {
            return Err(Refusal::Off);
        }
        // Of a machine that is about to go, players may still be listed.
        let machines = world.machines();
        let mut players = world.players();
        let player = players.find(|(other, machine, _)| *other == slot && machines.contains(*machine));
        let (_, machine, _) = player.ok_or(Refusal::NoPlayer)?;
        if machine == Machine::HOST {
            return Err(Refusal::Host);
        }
        if machine == from {
            return Err(Refusal::Own);
        }
        let (who, target) = (Who::of(from, world), Who::of(machine, world));
        if who.home().is_none() {
            return Err(Refusal::UnknownAddress);
        }
        if who.is_same(&target) {
            return Err(Refusal::SamePerson);
        }
        match &mut self.running {
            Some(running) if running.machine != machine => return Err(Refusal::Running),
            Some(running) => running.cast(from)?,
            None => {
                self.may_start(now, from, &who, &target, world)?;
                let mut running =
                    Running::new(now, (machine, target, slot), who, electors(self.settings, from, world));
                running.cast(from)?;
                self.running = Some(running);
            }
        }
        self.is_changed = true;
        Ok(())
    }

    /// Whether that machine may ask now: once a [`VOTE_PERIOD`].
    fn pace(&mut self, now: Moment, from: Machine) -> Result<(), Refusal> {
        let next = &mut self.asks[from.index()];
        if now < *next {
            return Err(Refusal::TooFast);
        }
        *next = next.plus(VOTE_PERIOD).max(now.plus(VOTE_PERIOD - VOTE_PERIOD_SLACK));
        Ok(())
    }

    fn may_start(
        &self,
        now: Moment,
        from: Machine,
        who: &Who,
        target: &Who,
        world: &impl World,
    ) -> Result<(), Refusal> {
        let Settings { minutes, .. } = self.settings;
        let [starting, _] = self.settings.ticks();
        if from != Machine::HOST && world.played(from) < starting {
            return Err(Refusal::NotPlayed { minutes });
        }
        let pause = self.next.since(now);
        if pause > 0 {
            return Err(Refusal::Pause { seconds: pause.div_ceil(Moment::SECOND) });
        }
        let cooling = self.cooling.left(now, who);
        if cooling > 0 {
            return Err(Refusal::Cooling { seconds: cooling.div_ceil(Moment::SECOND) });
        }
        if self.protected.left(now, target) > 0 {
            return Err(Refusal::Protected);
        }
        Ok(())
    }

    /// Each tick, once what came was heard: a vote that is over, if one is.
    pub fn step(&mut self, now: Moment) -> Option<Outcome> {
        let running = self.running.as_ref()?;
        if running.votes() >= running.needed() {
            return self.pass(now, End::Passed);
        }
        if running.left(now) > 0 {
            return None;
        }
        let over = self.end(now)?;
        self.cooling.add(now, over.starter, now.plus(STARTER_COOL_DOWN));
        self.protected.add(now, over.target, now.plus(TARGET_PROTECTED));
        Some(over.outcome(End::Failed, 0))
    }

    /// A machine has left, whatever for: its vote goes along (CHEAT-60), and a vote on it has passed (CHEAT-38).
    pub fn left(&mut self, now: Moment, machine: Machine) -> Option<Outcome> {
        self.asks[machine.index()] = Moment::START;
        let running = self.running.as_mut()?;
        if running.machine == machine {
            return self.pass(now, End::Left);
        }
        self.is_changed |= running.remove(machine);
        None
    }

    /// The host is about to kick or to ban that machine, which it may: a vote on it ends first, as neither passed nor failed
    /// (CHEAT-67). To be called before [`left`](Self::left).
    pub fn kicked(&mut self, now: Moment, machine: Machine) {
        if self.running.as_ref().is_some_and(|running| running.machine == machine) {
            self.end(now);
        }
    }

    /// The next game begins: a vote that runs ends without failing anyone (CHEAT-62).
    pub fn new_game(&mut self, now: Moment) {
        self.end(now);
    }

    fn pass(&mut self, now: Moment, end: End) -> Option<Outcome> {
        let over = self.end(now)?;
        let minutes = self.settings.ban_minutes;
        self.kept_out.add(now, over.target, now.plus(u64::from(minutes) * MINUTE));
        Some(over.outcome(end, minutes))
    }

    /// Ends the vote that runs; who is told of it is for whoever ends it.
    fn end(&mut self, now: Moment) -> Option<Running> {
        let over = self.running.take()?;
        self.next = now.plus(VOTE_PAUSE);
        self.is_changed = true;
        Some(over)
    }

    /// Whether that person may not join: voted out (CHEAT-38), or the target of a vote that runs, whose machine may be one that
    /// the host has not missed yet (CHEAT-60). Whoever shares its address waits with it.
    pub fn is_kept_out(&self, now: Moment, person: &Person) -> bool {
        let who = Who::Guest(*person);
        let is_target = self.running.as_ref().is_some_and(|running| running.target.is_same(&who));
        is_target || self.kept_out.left(now, &who) > 0
    }

    /// The machine that a vote is on, if one runs.
    pub fn target(&self) -> Option<Machine> {
        self.running.as_ref().map(|running| running.machine)
    }

    /// How the vote stands for that machine, the host's own too (CHEAT-65).
    pub fn status(&self, now: Moment, machine: Machine, world: &impl World) -> VotekickStatus {
        self.running.as_ref().map_or_else(VotekickStatus::default, |running| {
            status(now, running, shown(running, world), running.bits(machine))
        })
    }

    /// Each tick, after [`step`](Self::step): tells those machines how the vote stands, each second and as it changes, and once
    /// that it is over (CHEAT-39).
    pub fn tell(&mut self, now: Moment, machines: MachineSet, world: &impl World, outbox: &mut Outbox) {
        let is_due = self.running.is_some() && now >= self.status_due;
        if !self.is_changed && !is_due {
            return;
        }
        // In step with the last time, so that ticks make it no longer; but what a stall left out is not made up for.
        let next = self.status_due.plus(STATUS_PERIOD);
        self.status_due = if self.is_changed || next <= now { now.plus(STATUS_PERIOD) } else { next };
        self.is_changed = false;
        let machines = machines.without(MachineSet::HOST);
        let Some(running) = &self.running else {
            write(machines, &VotekickStatus::default(), outbox);
            return;
        };
        let slot = shown(running, world);
        // One message for all who are told the same.
        let mut told = [MachineSet::NONE; 4];
        for machine in machines.iter() {
            let (has_voted, may_vote) = running.bits(machine);
            told[usize::from(has_voted) | usize::from(may_vote) << 1].insert(machine);
        }
        for (bits, machines) in told.into_iter().enumerate() {
            let bits = (bits & 1 != 0, bits & 2 != 0);
            write(machines, &status(now, running, slot, bits), outbox);
        }
    }

    /// Who was voted out.
    pub const fn kept_out(&self) -> &Remembered {
        &self.kept_out
    }

    /// Whose last vote failed.
    pub const fn cooling(&self) -> &Remembered {
        &self.cooling
    }

    /// Whom the last vote on failed.
    pub const fn protected(&self) -> &Remembered {
        &self.protected
    }
}

/// Who may vote as a vote begins: whose address is known and who has played long enough, the host always (CHEAT-32, 35); and who
/// starts it, since starting takes no less.
fn electors(
    settings: Settings,
    starter: Machine,
    world: &impl World,
) -> impl Iterator<Item = (Machine, Who)> {
    let [_, voting] = settings.ticks();
    let machines = world.machines().union(MachineSet::only(starter));
    machines.iter().filter_map(move |machine| {
        let has_played = machine == Machine::HOST || world.played(machine) >= voting;
        let who = Who::of(machine, world);
        (has_played && who.home().is_some()).then_some((machine, who))
    })
}

fn write(to: MachineSet, status: &VotekickStatus, outbox: &mut Outbox) {
    if !to.is_empty() {
        // An entry of its size fits any datagram.
        let _ = outbox.entry(to, Kind::VotekickStatus, |bytes| status.write(bytes));
    }
}
