//! Who downloads waits: when its players are listed, what it hears, what it may do meanwhile, and what the others do without it.

use super::*;
use mjolnir_engine_glue::anticheat::votes;
use mjolnir_engine_glue::chat::{Event, Settings};
use mjolnir_tests::packets;
use mjolnir_wire::chat::Channel;
use mjolnir_wire::packets::NetworkPlayer;
use mjolnir_wire::packets::text::Wide;
use mjolnir_wire::votekick::Votekick;

/// Whether the host lists players of that client's.
fn is_listed(lab: &Lab, place: usize) -> bool {
    let machine = lab.clients[place].net.transport().machine();
    lab.host.net.transport().players().any(|player| !player.left && Some(player.machine) == machine)
}

/// MAP-10: in the lobby who downloads has its players listed as soon as the settings have named the map; in a game in progress only
/// once the map is there.
#[test]
fn players_are_listed_in_the_lobby_at_once() {
    let mut lab = lobby(8301, with_map());
    let place = lab.join(seating(Files::default()));
    let took = seconds_until(&mut lab, "it is listed", 5, |lab| is_listed(lab, place));
    assert!(took < 1.2, "{took}");
    assert!(percent(&lab, place).is_none_or(|percent| percent < 50));

    let mut lab = game(8302, with_map());
    let place = lab.join(seating(Files::default()));
    run_to_percent(&mut lab, place, 90);
    assert!(!is_listed(&lab, place));
    lab.run_until("it is listed", 5, |lab| is_listed(lab, place));
    assert_eq!(percent(&lab, place), None);
    lab.run_until("it plays", 5, |lab| plays(lab, place));
}

/// MAP-11, 37: a host starts while one of two downloads: the other plays from the start; who downloads is in nobody's list or world,
/// nor is the player that it asks for meanwhile, and joins in progress with both once the map is there.
#[test]
fn a_host_starts_without_who_downloads() {
    let mut lab = lobby(8303, sending(with_map(), SIZE as u64 / 15));
    let having = lab.join(seating(mute(with_map())));
    let place = lab.join(Seating { hands: vec![still()], ..seating(Files::default()) });
    run_to_percent(&mut lab, place, 30);
    assert_eq!(listed(&lab), 3);
    begin(&mut lab);
    let took = seconds_until(&mut lab, "the other plays", 5, |lab| plays(lab, having));
    assert!(took < 1.0, "{took}");
    let extra = NetworkPlayer { name: Wide::cut("Second"), ..NetworkPlayer::NONE };
    assert!(lab.clients[place].net.ask_player(extra));
    lab.run_seconds(2.0);
    assert!(percent(&lab, place).is_some_and(|percent| percent < 90));
    let worlds = |lab: &Lab| {
        [lab.host.engine.world(), lab.clients[having].engine.world()]
            .map(|world| world.players().filter(|(_, player)| !player.left).count())
    };
    assert_eq!((listed(&lab), worlds(&lab)), (2, [2, 2]));
    assert_eq!(lab.clients[place].engine.notes.loads, []);
    lab.run_until("it plays", 30, |lab| plays(lab, place));
    lab.run_seconds(0.5);
    assert_eq!((listed(&lab), worlds(&lab)), (4, [4, 4]));
    assert_eq!(lab.clients[place].engine.notes.loads.len(), 1);
    all_agree(&mut lab);
}

/// NET-30, 31, MAP-10: who downloads in a game in progress hears nothing of the game but what is said of maps, and a keep-alive each
/// five seconds.
#[test]
fn who_downloads_hears_keep_alives_alone() {
    let mut lab = game(8304, sending(with_map(), SIZE as u64 / 30));
    let having = lab.join(seating(mute(with_map())));
    lab.run_until("it plays", 5, |lab| plays(lab, having));
    let place = lab.join(seating(Files::default()));
    run_to_percent(&mut lab, place, 5);
    lab.clients[place].network.listen();
    lab.run_seconds(20.0);
    assert!(percent(&lab, place).is_some());
    let passed = lab.clients[place].network.passed();
    let mut kinds = Vec::new();
    messages(passed, Way::In, |_, message| kinds.push(message.kind));
    assert!(kinds.iter().all(|kind| *kind == Kind::MapShareSources) && kinds.len() == 2, "{kinds:?}");
    let heard = packets(passed, Way::In);
    assert!((3..=4).contains(&heard.len()) && heard.iter().all(|number| *number == heard[0]), "{heard:?}");
    assert!(left(&lab).is_empty());
}

