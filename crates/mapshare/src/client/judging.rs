//! What a client makes of a host's offers (MAP-18, 67 to 70). Knows no message but them.

use alloc::boxed::Box;

use mjolnir_wire::mapshare::{File, FileSet, Offer};

use super::stage::{Asking, Why};
use crate::error::Error;
use crate::order::Offered;

/// What becomes of offers that are an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Judged {
    /// These are downloaded.
    Taken(Box<[Offered]>),
    /// The map cannot be had.
    Fails(Why),
}

/// What is made of the entries of a message, by who asked for the map of that version.
pub(super) fn judge(
    asking: &Asking,
    version: u32,
    most: &[u64; File::ALL.len()],
    entries: impl Iterator<Item = Result<Offer, mjolnir_wire::Error>>,
) -> Result<Judged, Error> {
    // At most one of each file.
    let mut offers: [Option<Offer>; File::ALL.len()] = [None; File::ALL.len()];
    let mut is_any = false;
    for offer in entries.flatten() {
        is_any = true;
        if offer.map_version == version {
            offers[offer.file.index()] = Some(offer);
        }
    }
    if !is_any {
        return Err(Error::Malformed);
    }
    if offers.iter().all(Option::is_none) {
        return Err(Error::OtherVersion);
    }
    // A refusal of the map is one of all, whatever was asked for.
    if let Some(Offer { answer: Err(why), .. }) = offers[File::Map.index()] {
        return Ok(Judged::Fails(Why::Refused(File::Map, why)));
    }
    let offers = offers.into_iter().flatten().filter(|offer| asking.lacked.contains(offer.file));
    let files = offers.clone().map(|offer| offer.file).fold(FileSet::NONE, FileSet::with);
    // Without the map nobody knows here which of the resource maps it needs; with it, all that were asked for are needed.
    let needed = if asking.has_map { asking.lacked } else { FileSet::MAP };
    if !needed.without(files).is_empty() {
        return Err(Error::Incomplete);
    }
    let mut taken = alloc::vec::Vec::with_capacity(File::ALL.len());
    for Offer { file, answer, .. } in offers {
        let (size, hash) = match answer {
            Ok(file) => file,
            Err(why) => return Ok(Judged::Fails(Why::Refused(file, why))),
        };
        if file == File::Map && hash.version() != version {
            return Ok(Judged::Fails(Why::WrongHash));
        }
        if u64::from(size) > most[file.index()] {
            return Ok(Judged::Fails(Why::TooLarge(file)));
        }
        taken.push(Offered { file, size, hash });
    }
    Ok(Judged::Taken(taken.into()))
}
