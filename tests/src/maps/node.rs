//! A machine's sharing thread and its disk's, run by the simulated network's turns. Knows no game.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use mjolnir_mapshare::disk::{Clerk, Engine, Memory, SharedShelf};
use mjolnir_mapshare::simulated::{self, Peer};
use mjolnir_mapshare::swarm::Counters;
use mjolnir_mapshare::{Command, Conn, Done, Job, Order, Sharer};
use mjolnir_skirmish::custom::Loader;
use mjolnir_wire::Moment;

use super::Files;
use super::counter::Counter;

/// Which byte of what is sent at once is changed, where that is to be wrong: beyond all that is no block.
const SPOILT: usize = 8_000;

/// See the file's text.
pub(super) struct Node {
    sharer: Sharer,
    clerk: Clerk<Memory, Loader>,
    shelf: SharedShelf,
    counter: Counter,
    disk_micros: u64,
    /// What the disk has yet to begin, and when it does.
    jobs: VecDeque<(Moment, Job)>,
    done: Vec<Done>,
    /// A byte is changed of what it sends of files.
    is_spoilt: bool,
}

impl Node {
    pub(super) fn new(seed: u64, files: Files, counter: Counter) -> Self {
        let Files { folder, disk_micros, .. } = files;
        let clerk = Clerk::with(folder, Loader, Engine::on(1), Arc::new(|| ()));
        let shelf = clerk.shelf();
        let (jobs, done, sharer) = (VecDeque::new(), Vec::new(), Sharer::new(seed));
        Self { sharer, clerk, shelf, counter, disk_micros, jobs, done, is_spoilt: false }
    }

    pub(super) const fn counters(&self) -> &Counters {
        self.sharer.swarm().counters()
    }

    pub(super) const fn spoil(&mut self, is_spoilt: bool) {
        self.is_spoilt = is_spoilt;
    }

    pub(super) fn order(&mut self, now: Moment, order: Order) {
        self.sharer.order(now, order);
        self.work(now);
    }

    /// The program ends in order.
    pub(super) fn end(mut self, now: Moment) {
        self.clerk.finish(duration(now));
    }

    /// The disk does what it is asked and the game is told, until there is no more of either.
    fn work(&mut self, now: Moment) {
        loop {
            while let Some(job) = self.sharer.next_job() {
                self.jobs.push_back((now.plus(self.disk_micros), job));
            }
            while self.jobs.front().is_some_and(|(due, _)| *due <= now) {
                self.jobs.pop_front().into_iter().for_each(|(_, job)| self.clerk.give(job));
            }
            while self.clerk.step(duration(now)) {}
            self.clerk.take(&mut self.done);
            let is_still = self.done.is_empty();
            for done in self.done.drain(..) {
                self.sharer.done(now, done);
            }
            while let Some(news) = self.sharer.next_news() {
                self.counter.tell(news);
            }
            if is_still {
                return;
            }
        }
    }
}

fn duration(now: Moment) -> Duration {
    Duration::from_micros(now.as_micros())
}

impl Peer for Node {
    fn accepted(&mut self, now: Moment, conn: Conn, from: IpAddr) -> bool {
        self.sharer.accepted(now, conn, from)
    }

    fn connected(&mut self, now: Moment, conn: Conn) {
        self.sharer.connected(now, conn);
    }

    fn closed(&mut self, now: Moment, conn: Conn) {
        self.sharer.closed(now, conn);
    }

    fn received(&mut self, now: Moment, conn: Conn, bytes: &[u8]) {
        self.sharer.received(now, conn, bytes);
    }

    fn fill(&mut self, now: Moment, conn: Conn, room: usize, into: &mut Vec<u8>) {
        let before = into.len();
        self.sharer.fill(now, conn, room, into, &mut self.shelf);
        // What is so long is blocks; that far into one there is nothing else.
        if let (true, Some(byte)) = (self.is_spoilt, into.get_mut(before + SPOILT)) {
            *byte ^= 0x40;
        }
    }

    fn wrote(&mut self, now: Moment, conn: Conn, bytes: usize) -> usize {
        self.sharer.wrote(now, conn, bytes)
    }

    fn poll(&mut self, now: Moment) {
        self.sharer.poll(now);
        self.work(now);
    }

    fn next_due(&self) -> Option<Moment> {
        let placing = self.clerk.next_due().map(|due| Moment::from_micros(due.as_micros() as u64));
        let job = self.jobs.front().map(|(due, _)| *due);
        [self.sharer.next_due(), placing, job].into_iter().flatten().min()
    }

    fn next_command(&mut self) -> Option<simulated::Command> {
        self.sharer.next_command().map(|command| match command {
            Command::Connect(conn, to) => simulated::Command::Connect(conn, to),
            Command::Close(conn) => simulated::Command::Close(conn),
        })
    }
}
