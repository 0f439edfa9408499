//! A folder in memory, a game whose maps are told by their first bytes, and a clerk that is stepped by the scene's clock.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use mjolnir_mapshare::disk::{Clerk, Engine, Folder, Loader, Memory, SharedShelf, Unfit, View};
use mjolnir_mapshare::hash::{PieceHash, of_piece, of_pieces};
use mjolnir_mapshare::{Done, Fault, Found, Job, Offered, Taken};
use mjolnir_wire::mapshare::{File, FileHash, FileSet, PIECE_BYTES, Refusal};

pub(crate) const PIECE: usize = PIECE_BYTES as usize;
/// The level of most scenes.
pub(crate) const LEVEL: &str = "custom_maps\\hugeass";
/// Bytes of the largest file of each kind that the game takes.
pub(crate) const MOST: u64 = 64 << 20;

/// A file of that many bytes, of chance but for what the game looks at: `M`, its version of the game, what it needs.
pub(crate) fn map(seed: u64, bytes: usize) -> Vec<u8> {
    needing(seed, bytes, FileSet::NONE)
}

pub(crate) fn needing(seed: u64, bytes: usize, needs: FileSet) -> Vec<u8> {
    let mut chance = Chance(seed);
    let mut map: Vec<u8> = (0..bytes.div_ceil(8)).flat_map(|_| chance.next().to_le_bytes()).collect();
    map.truncate(bytes);
    for (at, byte) in [b'M', 1, needs.bits()].into_iter().enumerate() {
        map[at] = byte;
    }
    map
}

pub(crate) fn pieces_of(bytes: &[u8]) -> Arc<[PieceHash]> {
    bytes.chunks(PIECE).map(of_piece).collect()
}

pub(crate) fn hash_of(bytes: &[u8]) -> FileHash {
    of_pieces(bytes.len() as u64, &pieces_of(bytes))
}

pub(crate) fn version(bytes: &[u8]) -> u32 {
    hash_of(bytes).version()
}

pub(crate) fn offer(file: File, bytes: &[u8]) -> Offered {
    Offered { file, size: bytes.len() as u32, hash: hash_of(bytes) }
}

/// The name of a map beside another of its name.
pub(crate) fn beside(bytes: &[u8]) -> String {
    let hash = hash_of(bytes).0;
    format!("hugeass_{:02x}{:02x}{:02x}{:02x}.map", hash[0], hash[1], hash[2], hash[3])
}

/// Numbers of chance, by a seed.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, most: usize) -> usize {
        (self.next() % most as u64) as usize
    }
}

/// A game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Game;

impl Loader for Game {
    fn check(&mut self, map: &mut dyn View) -> Result<FileSet, Unfit> {
        let mut head = [0; 3];
        let read: io::Result<()> = map.read_at(0, &mut head);
        if let Err(error) = read {
            return Err(Unfit::Broken(error.to_string()));
        }
        match head {
            [b'M', 1, needs] => Ok(FileSet::read(needs).unwrap()),
            [b'M', ..] => Err(Unfit::OtherVersion),
            _ => Err(Unfit::Broken("it is no map".into())),
        }
    }

    fn most(&self, _: File) -> u64 {
        MOST
    }
}

/// A clerk of a folder.
pub(crate) struct Scene<F: Folder> {
    pub(crate) clerk: Clerk<F, Game>,
    pub(crate) now: Duration,
}

impl Scene<Memory> {
    pub(crate) fn new(folder: &Memory) -> Self {
        Self::on(folder.clone())
    }
}

impl<F: Folder> Scene<F> {
    pub(crate) fn on(folder: F) -> Self {
        let clerk = Clerk::with(folder, Game, Engine::on(2), Arc::new(|| ()));
        Self { clerk, now: Duration::ZERO }
    }

    pub(crate) fn give(&mut self, job: Job) {
        self.clerk.give(job);
    }

    /// All that can be done now, and what is said of it.
    pub(crate) fn run(&mut self) -> Vec<Done> {
        let mut dones = Vec::new();
        while self.clerk.step(self.now) {}
        self.clerk.take(&mut dones);
        dones
    }

    /// What is said of one job, but for words.
    pub(crate) fn ask(&mut self, job: Job) -> Vec<Done> {
        self.give(job);
        let mut dones = self.run();
        dones.retain(|done| !matches!(done, Done::Word(_)));
        dones
    }

