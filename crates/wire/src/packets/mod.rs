//! The game's own packets: searching, joining, the lobby, beginning and ending (FACT wire 1.6, 4). Knows their
//! bytes, not the session that they make.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::layout::Described;

pub mod advertisement;
pub mod field;
pub mod list;
pub mod pieces;
pub mod player;
pub mod settings;
pub mod text;
pub mod values;

pub use advertisement::Advertisement;
pub use list::{PACKETS, Packet, PacketInfo};
pub use pieces::{SettingsAssembler, write_settings};
pub use player::NetworkPlayer;
pub use settings::SettingsRecord;
pub use values::{Rejection, StartRequest};

/// The lines of the record: one a packet and one a field, then the records that packets hold.
pub fn describe() -> Vec<String> {
    let mut lines = list::describe();
    for Described { name, size, fields } in [
        NetworkPlayer::describe(),
        advertisement::AddressBlock::describe(),
        Advertisement::describe(),
        settings::Variant::describe(),
        settings::Options::describe(),
        settings::MachineEntry::describe(),
        SettingsRecord::describe(),
    ] {
        lines.push(format!("packet_struct {name} {size}"));
        for (field, ty, offset) in fields {
            lines.push(format!("packet_struct_field {name}.{field} {ty} {offset}"));
        }
    }
    lines
}
