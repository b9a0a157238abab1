//! Who is connected. When too many are, whoever has been silent for the longest time makes room, so
//! that a newcomer is never shut out; and a client that does not read its answer is left. Connections
//! of one address take turns: a single one that makes thousands waits for itself, and others do not.

use crate::http::limits;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep};

/// All connections.
#[derive(Clone, Default)]
pub struct Connections(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    next: u64,
    all: HashMap<u64, Arc<Client>>,
    /// Those with a connection, or with one that has not gone yet.
    addresses: HashMap<IpAddr, Address>,
    /// How many have to make room and have not gone yet.
    leaving: usize,
}

/// Where connections come from.
struct Address {
    /// How many there are, without those that have to make room.
    staying: usize,
    /// How many there are.
    seats: usize,
    turns: Arc<Semaphore>,
}

/// The other end of a connection.
pub struct Client {
    /// Where it is.
    pub address: IpAddr,
    /// When bytes last went one way or the other.
    last: Mutex<Instant>,
    /// Whether the server is at work for it.
    served: AtomicBool,
    leave: Notify,
    /// Shared by all of its address.
    turns: Arc<Semaphore>,
}

/// A place among the connections, free again when this is dropped.
pub struct Seat {
    connections: Connections,
    number: u64,
    /// Who has it.
    pub client: Arc<Client>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Connections {
    /// Takes a place; another makes room if there are too many, or too many from this address.
    pub fn enter(&self, address: IpAddr) -> Seat {
        let mut known = lock(&self.0);
        let from_there = known.addresses.get(&address).map_or(0, |there| there.staying);
        if from_there >= limits::CONNECTIONS_OF_ONE {
            known.make_room(|client| client.address == address);
        } else if known.all.len() >= limits::CONNECTIONS {
            known.make_room(|_| true);
        }
        let there = known.addresses.entry(address).or_insert_with(|| Address {
            staying: 0,
            seats: 0,
            turns: Arc::new(Semaphore::new(limits::TURNS_OF_ONE)),
        });
        there.staying += 1;
        there.seats += 1;
        let client = Arc::new(Client {
            address,
            last: Mutex::new(Instant::now()),
            served: AtomicBool::new(false),
            leave: Notify::new(),
            turns: Arc::clone(&there.turns),
        });
        let number = known.next;
        known.next += 1;
        known.all.insert(number, Arc::clone(&client));
        Seat { connections: self.clone(), number, client }
    }

    /// Whether so many have still to go that others should wait with coming.
    pub fn are_leaving(&self) -> bool {
        lock(&self.0).leaving >= limits::LEAVING
    }
}

impl Known {
    /// Lets go whoever of some has been silent for the longest time and is not being served.
    fn make_room(&mut self, among: impl Fn(&Client) -> bool) {
        let idle = self.all.iter().filter(|(_, client)| among(client));
        let idle = idle.filter(|(_, client)| !client.served.load(Relaxed));
        let oldest = idle.min_by_key(|(_, client)| *lock(&client.last)).map(|(&number, _)| number);
        if let Some(client) = oldest.and_then(|number| self.all.remove(&number)) {
            self.leaving += 1;
            if let Some(there) = self.addresses.get_mut(&client.address) {
                there.staying -= 1;
            }
            client.leave.notify_one();
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut known = lock(&self.connections.0);
        let stayed = known.all.remove(&self.number).is_some();
        known.leaving -= usize::from(!stayed);
        if let Entry::Occupied(mut there) = known.addresses.entry(self.client.address) {
            there.get_mut().staying -= usize::from(stayed);
            there.get_mut().seats -= 1;
            if there.get().seats == 0 {
                there.remove();
            }
        }
    }
}

impl Client {
    /// Waits until it has to make room.
    pub async fn must_leave(&self) {
        self.leave.notified().await;
    }

    /// Says that the server begins or ends to work for it.
    pub fn serve(&self, served: bool) {
        self.served.store(served, Relaxed);
        *lock(&self.last) = Instant::now();
    }

    /// Work for it, in turns with the work for all of its address.
    pub fn in_turn<F: Future>(&self, work: F) -> InTurn<F> {
        InTurn { work: Box::pin(work), turns: Arc::clone(&self.turns), waiting: None }
    }
}

type Turn = Pin<Box<dyn Future<Output = Option<OwnedSemaphorePermit>> + Send>>;

/// Work that goes on a step at a time. A turn is given back only when all who were ready have had
/// theirs: so few steps of one address come between any two of another, however many are ready.
pub struct InTurn<F> {
    work: Pin<Box<F>>,
    turns: Arc<Semaphore>,
    waiting: Option<Turn>,
}

impl<F: Future> Future for InTurn<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let turns = Arc::clone(&self.turns);
        let wait = || -> Turn { Box::pin(async { turns.acquire_owned().await.ok() }) };
        let turn = ready!(self.waiting.get_or_insert_with(wait).as_mut().poll(cx));
        self.waiting = None;
        let done = self.work.as_mut().poll(cx);
        tokio::spawn(async move {
            tokio::task::yield_now().await;
            drop(turn);
        });
        done
    }
}

/// A stream that gives up when the other end takes nothing for a while.
pub struct Patient<S> {
    stream: S,
    client: Arc<Client>,
    /// When to give up writing.
    stalled: Option<Pin<Box<Sleep>>>,
    /// What is still to be written of an answer that was not the program's own.
    rest: Vec<u8>,
}

