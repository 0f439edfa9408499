//! What a swarm counts. Knows no connection.

use super::error::Error;
use crate::download::Refused;

/// Refusals by reason, and bytes of blocks.
#[derive(Clone, Debug)]
pub struct Counters {
    swarm: [u64; Error::ALL.len()],
    pieces: [u64; Refused::ALL.len()],
    /// Bytes of blocks that were sent, or handed over to be.
    pub sent: u64,
    /// Bytes of blocks that came and were due.
    pub received: u64,
    /// Connections that this machine made.
    pub connects: u64,
}

impl Counters {
    pub(super) const fn new() -> Self {
        Self {
            swarm: [0; Error::ALL.len()],
            pieces: [0; Refused::ALL.len()],
            sent: 0,
            received: 0,
            connects: 0,
        }
    }

    pub(super) fn count(&mut self, error: Error) {
        let place = match error {
            Error::Pieces(error) => {
                Refused::ALL.iter().position(|other| *other == error).map(|at| &mut self.pieces[at])
            }
            _ => Error::ALL.iter().position(|other| *other == error).map(|at| &mut self.swarm[at]),
        };
        if let Some(place) = place {
            *place = place.saturating_add(1);
        }
    }

    /// How often something was refused for that reason.
    pub fn refused(&self, error: Error) -> u64 {
        self.refusals().find(|(reason, _)| *reason == error.reason()).map_or(0, |(_, times)| times)
    }

    /// Every reason's word, and how often.
    pub fn refusals(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let swarm = Error::ALL.iter().map(|error| error.reason()).zip(self.swarm);
        swarm.chain(Refused::ALL.iter().map(|error| error.reason()).zip(self.pieces))
    }
}
