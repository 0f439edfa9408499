//! What a client believes of the machines that its host names (MAP-21, 22, 71). Knows no message but theirs.

use alloc::boxed::Box;
use core::net::IpAddr;

use mjolnir_wire::mapshare::{Source, SourceAddress};
use mjolnir_wire::{Error, Machine, MachineSet};

use crate::addresses::may_connect;
use crate::order::Place;

/// The places of a list's entries, each machine once, and how many entries were left out: those that are none, of this machine, on the
/// internet, or at an address that the host may not send a client to.
pub(super) fn believed(
    host: IpAddr,
    own: Machine,
    entries: impl Iterator<Item = Result<Source, Error>>,
) -> (Box<[Place]>, u64) {
    let mut seen = MachineSet::only(own);
    let mut left_out = 0;
    let places = entries.filter_map(|entry| {
        let place =
            entry.ok().and_then(|entry| place(host, entry)).filter(|place| !seen.contains(place.machine));
        match &place {
            Some(place) => seen.insert(place.machine),
            None => left_out += 1,
        }
        place
    });
    (places.collect(), left_out)
}

fn place(host: IpAddr, source: Source) -> Option<Place> {
    let Source { machine, address, files, is_downloading } = source;
    match address {
        SourceAddress::Lan(address) if may_connect(host, address) => {
            Some(Place { machine, address, files, is_downloading })
        }
        SourceAddress::Lan(_) | SourceAddress::Internet(_) => None,
    }
}
