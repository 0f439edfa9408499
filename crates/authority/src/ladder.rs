//! Which machines are sent which player in a tick: the ladder of distances, what raises a player on it, and what goes at
//! once (AUTH-34 to 42). Knows no message; of a player only where it is and what others see change.
//!
//! Each step of the ladder is a set of machines, so that a player's turn is decided for all of them together. Turns go
//! by tick and slot and are spread over the players; a machine that was not sent a player for as long as its step says
//! is sent it then, so that none waits longer when a step changes. What goes at once is had early, and moves no turn.

use alloc::vec::Vec;

use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::units::Ride;
use mjolnir_wire::{Input, MachineSet, ObjectId, Slot, Tick, Vec3};

use crate::eyes::{Eye, Eyes};
use crate::rows::{InputRow, UnitRow};
use crate::visible::VisibleSet;

/// Ticks from one state of a player who is hidden or dead to the next (AUTH-35).
pub const HIDDEN_EACH: usize = 6;
/// Ticks for which an input goes to everybody after its buttons or choices changed: the change's own, and the three in
/// which a message still carries it (AUTH-39).
pub const CHANGE_SENT_FOR: u8 = 4;

/// Ticks from one state to the next, on each step of the ladder.
const STEPS: [usize; 5] = [1, 2, 3, 4, HIDDEN_EACH];

/// From where a player's machine sees, once it is dead.
#[derive(Clone, Copy, Debug)]
struct Last {
    position: Vec3,
    cluster: Option<u16>,
}

/// What changes what others see of a player, at once (AUTH-38): none while it is dead.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Seen {
    unit: ObjectId,
    ride: Option<Ride>,
}

/// What must not be missed of an input: its buttons, as far as they are relayed, and its choices.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Choices {
    buttons: u16,
    weapon: Option<u8>,
    grenade: Option<u8>,
    zoom: Option<u16>,
}

impl Choices {
    const fn of(input: &Input) -> Self {
        let Input { buttons, weapon, grenade, zoom, .. } = *input;
        Self { buttons: buttons.low16(), weapon, grenade, zoom }
    }
}

/// One player, as others were told of it.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    last: Option<Last>,
    /// None before the first tick.
    was: Option<Option<Seen>>,
    /// The machines that could see it.
    seen: MachineSet,
    /// Those that it was sent to in the last ticks, newest first.
    sent: [MachineSet; HIDDEN_EACH - 1],
    choices: Option<Choices>,
    /// Ticks for which its input still goes to everybody.
    changes: u8,
    /// Those that are sent it in this tick.
    now: MachineSet,
}

/// See the file's text.
#[derive(Debug)]
pub(crate) struct Ladder {
    eyes: Eyes,
    visible: VisibleSet,
    /// Of each cluster the machines with an eye in it, and which clusters have some.
    within: Vec<MachineSet>,
    occupied: Vec<u16>,
    /// Of each cluster the machines that see it, as far as this tick asked.
    seers: Vec<Option<MachineSet>>,
    asked: Vec<u16>,
    /// The machines that see everything: those of which nothing is known.
    everywhere: MachineSet,
    players: Vec<Told>,
}

impl Ladder {
    pub(crate) fn new() -> Self {
        Self {
            eyes: Eyes::default(),
            visible: VisibleSet::new(),
            within: Vec::new(),
            occupied: Vec::new(),
            seers: Vec::new(),
            asked: Vec::new(),
            everywhere: MachineSet::NONE,
            players: alloc::vec![Told::default(); MAX_PLAYERS],
        }
    }

    /// What of the level can be seen from where.
    pub(crate) fn set_visible(&mut self, visible: VisibleSet) {
        let clusters = usize::from(visible.clusters());
        self.within = alloc::vec![MachineSet::NONE; clusters];
        self.seers = alloc::vec![None; clusters];
        self.occupied = Vec::with_capacity(clusters.min(MAX_PLAYERS));
        self.asked = Vec::with_capacity(clusters.min(MAX_PLAYERS));
        self.visible = visible;
    }

    /// That slot is another player's from now on, or nobody's.
    pub(crate) fn forget(&mut self, slot: Slot) {
        self.players[slot.index()] = Told::default();
    }

    /// The machines that are sent that player in the tick told last.
    pub(crate) fn now(&self, slot: Slot) -> MachineSet {
        self.players[slot.index()].now
    }

