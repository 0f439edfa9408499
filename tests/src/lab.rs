//! The lab: machines, the switch that joins them, and virtual time. Knows who runs next, and what all of them saw.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::net::{Ipv4Addr, SocketAddr};

use mjolnir_engine_glue::transport::impair::{Faults, Impair, Impaired};
use mjolnir_engine_glue::transport::simulated::{SimulatedEndpoint, SimulatedNetwork};
use mjolnir_engine_glue::transport::{ClientSettings, HostSettings};
use mjolnir_engine_glue::{Client, Host, client, host};
use mjolnir_net_compare::{Judgement, judge};
use mjolnir_skirmish::game::Rules;
use mjolnir_skirmish::game::random::Random;
use mjolnir_skirmish::seam::{MapShare, level_of};
use mjolnir_wire::packets::text::{Chars, Wide};
use mjolnir_wire::packets::{NetworkPlayer, SettingsRecord};
use mjolnir_wire::{Machine, Moment, Slot, Tick};

use crate::clockwork::OwnClock;
use crate::link::Link;
use crate::maps::{Files, Maps};
use crate::played::{bot, still};
use crate::seat::{Seat, Seating};

/// Microseconds of a tick, for waiting.
const TICK: u64 = 33_333;
/// A machine's clock goes wrong by so many millionths at most, unless a plan says more.
const PPM: u32 = 100;

/// A game to be played.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The map's name.
    pub map: &'static str,
    /// The game's seed: of its chance, of its faults, of its clocks, of its bots.
    pub seed: u64,
    /// The game begins at this tick.
    pub start: i32,
    /// Clients that join in the lobby.
    pub clients: usize,
    /// What goes wrong with what each machine receives.
    pub faults: Faults,
    /// A machine's clock goes wrong by so many millionths at most.
    pub ppm: u32,
    /// Whether it is played in teams.
    pub teams: bool,
    /// What game is played; none has no scores.
    pub rules: Option<Rules>,
    /// Whether shots hurt.
    pub harm: bool,
    /// A map's text that is played in place of the map of that name.
    pub ground: Option<&'static str>,
    /// Another text that the clients play, whose copy of the map is another one.
    pub clients_ground: Option<&'static str>,
    /// All clients are behind one address, each with a port of its own.
    pub is_household: bool,
}

impl Plan {
    /// A good network.
    pub fn new(map: &'static str, seed: u64, clients: usize) -> Self {
        Self {
            map,
            seed,
            start: 0,
            clients,
            faults: Faults::default(),
            ppm: PPM,
            teams: false,
            rules: None,
            harm: false,
            ground: None,
            clients_ground: None,
            is_household: false,
        }
    }

    /// Where a client is.
    fn client_address(self, place: usize) -> SocketAddr {
        let place = place as u8;
        let (machine, port) =
            if self.is_household { (1, 5151 + u16::from(place)) } else { (place + 1, 5151) };
        SocketAddr::new(Ipv4Addr::new(10, 0, 1, machine).into(), port)
    }

    /// So many milliseconds each way, and per cent of datagrams lost.
    #[must_use]
    pub fn network(self, milliseconds: u64, loss: f32) -> Self {
        Self {
            faults: Faults { latency_us: milliseconds * 1000, loss: loss / 100.0, ..Faults::default() },
            ..self
        }
    }

    /// The host's settings, with so many players of its own.
    pub(crate) fn host_settings(self, players_here: usize) -> HostSettings {
        let mut record = SettingsRecord::empty();
        record.name = Wide::cut("lab");
        record.map = Chars::new(&level_of(self.map)).expect("a map's name");
        record.variant.teams = u8::from(self.teams);
        if let Some(rules) = self.rules {
            rules.write("lab", &mut record);
        }
        record.max_players = 128;
        record.seed = self.seed as u32;
        HostSettings { players: players(players_here, 0), ..HostSettings::new(record) }
    }

