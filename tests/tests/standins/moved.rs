//! Stand-ins that are moved by the host, on sockets and for two minutes of virtual time.

use std::net::{Ipv4Addr, SocketAddr};

use mjolnir_engine_glue::transport::simulated::{SimulatedEndpoint, SimulatedNetwork};
use mjolnir_engine_glue::transport::{ClientSettings, HostSettings, NetEvent, Network, StreamId, Transmits};
use mjolnir_skirmish::machine::{ClientMachine, HostMachine, Watch};
use mjolnir_skirmish::record::View;
use mjolnir_skirmish::seam::{Setup, level_of};
use mjolnir_wire::packets::text::Chars;
use mjolnir_wire::packets::{NetworkPlayer, SettingsRecord};
use mjolnir_wire::{Moment, Slot, Tick, Vec3};

use super::gathering::Crowd;
use super::run::{Bystander, Hosted, assert_agree, seen};
use super::standin::{Stage, Standin};
use super::wire::{Wired, loopback};

/// World units that a player runs in a tick.
const RUN: f32 = 0.08;

/// Where a machine had a slot's player, tick by tick.
fn track(watch: &Watch, slot: u8) -> Vec<(i32, Vec3)> {
    let place =
        |view: &View| view.places.iter().find(|place| place.slot.get() == slot).map(|place| place.position);
    seen(watch).views.iter().filter_map(|view| Some((view.tick.get(), place(view)?))).collect()
}

/// The longest stretch of a track in which every tick moved its player east by a run's length.
fn longest_run(track: &[(i32, Vec3)], tolerance: f32) -> usize {
    let (mut longest, mut length) = (0, 0);
    for pair in track.windows(2) {
        let ([(before, from), (after, to)], step) =
            (<[_; 2]>::try_from(pair).unwrap(), pair[1].1.x - pair[0].1.x);
        let runs = after - before == 1 && (step - RUN).abs() < tolerance && (to.y - from.y).abs() < tolerance;
        length = if runs { length + 1 } else { 0 };
        longest = longest.max(length);
    }
    longest
}

fn assert_no_objects(standin: &Standin) {
    assert_eq!((standin.kinds[5], standin.kinds[6], standin.kinds[8]), (0, 0, 0), "it never was ready");
}

/// NET-61, NET-11: a stand-in that sends its inputs in datagrams of their own, stamped with a clock that starts at the
/// host's, is moved by the host, seen to move by a client, and told where it is; one that sends none stands still.
#[test]
fn bare_inputs_move_a_stand_in_on_every_machine() {
    let (host, address) = Hosted::open("flat", 0, Ipv4Addr::LOCALHOST.into(), |_| {});
    let client = Bystander::join("Real", address, Some(Ipv4Addr::LOCALHOST.into()));
    client.until_joined();
    let mut crowd = Crowd::new();
    crowd.all.push(Wired::connect(Standin::new("Runs").with_inputs(), loopback(3, 2), address));
    crowd.all.push(Wired::connect(Standin::new("Stands"), loopback(3, 3), address));
    crowd.until("a player each", |crowd| crowd.all.iter().all(|wired| wired.standin.is_listed()));
    crowd.all[1].standin.ask_start();
    crowd.until_playing();
    crowd.until_tick(60);
    crowd.all[0].standin.stick = Some(1.0);
    crowd.until_tick(150);
    crowd.all[0].standin.stick = Some(0.0);
    crowd.until_tick(210);
    client.until_tick(200);

    let (runs, stands) = (&crowd.all[0].standin, &crowd.all[1].standin);
    let (seat, host) = (client.end(), host.end());
    let slot = runs.slot.unwrap();
    let (by_host, by_client) = (track(&host.machine.watch, slot), track(&seat.machine.watch, slot));
    assert!(longest_run(&by_host, 0.001) >= 60, "{} ticks of running", longest_run(&by_host, 0.001));
    // A copy is drawn towards the host's word: its steps are as long, about.
    assert!(longest_run(&by_client, 0.05) >= 60, "{} ticks of running", longest_run(&by_client, 0.05));
    let at =
        |track: &[(i32, Vec3)], tick: i32| track.iter().find(|(of, _)| *of == tick).map(|(_, place)| *place);
    let there = at(&by_host, 195).unwrap();
    assert!(at(&by_client, 195).unwrap().distance(there) < 0.01);

    let told = &runs.states;
    assert!(longest_run(told, 0.001) >= 60, "{} ticks of running", longest_run(told, 0.001));
    for (tick, place) in told {
        assert!(at(&by_host, *tick).unwrap().distance(*place) < 0.01, "tick {tick}");
    }
    let still = track(&host.machine.watch, stands.slot.unwrap());
    assert!(still.iter().all(|(_, place)| place.distance(still[0].1) < 0.01));
    for standin in [runs, stands] {
        assert_no_objects(standin);
    }
    assert_agree(&host, &seat);
}

