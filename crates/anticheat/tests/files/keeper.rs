//! The thread: what is handed over is done in order, nothing on the game's end waits, and nothing is lost.

use std::fs;
use std::process::Command;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use super::scene::{Folder, Step, TestClock, TestDisk, ask, ban, line};
use mjolnir_anticheat::LocalTime;
use mjolnir_anticheat::files::{Clock, Keeper, MAX_ASKS, SystemClock};

/// A disk that stands still at its first look, until the other end of that is dropped.
fn held() -> (TestDisk, Sender<()>) {
    let (open, gate): (Sender<()>, Receiver<()>) = channel();
    let disk = TestDisk::default();
    disk.plan().before = Some((Step::Stat, Box::new(move || assert!(gate.recv().is_err()))));
    (disk, open)
}

fn answers(keeper: &mut Keeper) -> Vec<(u32, bool)> {
    let mut answers = Vec::new();
    keeper.wait();
    keeper.take_answers(&mut answers);
    answers
}

fn words(keeper: &mut Keeper) -> Vec<String> {
    let mut words = Vec::new();
    keeper.take_words(&mut words);
    words
}

/// CHEAT-26: each join has its own answer, once, by the file as it is when it is asked about; and by a ban that was made before.
#[test]
fn joins_are_answered() {
    let folder = Folder::new();
    let mut keeper = Keeper::with(folder.path(), TestDisk::default(), TestClock::default()).unwrap();
    fs::write(folder.bans(), "ip=1.2.3.4\n").unwrap();
    keeper.ask(ask(1, "1.2.3.4"));
    keeper.ask(ask(2, "5.6.7.8"));
    assert_eq!(answers(&mut keeper), [(1, true), (2, false)]);
    assert_eq!(answers(&mut keeper), []);
    fs::write(folder.bans(), "# none\n").unwrap();
    keeper.append(ban("5.6.7.8", "Bob"));
    keeper.ask(ask(3, "1.2.3.4"));
    keeper.ask(ask(4, "5.6.7.8"));
    assert_eq!(answers(&mut keeper), [(3, false), (4, true)]);
    assert_eq!(folder.text("bans.txt"), "# none\n".to_owned() + &line("5.6.7.8", "Bob"));
    assert_eq!(words(&mut keeper), [""; 0]);
}

/// CHEAT-54, 26: while the disk stands still, thousands of lines and asks are handed over without waiting; the lines are all in
/// the file then, in order, and of the asks those past [`MAX_ASKS`] are refused, each once.
#[test]
fn nothing_waits_for_the_disk() {
    let folder = Folder::new();
    let (disk, gate) = held();
    let mut keeper = Keeper::with(folder.path(), disk, TestClock::default()).unwrap();
    // Dropped before the keeper, which waits for it.
    let gate = gate;
    let asks = MAX_ASKS as u32 + 44;
    (0..asks).for_each(|ticket| keeper.ask(ask(ticket, "5.6.7.8")));
    let mut early = Vec::new();
    keeper.take_answers(&mut early);
    let past: Vec<(u32, bool)> = (MAX_ASKS as u32..asks).map(|ticket| (ticket, true)).collect();
    assert_eq!(early, past);
    let address = |n: u32| format!("10.0.{}.{}", n >> 8, n & 255);
    (0..5_000).for_each(|n| keeper.append(ban(&address(n), "Bob")));
    drop(gate);
    let rest: Vec<(u32, bool)> = (0..MAX_ASKS as u32).map(|ticket| (ticket, false)).collect();
    assert_eq!(answers(&mut keeper), rest);
    let lines: String = (0..5_000).map(|n| line(&address(n), "Bob")).collect();
    assert!(folder.text("bans.txt") == lines);
    keeper.ask(ask(9, "10.0.1.1"));
    assert_eq!(answers(&mut keeper), [(9, true)]);
}

/// CHEAT-54: what was handed over is written when the keeper is finished, and when it is dropped; a finished one refuses.
#[test]
fn the_end_writes_what_waits() {
    let folder = Folder::new();
    let open = || Keeper::with(folder.path(), TestDisk::default(), TestClock::default()).unwrap();
    let mut keeper = open();
    keeper.append(ban("1.2.3.4", "Bob"));
    assert_eq!((keeper.finish(), keeper.finish()), (0, 0));
    assert_eq!(folder.text("bans.txt"), line("1.2.3.4", "Bob"));
    keeper.ask(ask(1, "5.6.7.8"));
    assert_eq!(answers(&mut keeper), [(1, true)]);
    let mut dropped = open();
    dropped.append(ban("5.6.7.8", "Eve"));
    drop(dropped);
    assert_eq!(folder.text("bans.txt"), line("1.2.3.4", "Bob") + &line("5.6.7.8", "Eve"));
}

/// CHEAT-54: what could not be written until the end is said, line by line, after what was said before.
#[test]
fn the_end_says_what_is_lost() {
    let folder = Folder::new();
    let disk = TestDisk::default();
    disk.plan().room = Some(0);
    let mut keeper = Keeper::with(folder.path(), disk, TestClock::default()).unwrap();
    (0..2_000).for_each(|_| keeper.append(ban("1.2.3.4", "Bob")));
    assert_eq!(keeper.finish(), 2_000);
    let words = words(&mut keeper);
    assert_eq!(words.len(), 2_001);
    assert!(words[0].starts_with("bans.txt: cannot be written ("), "{}", words[0]);
    let lost = format!("bans.txt: this line could not be written: {}", line("1.2.3.4", "Bob").trim_end());
    assert!(words[1..].iter().all(|word| *word == lost));
}

