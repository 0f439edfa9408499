//! A full lobby of stand-ins at the program itself: they speak the game's own packets, written from the format's facts
//! alone, and a client of ours plays beside them.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use crate::standin::{Stage, Standin};
use crate::wire::{Wired, loopback};
use crate::{Program, folder};

const STANDINS: u8 = 126;

/// Stand-ins that tick thirty times a second until all holds. They end with the program, which gives up by itself.
struct Crowd {
    all: Vec<Wired>,
    began: Instant,
    ticks: u64,
    buffer: Vec<u8>,
}

impl Crowd {
    fn until(&mut self, what: &str, holds: impl Fn(&[Wired]) -> bool) {
        while !holds(&self.all) {
            let ticks = (self.began.elapsed().as_micros() * 30 / 1_000_000) as u64;
            let passed = ticks - self.ticks;
            self.ticks = ticks;
            for wired in &mut self.all {
                wired.pump(passed, &mut self.buffer);
            }
            let lost = self.all.iter().filter(|wired| wired.is_closed).count();
            assert!(lost == 0 || holds(&self.all), "{what}: {lost} were closed");
            thread::park_timeout(Duration::from_millis(5));
        }
    }
}

/// NET-72, NET-61, NET-57: 126 stand-ins join the program's lobby, one of them has the game started, and all stay in it
/// longer than a machine that is not heard would, as players who stand still; a client plays beside them to the end.
/// The machine that is one too many is told that the game is full.
#[test]
fn a_crowd_of_stand_ins_plays_at_the_program() {
    let folder = folder("crowd");
    let options = "--lobby 20 --map flat --local-players 0 --seconds 17 --dump host.dump";
    let (host, address) = Program::host(&folder, options);
    let mut client = Program::start(&folder, &format!("join {address} --name Real"));
    client.hear("joined as machine 1");
    let address: SocketAddr = address.parse().unwrap();

    let mut crowd = Crowd { all: Vec::new(), began: Instant::now(), ticks: 0, buffer: vec![0; 1 << 16] };
    for place in 0..STANDINS {
        let mut standin = Standin::new(&format!("S{place}"));
        standin.update_every = u32::from(place) % 3 + 1;
        crowd.all.push(Wired::connect(standin, loopback(1, place + 2), address));
        if place % 16 == 15 {
            crowd.until("being let in", |all| all.iter().all(|wired| wired.standin.stage == Stage::Lobby));
        }
    }
    crowd.until("a player each", |all| all.iter().all(|wired| wired.standin.is_listed()));

    crowd.all.push(Wired::connect(Standin::new("More"), loopback(1, 200), address));
    crowd.until("a refusal", |all| all.last().unwrap().is_closed);
    assert_eq!(crowd.all.pop().unwrap().standin.stage, Stage::Rejected(4));

    crowd.all[0].standin.ask_start();
    crowd.until("the game", |all| all.iter().all(|wired| wired.standin.stage == Stage::Playing));
    // Game over, which ends the game that outlived every silence.
    crowd.until("the end", |all| all.iter().all(|wired| wired.standin.packets[23] > 0));
    for wired in &crowd.all {
        let standin = &wired.standin;
        assert!(standin.states.len() > 100, "{} states", standin.states.len());
        assert_eq!((standin.kinds[5], standin.kinds[6], standin.kinds[8]), (0, 0, 0), "it never was ready");
    }
    drop(crowd);

    let (code, said, errors) = host.end();
    assert_eq!(code, 0, "{errors}");
    assert_eq!(said.iter().filter(|line| line.ends_with(" plays")).count(), usize::from(STANDINS) + 1);
    let (code, said, errors) = client.end();
    assert_eq!(code, 0, "{errors}");
    assert_eq!(said.last().unwrap(), "The game is over.");
}
