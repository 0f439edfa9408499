//! A host or a client of ours that plays in a thread of its own on real sockets, and answers what is asked of it
//! between two frames. Knows no stand-in.

use std::net::{IpAddr, SocketAddr};
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::thread::{self, JoinHandle};

use mjolnir_engine_glue::transport::net::Sockets;
use mjolnir_engine_glue::transport::{ClientSettings, HostSettings};
use mjolnir_engine_glue::{client, host};
use mjolnir_net_compare::{Verdict, judge};
use mjolnir_skirmish::control::Choice;
use mjolnir_skirmish::machine::{ClientMachine, HostMachine, Watch};
use mjolnir_skirmish::record::Recording;
use mjolnir_skirmish::seam::{Setup, level_of};
use mjolnir_skirmish::setup::Clock;
use mjolnir_wire::packets::text::{Chars, Wide};
use mjolnir_wire::packets::{NetworkPlayer, SettingsRecord};
use mjolnir_wire::{Moment, Slot, Tick, Vec3};

/// Microseconds of a host's clock after which what is waited for will not come.
pub(crate) const GIVES_UP: u64 = 90 * Moment::SECOND;

type Question<M> = Box<dyn FnOnce(Moment, &mut M) + Send>;

/// A machine that runs by frames.
pub(crate) trait Plays: Send + 'static {
    fn frame(&mut self, now: Moment);
    fn next_tick_at(&self) -> Option<Moment>;
    fn leave(&mut self, now: Moment);
}

/// A machine in its thread.
pub(crate) struct Run<M> {
    questions: Sender<Question<M>>,
    thread: JoinHandle<M>,
}

impl<M: Plays> Run<M> {
    fn start(machine: M) -> Self {
        let (questions, asked) = mpsc::channel();
        let thread = thread::spawn(move || play(machine, &asked));
        Self { questions, thread }
    }

    /// What it answers, after its next frame.
    pub(crate) fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(Moment, &mut M) -> T + Send + 'static,
    ) -> T {
        let (answer, answered) = mpsc::channel();
        let question: Question<M> = Box::new(move |now, machine| {
            let _ = answer.send(question(now, machine));
        });
        self.questions.send(question).expect("its thread runs");
        answered.recv().expect("its thread runs")
    }

    /// Asks until the answer is the one that is wanted.
    pub(crate) fn until(&self, what: &str, holds: impl Fn(Moment, &mut M) -> bool + Clone + Send + 'static) {
        let mut began = None;
        loop {
            let holds = holds.clone();
            let (now, held) = self.ask(move |now, machine| (now, holds(now, machine)));
            if held {
                return;
            }
            assert!(now.since(*began.get_or_insert(now)) < GIVES_UP, "{what}: not within its time");
        }
    }

    /// Lets it leave, and what it was.
    pub(crate) fn end(self) -> M {
        drop(self.questions);
        self.thread.join().expect("it played to its end")
    }
}

fn play<M: Plays>(mut machine: M, asked: &Receiver<Question<M>>) -> M {
    let clock = Clock::default();
    loop {
        let now = clock.now();
        machine.frame(now);
        loop {
            match asked.try_recv() {
                Ok(question) => question(now, &mut machine),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    machine.leave(clock.now());
                    return machine;
                }
            }
        }
        clock.pause(machine.next_tick_at());
    }
}

/// A host, which begins its game when a countdown has ended.
pub(crate) struct Hosting {
    pub(crate) machine: HostMachine<Sockets>,
    pub(crate) said: Vec<host::Notice>,
}

pub(crate) type Hosted = Run<Hosting>;

impl Plays for Hosting {
    fn frame(&mut self, now: Moment) {
        self.machine.frame(now, Tick::LAST);
        for notice in self.machine.host.take_notices() {
            if notice == host::Notice::StartDue {
                self.machine.begin(now, Tick::ZERO);
            }
            self.said.push(notice);
        }
    }

    fn next_tick_at(&self) -> Option<Moment> {
        self.machine.host.next_tick_at()
    }

    fn leave(&mut self, now: Moment) {
        self.machine.leave(now);
    }
}

impl Hosting {
    pub(crate) fn in_game(&self) -> usize {
        self.machine.host.transport().in_game().len()
    }
}

