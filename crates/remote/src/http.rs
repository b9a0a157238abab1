//! Requests for files and parts of files.

use crate::RemoteError;
use std::io::Read;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use ureq::http::{Response, header};
use ureq::{Agent, Body};

/// Parts of a file that are asked for in one request.
const PARTS: usize = 64;
/// Ranges with no more bytes between them are fetched as one.
const GAP: u64 = 512;
/// Bytes that a list may have.
const LIST: u64 = 16 << 20;

/// Asks a server.
#[derive(Clone)]
pub struct Client(Agent);

/// A file on a server.
pub struct Distant {
    client: Client,
    /// Its address.
    pub url: String,
    /// Its length, which every answer must agree with.
    pub bytes: u64,
    /// What the server calls this state of it, once it has said so.
    tag: Mutex<Option<String>>,
    /// Whether the server has shown that it knows single ranges only.
    single: AtomicBool,
}

impl Default for Client {
    fn default() -> Client {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_connect(Some(Duration::from_secs(10)))
            .timeout_recv_response(Some(Duration::from_secs(30)))
            .user_agent(concat!("kanzen/", env!("CARGO_PKG_VERSION")));
        Client(Agent::new_with_config(config.build()))
    }
}

fn unreachable(url: &str) -> impl Fn(String) -> RemoteError {
    let url = url.to_owned();
    move |why| RemoteError::Unreachable { url: url.clone(), why }
}

impl Client {
    fn ask(&self, url: &str, range: Option<&str>) -> Result<Response<Body>, RemoteError> {
        // Packed bytes have other offsets.
        let mut request = self.0.get(url).header("accept-encoding", "identity");
        if let Some(range) = range {
            request = request.header("range", range);
        }
        request.call().map_err(|error| unreachable(url)(error.to_string()))
    }

    /// A list; none if there is none.
    pub fn list(&self, url: &str) -> Result<Option<Vec<u8>>, RemoteError> {
        let mut response = self.ask(url, None)?;
        match response.status().as_u16() {
            200 => {
                let body = response.body_mut().with_config().limit(LIST).read_to_vec();
                body.map(Some).map_err(|error| unreachable(url)(error.to_string()))
            }
            404 | 403 | 410 => Ok(None),
            status => Err(RemoteError::Status { url: url.to_owned(), status }),
        }
    }
}

/// The range and the length of the whole that a header such as `bytes 0-63/1000` tells.
fn content_range(text: &str) -> Option<(Range<u64>, Option<u64>)> {
    let (range, total) = text.trim().strip_prefix("bytes")?.trim().split_once('/')?;
    let (start, last) = range.split_once('-')?;
    let (start, last): (u64, u64) = (start.trim().parse().ok()?, last.trim().parse().ok()?);
    let end = last.checked_add(1).filter(|&end| start < end)?;
    Some((start..end, total.trim().parse().ok()))
}

/// A range, the length of the whole if it is told, and the bytes.
type Part = (Range<u64>, Option<u64>, Vec<u8>);
/// A range and its bytes.
type Piece = (Range<u64>, Vec<u8>);

/// The parts of a `multipart/byteranges` body.
fn parts(body: &[u8], boundary: &str) -> Option<Vec<Part>> {
    let sign = format!("--{boundary}");
    let find = |bytes: &[u8], what: &[u8]| bytes.windows(what.len()).position(|seen| seen == what);
    let mut parts = Vec::new();
    let mut rest = &body[find(body, sign.as_bytes())? + sign.len()..];
    while !rest.starts_with(b"--") {
        let head = find(rest, b"\r\n\r\n")?;
        let lines = std::str::from_utf8(&rest[..head]).ok()?.lines();
        let mut ranges = lines.filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.trim().eq_ignore_ascii_case("content-range").then(|| content_range(value))?
        });
        let (range, total) = ranges.next()?;
        let start = head + 4;
        let length = usize::try_from(range.end - range.start).ok()?;
        let end = start.checked_add(length)?;
        parts.push((range, total, rest.get(start..end)?.to_vec()));
        // The bytes themselves may hold anything: the boundary is looked for behind them.
        let after = rest.get(end..)?;
        rest = &after[find(after, sign.as_bytes())? + sign.len()..];
    }
    Some(parts)
}

