//! A folder of a test's own, a clock that it sets, and a disk over the real one that fails where the test says. Files that the
//! test does not date are of another age than the clock's, and so hold still.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime};

use mjolnir_anticheat::files::{Ask, Clerk, Clock, Disk, Draft, Stat, SystemDisk};
use mjolnir_anticheat::{HardwareId, LocalTime, Person, Record};
use mjolnir_wire::identity::Identity;
use mjolnir_wire::packets::player::Name;

/// The time of every line.
pub(crate) const STAMP: &str = "2026-03-07 09:05:00";
/// Long before any file of today.
const NOON: SystemTime = SystemTime::UNIX_EPOCH;

/// A folder that goes with the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("mjolnir-files-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn bans(&self) -> PathBuf {
        self.0.join("bans.txt")
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    /// All that is in it, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<String> = fs::read_dir(&self.0).unwrap().map(name).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Writes the list in place, as an editor does, at that time after noon.
pub(crate) fn edit(path: &Path, text: &[u8], at: Duration) {
    fs::write(path, text).unwrap();
    File::options().write(true).open(path).unwrap().set_modified(NOON + at).unwrap();
}

pub(crate) fn ask(ticket: u32, address: &str) -> Ask {
    Ask { ticket, address: Some(address.parse().unwrap()), hardware: None }
}

/// The ban of one who is called `name`, as it is made.
pub(crate) fn ban(address: &str, name: &str) -> Record {
    Record::ban(&person(address), &Identity::NONE, [Name::cut(name)].into_iter())
}

/// The ban's line, with its end, as it stands in the file.
pub(crate) fn line(address: &str, name: &str) -> String {
    format!(
        "{STAMP}\tip={address}\thwid=none\tdiscord_username=none\tdiscord_id=none\tplayers={name}\treason=banned by the host\n"
    )
}

pub(crate) fn person(address: &str) -> Person {
    Person { address: Some(address.parse().unwrap()), hardware: None }
}

pub(crate) fn id(digit: u8) -> Option<HardwareId> {
    HardwareId::heard(&[digit; 32])
}

/// What a test does when time passes.
type Meanwhile = Box<dyn FnMut(Duration) + Send>;

/// Noon, and what was waited since.
#[derive(Clone, Default)]
pub(crate) struct TestClock {
    since: Arc<Mutex<Duration>>,
    meanwhile: Arc<Mutex<Option<Meanwhile>>>,
    by: Arc<Mutex<Option<PathBuf>>>,
}

impl TestClock {
    pub(crate) fn now(&self) -> Duration {
        *self.since.lock().unwrap()
    }

    pub(crate) fn pass(&self, time: Duration) {
        *self.since.lock().unwrap() += time;
    }

    /// From now on its wall time is that at which that file was changed, so that each change is of just now.
    pub(crate) fn set_by(&self, file: PathBuf) {
        *self.by.lock().unwrap() = Some(file);
    }

    /// Has that done after each wait, which is told the time.
    pub(crate) fn meanwhile(&self, does: impl FnMut(Duration) + Send + 'static) {
        *self.meanwhile.lock().unwrap() = Some(Box::new(does));
    }
}

impl Clock for TestClock {
    fn local(&mut self) -> LocalTime {
        LocalTime { year: 2026, month: 3, day: 7, hour: 9, minute: 5, second: 0 }
    }

    fn wall(&mut self) -> SystemTime {
        match &*self.by.lock().unwrap() {
            Some(file) => fs::metadata(file).unwrap().modified().unwrap(),
            None => NOON + self.now(),
        }
    }

    fn since(&mut self) -> Duration {
        self.now()
    }

    fn wait(&mut self, time: Duration) {
        self.pass(time);
        let now = self.now();
        if let Some(does) = &mut *self.meanwhile.lock().unwrap() {
            does(now);
        }
    }
}

/// What a disk does of what it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Target,
    Stat,
    Open,
    Read,
    Draft,
    Write,
    Sync,
    Publish,
    Sweep,
}

/// What is to go wrong, and what was done.
#[derive(Default)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    /// The step, counted from none, from which on it fails; and whether that is for good, as for a process that was killed.
    pub(crate) fails_at: Option<usize>,
    pub(crate) is_killed: bool,
    /// Each step of that kind fails so.
    pub(crate) fails: Option<(Step, ErrorKind)>,
    /// Bytes that the disk has room for.
    pub(crate) room: Option<usize>,
    /// Is done before each of those steps.
    pub(crate) before: Option<(Step, Box<dyn FnMut() + Send>)>,
}

/// The real disk under a plan.
#[derive(Clone, Default)]
pub(crate) struct TestDisk(Arc<Mutex<Plan>>);

