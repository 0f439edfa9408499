//! Puts a client's copy where the host's word has it, and draws it from where it was. Knows one word on one object at a time.

use alloc::vec::Vec;

use mjolnir_wire::Tick;
use mjolnir_wire::objects::{Creation, Motion, ObjectState};

use crate::along::Along;
use crate::client::{Command, Ignored};
use crate::correcting::correction;
use crate::fading::Fading;
use crate::rows::{Class, ObjectRow};

/// Where the host has an object as it tells of it for the first time.
pub(crate) const fn as_told(creation: &Creation) -> ObjectState {
    let Creation { object, position, axes, velocity, angular_velocity, carried, at_rest, dead, .. } =
        *creation;
    let motion = Motion { position, axes, velocity, angular_velocity };
    ObjectState { carried, at_rest, dead, ..ObjectState::moving(object, motion) }
}

/// How copies move between the host's words.
pub(crate) struct Moves<'a> {
    pub(crate) fading: &'a mut Fading,
    pub(crate) along: &'a mut Along,
}

/// Whether nothing but the host's word and the ground moves that copy: a vehicle that nobody drives.
pub(crate) fn is_let_go(row: &ObjectRow) -> bool {
    row.class == Class::Vehicle && row.driver.is_none() && !row.state.carried
}

/// Turns a unit's light on or off as the host has it, where that says so (OBJ-28).
pub(crate) fn shine(row: &ObjectRow, host: &ObjectState, ignored: &mut Ignored, commands: &mut Vec<Command>) {
    let object = host.object;
    match host.light {
        Some(_) if row.class != Class::Unit => ignored.wrong_class += 1,
        Some(on) if row.state.light != Some(on) => commands.push(Command::Light { object, on }),
        _ => {}
    }
}

/// Puts a copy that is there where the host had it in that tick, or where its creation has it.
pub(crate) fn place(
    row: &ObjectRow,
    stamp: Option<Tick>,
    host: &ObjectState,
    moves: &mut Moves<'_>,
    ignored: &mut Ignored,
    commands: &mut Vec<Command>,
) {
    let ObjectState { object, at_rest, dead, .. } = *host;
    shine(row, host, ignored, commands);
    if row.state.carried || host.carried {
        return moves.along.end(object);
    }
    let correction = if at_rest || !is_let_go(row) {
        moves.along.end(object);
        correction(row, host)
    } else if stamp.is_some_and(|stamp| moves.along.hear(stamp, host)) {
        Some((host.motion, host.motion.position - row.state.motion.position))
    } else {
        correction(row, host)
    };
    if let Some((motion, moved)) = correction {
        moves.fading.moved(object, moved);
        commands.push(Command::Place { object, motion, at_rest, dead });
    }
}
