//! A host with its game's map, and machines that ask it. Knows no rule of map sharing.

use mjolnir_mapshare::{Error, Found, Host, HostSettings, HostStanding, News, Order};
use mjolnir_wire::limits::MAX_MACHINES;
use mjolnir_wire::mapshare::{
    File, FileSet, Offer, Progress, ProgressState, Refusal, Request, Source, SourceAddress,
};
use mjolnir_wire::{Kind, Machine, Moment};

use crate::maps::{found, hash, level};
use crate::said::{LEVEL, each_message, machine, outbox, seconds};

/// The map of [`LEVEL`].
pub(crate) const VERSION: u32 = 0xe43e_2b0e;
/// Its size: ten pieces.
pub(crate) const SIZE: u32 = 10 * 262_144;
/// A piece of a file.
pub(crate) const PIECE: u64 = 262_144;

pub(crate) const ON: HostSettings = HostSettings { shares: true, upload: 1_048_576 };

/// What a machine was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    Offers(Vec<Offer>),
    Sources(Vec<Source>),
}

pub(crate) struct Scene {
    pub(crate) host: Host,
    pub(crate) now: Moment,
}

impl Scene {
    /// A host on [`LEVEL`] that has not looked for its map yet, in the lobby, with machines 1 to 3.
    pub(crate) fn looking() -> Self {
        let mut scene = Self { host: Host::new(ON), now: Moment::START };
        scene.host.set_game(LEVEL, 0);
        for index in 1..4 {
            scene.host.join(machine(index), Some(format!("192.168.1.{index}").parse().unwrap()));
        }
        scene
    }

    /// A host that has found it; it needs those resource maps.
    pub(crate) fn needing(needs: FileSet) -> Self {
        let mut scene = Self::looking();
        scene.looked(Ok(Some(found(VERSION, SIZE, needs))));
        scene.orders();
        scene
    }

    pub(crate) fn new() -> Self {
        Self::needing(FileSet::NONE)
    }

    pub(crate) fn orders(&mut self) -> Vec<Order> {
        std::iter::from_fn(|| self.host.next_order()).collect()
    }

    /// The answer to the look that was ordered last.
    pub(crate) fn looked(&mut self, map: Result<Option<Found>, Refusal>) {
        let look = self.orders().into_iter().rev().find_map(|order| match order {
            Order::Look { ticket, .. } => Some(ticket),
            _ => None,
        });
        self.host.handle_news(News::Looked { ticket: look.unwrap(), map, resources: FileSet::NONE });
    }

    pub(crate) fn ask(&mut self, from: u8, lacked: FileSet, of: &str) -> Result<(), Error> {
        self.host.handle_request(machine(from), &Request { lacked, level: level(of) })
    }

    /// Of the game's map, which is answered at once.
    pub(crate) fn fetch(&mut self, from: u8) {
        self.ask(from, FileSet::MAP, LEVEL).unwrap();
        let offers = vec![offer(File::Map, SIZE, VERSION)];
        assert!(self.poll().contains(&(machine(from), Told::Offers(offers))));
    }

    pub(crate) fn progress(&mut self, from: u8, had: u64, state: ProgressState) -> Result<(), Error> {
        let progress = Progress { had, map_version: VERSION, state };
        self.host.handle_progress(self.now, machine(from), &progress)
    }

    /// What that tick tells, by machine.
    pub(crate) fn poll(&mut self) -> Vec<(Machine, Told)> {
        let mut outbox = outbox();
        self.host.poll(self.now, &mut outbox);
        assert_eq!(outbox.unsendable(), 0);
        let mut told = Vec::new();
        for to in Machine::all().take(MAX_MACHINES) {
            each_message(&outbox, to, |message| {
                let what = match message.kind {
                    Kind::MapShareOffer => {
                        Told::Offers(Offer::read_all(message).map(Result::unwrap).collect())
                    }
                    Kind::MapShareSources => {
                        Told::Sources(Source::read_all(message).map(Result::unwrap).collect())
                    }
                    other => panic!("{other:?}"),
                };
                told.push((to, what));
            });
        }
        told
    }

    /// What is told until then, a tenth of a second at a time, with when.
    pub(crate) fn run_to(&mut self, until: f64) -> Vec<(f64, Machine, Told)> {
        let mut told = Vec::new();
        while self.now < seconds(until) {
            self.now = self.now.plus(100_000);
            let at = self.now.as_micros() as f64 / 1e6;
            told.extend(self.poll().into_iter().map(|(to, what)| (at, to, what)));
        }
        told
    }

    pub(crate) fn standing(&self, of: u8) -> HostStanding {
        self.host.standing(self.now, machine(of))
    }
}

pub(crate) fn offer(file: File, size: u32, version: u32) -> Offer {
    Offer { file, map_version: VERSION, answer: Ok((size, hash(version))) }
}

pub(crate) fn refusal(file: File, version: u32, why: Refusal) -> Told {
    Told::Offers(vec![Offer { file, map_version: version, answer: Err(why) }])
}

/// Machine `index` of the scene's as a source of the map.
pub(crate) fn source(index: u8, is_downloading: bool) -> Source {
    let address = SourceAddress::Lan(format!("192.168.1.{index}").parse().unwrap());
    Source { machine: machine(index), address, files: FileSet::MAP, is_downloading }
}