    /// The settings of the client of that place, with so many players.
    pub(crate) fn client_settings(place: usize, players_there: usize) -> ClientSettings {
        ClientSettings::new(&format!("M{}", place + 1), players(players_there, place + 1))
    }
}

/// A machine of the lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The host.
    Host,
    /// The client of that place in [`Lab::clients`].
    Client(usize),
}

/// See the module's text.
#[derive(Debug)]
pub struct Lab {
    /// The host.
    pub host: Seat<Host>,
    /// The clients, as they joined; those that are gone keep their place.
    pub clients: Vec<Seat<Client>>,
    /// What joins them.
    pub switch: SimulatedNetwork,
    pub(crate) maps: Option<Maps>,
    /// Microseconds since the lab began.
    now: u64,
    random: Random,
    plan: Plan,
}

impl Lab {
    /// A host in its lobby, with that seating.
    ///
    /// # Panics
    ///
    /// If there is no such map.
    pub fn open(plan: Plan, host: Seating) -> Self {
        let switch = SimulatedNetwork::new(plan.seed);
        let mut random = Random::new(plan.seed);
        let settings = plan.host_settings(host.hands.len());
        let network = link(switch.listen(host_address()), &mut random, host.faults);
        let files = host.files.clone();
        let clock = clock(0, plan.ppm, &mut random);
        let mut host = Seat::new(0, clock, host, plan.ground, network, |now| Host::new(now, settings));
        host.engine.game.set_harm(plan.harm);
        let mut lab = Self { host, clients: Vec::new(), switch, maps: None, now: 0, random, plan };
        if let Some(files) = files {
            lab.host.net.set_map_sharing(files.host);
            let share = lab.share(Who::Host, host_address(), files);
            lab.host.engine.game.set_map_share(share);
        }
        lab
    }

    /// A game that is played: a host's bot and as many clients, each with a bot of its own, over the plan's faults.
    pub fn play(plan: Plan) -> Self {
        let seating = |of: u64| Seating::of(vec![bot(plan.seed.wrapping_mul(1000) + of)]);
        Self::play_as(plan, seating(0), |of| seating(of as u64 + 1))
    }

    /// The same with other hands: the host's, and each client's by its place. The faults are the plan's.
    pub fn play_as(plan: Plan, host: Seating, mut client: impl FnMut(usize) -> Seating) -> Self {
        let mut lab = Self::open(plan, host.with_faults(plan.faults));
        for of in 0..plan.clients {
            lab.join(client(of).with_faults(plan.faults));
        }
        lab.gather();
        lab.begin();
        lab.settle();
        lab
    }

    /// A dedicated host, and clients that stand still.
    pub fn idle(plan: Plan) -> Self {
        Self::play_as(plan, Seating::of(Vec::new()), |_| Seating::of(vec![still()]))
    }

    /// A client asks to join; which it is.
    pub fn join(&mut self, seating: Seating) -> usize {
        let place = self.clients.len();
        let settings = Plan::client_settings(place, seating.hands.len());
        self.join_from(self.plan.client_address(place), settings, seating)
    }

    /// A client of those settings asks to join from that address, which nobody has who runs; which it is.
    pub fn join_from(&mut self, address: SocketAddr, settings: ClientSettings, seating: Seating) -> usize {
        let place = self.clients.len();
        let seat = self.seat(place, address, settings, seating);
        self.clients.push(seat);
        place
    }

    /// Another client asks to join from where one was, which is gone without a word if it still ran.
    pub fn join_at(&mut self, place: usize, seating: Seating) {
        let address = self.clients[place].network.address();
        self.kill(place);
        let settings = Plan::client_settings(place, seating.hands.len());
        self.clients[place] = self.seat(place, address, settings, seating);
    }

