//! Each second's line as programs write it: how many, of whom, and how a game's end stands in them.

use std::fs;
use std::path::Path;

use mjolnir_net_compare::{Drift, Line, Progress, Verdict, judge, last_game, read_log};

use crate::{Program, code, folder, run, text};

fn log(folder: &Path, name: &str) -> Vec<Line> {
    read_log(&fs::read_to_string(folder.join(name)).unwrap()).unwrap()
}

fn is_over(line: &Line) -> bool {
    line.progress == Progress::GameOver
}

/// Every count of a line.
fn counts(line: &Line) -> [u64; 11] {
    let (counts, hits, items) = (line.counts, line.hits, line.items);
    [
        counts.sent,
        counts.received,
        counts.corrected,
        hits.reported,
        hits.dealt,
        hits.rejected,
        hits.replayed,
        items.created,
        items.deleted,
        items.failed,
        items.removed,
    ]
}

/// TOOL-09, TOOL-57, TOOL-66: in ten seconds every machine logs ten lines, or one more or less, each with all fields and all
/// players; no count of them falls; a client's drift is none, a host's at most of thirty ticks a second and remote player.
/// The game's end is each log's last line, but of who left before it.
#[test]
fn every_machine_logs_every_second() {
    let folder = folder("every_second");
    fs::write(folder.join("host.cues"), "345 end\n").unwrap();
    let options = "--lobby 60 --map arena --name Hugo --input bot:1 --cues host.cues --log hugo.log";
    let (mut host, address) = Program::host(&folder, options);
    let start = |name: &str, more: &str| {
        let mut client =
            Program::start(&folder, &format!("join {address} --name {name} --log {name}.log {more}"));
        client.hear_of("joined as machine ");
        client
    };
    let (ann, bob) = (start("ann", "--input bot:2"), start("bob", "--input bot:3 --seconds 5"));
    host.order("start");
    assert_eq!((host.end().0, ann.end().0, bob.end().0), (0, 0, 0));
    for (name, machine) in [("hugo", 0), ("ann", 1), ("bob", 2)] {
        let lines = log(&folder, &format!("{name}.log"));
        let ends = lines.last().map(is_over).unwrap();
        assert_eq!(
            (lines.iter().filter(|line| is_over(line)).count() == 1, ends),
            (machine != 2, machine != 2)
        );
        let ticks = if machine == 2 { 31..121 } else { 31..331 };
        let second: Vec<_> = lines.iter().filter(|line| ticks.contains(&line.tick)).collect();
        let due = ticks.len() / 30;
        assert!((due - 1..=due + 1).contains(&second.len()), "{name}: {}", second.len());
        for line in second {
            let who: Vec<_> =
                line.players.iter().map(|player| (player.slot, player.record.machine)).collect();
            assert!(who.starts_with(&[(0, 0), (1, 1)]), "{line}");
            assert!(who.len() == 3 || line.tick > 120, "{line}");
            assert_eq!((line.view.slot, line.to_win), (Some(machine), 25));
            let living = || line.players.iter().filter_map(|player| player.alive.as_ref());
            assert!(living().all(|alive| alive.animation < 6 && alive.throttle <= 1.0), "{line}");
            assert!(line.counts.sent > 0 && line.counts.received > 0 && line.items.created > 2, "{line}");
        }
        // Hands that took something, and grenades that were not all thrown.
        let of = |line: &Line| line.players[0].alive.clone();
        assert!(lines.iter().filter_map(of).any(|alive| !alive.weapons.is_empty()), "{name}");
        assert!(lines.iter().filter_map(of).any(|alive| alive.grenades[0] > 0), "{name}");
        for count in 0..11 {
            assert!(lines.is_sorted_by_key(|line| counts(line)[count]), "{name}, count {count}");
        }
        let drifts = || lines.iter().map(|line| (line.drift.unwrap(), line.players.len() as u64 - 1));
        if machine == 0 {
            assert!(drifts().all(|(drift, remote)| drift.ticks <= 30 * remote));
            assert!(drifts().map(|(drift, _)| drift.ticks).sum::<u64>() > 300);
        } else {
            assert!(drifts().all(|(drift, _)| drift == Drift::default()));
        }
    }
    assert_eq!(judge(&log(&folder, "hugo.log"), &log(&folder, "ann.log")).verdict, Verdict::Pass);
}

/// A game's end is in the log of every machine that played it, before the first line of the next variant, whether it ends at
/// its last tick or by a word; each log has both games, and both sides' lines of the last agree.
#[test]
fn a_games_end_is_in_every_log() {
    let folder = folder("ends_in_logs");
    let options = "--lobby 60 --map two_bases --variant slayer,ctf --seconds 3 --name Hugo --log hugo.log";
    let (mut host, address) = Program::host(&folder, options);
    let mut ann = Program::start(&folder, &format!("join {address} --name Ann --log ann.log"));
    ann.hear("joined as machine 1");
    host.order("start");
    assert_eq!((host.end().0, ann.end().0), (0, 0));
    let [hosts, anns] = ["hugo.log", "ann.log"].map(|name| log(&folder, name));
    for (lines, last) in [(&hosts, Some(90)), (&anns, None)] {
        let mut course: Vec<_> = lines.iter().map(|line| (is_over(line), line.to_win)).collect();
        course.dedup();
        assert_eq!(course, [(false, 25), (true, 25), (false, 3), (true, 3)]);
        let first = lines.iter().position(is_over).unwrap();
        // At its last tick, which has a line anyway.
        assert!(last.is_none_or(|tick| lines[first].tick == tick), "{}", lines[first]);
        let of = last_game(lines);
        assert_eq!((of.len(), of[0].to_win), (lines.len() - first - 1, 3));
        assert!(lines.windows(2).all(|pair| pair[0].tick < pair[1].tick || is_over(&pair[0])));
    }
    assert_eq!(judge(&hosts, &anns).verdict, Verdict::Pass);

    // One that plays alone says so too; one that quits ends no game.
    for (end, over) in [("end", true), ("quit", false)] {
        fs::write(folder.join("local.cues"), format!("40 {end}\n")).unwrap();
        let output = run(&folder, "local --map flat --cues local.cues --log local.log");
        assert_eq!((code(&output), text(&output.stderr)), (0, String::new()));
        let lines = log(&folder, "local.log");
        assert_eq!(lines.iter().filter(|line| is_over(line)).count(), usize::from(over));
        assert_eq!(lines.last().map(is_over), Some(over));
    }
}

/// TOOL-27: with a third of what each receives damaged, a host and a client play on at thirty ticks a second, nobody is lost, and
/// each one's log notes what it refused.
#[test]
fn a_third_damaged_is_noted() {
    let folder = folder("third_damaged");
    let faults = "--corrupt 33 --map yard";
    let options = format!("--lobby 60 --name Hugo --input bot:1 --data hugo --seconds 10 {faults}");
    let (mut host, address) = Program::host(&folder, &options);
    let mut ann =
        Program::start(&folder, &format!("join {address} --name Ann --input bot:2 --data ann {faults}"));
    ann.hear_of("joined as machine ");
    host.order("start");
    assert_eq!((host.end().0, ann.end().0), (0, 0));
    for name in ["hugo", "ann"] {
        let text = fs::read_to_string(folder.join(name).join("debug.txt")).unwrap();
        let last = read_log(&text).unwrap().last().map(|line| line.tick).unwrap();
        assert!((299..=310).contains(&last), "{name}: {last}");
        let refused = text.lines().filter(|line| line.starts_with("network test: refused ")).count();
        // In each second of play something was, or nearly.
        assert!(refused >= 8, "{name}: {text}");
    }
}
