//! What happens in the simulated network, one event after another: machines' turns, connections, bytes on their way.

use alloc::vec::Vec;
use core::cmp::Reverse;
use core::net::IpAddr;

use mjolnir_wire::Moment;

use super::{Command, End, Event, GONE, Network, Peer, Pipe};
use crate::download::Conn;

/// Bytes of one connection that may be on their way, in one direction.
const WINDOW: usize = 200_000;
/// Bytes of one cut.
const CUT: usize = 23_456;
/// Bytes asked of one fill.
const ROOM: usize = 256 * 1024;

impl<P: Peer> Network<P> {
    pub(super) fn after(&mut self, at: Moment, event: Event) {
        self.happened += 1;
        self.events.push(Reverse((at, self.happened, event)));
    }

    fn between(&self, from: usize, to: usize) -> u64 {
        self.machines[from].way.latency + self.machines[to].way.latency
    }

    pub(super) fn happen(&mut self, event: Event) {
        let now = self.now;
        match event {
            Event::Due(machine) => {
                self.machines[machine].alarm = None;
                self.turn(machine);
            }
            Event::Knocks(pipe) => {
                if self.pipes[pipe].ends[0].conn == GONE {
                    self.pipes[pipe].ends[1].conn = GONE;
                    return;
                }
                let [from, to] = [0, 1].map(|end| self.pipes[pipe].ends[end].machine);
                let (address, conn) = (self.machines[from].address, self.pipes[pipe].ends[1].conn);
                let back = now.plus(self.between(from, to));
                let machine = &mut self.machines[to];
                let is_taken = machine.listens
                    && !machine.is_cut
                    && machine.peer.as_mut().is_some_and(|peer| peer.accepted(now, conn, address));
                if is_taken {
                    self.pipes[pipe].ends[1].is_open = true;
                    self.machines[to].ends.push((pipe, 1));
                    self.after(back, Event::Opens(pipe, 0));
                } else {
                    self.pipes[pipe].ends[1].conn = GONE;
                    self.after(back, Event::Ends(pipe, 0));
                }
                self.turn(to);
            }
            Event::Opens(pipe, end) => {
                let this = &mut self.pipes[pipe].ends[end];
                let (machine, conn) = (this.machine, this.conn);
                // It may have been given up meanwhile.
                if conn != GONE
                    && let Some(peer) = &mut self.machines[machine].peer
                {
                    this.is_open = true;
                    peer.connected(now, conn);
                }
                self.turn(machine);
            }
            Event::Ends(pipe, end) => {
                let machine = self.pipes[pipe].ends[end].machine;
                if let Some(conn) = self.forget(pipe, end)
                    && let Some(peer) = &mut self.machines[machine].peer
                {
                    peer.closed(now, conn);
                }
                self.turn(machine);
            }
            Event::Reaches(pipe, end, bytes) => {
                let machine = &mut self.machines[self.pipes[pipe].ends[end].machine];
                machine.in_until = machine.in_until.max(now);
                if let Some(bytes) = bytes {
                    machine.in_until = machine.in_until.plus(micros(bytes.len(), machine.way.down));
                    let arrives = machine.in_until;
                    self.after(arrives, Event::Arrives(pipe, end, bytes));
                } else {
                    let ends = machine.in_until;
                    self.after(ends, Event::Ends(pipe, end));
                }
            }
            Event::Arrives(pipe, end, bytes) => self.arrive(pipe, end, bytes),
        }
    }

    fn arrive(&mut self, pipe: usize, end: usize, mut bytes: Vec<u8>) {
        let now = self.now;
        let [this, other] = [end, 1 - end].map(|end| self.pipes[pipe].ends[end].machine);
        self.pipes[pipe].ends[1 - end].away -= bytes.len();
        let is_cut = self.machines[this].is_cut || self.machines[other].is_cut;
        let at = &self.pipes[pipe].ends[end];
        let (is_open, conn) = (at.is_open && !is_cut, at.conn);
        if is_open && let Some(peer) = &mut self.machines[this].peer {
            peer.received(now, conn, &bytes);
            self.machines[this].received += bytes.len() as u64;
        }
        bytes.clear();
        self.spare.push(bytes);
        self.turn(this);
        self.turn(other);
    }

    /// A machine's turn, again while anything happens.
    pub(super) fn turn(&mut self, machine: usize) {
        let now = self.now;
        // For one that commands and fills without end time goes on nevertheless.
        for _ in 0..1000 {
            let Some(peer) = &mut self.machines[machine].peer else {
                return;
            };
            peer.poll(now);
            let mut any = self.obey(machine);
            for at in 0.. {
                let Some((pipe, end)) = self.machines[machine].ends.get(at).copied() else {
                    break;
                };
                any |= self.write(pipe, end);
            }
            any |= self.obey(machine);
            let due = self.machines[machine].peer.as_ref().and_then(Peer::next_due);
            if any || due.is_some_and(|due| due <= now) {
                continue;
            }
            let alarm = self.machines[machine].alarm;
            if let Some(due) = due.filter(|due| alarm.is_none_or(|alarm| *due < alarm)) {
                self.machines[machine].alarm = Some(due);
                self.after(due, Event::Due(machine));
            }
            return;
        }
        self.machines[machine].alarm = Some(now.plus(1000));
        self.after(now.plus(1000), Event::Due(machine));
    }

