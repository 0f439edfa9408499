//! The program as scripts run it: fake builds that write what a test made, what is printed, what is kept, who is left
//! when it ends. Nothing waits for time alone: each step waits for a file, a process's end or a line, with a deadline.
#![allow(clippy::unwrap_used, reason = "a test's helper fails its test")]

#[path = "program/ending.rs"]
mod ending;
#[path = "program/fakes.rs"]
mod fakes;
#[path = "program/folders.rs"]
mod folders;

use fakes::{Scene, log};

/// TOOL-30: A hosts and B joins on each map; with --swap the other way round too, in that order.
#[test]
fn hosts_and_joins_in_order() {
    let scene = Scene::new("order");
    let played = |line: &str| {
        let ran = scene.run(line);
        assert_eq!((ran.code, ran.errors.as_str()), (0, ""), "{ran:?}");
        let mut parts: Vec<String> = scene.started().iter().map(|copy| copy.part()).collect();
        parts.sort();
        scene.forget();
        (ran.blocks(), parts)
    };
    let (blocks, parts) = played("--maps flat,rooms --jobs 1");
    assert_eq!(blocks, ["PASS flat (A hosts, B joins)", "PASS rooms (A hosts, B joins)"]);
    let once = ["1-flat-ab a host", "1-flat-ab b client", "2-rooms-ab a host", "2-rooms-ab b client"];
    assert_eq!(parts, once);
    let (blocks, parts) = played("--maps flat,rooms --swap --jobs 4");
    assert_eq!(
        blocks,
        [
            "PASS flat (A hosts, B joins)",
            "PASS flat (B hosts, A joins)",
            "PASS rooms (A hosts, B joins)",
            "PASS rooms (B hosts, A joins)",
        ]
    );
    let both = [
        "1-flat-ab a host",
        "1-flat-ab b client",
        "2-flat-ba a client",
        "2-flat-ba b host",
        "3-rooms-ab a host",
        "3-rooms-ab b client",
        "4-rooms-ba a client",
        "4-rooms-ba b host",
    ];
    assert_eq!(parts, both);
}

/// A game that ends before an earlier one is told of after it.
#[test]
fn an_earlier_game_is_told_of_first() {
    let scene = Scene::new("earlier");
    scene.script("1-flat-ab host", "until [ -e ../../2-rooms-ab/host.log ]; do sleep 0.02; done\n");
    let ran = scene.run("--maps flat,rooms --jobs 2");
    assert_eq!(ran.blocks(), ["PASS flat (A hosts, B joins)", "PASS rooms (A hosts, B joins)"], "{ran:?}");
    assert_eq!(ran.last(), "2 games: 2 passed, 0 failed, 0 errors");
}

/// TOOL-31: each copy's settings have a bot of its own seed; with --events hits and kills, and without neither.
#[test]
fn each_copys_settings_are_its_own() {
    let scene = Scene::new("settings");
    for events in [false, true] {
        let line = if events { "--maps flat,rooms:ctf --events" } else { "--maps flat,rooms:ctf" };
        assert_eq!(scene.run(&format!("{line} --seed 5")).code, 0);
        let copies = ["1-flat-ab host", "1-flat-ab client", "2-rooms-ctf-ab host", "2-rooms-ctf-ab client"];
        let errands = ["host:flat:slayer", "join", "host:rooms:ctf", "join"];
        for (at, (copy, errand)) in copies.into_iter().zip(errands).enumerate() {
            let config = scene.left(copy, "toml");
            let has = |text: &str| config.lines().any(|line| line == text);
            assert!(has(&format!("network_test = \"{errand}\"")), "{config}");
            assert!(has(&format!("test_input = \"bot:{}\"", 5 + at)), "{config}");
            assert!(has("null_renderer = true"), "{config}");
            for name in ["network_test_shoot", "network_test_kill"] {
                assert_eq!(config.contains(name), events, "{config}");
            }
        }
        let address = |copy: &str| {
            let config = scene.left(copy, "toml");
            config.lines().find(|line| line.starts_with("address = \"127.")).unwrap().to_owned()
        };
        assert_eq!(address(copies[0]), address(copies[1]));
        assert_ne!(address(copies[0]), address(copies[2]));
    }
}

