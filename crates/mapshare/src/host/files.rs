//! The host's own files: the game's map, and the resource maps that were asked for; what of them is offered. Knows no machine.

use alloc::collections::VecDeque;
use alloc::string::String;

use mjolnir_wire::mapshare::{File, FileHash, FileSet, Offer, Refusal};

use crate::order::{Found, Order};

/// What a host has of its game's map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapState<'a> {
    /// The level is none of custom maps: every machine has it, nothing is shared.
    Plain,
    /// It is being looked for, and hashed.
    Looking,
    /// It is there.
    Found(&'a Found),
    /// It is not there, or cannot be offered.
    Lacking(Option<Refusal>),
}

#[derive(Debug)]
enum Map {
    Plain,
    Looking { ticket: u32 },
    Found(Found),
    Lacking(Option<Refusal>),
}

/// A resource map: the same for every game, so it is hashed once a run (MAP-05).
#[derive(Clone, Copy, Debug)]
enum Resource {
    Unknown,
    Hashing { ticket: u32 },
    Known(Result<(u32, FileHash), Refusal>),
}

/// What a request is answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// Nothing is offered.
    No(Refusal),
    /// These files, each or why not.
    Files(FileSet),
}

/// See the file's text.
#[derive(Debug)]
pub(super) struct Files {
    map: Map,
    /// It was found, and cannot be read any more.
    is_lost: bool,
    /// By the file's number; the map's own place is not used.
    resources: [Resource; File::ALL.len()],
    ticket: u32,
}

impl Files {
    pub(super) const fn new() -> Self {
        Self { map: Map::Plain, is_lost: false, resources: [Resource::Unknown; File::ALL.len()], ticket: 0 }
    }

    /// The game's level is another; one of custom maps is looked for.
    pub(super) fn begin_map(&mut self, custom: Option<&str>, orders: &mut VecDeque<Order>) {
        self.map = match custom {
            None => Map::Plain,
            Some(level) => {
                let ticket = self.next_ticket();
                orders.push_back(Order::Look { ticket, level: String::from(level), version: None });
                Map::Looking { ticket }
            }
        };
    }

    fn next_ticket(&mut self) -> u32 {
        self.ticket = self.ticket.wrapping_add(1);
        self.ticket
    }

    pub(super) fn state(&self) -> MapState<'_> {
        match &self.map {
            Map::Plain => MapState::Plain,
            Map::Looking { .. } => MapState::Looking,
            Map::Found(found) => MapState::Found(found),
            Map::Lacking(why) => MapState::Lacking(*why),
        }
    }

    /// The map was looked for. Whether that is news: an answer to an earlier order is none.
    pub(super) fn looked(&mut self, answered: u32, map: Result<Option<Found>, Refusal>) -> bool {
        if !matches!(self.map, Map::Looking { ticket } if ticket == answered) {
            return false;
        }
        // News are in their order: what was lost by now was the map's before.
        self.is_lost = false;
        self.map = match map {
            Ok(Some(found)) => Map::Found(found),
            Ok(None) => Map::Lacking(None),
            Err(why) => Map::Lacking(Some(why)),
        };
        true
    }

    /// A resource map was hashed.
    pub(super) fn hashed(&mut self, answered: u32, file: File, answer: Result<(u32, FileHash), Refusal>) {
        let resource = &mut self.resources[file.index()];
        if matches!(*resource, Resource::Hashing { ticket } if ticket == answered) {
            *resource = Resource::Known(answer);
        }
    }

    /// A file cannot be read any more, or has changed. A resource map is hashed anew when it is asked for again.
    pub(super) fn lost(&mut self, file: File) {
        match file {
            File::Map => self.is_lost = true,
            resource => self.resources[resource.index()] = Resource::Unknown,
        }
    }

    /// What who lacks those files is answered; nothing yet while some of it is not known, which is then looked for (MAP-67, 69).
    pub(super) fn answer(&mut self, lacked: FileSet, orders: &mut VecDeque<Order>) -> Option<Answer> {
        let found = match &self.map {
            Map::Looking { .. } => return None,
            Map::Plain | Map::Lacking(None) => return Some(Answer::No(Refusal::CannotBeRead)),
            Map::Lacking(Some(why)) => return Some(Answer::No(*why)),
            Map::Found(found) => found,
        };
        // Who lacks nothing that is needed is shown what there is: an answer has an entry.
        let wanted = match lacked.and(found.needs.or(FileSet::MAP)) {
            FileSet::NONE => FileSet::MAP,
            wanted => wanted,
        };
        let mut is_known = true;
        for file in wanted.without(FileSet::MAP).iter() {
            if let Resource::Unknown = self.resources[file.index()] {
                let ticket = self.next_ticket();
                self.resources[file.index()] = Resource::Hashing { ticket };
                orders.push_back(Order::Hash { ticket, file });
            }
            is_known &= matches!(self.resources[file.index()], Resource::Known(_));
        }
        is_known.then_some(Answer::Files(wanted))
    }

    /// A file of an [`Answer`], as it is offered. What could not be read is tried again when it is asked for again: see
    /// [`Files::forget_refused`].
    pub(super) fn offer(&self, file: File) -> Offer {
        let Map::Found(found) = &self.map else {
            return Offer { file, map_version: 0, answer: Err(Refusal::CannotBeRead) };
        };
        let answer = match self.resources[file.index()] {
            _ if file == File::Map && self.is_lost => Err(Refusal::CannotBeRead),
            _ if file == File::Map => Ok((found.size, found.hash)),
            Resource::Known(answer) => answer,
            Resource::Unknown | Resource::Hashing { .. } => Err(Refusal::CannotBeRead),
        };
        Offer { file, map_version: found.hash.version(), answer }
    }

    /// What could not be offered was said to all who waited, and is looked at anew for the next who asks: somebody may have put it
    /// right.
    pub(super) fn forget_refused(&mut self) {
        for resource in &mut self.resources {
            if let Resource::Known(Err(_)) = resource {
                *resource = Resource::Unknown;
            }
        }
    }
}