impl TestDisk {
    pub(crate) fn plan(&self) -> MutexGuard<'_, Plan> {
        self.0.lock().unwrap()
    }

    fn step(&self, step: Step) -> io::Result<()> {
        let mut plan = self.plan();
        let number = plan.steps.len();
        plan.steps.push(step);
        if let Some((when, mut does)) = plan.before.take() {
            if when == step {
                does();
            }
            plan.before = Some((when, does));
        }
        let is_at = plan.fails_at.is_some_and(|at| if plan.is_killed { number >= at } else { number == at });
        if is_at {
            return Err(io::Error::other(format!("the disk failed at {step:?}")));
        }
        match plan.fails {
            Some((when, kind)) if when == step => Err(kind.into()),
            _ => Ok(()),
        }
    }
}

impl Disk for TestDisk {
    fn target(&mut self, path: &Path) -> io::Result<PathBuf> {
        self.step(Step::Target)?;
        SystemDisk.target(path)
    }

    fn stat(&mut self, path: &Path) -> io::Result<Stat> {
        self.step(Step::Stat)?;
        SystemDisk.stat(path)
    }

    fn open(&mut self, path: &Path) -> io::Result<Box<dyn Read>> {
        self.step(Step::Open)?;
        Ok(Box::new(TestReader(SystemDisk.open(path)?, self.clone())))
    }

    fn draft(&mut self, path: &Path, like: Option<&Path>) -> io::Result<Box<dyn Draft>> {
        self.step(Step::Draft)?;
        let draft = SystemDisk.draft(path, like)?;
        Ok(Box::new(TestDraft { draft: Some(draft), path: path.to_path_buf(), disk: self.clone() }))
    }

    fn sweep(&mut self, path: &Path) -> io::Result<()> {
        self.step(Step::Sweep)?;
        SystemDisk.sweep(path)
    }
}

struct TestReader(Box<dyn Read>, TestDisk);

impl Read for TestReader {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.1.step(Step::Read)?;
        self.0.read(to)
    }
}

struct TestDraft {
    draft: Option<Box<dyn Draft>>,
    path: PathBuf,
    disk: TestDisk,
}

impl Draft for TestDraft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let step = self.disk.step(Step::Write);
        let room = self.disk.plan().room;
        let fits = match (room, &step) {
            (Some(room), _) => room.min(bytes.len()),
            // What fails in the middle has done half.
            (None, Err(_)) => bytes.len() / 2,
            (None, Ok(())) => bytes.len(),
        };
        self.draft.as_mut().unwrap().write(&bytes[..fits])?;
        if let Some(room) = &mut self.disk.plan().room {
            *room -= fits;
        }
        step?;
        if fits < bytes.len() { Err(ErrorKind::StorageFull.into()) } else { Ok(()) }
    }

    fn sync(&mut self) -> io::Result<Stat> {
        self.disk.step(Step::Sync)?;
        self.draft.as_mut().unwrap().sync()
    }

    fn publish(mut self: Box<Self>, to: &Path) -> io::Result<()> {
        self.disk.step(Step::Publish)?;
        self.draft.take().unwrap().publish(to)
    }
}

impl Drop for TestDraft {
    fn drop(&mut self) {
        let Some(draft) = self.draft.take() else { return };
        // A process that was killed removes nothing, and its lock is gone.
        let left = self.disk.plan().is_killed.then(|| fs::read(&self.path).unwrap());
        drop(draft);
        if let Some(left) = left {
            fs::write(&self.path, left).unwrap();
        }
    }
}

/// A clerk and what a test does with it.
pub(crate) struct Desk {
    pub(crate) clerk: Clerk<TestDisk, TestClock>,
    pub(crate) disk: TestDisk,
    pub(crate) clock: TestClock,
}

impl Desk {
    pub(crate) fn at(folder: &Folder) -> Self {
        Self::with(folder, TestDisk::default())
    }

    pub(crate) fn with(folder: &Folder, disk: TestDisk) -> Self {
        Self::of(folder.path(), disk)
    }

    /// For a folder that comes and goes.
    pub(crate) fn in_folder(path: &Path) -> Self {
        Self::of(path, TestDisk::default())
    }

    fn of(path: &Path, disk: TestDisk) -> Self {
        let clock = TestClock::default();
        // Beyond the age by which a file that the test dated at noon holds still.
        clock.pass(Duration::from_secs(60));
        Self { clerk: Clerk::new(path, disk.clone(), clock.clone()), disk, clock }
    }

    pub(crate) fn is_refused(&mut self, ask: Ask) -> bool {
        let mut answers = Vec::new();
        self.clerk.answer(&[ask], |ticket, refused| answers.push((ticket, refused)));
        assert_eq!(answers.len(), 1);
        assert_eq!(answers[0].0, ask.ticket);
        answers[0].1
    }

    pub(crate) fn refuses(&mut self, address: &str) -> bool {
        self.is_refused(ask(7, address))
    }

    pub(crate) fn append(&mut self, record: &Record) {
        self.clerk.append(record);
        self.clerk.write();
    }

    pub(crate) fn words(&mut self) -> Vec<String> {
        let mut words = Vec::new();
        self.clerk.take_words(&mut words);
        words
    }
}
