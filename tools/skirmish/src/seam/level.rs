//! Levels by their names: which map one is, and of which file a custom one. Knows no hash: the netcode says which file has it.

use mjolnir_engine_glue::engine::Role;
use mjolnir_mapshare::names;
use mjolnir_wire::packets::SettingsRecord;

use super::Game;
use crate::game::Map;

/// What the netcode found for a custom map.
#[derive(Debug)]
pub(super) struct Found {
    level: String,
    version: u32,
    /// The file's name; none where there is none.
    file: Option<String>,
}

/// The level name of a map that ships (a name without a backslash, TOOL-69).
pub fn level_of(map: &str) -> String {
    if map.contains('\\') { map.into() } else { format!("levels\\test\\{map}\\{map}") }
}

/// A map's name by its level's, as it is shown: the last part of one that ships, the whole of a custom one (MAP-02).
pub fn map_of(level: &str) -> &str {
    if names::of_level(level).is_some() { level } else { level.rsplit('\\').next().unwrap_or(level) }
}

impl Game {
    /// Which of the files of custom maps is the map of that level and version; none where it is not here. The netcode's word,
    /// before the level is loaded.
    pub fn set_map(&mut self, level: &str, version: u32, file: Option<&str>) {
        self.found = Some(Found { level: level.into(), version, file: file.map(Into::into) });
    }

    /// The map of a level, as it is to be loaded. A custom one is of the file that the netcode found for its version; where it
    /// looked for none the host's is the file of the map's name alone, and a client has none: two versions never meet (MAP-03).
    pub(super) fn map(&self, settings: &SettingsRecord, role: Role) -> Option<Map> {
        let level = settings.map.as_str().unwrap_or_default();
        let Some(name) = names::of_level(level) else { return Map::named(map_of(level)) };
        let version = settings.map_version.cast_unsigned();
        let is_it = |found: &&Found| found.level == level && found.version == version;
        let maps = &self.setup.maps;
        let read = match self.found.as_ref().filter(is_it) {
            Some(found) => maps.read(found.file.as_deref()?),
            None if role == Role::Host => maps.named(name),
            None => return None,
        };
        read.map_err(|why| tracing::warn!("{level} is not played: {why}")).ok()
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_engine_glue::Session as _;
    use mjolnir_wire::mapshare::{File, FileSet};
    use mjolnir_wire::packets::text::Chars;

    use super::*;
    use crate::custom::Maps;
    use crate::game::map_file::Making;
    use crate::seam::Setup;

    /// MAP-02, TOOL-69: a name without a backslash is a test level's, one with is the level itself; either is known by its map, a
    /// custom one by its whole level.
    #[test]
    fn a_name_is_a_level() {
        for (name, level, map) in [
            ("bloodgulch", "levels\\test\\bloodgulch\\bloodgulch", "bloodgulch"),
            ("custom_maps\\hugeass", "custom_maps\\hugeass", "custom_maps\\hugeass"),
            ("levels\\a10\\a10", "levels\\a10\\a10", "a10"),
        ] {
            assert_eq!((level_of(name).as_str(), map_of(level)), (level, map));
        }
    }

    /// MAP-03: a custom level is of the file that was found for its version; for another version there is none. Where none was
    /// looked for a host plays the file of the map's name alone, and a client none. What ships is played whatever was found.
    #[test]
    fn a_custom_level_is_of_the_file_that_was_found() {
        let folder = std::env::temp_dir().join(format!("mjolnir-seam-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("custom_maps")).unwrap();
        for (file, seed) in [("own.map", 1), ("own_0e2b3ee4.map", 2)] {
            let mut bytes = Vec::new();
            let making = Making::new(File::Map, 2000, seed, FileSet::NONE).unwrap();
            making.write(&mut bytes).unwrap();
            std::fs::write(folder.join("custom_maps").join(file), bytes).unwrap();
        }
        let mut game = Game::new(Setup { maps: Maps::at(&folder), ..Setup::default() });
        let mut load = |level: &str, version: i32, role, found: Option<(u32, Option<&str>)>| {
            if let Some((version, file)) = found {
                game.set_map(level, version, file);
            }
            let mut settings = SettingsRecord::empty();
            settings.map = Chars::new(level).unwrap();
            settings.map_version = version;
            game.load(&settings, role);
            assert_eq!(game.missing_map().is_some(), game.world().is_none());
            game.world().map(|world| world.map().about.clone())
        };
        let about = |seed: u64| Some(format!("A custom map, of seed {seed:016x}."));
        let own = "custom_maps\\own";
        assert_eq!(load(own, 0, Role::Client, None), None);
        assert_eq!(load(own, 0, Role::Host, None), about(1));
        assert_eq!(
            load(own, -7, Role::Client, Some((7_u32.wrapping_neg(), Some("own_0e2b3ee4.map")))),
            about(2)
        );
        assert_eq!(load(own, 9, Role::Client, None), None, "another version than was found");
        assert_eq!(load("custom_maps\\other", -7, Role::Client, None), None, "another level");
        assert_eq!(load(own, 7, Role::Client, Some((7, Some("gone.map")))), None);
        for role in [Role::Host, Role::Client] {
            assert_eq!(load(own, 7, role, Some((7, None))), None);
            assert!(load("levels\\test\\flat\\flat", 0, role, None).is_some());
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
