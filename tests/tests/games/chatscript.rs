//! The chat script in a whole game of the program's own machines: every line where it is heard and nowhere else, in one order
//! everywhere.

use std::net::{Ipv4Addr, SocketAddr};

use mjolnir_engine_glue::chat::{Channel, Settings};
use mjolnir_engine_glue::host::Stage;
use mjolnir_engine_glue::transport::impair::{Faults, Impaired};
use mjolnir_engine_glue::transport::simulated::{SimulatedEndpoint, SimulatedNetwork};
use mjolnir_engine_glue::transport::{ClientSettings, HostSettings};
use mjolnir_skirmish::control::Control;
use mjolnir_skirmish::game::{Look, Rules};
use mjolnir_skirmish::machine::{ClientMachine, HostMachine, Watch};
use mjolnir_skirmish::scripts::Scripts;
use mjolnir_skirmish::seam::{Setup, level_of};
use mjolnir_skirmish::speech::{Speech, Unsaid};
use mjolnir_wire::packets::text::{Chars, Wide};
use mjolnir_wire::packets::{NetworkPlayer, SettingsRecord};
use mjolnir_wire::{Moment, Tick};

/// One way, in milliseconds.
const WAY: u64 = 50;
/// Microseconds between two frames.
const FRAME: u64 = 5_000;
/// The players, a machine each, the host's first; every other one is of one team.
const NAMES: [&str; 4] = ["Hugo", "Ann", "Bob", "Cid"];

type Link = Impaired<SimulatedEndpoint>;

/// A host and three clients, with a script of a chat at the game's second second.
struct Game {
    host: HostMachine<Link>,
    clients: Vec<ClientMachine<Link>>,
    now: u64,
}

impl Game {
    /// In the lobby, with a player of each machine.
    fn gather(seed: u64, setting: Settings, scripts: &Scripts) -> Self {
        println!("seed {seed}");
        let switch = SimulatedNetwork::new(seed);
        let faults = Faults { latency_us: WAY * 1000, loss: 0.05, ..Faults::default() };
        let place = |of: usize| SocketAddr::new(Ipv4Addr::new(10, 0, of as u8, 1).into(), 5150);
        let link = |end, of: usize| Impaired::new(end, seed * 100 + of as u64, faults);
        let setup = |of: usize| Setup {
            controls: vec![Control::Look(Look::new(seed * 10 + of as u64))],
            ..Setup::default()
        };
        let players = |of: usize| vec![NetworkPlayer { name: Wide::cut(NAMES[of]), ..NetworkPlayer::NONE }];
        let mut record = SettingsRecord::empty();
        record.name = Wide::cut("chat");
        record.map = Chars::new(&level_of("carpark")).unwrap();
        Rules::named("team_slayer").unwrap().write("team_slayer", &mut record);
        (record.max_players, record.max_teams) = (16, 2);
        let settings = HostSettings { players: players(0), ..HostSettings::new(record) };
        let start = Moment::START;
        let mut host = HostMachine::new(start, settings, setup(0), link(switch.listen(place(0)), 0), false);
        host.host.set_text_chat(setting);
        let prepare = |watch: &mut Watch| {
            watch.scripts = scripts.clone();
            watch.keep_dumps();
        };
        prepare(&mut host.watch);
        let mut this = Self { host, clients: Vec::new(), now: 0 };
        for (of, name) in NAMES.iter().enumerate().skip(1) {
            let settings = ClientSettings::new(name, players(of));
            let network = link(switch.connect(place(of), place(0)), of);
            let now = Moment::from_micros(this.now);
            let mut client = ClientMachine::new(now, settings, setup(of), network, false);
            prepare(&mut client.watch);
            this.clients.push(client);
            // One after the other, so that each has the slot of its machine.
            this.run_until(|game| game.host.host.transport().players().count() == of + 1);
        }
        this
    }

    fn run_for(&mut self, milliseconds: u64) {
        let until = self.now + milliseconds * 1000;
        self.run_until(|game| game.now >= until);
    }

    fn begin(&mut self) {
        self.host.begin(Moment::from_micros(self.now), Tick::ZERO);
        self.run_until(|game| game.host.host.stage() == Stage::Playing);
    }