    /// A tick's eyes, of the machines `loaded`: each machine's living players', and of one whose players are all dead
    /// those from where they last were alive (AUTH-36). `places` says where each row's unit is.
    pub(crate) fn look(&mut self, loaded: MachineSet, rows: &[UnitRow], places: &[Option<Vec3>]) {
        self.eyes.clear();
        for cluster in self.occupied.drain(..) {
            self.within[usize::from(cluster)] = MachineSet::NONE;
        }
        for cluster in self.asked.drain(..) {
            self.seers[usize::from(cluster)] = None;
        }
        self.everywhere = MachineSet::NONE;
        let mut living = MachineSet::NONE;
        for (row, place) in rows.iter().zip(places) {
            self.players[row.state.slot.index()].now = MachineSet::NONE;
            if row.left || row.living().is_none() {
                continue;
            }
            let last = &mut self.players[row.state.slot.index()].last;
            let position = place.filter(|place| place.is_finite()).or(last.map(|last| last.position));
            let Some(position) = position else { continue };
            *last = Some(Last { position, cluster: row.view.cluster });
            living.insert(row.machine);
            if loaded.contains(row.machine) {
                let aim = direction(row.view.aim);
                self.put(row, &Eye { position, aim, scoped: row.view.scoped }, row.view.cluster);
            }
        }
        for row in rows {
            let looks = !row.left && loaded.contains(row.machine) && !living.contains(row.machine);
            if let Some(last) = self.players[row.state.slot.index()].last.filter(|_| looks) {
                let eye = Eye { position: last.position, aim: Vec3::ZERO, scoped: false };
                self.put(row, &eye, last.cluster);
            }
        }
        self.everywhere = self.everywhere.union(loaded.without(self.eyes.with()));
    }

    fn put(&mut self, row: &UnitRow, eye: &Eye, cluster: Option<u16>) {
        self.eyes.put(row.machine, eye);
        match cluster.filter(|cluster| self.visible.has(*cluster)) {
            None => self.everywhere.insert(row.machine),
            Some(cluster) => {
                let within = &mut self.within[usize::from(cluster)];
                if within.is_empty() {
                    self.occupied.push(cluster);
                }
                within.insert(row.machine);
            }
        }
    }

    /// The machines some player of which may see something in that cluster.
    fn seers(&mut self, cluster: Option<u16>) -> MachineSet {
        let Some(cluster) = cluster.filter(|cluster| self.visible.has(*cluster)) else {
            return self.eyes.with().union(self.everywhere);
        };
        if let Some(seers) = self.seers[usize::from(cluster)] {
            return seers;
        }
        let mut seers = self.everywhere;
        for from in &self.occupied {
            if self.visible.sees(*from, cluster) {
                seers = seers.union(self.within[usize::from(*from)]);
            }
        }
        self.seers[usize::from(cluster)] = Some(seers);
        self.asked.push(cluster);
        seers
    }

    /// The machines that are sent that player in this tick. `arrived` are those of the machines `loaded` that know nothing
    /// of it.
    pub(crate) fn tell(
        &mut self,
        tick: Tick,
        row: &UnitRow,
        loaded: MachineSet,
        arrived: MachineSet,
    ) -> MachineSet {
        let slot = row.state.slot;
        let own = MachineSet::only(row.machine);
        let unit = row.living();
        let (mut steps, mut seen) =
            ([own, MachineSet::NONE, MachineSet::NONE, MachineSet::NONE, loaded], loaded);
        if unit.is_some() {
            seen = self.seers(row.view.cluster);
            let last = self.players[slot.index()].last;
            let near = last.map(|last| self.eyes.near(last.position)).unwrap_or_default();
            let [every, second, third] = near.within.map(|within| within.intersection(seen));
            steps = [own.union(every).union(near.scoped), second.union(near.aimed), third, seen, loaded];
        }
        let player = &mut self.players[slot.index()];
        let is = unit.map(|unit| Seen { unit: unit.unit, ride: unit.ride });
        let mut now = if player.was == Some(is) { player.due(tick, slot, steps) } else { loaded };
        player.was = Some(is);
        if unit.is_some() {
            now = now.union(seen.without(player.seen));
            player.seen = seen;
        }
        now = now.union(arrived).intersection(loaded);
        player.sent.rotate_right(1);
        player.sent[0] = now;
        player.now = now;
        now
    }

    /// Notes what drove a player in this tick: whether its input goes to everybody.
    pub(crate) fn changes(&mut self, row: &InputRow) -> bool {
        let player = &mut self.players[row.slot.index()];
        let choices = Some(Choices::of(&row.input));
        if player.choices != choices {
            (player.choices, player.changes) = (choices, CHANGE_SENT_FOR);
        }
        let changes = player.changes > 0;
        player.changes = player.changes.saturating_sub(1);
        changes
    }
}

impl Told {
    /// The machines whose turn it is, those of each step by its own.
    fn due(&self, tick: Tick, slot: Slot, steps: [MachineSet; STEPS.len()]) -> MachineSet {
        let turn = tick.get() as u32 as usize + slot.index();
        let (mut due, mut higher) = (MachineSet::NONE, MachineSet::NONE);
        for (machines, each) in steps.into_iter().zip(STEPS) {
            let machines = machines.without(higher);
            higher = higher.union(machines);
            let had = |ticks: &[MachineSet]| ticks.iter().fold(MachineSet::NONE, |all, of| all.union(*of));
            let recently =
                if turn.is_multiple_of(each) { MachineSet::NONE } else { had(&self.sent[..each - 1]) };
            due = due.union(machines.without(recently));
        }
        due
    }
}

/// As long as a direction is; none at all where it is no number.
fn direction(aim: Vec3) -> Vec3 {
    let length = aim.length();
    if length.is_finite() && length > 0.0 { aim * (1.0 / length) } else { Vec3::ZERO }
}
