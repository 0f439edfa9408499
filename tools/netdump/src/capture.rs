//! Capture files, pcap and pcapng, a frame at a time: whatever its size, no more of one is held than `BUFFER`. Knows
//! no protocol.

use std::fmt;
use std::io::Read;

use pcap_parser::traits::PcapNGPacketBlock;
use pcap_parser::{Block, PcapBlockOwned, PcapError, create_reader};

/// Bytes held of a capture, several times the longest frame that is captured (256 KiB).
const BUFFER: usize = 1 << 20;
/// Interfaces that a pcapng section may name.
const MOST_INTERFACES: usize = 4096;

/// A captured frame.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Seconds since 1970, where the capture says.
    pub time: Option<f64>,
    /// The link's type, as captures number them.
    pub link: u16,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// Why a capture was not read to its end.
#[derive(Debug)]
pub enum Error<E> {
    /// It is no capture.
    NoCapture,
    /// It ends within a frame.
    CutShort,
    /// A block of it is longer than what is held, or names more interfaces than are counted.
    TooLong,
    /// A block of it cannot be, so that nothing after it can be found.
    Damaged,
    /// The file could not be read.
    Unread,
    /// Whoever took the frames did not go on.
    Stopped(E),
}

impl<E: fmt::Display> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCapture => f.write_str("this is no pcap or pcapng capture"),
            Self::CutShort => f.write_str("the capture ends within a frame"),
            Self::TooLong => f.write_str("a block of the capture is too long"),
            Self::Damaged => f.write_str("the capture is damaged"),
            Self::Unread => f.write_str("the file cannot be read"),
            Self::Stopped(error) => error.fmt(f),
        }
    }
}

/// What a section says of an interface.
#[derive(Clone, Copy, Debug)]
struct Interface {
    link: u16,
    /// Units of its clock in a second.
    resolution: f64,
    /// Seconds that its clock is behind.
    offset: f64,
}

/// Gives each frame in order. What came before an error was given.
pub fn read<E>(
    file: impl Read + Send,
    mut each: impl FnMut(Frame<'_>) -> Result<(), E>,
) -> Result<(), Error<E>> {
    let mut reader = create_reader(BUFFER, file).map_err(|error| match error {
        PcapError::ReadError => Error::Unread,
        _ => Error::NoCapture,
    })?;
    let (mut plain, mut interfaces) = (Interface { link: 0, resolution: 1e6, offset: 0.0 }, Vec::new());
    loop {
        let held = reader.data().len();
        let consumed = match reader.next() {
            Ok((length, block)) => {
                take(&block, &mut plain, &mut interfaces, &mut each)?;
                Some(length)
            }
            Err(PcapError::Eof) => return Ok(()),
            Err(PcapError::UnexpectedEof) if held == 0 => return Ok(()),
            Err(PcapError::UnexpectedEof) => return Err(Error::CutShort),
            Err(PcapError::BufferTooSmall) => return Err(Error::TooLong),
            Err(PcapError::Incomplete(_)) => None,
            Err(_) => return Err(Error::Damaged),
        };
        match consumed {
            Some(length) => reader.consume(length),
            None => {
                reader.refill().map_err(|_| Error::Unread)?;
                if reader.data().len() == held && !reader.reader_exhausted() {
                    return Err(Error::TooLong);
                }
            }
        }
    }
}

fn take<E>(
    block: &PcapBlockOwned<'_>,
    plain: &mut Interface,
    interfaces: &mut Vec<Interface>,
    each: &mut impl FnMut(Frame<'_>) -> Result<(), E>,
) -> Result<(), Error<E>> {
    let frame = match block {
        PcapBlockOwned::LegacyHeader(header) => {
            plain.link = header.network.0 as u16;
            plain.resolution = if header.is_nanosecond_precision() { 1e9 } else { 1e6 };
            return Ok(());
        }
        PcapBlockOwned::Legacy(frame) => Frame {
            time: Some(f64::from(frame.ts_sec) + f64::from(frame.ts_usec) / plain.resolution),
            link: plain.link,
            bytes: frame.data,
        },
        PcapBlockOwned::NG(Block::SectionHeader(_)) => {
            interfaces.clear();
            return Ok(());
        }
        PcapBlockOwned::NG(Block::InterfaceDescription(described)) => {
            if interfaces.len() == MOST_INTERFACES {
                return Err(Error::TooLong);
            }
            // The highest bit says whether the rest is a power of two or of ten.
            let power = f64::from(described.if_tsresol & 0x7F);
            let base: f64 = if described.if_tsresol & 0x80 == 0 { 10.0 } else { 2.0 };
            interfaces.push(Interface {
                link: described.linktype.0 as u16,
                resolution: base.powf(power),
                offset: described.if_tsoffset as f64,
            });
            return Ok(());
        }
        PcapBlockOwned::NG(Block::EnhancedPacket(packet)) => {
            // A frame of an interface that no block described is of no known link.
            let Some(interface) = usize::try_from(packet.if_id).ok().and_then(|at| interfaces.get(at)) else {
                return Err(Error::Damaged);
            };
            let units = u64::from(packet.ts_high) << 32 | u64::from(packet.ts_low);
            Frame {
                time: Some(interface.offset + units as f64 / interface.resolution),
                link: interface.link,
                bytes: packet.packet_data(),
            }
        }
        PcapBlockOwned::NG(Block::SimplePacket(packet)) => {
            let Some(interface) = interfaces.first() else {
                return Err(Error::Damaged);
            };
            Frame { time: None, link: interface.link, bytes: packet.packet_data() }
        }
        PcapBlockOwned::NG(_) => return Ok(()),
    };
    each(frame).map_err(Error::Stopped)
}
