//! What a download wants done, and what it refuses. Plain data. Knows no socket and no file.

use mjolnir_wire::mapshare::File;

use crate::job::Job;
use crate::order::Fault;

/// A connection of the swarm; no number is given twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Conn(pub u32);

/// Whose a connection is. Hashes are asked of the first before the second, of the second before the third (MAP-29).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    /// The game's host's.
    Host,
    /// A machine's that the host named.
    Named,
    /// One that another machine made.
    Incoming,
}

/// What is to be done next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Ask that end for a piece.
    Request(Conn, File, u32),
    /// Ask it no more for a piece.
    Cancel(Conn, File, u32),
    /// Ask it for all pieces' hashes, from that one on.
    HashesRequest(Conn, File, u32),
    /// Ask that end, of a connection at hand, for nothing more: a wrong piece came from its address (MAP-33).
    Barred(Conn),
    /// [`Job::Resume`] or [`Job::Take`].
    Job(Job),
    /// Say to all ends what there is of a file, though it be nothing: its part file has been looked at.
    Have(File),
    /// Say to all ends that a piece is had.
    Had(File, u32),
    /// Every piece of every file is had. The last wish.
    AllHad,
    /// The download ends without its files. The last wish.
    Failed(Fault),
}

/// How far a download is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Bytes of whole, checked pieces, of all files (MAP-72).
    pub had: u64,
    /// Whether a part file is being checked.
    pub is_checking: bool,
}

/// Why something that an end sent was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refused {
    /// Hashes: none, or not those that are due (MAP-31, 79). The end is asked for none again.
    Hashes,
    /// All hashes, which are not the file's (MAP-30). The end is asked for none again.
    HashList,
    /// A block that was not asked for, out of order or of another length (MAP-78).
    Block,
    /// The third such block: the connection closes.
    Blocks,
    /// A piece past the file's last (MAP-76): the connection closes.
    Piece,
}

impl Refused {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Hashes, Self::HashList, Self::Block, Self::Blocks, Self::Piece];

    /// Whether the connection closes for it.
    pub const fn closes(self) -> bool {
        matches!(self, Self::Blocks | Self::Piece)
    }

    /// A stable word for counters and traces.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Hashes => "hashes_not_due",
            Self::HashList => "hashes_of_another_file",
            Self::Block => "block_not_due",
            Self::Blocks => "blocks_not_due",
            Self::Piece => "piece_past_the_end",
        }
    }
}
