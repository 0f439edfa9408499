//! Map sharing as a machine of the lab has it: its game's own. Knows nothing else.

use mjolnir_engine_glue::Sharing;
use mjolnir_mapshare::client::Line;
use mjolnir_mapshare::{News, Order};

use super::Played;

impl Sharing for Played {
    fn shares_maps(&self) -> bool {
        self.game.shares_maps()
    }

    fn order_maps(&mut self, order: Order) {
        self.game.order_maps(order);
    }

    fn take_map_news(&mut self, news: &mut Vec<News>) {
        self.game.take_map_news(news);
    }

    fn set_map(&mut self, level: &str, version: u32, file: Option<&str>) {
        self.game.set_map(level, version, file);
    }

    fn show_download(&mut self, line: Option<&Line<'_>>) {
        self.game.show_download(line);
    }
}
