//! The streams' thread: accepting, connecting, reading and writing, on one runtime. Knows no message; what it
//! shares with the game's thread are bounded queues and counters.

use core::future::poll_fn;
use core::net::{IpAddr, SocketAddr};
use core::pin::pin;
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use core::task::Poll;
use core::time::Duration;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError};
use std::thread::{self, JoinHandle};
use std::vec::Vec;

use mjolnir_wire::address::canonical;
use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::mpsc::error::TryRecvError;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{sleep, timeout};

use super::std;
use super::wake::Waker;
use crate::network::StreamId;

/// Streams open at once, those that have not joined included; a further connection is closed at once.
pub(super) const MAX_STREAMS: usize = 256;
/// Bytes of one read at most.
const CHUNK_BYTES: usize = 8 * 1024;
/// Reads of one stream that wait for the game's thread; then its reading stops, and with it its sender.
const CHUNKS: usize = 8;
/// Writes of one stream that wait for this thread; further ones gather into one on the game's side.
const WRITES: usize = 8;
/// Events for the game's thread: every stream's reads, its beginning and its end, and as many of one before it
/// under its place.
const EVENTS: usize = MAX_STREAMS * 2 * (CHUNKS + 2);
/// Write buffers on their way back.
const SPARES: usize = 256;
/// Bytes that the system holds for a stream to send: with a bound, one that is not read shows within it.
const SEND_BUFFER_BYTES: usize = 256 * 1024;
/// How long a stream that was closed here goes on: to send what it holds, and to hear the other end's close,
/// without which what was sent last could be lost.
const LINGER: Duration = Duration::from_secs(1);
/// How long a connection may take to open.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);
/// Rest after a connection could not be taken, as when the process has no more files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);
/// Rest where the queue to the game's thread is full, which its size makes all but impossible.
const QUEUE_PAUSE: Duration = Duration::from_millis(1);
/// Silence after which the system asks whether the other end still lives.
const KEEPALIVE: Duration = Duration::from_secs(15);
/// What was written and is not acknowledged for so long ends its stream: the other end's machine is asleep, off or cut
/// off. The system's own patience is a quarter of an hour, for which such a machine would keep its place in the lobby.
/// Twice the silence after which a client has given its host up.
#[cfg(target_os = "linux")]
const UNANSWERED: Duration = Duration::from_secs(30);

/// What the thread is for.
pub(super) enum Task {
    Listen(TcpListener),
    Connect { host: SocketAddr, bind: Option<IpAddr> },
}

/// The game's side of one stream.
#[derive(Debug)]
pub(super) struct Link {
    /// Bytes to write; dropping the link ends the stream once they are written.
    pub(super) writes: mpsc::Sender<Vec<u8>>,
    /// Room for the bytes that are written after those, as the last, when there is no more for `writes`.
    pub(super) last: oneshot::Sender<Vec<u8>>,
    /// Read chunks on their way back.
    pub(super) chunks: mpsc::Sender<Vec<u8>>,
    /// Bytes written since the game's thread last looked.
    pub(super) written: Arc<AtomicUsize>,
}

#[derive(Debug)]
pub(super) enum Event {
    Opened(StreamId, SocketAddr, Link),
    Bytes(StreamId, Vec<u8>),
    Closed(StreamId),
    /// The connection that was asked for did not open.
    Failed(StreamId),
}

/// What both threads hold.
#[derive(Debug)]
pub(super) struct Shared {
    events: SyncSender<Event>,
    spares: SyncSender<Vec<u8>>,
    pub(super) waker: Waker,
    /// Which places of the game's table are taken: by this thread when a stream opens, given back by the game's.
    taken: [AtomicBool; MAX_STREAMS],
    next: AtomicU32,
    open: AtomicUsize,
    pub(super) refused: AtomicU64,
    pub(super) cpu_nanos: AtomicU64,
}

/// The thread and the game's ends of its queues.
#[derive(Debug)]
pub(super) struct Service {
    pub(super) shared: Arc<Shared>,
    pub(super) events: Receiver<Event>,
    pub(super) spares: Receiver<Vec<u8>>,
    /// Dropping it ends the thread, after its streams or after [`LINGER`].
    pub(super) stop: oneshot::Sender<()>,
    pub(super) thread: JoinHandle<()>,
}

impl Service {
    pub(super) fn start(task: Task, waker: Waker) -> io::Result<Self> {
        let (events_in, events) = std::sync::mpsc::sync_channel(EVENTS);
        let (spares_in, spares) = std::sync::mpsc::sync_channel(SPARES);
        let (stop, stopped) = oneshot::channel();
        let shared = Arc::new(Shared {
            events: events_in,
            spares: spares_in,
            waker,
            taken: [const { AtomicBool::new(false) }; MAX_STREAMS],
            next: AtomicU32::new(0),
            open: AtomicUsize::new(0),
            refused: AtomicU64::new(0),
            cpu_nanos: AtomicU64::new(0),
        });
        let clock = Arc::clone(&shared);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .on_thread_park(move || clock.cpu_nanos.store(thread_cpu_nanos(), Ordering::Relaxed))
            .build()?;
        let of_thread = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("mjolnir-streams".into())
            .spawn(move || runtime.block_on(serve(task, stopped, of_thread)))?;
        Ok(Self { shared, events, spares, stop, thread })
    }
}