    fn run_until(&mut self, holds: impl Fn(&Self) -> bool) {
        for _ in 0..60 * Moment::SECOND / FRAME {
            if holds(self) {
                return;
            }
            self.now += FRAME;
            let now = Moment::from_micros(self.now);
            self.host.frame(now, Tick::LAST);
            self.clients.iter_mut().for_each(|client| client.frame(now));
        }
        panic!("not within a minute");
    }

    /// What each machine has shown since it was last asked, the host's first.
    fn shown(&mut self) -> Vec<Vec<String>> {
        self.watches().into_iter().map(Watch::take_spoken).collect()
    }

    /// What each machine has kept, the host's first.
    fn watches(&mut self) -> Vec<&mut Watch> {
        let clients = self.clients.iter_mut().map(|client| &mut client.watch);
        std::iter::once(&mut self.host.watch).chain(clients).collect()
    }
}

/// What that machine shows of the whole script, in the script's order; lines of one step in the players'.
fn due(machine: usize) -> Vec<String> {
    let all = |text: &str, but: Option<usize>| -> Vec<String> {
        (0..4).filter(|of| Some(*of) != but).map(|of| format!("{}: {text}", NAMES[of])).collect()
    };
    let only = |of: &[usize], to: &str| -> Vec<String> {
        of.iter().map(|of| format!("{} ({to}): to the {to}", NAMES[*of])).collect()
    };
    let riders: &[usize] = if machine < 2 { &[machine] } else { &[2, 3] };
    let notice = |text: &str| vec![format!("chat notice: {text}")];
    let own_notice = |text: &str| if machine == 3 { notice(text) } else { Vec::new() };
    [
        all("to everyone", None),
        only(&[machine % 2, machine % 2 + 2], "team"),
        only(riders, "vehicle"),
        notice("Cid is muted for 1 minute."),
        all("while one is muted", Some(3)),
        own_notice("You are muted for 1 minute."),
        notice("Cid is no longer muted."),
        all("nobody is muted", None),
        notice("Links are not allowed in this game's chat."),
        notice("The text chat is off."),
        all("the chat is on again", None),
        notice("Cid is muted for 20 minutes."),
        all("while one is muted for everyone", Some(3)),
        own_notice("You are muted for 20 minutes."),
        notice("Cid is no longer muted."),
        all("while one machine mutes the host", Some(0).filter(|_| machine == 3)),
    ]
    .concat()
}

fn sorted(mut lines: Vec<String>) -> Vec<String> {
    lines.sort();
    lines
}