/// NET-29, MAP-55: who has got the map loads within two minutes of its start, or goes.
#[test]
fn who_has_got_the_map_loads_within_two_minutes() {
    for (seed, seconds, is_kept) in [(8305, 19, true), (8306, 118, true), (8307, 122, false)] {
        let mut lab = game(seed, with_map());
        let place = lab.join(Seating { load_micros: seconds * Moment::SECOND, ..seating(Files::default()) });
        lab.run_until("it loads", 20, |lab| !lab.clients[place].engine.notes.loads.is_empty());
        let began = lab.now();
        lab.run_until("it plays or goes", 130, |lab| plays(lab, place) || is_closed(lab, place));
        let took = (lab.now() - began) as f64 / 1e6;
        assert_eq!(plays(&lab, place), is_kept, "{seconds} {took} {:?}", left(&lab));
        let due = seconds.min(120) as f64 - 0.1;
        assert!((due..due + 1.0).contains(&took), "{seconds}: {took}");
        let whys: Vec<_> = left(&lab).iter().map(|(_, why)| *why).collect();
        assert_eq!(whys, if is_kept { vec![] } else { vec![Why::NotLoaded] });
    }
}

/// MAP-10: who downloads in the lobby talks and is heard there.
#[test]
fn who_downloads_in_the_lobby_talks() {
    let mut lab = lobby(8308, with_map());
    lab.host.net.set_text_chat(Settings::Links);
    let having = lab.join(seating(with_map()));
    let place = lab.join(seating(Files::default()));
    lab.run_until("it is listed", 5, |lab| is_listed(lab, place) && is_listed(lab, having));
    let machine = lab.clients[place].net.transport().machine().unwrap();
    let slot = lab.host.net.transport().players().find(|player| player.machine == machine).unwrap().slot;
    lab.run_seconds(0.3);
    let seat = &mut lab.clients[place];
    assert_eq!(seat.net.say(slot, Channel::All, "wait for me", &mut seat.engine), Ok(()));
    lab.run_seconds(0.3);
    assert!(percent(&lab, place).is_some());
    let shown = |events: &[Event]| {
        events
            .iter()
            .any(|event| matches!(event, Event::Line { line, .. } if line.text.to_string() == "wait for me"))
    };
    assert!(shown(&lab.host.engine.ears.chat));
    assert!(lab.clients.iter().all(|seat| shown(&seat.engine.ears.chat)));
}

/// MAP-11, CHEAT-30: who downloads while a game is played has no vote and nobody can vote on it: its vote begins none and counts in
/// none, and as many votes are needed as without it.
#[test]
fn who_downloads_has_no_vote() {
    let needed = [true, false].map(votes_beside);
    assert_eq!(needed[0], needed[1]);
}

/// A vote of three that play, beside one that downloads or nobody: how many are needed.
fn votes_beside(downloads: bool) -> u8 {
    let mut lab = lobby(8309, sending(with_map(), SIZE as u64 / 30));
    let now = lab.host.now(lab.now());
    lab.host.net.set_votes(now, votes::Settings { allowed: true, minutes: 0, ban_minutes: 1 });
    for _ in 0..3 {
        lab.join(seating(mute(with_map())));
    }
    let place = lab.clients.len();
    if downloads {
        lab.join(seating(Files::default()));
        run_to_percent(&mut lab, place, 10);
    } else {
        lab.run_until("all are listed", 5, |lab| listed(lab) == 4);
    }
    begin(&mut lab);
    lab.run_until("the others play", 5, |lab| (0..3).all(|other| plays(lab, other)));
    let slots: Vec<_> = (0..3).map(|other| lab.clients[other].slot()).collect();
    let vote = |lab: &Lab| {
        let status = lab.host.net.vote(lab.host.now(lab.now()));
        status.slot.map(|slot| (slot, status.votes, status.needed))
    };
    let ballot = |slot| {
        let mut body = Vec::new();
        Votekick { slot }.write(&mut body);
        message(Kind::Votekick, &body)
    };
    if downloads {
        let now = lab.clients[place].now(lab.now());
        assert!(!lab.clients[place].net.ask_vote(now, slots[0]));
        lab.clients[place].network.write_besides(&ballot(slots[0]));
        lab.run_seconds(1.5);
        assert_eq!(vote(&lab), None);
    }
    let now = lab.clients[1].now(lab.now());
    assert!(lab.clients[1].net.ask_vote(now, slots[0]));
    lab.run_seconds(0.3);
    let begun = vote(&lab).unwrap();
    if downloads {
        lab.clients[place].network.write_besides(&ballot(slots[0]));
        lab.run_seconds(0.3);
        assert_eq!(vote(&lab), Some(begun));
        // Its own player's slot is nobody's to vote on.
        let own = lab.clients[place].net.transport().machine();
        assert!(lab.host.net.transport().players().all(|player| Some(player.machine) != own));
        assert!(percent(&lab, place).is_some());
    }
    assert_eq!((begun.0, begun.1), (slots[0], 1));
    begun.2
}
