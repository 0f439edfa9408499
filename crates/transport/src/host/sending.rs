//! The tick's messages, gathered for each machine in turn (NET-19, 20, 68). Knows no message.

use mjolnir_wire::limits::MAX_MACHINES;
use mjolnir_wire::voice::VoiceKey;
use mjolnir_wire::{Machine, MachineSet, Moment, Outbox, Tick};

use super::Host;
use crate::gather;
use crate::limits::TURN_PLACES;

impl Host {
    /// Gathers what the tick sends to those machines: reliable messages into their streams, unreliable ones into
    /// datagrams. The turn starts one machine further each tick. A machine that loads is passed over (NET-30), and a
    /// datagram goes only where the machine's own come from.
    pub fn flush(&mut self, now: Moment, tick: Tick, outbox: &Outbox, machines: MachineSet) {
        let first = tick.get() as u32 % TURN_PLACES;
        for place in 0..TURN_PLACES {
            let index = (first + place) % TURN_PLACES;
            let Some(machine) = Machine::new(index as u8).filter(|_| (index as usize) < MAX_MACHINES) else {
                continue;
            };
            let Some(member) = self.members.get_mut(machine).filter(|_| machines.contains(machine)) else {
                continue;
            };
            if !member.standing.hears() {
                continue;
            }
            let sent = &mut member.traffic.sent;
            let length = gather::stream(outbox, machine, member.stream, sent, &mut self.out);
            member.ring.add_at(now, length);
            if let Some(endpoint) = member.endpoint {
                gather::datagrams(outbox, machine, endpoint.address, &mut self.writer, sent, &mut self.out);
            }
        }
    }

    /// Sends a machine a whole datagram as it is, by itself (NET-67); nothing where it is not known yet where its own come from,
    /// and while it loads.
    pub fn datagram(&mut self, machine: Machine, bytes: &[u8]) {
        let Some(member) = self.members.get_mut(machine).filter(|member| member.standing.hears()) else {
            return;
        };
        let Some(endpoint) = member.endpoint else { return };
        self.out.datagram(endpoint.address, bytes);
        member.traffic.sent.datagram(bytes.len());
        member.traffic.sent.messages += 1;
    }

    /// What a machine's voice names it by from now on, so that its first datagram may be that (NET-15).
    pub fn set_voice_key(&mut self, machine: Machine, key: VoiceKey) {
        if let Some(member) = self.members.get_mut(machine) {
            member.voice_key = Some(key);
        }
    }
}