/// Refusals of what is no request come without the headers that every other answer has: adds the one
/// that matters for them.
fn guarded(bytes: &[u8]) -> Option<Vec<u8>> {
    const HEADER: &[u8] = b"x-content-type-options: nosniff\r\n";
    let refusals: [&[u8]; 2] = [b"HTTP/1.1 400 ", b"HTTP/1.1 431 "];
    let line = refusals.iter().any(|start| bytes.starts_with(start));
    let end = bytes.windows(2).position(|pair| pair == b"\r\n").filter(|_| line)? + 2;
    let has = bytes.windows(HEADER.len()).any(|some| some.eq_ignore_ascii_case(HEADER));
    (!has).then(|| [&bytes[..end], HEADER, &bytes[end..]].concat())
}

impl<S> Patient<S> {
    pub fn new(stream: S, client: Arc<Client>) -> Patient<S> {
        Patient { stream, client, stalled: None, rest: Vec::new() }
    }

    /// Notes that bytes have gone, or that they have waited too long.
    fn note<T>(
        &mut self,
        written: Poll<io::Result<T>>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            *lock(&self.client.last) = Instant::now();
            return written;
        }
        let limit = || Box::pin(tokio::time::sleep(limits::WRITE_TIME));
        match self.stalled.get_or_insert_with(limit).as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if read.is_ready() {
            *lock(&self.client.last) = Instant::now();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.rest.is_empty() {
            match guarded(bytes) {
                Some(guarded) => self.rest = guarded,
                None => {
                    let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
                    return self.note(written, cx);
                }
            }
        }
        while !self.rest.is_empty() {
            let this = &mut *self;
            let written = Pin::new(&mut this.stream).poll_write(cx, &this.rest);
            match this.note(written, cx) {
                Poll::Ready(Ok(0)) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Poll::Ready(Ok(count)) => drop(this.rest.drain(..count)),
                other => return other,
            }
        }
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(cx);
        self.note(flushed, cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has_to_leave(client: &Client) -> bool {
        let mut wait = std::pin::pin!(client.must_leave());
        let mut cx = Context::from_waker(std::task::Waker::noop());
        wait.as_mut().poll(&mut cx).is_ready()
    }

    #[test]
    fn the_most_silent_of_an_address_makes_room() {
        let connections = Connections::default();
        let [one, other] = ["127.0.0.1", "127.0.0.2"].map(|address| address.parse().unwrap());
        let guest = connections.enter(other);
        let seats: Vec<Seat> =
            (0..limits::CONNECTIONS_OF_ONE).map(|_| connections.enter(one)).collect();
        assert!(!seats.iter().any(|seat| has_to_leave(&seat.client)));
        seats[0].client.serve(true);
        let more = connections.enter(one);
        let left: Vec<usize> =
            (0..seats.len()).filter(|&seat| has_to_leave(&seats[seat].client)).collect();
        assert_eq!(left, [1], "the first is being served");
        assert!(!has_to_leave(&guest.client) && !has_to_leave(&more.client));
        assert_eq!(lock(&connections.0).leaving, 1);
        drop((seats, more));
        let known = lock(&connections.0);
        assert_eq!((known.all.len(), known.addresses.len(), known.leaving), (1, 1, 0));
    }

    #[test]
    fn refusals_of_what_is_no_request_are_guarded() {
        let refused = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n";
        let guarded_once = guarded(refused).unwrap();
        assert!(
            guarded_once
                .starts_with(b"HTTP/1.1 400 Bad Request\r\nx-content-type-options: nosniff\r\n")
        );
        assert!(guarded(&guarded_once).is_none() && guarded(b"HTTP/1.1 200 OK\r\n\r\n").is_none());
    }

    /// Many that are always ready, and one of another address.
    #[tokio::test]
    async fn one_address_does_not_keep_another_waiting() {
        use std::sync::atomic::AtomicU64;
        let connections = Connections::default();
        let [one, other] = ["127.0.0.1", "127.0.0.2"].map(|address| address.parse().unwrap());
        let steps = Arc::new(AtomicU64::new(0));
        let seats: Vec<Seat> = (0..200).map(|_| connections.enter(one)).collect();
        for seat in &seats {
            let steps = Arc::clone(&steps);
            tokio::spawn(seat.client.in_turn(async move {
                loop {
                    steps.fetch_add(1, Relaxed);
                    tokio::task::yield_now().await;
                }
            }));
        }
        let guest = connections.enter(other);
        tokio::task::yield_now().await;
        let before = steps.load(Relaxed);
        guest.client.in_turn(tokio::task::yield_now()).await;
        let between = steps.load(Relaxed) - before;
        assert!(between <= 4 * limits::TURNS_OF_ONE as u64, "{between} steps came between");
        for _ in 0..1000 {
            tokio::task::yield_now().await;
        }
        assert!(steps.load(Relaxed) > 1000, "the others go on");
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_does_not_read_is_left() {
        use tokio::io::AsyncWriteExt;
        let (near, _far) = tokio::io::duplex(16);
        let seat = Connections::default().enter("127.0.0.1".parse().unwrap());
        let mut stream = Patient::new(near, Arc::clone(&seat.client));
        let error = stream.write_all(&[0; 1000]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }
}
