//! Map sharing as the netcode asks a game for it: orders handed on to whatever knows this machine's map files, and what the top of
//! the screen says. Knows no file and no socket.

use std::fmt;

use mjolnir_engine_glue::Sharing;
use mjolnir_engine_glue::maps::Traffic;
use mjolnir_mapshare::client::Line;
use mjolnir_mapshare::{News, Order};

use super::Game;

/// What knows of a machine's map files and of the swarm.
pub trait MapShare: fmt::Debug + Send {
    /// Takes an order.
    fn order(&mut self, order: Order);
    /// Appends what became of orders.
    fn take_news(&mut self, into: &mut Vec<News>);
    /// Bytes of files that went between this machine and others; none where nothing was shared yet.
    fn traffic(&self) -> Option<Traffic> {
        None
    }
}

/// What the top of the screen says of a download.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    /// In words.
    pub text: String,
    /// How much of it is here, in per cent.
    pub percent: Option<u8>,
}

/// See the file's text.
#[derive(Debug, Default)]
pub(super) struct Shared {
    share: Option<Box<dyn MapShare>>,
    shown: Option<Download>,
}

impl Game {
    /// This machine's custom maps are shared from now on.
    pub fn set_map_share(&mut self, share: Box<dyn MapShare>) {
        self.shared.share = Some(share);
    }

    /// Bytes of map files that went between this machine and others; none where nothing was shared.
    pub fn map_traffic(&self) -> Option<Traffic> {
        self.shared.share.as_ref()?.traffic()
    }

    /// What the top of the screen says of a download.
    pub const fn download(&self) -> Option<&Download> {
        self.shared.shown.as_ref()
    }
}

impl Sharing for Game {
    fn shares_maps(&self) -> bool {
        self.shared.share.is_some()
    }

    fn order_maps(&mut self, order: Order) {
        if let Some(share) = &mut self.shared.share {
            share.order(order);
        }
    }

    fn take_map_news(&mut self, news: &mut Vec<News>) {
        if let Some(share) = &mut self.shared.share {
            share.take_news(news);
        }
    }

    fn set_map(&mut self, level: &str, version: u32, file: Option<&str>) {
        Self::set_map(self, level, version, file);
    }

    fn show_download(&mut self, line: Option<&Line<'_>>) {
        let is_same =
            |shown: &Download, line: &Line<'_>| shown.percent == line.percent() && line.percent().is_some();
        match (line, &self.shared.shown) {
            (None, _) => self.shared.shown = None,
            // It is read a percent at a time.
            (Some(line), Some(shown)) if is_same(shown, line) => {}
            (Some(line), _) => {
                self.shared.shown = Some(Download { text: line.to_string(), percent: line.percent() });
            }
        }
    }
}
