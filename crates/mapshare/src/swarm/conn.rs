//! The numbers of connections. Knows no socket.

use crate::download::Conn;

impl Conn {
    /// The number of the first connection that another machine made: who listens counts those from there on, and the swarm
    /// those that it makes below.
    pub const FIRST_ACCEPTED: u32 = 1 << 31;

    /// The connection of that number.
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Its number.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Whether another machine made it.
    pub const fn is_accepted(self) -> bool {
        self.0 >= Self::FIRST_ACCEPTED
    }
}
