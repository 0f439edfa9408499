//! Map sharing at this program's machines: what their settings bring to a host and to a client, and its threads. Knows no rule.

use std::net::IpAddr;
use std::path::PathBuf;

use mjolnir_engine_glue::maps::{Options, Service, Traffic};
use mjolnir_engine_glue::settings::{Name, Settings};
use mjolnir_mapshare::{ClientSettings, HostSettings, News, Order};

use crate::custom::{self, Loader, MOST};
use crate::options::Common;
use crate::seam::MapShare;

/// Bytes of the KB that the settings count in.
const KB: u64 = 1024;

/// A host's: `network.map_share`, `network.map_share_upload`.
pub fn host(settings: &Settings) -> HostSettings {
    HostSettings {
        shares: settings.flag(Name::NetworkMapShare),
        upload: upload(settings, Name::NetworkMapShareUpload),
    }
}

/// A client's: `network.map_download`, `network.map_seed`, `network.map_seed_upload`, and what this game's loader takes.
pub fn client(settings: &Settings) -> ClientSettings {
    ClientSettings {
        downloads: settings.flag(Name::NetworkMapDownload),
        seeds: settings.flag(Name::NetworkMapSeed),
        upload: upload(settings, Name::NetworkMapSeedUpload),
        most: MOST,
    }
}

/// Bytes a second; a setting of 0 is no limit.
fn upload(settings: &Settings, name: Name) -> u64 {
    match u64::from(settings.whole(name).unsigned_abs()) {
        0 => u64::MAX,
        kilobytes => kilobytes * KB,
    }
}

/// A machine's map sharing, begun with its first order: a machine that only ever plays maps that ship has no thread for it and takes
/// no port.
#[derive(Debug)]
pub struct OnDemand {
    options: Options,
    folder: PathBuf,
    service: Option<Service>,
    /// Why there is none.
    failed: Option<String>,
    /// That, and what answers the orders that nobody does.
    undone: Vec<News>,
}

impl OnDemand {
    /// Of that program: its folder, and that address for its sockets. None where it has no folder.
    pub fn of(common: &Common, bind: IpAddr, seed: u64) -> Option<Self> {
        let folder = custom::folder(common.data.as_deref())?;
        Some(Self {
            options: Options::at(bind, seed),
            folder,
            service: None,
            failed: None,
            undone: Vec::new(),
        })
    }
}

impl MapShare for OnDemand {
    fn order(&mut self, order: Order) {
        if self.service.is_none() && self.failed.is_none() {
            match Service::start(&self.options, &self.folder, Loader) {
                Ok(service) => self.service = Some(service),
                Err(error) => {
                    let why = format!("Maps cannot be shared: {error}");
                    self.undone.push(News::Word(why.clone()));
                    self.failed = Some(why);
                }
            }
        }
        if let Some(service) = &mut self.service {
            service.order(order);
        } else if let Some(why) = &self.failed {
            self.undone.extend(order.undone(why));
        }
    }

    fn take_news(&mut self, into: &mut Vec<News>) {
        if let Some(service) = &mut self.service {
            service.take_news(into);
        }
        into.append(&mut self.undone);
    }

    fn traffic(&self) -> Option<Traffic> {
        self.service.as_ref().map(Service::traffic)
    }
}

/// What a log says of it, as a session ends.
pub fn in_words(traffic: Traffic) -> String {
    let Traffic { sent, received } = traffic;
    format!("maps: {received} bytes of files came, {sent} were sent")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (HostSettings, ClientSettings) {
        let (settings, warnings) = Settings::parse(&format!("[network]\n{text}\n")).unwrap();
        assert_eq!(warnings, []);
        (host(&settings), client(&settings))
    }

    /// MAP-34: a host sends 1024 KB a second at most and a player 256, of 1024 bytes each, unless a setting says otherwise; 0 is no
    /// limit.
    #[test]
    fn uploads_are_the_settings() {
        let uploads = |text: &str| {
            let (host, client) = read(text);
            (host.upload, client.upload)
        };
        assert_eq!(uploads(""), (1_048_576, 262_144));
        assert_eq!(uploads("map_share_upload = 1\nmap_seed_upload = 3"), (1024, 3072));
        assert_eq!(uploads("map_share_upload = 0\nmap_seed_upload = 0"), (u64::MAX, u64::MAX));
    }

    /// MAP-09, 13, 36: each flag is its setting's alone, and on unless that says otherwise.
    #[test]
    fn flags_are_the_settings() {
        let flags = |text: &str| {
            let (host, client) = read(text);
            (host.shares, client.downloads, client.seeds)
        };
        assert_eq!(flags(""), (true, true, true));
        assert_eq!(flags("map_share = false"), (false, true, true));
        assert_eq!(flags("map_download = false"), (true, false, true));
        assert_eq!(flags("map_seed = false"), (true, true, false));
    }
}
