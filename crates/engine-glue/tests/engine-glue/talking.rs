//! What is said around a small game: whom the game is asked about and when, whose names are known, who can be muted. What is
//! heard by whom is shown by whole games.

use mjolnir_engine_glue::chat::{Channel, Settings};
use mjolnir_wire::packets::list::PlayerSettingsRequest;
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::packets::{NetworkPlayer, Packet};
use mjolnir_wire::voice::{self, VoiceSettings};

use super::table::{Table, player, slot};

/// A lobby of a host with a player and a client with another, in which everything may be said and both hear voices.
fn lobby() -> Table {
    let mut table = Table::new(1);
    table.host.set_text_chat(Settings::Links);
    table.host.set_voice(table.now, [1, 2], VoiceSettings::default());
    let seat = table.seat(1);
    table.quiet();
    table.game.hears = true;
    table.seats[seat].game.hears = true;
    table.run(3_000);
    table
}

/// Each says a line to its team and one to its vehicle, and 20 ms; 100 ms pass.
fn talk(table: &mut Table) {
    let (now, packet) = (table.now, voice::Packet::new(&[7; 20]).unwrap());
    for channel in [Channel::Team, Channel::Vehicle] {
        table.host.say(now, slot(0), channel, "go", &mut table.game).unwrap();
        let seat = &mut table.seats[0];
        seat.client.say(slot(1), channel, "go", &mut seat.game).unwrap();
    }
    table.host.speak(now, packet, &table.game).unwrap();
    table.seats[0].client.speak(now, packet).unwrap();
    table.run(100);
}

/// GLUE-16: outside a game nobody's game is asked who is where or in which team, whatever is said; in one it is.
#[test]
fn a_lobby_asks_no_game_who_is_where() {
    let mut table = lobby();
    let asked = |table: &Table| [&table.game, &table.seats[0].game].map(|game| game.asked_who.get());
    talk(&mut table);
    assert_eq!((table.game.heard, table.seats[0].game.heard), (1, 1));
    assert!(table.game.shown >= 3 && table.seats[0].game.shown >= 3);
    assert_eq!(asked(&table), [0, 0]);
    table.begin(1_000);
    table.run(1_000);
    talk(&mut table);
    assert!(asked(&table).iter().all(|asked| *asked > 0));
}

/// CHAT-47: who takes another name in the lobby is known to the host's commands by it at once.
#[test]
fn a_new_name_is_known_at_once() {
    let mut table = lobby();
    let renamed = NetworkPlayer { name: Name::cut("Eve"), ..player(0) };
    let now = table.now;
    table.seats[0]
        .network
        .slip(now, &Packet::PlayerSettingsRequest(PlayerSettingsRequest { player: renamed }));
    table.run(50);
    let names: Vec<_> = table.host.roster().map(|player| player.name.to_string()).collect();
    assert_eq!(names, ["Player", "Eve"]);
    assert_eq!(table.host.say(table.now, slot(0), Channel::All, "/mute eve", &mut table.game), Ok(()));
}

/// CHAT-21, 47: who loads has joined: it can say what it likes, and can be muted.
#[test]
fn who_loads_can_be_muted() {
    let mut table = lobby();
    table.begin(1_000);
    table.run(500);
    let late = table.seat(1);
    table.quiet();
    table.seats[late].game.loaded = false;
    table.run(1_000);
    let (now, game) = (table.now, &mut table.game);
    assert_eq!(table.host.say(now, slot(0), Channel::All, "/mute player 3", game), Ok(()));
    table.seats[late].game.loaded = true;
    table.run(1_000);
    let seat = &mut table.seats[late];
    seat.client.say(slot(2), Channel::All, "hey", &mut seat.game).unwrap();
    table.run(200);
    assert_eq!(table.host.counters().refused.get("chat_muted"), Some(&1));
}
