//! The program's end, by a signal, by force, or of itself: who is left, what is left, and the exit code.

use std::fs;
use std::process::Child;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::fakes::{Copy, PATIENT, Scene, end, is_alive, until};

fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

fn are_gone(copies: &[Copy]) -> bool {
    copies.iter().all(|copy| !is_alive(copy.process))
}

/// Fakes that never log their second: their game goes on.
fn playing(test: &str) -> Scene {
    let scene = Scene::new(test);
    for game in ["1-flat-ab", "2-rooms-ab"] {
        scene.log(&format!("{game} host"), &scene.good);
        scene.log(&format!("{game} client"), &scene.good);
    }
    scene
}

/// TOOL-40: SIGINT, SIGTERM and SIGHUP end every copy within two seconds, also one that does not listen; the code is 128
/// and the signal's number, and no folder is left half done.
#[test]
fn signals_end_the_copies() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let scene = playing(&format!("signal-{code}"));
        scene.script("2-rooms-ab client", "trap '' TERM INT HUP\n");
        let (mut program, copies) = scene.begin("--maps flat,rooms --seconds 60 --jobs 2", 4);
        assert!(copies.iter().all(|copy| is_alive(copy.process)));
        send(&program, signal);
        until(Duration::from_secs(2), "every copy is gone", || are_gone(&copies));
        assert_eq!(end(&mut program).code(), Some(code));
        assert_eq!(fs::read_dir(scene.path("build/net_compare")).unwrap().count(), 0);
        let output = program.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), "0 games: 0 passed, 0 failed, 0 errors\n");
    }
}

/// TOOL-40: copies that end in order are asked to, and have the time to; what was finished before stays.
#[test]
fn copies_are_asked_to_end() {
    let scene = playing("asked");
    // A shell that waits for its own child hears a signal at once.
    scene.script(
        "2-rooms-ab client",
        "trap 'echo ended > ../../../../asked; exit 0' TERM\n: > ../../../../ready\nsleep 1000 & wait\n",
    );
    scene.log("1-flat-ab client", &scene.good.replace(" t0 m0 ", " t1 m0 "));
    scene.log("2-rooms-ab host", "");
    let (mut program, copies) = scene.begin("--maps flat,rooms --jobs 1", 4);
    until(PATIENT, "it listens", || scene.path("ready").exists());
    send(&program, Signal::INT);
    assert_eq!(end(&mut program).code(), Some(130));
    assert!(are_gone(&copies));
    assert!(scene.path("asked").exists());
    let left: Vec<_> = fs::read_dir(scene.path("build/net_compare")).unwrap().collect();
    assert_eq!(left.len(), 1);
    assert!(scene.path("build/net_compare/1-flat-ab/client.log").exists());
    let said = String::from_utf8(program.wait_with_output().unwrap().stdout).unwrap();
    let last = "1 game: 0 passed, 1 failed, 0 errors; logs in build/net_compare";
    assert!(said.starts_with("FAIL flat ") && said.trim_end().ends_with(last), "{said}");
}

/// TOOL-40: a second signal changes nothing but that nobody is waited for; the code is the first one's.
#[test]
fn a_second_signal_ends_at_once() {
    let scene = playing("second");
    scene.script("1-flat-ab client", "trap '' TERM INT HUP\n");
    let (mut program, copies) = scene.begin("--maps flat --seconds 60", 2);
    send(&program, Signal::TERM);
    until(PATIENT, "the host ends", || {
        !is_alive(copies.iter().find(|copy| copy.part().ends_with("host")).unwrap().process)
    });
    send(&program, Signal::INT);
    assert_eq!(end(&mut program).code(), Some(143));
    assert!(are_gone(&copies));
    assert_eq!(fs::read_dir(scene.path("build/net_compare")).unwrap().count(), 0);
}

