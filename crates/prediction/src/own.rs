//! One of a machine's own players: its input as it is sent, where it was, and when the host's word moves it. Knows
//! nothing of other machines' players.

use mjolnir_wire::inputs::History as ButtonHistory;
use mjolnir_wire::objects::Inventory;
use mjolnir_wire::units::Placement;
use mjolnir_wire::{Buttons, Input, ObjectId, Slot, Tick, Vec3};

use crate::command::HostWord;
use crate::compare::{apart, difference};
use crate::counts::Life;
use crate::error::Error;
use crate::glide::Glide;
use crate::history::{Had, History, Was};
use crate::lag::Lag;
use crate::seat::Seat;
use crate::stamps::Stamps;
use crate::untaken::Untaken;
use crate::vehicle::OwnVehicle;

/// World units by which the host may have an own player elsewhere before it is moved (PRED-16, the public port's
/// number). Less than the host's own tolerance, so that no place is left where the host refuses what the client
/// says and the client does not give way.
pub const OWN_PLAYER_TOLERANCE: f32 = 3.0;

/// World units of a difference that is no longer a wrong step: past it a word on a tick no longer kept corrects
/// (PRED-18, ours), and a move is not drawn gliding.
pub const TELEPORT_SIZED: f32 = 10.0;

/// By no less than this a player that is refused, and not far off, is hastened, wu a tick: a turn at a run is less (ours).
const HASTENED_LEAST: f32 = 0.2;

/// An own player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Own {
    pub(crate) slot: Slot,
    pub(crate) input: Input,
    pub(crate) glide: Glide,
    pub(crate) seat: Seat,
    /// What it drives.
    pub(crate) driven: Option<OwnVehicle>,
    /// The unit that it has, on foot or riding.
    life: Option<Life>,
    /// What the host said last that it carries.
    pub(crate) told: Option<Inventory>,
    /// The unit that the history is of: the same, on foot.
    unit: Option<ObjectId>,
    buttons: SentButtons,
    history: History,
    stamps: Stamps,
    word: Option<HostWord>,
    lag: Lag,
    untaken: Untaken,
}

/// What the host's word does to an own player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Correction {
    /// It is moved by so much and goes on: as fast as before, or by so much faster.
    By(Vec3, Option<Vec3>),
    /// It is put where the host has it.
    To(Placement),
}

impl Own {
    /// Without a unit.
    pub(crate) fn new(slot: Slot) -> Self {
        Self {
            slot,
            input: Input::default(),
            glide: Glide::default(),
            seat: Seat::default(),
            driven: None,
            life: None,
            told: None,
            unit: None,
            buttons: SentButtons::default(),
            history: History::new(),
            stamps: Stamps::default(),
            word: None,
            lag: Lag::default(),
            untaken: Untaken::default(),
        }
    }

    /// Takes the tick's input. Without one nothing is pressed, and it looks where it looked.
    pub(crate) fn take_input(&mut self, tick: Tick, input: Option<Input>) {
        let idle = Input { yaw: self.input.yaw, pitch: self.input.pitch, ..Input::default() };
        self.input = input.unwrap_or(idle);
        self.buttons.note(tick, self.input.buttons);
    }

    /// This tick's buttons and the three's before, as they are sent.
    pub(crate) const fn sent_buttons(&self) -> ButtonHistory {
        self.buttons.history
    }

    /// Keeps the host's word until the next tick.
    pub(crate) fn handle_word(&mut self, word: HostWord) -> Result<(), Error> {
        self.stamps.take_or_same(word.tick)?;
        self.seat.hear(word.ride);
        self.word = Some(word);
        Ok(())
    }

    /// The host's word since the last tick, which is then no more.
    pub(crate) fn take_word(&mut self) -> Option<HostWord> {
        self.word.take()
    }

    /// It lives in that unit in that tick, on foot or riding. What was said of an earlier one is nothing of this one's.
    pub(crate) fn lives(&mut self, tick: Tick, unit: ObjectId) {
        if self.life.is_some_and(|life| life.unit != unit) {
            self.die();
        }
        self.life.get_or_insert(Life { unit, since: tick });
    }

    /// It has no unit.
    pub(crate) fn die(&mut self) {
        self.leave();
        self.life = None;
        self.seat = Seat::default();
    }

    /// The unit that it lives in.
    pub(crate) fn life(&self) -> Option<Life> {
        self.life
    }

    /// It has that unit on foot; a new one has no past (PRED-36).
    pub(crate) fn has(&mut self, unit: ObjectId) {
        if self.unit != Some(unit) {
            self.leave();
            self.glide = Glide::default();
            self.unit = Some(unit);
        }
    }

    /// It has no unit on foot: dead, or riding.
    pub(crate) fn leave(&mut self) {
        self.unit = None;
        self.untaken = Untaken::default();
        self.word = None;
        self.glide.end();
        self.history.cut();
    }

