//! Map sharing at the host: what its game is played on, who lacks it, who waits for it. Knows no rule of it.

use mjolnir_mapshare::host::MapState;
use mjolnir_mapshare::{self as mapshare, HostSettings, News};
use mjolnir_transport::host::Download;
use mjolnir_transport::{Channel, PeerAddress, Received};
use mjolnir_wire::mapshare::{Progress, Request};
use mjolnir_wire::packets::text::Chars;
use mjolnir_wire::{Kind, Machine, MachineSet, Moment, Outbox, Tick};

use super::Host;
use crate::engine::{Engine, Role};
use crate::refusing::{Refusing, take};
use crate::sharing::set_map;

/// See the file's text. It outlives games.
#[derive(Debug)]
pub(super) struct Sharing {
    pub(super) maps: mapshare::Host,
    outbox: Outbox,
    news: Vec<News>,
    /// Machines that are held out or excused now.
    downloading: MachineSet,
    /// A game is to begin at that tick, once its map is known.
    pub(super) begins_at: Option<Tick>,
}

impl Default for Sharing {
    fn default() -> Self {
        Self {
            maps: mapshare::Host::new(HostSettings { shares: false, upload: u64::MAX }),
            outbox: Outbox::new(),
            news: Vec::new(),
            downloading: MachineSet::NONE,
            begins_at: None,
        }
    }
}

impl Sharing {
    /// Hears a message if it is of map sharing; whether it is.
    pub(super) fn hear(&mut self, now: Moment, received: &Received<'_>, refused: &mut Refusing) -> bool {
        let Received { from, channel, message } = received;
        match (message.kind, channel) {
            (Kind::MapShareRequest, Channel::Stream) => {
                for request in Request::read_all(message) {
                    take(refused, request, |request| {
                        self.maps.handle_request(*from, &request).map_err(mapshare::Error::reason)
                    });
                }
            }
            (Kind::MapShareProgress, Channel::Stream) => {
                for progress in Progress::read_all(message) {
                    take(refused, progress, |progress| {
                        self.maps.handle_progress(now, *from, &progress).map_err(mapshare::Error::reason)
                    });
                }
            }
            _ => return false,
        }
        true
    }

    pub(super) fn join(&mut self, machine: Machine, address: PeerAddress) {
        // By where its bytes really go; a stand-in of internet play leads nowhere (GLUE-25).
        self.maps.join(machine, Some(address.real.ip()));
    }

    pub(super) fn leave(&mut self, machine: Machine) {
        self.maps.leave(machine);
        self.downloading.remove(machine);
    }
}

impl Host {
    /// What the host sends of its maps: `network.map_share*`. Nothing until this says otherwise.
    pub fn set_map_sharing(&mut self, settings: HostSettings) {
        self.sharing.maps.set_settings(settings);
    }