/// CHEAT-54, 26: a host that ends on a disk that hangs does not wait for it for ever: how many lines it may have lost is said, and
/// whom it was asked about is refused.
#[test]
fn the_end_waits_for_no_disk_that_hangs() {
    let folder = Folder::new();
    let (disk, gate) = held();
    let mut keeper = Keeper::with(folder.path(), disk, TestClock::default()).unwrap();
    let gate = gate;
    keeper.ask(ask(1, "5.6.7.8"));
    keeper.append(ban("1.2.3.4", "Bob"));
    keeper.append(ban("1.2.3.5", "Eve"));
    assert_eq!((keeper.finish_within(Duration::ZERO), keeper.finish()), (2, 0));
    let said = "bans.txt, cheaters.txt: the disk does not answer; lines that may be in neither: 2";
    assert_eq!(words(&mut keeper), [said]);
    keeper.ask(ask(2, "5.6.7.8"));
    assert_eq!(answers(&mut keeper), [(2, true), (1, true)]);
    // It goes on alone, whatever becomes of the keeper.
    drop((gate, keeper));
}

/// CHEAT-54: a thread that dies at the end says so, and its lines are counted.
#[test]
fn the_end_says_that_the_thread_is_gone() {
    let folder = Folder::new();
    let (open, gate): (Sender<()>, Receiver<()>) = channel();
    let disk = TestDisk::default();
    let dies = move || {
        let _ = gate.recv();
        panic!("as a fault of the disk's code would");
    };
    disk.plan().before = Some((Step::Stat, Box::new(dies)));
    let mut keeper = Keeper::with(folder.path(), disk, TestClock::default()).unwrap();
    let open = open;
    keeper.append(ban("1.2.3.4", "Bob"));
    drop(open);
    // Whether it was dead already, or died at the end.
    assert_eq!(keeper.finish(), 1);
    assert_eq!(words(&mut keeper), ["bans.txt: is read and written no more; everybody is refused"]);
}

/// CHEAT-54: a thread that dies of a disk that panics answers nobody, so all are refused, those that were asked about before too;
/// and it is said once.
#[test]
fn a_thread_that_is_gone_refuses() {
    let folder = Folder::new();
    let (open, gate): (Sender<()>, Receiver<()>) = channel();
    let disk = TestDisk::default();
    disk.plan().before = Some((
        Step::Stat,
        Box::new(move || {
            let _ = gate.recv();
            panic!("as a fault of the disk's code would");
        }),
    ));
    let mut keeper = Keeper::with(folder.path(), disk, TestClock::default()).unwrap();
    let open = open;
    keeper.ask(ask(1, "5.6.7.8"));
    keeper.append(ban("1.2.3.4", "Bob"));
    drop(open);
    assert_eq!(answers(&mut keeper), [(1, true)]);
    keeper.ask(ask(2, "5.6.7.8"));
    keeper.append(ban("1.2.3.4", "Bob"));
    assert_eq!(answers(&mut keeper), [(2, true)]);
    let words = words(&mut keeper);
    assert_eq!(words[0], "bans.txt: is read and written no more; everybody is refused");
    let record = ban("1.2.3.4", "Bob");
    assert_eq!(words[1..], [format!("bans.txt: this line could not be written: {}", record.body())]);
}

/// CHEAT-26: a tick in which nothing is to be asked, said or written allocates nothing.
#[test]
fn a_quiet_tick_allocates_nothing() {
    let folder = Folder::new();
    let mut keeper = Keeper::open(folder.path()).unwrap();
    let (mut answers, mut words) = (Vec::new(), Vec::new());
    keeper.wait();
    let counted = allocation_counter::measure(|| {
        for _ in 0..100 {
            keeper.take_answers(&mut answers);
            keeper.take_words(&mut words);
        }
    });
    assert_eq!((counted.count_total, answers.len(), words.len()), (0, 0, 0));
}

/// CHEAT-54: the machine's own time is one that a calendar has.
#[test]
fn local_time_is_a_time() {
    let local = SystemClock::new().local();
    println!("local {local}");
    let LocalTime { year, month, day, hour, minute, second } = local;
    assert!((1970..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day));
    assert!(hour < 24 && minute < 60 && second < 60);
}

/// CHEAT-54: it is that of the machine's own zone: of two zones that are a day apart each has another day.
#[test]
fn local_time_is_of_the_machines_zone() {
    let day = |zone: &str| {
        // A zone is a whole process's.
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["local_time_is_a_time", "--nocapture"])
            .env("TZ", zone)
            .output()
            .unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let (_, local) = said.split_once("local ").unwrap_or_else(|| panic!("{said}"));
        local.split(' ').next().unwrap().to_owned()
    };
    // East of Greenwich by thirteen hours, and west of it by eleven.
    let (east, west) = (day("AAA-13"), day("BBB11"));
    assert!(east > west && west.len() == "2026-03-07".len(), "{east} {west}");
}