    fn obey(&mut self, machine: usize) -> bool {
        let mut any = false;
        while let Some(command) = self.machines[machine].peer.as_mut().and_then(Peer::next_command) {
            any = true;
            match command {
                Command::Connect(conn, address) => self.connect(machine, conn, address),
                Command::Close(conn) => {
                    let is_it = |(pipe, end): &&(usize, usize)| self.pipes[*pipe].ends[*end].conn == conn;
                    if let Some((pipe, end)) = self.machines[machine].ends.iter().find(is_it).copied() {
                        self.close(pipe, end);
                    }
                }
            }
        }
        any
    }

    fn connect(&mut self, machine: usize, conn: Conn, address: IpAddr) {
        let to = self.machines.iter().position(|other| other.address == address && other.peer.is_some());
        let end = |machine, conn| End { machine, conn, is_open: false, tail: Vec::new(), away: 0 };
        let pipe = self.pipes.len();
        self.accepted += 1;
        let other = to.map_or(GONE, |_| Conn::new(self.accepted));
        self.machines[machine].ends.push((pipe, 0));
        self.pipes.push(Pipe { ends: [end(machine, conn), end(to.unwrap_or(machine), other)] });
        let arrives = self.now.plus(self.between(machine, to.unwrap_or(machine)));
        let event = if to.is_some() { Event::Knocks(pipe) } else { Event::Ends(pipe, 0) };
        self.after(arrives, event);
    }

    /// That end closes it: what it has not sent is lost, what is on its way arrives, then the other hears of it.
    pub(super) fn close(&mut self, pipe: usize, end: usize) {
        let [this, other] = [end, 1 - end].map(|end| self.pipes[pipe].ends[end].machine);
        if self.forget(pipe, end).is_some() {
            let after = self.machines[this].out_until.max(self.now).plus(self.between(this, other));
            self.after(after, Event::Reaches(pipe, 1 - end, None));
        }
    }

    /// An end is no more; its number, if it was.
    fn forget(&mut self, pipe: usize, end: usize) -> Option<Conn> {
        let this = &mut self.pipes[pipe].ends[end];
        this.is_open = false;
        this.tail = Vec::new();
        self.machines[this.machine].ends.retain(|other| *other != (pipe, end));
        Some(core::mem::replace(&mut this.conn, GONE)).filter(|conn| *conn != GONE)
    }

    /// Fills an end's connection once and sends what fits; whether there may be more.
    fn write(&mut self, pipe: usize, end: usize) -> bool {
        let now = self.now;
        let this = &mut self.pipes[pipe].ends[end];
        let machine = this.machine;
        if !this.is_open || this.away >= WINDOW {
            return false;
        }
        if !this.tail.is_empty() {
            let tail = core::mem::take(&mut this.tail);
            let takes = tail.len().min(WINDOW - this.away);
            self.send(pipe, end, &tail[..takes]);
            self.pipes[pipe].ends[end].tail = tail[takes..].to_vec();
            return true;
        }
        let (conn, place) = (this.conn, WINDOW - this.away);
        let Some(peer) = &mut self.machines[machine].peer else {
            return false;
        };
        let mut filled = core::mem::take(&mut self.filled);
        filled.clear();
        peer.fill(now, conn, ROOM, &mut filled);
        let takes = filled.len().min(place);
        if !filled.is_empty() {
            let kept = peer.wrote(now, conn, takes);
            self.pipes[pipe].ends[end].tail.extend_from_slice(&filled[takes..takes + kept]);
            self.send(pipe, end, &filled[..takes]);
        }
        self.filled = filled;
        takes > 0
    }

    /// Bytes leave, in cuts that stop anywhere.
    fn send(&mut self, pipe: usize, end: usize, bytes: &[u8]) {
        let to = self.pipes[pipe].ends[1 - end].machine;
        let from = self.pipes[pipe].ends[end].machine;
        let latency = self.between(from, to);
        for cut in bytes.chunks(CUT) {
            let sender = &mut self.machines[from];
            sender.out_until = sender.out_until.max(self.now).plus(micros(cut.len(), sender.way.up));
            sender.sent += cut.len() as u64;
            let reaches = sender.out_until.plus(latency);
            let mut copy = self.spare.pop().unwrap_or_default();
            copy.extend_from_slice(cut);
            self.pipes[pipe].ends[end].away += cut.len();
            self.after(reaches, Event::Reaches(pipe, 1 - end, Some(copy)));
        }
    }
}

/// How long so many bytes take at so many a second.
fn micros(bytes: usize, rate: u64) -> u64 {
    (bytes as u64 * Moment::SECOND).div_ceil(rate.max(1))
}
