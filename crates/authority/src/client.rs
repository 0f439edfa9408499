//! The client's end: keeps the host's newest word on each player and says what of it the engine lacks. Knows no
//! prediction: where units are is handed on.

use alloc::vec::Vec;

use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::pings::Ping;
use mjolnir_wire::units::{Death, Life, LivingUnit, Placement, Ride, ShieldFlags, UnitState};
use mjolnir_wire::{ObjectId, Slot, Tick};

use crate::error::Error;
use crate::relay::PING_INTERVAL;
use crate::rows::{Command, PlayerRow, Vitality};
use crate::stamps::Stamps;

/// The host's word on where a player's unit is and what it rides, for whoever corrects it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Word {
    /// Whose unit.
    pub slot: Slot,
    /// The host's tick of the state.
    pub tick: Tick,
    /// Where the host has it; none while it rides.
    pub placement: Option<Placement>,
    /// What it rides there (AUTH-53).
    pub ride: Option<Ride>,
    /// The low 16 bits of this client's tick that the host has it at; an own player's alone.
    pub predicted: Option<u16>,
}

/// As [`STAMP_STEP`](crate::STAMP_STEP), of round trips: two in a row, one of them lost between.
const PING_STEP: i32 = 2 * PING_INTERVAL;

/// What the engine was last told of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Applied {
    #[default]
    Nothing,
    Alive(ObjectId, Vitality),
    Dead(Death),
}

/// The host's word on one player.
#[derive(Clone, Copy, Debug, Default)]
struct Player {
    newest: Option<(Tick, UnitState)>,
    stamps: Stamps,
    /// Its place and seat were not handed on yet.
    fresh: bool,
    applied: Applied,
    /// Two of them in a row are to agree though they come only each [`PING_INTERVAL`] ticks.
    pinged: Stamps<PING_STEP>,
    ping: Option<u16>,
}

/// The client's side of players. See the crate's text.
#[derive(Debug)]
pub struct Client {
    players: Vec<Player>,
    words: Vec<Word>,
}

impl Default for Client {
    fn default() -> Self {
        Self::new()
    }
}

impl Client {
    /// That has heard nothing.
    pub fn new() -> Self {
        Self { players: (0..MAX_PLAYERS).map(|_| Player::default()).collect(), words: Vec::new() }
    }

    /// Hears an entry of kind 2, stamped with the host's tick. An older one than was had is refused, one of the
    /// same tick taken: the pieces of a message that was split. A stamp far ahead is taken and refuses none that
    /// follows, until another agrees (NET-74).
    pub fn handle_state(&mut self, stamp: Tick, state: &UnitState) -> Result<(), Error> {
        let player = &mut self.players[state.slot.index()];
        if player.stamps.is_old(stamp) {
            return Err(Error::Old);
        }
        player.stamps.note(stamp);
        player.newest = Some((stamp, *state));
        player.fresh = true;
        Ok(())
    }

    /// Hears an entry of kind 19, stamped with the host's tick.
    pub fn handle_ping(&mut self, stamp: Tick, ping: &Ping) -> Result<(), Error> {
        let player = &mut self.players[ping.slot.index()];
        if player.pinged.is_old(stamp) {
            return Err(Error::Old);
        }
        player.pinged.note(stamp);
        player.ping = ping.milliseconds;
        Ok(())
    }

    /// Before the engine's tick: says what of the host's word differs from what the engine was told, and gathers
    /// the words on places and seats for [`Client::words`].
    ///
    /// `rows` has every player that the engine knows; the word on another waits. `exists` says whether an object
    /// is there; the word on a unit that is not yet waits for it (OBJ-40), and so does one on a unit that another
    /// player has: the host's word on that one comes first, so that a damaged word takes nobody's unit. The place and
    /// seat of a unit are handed on only once the engine has it as the player's.
    pub fn before_tick(
        &mut self,
        rows: &[PlayerRow],
        exists: impl Fn(ObjectId) -> bool,
        commands: &mut Vec<Command>,
    ) {
        self.words.clear();
        for row in rows {
            let player = &mut self.players[row.slot.index()];
            let Some((tick, state)) = player.newest else { continue };
            match state.life {
                Life::Dead(death) => player.die(row.slot, death, commands),
                Life::Alive(unit) if exists(unit.unit) && !is_anothers(rows, row, unit.unit) => {
                    player.live(row, state.shield, &unit, commands);
                    let here = row.unit == Some(unit.unit);
                    if here && player.fresh {
                        player.fresh = false;
                        let LivingUnit { placement, ride, predicted, .. } = unit;
                        // Who rides is where its vehicle is, whatever else is said.
                        let placement = placement.filter(|_| ride.is_none());
                        self.words.push(Word { slot: row.slot, tick, placement, ride, predicted });
                    }
                }
                Life::Alive(_) => {}
            }
        }
    }

    /// The words on places and seats that the last [`Client::before_tick`] gathered: of each player at most one, each state
    /// once.
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// The host's newest state of that player and its tick.
    pub fn newest(&self, slot: Slot) -> Option<(Tick, &UnitState)> {
        self.players[slot.index()].newest.as_ref().map(|(tick, state)| (*tick, state))
    }

    /// That player's round trip in milliseconds, as the host last said; none while nobody knows it.
    pub fn ping(&self, slot: Slot) -> Option<u16> {
        self.players[slot.index()].ping
    }
}

/// Whether another player has that unit.
fn is_anothers(rows: &[PlayerRow], row: &PlayerRow, unit: ObjectId) -> bool {
    row.unit != Some(unit) && rows.iter().any(|other| other.unit == Some(unit))
}

impl Player {
    fn die(&mut self, slot: Slot, death: Death, commands: &mut Vec<Command>) {
        if self.applied != Applied::Dead(death) {
            self.applied = Applied::Dead(death);
            commands.push(Command::Die { slot, death });
        }
    }

    fn live(&mut self, row: &PlayerRow, flags: ShieldFlags, unit: &LivingUnit, commands: &mut Vec<Command>) {
        let (slot, vitality) = (row.slot, Vitality::of(flags, unit));
        let unit = unit.unit;
        let owned = row.unit == Some(unit);
        if !owned {
            commands.push(Command::Own { slot, unit });
        }
        let applied = Applied::Alive(unit, vitality);
        if !owned || self.applied != applied {
            self.applied = applied;
            commands.push(Command::Vitality { slot, unit, vitality });
        }
    }
}