    fn seat(
        &mut self,
        place: usize,
        address: SocketAddr,
        settings: ClientSettings,
        seating: Seating,
    ) -> Seat<Client> {
        let files = seating.files.clone();
        let endpoint = self.switch.connect(address, host_address());
        let network = link(endpoint, &mut self.random, seating.faults);
        let clock = clock(self.now, self.plan.ppm, &mut self.random);
        let make = |now| Client::new(now, settings);
        let ground = self.plan.clients_ground.or(self.plan.ground);
        let mut seat = Seat::new(self.now, clock, seating, ground, network, make);
        seat.engine.game.set_harm(self.plan.harm);
        if let Some(files) = files {
            seat.net.set_map_sharing(files.client);
            seat.engine.game.set_map_share(self.share(Who::Client(place), address, files));
        }
        seat
    }

    /// A machine's program that shares maps is started; where its game orders.
    fn share(&mut self, who: Who, address: SocketAddr, files: Files) -> Box<dyn MapShare> {
        let seed = u64::from(self.random.below(u32::MAX));
        let maps = self.maps.get_or_insert_default();
        maps.run_until(self.now);
        Box::new(maps.start(who, address.ip(), seed, files))
    }

    /// Waits until every client is in the lobby with its players.
    pub fn gather(&mut self) {
        let expected: usize = self.clients.len();
        self.run_until("all are in the lobby", 10, |lab| {
            let players = lab.host.net.transport().players();
            let mut machines: Vec<_> =
                players.map(|player| player.machine).filter(|of| *of != Machine::HOST).collect();
            machines.dedup();
            machines.len() == expected
        });
    }

    /// The host begins the game.
    pub fn begin(&mut self) {
        let start = Tick::new(self.plan.start).expect("a tick");
        let now = self.host.now(self.now);
        self.host.engine.game.set_now(now);
        self.host.net.begin(now, &mut self.host.engine, start);
    }

    /// The host begins the game of that record, the next one with everybody who is there. Whether that means something.
    pub fn begin_next(&mut self, record: &SettingsRecord, start: Tick) -> bool {
        let now = self.host.now(self.now);
        self.host.engine.game.set_now(now);
        self.host.net.begin_next(now, &mut self.host.engine, record, start)
    }

    /// Waits until everybody plays and every player lives everywhere.
    pub fn settle(&mut self) {
        self.run_until("all play", 30, |lab| {
            lab.host.net.stage() == host::Stage::Playing
                && lab.clients.iter().all(|seat| !seat.runs || seat.net.stage() == client::Stage::Playing)
                && lab.agrees()
        });
    }

    /// Whether every machine that plays has the host's living players alive.
    pub fn agrees(&self) -> bool {
        let Some(host) = self.host.engine.game.world() else { return false };
        let units = |world: &mjolnir_skirmish::game::World| -> Vec<_> {
            world.players().map(|(slot, player)| (slot, player.unit)).collect()
        };
        let expected = units(host);
        expected.iter().all(|(_, unit)| unit.is_some())
            && self
                .clients
                .iter()
                .filter(|seat| seat.runs)
                .all(|seat| seat.engine.game.world().is_some_and(|world| units(world) == expected))
    }

    /// Runs the machine whose time has come first.
    pub fn step(&mut self) -> Who {
        let mut next = (if self.host.runs { self.host.due() } else { u64::MAX }, Who::Host);
        for (place, seat) in self.clients.iter().enumerate() {
            if seat.runs {
                let due = seat.due();
                if due < next.0 {
                    next = (due, Who::Client(place));
                }
            }
        }
        self.now = self.now.max(next.0);
        if let Some(maps) = &mut self.maps {
            maps.run_until(self.now);
        }
        self.run(next.1);
        next.1
    }

    fn run(&mut self, who: Who) {
        match who {
            Who::Host => self.host.run(self.now),
            Who::Client(place) => self.clients[place].run(self.now),
        }
        if let Some(maps) = &mut self.maps {
            maps.obey(who);
        }
    }