impl Distant {
    /// A file of so many bytes.
    pub fn new(client: Client, url: String, bytes: u64) -> Distant {
        Distant { client, url, bytes, tag: Mutex::default(), single: AtomicBool::new(false) }
    }

    fn changed(&self, what: impl Into<String>) -> RemoteError {
        RemoteError::Changed { url: self.url.clone(), what: what.into() }
    }

    /// Makes sure that the file is still the same.
    fn same(&self, response: &Response<Body>) -> Result<(), RemoteError> {
        let header = |name| {
            let value = response.headers().get(name).and_then(|value| value.to_str().ok());
            value.map(str::to_owned)
        };
        let Some(found) = header(header::ETAG).or_else(|| header(header::LAST_MODIFIED)) else {
            return Ok(());
        };
        let mut tag = self.tag.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match &*tag {
            Some(known) if *known != found => Err(self.changed("it has changed meanwhile")),
            _ => {
                *tag = Some(found);
                Ok(())
            }
        }
    }

    fn of_length(&self, total: Option<u64>) -> Result<(), RemoteError> {
        match total {
            Some(total) if total != self.bytes => {
                Err(self.changed(format!("it has {total} bytes and should have {}", self.bytes)))
            }
            _ => Ok(()),
        }
    }

    /// The bytes of ranges, in rising order, by as few requests as can be.
    pub fn ranges(&self, ranges: &[Range<u64>]) -> Result<Vec<Vec<u8>>, RemoteError> {
        let mut joined: Vec<Range<u64>> = Vec::new();
        for range in ranges {
            match joined.last_mut() {
                Some(last) if range.start <= last.end.saturating_add(GAP) => {
                    last.end = last.end.max(range.end);
                }
                _ => joined.push(range.clone()),
            }
        }
        let mut found: Vec<Piece> = Vec::new();
        let parts = if self.single.load(Relaxed) { 1 } else { PARTS };
        for some in joined.chunks(parts) {
            found.extend(self.some(some)?);
        }
        // A server that sends fewer parts than it was asked for is asked for each.
        for range in &joined {
            if !found.iter().any(|(has, _)| has.start <= range.start && range.end <= has.end) {
                found.extend(self.some(std::slice::from_ref(range))?);
            }
        }
        let part = |range: &Range<u64>| {
            let (has, bytes) =
                found.iter().find(|(has, _)| has.start <= range.start && range.end <= has.end)?;
            let start = (range.start - has.start) as usize;
            Some(bytes.get(start..start + (range.end - range.start) as usize)?.to_vec())
        };
        let all: Option<Vec<Vec<u8>>> = ranges.iter().map(part).collect();
        all.ok_or_else(|| self.changed("a part of it did not come"))
    }