/// TOOL-32: copies have no display, or with --window the one named or those that the program was started with; no
/// variable beats their settings.
#[test]
fn displays_are_passed_as_asked() {
    let scene = Scene::new("displays");
    let displays = |line: &str, own: &[(&str, &str)]| {
        let mut command = scene.command(line);
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env("HALO_NETWORK_LOSS", "50");
        let ran = fakes::run(command.envs(own.iter().copied()));
        (ran.code == 0).then(|| {
            let variables = scene.left("1-flat-ab client", "env");
            let of = |name: &str| {
                let text = variables.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
                text.map(String::from)
            };
            assert_eq!(of("HALO_NETWORK_LOSS"), None);
            let config = scene.left("1-flat-ab client", "toml");
            (of("DISPLAY"), of("WAYLAND_DISPLAY"), config.contains("hidden_window = true"))
        })
    };
    let both = [("DISPLAY", ":5"), ("WAYLAND_DISPLAY", "wayland-1")];
    let said = |text: &str| Some(String::from(text));
    assert_eq!(displays("--maps flat", &both), Some((None, None, false)));
    assert_eq!(displays("--maps flat --window", &both), Some((said(":5"), said("wayland-1"), true)));
    assert_eq!(displays("--maps flat --window --display :9", &both), Some((said(":9"), None, true)));
    assert_eq!(displays("--maps flat --window --display :9", &[]), Some((said(":9"), None, true)));
    assert_eq!(displays("--maps flat --window", &[]), None);
    assert_eq!(scene.run_alone("--a a --b b --maps flat --display :9").code, 2);
}

/// TOOL-43: a build is run under its wrapper, with more arguments, the other without.
#[test]
fn a_wrapper_is_one_builds() {
    let scene = Scene::new("wrapper");
    let ran = scene.run("--maps flat --swap|--b-wrapper|env X=1 Y=2|--a-args|--scale-run 1.005");
    assert_eq!(ran.code, 0, "{ran:?}");
    for (copy, is_b) in [
        ("1-flat-ab host", false),
        ("1-flat-ab client", true),
        ("2-flat-ba host", true),
        ("2-flat-ba client", false),
    ] {
        let variables = scene.left(copy, "env");
        assert_eq!(variables.lines().any(|line| line == "X=1"), is_b, "{copy}");
        let args = scene.left(copy, "args");
        let own = if is_b { "" } else { " --scale-run 1.005" };
        assert_eq!(args.trim(), format!("--config config.toml --data data{own}"), "{copy}");
    }
}

/// TOOL-33, TOOL-35: a build is its executable, the skirmish beside the program where none is named; one that is missing
/// is an error, as is a wrapper that is.
#[test]
fn a_build_is_its_executable() {
    let scene = Scene::new("executable");
    let own = scene.path("net-compare");
    fakes::copy(env!("CARGO_BIN_EXE_net-compare").as_ref(), &own);
    fakes::copy(&scene.path("a"), &scene.path("skirmish"));
    let ran = fakes::run(std::process::Command::new(&own).current_dir(&scene.folder).args([
        "--seconds",
        "5",
        "--maps",
        "flat",
    ]));
    assert_eq!((ran.code, ran.blocks()), (0, vec!["PASS flat (A hosts, B joins)".into()]), "{ran:?}");
    scene.forget();

    let ran = scene.run_alone("--seconds 5 --maps flat --swap --a missing/halo --b b");
    assert_eq!(ran.code, 2);
    for (block, way) in ran.blocks().iter().zip(["flat (A hosts, B joins)", "flat (B hosts, A joins)"]) {
        let wanted = format!("ERROR {way}: A did not start (missing/halo: No such file");
        assert!(block.starts_with(&wanted), "{block}");
    }
    assert!(scene.started().is_empty());
    let ran = scene.run("--maps flat|--b-wrapper|no-such-program -x");
    let wanted = "ERROR flat (A hosts, B joins): B did not start (it ended with code 127: no-such-program: ";
    assert!(ran.code == 2 && ran.blocks()[0].starts_with(wanted), "{ran:?}");
}

