//! The games that are played, in their order: which map, who hosts, at which address, with which seeds. Knows no
//! process and no file.

use std::fmt;
use std::net::Ipv4Addr;

/// One of the two builds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Build {
    /// A.
    A,
    /// B.
    B,
}

/// One of a game's two copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The one that hosts.
    Host,
    /// The one that joins.
    Client,
}

impl Role {
    /// Both, in the order in which everything has them.
    pub(crate) const BOTH: [Self; 2] = [Self::Host, Self::Client];

    /// Its place in a list of both.
    pub(crate) const fn index(self) -> usize {
        match self {
            Self::Host => 0,
            Self::Client => 1,
        }
    }

    /// Its name in folders and files.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Client => "client",
        }
    }
}

impl Build {
    /// Its place in a list of both.
    pub(crate) const fn index(self) -> usize {
        match self {
            Self::A => 0,
            Self::B => 1,
        }
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::A => "A",
            Self::B => "B",
        })
    }
}

/// A game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Its place among all, from 0.
    pub(crate) index: usize,
    /// What it is played on: MAP or MAP:VARIANT.
    pub(crate) map: String,
    /// Who hosts it.
    pub(crate) host: Build,
}

/// Every game: each map, with `swap` both ways round (TOOL-30).
pub(crate) fn plans(maps: &[String], swap: bool) -> Vec<Plan> {
    let hosts: &[Build] = if swap { &[Build::A, Build::B] } else { &[Build::A] };
    let games = maps.iter().flat_map(|map| hosts.iter().map(move |host| (map, *host)));
    games.enumerate().map(|(index, (map, host))| Plan { index, map: map.clone(), host }).collect()
}

impl Plan {
    /// Who plays that part.
    pub(crate) const fn build(&self, role: Role) -> Build {
        match (role, self.host) {
            (Role::Host, host) => host,
            (Role::Client, Build::A) => Build::B,
            (Role::Client, Build::B) => Build::A,
        }
    }

    /// The name of its folder: its number from 1, its map, who hosts.
    pub(crate) fn folder(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
        let map: String = self.map.chars().map(plain).take(60).collect();
        let way = if self.host == Build::A { "ab" } else { "ba" };
        format!("{}-{map}-{way}", self.index + 1)
    }

    /// An address of the loopback of its own: no other game of this program has it, nor any of another that runs at
    /// the same time and whose process id is less than 65 024 from this one's. Never 127.0.0.1, where anybody is.
    pub(crate) fn address(&self, process: u32) -> Ipv4Addr {
        let process = process % (254 * 256);
        let part = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
        let [.., high, low] = process.to_be_bytes();
        Ipv4Addr::new(127, 1 + high, low, 1 + part(self.index % 254))
    }

    /// The seed of a copy's bot: each its own.
    pub(crate) const fn seed(&self, base: u64, role: Role) -> u64 {
        base.wrapping_add(2 * self.index as u64 + role.index() as u64)
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} hosts, {} joins)", self.map, self.host, self.build(Role::Client))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// TOOL-30: A hosts each map; with a swap B hosts it too, right after.
    #[test]
    fn each_map_one_way_or_both() {
        let shown = |swap| -> Vec<String> {
            let games = plans(&["flat".into(), "rooms:ctf".into()], swap);
            games.iter().map(|plan| format!("{} {plan}", plan.folder())).collect()
        };
        assert_eq!(
            shown(false),
            ["1-flat-ab flat (A hosts, B joins)", "2-rooms-ctf-ab rooms:ctf (A hosts, B joins)"]
        );
        assert_eq!(
            shown(true),
            [
                "1-flat-ab flat (A hosts, B joins)",
                "2-flat-ba flat (B hosts, A joins)",
                "3-rooms-ctf-ab rooms:ctf (A hosts, B joins)",
                "4-rooms-ctf-ba rooms:ctf (B hosts, A joins)",
            ]
        );
        let wild = Plan { index: 0, map: "../levels\\a10/é".into(), host: Build::A };
        assert_eq!(wild.folder(), "1----levels-a10---ab");
    }

    /// Games of programs that run at once have an address each, all of the loopback and none that anybody uses.
    #[test]
    fn addresses_do_not_meet() {
        let games = plans(&vec![String::from("flat"); 127], true);
        let processes = [0, 1, 255, 256, 65_023];
        let all: BTreeSet<Ipv4Addr> =
            processes.iter().flat_map(|process| games.iter().map(|plan| plan.address(*process))).collect();
        assert_eq!(all.len(), processes.len() * games.len());
        for address in all {
            let [first, second, _, last] = address.octets();
            assert_eq!(first, 127);
            assert!((1..=254).contains(&second) && (1..=254).contains(&last), "{address}");
        }
        assert_eq!(games[0].address(65_024), games[0].address(0));
    }

    /// TOOL-31: no two copies have one seed.
    #[test]
    fn seeds_are_each_copys_own() {
        let games = plans(&["flat".into(), "rooms".into()], true);
        let seeds: BTreeSet<u64> =
            games.iter().flat_map(|plan| Role::BOTH.map(|role| plan.seed(u64::MAX, role))).collect();
        assert_eq!(seeds.len(), 8);
    }
}
