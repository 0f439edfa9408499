//! Map sharing at the small game: whether it has a folder of maps, what was ordered of it, and news as a test has them.

use mjolnir_engine_glue::Sharing;
use mjolnir_engine_glue::mapshare::{News, Order};

#[derive(Debug, Default)]
pub(crate) struct Maps {
    /// Whether there is a folder.
    pub(crate) shares: bool,
    pub(crate) orders: Vec<Order>,
    pub(crate) news: Vec<News>,
    /// Whether each custom map that was to be loaded had a file.
    pub(crate) had_file: Vec<bool>,
}

impl Sharing for super::game::Game {
    fn shares_maps(&self) -> bool {
        self.maps.shares
    }

    fn order_maps(&mut self, order: Order) {
        self.maps.orders.push(order);
    }

    fn take_map_news(&mut self, news: &mut Vec<News>) {
        news.append(&mut self.maps.news);
    }

    fn set_map(&mut self, _: &str, _: u32, file: Option<&str>) {
        self.maps.had_file.push(file.is_some());
    }
}
