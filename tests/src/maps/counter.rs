//! Where a game hands over orders to its machine's sharing and takes news of it. Knows neither.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mjolnir_mapshare::{News, Order};
use mjolnir_skirmish::seam::MapShare;

/// What lies there.
#[derive(Debug, Default)]
struct Lies {
    orders: Vec<Order>,
    news: Vec<News>,
}

/// See the file's text. Both sides have a copy.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counter(Arc<Mutex<Lies>>);

impl Counter {
    fn lies(&self) -> MutexGuard<'_, Lies> {
        // Nothing panics under it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn take_orders(&self) -> Vec<Order> {
        std::mem::take(&mut self.lies().orders)
    }

    pub(super) fn tell(&self, news: News) {
        self.lies().news.push(news);
    }
}

impl MapShare for Counter {
    fn order(&mut self, order: Order) {
        self.lies().orders.push(order);
    }

    fn take_news(&mut self, into: &mut Vec<News>) {
        into.append(&mut self.lies().news);
    }
}