/// A stand-in at an end of a simulated network.
struct Simulated {
    standin: Standin,
    network: SimulatedEndpoint,
    stream: Option<StreamId>,
    is_closed: bool,
}

impl Simulated {
    fn new(standin: Standin, network: SimulatedEndpoint) -> Self {
        Self { standin, network, stream: None, is_closed: false }
    }

    fn hear(&mut self, now: Moment) {
        let Self { standin, network, stream, is_closed } = self;
        network.receive(now, &mut |event| match event {
            NetEvent::Opened { stream: opened, .. } => {
                *stream = Some(opened);
                standin.opened();
            }
            NetEvent::Bytes { bytes, .. } => standin.hear_stream(bytes),
            NetEvent::Datagram { bytes, .. } => standin.hear_datagram(bytes),
            NetEvent::Closed { .. } => *is_closed = true,
            NetEvent::Written { .. } => {}
        });
        standin.follow();
        let said = std::mem::take(&mut standin.said);
        let mut out = Transmits::new();
        if let Some(stream) = *stream {
            out.write(stream, &said.stream);
        }
        for datagram in &said.datagrams {
            out.datagram(address(1), datagram);
        }
        network.send(now, &out);
    }
}

fn address(end: u8) -> SocketAddr {
    SocketAddr::new(Ipv4Addr::new(10, 0, 0, end).into(), if end == 1 { 5150 } else { 5151 })
}

/// NET-61, NET-28: two minutes later a stand-in that sends the game's own packets alone is in the game, and one that
/// sends its inputs runs on, each listed on every machine; they join a game past 16 bits of ticks as well.
#[test]
fn stand_ins_stay_for_two_minutes() {
    for start in [0, 70_000] {
        let switch = SimulatedNetwork::new(5);
        let mut record = SettingsRecord::empty();
        record.map = Chars::new(&level_of("flat")).unwrap();
        record.max_players = 16;
        let mut host = HostMachine::new(
            Moment::START,
            HostSettings::new(record),
            Setup::default(),
            switch.listen(address(1)),
            true,
        );
        let settings = ClientSettings::new("Real", vec![NetworkPlayer::NONE]);
        let network = switch.connect(address(2), address(1));
        let mut client = ClientMachine::new(Moment::START, settings, Setup::default(), network, true);
        let mut standins = [
            Simulated::new(Standin::new("Stands"), switch.connect(address(3), address(1))),
            Simulated::new(Standin::new("Runs").with_inputs(), switch.connect(address(4), address(1))),
        ];
        let start = Tick::new(start).unwrap();
        let last = start.plus(120 * 30);
        for frame in 0_u64.. {
            let now = Moment::from_micros(frame * 5000);
            if frame == 400 {
                assert!(standins.iter().all(|standin| standin.standin.is_listed()));
                host.begin(now, start);
            }
            host.frame(now, Tick::LAST);
            client.frame(now);
            for standin in &mut standins {
                standin.hear(now);
            }
            let tick = host.host.now_tick();
            // A second there and a second back, as far as the field goes.
            let ahead = if tick.since(start) / 30 % 2 == 0 { 1.0 } else { -1.0 };
            standins[1].standin.stick = Some(ahead);
            if tick >= last {
                break;
            }
        }
        assert_eq!(host.host.transport().in_game().len(), 3);
        for standin in &standins {
            assert!(!standin.is_closed && standin.standin.stage == Stage::Playing);
            assert!(standin.standin.states.len() > 3500);
            assert_no_objects(&standin.standin);
            let slot = Slot::new(standin.standin.slot.unwrap()).unwrap();
            for world in [host.game.world().unwrap(), client.game.world().unwrap()] {
                assert!(world.player(slot).is_some_and(|player| !player.left) && world.unit(slot).is_some());
            }
        }
        let slot = standins[1].standin.slot.unwrap();
        for watch in [&host.watch, &client.watch] {
            assert!(longest_run(&track(watch, slot), 0.02) >= 20);
        }
    }
}
