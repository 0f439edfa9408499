//! Whom a download may connect to, and when again (MAP-23, 24, 71). Knows no connection.

use alloc::vec::Vec;
use core::net::IpAddr;

use mjolnir_wire::limits::MAX_MACHINES;
use mjolnir_wire::mapshare::FileSet;
use mjolnir_wire::{Machine, Moment};

use crate::order::Place;
use crate::random::Random;

/// Machines besides the host that a download is connected to by its own doing at most (MAP-23).
pub const NAMED_MAX: usize = 8;
/// Microseconds after which the host is tried again at the soonest, and by chance as much later at most: those whom it did not take
/// when all came at once come one by one.
pub const HOST_AGAIN: u64 = 3 * Moment::SECOND;
/// Microseconds after which another machine is tried again, unless it is named anew before.
pub const NAMED_AGAIN: u64 = 10 * Moment::SECOND;
/// The same where it closed before it said hello, as one does that has not begun its own download: so often, and then no more.
pub const NAMED_SOON: u64 = Moment::SECOND / 5;
/// See there.
const SOON_TIMES: u8 = 5;
/// Microseconds after which a connection that this machine made, and that brought nothing, may make way for one to a machine that
/// was not tried: some who bring nothing do not keep those away who would.
pub const BRINGS_WITHIN: u64 = 30 * Moment::SECOND;
/// Microseconds between two looks at whom to connect to.
pub(super) const LOOK_EVERY: u64 = Moment::SECOND;
/// Connections to machines that were named that are made at once at most, and microseconds after which another may be.
const CONNECTS_AT_ONCE: u64 = 32;
/// See there.
const CONNECT_EVERY: u64 = Moment::SECOND / 8;
/// Addresses that are remembered for what came of them; the oldest are forgotten.
const BARRED_MAX: usize = 32;

/// What the host named.
#[derive(Debug)]
pub(super) struct Sources {
    named: Vec<Named>,
    barred: Vec<IpAddr>,
    /// Until when the connections that were made are paid for.
    paid: Moment,
    /// When the host may be tried.
    pub(super) host_at: Moment,
    /// When is looked next.
    pub(super) look_at: Moment,
}

#[derive(Debug)]
struct Named {
    place: Place,
    /// When it may be tried.
    at: Moment,
    /// How often it closed before it said hello.
    soon: u8,
}

impl Sources {
    pub(super) const fn new(now: Moment) -> Self {
        Self { named: Vec::new(), barred: Vec::new(), paid: Moment::START, host_at: now, look_at: now }
    }

    /// These are named, in place of those before.
    pub(super) fn set(&mut self, now: Moment, places: &[Place]) {
        self.named.clear();
        self.named.extend(places.iter().take(MAX_MACHINES).map(|place| Named {
            place: *place,
            at: now,
            soon: 0,
        }));
        self.look_at = now;
    }

    /// Whether another of those that were named may be connected to now, which is paid for: a host that names others all the time is
    /// not followed at its pace.
    pub(super) fn may_connect(&mut self, now: Moment) -> bool {
        let from = self.paid.max(now);
        let may = from.since(now) <= (CONNECTS_AT_ONCE - 1) * CONNECT_EVERY;
        if may {
            self.paid = from.plus(CONNECT_EVERY);
        }
        may
    }

    /// A download begins: everybody may be tried, whatever was before.
    pub(super) fn begin(&mut self, now: Moment) {
        self.barred.clear();
        self.named.iter_mut().for_each(|named| named.at = now);
        (self.host_at, self.look_at) = (now, now);
    }

    /// That machine is not tried for a while.
    pub(super) fn rest(&mut self, now: Moment, machine: Machine, said_hello: bool) {
        if let Some(named) = self.named.iter_mut().find(|named| named.place.machine == machine) {
            let is_soon = !said_hello && named.soon < SOON_TIMES;
            named.soon += u8::from(is_soon);
            named.at = now.plus(if is_soon { NAMED_SOON } else { NAMED_AGAIN });
            self.look_at = self.look_at.min(named.at);
        }
    }

    /// Nobody at that address is tried in this download any more.
    pub(super) fn bar(&mut self, address: IpAddr) {
        if self.barred.contains(&address) {
            return;
        }
        if self.barred.len() == BARRED_MAX {
            self.barred.remove(0);
        }
        self.barred.push(address);
    }

    /// One of those that may be tried now, by chance: of machines with some of those files; of two that download the lower
    /// connects (MAP-24).
    pub(super) fn choose(
        &self,
        now: Moment,
        random: &mut Random,
        own: Machine,
        files: FileSet,
        is_connected: impl Fn(&Place) -> bool,
    ) -> Option<Place> {
        let may = |named: &&Named| {
            let Place { machine, address, is_downloading, .. } = named.place;
            let connects_itself = is_downloading && machine < own;
            named.at <= now
                && machine != own
                && !connects_itself
                && !named.place.files.and(files).is_empty()
                && !self.barred.contains(&address.to_canonical())
                && !is_connected(&named.place)
        };
        let count = self.named.iter().filter(may).count();
        let at = random.below(count as u64) as usize;
        self.named.iter().filter(may).nth(at).map(|named| named.place)
    }
}
