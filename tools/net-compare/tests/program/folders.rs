//! The folders of copies and games: what is in them, when they go, whose they are.

use std::fs;
use std::path::Path;

use crate::fakes::{self, Scene, is_alive, log};

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// TOOL-36, TOOL-38: where every game passes nothing is left; where one does not all stays: each copy's executable,
/// settings, data with the maps, saves, and each game's logs with the ends of what was noted beside them.
#[test]
fn folders_stay_where_a_game_does_not_pass() {
    let scene = Scene::new("folders");
    let maps = scene.path("retail/maps");
    fs::create_dir_all(&maps).unwrap();
    fs::write(maps.join("flat.map"), "x").unwrap();
    let work = scene.path("build/net_compare");
    assert_eq!(scene.run("--maps flat,rooms --data retail").code, 0);
    assert_eq!(names(&work), [""; 0]);
    assert!(maps.join("flat.map").exists());

    let fails = log(30, |second, line| line.players[0].record.score = if second > 2 { 7 } else { 0 });
    scene.log("2-rooms-ab client", &fails);
    let ran = scene.run("--maps flat,rooms --data retail");
    let last = "2 games: 1 passed, 1 failed, 0 errors; logs in build/net_compare";
    assert_eq!((ran.code, ran.last()), (1, last));
    let stays = |logged: usize| {
        assert_eq!(names(&work), ["1-flat-ab", "2-rooms-ab"]);
        for (game, logged) in [("1-flat-ab", 30), ("2-rooms-ab", logged)] {
            let folder = work.join(game);
            let kept = ["client", "client-debug.txt", "client.log", "host", "host-debug.txt", "host.log"];
            assert_eq!(names(&folder), kept);
            for (role, build) in [("host", "a"), ("client", "b")] {
                assert_eq!(names(&folder.join(role)), [build, "config.toml", "data", "output.txt", "saves"]);
                let data = folder.join(role).join("data");
                assert_eq!(names(&data), ["debug.txt", "maps"]);
                assert_eq!(fs::read_link(data.join("maps")).unwrap(), maps.canonicalize().unwrap());
                let end = fs::read_to_string(folder.join(format!("{role}-debug.txt"))).unwrap();
                assert!(end.starts_with("listening\n"), "{end}");
            }
            for (log, lines) in [("host.log", 30), ("client.log", logged)] {
                assert_eq!(fs::read_to_string(folder.join(log)).unwrap().lines().count(), lines);
            }
        }
    };
    stays(30);

    scene.script("2-rooms-ab client", "kill -ABRT $$\n");
    scene.log("2-rooms-ab client", "");
    let ran = scene.run("--maps flat,rooms --data retail");
    let last = "2 games: 1 passed, 0 failed, 1 error; logs in build/net_compare";
    assert_eq!((ran.code, ran.last()), (2, last));
    stays(0);

    // The next run begins with nothing of it.
    scene.script("2-rooms-ab client", "");
    scene.log("2-rooms-ab client", &scene.good);
    assert_eq!(scene.run("--maps flat").code, 0);
    assert_eq!(names(&work), [""; 0]);
}

/// TOOL-36: a run beside another in one place has a folder and an address of its own, and disturbs nothing of it.
#[test]
fn runs_beside_each_other_do_not_meet() {
    let scene = Scene::new("beside");
    // The host of the first run waits for a word before it logs.
    scene
        .script("1-flat-ab host", "until [ -e \"$OLDPWD/go\" ] || [ -n \"$SECOND\" ]; do sleep 0.02; done\n");
    let mut first = scene.command("--maps flat");
    let mut first = first.env("OLDPWD", &scene.folder).spawn().unwrap();
    fakes::until(fakes::PATIENT, "the first run's host", || scene.path("1-flat-ab host.env").exists());
    let address = |config: &str| config.lines().find(|line| line.starts_with("address")).unwrap().to_owned();
    fakes::until(fakes::PATIENT, "its client", || scene.path("1-flat-ab client.env").exists());
    let of_first = address(&scene.left("1-flat-ab host", "toml"));
    let ran = fakes::run(scene.command("--maps flat").env("SECOND", "1"));
    assert_eq!((ran.code, ran.last()), (0, "1 game: 1 passed, 0 failed, 0 errors"), "{ran:?}");
    assert_ne!(address(&scene.left("1-flat-ab host", "toml")), of_first);
    assert_eq!(names(&scene.path("build")), ["net_compare", "net_compare-2"]);
    assert_eq!(names(&scene.path("build/net_compare-2")), [""; 0]);
    assert_eq!(names(&scene.path("build/net_compare/1-flat-ab")), ["client", "host"]);
    assert!(scene.started()[..2].iter().all(|copy| is_alive(copy.process)));
    fs::write(scene.path("go"), "").unwrap();
    assert!(fakes::end(&mut first).success());
    assert_eq!(names(&scene.path("build/net_compare")), [""; 0]);
}
