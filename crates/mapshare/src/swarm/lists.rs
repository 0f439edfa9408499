//! How often an end was sent a file's hashes, by whatever connections: they do not count against the limit of what is sent, and who
//! connects again would else have them again and again. Knows no connection.

use alloc::vec::Vec;
use core::net::IpAddr;

use mjolnir_wire::Machine;
use mjolnir_wire::mapshare::File;

/// How often the hashes of one file are sent to one end at most.
const TIMES: u8 = 8;
/// Ends that are remembered; the oldest are forgotten.
const ENDS: usize = 64;

/// See the file's text.
#[derive(Debug, Default)]
pub(super) struct Lists(Vec<Sent>);

#[derive(Debug)]
struct Sent {
    machine: Machine,
    address: IpAddr,
    times: [u8; File::ALL.len()],
}

impl Lists {
    /// Whether they may be sent once more, which is counted.
    pub(super) fn may(&mut self, machine: Machine, address: IpAddr, file: File) -> bool {
        let at = self.0.iter().position(|sent| (sent.machine, sent.address) == (machine, address));
        let at = at.unwrap_or_else(|| {
            if self.0.len() == ENDS {
                self.0.remove(0);
            }
            self.0.push(Sent { machine, address, times: [0; File::ALL.len()] });
            self.0.len() - 1
        });
        let times = &mut self.0[at].times[file.index()];
        let may = *times < TIMES;
        *times += u8::from(may);
        may
    }

    /// Those alone are still known: another machine may have a number that was another's.
    pub(super) fn keep(&mut self, members: &[(Machine, IpAddr)]) {
        self.0.retain(|sent| {
            members
                .iter()
                .any(|(machine, address)| (*machine, address.to_canonical()) == (sent.machine, sent.address))
        });
    }
}
