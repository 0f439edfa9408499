//! A host of both families of addresses.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use super::gathering::Crowd;
use super::run::{Bystander, Hosted, assert_agree};
use super::standin::{Stage, Standin};
use super::wire::{Wired, loopback};

/// NET-15, NET-50: a host bound to every address of IPv6 takes IPv4 machines alike: a client of each family and a
/// stand-in play, and each is known by its own address, none by a mapped one.
#[test]
fn a_host_takes_both_families() {
    let (host, address) = Hosted::open("flat", 0, Ipv6Addr::UNSPECIFIED.into(), |_| {});
    let four = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port());
    let six = SocketAddr::new(Ipv6Addr::LOCALHOST.into(), address.port());
    let clients =
        [four, six].map(|at| Bystander::join(if at.is_ipv4() { "Four" } else { "Six" }, at, Some(at.ip())));
    for client in &clients {
        client.until_joined();
    }
    let mut crowd = Crowd::new();
    crowd.all.push(Wired::connect(Standin::new("Stands"), loopback(5, 2), four));
    crowd.until("a player", |crowd| crowd.all[0].standin.is_listed());
    host.begin();
    crowd.until("the game", |crowd| crowd.all[0].standin.stage == Stage::Playing);
    crowd.until_tick(150);
    let addresses = host.ask(|_, host| {
        let transport = host.machine.host.transport();
        let mut all: Vec<_> = transport
            .machines()
            .iter()
            .map(|machine| transport.address(machine).unwrap().shown.ip())
            .collect();
        all.sort();
        all
    });
    assert_eq!(addresses, [Ipv4Addr::LOCALHOST.into(), loopback(5, 2), Ipv6Addr::LOCALHOST.into()]);
    assert!(crowd.all[0].standin.states.len() > 30);
    for client in &clients {
        client.until_tick(140);
    }
    let seats = clients.map(Bystander::end);
    let host = host.end();
    for seat in &seats {
        assert_agree(&host, seat);
    }
}