async fn serve(task: Task, stopped: oneshot::Receiver<()>, shared: Arc<Shared>) {
    // Every stream holds a copy: when the last is gone, all streams have ended.
    let (alive, mut all_gone) = mpsc::channel(1);
    let opening = tokio::spawn(async move {
        match task {
            Task::Listen(listener) => accept(listener, &shared, &alive).await,
            Task::Connect { host, bind } => connect(host, bind, &shared, &alive).await,
        }
    });
    let _ = stopped.await;
    opening.abort();
    let _ = opening.await;
    let _ = timeout(LINGER, all_gone.recv()).await;
}

async fn accept(listener: TcpListener, shared: &Arc<Shared>, alive: &mpsc::Sender<()>) {
    let listener = match tokio::net::TcpListener::from_std(listener) {
        Ok(listener) => listener,
        Err(error) => return tracing::error!(%error, "the listener does not work"),
    };
    loop {
        match listener.accept().await {
            // Those that linger count too, so that a stranger who comes and goes cannot use up the process's files.
            Ok((socket, address)) if shared.open.load(Ordering::Relaxed) < 2 * MAX_STREAMS => {
                match shared.take_place() {
                    Some(stream) => shared.open(stream, socket, address, alive).await,
                    None => shared.refuse(),
                }
            }
            Ok(_) => shared.refuse(),
            Err(error) => {
                shared.refuse();
                tracing::debug!(%error, "a connection could not be taken");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

async fn connect(host: SocketAddr, bind: Option<IpAddr>, shared: &Arc<Shared>, alive: &mpsc::Sender<()>) {
    let Some(stream) = shared.take_place() else {
        return;
    };
    let opening = async {
        let socket = if host.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        if let Some(address) = bind {
            socket.bind(SocketAddr::new(address, 0))?;
        }
        socket.connect(host).await
    };
    match timeout(CONNECT_LIMIT, opening).await {
        Ok(Ok(socket)) => shared.open(stream, socket, host, alive).await,
        Ok(Err(error)) => {
            tracing::debug!(%error, %host, "no connection");
            shared.tell(Event::Failed(stream)).await;
        }
        Err(_) => shared.tell(Event::Failed(stream)).await,
    }
}

impl Shared {
    /// A number that no stream had, whose place in the game's table is free.
    fn take_place(&self) -> Option<StreamId> {
        let from = self.next.load(Ordering::Relaxed);
        let free = (0..MAX_STREAMS as u32).map(|step| from.wrapping_add(step)).find(|number| {
            let place = &self.taken[*number as usize % MAX_STREAMS];
            !place.swap(true, Ordering::Acquire)
        })?;
        self.next.store(free.wrapping_add(1), Ordering::Relaxed);
        Some(StreamId(free))
    }

    /// A place of the game's table is free again.
    pub(super) fn give_back(&self, place: usize) {
        self.taken[place].store(false, Ordering::Release);
    }

    fn refuse(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    async fn open(
        self: &Arc<Self>,
        stream: StreamId,
        socket: TcpStream,
        address: SocketAddr,
        alive: &mpsc::Sender<()>,
    ) {
        if let Err(error) = prepare(&socket) {
            // Gone already, mostly: reading will tell.
            tracing::debug!(%error, "a stream's options could not be set");
        }
        let (writes, writes_out) = mpsc::channel(WRITES);
        let (chunks, chunks_out) = mpsc::channel(CHUNKS);
        let written = Arc::new(AtomicUsize::new(0));
        let (last, last_out) = oneshot::channel();
        let link = Link { writes, last, chunks, written: Arc::clone(&written) };
        self.tell(Event::Opened(stream, canonical(address), link)).await;
        self.open.fetch_add(1, Ordering::Relaxed);
        let (shared, alive) = (Arc::clone(self), alive.clone());
        tokio::spawn(async move {
            let (reading, writing) = socket.into_split();
            let mut reader = pin!(read(stream, reading, chunks_out, &shared));
            let mut writer = pin!(write(writing, writes_out, last_out, &written, &shared));
            let reader_ended = poll_fn(|context| match reader.as_mut().poll(context) {
                Poll::Ready(()) => Poll::Ready(true),
                Poll::Pending => writer.as_mut().poll(context).map(|()| false),
            });
            // Closed there, it has nobody to write to. Closed here, it hears the other end out.
            if !reader_ended.await && timeout(LINGER, reader).await.is_err() {
                shared.tell(Event::Closed(stream)).await;
            }
            shared.open.fetch_sub(1, Ordering::Relaxed);
            drop(alive);
        });
    }

    async fn tell(&self, mut event: Event) {
        loop {
            match self.events.try_send(event) {
                Ok(()) => return self.waker.wake(),
                Err(TrySendError::Disconnected(_)) => return,
                Err(TrySendError::Full(back)) => event = back,
            }
            sleep(QUEUE_PAUSE).await;
        }
    }
}

/// What both ends of a stream need: small writes leave at once (NET-16), a dead end is noticed, and what is not
/// read shows.
fn prepare(socket: &TcpStream) -> io::Result<()> {
    socket.set_nodelay(true)?;
    let socket = SockRef::from(socket);
    socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(KEEPALIVE))?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(UNANSWERED))?;
    socket.set_send_buffer_size(SEND_BUFFER_BYTES)
}

async fn read(
    stream: StreamId,
    mut reading: OwnedReadHalf,
    mut chunks: mpsc::Receiver<Vec<u8>>,
    shared: &Shared,
) {
    let mut made = 0;
    loop {
        let chunk = match chunks.try_recv() {
            Err(TryRecvError::Empty) if made < CHUNKS => {
                made += 1;
                Some(Vec::with_capacity(CHUNK_BYTES))
            }
            Err(TryRecvError::Empty) => chunks.recv().await,
            back => back.ok(),
        };
        let Some(mut chunk) = chunk else {
            break;
        };
        match reading.read_buf(&mut chunk).await {
            Ok(0) | Err(_) => return shared.tell(Event::Closed(stream)).await,
            Ok(_) => shared.tell(Event::Bytes(stream, chunk)).await,
        }
    }
    // The game closed it: what still comes is not for anyone, and unread it would reset what is being sent.
    let mut rest = Vec::with_capacity(CHUNK_BYTES);
    while matches!(reading.read_buf(&mut rest).await, Ok(1..)) {
        rest.clear();
    }
}

async fn write(
    mut writing: OwnedWriteHalf,
    mut writes: mpsc::Receiver<Vec<u8>>,
    last: oneshot::Receiver<Vec<u8>>,
    written: &AtomicUsize,
    shared: &Shared,
) {
    while let Some(mut bytes) = writes.recv().await {
        if !write_all(&mut writing, &bytes, written, || writes.is_closed()).await {
            return;
        }
        bytes.clear();
        let _ = shared.spares.try_send(bytes);
    }
    if let Ok(bytes) = last.await
        && !write_all(&mut writing, &bytes, written, || true).await
    {
        return;
    }
    let _ = writing.shutdown().await;
}

/// Whether all of it was written.
async fn write_all(
    writing: &mut OwnedWriteHalf,
    bytes: &[u8],
    written: &AtomicUsize,
    closed: impl Fn() -> bool,
) -> bool {
    let mut at = 0;
    while at < bytes.len() {
        match timeout(LINGER, writing.write(&bytes[at..])).await {
            Ok(Ok(length @ 1..)) => {
                at += length;
                written.fetch_add(length, Ordering::Relaxed);
            }
            // The other end is gone: reading tells.
            Ok(_) => return false,
            // Closed here, and nobody reads: given up. While it is open, the session decides (NET-62).
            Err(_) if closed() => return false,
            Err(_) => {}
        }
    }
    true
}

/// Processor time of the thread that asks, where the platform tells.
pub(super) fn thread_cpu_nanos() -> u64 {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        let spent = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        spent.tv_sec as u64 * 1_000_000_000 + spent.tv_nsec as u64
    }
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    0
}

#[cfg(test)]
mod tests {
    use core::net::Ipv4Addr;

    use super::*;

    /// Both ends of a stream give up a machine that sleeps, whether they write to it or wait for it.
    #[cfg(target_os = "linux")]
    #[test]
    fn both_ends_give_a_sleeper_up() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
            let connected = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
            let (accepted, _) = listener.accept().await.unwrap();
            for socket in [connected, accepted] {
                assert_eq!(SockRef::from(&socket).tcp_user_timeout().unwrap(), None);
                prepare(&socket).unwrap();
                let socket = SockRef::from(&socket);
                assert_eq!(socket.tcp_user_timeout().unwrap(), Some(UNANSWERED));
                assert!(socket.keepalive().unwrap());
            }
        });
    }

    /// NET-16: both ends of a stream send small writes at once.
    #[test]
    fn both_ends_have_no_delay() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
            let connected = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
            let (accepted, _) = listener.accept().await.unwrap();
            for socket in [connected, accepted] {
                assert!(!socket.nodelay().unwrap());
                prepare(&socket).unwrap();
                assert!(socket.nodelay().unwrap());
            }
        });
    }
}
