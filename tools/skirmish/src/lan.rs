//! Games on the LAN: how a host tells of its own, what `browse` lists, and what `join` asks a host before it joins.
//! Knows no game's inside.

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{self, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use mjolnir_engine_glue::settings::{Name, Settings};
use mjolnir_engine_glue::transport::lan::{Game, Unusable};
use mjolnir_engine_glue::transport::net::{Searcher, network_broadcasts, own_address};
use mjolnir_engine_glue::transport::{Broadcast, Browser, HostSettings, Network as _, VersionRefusal};
use mjolnir_wire::Moment;
use mjolnir_wire::game_state::GAME_TYPES;
use mjolnir_wire::limits::HOST_PORT;
use mjolnir_wire::packets::advertisement::TEAMS_BIT;

use crate::clock::Clock;
use crate::options::{BrowseOptions, Common};
use crate::seam::map_of;
use crate::setup::{self, COOP, Error};

/// How long games are listened for, unless the options say.
const BROWSE_SECONDS: f64 = 3.0;
/// How long a host is asked for its version before it is joined without: one behind a filter may not answer.
const ASK_LIMIT: u64 = Moment::SECOND;
/// The longest wait for a datagram before the clock is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// A host's settings with who it is to searchers, and whom it tells of its game.
pub fn told_of(rules: HostSettings, settings: &Settings, bind: IpAddr) -> HostSettings {
    let ip = match bind {
        IpAddr::V4(own) if !own.is_unspecified() => own,
        _ => own_address().unwrap_or(Ipv4Addr::UNSPECIFIED),
    };
    let [nonce, key_id, low, high] = [(); 4].map(|()| random());
    let mut key = [0; 16];
    key[..8].copy_from_slice(&low);
    key[8..].copy_from_slice(&high);
    HostSettings { ip, nonce, key_id, key, broadcast: everybody(settings, bind), ..rules }
}

/// Whom the settings name, else everybody on the networks that this machine is on.
fn everybody(settings: &Settings, bind: IpAddr) -> Broadcast {
    let list = settings.text_of(Name::NetworkBroadcast);
    let (mut everybody, Unusable { unreadable, past_most }) = Broadcast::parse(list);
    if unreadable > 0 {
        tracing::warn!(unreadable, "setting network.broadcast: not all of it are IPv4 addresses");
    }
    if past_most > 0 {
        tracing::warn!(past_most, "setting network.broadcast: addresses past the 256th are dropped");
    }
    if list.trim().is_empty() {
        let networks = network_broadcasts();
        // From the loopback, or without a network, nobody is reached: that is no fault to tell of each time.
        if bind.is_loopback() || networks.is_empty() && own_address().is_none() {
            return Broadcast::nobody();
        }
        for network in networks {
            everybody.add(network);
        }
    }
    everybody
}

/// Bytes that nobody outside this process guesses, as good as the system's seeds of its hash tables are: they tell
/// machines apart and keep no secret.
fn random() -> [u8; 8] {
    RandomState::new().build_hasher().finish().to_le_bytes()
}

/// A searcher with its socket.
pub(crate) struct Search {
    browser: Browser,
    socket: Searcher,
    clock: Clock,
}

impl Search {
    fn at(bind: IpAddr, targets: Vec<SocketAddr>) -> Result<Self, Error> {
        let socket = Searcher::open(bind).map_err(Error::Socket)?;
        let browser = Browser::new(socket.local_address().port(), random(), targets);
        Ok(Self { browser, socket, clock: Clock::default() })
    }

    /// At whoever the settings say is to be asked.
    pub(crate) fn of_all(common: &Common, settings: &Settings) -> Result<Self, Error> {
        let bind = common.bind.unwrap_or(any(false));
        Self::at(bind, targets(settings, bind))
    }

    /// The games that are listed now, in the order in which they were first heard.
    pub(crate) fn games(&self) -> &[Game] {
        self.browser.games()
    }

    /// Does what is due, and waits a moment for what comes.
    pub(crate) fn frame(&mut self) {
        self.wait(LOOK);
    }

    fn wait(&mut self, at_most: Duration) {
        let Self { browser, socket, clock } = self;
        let now = clock.now();
        browser.poll(now);
        browser.send(now, socket);
        socket.wait(at_most);
        socket.receive(clock.now(), &mut |event| browser.handle(clock.now(), event));
    }

    /// Until enough is listed, or so many microseconds.
    fn run(&mut self, at_most: u64, is_enough: impl Fn(&Browser) -> bool) {
        let end = self.clock.now().plus(at_most);
        while self.clock.now() < end && !is_enough(&self.browser) {
            self.wait(LOOK.min(Duration::from_micros(end.since(self.clock.now()))));
        }
    }
}

/// Lists the LAN's games on standard output, the nearest first. Where hosts are named it tells at once of those that
/// cannot be asked and asks the others: whether all could be.
pub fn browse(options: &BrowseOptions) -> Result<bool, Error> {
    let (common, settings) = setup::settled(&options.common)?;
    let (mut asked, mut bad) = (Vec::new(), Vec::new());
    for host in options.hosts.iter().map(|text| setup::address(text)) {
        match host {
            Ok(host) => asked.push(host),
            Err(error) => bad.push(error),
        }
    }
    let bind = common.bind.unwrap_or(any(asked.iter().any(SocketAddr::is_ipv6)));
    let reaches =
        |host: &SocketAddr| bind.is_ipv4() == host.is_ipv4() || bind == IpAddr::V6(Ipv6Addr::UNSPECIFIED);
    bad.extend(asked.iter().filter(|host| !reaches(host)).map(|host| Error::Bind(bind, *host)));
    asked.retain(reaches);
    bad.iter().for_each(|error| eprintln!("{error}"));
    if asked.is_empty() && !bad.is_empty() {
        return Ok(false);
    }
    let mut targets = asked.clone();
    if options.hosts.is_empty() {
        targets = self::targets(&settings, bind);
        if let Some(target) = targets.iter().find(|target| !reaches(target)) {
            return Err(Error::Bind(bind, *target));
        }
    }
    let mut search = Search::at(bind, targets)?;
    let seconds = common.seconds.unwrap_or(BROWSE_SECONDS);
    // A host that was named is waited for until it said how far it is; who else there is, nobody knows. One that is
    // closed may only be loading: it is asked again.
    let has_answered = |browser: &Browser, host: SocketAddr| {
        let game = browser.game_at(host);
        game.is_some_and(|game| game.round_trip().is_some() && game.advertisement().is_open())
    };
    search.run((seconds * 1e6) as u64, |browser| {
        !asked.is_empty() && asked.iter().all(|host| has_answered(browser, *host))
    });
    let mut games: Vec<_> = search.browser.games().iter().collect();
    games.sort_by_key(|game| game.round_trip().unwrap_or(u64::MAX));
    for game in &games {
        // A reader may have had enough.
        writeln!(io::stdout(), "{}", Line(game))
            .map_err(|error| Error::File("standard output".into(), error))?;
    }
    let is_unreached = search.socket.datagram_counts().send_errors > 0;
    if games.is_empty() {
        let why = if is_unreached { ": not all of the network could be reached" } else { "" };
        eprintln!("no games found{why}");
    }
    for host in asked.iter().filter(|host| search.browser.game_at(**host).is_none()) {
        eprintln!("{host} did not answer");
    }
    Ok(bad.is_empty())
}

/// Whom a search asks that is told of nobody: those that the settings name and nobody else; where they name nobody everybody
/// on the LAN, and this machine, where a game may be too and which no broadcast reaches.
fn targets(settings: &Settings, bind: IpAddr) -> Vec<SocketAddr> {
    let mut targets: Vec<_> = everybody(settings, bind).at(HOST_PORT).collect();
    let list = settings.text_of(Name::NetworkBroadcast);
    if !list.split(',').any(|entry| entry.trim().parse::<Ipv4Addr>().is_ok()) {
        targets.push(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), HOST_PORT));
    }
    targets
}