/// TOOL-37: what is printed of games that pass, fail and are an error, each with its figures.
#[test]
fn blocks_and_the_last_line() {
    let scene = Scene::new("blocks");
    scene.log(
        "2-flat-ba client",
        &log(30, |second, line| {
            if (11..=12).contains(&second) {
                line.players[1].alive.as_mut().unwrap().position[0] += 1.5;
            }
        }),
    );
    scene.log("3-rooms-ab client", "");
    scene.script("3-rooms-ab client", "echo 'not joined: No game was found.'; exit 3\n");
    scene.log("4-rooms-ba client", "");
    let ran = scene.run("--maps flat,rooms --swap --seconds 30 --patience 2");
    let divergence = "player 1 tick 330 position (host (11.000 2.000 0.500), client (12.500 2.000 0.500))";
    assert_eq!(
        ran.blocks(),
        [
            String::from("PASS flat (A hosts, B joins)"),
            format!("FAIL flat (B hosts, A joins): {divergence}"),
            String::from(
                "ERROR rooms (A hosts, B joins): B did not join (it ended with code 3: not joined: No game was found.)"
            ),
            String::from("ERROR rooms (B hosts, A joins): A did not join (for 2 s)"),
        ]
    );
    let figures = ran.figures();
    assert_eq!(figures.len(), 4);
    let corrected = "corrected 0 and 0";
    for (at, seconds, apart) in
        [(0, 30, "0.000 wu apart, 0.000 at most"), (1, 30, "0.050 wu apart, 1.500 at most")]
    {
        let wanted = format!("    {seconds} s, positions {apart}, 0 of 0 ticks apart");
        assert!(figures[at].starts_with(&wanted) && figures[at].ends_with(corrected), "{}", figures[at]);
    }
    assert!(figures[2].starts_with("    0 s") && figures[3].starts_with("    0 s"), "{figures:?}");
    assert_eq!(ran.last(), "4 games: 1 passed, 1 failed, 2 errors; logs in build/net_compare");
    assert_eq!(ran.code, 1);
}

/// TOOL-39: 0 where both pass, 1 where one fails whatever the other, 2 where one was an error.
#[test]
fn the_exit_code_is_the_worst_finding() {
    let scene = Scene::new("codes");
    let fails = log(5, |second, line| line.players[0].record.score = if second > 2 { 7 } else { 0 });
    for (first, second, code) in [
        ("pass", "pass", 0),
        ("pass", "fail", 1),
        ("fail", "error", 1),
        ("error", "fail", 1),
        ("pass", "error", 2),
    ] {
        for (copy, what) in [("1-flat-ab client", first), ("2-rooms-ab client", second)] {
            let logged = [("pass", scene.good.as_str()), ("fail", &fails), ("error", "")];
            scene.log(copy, logged.iter().find(|(name, _)| *name == what).unwrap().1);
            scene.script(copy, if what == "error" { "kill -ABRT $$\n" } else { "" });
        }
        let ran = scene.run("--maps flat,rooms --jobs 2");
        assert_eq!(ran.code, code, "{first} {second}: {ran:?}");
    }
    for bad in ["--seconds 0", "--maps ,", "--no-such", "--data no/such"] {
        assert_eq!(scene.run_alone(bad).code, 2, "{bad}");
    }
}

/// TOOL-39: a game whose folder cannot be made is that game's error, and takes nothing from what another found.
#[test]
fn a_game_that_cannot_begin_is_its_own_error() {
    let scene = Scene::new("unbegun");
    scene.log(
        "1-flat-ab client",
        &log(5, |second, line| line.players[0].record.score = if second > 2 { 7 } else { 0 }),
    );
    scene.script("1-flat-ab client", ": > ../../2-rooms-ab\n");
    let ran = scene.run("--maps flat,rooms,hill --jobs 1");
    let blocks = ran.blocks();
    assert!(blocks[0].starts_with("FAIL flat ") && blocks[2] == "PASS hill (A hosts, B joins)", "{ran:?}");
    assert!(blocks[1].starts_with("ERROR rooms (A hosts, B joins): build/net_compare: "), "{ran:?}");
    assert_eq!(ran.last(), "3 games: 1 passed, 1 failed, 1 error; logs in build/net_compare");
    assert_eq!((ran.code, ran.errors.as_str()), (1, ""));
}

/// TOOL-39: the exit code does not depend on whether anybody hears why.
#[test]
fn nobody_has_to_listen() {
    let scene = Scene::new("unheard");
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut bad = scene.bare("--data no/such");
    assert_eq!(bad.stderr(full()).status().unwrap().code(), Some(2));
    assert_eq!(scene.command("--maps flat").stdout(full()).status().unwrap().code(), Some(0));
}

