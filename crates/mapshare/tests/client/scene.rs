//! A client with its host and its disk played by the script. Knows no rule of map sharing.

use mjolnir_mapshare::client::{Line, Standing};
use mjolnir_mapshare::{Client, ClientSettings, Error, Found, Game, News, Order};
use mjolnir_wire::mapshare::{File, FileSet, Offer, Progress, Refusal, Request, Source};
use mjolnir_wire::{Kind, Machine, MachineSet, Moment, Outbox};

use crate::maps::{found, hash};
use crate::said::{LEVEL, each_message, machine, outbox, seconds};

/// The map of [`LEVEL`].
pub(crate) const VERSION: u32 = 0xe43e_2b0e;
/// Its size: ten pieces.
pub(crate) const SIZE: u32 = 10 * 262_144;
pub(crate) const SOUNDS: FileSet = FileSet::only(File::Sounds);
pub(crate) const RESOURCES: FileSet = FileSet::NONE.with(File::Bitmaps).with(File::Sounds).with(File::Loc);

pub(crate) const ON: ClientSettings =
    ClientSettings { downloads: true, seeds: true, upload: 262_144, most: [1 << 30; 4] };

/// What the host is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    Asked(Request),
    Progress(Progress),
}

pub(crate) struct Scene {
    pub(crate) client: Client,
    pub(crate) now: Moment,
}

impl Scene {
    /// Let in by a host at 192.168.1.1, as machine 3.
    pub(crate) fn with(settings: ClientSettings) -> Self {
        let mut client = Client::new(settings);
        client.begin_session("192.168.1.1".parse().unwrap(), machine(3));
        Self { client, now: Moment::START }
    }

    /// Its settings have named [`LEVEL`], of which it has nothing.
    pub(crate) fn lacking(settings: ClientSettings) -> Self {
        let mut scene = Self::with(settings);
        scene.client.handle_settings(LEVEL, VERSION);
        scene.looked(Ok(None), FileSet::NONE);
        scene
    }

    /// It has asked, and was not answered.
    pub(crate) fn asking() -> Self {
        let mut scene = Self::lacking(ON);
        assert_eq!(scene.poll().len(), 1);
        scene
    }

    /// The map comes.
    pub(crate) fn downloading() -> Self {
        let mut scene = Self::asking();
        scene.offers(&[offer(File::Map, SIZE)]).unwrap();
        scene.orders();
        scene
    }

    pub(crate) fn orders(&mut self) -> Vec<Order> {
        std::iter::from_fn(|| self.client.next_order()).collect()
    }

    /// The answer to the look that was ordered last.
    pub(crate) fn looked(&mut self, map: Result<Option<Found>, Refusal>, resources: FileSet) {
        let ticket = self.orders().into_iter().rev().find_map(|order| match order {
            Order::Look { ticket, .. } => Some(ticket),
            _ => None,
        });
        self.client.handle_news(News::Looked { ticket: ticket.unwrap(), map, resources });
    }

    pub(crate) fn offers(&mut self, offers: &[Offer]) -> Result<(), Error> {
        let mut outbox = outbox();
        for offer in offers {
            let to = MachineSet::only(machine(3));
            outbox.reliable_entry(to, Kind::MapShareOffer, |bytes| offer.write(bytes)).unwrap();
        }
        self.hear(&outbox)
    }

    pub(crate) fn sources(&mut self, sources: &[Source]) -> Result<(), Error> {
        let mut outbox = outbox();
        outbox
            .message(
                MachineSet::only(machine(3)),
                Kind::MapShareSources,
                u8::try_from(sources.len()).unwrap(),
                |bytes| sources.iter().for_each(|source| source.write(bytes)),
            )
            .unwrap();
        self.hear(&outbox)
    }

    /// What a host tells machine 3; the last word counts.
    pub(crate) fn hear(&mut self, outbox: &Outbox) -> Result<(), Error> {
        let mut result = Ok(());
        each_message(outbox, machine(3), |message| {
            result = match message.kind {
                Kind::MapShareOffer => self.client.handle_offers(self.now, message),
                Kind::MapShareSources => self.client.handle_sources(message),
                other => panic!("{other:?}"),
            };
        });
        result
    }

    /// What that tick tells the host.
    pub(crate) fn poll(&mut self) -> Vec<Told> {
        let mut outbox = outbox();
        self.client.poll(self.now, &mut outbox);
        assert_eq!(outbox.unsendable(), 0);
        let mut told = Vec::new();
        each_message(&outbox, Machine::HOST, |message| match message.kind {
            Kind::MapShareRequest => {
                told.extend(Request::read_all(message).map(|request| Told::Asked(request.unwrap())));
            }
            Kind::MapShareProgress => {
                told.extend(Progress::read_all(message).map(|progress| Told::Progress(progress.unwrap())));
            }
            other => panic!("{other:?}"),
        });
        told
    }

    /// What the host is told until then, a tenth of a second at a time, with when.
    pub(crate) fn run_to(&mut self, until: f64) -> Vec<(f64, Told)> {
        let mut told = Vec::new();
        while self.now < seconds(until) {
            self.now = self.now.plus(100_000);
            let at = self.now.as_micros() as f64 / 1e6;
            told.extend(self.poll().into_iter().map(|what| (at, what)));
        }
        told
    }

    /// What it says as it leaves; none while it stays.
    pub(crate) fn why(&self) -> Option<String> {
        match self.client.standing() {
            Standing::Failed(failure) => Some(failure.to_string()),
            _ => None,
        }
    }

    pub(crate) fn line(&self) -> Option<(String, Option<u8>)> {
        self.client.line().map(|line: Line<'_>| (line.to_string(), line.percent()))
    }
}

pub(crate) fn offer(file: File, size: u32) -> Offer {
    let of = if file == File::Map { VERSION } else { file.get().into() };
    Offer { file, map_version: VERSION, answer: Ok((size, hash(of))) }
}

pub(crate) fn refusal(file: File, why: Refusal) -> Offer {
    Offer { file, map_version: VERSION, answer: Err(why) }
}

/// What it shares of the game's.
pub(crate) fn game(upload: Option<u64>) -> Game {
    let host = Some("192.168.1.1".parse().unwrap());
    Game { machine: machine(3), map_version: VERSION, host, upload }
}

pub(crate) fn map(needs: FileSet) -> Found {
    found(VERSION, SIZE, needs)
}
