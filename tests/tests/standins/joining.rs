//! Joining a game whose objects change, on real sockets.

use std::net::Ipv4Addr;

use mjolnir_skirmish::game::World;
use mjolnir_tests::{Stir, unlike};

use super::run::{Bystander, GIVES_UP, Hosted};

/// What goes on in the host's game, as it stands.
fn world_of(host: &Hosted) -> World {
    host.ask(|_, host| host.machine.game.world().unwrap().clone())
}

/// Waits until a client's game is its host's, whose bots play on.
fn until_alike(host: &Hosted, client: &Bystander) {
    let began = client.ask(|now, _| now);
    loop {
        let there = world_of(host);
        let (now, unlike) = client.ask(move |now, seat| {
            assert!(!seat.machine.is_closed(), "its session ended: {:?}", seat.said);
            (
                now,
                seat.machine.game.world().map_or(Some(String::from("has none")), |here| unlike(&there, here)),
            )
        });
        let Some(what) = unlike else { return };
        assert!(now.since(began) < GIVES_UP, "a client {what}");
    }
}

/// NET-22 to 25, 60, OBJ-01, 04, 14: on real sockets clients join a game of more than three hundred things at four
/// moments of a while in which things are made, moved, given and deleted and a client leaves: each ends with the
/// host's objects, what its units carry, its players and teams.
#[test]
fn a_join_in_progress_ends_with_everything() {
    let (host, address) = Hosted::open("yard", 1, Ipv4Addr::LOCALHOST.into(), |_| {});
    host.begin();
    host.until("the game", |_, host| host.machine.is_playing());
    let mut stir = Stir::new(91);
    let mut clients: Vec<Bystander> = Vec::new();
    for round in 0..4 {
        clients.push(Bystander::join(&format!("C{round}"), address, None));
        let mut last = host.tick();
        let end = last + 60;
        while last < end {
            stir = host.ask(move |_, host| {
                if let Some(world) = host.machine.game.world_mut() {
                    stir.once(world);
                }
                stir
            });
            last = host.tick();
        }
        if round == 2 {
            clients.remove(0).end();
        }
    }
    for client in &clients {
        until_alike(&host, client);
    }
    let world = world_of(&host);
    assert!(world.object_count() > 300 && clients.len() == 3);
    assert_eq!(world.players().filter(|(_, player)| player.left).count(), 1);
    drop(clients.into_iter().map(Bystander::end).collect::<Vec<_>>());
    host.end();
}
