//! How long a download is waited for: by the host, of one that gets on and of one that does not, and by the client.

use super::*;

/// MAP-55, 56: who gets no whole piece in 80 s is dropped then, whatever it asks for meanwhile; who gets one in 79 s stays.
#[test]
fn who_does_not_get_on_is_dropped_after_eighty_seconds() {
    // 262 144 bytes in 77 s, and in 82 s.
    for (seed, upload, is_kept, asks) in
        [(8601, 3_400, true, false), (8602, 3_200, false, false), (8603, 3_200, false, true)]
    {
        let mut lab = game(seed, sending(with_map(), upload));
        let place = lab.join(seating(Files::default()));
        lab.run_until("it downloads", 5, |lab| percent(lab, place).is_some());
        let began = lab.now();
        for second in 0..90 {
            lab.run_seconds(1.0);
            if asks && second % 10 == 0 && !is_closed(&lab, place) {
                let level = if second % 20 == 0 { LEVEL } else { "custom_maps\\other" };
                lab.clients[place].network.write_besides(&request(level, FileSet::MAP));
            }
        }
        let left = left(&lab);
        if is_kept {
            assert_eq!(left, []);
            assert!(percent(&lab, place).is_some());
            continue;
        }
        let [(at, why)] = left[..] else { panic!("{left:?}") };
        let after = (at - began) as f64 / 1e6;
        assert_eq!(why, Why::NoPlayer);
        assert!((79.9..81.0).contains(&after), "{upload}, asks {asks}: {after} s");
        assert!(is_closed(&lab, place));
    }
}

/// MAP-60: who is sent nothing for a minute leaves, and not at 59 s, saying so; its host hears that it left.
#[test]
fn who_gets_nothing_for_a_minute_leaves() {
    let mut lab = game(8604, with_map());
    let place = lab.join(seating(Files::default()));
    run_to_percent(&mut lab, place, 30);
    lab.maps_mut().cut(Who::Host, true);
    lab.run_seconds(59.0);
    assert!(!is_closed(&lab, place));
    lab.run_seconds(2.0);
    assert!(is_closed(&lab, place));
    assert_eq!(no_map(&lab, place).as_deref(), Some("Nothing of custom_maps\\hugeass came for a minute."));
    assert_eq!(left(&lab).iter().map(|(_, why)| *why).collect::<Vec<_>>(), [Why::Left]);
}

/// MAP-55: a download of two minutes and a half, which is longer than all limits of joining and of loading, is waited for to its end.
#[test]
fn who_gets_on_is_waited_for() {
    let mut lab = game(8605, sending(with_map(), SIZE as u64 / 150));
    let place = lab.join(Seating { load_micros: 19_000_000, ..seating(Files::default()) });
    let took = seconds_until(&mut lab, "it plays", 200, |lab| plays(lab, place));
    assert!((160.0..180.0).contains(&took), "{took}");
    assert_eq!(left(&lab), []);
}
