//! Logs as they come: cut, empty, of unequal length, of an older format, of several games, very long.

use super::*;

/// A game's lines as a log.
fn log(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A client that has player 1 elsewhere in those seconds.
fn bad(seconds: u32, at: std::ops::RangeInclusive<usize>) -> Vec<Line> {
    Game::of(seconds).living(at, |body| body.position[0] += 5.0).client
}

/// TOOL-58: a log may be cut anywhere in its last line: what stands before it is judged, and never more.
#[test]
fn a_log_cut_in_its_last_line_is_judged_to_there() {
    let lines = Game::of(3).host;
    let whole = log(&lines);
    let (last, last_number) = (log(&lines[..2]).len(), whole.rfind(' ').unwrap() + 1);
    for cut in last..whole.len() {
        let read = read_log(&whole[..cut]).unwrap_or_else(|error| panic!("{cut}: {error}"));
        // The last number may have lost digits.
        let expected = if cut > last_number { 3 } else { 2 };
        assert_eq!(read.len(), expected, "{cut}: {:?}", &whole[last..cut]);
        let judgement = judge(&lines, &read);
        assert_eq!((judgement.verdict, judgement.figures.seconds), (Verdict::Pass, expected as u32), "{cut}");
    }
    // Cut before its drift it is no log from before there was any.
    let older = whole.rfind(" | drift").unwrap();
    assert_eq!(read_log(&whole[..older]).unwrap().len(), 2);
}

/// TOOL-58: cut in a line that others follow, with its end or without, is an error that names it; so is a cut before the drift
/// when judged.
#[test]
fn a_log_cut_in_its_middle_is_an_error() {
    let lines = Game::of(4).host;
    let [before, line, after] = [log(&lines[..2]), lines[2].to_string(), log(&lines[3..])];
    let bare = line.find(" | drift").unwrap();
    let last_number = line.rfind(' ').unwrap() + 1;
    for cut in "network test: tick ".len()..=last_number {
        let joined = read_log(&format!("{before}{}{after}", &line[..cut])).unwrap_err();
        assert_eq!(joined.line, 3, "{cut}");
        match read_log(&format!("{before}{}\n{after}", &line[..cut])) {
            Err(error) => assert_eq!(error.line, 3, "{cut}"),
            Ok(read) => {
                assert!((bare..=bare + 1).contains(&cut), "{cut}");
                assert_eq!(judge(&lines, &read).verdict, Verdict::Error(Unjudged::NoDrift(Side::Client)));
            }
        }
    }
    let error = read_log(&format!("{before}{}\n{after}", &line[..60])).unwrap_err();
    assert!(error.to_string().starts_with("line 3, byte "), "{error}");
}

/// TOOL-37, 58: an empty log, and one without a line of ours, is a machine that logged nothing.
#[test]
fn a_log_without_lines_is_an_error() {
    let lines = Game::of(3).host;
    for text in
        ["", "\n", "\n\n\n", "started\nchat notice: x\nnetwork test:\nnetwork test: heard 3\n", "\u{0}é"]
    {
        let none = read_log(text).unwrap();
        assert_eq!(none, [], "{text:?}");
        assert_eq!(judge(&none, &lines).verdict, Verdict::Error(Unjudged::Empty(Side::Host)));
        assert_eq!(judge(&lines, &none).verdict, Verdict::Error(Unjudged::Empty(Side::Client)));
        assert_eq!(judge(&none, &lines).figures.seconds, 0);
    }
}

/// TOOL-45: of logs of unequal length what both have is judged, and the figures say how much that is: a client that begins
/// later, that ends twenty seconds earlier, and one of which seconds are missing.
#[test]
fn what_both_logged_is_judged() {
    let host = Game::of(60).host;
    let said = |client: &[Line]| {
        let judgement = judge(&host, client);
        let figures = judgement.figures.to_string();
        let seconds = figures.split(',').take(2).collect::<Vec<_>>().join(",");
        (judgement.verdict, seconds.split(", pos").next().unwrap().to_owned())
    };
    assert_eq!(said(&host), (Verdict::Pass, String::from("60 s")));
    assert_eq!(said(&host[..40]), (Verdict::Pass, String::from("40 s (host 60, client 40)")));
    assert_eq!(said(&host[1..]), (Verdict::Pass, String::from("59 s (host 60, client 59)")));
    let holes: Vec<Line> = host.iter().step_by(3).cloned().collect();
    assert_eq!(said(&holes), (Verdict::Pass, String::from("20 s (host 60, client 20)")));
    // What is out after the one has ended is not compared; what is out before is, at the same seconds.
    assert_eq!(judge(&host[..40], &bad(60, 41..=60)).verdict, Verdict::Pass);
    assert_eq!(judge(&host[..40], &bad(60, 40..=60)).verdict, Verdict::Pass);
    for client in [&bad(60, 39..=60)[..], &bad(60, 39..=60)[1..], &bad(40, 39..=40)] {
        let Verdict::Fail(first) = judge(&host[..40], client).verdict else { panic!() };
        assert_eq!((first.tick, first.field), (1170, Field::Position));
    }
    // In a row is of the seconds that both have: those between are nobody's.
    let few: Vec<Line> = bad(60, 31..=34).into_iter().step_by(3).collect();
    let Verdict::Fail(first) = judge(&host, &few).verdict else { panic!() };
    assert_eq!(first.tick, 930);
}

/// TOOL-44: a log from before there was a drift is an error, one from before its other fields were there another, which names
/// the line; neither is a pass.
#[test]
fn older_formats_are_errors() {
    let lines = Game::of(3).host;
    let older = log(&lines).replace(" | drift 0 0 0.000000 0.000000", "");
    let read = read_log(&older).unwrap();
    assert_eq!(read.len(), 3);
    for (host, client, side) in
        [(&read, &lines, Side::Host), (&lines, &read, Side::Client), (&read, &read, Side::Host)]
    {
        let verdict = judge(host, client).verdict;
        assert_eq!(verdict, Verdict::Error(Unjudged::NoDrift(side)));
        assert_eq!(verdict.to_string(), format!("ERROR the {side} logged no drift"));
    }
    let fields = [
        " as0/0",
        " st3",
        " thr1.00",
        " f90.0",
        " f0 t0",
        " k0",
        " m0",
        "+600",
        " !0 x0",
        " corrected 0",
        " replayed 0",
        " | items 0 (+0 -0 !0 x0)",
        " to 25",
        " | hits 0 dealt 0 rejected 0 replayed 0",
        " respawn 0",
    ];
    for field in fields {
        let text = log(&lines);
        assert!(text.contains(field), "{field} in {text}");
        let error = read_log(&format!("started\n{}", text.replacen(field, "", 1))).unwrap_err();
        assert_eq!(error.line, 2, "{field}: {error}");
    }
}

/// TOOL-58: of several games the last is judged, each machine's own: whose ticks begin anew, that is played again after it
/// was over, that one machine alone was in.
#[test]
fn of_several_games_the_last_is_judged() {
    let [fine, other] = [Game::of(20).host, Game::of(7).host];
    let three = |last: &[Line]| [&bad(20, 1..=20), &other, last].concat();
    assert_eq!(judge(&three(&fine), &three(&fine)).verdict, Verdict::Pass);
    assert_eq!(judge(&three(&fine), &three(&fine)).figures.seconds, 20);
    // The client was in the second alone.
    let two = [fine.clone(), other.clone()].concat();
    assert_eq!(judge(&two, &other).verdict, Verdict::Pass);
    assert_eq!(judge(&two, &other).figures.logged, [7, 7]);
    // A difference of the last game is found, one of the first is not; the other way round too.
    for (last, fails) in [(bad(20, 5..=6), true), (fine.clone(), false)] {
        assert_eq!(matches!(judge(&three(&fine), &three(&last)).verdict, Verdict::Fail(_)), fails);
        assert_eq!(matches!(judge(&three(&last), &three(&fine)).verdict, Verdict::Fail(_)), fails);
    }
    // Ticks that go on after the game was over.
    let mut on = Game::of(20).living(3..=6, |body| body.position[0] += 5.0);
    for lines in [&mut on.host, &mut on.client] {
        lines[9].progress = Progress::GameOver;
    }
    on.passes();
    assert_eq!(judge(&on.host, &on.client).figures.seconds, 10);
    // A game whose drift is missing was another build's, and is not judged.
    let mut first = fine.clone();
    first[0].drift = None;
    assert_eq!(judge(&[first, fine.clone()].concat(), &fine).verdict, Verdict::Pass);
}

/// TOOL-58: a second that stands twice in a log begins no game, so that what stands before it is judged; of the two the last
/// counts, once.
#[test]
fn a_second_that_stands_twice_hides_nothing() {
    let host = Game::of(20).host;
    for at in 10..20 {
        let mut client = bad(20, 5..=6);
        client.insert(at, client[at].clone());
        let judgement = judge(&host, &client);
        let Verdict::Fail(first) = judgement.verdict else { panic!("{at}") };
        assert_eq!((first.tick, judgement.figures.seconds), (150, 20), "{at}");
    }
    let mut client = host.clone();
    client.insert(5, bad(20, 5..=6)[5].clone());
    assert_eq!(judge(&host, &client).verdict, Verdict::Pass);
    let mut apart = host.clone();
    apart[5].drift = Some(Drift { ticks: 10, apart: 10, ..Drift::default() });
    apart.insert(5, apart[5].clone());
    assert_eq!(judge(&apart, &host).figures.drift.ticks, 10);
}

/// TOOL-45: the highest ticks there are, and those past what a game has, are compared as others are.
#[test]
fn the_highest_ticks_are_compared() {
    for end in [i32::MAX as u32, i32::MAX as u32 + 90, u32::MAX] {
        let at_the_end = |lines: Vec<Line>| -> Vec<Line> {
            lines.into_iter().map(|line| Line { tick: end - 300 + line.tick, ..line }).collect()
        };
        let [host, client] = [at_the_end(Game::of(10).host), at_the_end(bad(10, 9..=10))];
        let [host, client] = [host, client].map(|lines| read_log(&log(&lines)).unwrap());
        assert_eq!(judge(&host, &host).figures.seconds, 10);
        let Verdict::Fail(first) = judge(&host, &client).verdict else { panic!("{end}") };
        assert_eq!(first.tick, end - 30);
    }
    let past = log(&Game::of(1).host).replace("tick 30", "tick 4294967296");
    assert_eq!(read_log(&past).unwrap_err().error.fault, Fault::Range);
}

/// TOOL-45: 128 players in a line, and any slot of 256, each of which can fail.
#[test]
fn every_player_is_compared() {
    let line = |tick| Line {
        tick,
        players: (0..128).map(|slot| player(2 * slot + 1)).collect(),
        drift: Some(Drift::default()),
        ..Line::default()
    };
    let host: Vec<Line> = (1..=4).map(line).collect();
    assert_eq!(read_log(&log(&host)).unwrap(), host);
    assert_eq!(judge(&host, &host).verdict, Verdict::Pass);
    assert_eq!(judge(&host, &host).figures.positions, 512);
    for at in [0, 1, 63, 127] {
        let mut client = host.clone();
        client[1..].iter_mut().for_each(|line| line.players[at].record.kills = 1);
        // In another order on the client they are the same.
        client.iter_mut().for_each(|line| line.players.reverse());
        let Verdict::Fail(first) = judge(&host, &client).verdict else { panic!("{at}") };
        assert_eq!((first.player, first.tick), (Some(2 * at as u8 + 1), 2));
    }
}

/// TOOL-58: a game of a hundred thousand seconds is judged to its last.
#[test]
fn a_very_long_log_is_judged() {
    let lines = Game::of(100_000).host;
    let host = read_log(&log(&lines)).unwrap();
    assert_eq!(host.len(), 100_000);
    let mut client = host.clone();
    client[99_998..].iter_mut().for_each(|line| line.players[1].alive.as_mut().unwrap().position[0] += 2.0);
    let judgement = judge(&host, &client);
    let Verdict::Fail(first) = judgement.verdict else { panic!() };
    assert_eq!((first.tick, judgement.figures.seconds), (2_999_970, 100_000));
}