    /// What one request for ranges brings.
    fn some(&self, ranges: &[Range<u64>]) -> Result<Vec<Piece>, RemoteError> {
        let said: Vec<String> =
            ranges.iter().map(|range| format!("{}-{}", range.start, range.end - 1)).collect();
        let said = format!("bytes={}", said.join(","));
        let mut response = self.client.ask(&self.url, Some(&said))?;
        let url = || self.url.clone();
        match response.status().as_u16() {
            206 => {}
            200 if ranges.len() > 1 => {
                // The file, which is on its way, is not read.
                drop(response);
                self.single.store(true, Relaxed);
                let each = ranges.iter().map(|range| self.some(std::slice::from_ref(range)));
                return Ok(each.collect::<Result<Vec<_>, _>>()?.concat());
            }
            200 => return Err(RemoteError::NoRanges(url())),
            416 => return Err(self.changed("it is shorter than it should be")),
            404 => return Err(self.changed("it is not there any more")),
            status => return Err(RemoteError::Status { url: url(), status }),
        }
        self.same(&response)?;
        let text = |name| {
            response
                .headers()
                .get(name)
                .and_then(|value| value.to_str().ok())
                .unwrap_or("")
                .to_owned()
        };
        let (kind, range) = (text(header::CONTENT_TYPE), text(header::CONTENT_RANGE));
        let wanted: u64 = ranges.iter().map(|range| range.end - range.start).sum();
        let most = match content_range(&range) {
            Some((range, _)) => range.end - range.start,
            None => wanted + 1024 * ranges.len() as u64 + 4096,
        };
        let mut body = Vec::new();
        let read =
            response.body_mut().as_reader().take(most.saturating_add(1)).read_to_end(&mut body);
        read.map_err(|error| unreachable(&self.url)(error.to_string()))?;
        let parts = match kind.split_once("boundary=") {
            Some((_, boundary)) if kind.starts_with("multipart/byteranges") => {
                parts(&body, boundary.split(';').next().unwrap_or("").trim().trim_matches('"'))
            }
            _ => content_range(&range).map(|(range, total)| vec![(range, total, body)]),
        };
        let parts = parts.ok_or_else(|| {
            unreachable(&self.url)(
                "the server's answer to a request for parts cannot be read".into(),
            )
        })?;
        let mut found = Vec::new();
        for (range, total, bytes) in parts {
            self.of_length(total)?;
            if bytes.len() as u64 != range.end - range.start {
                return Err(unreachable(&self.url)("the connection broke off".to_owned()));
            }
            found.push((range, bytes));
        }
        Ok(found)
    }

    /// The rest of the file from an offset on, and the offset at which the server begins: 0 if it sends
    /// whole files only.
    pub fn rest(&self, offset: u64) -> Result<(u64, Response<Body>), RemoteError> {
        let range = (offset > 0).then(|| format!("bytes={offset}-"));
        let response = self.client.ask(&self.url, range.as_deref())?;
        let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
        let begin = match response.status().as_u16() {
            200 => {
                let total = header(header::CONTENT_LENGTH).and_then(|text| text.parse().ok());
                self.of_length(total)?;
                0
            }
            206 => {
                let (range, total) =
                    header(header::CONTENT_RANGE).and_then(content_range).ok_or_else(|| {
                        unreachable(&self.url)("the server does not say what it sends".into())
                    })?;
                self.of_length(total)?;
                range.start
            }
            404 => return Err(self.changed("it is not there any more")),
            416 => return Err(self.changed("it is shorter than it should be")),
            status => return Err(RemoteError::Status { url: self.url.clone(), status }),
        };
        self.same(&response)?;
        Ok((begin, response))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        assert_eq!(content_range("bytes 0-63/1000"), Some((0..64, Some(1000))));
        assert_eq!(content_range("bytes 5-5/*"), Some((5..6, None)));
        for wrong in ["", "bytes */5", "bytes 5-4/9", "bytes 1-18446744073709551615/3", "x 1-2/3"] {
            assert_eq!(content_range(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn parts_hold_anything_even_what_looks_like_their_end() {
        let body = b"\r\n--b\r\nContent-Range: bytes 0-7/20\r\n\r\n--b--\r\n!\r\n--b\r\n\
                     content-type: x\r\ncontent-range: bytes 10-11/20\r\n\r\nhi\r\n--b--\r\n";
        let found = parts(body, "b").unwrap();
        assert_eq!(found[0], (0..8, Some(20), b"--b--\r\n!".to_vec()));
        assert_eq!(found[1], (10..12, Some(20), b"hi".to_vec()));
        assert_eq!(parts(&body[..40], "b"), None, "cut off");
        assert_eq!(parts(b"", "b"), None);
    }
}