/// TOOL-68: a copy that crashes is an error that names it, though what it logged until then agrees; so is its host.
#[test]
fn a_crash_is_an_error() {
    let scene = Scene::new("crash");
    scene.log("1-flat-ab client", &log(3, |_, _| {}));
    let both = "until grep -qs 'tick 90 ' ../host/data/debug.txt; do sleep 0.02; done\n";
    scene.script("1-flat-ab client", &format!("{both}kill -ABRT $$\n"));
    scene.log("2-flat-ba host", &log(3, |_, _| {}));
    scene.script("2-flat-ba host", "echo 'thread main panicked'; exit 101\n");
    let ran = scene.run("--maps flat --swap");
    assert_eq!(
        ran.blocks(),
        [
            "ERROR flat (A hosts, B joins): B crashed (signal 6 ended it: listening)",
            "ERROR flat (B hosts, A joins): B crashed (it ended with code 101: thread main panicked)",
        ]
    );
    assert!(ran.figures()[0].starts_with("    3 s (host 30, client 3), "), "{ran:?}");
    assert_eq!(ran.code, 2);
}

/// TOOL-37: a copy that says nothing, and one whose log cannot be read, are named.
#[test]
fn who_does_not_start_or_log_is_named() {
    let scene = Scene::new("silent");
    scene.script("1-flat-ab early", "exec sleep 1000\n");
    let ran = scene.run("--maps flat --patience 1");
    assert_eq!(
        (ran.code, ran.blocks()),
        (2, vec!["ERROR flat (A hosts, B joins): A did not start (for 1 s)".into()])
    );
    scene.script("1-flat-ab early", "");
    scene.log("1-flat-ab host", &log(2, |_, _| {}));
    let ran = scene.run("--maps flat --patience 1");
    assert_eq!(ran.blocks(), ["ERROR flat (A hosts, B joins): A did not log (for 1 s)"]);
    scene.log("1-flat-ab host", &(scene.good.clone() + "network test: tick x\n"));
    let ran = scene.run("--maps flat");
    let block = &ran.blocks()[0];
    assert!(block.ends_with("host.log: line 6, byte 19: expected a number"), "{block}");
    assert_eq!(ran.code, 2);
    // What is no file is not waited for, nor what has no end.
    for log in ["mkdir data/debug.txt\n", "mkfifo data/debug.txt\n", "ln -s /dev/zero data/debug.txt\n"] {
        scene.script("1-flat-ab early", log);
        let ran = scene.run("--maps flat --patience 1");
        assert_eq!(ran.code, 2, "{log}: {ran:?}");
        assert_eq!(ran.blocks(), ["ERROR flat (A hosts, B joins): A did not log (for 1 s)"], "{log}");
    }
}

/// TOOL-42, TOOL-44: two logs are judged as in a game that wrote them, with the same code; logs without drift are an error.
#[test]
fn logs_are_judged_as_their_game_was() {
    let scene = Scene::new("compare");
    let fails = log(5, |_, line| line.players[0].record.kills = 9);
    let bare: String =
        scene.good.lines().map(|line| format!("{}\n", line.split(" | drift").next().unwrap())).collect();
    for (what, client, code) in [("PASS", &scene.good, 0), ("FAIL", &fails, 1), ("ERROR", &bare, 2)] {
        scene.log("1-flat-ab client", client);
        // A second game keeps the folders.
        scene.log("2-rooms-ab client", "");
        scene.script("2-rooms-ab client", "exit 1\n");
        let live = scene.run("--maps flat,rooms");
        let [host, client] = ["host", "client"].map(|role| format!("build/net_compare/1-flat-ab/{role}.log"));
        let judged = scene.run_alone(&format!("--compare {host} {client}"));
        let lines: Vec<_> = judged.out.lines().collect();
        assert_eq!((judged.code, lines.len()), (code, 2), "{judged:?}");
        assert_eq!(
            lines[0].replacen(what, &format!("{what} flat (A hosts, B joins):"), 1).trim_end_matches(':'),
            live.blocks()[0]
        );
        assert_eq!(lines[1], live.figures()[0]);
    }
    let unread = scene.run_alone("--compare no/such host.txt");
    assert!(unread.out.starts_with("ERROR no/such: ") && unread.code == 2, "{unread:?}");
}