    /// A teleporter took it, or what it drives: what the host says of ticks before this one is not compared (PRED-39).
    pub(crate) fn teleported(&mut self) {
        self.history.leap();
        self.untaken = Untaken::default();
        self.glide.end();
        if let Some(driven) = &mut self.driven {
            driven.teleported();
        }
    }

    /// Notes where it is after that tick, and the elevator whose floor it touches.
    pub(crate) fn note(&mut self, tick: Tick, placement: &Placement, floor: Option<u32>) {
        let Placement { position: place, velocity, .. } = *placement;
        self.history.push(tick, Was { place, velocity, floor });
    }

    /// What that word does to it before that tick where it now is, touching that elevator's floor.
    pub(crate) fn correct(
        &mut self,
        tick: Tick,
        round_trip: u32,
        word: &HostWord,
        present: Vec3,
        floor: Option<u32>,
    ) -> Option<Correction> {
        let placement = word.placement.filter(|_| word.ride.is_none())?;
        let theirs = placement.position;
        self.lag.note(tick, word.tick, word.predicted);
        self.untaken.note(word.predicted.is_some());
        if let Some(named) = word.predicted {
            let by = difference(&mut self.history, named, theirs, OWN_PLAYER_TOLERANCE, floor);
            return by.map(|by| Correction::By(by, None));
        }
        // The host has taken nothing of late.
        if self.history.is_of_before(tick, round_trip, theirs, OWN_PLAYER_TOLERANCE) {
            return None;
        }
        if self.lag.is_known() {
            let of = self.lag.of(word.tick)?;
            if let Had::Place(back, ours) = self.history.find(of) {
                let by = apart(theirs, &ours, floor);
                let tolerance = self.untaken.tolerance();
                if by.length() <= tolerance {
                    return None;
                }
                return self.correct_unnamed(&placement, back, &ours, by);
            }
        }
        // Of nothing that could be compared, it is of the present (PRED-40), also for who rides an elevator, since a
        // teleport is told so (PRED-21).
        if theirs.distance(present) <= OWN_PLAYER_TOLERANCE {
            return None;
        }
        self.history.cut();
        Some(Correction::To(placement))
    }

    /// A word that names no tick is of one of this machine's all the same: by what its copy and the host's are apart there
    /// it is moved and hastened, and keeps what it did since; a teleport is the host's to the end.
    fn correct_unnamed(
        &mut self,
        placement: &Placement,
        back: usize,
        ours: &Was,
        by: Vec3,
    ) -> Option<Correction> {
        // As far as the host's copy comes since it was like this one is no teleport.
        let flown = placement.velocity.length() * back as f32;
        if by.length() > TELEPORT_SIZED.max(OWN_PLAYER_TOLERANCE + flown) {
            self.history.cut();
            return Some(Correction::To(*placement));
        }
        self.history.shift(back, by);
        // A few ticks earlier or later in a jump it is as fast as that makes it, and no more is off.
        let hastened = placement.velocity - ours.velocity;
        let is_sure = by.length() > OWN_PLAYER_TOLERANCE || ours.floor.is_some();
        if !is_sure && hastened.length() <= HASTENED_LEAST {
            return Some(Correction::By(by, None));
        }
        self.history.hasten(back, hastened);
        Some(Correction::By(by, Some(hastened)))
    }
}

/// The buttons of the last four ticks by tick: what an input message carries.
#[derive(Clone, Copy, Debug, Default)]
struct SentButtons {
    tick: Option<Tick>,
    history: ButtonHistory,
}

impl SentButtons {
    /// Notes a tick's. Those of ticks that the clock jumped over are those of the tick before: nothing was pressed
    /// or let go in them.
    fn note(&mut self, tick: Tick, buttons: Buttons) {
        let passed = self.tick.map_or(1, |last| tick.since(last).clamp(0, 4) as usize);
        for _ in 0..passed {
            self.history.copy_within(0..3, 1);
        }
        self.history[0] = buttons;
        self.tick = Some(tick);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// PRED-06: what is sent of a tick that was jumped over cannot press anything twice.
    #[test]
    fn a_tick_jumped_over_repeats_the_one_before() {
        let tick = |number| Tick::new(number).unwrap();
        let sent = |buttons: &SentButtons| buttons.history.map(|buttons| buttons.0);
        let mut buttons = SentButtons::default();
        for (at, pressed) in [(10, 1), (11, 2), (12, 4)] {
            buttons.note(tick(at), Buttons(pressed));
        }
        assert_eq!(sent(&buttons), [4, 2, 1, 0]);
        buttons.note(tick(14), Buttons(8));
        assert_eq!(sent(&buttons), [8, 4, 4, 2]);
        buttons.note(tick(90), Buttons(0));
        assert_eq!(sent(&buttons), [0, 8, 8, 8]);
    }
}
