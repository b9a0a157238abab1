//! The explorer as WebAssembly: the same pages, rendered in the browser itself.
//!
//! There is nothing between this and JavaScript but numbers and two stretches of memory: what is said to
//! the program ([`hear`]) and what it says ([`said`]). The program never waits. An answer for which a part
//! of a table is missing names that part; whoever asked fetches it, [`give`]s it, and asks again.

use kanzen_registry::{Registry, Shelf, Stamp};
use kanzen_serve::publish::dressed;
use kanzen_serve::{Answer, Request, Site, Tables, answer};
use kanzen_table::{Carrier, Far, Source, Table, TableError, gather};
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Bytes of unpacked blocks that are kept of a table.
const CACHE: usize = 160 << 20;

/// What the site is made of, as `site.json` says it.
#[derive(Deserialize)]
struct Contents {
    /// The path of the first page without the last `/`.
    #[serde(default)]
    root: String,
    /// The games, in the order of the first page.
    games: Vec<String>,
    /// The tables.
    tables: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    /// The name of its file.
    name: String,
    bytes: u64,
    /// Whether it is fetched whole, and not piece by piece.
    whole: bool,
}

/// A question.
#[derive(Deserialize)]
struct Asked {
    /// Path and query below the first page.
    address: String,
    /// What the browser accepts.
    #[serde(default)]
    language: String,
    /// Seconds since 1970.
    #[serde(default)]
    now: u64,
    body: Option<String>,
}

/// What goes before the bytes of an answer.
#[derive(Serialize)]
struct Head {
    status: u16,
    media: &'static str,
    location: Option<String>,
    /// What is missing: the number of a table, and the first byte and the one after the last.
    lacks: Vec<(usize, u64, u64)>,
}

struct Program {
    root: String,
    site: Arc<Site>,
    tables: Vec<Arc<Far>>,
}

thread_local! {
    static HEARD: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static SAID: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static PROGRAM: RefCell<Option<Program>> = const { RefCell::new(None) };
    static NOW: Cell<u64> = const { Cell::new(0) };
}

/// Nothing is brought by the program itself.
struct Asker;

impl Carrier for Asker {
    fn bring(&self, _: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// The tables of the site.
struct Listing(Vec<(Arc<Far>, bool)>);

impl Listing {
    fn find(&self, name: &str) -> Option<&(Arc<Far>, bool)> {
        self.0.iter().find(|(table, _)| table.name() == name)
    }
}

impl Shelf for Listing {
    fn find(&self, name: &str) -> Result<Option<Table>, TableError> {
        let Some((table, whole)) = Listing::find(self, name) else { return Ok(None) };
        let path = Path::new(name);
        if *whole && !table.near() {
            let missing =
                |error: io::Error| TableError { path: path.into(), problem: error.into() };
            let length = table.length().map_err(missing)?;
            table.read_at(&mut vec![0; length as usize], 0).map_err(missing)?;
        }
        Table::from_source(path, Box::new(Arc::clone(table)), CACHE).map(Some)
    }

    fn stamp(&self, name: &str) -> Option<Stamp> {
        let (table, _) = Listing::find(self, name)?;
        Some((None, table.length().ok()?))
    }

    fn whole(&self, name: &str) -> bool {
        Listing::find(self, name).is_none_or(|(_, whole)| *whole)
    }
}

/// Opens a site.
///
/// # Errors
/// If its description cannot be read.
fn open(contents: &[u8]) -> Result<Program, serde_json::Error> {
    let contents: Contents = serde_json::from_slice(contents)?;
    let known = kanzen_games::all();
    let games: Registry = contents.games.iter().filter_map(|name| known.find(name).ok()).collect();
    let listed = contents.tables.into_iter().map(|table| {
        let far = Far::new(table.name, table.bytes, Box::new(Asker));
        (far, table.whole)
    });
    let listing = Listing(listed.collect());
    let tables = listing.0.iter().map(|(table, _)| Arc::clone(table)).collect();
    let site = Arc::new(Site::at_once(Tables::new(games, listing), || NOW.get()));
    Ok(Program { root: contents.root, site, tables })
}

impl Program {
    fn answer(&self, asked: &Asked) -> (Head, Vec<u8>) {
        NOW.set(asked.now);
        let request = Request {
            address: &asked.address,
            accept_language: &asked.language,
            body: asked.body.as_deref().map(str::as_bytes),
        };
        let (answer, lacks) = gather(|| answer(&self.site, request));
        let number = |far: &Arc<Far>| self.tables.iter().position(|table| Arc::ptr_eq(table, far));
        let mut lacks: Vec<(usize, u64, u64)> = lacks
            .iter()
            .filter_map(|(far, range)| Some((number(far)?, range.start, range.end)))
            .collect();
        lacks.sort_unstable();
        lacks.dedup();
        let Answer { status, media, location, body } = answer;
        let location = location.map(|location| format!("{}{location}", self.root));
        let body = match String::from_utf8(body) {
            Ok(text) if media.starts_with("text/html") => {
                dressed(&text, &self.root, false).into_bytes()
            }
            Ok(text) => text.into_bytes(),
            Err(bytes) => bytes.into_bytes(),
        };
        (Head { status, media, location, lacks }, body)
    }
}

fn say(text: &str, bytes: &[u8]) -> usize {
    SAID.with_borrow_mut(|said| {
        said.clear();
        said.extend_from_slice(text.as_bytes());
        said.push(b'\n');
        said.extend_from_slice(bytes);
        said.len()
    })
}

/// Where the next thing that is said to the program is to be written, so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn hear(bytes: usize) -> *mut u8 {
    HEARD.with_borrow_mut(|heard| {
        heard.clear();
        heard.resize(bytes, 0);
        heard.as_mut_ptr()
    })
}

/// Where the program has said something last.
#[unsafe(no_mangle)]
pub extern "C" fn said() -> *const u8 {
    SAID.with_borrow(|said| said.as_ptr())
}

/// Opens the site that `site.json` describes, which it has heard. Returns the length of what it says: a
/// line that is empty, or what is wrong.
#[unsafe(no_mangle)]
pub extern "C" fn begin() -> usize {
    // A program that fails says why before it ends.
    std::panic::set_hook(Box::new(|info| _ = say(&info.to_string(), &[])));
    match open(&HEARD.take()) {
        Ok(program) => {
            PROGRAM.set(Some(program));
            say("", &[])
        }
        Err(error) => say(&error.to_string(), &[]),
    }
}

/// Keeps bytes of a table, which it has heard, that begin at an offset.
#[unsafe(no_mangle)]
pub extern "C" fn give(table: usize, offset: f64) {
    let bytes = HEARD.take();
    PROGRAM.with_borrow(|program| {
        if let Some(table) = program.as_ref().and_then(|program| program.tables.get(table)) {
            table.give(offset as u64, bytes);
        }
    });
}

/// Answers a question, which it has heard. Returns the length of what it says: a line of JSON, and the
/// bytes of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> usize {
    let asked = serde_json::from_slice::<Asked>(&HEARD.take());
    let (head, body) = PROGRAM.with_borrow(|program| match (program, &asked) {
        (Some(program), Ok(asked)) => program.answer(asked),
        _ => {
            let text = match asked {
                Err(error) => format!("the question cannot be read: {error}"),
                Ok(_) => "there is no site yet".to_owned(),
            };
            let (media, location, lacks) = ("text/plain; charset=utf-8", None, Vec::new());
            (Head { status: 500, media, location, lacks }, text.into_bytes())
        }
    });
    say(&serde_json::to_string(&head).unwrap_or_default(), &body)
}