impl Hosted {
    /// A host of that map at that address, with so many players of its own; and where it is.
    pub(crate) fn open(
        map: &str,
        players: usize,
        at: IpAddr,
        change: impl FnOnce(&mut HostSettings),
    ) -> (Self, SocketAddr) {
        let sockets = Sockets::listen(SocketAddr::new(at, 0)).unwrap();
        let address = sockets.local_address();
        let mut record = SettingsRecord::empty();
        record.name = Wide::cut("stand-ins");
        record.map = Chars::new(&level_of(map)).unwrap();
        record.max_players = 128;
        record.seed = 7;
        let mut settings = HostSettings::new(record);
        settings.port = address.port();
        settings.players = named("Host", players);
        change(&mut settings);
        let machine = HostMachine::new(Moment::START, settings, setup(players), sockets, true);
        (Self::start(Hosting { machine, said: Vec::new() }), address)
    }

    /// The game's tick.
    pub(crate) fn tick(&self) -> i32 {
        self.ask(|_, host| host.machine.host.now_tick().get())
    }

    /// Begins the game.
    pub(crate) fn begin(&self) {
        self.ask(|now, host| host.machine.begin(now, Tick::ZERO));
    }

    /// Where its players stand, by slot.
    pub(crate) fn places(&self) -> Vec<(Slot, Vec3)> {
        self.ask(|_, host| {
            let view = seen(&host.machine.watch).views.last().unwrap();
            view.places.iter().map(|place| (place.slot, place.position)).collect()
        })
    }
}

/// A client of ours with a bot.
pub(crate) struct Seated {
    pub(crate) machine: ClientMachine<Sockets>,
    pub(crate) said: Vec<client::Notice>,
}

pub(crate) type Bystander = Run<Seated>;

impl Plays for Seated {
    fn frame(&mut self, now: Moment) {
        self.machine.frame(now);
        self.said.append(&mut self.machine.client.take_notices());
    }

    fn next_tick_at(&self) -> Option<Moment> {
        self.machine.client.next_tick_at()
    }

    fn leave(&mut self, now: Moment) {
        self.machine.leave(now);
    }
}

impl Bystander {
    /// Asks that host to join.
    pub(crate) fn join(name: &str, host: SocketAddr, bind: Option<IpAddr>) -> Self {
        let sockets = Sockets::connect(host, bind).unwrap();
        let settings = ClientSettings::new(name, named(name, 1));
        let machine = ClientMachine::new(Moment::START, settings, setup(1), sockets, true);
        Self::start(Seated { machine, said: Vec::new() })
    }

    /// The tick that it simulated last; 0 before the first.
    pub(crate) fn tick(&self) -> i32 {
        self.ask(|_, seat| seat.machine.client.clock().tick().unwrap_or_default().get())
    }

    /// Waits until it has played that tick.
    pub(crate) fn until_tick(&self, tick: i32) {
        self.until("a tick of its host's game", move |_, seat| {
            assert!(!seat.machine.is_closed(), "its session ended: {:?}", seat.said);
            seat.machine.client.clock().tick().is_some_and(|own| own.get() >= tick)
        });
    }

    /// Waits until it has been let in.
    pub(crate) fn until_joined(&self) {
        self.until("being let in", |_, seat| {
            assert!(!seat.machine.is_closed(), "its session ended: {:?}", seat.said);
            seat.machine.client.transport().record().is_some_and(|record| {
                let own = seat.machine.client.transport().machine();
                record.players().iter().any(|player| own.is_some_and(|own| own.get() as i8 == player.machine))
            })
        });
    }
}

/// What a machine saw.
pub(crate) fn seen(watch: &Watch) -> &Recording {
    watch.recording.as_ref().expect("it records")
}

/// A client saw what its host did: the judge passes the lines of both.
pub(crate) fn assert_agree(host: &Hosting, seat: &Seated) {
    let judgement = judge(&seen(&host.machine.watch).lines, &seen(&seat.machine.watch).lines);
    assert_eq!(judgement.verdict, Verdict::Pass, "{}", judgement.figures);
}

fn named(name: &str, players: usize) -> Vec<NetworkPlayer> {
    (0..players).map(|_| NetworkPlayer { name: Wide::cut(name), ..NetworkPlayer::NONE }).collect()
}

fn setup(players: usize) -> Setup {
    let controls = (0..players as u64).map(|player| Choice::Bot(player + 1).open().unwrap()).collect();
    Setup { controls, ..Setup::default() }
}
