//! What a player is shown of what it picked up: at its own machine alone, once.

use mjolnir_skirmish::game::kinds::Kind;
use mjolnir_skirmish::happenings::{self, Sense};
use mjolnir_tests::{Lab, Plan, Seating, Way, messages, still};
use mjolnir_wire::Kind as Message;
use mjolnir_wire::pickups::{Pickup, PickupKind};

/// AUTH-43: a client's player takes a powerup: its machine alone is told, once, and shows the message, the sound and the
/// flash once; no other machine shows anything, and the host's own player's pickup is told nobody.
#[test]
fn a_pickup_is_shown_once_at_its_machine_alone() {
    let plan = Plan::new("flat", 211, 3).network(50, 5.0);
    let mut lab = Lab::play_as(plan, Seating::of(vec![still()]), |_| Seating::of(vec![still()]));
    for seat in &mut lab.clients {
        seat.network.listen();
        seat.engine.game.happenings().take();
    }
    lab.host.engine.game.happenings().take();
    let (host, slot) = (lab.host.slot(), lab.clients[1].slot());
    for slot in [slot, host] {
        let place = lab.host.place(slot);
        lab.host.engine.world_mut().spawn(Kind::Overshield, place).unwrap();
    }
    lab.run_seconds(2.0);
    let pickup = Pickup { slot, kind: PickupKind::Powerup, count: 1, tag: Kind::Overshield.tag() };
    let shown =
        |game: &mut mjolnir_skirmish::seam::Game| -> Vec<(Option<u8>, Option<String>, Option<Sense>)> {
            let all = game.happenings().take();
            let all = all.into_iter().filter(|happening| happening.kind == happenings::Kind::Pickup);
            all.map(|happening| (happening.slot, happening.text, happening.sense)).collect()
        };
    let of = |slot: mjolnir_wire::Slot| {
        let sense = Some(Sense { sound: "powerup", flash: true });
        vec![(Some(slot.get()), Some("picked up overshield".to_owned()), sense)]
    };
    assert_eq!(shown(&mut lab.host.engine.game), of(host));
    for (place, seat) in lab.clients.iter_mut().enumerate() {
        let is_his = place == 1;
        let asked: Vec<_> = seat.engine.notes.picked_up.iter().map(|(_, pickup)| *pickup).collect();
        assert_eq!(asked, if is_his { vec![pickup] } else { vec![] }, "client {place}");
        assert_eq!(shown(&mut seat.engine.game), if is_his { of(slot) } else { vec![] }, "client {place}");
        let mut told = 0;
        messages(seat.network.passed(), Way::In, |_, message| {
            told += i32::from(message.kind == Message::Pickups);
        });
        assert_eq!(told, i32::from(is_his), "client {place}");
    }
}