    /// A machine's program is over, in order or outright.
    fn over(&mut self, who: Who, is_in_order: bool) {
        match who {
            Who::Host => self.host.runs = false,
            Who::Client(place) => self.clients[place].runs = false,
        }
        if let Some(maps) = &mut self.maps {
            maps.stop(who, is_in_order);
        }
    }

    /// Runs until the host has simulated so many ticks more.
    pub fn run_ticks(&mut self, ticks: u32) {
        self.watch_ticks(ticks, |_, _| {});
    }

    /// The same, and tells of every machine that has just simulated a tick.
    pub fn watch_ticks(&mut self, ticks: u32, mut watch: impl FnMut(&mut Self, Who)) {
        let end = self.host.ticks + ticks;
        while self.host.ticks < end {
            let who = self.step();
            let ticked = match who {
                Who::Host => self.host.ticked,
                Who::Client(place) => self.clients[place].ticked,
            };
            if ticked.is_some() {
                watch(self, who);
            }
        }
    }

    /// Runs for so many seconds.
    pub fn run_seconds(&mut self, seconds: f64) {
        let end = self.now + (seconds * 1e6) as u64;
        while self.now < end {
            self.step();
        }
    }

    /// Runs until that holds.
    ///
    /// # Panics
    ///
    /// If it does not within so many seconds.
    pub fn run_until(&mut self, what: &str, seconds: u64, mut holds: impl FnMut(&Self) -> bool) {
        let end = self.now + seconds * Moment::SECOND;
        while !holds(self) {
            assert!(self.now < end, "not within {seconds} s: {what}");
            self.step();
        }
    }

    /// Microseconds since the lab began.
    pub const fn now(&self) -> u64 {
        self.now
    }

    /// The host's tick.
    pub fn tick(&self) -> Tick {
        self.host.net.now_tick()
    }

    /// Other faults on every machine.
    pub fn set_faults(&mut self, faults: Faults) {
        self.host.network.impair().set_faults(faults);
        for seat in &mut self.clients {
            seat.network.impair().set_faults(faults);
        }
    }

    /// A machine does not run for so many microseconds, and its clock goes on or `stands`.
    pub fn sleep(&mut self, who: Who, micros: u64, stands: bool) {
        let (now, until) = (self.now, self.now + micros);
        match who {
            Who::Host => self.host.sleep(now, until, stands),
            Who::Client(place) => self.clients[place].sleep(now, until, stands),
        }
    }

    /// A machine's clock jumps ahead by so many microseconds.
    pub fn jump(&mut self, who: Who, micros: u64) {
        let now = self.now;
        match who {
            Who::Host => self.host.jump(now, micros),
            Who::Client(place) => self.clients[place].jump(now, micros),
        }
    }

    /// What goes wrong with what a machine receives.
    pub fn impair(&mut self, who: Who) -> &mut Impair {
        match who {
            Who::Host => self.host.network.impair(),
            Who::Client(place) => self.clients[place].network.impair(),
        }
    }

    /// The host ends the game.
    pub fn end(&mut self) {
        self.host.net.end(&mut self.host.engine);
    }

    /// The host goes back to the lobby, with everybody.
    pub fn to_lobby(&mut self) {
        let now = self.host.now(self.now);
        self.host.net.to_lobby(now, &mut self.host.engine);
    }

    /// The host leaves in order.
    pub fn quit_host(&mut self) {
        self.host.net.leave();
        self.run(Who::Host);
        self.over(Who::Host, true);
    }

    /// While on, nothing passes between the host and anybody.
    pub fn partition_host(&self, on: bool) {
        self.switch.partition(host_address(), on);
    }

    /// The host's process ends outright.
    pub fn kill_host(&mut self) {
        self.over(Who::Host, false);
        self.switch.kill(host_address());
    }

    /// A client's process ends outright.
    pub fn kill(&mut self, place: usize) {
        self.over(Who::Client(place), false);
        self.switch.kill(self.clients[place].network.address());
    }

