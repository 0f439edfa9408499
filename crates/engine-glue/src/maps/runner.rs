//! The sharer in the hub's turns: orders and what the disk did go in, jobs, news and the connections' commands come out.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use mjolnir_mapshare::disk::{SharedShelf, Thread};
use mjolnir_mapshare::{Command, Conn, Done, Order, Sharer};
use mjolnir_transport::net::{Command as HubCommand, FIRST_ACCEPTED, Peers};
use mjolnir_wire::Moment;

use super::news::Board;
use super::traffic::Counted;

// Who numbers which connections: one rule, on both sides.
const _: () = assert!(FIRST_ACCEPTED == Conn::FIRST_ACCEPTED);

/// See the file's text.
pub(super) struct Runner {
    sharer: Sharer,
    disk: Thread,
    shelf: SharedShelf,
    orders: Receiver<Order>,
    board: Arc<Board>,
    counted: Arc<Counted>,
    done: Vec<Done>,
}

impl Runner {
    pub(super) fn new(
        seed: u64,
        disk: Thread,
        orders: Receiver<Order>,
        board: Arc<Board>,
        counted: Arc<Counted>,
    ) -> Self {
        let shelf = disk.shelf();
        Self { sharer: Sharer::new(seed), disk, shelf, orders, board, counted, done: Vec::new() }
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        self.board.end();
    }
}

impl Peers for Runner {
    fn accepted(&mut self, now: Moment, connection: u32, from: IpAddr) -> bool {
        self.sharer.accepted(now, Conn::new(connection), from)
    }

    fn connected(&mut self, now: Moment, connection: u32) {
        self.sharer.connected(now, Conn::new(connection));
    }

    fn received(&mut self, now: Moment, connection: u32, bytes: &[u8]) {
        self.sharer.received(now, Conn::new(connection), bytes);
        self.counted.set(self.sharer.swarm().counters());
    }

    fn closed(&mut self, now: Moment, connection: u32) {
        self.sharer.closed(now, Conn::new(connection));
    }

    fn fill(&mut self, now: Moment, connection: u32, room: usize, into: &mut Vec<u8>) {
        self.sharer.fill(now, Conn::new(connection), room, into, &mut self.shelf);
    }

    fn wrote(&mut self, now: Moment, connection: u32, bytes: usize) -> usize {
        let kept = self.sharer.wrote(now, Conn::new(connection), bytes);
        self.counted.set(self.sharer.swarm().counters());
        kept
    }

    fn poll(&mut self, now: Moment) {
        while let Ok(order) = self.orders.try_recv() {
            self.sharer.order(now, order);
        }
        self.disk.take(&mut self.done);
        if self.disk.has_ended() {
            self.board.end();
        }
        for done in self.done.drain(..) {
            self.sharer.done(now, done);
        }
        self.sharer.poll(now);
        while let Some(job) = self.sharer.next_job() {
            self.disk.give(job);
        }
        while let Some(news) = self.sharer.next_news() {
            self.board.post(news);
        }
    }

    fn next_due(&self) -> Option<Moment> {
        self.sharer.next_due()
    }

    fn next_command(&mut self) -> Option<HubCommand> {
        self.sharer.next_command().map(|command| match command {
            Command::Connect(conn, address) => HubCommand::Connect(conn.get(), address),
            Command::Close(conn) => HubCommand::Close(conn.get()),
        })
    }
}
