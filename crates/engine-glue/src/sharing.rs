//! Map sharing: the seam to a game's map files. Knows no rule of it.

use mjolnir_mapshare::client::Line;
use mjolnir_mapshare::names::CUSTOM_MAPS;
use mjolnir_mapshare::{News, Order};
use mjolnir_wire::packets::SettingsRecord;

/// What a game offers to map sharing. A game without custom maps implements nothing of it: its maps are its own concern, as is
/// what it does where one is missing.
///
/// What knows of files and of the swarm lives on threads of its own ([`maps::Service`](crate::maps::Service) is ready to be used): an
/// order is handed over and returns at once.
pub trait Sharing {
    /// Whether there is a folder of custom maps, which [`Sharing::order_maps`] is about.
    fn shares_maps(&self) -> bool {
        false
    }

    /// Hands an order over.
    fn order_maps(&mut self, _order: Order) {}

    /// In every frame: appends what became of orders.
    fn take_map_news(&mut self, _news: &mut Vec<News>) {}

    /// Before [`Session::load`](crate::Session::load) of a custom map: the file that is the game's of that level and version, by its
    /// name in the folder. None where it is not there, which a load then finds.
    fn set_map(&mut self, _level: &str, _version: u32, _file: Option<&str>) {}

    /// On a client, in every frame: how far the download is, to be drawn at the top of the screen; none where there is none (MAP-62).
    fn show_download(&mut self, _line: Option<&Line<'_>>) {}
}

/// Tells the engine which file the settings' map is.
pub(crate) fn set_map(record: &SettingsRecord, file: Option<&str>, engine: &mut impl Sharing) {
    let level = record.map.as_str().unwrap_or_default();
    if level.starts_with(CUSTOM_MAPS) {
        engine.set_map(level, record.map_version as u32, file);
    }
}
