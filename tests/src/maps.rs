//! Map sharing in the lab: each machine's folder in memory, its sharing thread and its disk's, joined by a network of their own at
//! the machines' addresses, all in the lab's time. Knows no rule of it.

use std::fmt;
use std::net::IpAddr;

use mjolnir_mapshare::disk::Memory;
use mjolnir_mapshare::simulated::{Network, Way};
use mjolnir_mapshare::{ClientSettings, HostSettings, Order};
use mjolnir_skirmish::custom::MOST;
use mjolnir_skirmish::game::map_file::Making;
use mjolnir_wire::Moment;
use mjolnir_wire::mapshare::{File, FileSet};

use crate::lab::{Lab, Who};

mod counter;
mod node;
pub mod script;

use counter::Counter;
use node::Node;

/// A machine's folder of maps, and how it shares them.
#[derive(Clone, Debug)]
pub struct Files {
    /// The folder; copies of it are the same one, and it outlives its machine's program.
    pub folder: Memory,
    /// The machine's way to the others' sharing.
    pub way: Way,
    /// Microseconds until its disk begins what it is asked.
    pub disk_micros: u64,
    /// What a host's settings say.
    pub host: HostSettings,
    /// What a client's settings say.
    pub client: ClientSettings,
}

impl Default for Files {
    /// An empty folder, 10 ms from any other, 100 Mbit/s each way, and settings as they are where nobody changed them.
    fn default() -> Self {
        Self {
            folder: Memory::new(),
            way: Way { latency: 5_000, up: 12_500_000, down: 12_500_000 },
            disk_micros: 0,
            host: HostSettings { shares: true, upload: 1 << 20 },
            client: ClientSettings { downloads: true, seeds: true, upload: 1 << 18, most: MOST },
        }
    }
}

impl Files {
    /// With that file, as [`made`] makes it.
    #[must_use]
    pub fn with(self, name: &str, bytes: &[u8]) -> Self {
        self.folder.set(name, bytes);
        self
    }
}

/// The bytes of a map, or of a resource map, of that size and seed.
///
/// # Panics
///
/// If there is none of that size.
pub fn made(file: File, size: usize, seed: u64, needs: FileSet) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(size);
    let making = Making::new(file, size as u64, seed, needs).expect("a file");
    making.write(&mut bytes).expect("a vector takes all");
    bytes
}

/// One machine's sharing, as long as its program runs.
#[derive(Debug)]
struct Sharing {
    number: usize,
    counter: Counter,
    /// What was ordered, and when.
    orders: Vec<(u64, Order)>,
}

/// See the file's text.
#[derive(Default)]
pub struct Maps {
    network: Network<Node>,
    host: Option<Sharing>,
    clients: Vec<Option<Sharing>>,
}

impl fmt::Debug for Maps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Maps")
            .field("host", &self.host)
            .field("clients", &self.clients)
            .finish_non_exhaustive()
    }
}

impl Maps {
    /// A program is started at that address; what its game orders goes by what is returned.
    pub(crate) fn start(&mut self, who: Who, at: IpAddr, seed: u64, files: Files) -> Counter {
        self.stop(who, false);
        let counter = Counter::default();
        let way = files.way;
        let number = self.network.add(at, way, Node::new(seed, files, counter.clone()));
        let sharing = Sharing { number, counter: counter.clone(), orders: Vec::new() };
        match who {
            Who::Host => self.host = Some(sharing),
            Who::Client(place) => {
                while self.clients.len() <= place {
                    self.clients.push(None);
                }
                self.clients[place] = Some(sharing);
            }
        }
        counter
    }

    /// A program ends, in order or outright: its connections end with it.
    pub(crate) fn stop(&mut self, who: Who, is_in_order: bool) {
        let sharing = match who {
            Who::Host => self.host.take(),
            Who::Client(place) => self.clients.get_mut(place).and_then(Option::take),
        };
        let Some(sharing) = sharing else { return };
        let now = self.network.now();
        if let Some(node) = self.network.remove(sharing.number)
            && is_in_order
        {
            node.end(now);
        }
    }

    /// Everything until that time happens.
    pub(crate) fn run_until(&mut self, micros: u64) {
        self.network.run_until(Moment::from_micros(micros));
    }

    /// What a machine's game has just ordered is done.
    pub(crate) fn obey(&mut self, who: Who) {
        let sharing = match who {
            Who::Host => self.host.as_mut(),
            Who::Client(place) => self.clients.get_mut(place).and_then(Option::as_mut),
        };
        let Some(sharing) = sharing else { return };
        for order in sharing.counter.take_orders() {
            sharing.orders.push((self.network.now().as_micros(), order.clone()));
            self.network.with(sharing.number, |now, node| node.order(now, order));
        }
    }

    fn sharing(&self, who: Who) -> Option<&Sharing> {
        match who {
            Who::Host => self.host.as_ref(),
            Who::Client(place) => self.clients.get(place)?.as_ref(),
        }
    }

    /// What a machine has ordered since its program was started, with the lab's time.
    ///
    /// # Panics
    ///
    /// If it shares nothing, or does not run.
    pub fn orders(&self, who: Who) -> &[(u64, Order)] {
        &self.sharing(who).expect("a machine that shares").orders
    }

    fn node(&self, who: Who) -> Option<&Node> {
        self.network.peer(self.sharing(who)?.number)
    }

    /// Bytes of files that a machine has sent since its program was started; none of one that does not run.
    pub fn sent(&self, who: Who) -> u64 {
        self.node(who).map_or(0, |node| node.counters().sent)
    }

    /// The same that came and were due.
    pub fn received(&self, who: Who) -> u64 {
        self.node(who).map_or(0, |node| node.counters().received)
    }

    /// How often a machine's swarm refused something for any reason.
    pub fn refusals(&self, who: Who) -> Vec<(&'static str, u64)> {
        let all = |node: &Node| node.counters().refusals().filter(|(_, times)| *times > 0).collect();
        self.node(who).map(all).unwrap_or_default()
    }

    /// Connections that a machine has now.
    pub fn connections(&self, who: Who) -> usize {
        self.sharing(who).map_or(0, |sharing| self.network.connections(sharing.number))
    }

    /// While on, nothing of files arrives at a machine or from it.
    pub fn cut(&mut self, who: Who, on: bool) {
        if let Some(number) = self.sharing(who).map(|sharing| sharing.number) {
            self.network.set_cut(number, on);
        }
    }

    /// While on, a byte is changed of what a machine sends of files at once.
    pub fn spoil(&mut self, who: Who, on: bool) {
        if let Some(number) = self.sharing(who).map(|sharing| sharing.number) {
            self.network.with(number, |_, node| node.spoil(on));
        }
    }
}

impl Lab {
    /// The machines' map sharing.
    ///
    /// # Panics
    ///
    /// If no machine has any.
    pub fn maps(&self) -> &Maps {
        self.maps.as_ref().expect("machines that share")
    }

    /// The same, to be meddled with.
    ///
    /// # Panics
    ///
    /// If no machine has any.
    pub fn maps_mut(&mut self) -> &mut Maps {
        self.maps.as_mut().expect("machines that share")
    }
}