    /// What is known of the game's map.
    pub fn map(&self) -> MapState<'_> {
        self.sharing.maps.map()
    }

    /// The machines that lack the game's map, and get it or ask for it.
    pub fn machines_without_map(&self) -> MachineSet {
        let machines = self.transport.machines().iter();
        machines.filter(|machine| self.sharing.maps.lacks_map(*machine)).collect()
    }

    /// What map sharing has to say for the log.
    pub fn take_map_words(&mut self) -> Vec<String> {
        self.sharing.maps.words().collect()
    }

    /// In each frame: the game's map is looked for, asked for and told of; who downloads it is held out.
    pub(super) fn share(&mut self, now: Moment, engine: &mut impl Engine) {
        if !engine.shares_maps() {
            return;
        }
        engine.take_map_news(&mut self.sharing.news);
        for news in self.sharing.news.drain(..) {
            self.sharing.maps.handle_news(news);
        }
        self.name_map();
        let Self { sharing, transport, .. } = self;
        sharing.outbox.begin(Tick::ZERO, 0);
        sharing.maps.poll(now, &mut sharing.outbox);
        while let Some(order) = sharing.maps.next_order() {
            engine.order_maps(order);
        }
        if !sharing.outbox.is_empty() {
            for machine in transport.machines().iter() {
                transport.flush_told(now, &sharing.outbox, machine);
            }
        }
        self.hold_out(now);
    }

    /// Who lacks the map is held out, and who has it is not: as soon as it is known, so that nobody's players are let in meanwhile.
    pub(super) fn hold_out(&mut self, now: Moment) {
        let Self { sharing, transport, clock, .. } = self;
        for machine in transport.machines().iter() {
            let standing = sharing.maps.standing(now, machine);
            let download = Download { is_held: standing.is_downloading, is_excused: standing.is_excused };
            let is_in = download != Download::NONE;
            if is_in || sharing.downloading.contains(machine) {
                transport.set_download(now, clock.tick(), machine, download);
            }
            if is_in {
                sharing.downloading.insert(machine);
            } else {
                sharing.downloading.remove(machine);
            }
        }
    }

    /// The settings' map is looked for, and they say its version and its own name once it is known (MAP-02).
    fn name_map(&mut self) {
        let Self { sharing, transport, .. } = self;
        let record = transport.record();
        sharing.maps.set_game(record.map.as_str().unwrap_or_default(), record.map_version.cast_unsigned());
        if let (Some(version), Ok(level)) = (sharing.maps.version(), Chars::new(sharing.maps.level())) {
            transport.name_map(level, version);
        }
    }

    /// The game begins: at once, or once its map is known, of which the settings say the version.
    pub(super) fn begin_on_map(&mut self, now: Moment, start: Tick, engine: &mut impl Engine) {
        self.sharing.begins_at = Some(start);
        if engine.shares_maps() {
            self.share(now, engine);
        }
        self.begin_when_known(now, engine);
    }

    /// A game that waits for its map to be known goes on once it is.
    pub(super) fn begin_when_known(&mut self, now: Moment, engine: &mut impl Engine) {
        if engine.shares_maps() && matches!(self.sharing.maps.map(), MapState::Looking) {
            return;
        }
        let Some(start) = self.sharing.begins_at.take() else {
            return;
        };
        self.transport.set_loading(now, true);
        self.transport.begin_game(now, start);
        let record = self.transport.record();
        let file = match self.sharing.maps.map() {
            MapState::Found(found) => Some(found.name.as_str()),
            _ => None,
        };
        set_map(record, file, engine);
        engine.load(record, Role::Host);
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use mjolnir_mapshare::{Found, Order};
    use mjolnir_transport::HostSettings as Settings;
    use mjolnir_wire::Message;
    use mjolnir_wire::mapshare::{FileHash, FileSet, ProgressState, Source, SourceAddress};
    use mjolnir_wire::message::read_word;
    use mjolnir_wire::packets::SettingsRecord;

    use super::*;

    const LEVEL: &str = "custom_maps\\hugeass";

    /// A peer behind a tunnel: shown at one address, and really at another.
    fn peer(shown: &str, real: &str) -> PeerAddress {
        let at = |text: &str| format!("{text}:5150").parse().unwrap();
        PeerAddress { shown: at(shown), real: at(real) }
    }

    fn machine(index: u8) -> Machine {
        Machine::new(index).unwrap()
    }

    /// The addresses of the sources that a machine is told of.
    fn named(outbox: &Outbox, to: Machine) -> Vec<IpAddr> {
        let (mut bytes, mut named) = (Vec::new(), Vec::new());
        outbox.gather_stream(to, &mut bytes);
        let mut left = &bytes[..];
        while let [first, second, ..] = *left {
            let (message, rest) = left.split_at(read_word([first, second]).unwrap().1);
            let message = Message::read(message).unwrap();
            if message.kind == Kind::MapShareSources {
                named.extend(Source::read_all(&message).map(|source| match source.unwrap().address {
                    SourceAddress::Lan(address) => address,
                    SourceAddress::Internet(key) => panic!("{key:?}"),
                }));
            }
            left = rest;
        }
        named
    }

    /// A map of nine bytes and that hash.
    fn found(hash: [u8; 4]) -> Found {
        let mut bytes = [7; 32];
        bytes[..4].copy_from_slice(&hash);
        Found { name: "hugeass.map".to_owned(), size: 9, hash: FileHash(bytes), needs: FileSet::NONE }
    }

    fn look(maps: &mut mapshare::Host, found: Found) {
        let Some(Order::Look { ticket, .. }) = maps.next_order() else { panic!("no look") };
        maps.handle_news(News::Looked { ticket, map: Ok(Some(found)), resources: FileSet::NONE });
    }

    /// MAP-02: once the host's map is hashed the game's record has the hash's own first four bytes, as the settings and as the
    /// advertisement, and the level is the map's own name; before that they are zero.
    #[test]
    fn the_record_has_the_hashs_first_bytes() {
        let mut record = SettingsRecord::empty();
        record.map = Chars::new(LEVEL).unwrap();
        let mut host = Host::new(Moment::START, Settings::new(record));
        let bytes = |host: &Host| {
            let (mut settings, mut advertisement) = (Vec::new(), Vec::new());
            host.transport.record().write(&mut settings);
            host.transport.advertisement([0; 8]).write(&mut advertisement);
            (settings[0x20..0x24].to_vec(), advertisement[116..120].to_vec())
        };
        host.name_map();
        assert_eq!(bytes(&host), (vec![0; 4], vec![0; 4]));
        look(&mut host.sharing.maps, found([0x0e, 0x2b, 0x3e, 0xe4]));
        host.name_map();
        let hash = vec![0x0e, 0x2b, 0x3e, 0xe4];
        assert_eq!(bytes(&host), (hash.clone(), hash));
        assert_eq!(host.transport.record().map_version as u32, 0xe43e_2b0e);
        assert_eq!(host.transport.record().map.as_str(), Some(LEVEL));
    }

    /// MAP-02, 07: a game of another version of its name's, which is named by its file, is of the map's own name in the settings and the
    /// advertisement once that is hashed, and stays on that file whatever is set again; set to the name alone it is of that.
    #[test]
    fn a_second_version_has_its_own_name() {
        const FILE: &str = "custom_maps\\hugeass_0e2b3ee4";
        let mut record = SettingsRecord::empty();
        record.map = Chars::new(FILE).unwrap();
        let first = *record;
        let mut host = Host::new(Moment::START, Settings::new(record));
        host.name_map();
        let beside = Found { name: "hugeass_0e2b3ee4.map".to_owned(), ..found([0x0e, 0x2b, 0x3e, 0xe4]) };
        look(&mut host.sharing.maps, beside.clone());
        let named = |host: &Host| {
            let record = host.transport.record();
            let shown = host.transport.advertisement([0; 8]).map;
            assert_eq!(shown, record.map);
            (record.map.as_str().unwrap_or_default().to_owned(), record.map_version.cast_unsigned())
        };
        let again = *host.transport.record();
        for record in [again, first] {
            assert!(host.set_game(&record));
            for _ in 0..2 {
                host.name_map();
            }
            assert_eq!(named(&host), (LEVEL.to_owned(), 0xe43e_2b0e));
            assert_eq!(host.map(), MapState::Found(&beside));
        }
        assert!(host.set_game(&SettingsRecord { map: Chars::new(LEVEL).unwrap(), ..first }));
        host.name_map();
        assert_eq!((named(&host), host.map()), ((LEVEL.to_owned(), 0), MapState::Looking));
        look(&mut host.sharing.maps, found([1, 2, 3, 4]));
        host.name_map();
        assert_eq!(named(&host), (LEVEL.to_owned(), 0x0403_0201));
    }

    /// GLUE-25: of peers that are shown at stand-ins map sharing names where they really are, and takes connections from there; one
    /// whose real address is a stand-in too is named to nobody.
    #[test]
    fn a_stand_in_is_never_a_source() {
        let mut sharing = Sharing::default();
        sharing.maps.set_settings(HostSettings { shares: true, upload: u64::MAX });
        sharing.maps.set_game(LEVEL, 0);
        let peers = [
            peer("100.64.0.1", "203.0.113.7"),
            peer("100.64.0.2", "203.0.113.8"),
            peer("198.18.0.3", "198.18.0.3"),
            peer("192.168.1.4", "192.168.1.4"),
        ];
        for (index, peer) in (1..).zip(peers) {
            sharing.join(machine(index), peer);
        }
        look(&mut sharing.maps, found([1, 2, 3, 4]));
        for index in 2..=4 {
            let all = Progress { had: 9, map_version: 0x0403_0201, state: ProgressState::HasAll };
            sharing.maps.handle_progress(Moment::START, machine(index), &all).unwrap();
        }
        let request = Request { lacked: FileSet::MAP, level: Chars::new(LEVEL).unwrap() };
        sharing.maps.handle_request(machine(1), &request).unwrap();
        sharing.outbox.begin(Tick::ZERO, 0);
        sharing.maps.poll(Moment::START, &mut sharing.outbox);
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        assert_eq!(named(&sharing.outbox, machine(1)), [ip("203.0.113.8"), ip("192.168.1.4")]);
        let members = std::iter::from_fn(|| sharing.maps.next_order()).find_map(|order| match order {
            Order::Members(members) => Some(members),
            _ => None,
        });
        let members: Vec<_> = members.unwrap().iter().map(|(machine, at)| (machine.get(), *at)).collect();
        let real = ["203.0.113.7", "203.0.113.8", "198.18.0.3", "192.168.1.4"];
        assert_eq!(members, (1..).zip(real.map(ip)).collect::<Vec<_>>());
    }
}
