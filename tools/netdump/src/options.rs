//! The command line. Knows no message.

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use mjolnir_wire::limits::HOST_PORT;

/// What machines send each other, as JSON: fields under their names in network_format.txt.
#[derive(Clone, Debug, Parser)]
#[command(name = "netdump", version, after_help = EXAMPLES)]
pub struct Options {
    /// What to show.
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  netdump decode 01481303452301000000000001002a000200ffff
  tcpdump -i any -w game.pcap port 5150 or udp port 5151 or tcp port 5153
  netdump pcap game.pcap

It ends with 0, with 1 where something could not be read, and with 2 on bad arguments or files.";

/// What is shown.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Shows one message: a datagram or a stream's frame, from its header word on. Its type says which of the two
    /// spaces it is of, so that nothing has to be told.
    Decode {
        /// The message in hexadecimal, spaces allowed; `-` reads lines of it and answers each with a line.
        hex: String,
    },
    /// Shows a capture (pcap or pcapng), one line a message, with time, addresses and channel.
    Pcap {
        /// The capture.
        file: PathBuf,
        /// The host's port, TCP and UDP. UDP port 5151, where games are advertised, and TCP port 5153, where maps are fetched, are
        /// shown too.
        #[arg(long, default_value_t = HOST_PORT)]
        port: u16,
    },
}