    /// Lets time pass, and what is due be done when it is.
    pub(crate) fn pass(&mut self, time: Duration) -> Vec<Done> {
        let end = self.now + time;
        let mut dones = Vec::new();
        while let Some(due) = self.clerk.next_due().filter(|due| *due <= end) {
            self.now = self.now.max(due);
            dones.extend(self.run());
        }
        self.now = end;
        dones.extend(self.run());
        dones
    }

    pub(crate) fn shelf(&self) -> SharedShelf {
        self.clerk.shelf()
    }

    pub(crate) fn look(&mut self, level: &str, version: Option<u32>) -> Result<Option<Found>, Refusal> {
        self.look_all(level, version).0
    }

    pub(crate) fn look_all(
        &mut self,
        level: &str,
        version: Option<u32>,
    ) -> (Result<Option<Found>, Refusal>, FileSet) {
        let dones = self.ask(Job::Look { ticket: 7, level: level.into(), version });
        let [Done::Looked { ticket: 7, map, resources }] = &dones[..] else { panic!("{dones:?}") };
        let found = map.clone().map(|found| {
            found.map(|(found, pieces)| {
                assert_eq!(of_pieces(found.size.into(), &pieces), found.hash);
                found
            })
        });
        (found, *resources)
    }

    pub(crate) fn begin(&mut self, level: &str, files: &[(File, &[u8])]) -> Result<(), Fault> {
        let offers = files.iter().map(|(file, bytes)| offer(*file, bytes)).collect();
        let mut dones = self.ask(Job::Begin { level: level.into(), offers });
        let Some(Done::Begun(begun)) = dones.pop() else { panic!("{dones:?}") };
        begun
    }

    /// The pieces that are there already.
    pub(crate) fn resume(&mut self, file: File, bytes: &[u8]) -> Result<Vec<u32>, Fault> {
        let dones = self.ask(Job::Resume { file, hashes: pieces_of(bytes) });
        let [Done::Resumed { file: of, pieces }] = &dones[..] else { panic!("{dones:?}") };
        assert_eq!(*of, file);
        let bits = pieces.clone()?;
        let count = bytes.len().div_ceil(PIECE) as u32;
        assert_eq!(bits.len(), count.div_ceil(8) as usize);
        assert!((count..8 * bits.len() as u32).all(|spare| bits[spare as usize / 8] >> (spare % 8) & 1 == 0));
        Ok((0..count).filter(|piece| bits[*piece as usize / 8] >> (piece % 8) & 1 != 0).collect())
    }

    pub(crate) fn piece(file: File, bytes: &[u8], piece: u32) -> Job {
        let bytes = bytes.chunks(PIECE).nth(piece as usize).unwrap().to_vec();
        let hash = of_piece(&bytes);
        Job::Take { file, piece, bytes, hash }
    }

    /// What became of those pieces, which wait together.
    pub(crate) fn take(&mut self, file: File, bytes: &[u8], pieces: &[u32]) -> Vec<Taken> {
        for piece in pieces {
            self.give(Self::piece(file, bytes, *piece));
        }
        let mut outcomes = Vec::new();
        for (done, wanted) in self.run().into_iter().zip(pieces) {
            let Done::Took { file: of, piece, bytes, outcome } = done else { panic!("{done:?}") };
            assert_eq!((of, piece), (file, *wanted));
            assert!(bytes.len() <= PIECE);
            outcomes.push(outcome);
        }
        outcomes
    }

    pub(crate) fn finish(&mut self) -> Result<Found, Fault> {
        self.give(Job::Finish);
        let mut dones = self.run();
        dones.extend(self.pass(Duration::from_secs(11)));
        dones.retain(|done| !matches!(done, Done::Word(_)));
        let [Done::Finished(finished)] = &dones[..] else { panic!("{dones:?}") };
        finished.clone()
    }

    /// A whole download; how many pieces it brought.
    pub(crate) fn download(&mut self, level: &str, files: &[(File, &[u8])]) -> (Result<Found, Fault>, usize) {
        let mut brought = 0;
        if let Err(fault) = self.begin(level, files) {
            return (Err(fault), brought);
        }
        for (file, bytes) in files {
            let had = match self.resume(*file, bytes) {
                Ok(had) => had,
                Err(fault) => return (Err(fault), brought),
            };
            let count = bytes.len().div_ceil(PIECE) as u32;
            for piece in (0..count).filter(|piece| !had.contains(piece)) {
                match &self.take(*file, bytes, &[piece])[..] {
                    [Taken::Good] => brought += 1,
                    [Taken::Failed(fault)] => return (Err(fault.clone()), brought),
                    outcome => panic!("{outcome:?}"),
                }
            }
        }
        (self.finish(), brought)
    }
}
