//! Voice over real sockets: what one machine says another writes down as heard. Without the codec, what the program says of
//! it.

use std::fs;

#[cfg(feature = "opus")]
use crate::Program;
use crate::{code, folder, run, text};

/// Bad voices end with two, and are named: a file that is none, `demo`'s many machines, and a build without the codec.
#[test]
fn a_voice_that_cannot_be_is_named() {
    let folder = folder("no_voice");
    fs::write(folder.join("none.wav"), "RIFF").unwrap();
    let output = run(&folder, "demo --voice tone");
    assert_eq!((code(&output), text(&output.stdout)), (2, String::new()));
    assert!(text(&output.stderr).starts_with("demo takes no --voice"), "{}", text(&output.stderr));
    for line in ["host --port 0 --voice none.wav", "join 127.0.0.1:9 --voice nowhere.wav", "--voice tone"] {
        let output = run(&folder, line);
        let errors = text(&output.stderr);
        assert_eq!(code(&output), 2, "{line}: {errors}");
        let named = match line {
            _ if !cfg!(feature = "opus") => "--voice: this build has no codec for voice",
            "--voice tone" => "give a command",
            "host --port 0 --voice none.wav" => "none.wav: ",
            _ => "nowhere.wav: ",
        };
        assert!(errors.starts_with(named), "{line}: {errors}");
    }
}

/// How much of those samples is a wave of so many cycles a second: 1 if they are nothing else.
#[cfg(feature = "opus")]
fn share_of(hertz: f64, samples: &[f64]) -> f64 {
    let turn = std::f64::consts::TAU * hertz / 48_000.0;
    let (mut along, mut across, mut power) = (0.0, 0.0, 0.0);
    for (at, sample) in samples.iter().enumerate() {
        let (sin, cos) = (turn * at as f64).sin_cos();
        (along, across) = (along + sample * cos, across + sample * sin);
        power += sample * sample;
    }
    if power == 0.0 { 0.0 } else { 2.0 * (along * along + across * across) / (power * samples.len() as f64) }
}

/// A wav file of a second of 600 Hz, of two channels and 44 100 samples a second.
#[cfg(feature = "opus")]
fn write_600_hertz(path: &std::path::Path) {
    let spec = hound::WavSpec {
        channels: 2,
        sample_rate: 44_100,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut file = hound::WavWriter::create(path, spec).unwrap();
    for at in 0..44_100 {
        let sample = 8_192.0 * (std::f64::consts::TAU * 600.0 * f64::from(at) / 44_100.0).sin();
        file.write_sample(sample as i16).unwrap();
        file.write_sample(sample as i16).unwrap();
    }
    file.finalize().unwrap();
}

/// The number after that word.
#[cfg(feature = "opus")]
fn number(line: &str, word: &str) -> f64 {
    let (_, rest) = line.split_once(word).unwrap();
    rest[..rest.find([',', ' ']).unwrap_or(rest.len())].parse().unwrap()
}

/// VOICE-01, 18, 33: a tone that one client says others write down as it was said, by way of the host, in the lobby and in the
/// game, and what another says of a file beside it; a log says each second how loud and from where; and a file is whole
/// though its program was killed.
#[cfg(feature = "opus")]
#[test]
fn what_is_said_is_heard_over_real_sockets() {
    let folder = folder("spoken");
    let near = "[network]\nvoice_mode = \"team_enemy_proximity\"\nvoice_proximity = 100.0\n";
    fs::write(folder.join("near.toml"), format!("{near}[debug]\nexit_after = 60.0\n")).unwrap();
    fs::write(folder.join("test.toml"), "debug.voice_test = true\ndebug.exit_after = 60.0\n").unwrap();
    write_600_hertz(&folder.join("high.wav"));
    let (mut host, address) =
        Program::host(&folder, "--lobby 60 --config near.toml --input look:1 --map arena");
    let join = |name: &str, options: &str| {
        let mut client = Program::start(&folder, &format!("join {address} --name {name} {options}"));
        client.hear_of("joined as machine ");
        client
    };
    let mut bob = join("Bob", "--input look:2 --hear bob.wav");
    let mut ann = join("Ann", "--input look:3 --voice tone");
    let mut cid = join("Cid", "--input look:4 --voice high.wav --hear cid.wav --data cid --config test.toml");

    // How Ann was heard, each second of Cid's log.
    let levels = || -> Vec<String> {
        let text = fs::read_to_string(folder.join("cid/debug.txt")).unwrap_or_default();
        let of_ann = text.lines().filter(|line| line.starts_with("voice: machine 2: level "));
        of_ann.map(str::to_owned).collect()
    };
    // The host answers once a frame: nobody waits any closer.
    let wait_for = |lines: usize, host: &mut Program| {
        while levels().len() < lines {
            host.order("players");
            host.hear_of("slot 3: ");
            host.said.clear();
        }
    };
    wait_for(4, &mut host);
    let lobby = levels();
    host.order("start");
    for program in [&mut ann, &mut bob, &mut cid] {
        program.hear("playing");
    }
    let begun = levels().len();
    wait_for(begun + 5, &mut host);
    let game = levels().split_off(begun + 2);
    // The first second in the lobby is a part of one.
    for line in lobby[1..].iter().chain(&game) {
        // The tone is a quarter of full height: its root mean square is 0.177.
        assert!((number(line, "level ") - 0.177).abs() < 0.03 && number(line, "pan ").abs() <= 0.8, "{line}");
    }
    for line in &lobby[1..] {
        assert!(line.contains("gain 1.00, pan 0.00"), "everybody is everywhere in a lobby: {line}");
    }
    for line in &game {
        assert!((0.2..1.0).contains(&number(line, "gain ")), "near, by its own view: {line}");
    }

    // The one is killed, the other ends as it should: both files are whole.
    bob.kill();
    cid.order("quit");
    assert_eq!(cid.end().0, 0);
    for (name, shares) in [("bob.wav", [0.4, 0.4]), ("cid.wav", [0.9, 0.0])] {
        let mut heard = hound::WavReader::open(folder.join(name)).unwrap();
        let spec = heard.spec();
        assert_eq!((spec.channels, spec.sample_rate, spec.bits_per_sample), (2, 48_000, 16));
        let samples: Vec<f64> = heard.samples::<i16>().map(|sample| f64::from(sample.unwrap())).collect();
        for ear in 0..2 {
            let of: Vec<f64> = samples.iter().skip(ear).step_by(2).copied().collect();
            let halves: Vec<_> =
                of.chunks_exact(24_000).map(|half| [440.0, 600.0].map(|at| share_of(at, half))).collect();
            let is_as_said = |half: &&[f64; 2]| {
                half[0] + half[1] > 0.9 && half.iter().zip(&shares).all(|(share, least)| share >= least)
            };
            let said = halves.iter().filter(is_as_said).count();
            assert!(said >= 4, "{name}, ear {ear}: {said} half seconds as they were said of {halves:?}");
        }
    }
    host.order("quit");
    assert_eq!(host.end().0, 0);
}