/// TOOL-41: killed outright, its copies are gone within a second, with what a wrapper started and what that started.
#[test]
fn killed_outright_nobody_is_left() {
    let scene = playing("killed");
    let wrapper = scene.path("wrapper");
    let text = "#!/bin/sh\ntrap '' TERM INT HUP\n\"$@\" &\nsleep 1000 &\necho \"$$ x y z\" >> \"${0%/*}/wrapped\"\n\
        echo \"$! x y z\" >> \"${0%/*}/wrapped\"\nsetsid sleep 1000 &\necho \"$! x y z\" >> \"${0%/*}/wrapped\"\nwait\n";
    fs::write(&wrapper, text).unwrap();
    let line = "--maps flat --seconds 60|--b-wrapper|sh ./wrapper";
    // As seen from the copy's folder a path of two words is the shell's own.
    let line = line.replace("./wrapper", wrapper.to_str().unwrap());
    let (mut program, mut copies) = scene.begin(&line, 2);
    until(PATIENT, "the wrapper's own", || {
        let wrapped = fs::read_to_string(scene.path("wrapped")).unwrap_or_default();
        wrapped.lines().count() == 3
    });
    fs::rename(scene.path("wrapped"), scene.path("pids")).unwrap();
    copies.extend(scene.started());
    assert_eq!(copies.len(), 5);
    assert!(copies.iter().all(|copy| is_alive(copy.process)));
    send(&program, Signal::KILL);
    until(Duration::from_secs(1), "everybody is gone", || are_gone(&copies));
    assert_eq!(end(&mut program).code(), None);
    // What it left is the next run's to remove.
    assert!(scene.path("build/net_compare/1-flat-ab").exists());
    assert_eq!(scene.run("--maps flat").code, 0);
    assert_eq!(fs::read_dir(scene.path("build/net_compare")).unwrap().count(), 0);
}

/// TOOL-41: a keeper that is killed takes its copy along, and the game is that copy's error.
#[test]
fn a_keeper_killed_takes_its_copy() {
    let scene = playing("keeper");
    scene.script("1-flat-ab client", "sleep 1000 &\necho \"$! x y z\" > ../../../../started\n");
    let (mut program, copies) = scene.begin("--maps flat --seconds 60", 2);
    until(PATIENT, "the copy's own", || {
        fs::read_to_string(scene.path("started")).is_ok_and(|text| text.ends_with('\n'))
    });
    let client = copies.iter().find(|copy| copy.part().ends_with("client")).unwrap();
    let stat = fs::read_to_string(format!("/proc/{}/stat", client.process)).unwrap();
    let keeper: i32 = stat.rsplit_once(") ").unwrap().1.split(' ').nth(1).unwrap().parse().unwrap();
    assert_ne!(u32::try_from(keeper).unwrap(), program.id());
    // The program stands still: it is the kernel that ends the copy.
    send(&program, Signal::STOP);
    kill_process(Pid::from_raw(keeper).unwrap(), Signal::KILL).unwrap();
    until(Duration::from_secs(1), "the copy is gone", || !is_alive(client.process));
    send(&program, Signal::CONT);
    assert_eq!(end(&mut program).code(), Some(2));
    fs::rename(scene.path("started"), scene.path("pids")).unwrap();
    until(PATIENT, "what it started is gone", || are_gone(&scene.started()));
    assert!(are_gone(&copies));
    let said = String::from_utf8(program.wait_with_output().unwrap().stdout).unwrap();
    assert!(said.starts_with("ERROR flat (A hosts, B joins): B crashed (its keeper was killed"), "{said}");
}

/// TOOL-40: a copy that ends leaves nobody behind that it started, whatever became of its game.
#[test]
fn a_copy_leaves_nobody_behind() {
    let scene = Scene::new("behind");
    let starts = "sleep 1000 &\necho \"$! x y z\" >> ../../../../started\n";
    scene.script("1-flat-ab client", starts);
    scene.script("2-rooms-ab client", &format!("{starts}kill -ABRT $$\n"));
    scene.log("2-rooms-ab client", "");
    let ran = scene.run("--maps flat,rooms --jobs 1");
    let wanted = "ERROR rooms (A hosts, B joins): B crashed (signal 6 ended it: listening)";
    assert!(ran.code == 2 && ran.blocks()[1] == wanted, "{ran:?}");
    fs::rename(scene.path("started"), scene.path("pids")).unwrap();
    let started = scene.started();
    assert_eq!(started.len(), 2);
    assert!(is_alive(std::process::id()) && are_gone(&started));
}
