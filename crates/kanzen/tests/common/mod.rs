//! A plain web server for the files of a folder, as anybody has one: it knows parts of files, leads from
//! a folder's name to its first page, and nothing else. It can also do what bad servers do.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

/// What a server knows of ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranges {
    /// Several at once.
    Many,
    /// One at a time.
    One,
    /// None: it always sends the whole file.
    None,
}

/// A server on a port of its own, which ends with this.
pub struct Files {
    pub address: SocketAddr,
    state: Arc<State>,
}

struct State {
    folder: PathBuf,
    ranges: Mutex<Ranges>,
    stop: AtomicBool,
    /// The most bytes of a body that are sent before the connection breaks off.
    cut: AtomicU64,
    requests: AtomicU64,
    bytes: AtomicU64,
    lines: Mutex<Vec<String>>,
}

impl Files {
    pub fn serve(folder: &Path) -> Files {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State {
            folder: folder.to_owned(),
            ranges: Mutex::new(Ranges::Many),
            stop: AtomicBool::new(false),
            cut: AtomicU64::new(u64::MAX),
            requests: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            lines: Mutex::default(),
        });
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if shared.stop.load(SeqCst) {
                    return;
                }
                let (Ok(stream), state) = (stream, Arc::clone(&shared)) else { continue };
                std::thread::spawn(move || state.connection(&stream));
            }
        });
        Files { address, state }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn know(&self, ranges: Ranges) {
        *self.state.ranges.lock().unwrap() = ranges;
    }

    /// Breaks off after so many bytes of a body.
    pub fn cut(&self, bytes: u64) {
        self.state.cut.store(bytes, SeqCst);
    }

    /// The requests and the bytes of bodies since the last time.
    pub fn traffic(&self) -> (u64, u64) {
        (self.state.requests.swap(0, SeqCst), self.state.bytes.swap(0, SeqCst))
    }

    /// What was asked for since the last time.
    pub fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.state.lines.lock().unwrap())
    }

    /// Answers nobody any more.
    pub fn stop(&self) {
        self.state.stop.store(true, SeqCst);
        // Whoever waits for a connection is woken by one, and is gone when there is none any more.
        while TcpStream::connect(self.address).is_ok() {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        self.stop();
    }
}

impl State {
    fn connection(&self, stream: &TcpStream) {
        let mut lines = BufReader::new(stream);
        loop {
            let mut head = Vec::new();
            loop {
                let mut line = String::new();
                match lines.read_line(&mut line) {
                    Ok(0) | Err(_) => return,
                    Ok(_) if line.trim().is_empty() => break,
                    Ok(_) => head.push(line.trim().to_owned()),
                }
            }
            if self.stop.load(SeqCst) || self.answer(&head, stream).is_err() {
                return;
            }
        }
    }

    fn answer(&self, head: &[String], mut stream: &TcpStream) -> std::io::Result<()> {
        let path = head[0].split(' ').nth(1).unwrap_or("/");
        let path = path.split('?').next().unwrap();
        let range = head.iter().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("range").then(|| value.strip_prefix("bytes="))?
        });
        self.requests.fetch_add(1, SeqCst);
        self.lines.lock().unwrap().push(format!("{path} {}", range.unwrap_or("")));
        let file = self.folder.join(path.trim_start_matches('/'));
        let empty = |status: &str, more: &str| {
            format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n{more}\r\n")
        };
        if path.contains("..") || !file.exists() {
            return stream.write_all(empty("404 Not Found", "").as_bytes());
        }
        if file.is_dir() && !path.ends_with('/') {
            let query = head[0].split(' ').nth(1).and_then(|all| all.split_once('?'));
            let query = query.map_or(String::new(), |(_, query)| format!("?{query}"));
            let to = format!("location: {path}/{query}\r\n");
            return stream.write_all(empty("301 Moved Permanently", &to).as_bytes());
        }
        let file = if file.is_dir() { file.join("index.html") } else { file };
        let Ok(bytes) = fs::read(&file) else {
            return stream.write_all(empty("404 Not Found", "").as_bytes());
        };
        let media = match file.extension().and_then(|ending| ending.to_str()) {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css",
            Some("js") => "text/javascript",
            Some("json" | "webmanifest") => "application/json",
            Some("svg") => "image/svg+xml",
            Some("wasm") => "application/wasm",
            _ => "application/octet-stream",
        };
        let total = bytes.len();
        let part = |text: &str| -> Option<(usize, usize)> {
            let (start, last) = text.trim().split_once('-')?;
            let start: usize = start.parse().ok()?;
            let end = last.parse().map_or(total, |last: usize| (last + 1).min(total));
            (start < end).then_some((start, end))
        };
        let known = *self.ranges.lock().unwrap();
        let parts: Option<Option<Vec<_>>> = range
            .filter(|range| known == Ranges::Many || known == Ranges::One && !range.contains(','))
            .map(|range| range.split(',').map(part).collect());
        let (status, more, body) = match parts {
            None => ("200 OK", format!("content-type: {media}\r\n"), bytes),
            Some(None) => {
                let more = format!("content-range: bytes */{total}\r\n");
                return stream.write_all(empty("416 Range Not Satisfiable", &more).as_bytes());
            }
            Some(Some(parts)) if parts.len() == 1 => {
                let (start, end) = parts[0];
                let more = format!(
                    "content-type: {media}\r\ncontent-range: bytes {start}-{}/{total}\r\n",
                    end - 1
                );
                ("206 Partial Content", more, bytes[start..end].to_vec())
            }
            Some(Some(parts)) => {
                let mut body = Vec::new();
                for (start, end) in parts {
                    let head = format!(
                        "\r\n--seam\r\ncontent-type: {media}\r\ncontent-range: bytes {start}-{}/{total}\r\n\r\n",
                        end - 1
                    );
                    body.extend_from_slice(head.as_bytes());
                    body.extend_from_slice(&bytes[start..end]);
                }
                body.extend_from_slice(b"\r\n--seam--\r\n");
                let more = "content-type: multipart/byteranges; boundary=seam\r\n".to_owned();
                ("206 Partial Content", more, body)
            }
        };
        let changed = fs::metadata(&file)?.modified()?;
        let tag = changed.duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_nanos();
        let head = format!(
            "HTTP/1.1 {status}\r\n{more}etag: \"{tag:x}-{total:x}\"\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes())?;
        let cut = self.cut.load(SeqCst).min(body.len() as u64) as usize;
        self.bytes.fetch_add(cut as u64, SeqCst);
        stream.write_all(&body[..cut])?;
        if cut < body.len() { Err(std::io::ErrorKind::ConnectionAborted.into()) } else { Ok(()) }
    }
}