/// Why a host is not joined, if it says what it plays and this build does not. One that says nothing is joined.
pub fn refusal(address: SocketAddr, bind: Option<IpAddr>) -> Option<VersionRefusal> {
    let bind = bind.unwrap_or(any(address.is_ipv6()));
    let mut search = Search::at(bind, vec![address]).ok()?;
    search.run(ASK_LIMIT, |browser| browser.game_at(address).is_some());
    search.browser.game_at(address)?.choose().err()
}

/// Every address of this machine: an IPv6 socket has both families.
const fn any(six: bool) -> IpAddr {
    if six { IpAddr::V6(Ipv6Addr::UNSPECIFIED) } else { IpAddr::V4(Ipv4Addr::UNSPECIFIED) }
}

/// A game as `browse` lists it: fields with a tab between, as that command's help says.
struct Line<'a>(&'a Game);

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let game = self.0.advertisement();
        let name: String = game.name.chars().collect();
        let map = map_of(game.map.as_str().unwrap_or_default());
        let is_it = |(_, number): &&(&str, u32)| i64::from(*number) == i64::from(game.game_type);
        let kind = match game.game_type {
            0 => COOP,
            _ => GAME_TYPES.iter().find(is_it).map_or("unknown", |(kind, _)| kind),
        };
        let teams = if game.flags & TEAMS_BIT != 0 { "team_" } else { "" };
        write!(f, "{}\t{name}\t{map}\t{teams}{kind}", self.0.address())?;
        write!(f, "\t{}/{}\t{}", game.players, game.max_players, game.version)?;
        write!(f, "\t{}", if game.is_open() { "open" } else { "closed" })?;
        f.write_str(if game.is_in_progress() { ", in progress" } else { "" })?;
        match self.0.round_trip() {
            Some(micros) => write!(f, "\t{:.1} ms", micros as f64 / 1000.0)?,
            None => f.write_str("\t-")?,
        }
        match self.0.choose() {
            Ok(_) => Ok(()),
            Err(refusal) => write!(f, "\t{refusal}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NET-52: where the settings name anybody a search asks those alone; where they name nobody, this machine too.
    #[test]
    fn those_who_are_named_are_asked_alone() {
        let asked = |list: &str| {
            let (settings, _) = Settings::parse(&format!("[network]\nbroadcast = \"{list}\"\n")).unwrap();
            let targets = targets(&settings, Ipv4Addr::LOCALHOST.into());
            targets.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(asked("127.1.2.3"), ["127.1.2.3:5150"]);
        assert_eq!(asked("127.1.2.3, 127.1.2.4"), ["127.1.2.3:5150", "127.1.2.4:5150"]);
        assert_eq!(asked(""), ["127.0.0.1:5150"]);
        assert_eq!(asked("nobody"), ["255.255.255.255:5150", "127.0.0.1:5150"]);
    }
}
