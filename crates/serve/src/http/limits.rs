//! What a single request may take. The API's description tells these numbers.

use std::time::Duration;

/// Bytes of a request's body.
pub const BODY: usize = 256 << 10;
/// Bytes of a form that is sent.
pub const FORM: usize = 1 << 10;
/// Bytes of a request's address.
pub const ADDRESS: usize = 16 << 10;
/// Positions of a batch.
pub const BATCH: usize = 1000;
/// Moves of a line in an address.
pub const LINE: usize = 600;
/// Bytes of a written position.
pub const POSITION: usize = 400;
/// The time of an answer.
pub const TIME: Duration = Duration::from_secs(15);
/// The time a client may take to send its request's head.
pub const HEAD_TIME: Duration = Duration::from_secs(15);
/// The time a client may take to read some more of its answer.
pub const WRITE_TIME: Duration = Duration::from_secs(10);
/// The time that a connection lasts, whatever it does.
pub const LIFETIME: Duration = Duration::from_secs(600);
/// Connections at a time; one more takes the place of the most silent.
pub const CONNECTIONS: usize = 1024;
/// Connections that wait to be accepted, if the system allows as many.
pub const NEWCOMERS: u32 = 4096;
/// Connections of one address at a time.
pub const CONNECTIONS_OF_ONE: usize = 256;
/// Connections of one address that go on at a time, all others being ready too.
pub const TURNS_OF_ONE: usize = 8;
/// Connections that have still to make room when no more are accepted.
pub const LEAVING: usize = 512;
/// Answers that are worked on at a time.
pub const WORKERS: usize = 16;
/// Answers that are worked on or wait for it; one more is refused at once.
pub const QUEUE: usize = 128;
/// Batches that are worked on at a time, and those that wait with them.
pub const BULK_WORKERS: usize = 1;
/// Batches that are worked on or wait for it.
pub const BULK_QUEUE: usize = 16;
/// Pieces of work in the background that wait.
pub const BACKGROUND: usize = 64;
/// Bytes of rendered pages and answers that are kept.
pub const CACHE: u64 = 64 << 20;
/// Bytes of unpacked blocks that an open table keeps.
pub const BLOCKS: u64 = 256 << 20;
/// Variants of games that are kept open; fewer in a browser, which has less memory.
pub const OPEN: usize = if cfg!(target_family = "wasm") { 3 } else { 12 };
/// Boards of a moving picture.
pub const FRAMES: usize = 100;
/// Pixels of the longer side of a picture.
pub const PICTURE: u32 = 1024;
/// Moves that a page lists unless all are asked for.
pub const MOVES: usize = 40;
