//! Flinches and deaths as the host picked them, over a network that loses datagrams.

use mjolnir_skirmish::game::effects::ROUND;
use mjolnir_skirmish::game::random::Random;
use mjolnir_tests::Fate;
use mjolnir_wire::ObjectId;
use mjolnir_wire::damage::AnimationKind;

use crate::blows::{plain, strike};

/// A pick: which animation of which unit, for what.
type Pick = (ObjectId, u16, AnimationKind);

/// OBJ-38: of 100 hits, with 20 % of datagrams lost but no two of a machine one after another, every client's unit shows each
/// animation that the host picked, once and in the host's order; where any may be lost, none twice, and all but what was lost
/// three times over.
#[test]
fn each_pick_is_shown_once() {
    for loses_runs in [false, true] {
        let mut lab = plain(440, 3, 40);
        let slot = lab.clients[0].slot();
        for (seed, seat) in (441..).zip(&mut lab.clients) {
            let (mut random, mut was_lost) = (Random::new(seed), false);
            seat.network.meddle(move |_, _| {
                was_lost = (loses_runs || !was_lost) && random.part() < 0.2;
                if was_lost { Fate::Lost } else { Fate::Heard }
            });
        }
        lab.host.engine.harms.keeps = true;
        for _ in 0..100 {
            strike(&mut lab, &ROUND, 0.01, slot);
            lab.run_ticks(3);
        }
        lab.run_ticks(20);
        let picked: Vec<Pick> =
            lab.host.engine.notes.picked.iter().map(|(_, row)| (row.unit, row.animation, row.kind)).collect();
        assert_eq!(picked.len(), 100);
        for (place, seat) in lab.clients.iter().enumerate() {
            let shown: Vec<Pick> =
                seat.engine.notes.animations.iter().map(|(_, it)| (it.unit, it.animation, it.kind)).collect();
            let what = format!("client {place}, seed {}", 441 + place);
            if loses_runs {
                assert!((95..=100).contains(&shown.len()), "{what}: {}", shown.len());
                let mut rest = picked.iter();
                assert!(
                    shown.iter().all(|one| rest.any(|other| other == one)),
                    "{what}: in the host's order"
                );
            } else {
                assert_eq!(shown, picked, "{what}");
            }
        }
    }
}
