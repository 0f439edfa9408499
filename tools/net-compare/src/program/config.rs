//! The settings file of a copy, which tells it all that it is to do. Knows no folder.

use std::net::Ipv4Addr;

use toml_edit::{DocumentMut, Item, Table, Value, value};

use crate::plan::{Plan, Role};

/// The variant where a map names none.
const VARIANT: &str = "slayer";
/// Seconds for which a host waits, from when it has its player: one that joins has added its own by then.
const START_SECONDS: f64 = 3.0;
/// Seconds from one scripted hit to the next, and from one scripted kill to the next: seldom together. Players are brought near a
/// second before a hit, and seldom at a tick that is logged: there a client has them where they were.
const SHOOT_SECONDS: f64 = 7.3;
const KILL_SECONDS: f64 = 13.1;

/// What copies of all games have alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alike {
    /// What the bots' seeds are made of.
    pub(crate) seed: u64,
    /// Whether hits and kills are scripted.
    pub(crate) events: bool,
    /// Whether there is a hidden window, or none.
    pub(crate) window: bool,
    /// Seconds after which a copy quits by itself: by then this program has stopped it, or is gone.
    pub(crate) exit_after: f64,
}

/// The settings of one copy of a game that is played at that address.
pub(crate) fn text(plan: &Plan, role: Role, address: Ipv4Addr, alike: &Alike) -> String {
    let own = address.to_string();
    // Its address is bound, and is where a search asks: so a game's two copies find each other and nobody else.
    let network = [("address", Value::from(own.as_str())), ("broadcast", Value::from(own.as_str()))];
    let errand = match role {
        Role::Client => String::from("join"),
        Role::Host if plan.map.contains(':') => format!("host:{}", plan.map),
        Role::Host => format!("host:{}:{VARIANT}", plan.map),
    };
    let renderer = if alike.window { "hidden_window" } else { "null_renderer" };
    let mut debug = vec![
        ("network_test", Value::from(errand)),
        ("network_test_start", Value::from(START_SECONDS)),
        ("test_input", Value::from(format!("bot:{}", plan.seed(alike.seed, role)))),
        (renderer, Value::from(true)),
        ("exit_after", Value::from(alike.exit_after)),
    ];
    if alike.events {
        debug.push(("network_test_shoot", Value::from(SHOOT_SECONDS)));
        debug.push(("network_test_kill", Value::from(KILL_SECONDS)));
    }
    let mut document = DocumentMut::new();
    document.insert("network", table(network));
    document.insert("debug", table(debug));
    format!("# net-compare: {plan}, copy {}.\n{document}", plan.build(role))
}

fn table(entries: impl IntoIterator<Item = (&'static str, Value)>) -> Item {
    let mut table = Table::new();
    for (name, entry) in entries {
        table.insert(name, value(entry));
    }
    Item::Table(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Build;

    const ADDRESS: Ipv4Addr = Ipv4Addr::new(127, 3, 4, 5);

    fn read(plan: &Plan, role: Role, alike: &Alike) -> DocumentMut {
        text(plan, role, ADDRESS, alike).parse().unwrap()
    }

    /// TOOL-31: each copy has a seeded bot; hits and kills are scripted where that is asked for and nowhere else.
    #[test]
    fn bots_always_and_scripts_where_asked_for() {
        let plan = Plan { index: 1, map: "flat".into(), host: Build::B };
        let plain = Alike { seed: 7, events: false, window: false, exit_after: 100.0 };
        for (role, seed, errand) in
            [(Role::Host, "bot:9", "host:flat:slayer"), (Role::Client, "bot:10", "join")]
        {
            for events in [false, true] {
                let settings = read(&plan, role, &Alike { events, ..plain });
                let debug = &settings["debug"];
                assert_eq!(debug["test_input"].as_str(), Some(seed));
                assert_eq!(debug["network_test"].as_str(), Some(errand));
                let scripted =
                    |name: &str| debug.get(name).and_then(Item::as_float).is_some_and(|each| each > 0.0);
                assert_eq!([scripted("network_test_shoot"), scripted("network_test_kill")], [events; 2]);
                assert_eq!(debug["exit_after"].as_float(), Some(100.0));
                for name in ["address", "broadcast"] {
                    assert_eq!(settings["network"][name].as_str(), Some("127.3.4.5"));
                }
            }
        }
    }

    /// TOOL-32: nothing is drawn, or a window is hidden.
    #[test]
    fn headless_or_hidden() {
        let plan = Plan { index: 0, map: "flat".into(), host: Build::A };
        for window in [false, true] {
            let alike = Alike { seed: 1, events: false, window, exit_after: 1.0 };
            let settings = read(&plan, Role::Host, &alike);
            let is_set = |name: &str| settings["debug"].get(name).and_then(Item::as_bool).unwrap_or_default();
            assert_eq!([is_set("null_renderer"), is_set("hidden_window")], [!window, window]);
        }
    }

    /// A map with a variant, and one whose name has to be quoted, come out as they went in.
    #[test]
    fn maps_come_out_as_they_went_in() {
        let alike = Alike { seed: 1, events: false, window: false, exit_after: 1.0 };
        for (map, errand) in [("two_bases:ctf", "host:two_bases:ctf"), ("a\\b\"'c", "host:a\\b\"'c:slayer")] {
            let settings = read(&Plan { index: 0, map: map.into(), host: Build::A }, Role::Host, &alike);
            assert_eq!(settings["debug"]["network_test"].as_str(), Some(errand));
        }
    }
}
