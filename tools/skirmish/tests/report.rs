//! The demo's report: that its page holds what it is to hold, names no address, and works in a browser.
#![allow(clippy::unwrap_used, reason = "a test's helper fails its test")]

use std::fs;
use std::io::{Write as _, stderr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

/// The names that the browser goes by.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// What keeps a browser to the page alone.
const ALONE: [&str; 10] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--virtual-time-budget=60000",
];

/// What stands before the page's own scripts: it keeps their faults, and frames by the clock, since a browser without
/// a screen draws hardly any.
const BEFORE: &str = "<script>
const faults = [];
addEventListener('error', (event) => faults.push(event.message));
requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 16);
</script>";

/// The report of one demo that every test reads, and the folder that it stands in.
fn report() -> &'static (PathBuf, String) {
    static REPORT: OnceLock<(PathBuf, String)> = OnceLock::new();
    REPORT.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report");
        let _ = fs::remove_dir_all(&folder);
        let mut demo = Command::new(env!("CARGO_BIN_EXE_skirmish"));
        demo.args(["demo", "--clients", "2", "--seconds", "4", "--latency", "40", "--report"]).arg(&folder);
        let output = demo.stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{said}");
        let path = folder.join("report.html");
        assert_eq!(said.lines().last().unwrap(), format!("report: {}", path.display()));
        let page = fs::read_to_string(path).unwrap();
        (folder, page)
    })
}

fn data() -> Value {
    let (_, page) = report();
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// The page's data is the summary, every plot's lines and every machine's places.
#[test]
fn the_data_is_whole() {
    let (folder, page) = report();
    let data = data();
    let summary: Value =
        serde_json::from_str(&fs::read_to_string(folder.join("summary.json")).unwrap()).unwrap();
    assert_eq!(data["summary"], summary);
    assert_eq!(data["faults"], "40 ms latency each way");
    assert!(page.len() < 500_000, "{} bytes", page.len());

    let ticks = data["ticks"].as_u64().unwrap();
    assert_eq!(ticks, summary["host"]["ticks"].as_u64().unwrap());
    let series = |path: &str, lines: usize| {
        let series = data["plots"].pointer(path).unwrap();
        let bins = ticks.div_ceil(series["every"].as_u64().unwrap()) as usize;
        let all = series["lines"].as_array().unwrap();
        assert!(
            all.len() >= lines && all.iter().all(|line| line["values"].as_array().unwrap().len() == bins)
        );
        all.clone()
    };
    for (path, lines) in [
        ("/round_trip", 2),
        ("/corrections", 2),
        ("/distance/mean", 2),
        ("/distance/largest", 2),
        ("/host_tick/mean", 1),
        ("/down/datagrams", 3),
        ("/up/datagrams", 3),
    ] {
        series(path, lines);
    }
    let sum = |lines: &[Value]| -> f64 {
        let values = lines.iter().flat_map(|line| line["values"].as_array().unwrap());
        values.map(|value| value.as_f64().unwrap_or(0.0)).sum()
    };
    for (way, kind) in [("down", "unit_states"), ("up", "player_inputs")] {
        let lines = series(&format!("/{way}/bytes"), 4);
        assert!(lines.iter().any(|line| line["name"] == kind), "{lines:?}");
        // What was counted by kind is what the transport counted in all, but for what left after the last tick.
        let clients = summary["clients"].as_array().unwrap().iter();
        let counted: f64 = clients
            .map(|client| client[way]["bytes_per_tick"].as_f64().unwrap() * client["ticks"].as_f64().unwrap())
            .sum();
        let share = sum(&lines) / counted;
        assert!((0.8..1.25).contains(&share), "{way}: {} of {counted}", sum(&lines));
    }
}

/// Each machine's places stand in the replay, and unpacked a client's copies are near the host's.
#[test]
fn the_replay_has_every_machines_view() {
    let data = data();
    let machines = data["replay"]["machines"].as_array().unwrap();
    let indices: Vec<_> = machines.iter().map(|machine| machine["machine"].as_u64().unwrap()).collect();
    assert_eq!(indices, [0, 1, 2]);
    let frames = data["replay"]["frames"].as_u64().unwrap() as usize;
    let places = |machine: usize, slot: u64| -> Vec<Option<[f64; 2]>> {
        let mut places = vec![None; frames];
        let tracks = machines[machine]["tracks"].as_array().unwrap();
        let track = tracks.iter().find(|track| track["slot"] == slot).unwrap();
        for run in track["runs"].as_array().unwrap() {
            let mut sums = [0.0; 2];
            let steps: Vec<f64> =
                run["steps"].as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect();
            for (frame, step) in steps.chunks_exact(4).enumerate() {
                sums = [sums[0] + step[0] / 1000.0, sums[1] + step[1] / 1000.0];
                places[run["at"].as_u64().unwrap() as usize + frame] = Some(sums);
            }
        }
        places
    };
    for slot in data["players"].as_array().unwrap().iter().map(|player| player["slot"].as_u64().unwrap()) {
        let host = places(0, slot);
        for client in [1, 2] {
            let both =
                host.iter().zip(places(client, slot)).filter_map(|(host, copy)| Some(((*host)?, copy?)));
            let apart: Vec<_> = both.map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1])).collect();
            assert!(apart.len() > 60 && apart.iter().all(|apart| *apart < 2.0), "{slot}: {apart:?}");
        }
    }
}

/// The page opens without a network: nothing in it names an address.
#[test]
fn the_page_names_no_address() {
    let (_, page) = report();
    for address in ["http:", "https:", "//", "@import", "import("] {
        assert!(!page.contains(address), "{address}");
    }
    assert_eq!(page.matches("src=").count() + page.matches("url(").count(), 0);
    assert_eq!(page.matches("href=").count(), 2, "a mark in the page and an icon without bytes");
}

/// Play, pause, scrub, keys and choices do what they say, wide and narrow, in a browser.
#[test]
fn the_controls_work_in_a_browser() {
    let runs = |name: &&&str| {
        let mut command = Command::new(name);
        let status = command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    let Some(browser) = BROWSERS.iter().find(runs) else {
        // Past the harness, which shows nothing of a test that passes.
        let _ = writeln!(stderr(), "the_controls_work_in_a_browser: not run: no chromium here");
        return;
    };
    let (folder, page) = report();
    let (head, body) = page.split_once("<title>").unwrap();
    let body =
        body.replace("</body>", &format!("<script>{}</script></body>", include_str!("report/controls.js")));
    let path = folder.join("worked.html");
    fs::write(&path, format!("{head}{BEFORE}<title>{body}")).unwrap();
    for size in ["1400,1000", "500,900"] {
        let mut command = Command::new(browser);
        command.args(ALONE).args([&format!("--window-size={size}"), "--dump-dom"]);
        command.arg(format!("--user-data-dir={}", folder.join(format!("browser-{size}")).display()));
        let output = command.arg(format!("file://{}", path.display())).output().unwrap();
        let page = String::from_utf8_lossy(&output.stdout);
        let result = page.rsplit_once("<pre id=\"result\">").and_then(|(_, rest)| rest.split_once("</pre>"));
        let (result, _) = result
            .unwrap_or_else(|| panic!("{size}: no result: {}", String::from_utf8_lossy(&output.stderr)));
        assert_eq!(result, "{\"failed\":[]}", "{size}");
    }
}