    /// A client leaves in order.
    pub fn quit(&mut self, place: usize) {
        self.clients[place].net.leave();
        self.run(Who::Client(place));
        self.over(Who::Client(place), true);
    }

    /// While on, nothing passes between that client and any other.
    pub fn partition(&self, place: usize, on: bool) {
        self.switch.partition(self.clients[place].network.address(), on);
    }

    /// Everybody's players stand still from now on.
    pub fn stand_still(&mut self) {
        fn stop<N: crate::seat::End>(seat: &mut Seat<N>) {
            for local in 0..seat.engine.hands() {
                seat.engine.take_over(local, still());
            }
        }
        stop(&mut self.host);
        self.clients.iter_mut().for_each(stop);
    }

    /// The largest distance by which a client that runs has a living player of the host's elsewhere, in wu; none if
    /// it does not have it at all.
    pub fn apart(&self) -> Option<f32> {
        let host = self.host.engine.game.world()?;
        let mut most = 0.0_f32;
        for seat in self.clients.iter().filter(|seat| seat.runs) {
            for (slot, player) in host.players().filter(|(_, player)| !player.left) {
                let world = seat.engine.game.world()?;
                match (host.position(slot), world.position(slot)) {
                    (Some(there), Some(here)) if player.unit == world.unit(slot) => {
                        most = most.max(there.distance(here));
                    }
                    (None, None) => {}
                    _ => return None,
                }
            }
        }
        Some(most)
    }

    /// Judges a client beside the host as two builds are judged.
    pub fn judge(&self, place: usize) -> Judgement {
        let host = &self.host.recording.lines;
        judge(host, &self.clients[place].recording.judged(host))
    }

    /// How far a client's copies of others' players were from the host's at the same ticks.
    pub fn distances(&self, place: usize) -> Vec<f64> {
        let seat = &self.clients[place];
        let own = |slot: Slot| seat.net.own_slots().contains(&slot);
        seat.recording.distances(&self.host.recording, own)
    }

    /// A digest of everything that every machine has and counted.
    pub fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        fn seat<N: crate::seat::End>(seat: &Seat<N>, hasher: &mut DefaultHasher) {
            seat.ticks.hash(hasher);
            seat.engine.game.world().map(mjolnir_skirmish::game::World::state_hash).hash(hasher);
            format!("{:?} {:?}", seat.net.counters(), seat.recording).hash(hasher);
        }
        seat(&self.host, &mut hasher);
        self.clients.iter().for_each(|client| seat(client, &mut hasher));
        hasher.finish()
    }

    /// Waits until what is on its way has come: so many ticks.
    pub const fn ticks_of(milliseconds: u64) -> u32 {
        (milliseconds * 1000).div_ceil(TICK) as u32
    }
}

/// Where the host is.
fn host_address() -> SocketAddr {
    SocketAddr::new(Ipv4Addr::new(10, 0, 0, 1).into(), 5150)
}

fn players(count: usize, machine: usize) -> Vec<NetworkPlayer> {
    let name = |local| Wide::cut(&format!("P{machine}-{local}"));
    (0..count).map(|local| NetworkPlayer { name: name(local), ..NetworkPlayer::NONE }).collect()
}

fn link(endpoint: SimulatedEndpoint, random: &mut Random, faults: Faults) -> Link {
    let seed = u64::from(random.below(u32::MAX));
    Link::new(Impaired::new(endpoint, seed, faults))
}

/// A clock that was started at any time, goes a little wrong, and whose ticks fall anywhere.
fn clock(now: u64, ppm: u32, random: &mut Random) -> OwnClock {
    let start = u64::from(random.below(20 * Moment::SECOND as u32));
    let wrong = random.below(2 * ppm + 1) as i32 - ppm as i32;
    OwnClock::new(now, start, wrong)
}
