//! Map sharing's threads, assembled: the hub of connections, in whose turns the sharer runs, and the disk's. The game's thread
//! orders and takes news, and waits for neither. Knows no message: what is ordered, and why, the two ends of map sharing say.

mod news;
mod runner;
mod traffic;

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::time::Duration;

use mjolnir_mapshare::disk::{Folder, Loader, System, Thread};
use mjolnir_mapshare::{News, Order};
use mjolnir_transport::net::{Hub, HubOptions, Peers};
use mjolnir_wire::limits::MAP_SHARE_PORT;

use self::news::Board;
use self::runner::Runner;
use self::traffic::Counted;
pub use self::traffic::Traffic;

/// Orders that wait for the sharing thread at most, which takes them within a turn.
const ORDERS: usize = 1024;
/// Why a download fails that nobody is there to do.
const ENDED: &str = "what shares maps has ended";

/// Where a machine shares.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The address that its sockets use: `0.0.0.0` or `::` for all, its own where several stand on one computer (MAP-23).
    pub bind: IpAddr,
    /// The port that it listens at and connects to, 0 for a host at any.
    pub port: u16,
    /// For its choices: which pieces it asks for first.
    pub seed: u64,
}

impl Options {
    /// At the port of map sharing.
    pub const fn at(bind: IpAddr, seed: u64) -> Self {
        Self { bind, port: MAP_SHARE_PORT, seed }
    }
}

/// A machine's map sharing. Dropping it closes its connections and ends its threads; a part file stays.
#[derive(Debug)]
pub struct Service {
    hub: Hub,
    /// None once its thread has ended, which only a bug makes it do.
    orders: Option<SyncSender<Order>>,
    board: Arc<Board>,
    /// What answers the orders that are not answered, should their threads end: the game waits for them.
    owed: Vec<News>,
    /// Answers to orders that were lost.
    lost: Vec<News>,
    counted: Arc<Counted>,
    lost_orders: u64,
}

impl Service {
    /// Starts it for the game's folder `maps`. Where another process has the port it connects out alone, and news says so.
    ///
    /// # Errors
    ///
    /// As the system gives them, where there can be no thread.
    pub fn start(options: &Options, maps: &Path, loader: impl Loader) -> io::Result<Self> {
        Self::with(options, System::new(maps), loader)
    }

    /// The same for that folder.
    ///
    /// # Errors
    ///
    /// See [`Service::start`].
    pub fn with(options: &Options, folder: impl Folder, loader: impl Loader) -> io::Result<Self> {
        let (orders, orders_out) = sync_channel(ORDERS);
        let board = Arc::new(Board::default());
        let counted = Arc::new(Counted::default());
        let (posted, counts) = (Arc::clone(&board), Arc::clone(&counted));
        let bind = SocketAddr::new(options.bind, options.port);
        let hub = Hub::start(&HubOptions { bind, port: options.port }, |bell| {
            let bell = bell.clone();
            let disk = Thread::with(folder, loader, move || bell.ring())?;
            let runner = Runner::new(options.seed, disk, orders_out, posted, counts);
            Ok(Box::new(runner) as Box<dyn Peers>)
        })?;
        if let Err(error) = hub.listening() {
            let why = format!(
                "Other machines cannot have maps from this one: port {} of {}: {error}",
                options.port,
                bind.ip()
            );
            board.post(News::Word(why));
        }
        let (owed, lost) = (Vec::new(), Vec::new());
        Ok(Self { hub, orders: Some(orders), board, owed, lost, counted, lost_orders: 0 })
    }

    /// Has that done, after what was ordered before. What can be done by nobody is answered so.
    pub fn order(&mut self, order: Order) {
        if matches!(order, Order::Download { .. } | Order::Stop | Order::Leave) {
            self.owed.retain(|owed| !matches!(owed, News::Failed(_)));
        }
        if let Order::Look { .. } = order {
            // Of several looks the last alone is answered.
            self.owed.retain(|owed| !matches!(owed, News::Looked { .. }));
        }
        self.owed.extend(order.undone(ENDED));
        let Some(orders) = &self.orders else { return };
        match orders.try_send(order) {
            Ok(()) => self.hub.bell().ring(),
            Err(TrySendError::Full(order)) => {
                self.lost_orders += 1;
                self.lost.extend(order.undone("the orders before it are not done"));
            }
            Err(TrySendError::Disconnected(_)) => {
                self.orders = None;
                self.board.post(News::Word("What shares maps has ended.".into()));
            }
        }
    }

    /// Appends what became of orders since, in order.
    pub fn take_news(&mut self, into: &mut Vec<News>) {
        let first = into.len();
        let has_ended = self.board.take(into);
        self.settle(into, first, has_ended);
    }

    /// The same, once there is any, or so long has passed: for who has nothing else to do.
    pub fn wait_for_news(&mut self, into: &mut Vec<News>, at_most: Duration) {
        let first = into.len();
        let has_ended = self.board.wait(into, at_most);
        self.settle(into, first, has_ended);
    }

    /// What was answered is owed no more; where nobody is there to answer, the rest is answered here.
    fn settle(&mut self, into: &mut Vec<News>, first: usize, has_ended: bool) {
        into.append(&mut self.lost);
        let answers = into.get(first..).unwrap_or_default();
        self.owed.retain(|owed| !answers.iter().any(|news| news.answers_with(owed)));
        if has_ended {
            into.append(&mut self.owed);
        }
    }

    /// Where others connect to; or why they cannot.
    ///
    /// # Errors
    ///
    /// As the system gave it; `AddrInUse` where another process has the port.
    pub const fn listening(&self) -> Result<SocketAddr, &io::Error> {
        self.hub.listening()
    }

    /// Orders that were given while the sharing thread stood still and 1024 waited already: they are not done.
    pub const fn lost_orders(&self) -> u64 {
        self.lost_orders
    }

    /// Connections turned away because too many were open, or that could not be taken.
    pub fn refused_connections(&self) -> u64 {
        self.hub.refused()
    }

    /// What went over its connections of files, so far.
    pub fn traffic(&self) -> Traffic {
        self.counted.traffic()
    }

    /// Processor time that the sharing thread has used, without the disk's, where the platform tells.
    pub fn cpu(&self) -> Duration {
        self.hub.cpu()
    }
}
