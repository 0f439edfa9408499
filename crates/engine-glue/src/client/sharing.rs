//! Map sharing at a client: whether the game's map is here, and what is done until it is. Knows no rule of it.

use mjolnir_mapshare::client::Standing;
use mjolnir_mapshare::{self as mapshare, ClientSettings, News};
use mjolnir_transport::{Channel, Received};
use mjolnir_wire::{Kind, Moment, Outbox, Tick};

use super::{Client, Notice};
use crate::engine::Engine;
use crate::refusing::{Refusing, count};

/// Of a client that was told nothing of it: it asks for no map, and sends none.
const NOTHING: ClientSettings =
    ClientSettings { downloads: false, seeds: false, upload: u64::MAX, most: [u64::MAX; 4] };

/// Microseconds after it was let in at which a client brings its players though it does not know yet whether the map is here: a host
/// has patience for 15 s (NET-58), and to hash a large map takes longer.
const LOOKED_WITHIN: u64 = 10 * Moment::SECOND;

/// See the file's text. It is of one connection, and outlives games.
#[derive(Debug)]
pub(super) struct Sharing {
    pub(super) maps: mapshare::Client,
    outbox: Outbox,
    news: Vec<News>,
    /// The host's start, which waits for the map: the time that it said (MAP-12).
    pub(super) start: Option<u16>,
    /// When the host let this machine in.
    let_in: Option<Moment>,
    /// The session was left for want of the map.
    has_failed: bool,
}

impl Default for Sharing {
    fn default() -> Self {
        Self {
            maps: mapshare::Client::new(NOTHING),
            outbox: Outbox::new(),
            news: Vec::new(),
            start: None,
            let_in: None,
            has_failed: false,
        }
    }
}

impl Sharing {
    /// Hears a message if it is of map sharing; whether it is.
    pub(super) fn hear(&mut self, now: Moment, received: &Received<'_>, refused: &mut Refusing) -> bool {
        let Received { channel, message, .. } = received;
        let heard = match (message.kind, channel) {
            (Kind::MapShareOffer, Channel::Stream) => self.maps.handle_offers(now, message),
            (Kind::MapShareSources, Channel::Stream) => self.maps.handle_sources(message),
            _ => return false,
        };
        count(refused, heard.map_err(mapshare::Error::reason));
        true
    }
}

impl Client {
    /// What this machine does about maps that it lacks, and with those that it has: `network.map_download`, `network.map_seed*`.
    pub fn set_map_sharing(&mut self, settings: ClientSettings) {
        self.sharing.maps.set_settings(settings);
    }

    /// Where this machine stands with the game's map.
    pub fn map(&self) -> Standing<'_> {
        self.sharing.maps.standing()
    }

    /// What stands at the top of the screen of a download, if there is one (MAP-62).
    pub fn download_line(&self) -> Option<mapshare::client::Line<'_>> {
        self.sharing.maps.line()
    }

    /// What map sharing has to say for the log.
    pub fn take_map_words(&mut self) -> Vec<String> {
        self.sharing.maps.words().collect()
    }

    /// The host let this machine in.
    pub(super) fn begin_sharing(&mut self, now: Moment) {
        self.sharing.let_in = Some(now);
        if let (Some(host), Some(machine)) = (self.transport.host(), self.transport.machine()) {
            self.sharing.maps.begin_session(host.real.ip(), machine);
        }
    }

    /// The session is over, or left.
    pub(super) fn end_sharing(&mut self, engine: &mut impl Engine) {
        self.sharing.start = None;
        self.sharing.maps.end_session();
        while let Some(order) = self.sharing.maps.next_order() {
            engine.order_maps(order);
        }
        engine.show_download(None);
    }

    /// The settings came: they name the map.
    pub(super) fn take_map(&mut self, engine: &impl Engine) {
        if engine.shares_maps()
            && let Some(record) = self.transport.record()
        {
            let level = record.map.as_str().unwrap_or_default();
            self.sharing.maps.handle_settings(level, record.map_version as u32);
        }
    }

    /// In each frame: what is lacked is asked for, and once it is here, or it is known that nothing is lacking, the players are
    /// brought and the game may begin.
    pub(super) fn share(&mut self, now: Moment, engine: &mut impl Engine) {
        if !engine.shares_maps() {
            if self.transport.record().is_some() {
                self.transport.set_map(true);
                self.transport.bring_players();
            }
            return;
        }
        engine.take_map_news(&mut self.sharing.news);
        for news in self.sharing.news.drain(..) {
            self.sharing.maps.handle_news(news);
        }
        if self.sharing.start.is_some() {
            self.sharing.maps.handle_start();
        }
        self.sharing.outbox.begin(Tick::ZERO, 0);
        self.sharing.maps.poll(now, &mut self.sharing.outbox);
        while let Some(order) = self.sharing.maps.next_order() {
            engine.order_maps(order);
        }
        if !self.sharing.outbox.is_empty() {
            self.transport.flush(&self.sharing.outbox);
        }
        // What is lacked was said by now: a host that plays holds the players out (MAP-10).
        self.transport.set_map(self.sharing.maps.may_load());
        match self.sharing.maps.standing() {
            Standing::Asking | Standing::Downloading { .. } | Standing::Ready { .. } => {
                self.transport.bring_players();
            }
            Standing::Unnamed | Standing::Looking => {
                if self.sharing.let_in.is_some_and(|since| now.since(since) >= LOOKED_WITHIN) {
                    self.transport.bring_players();
                }
            }
            Standing::Failed(_) => {}
        }
        engine.show_download(self.sharing.maps.line().as_ref());
        if let Standing::Failed(failure) = self.sharing.maps.standing()
            && !self.sharing.has_failed
        {
            self.sharing.has_failed = true;
            let why = failure.to_string();
            self.notices.push(Notice::NoMap { why });
            self.transport.leave();
        }
    }

    /// Whether what begins may be loaded.
    pub(super) fn may_load(&self, engine: &impl Engine) -> bool {
        !engine.shares_maps() || self.sharing.maps.may_load()
    }
}