/// TOOL-14, 15, 16, 17, 18, CHAT-16: at 50 ms each way and with one datagram in twenty lost, every line of the script is shown on
/// the machines that hear it and on no other, what is refused is told to whom it is refused, and what two machines both show
/// comes in one order on both. Dumps have each with its tick, its slot and its channel.
#[test]
fn the_chat_is_heard_where_it_is_to_be() {
    for seed in [7, 8, 9] {
        let mut game = Game::gather(seed, Settings::On, &Scripts::default().with_chat(2.0));
        game.begin();
        game.run_until(|game| game.host.host.now_tick().get() >= 840);
        let shown = game.shown();
        for (machine, shown) in shown.iter().enumerate() {
            assert_eq!(sorted(shown.clone()), sorted(due(machine)), "machine {machine}: {shown:#?}");
        }
        // A refusal answers the machine's own line, and is in no order with others'.
        let is_own =
            |line: &str| line.ends_with("The text chat is off.") || line.contains("Links are not allowed");
        for (one, a) in shown.iter().enumerate() {
            for (other, b) in shown.iter().enumerate().skip(one + 1) {
                let shared = |of: &[String], with: &[String]| -> Vec<String> {
                    of.iter().filter(|line| with.contains(line) && !is_own(line)).cloned().collect()
                };
                let both = shared(a, b);
                assert_eq!(both, shared(b, a), "machines {one} and {other}");
                assert!(both.len() >= 24, "{}", both.len());
            }
        }
        let said: Vec<_> = game.watches().into_iter().map(|watch| watch.scripts.take_said()).collect();
        assert_eq!(said.iter().map(Vec::len).collect::<Vec<_>>(), [17, 9, 9, 10], "{said:#?}");
        assert!(said[0][0].starts_with("chat script at tick 60: Bob and Cid ride car #"), "{}", said[0][0]);
        for (machine, watch) in game.watches().into_iter().enumerate() {
            let dumps: Vec<_> =
                watch.take_dumps().iter().map(|dump| serde_json::to_value(dump).unwrap()).collect();
            let mut last = 0;
            let mut count = 0;
            let mut channels = [0; 4];
            for dump in &dumps {
                let now = dump["tick"].as_i64().unwrap();
                for line in dump["chat"].as_array().unwrap() {
                    let tick = line["tick"].as_i64().unwrap();
                    assert!(((now - 31).max(last)..=now).contains(&tick), "{line} at {now}");
                    last = tick;
                    count += 1;
                    let channel = ["all", "team", "vehicle", "notice"]
                        .iter()
                        .position(|channel| line["channel"] == **channel)
                        .unwrap();
                    channels[channel] += 1;
                    assert_eq!(line["slot"].is_null(), channel == 3, "{line}");
                }
            }
            assert_eq!(count, due(machine).len(), "machine {machine}");
            let riders = if machine < 2 { 1 } else { 2 };
            assert_eq!(channels[1..3], [2, riders], "machine {machine}");
        }
        // Nobody but the host decided anything, and nobody was taken for a flood.
        assert!(game.clients.iter().all(|client| client.game.world().unwrap().decisions().total() == 0));
        let refused = game.host.host.counters().refused;
        assert!(!refused.contains_key("chat_too_fast"), "{refused:?}");
        assert_eq!((refused["chat_link"], refused["chat_muted"]), (3, 2), "{refused:?}");
    }
}

fn everyone(text: &str) -> Speech {
    Speech::Type(Channel::All, text.into())
}

/// CHAT-16, 19, 24, 27, 43: in the lobby too a line is shown by all; a client's mute is its own machine's, the host's everybody's, and
/// the game that begins has both still.
#[test]
fn the_lobby_talks_and_its_mutes_last() {
    let mut game = Game::gather(9, Settings::On, &Scripts::default());
    game.run_for(500);
    game.clients[0].say(&everyone("hello")).unwrap();
    game.run_for(500);
    assert_eq!(game.shown(), [["Ann: hello"]; 4]);

    game.clients[0].say(&everyone("/mute hu")).unwrap();
    assert_eq!(game.clients[1].say(&Speech::MuteAll("Hugo".into(), true)), Err(Unsaid::Hosts));
    assert_eq!(game.clients[1].say(&Speech::Allow(Settings::Links)), Err(Unsaid::Hosts));
    game.run_for(500);
    let none: [&str; 0] = [];
    assert_eq!(game.shown(), [&none[..], &["chat notice: Hugo is muted on this machine."], &none, &none]);

    let now = Moment::from_micros(game.now);
    game.host.say(now, &everyone("/mute bob 5")).unwrap();
    game.run_for(500);
    assert_eq!(game.shown(), [["chat notice: Bob is muted for 5 minutes."]; 4]);

    game.begin();
    game.run_until(|game| game.clients.iter().all(ClientMachine::is_playing));
    game.run_for(1000);
    let now = Moment::from_micros(game.now);
    game.host.say(now, &everyone("go")).unwrap();
    game.clients[1].say(&everyone("no")).unwrap();
    game.run_for(500);
    let (go, muted) = ("Hugo: go", "chat notice: You are muted for 5 minutes.");
    assert_eq!(sorted(game.shown().concat()), [go, go, go, muted]);
    let now = Moment::from_micros(game.now);
    game.host.say(now, &Speech::MuteAll("bob".into(), false)).unwrap();
    game.clients[0].say(&Speech::MuteHere("hugo".into(), false)).unwrap();
    game.host.say(now, &everyone("again")).unwrap();
    game.run_for(500);
    assert_eq!(game.shown(), [["chat notice: Bob is no longer muted.", "Hugo: again"]; 4]);
}
