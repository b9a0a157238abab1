//! Asks a running server many times and tells how fast it answers.
//!
//! `load ADDRESS CONNECTIONS REQUESTS PATH...`: the paths in turn, over so many connections that stay
//! open, each asking again as soon as it has its answer.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, connections, requests, paths @ ..] = &arguments[..] else {
        return Err("usage: load ADDRESS CONNECTIONS REQUESTS PATH...".into());
    };
    let (connections, requests): (usize, usize) = (connections.parse()?, requests.parse()?);
    let paths: Arc<[String]> = paths.into();
    // One thread: the server shall have the other cores.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let start = Instant::now();
    let mut times = runtime.block_on(async {
        let next = Arc::new(AtomicUsize::new(0));
        let clients = (0..connections)
            .map(|_| client(address.clone(), Arc::clone(&paths), Arc::clone(&next), requests));
        let clients: Vec<_> = clients.map(|client| runtime.spawn(client)).collect();
        let mut times = Vec::new();
        for client in clients {
            times.extend(client.await??);
        }
        Ok::<_, Box<dyn Error + Send + Sync>>(times)
    })?;
    let seconds = start.elapsed().as_secs_f64();
    times.sort();
    let share = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{} requests in {seconds:.1} s: {:.0} a second; median {:.2} ms, p99 {:.2} ms, longest {:.1} ms",
        times.len(),
        times.len() as f64 / seconds,
        share(0.5),
        share(0.99),
        share(1.0),
    );
    Ok(())
}

async fn client(
    address: String,
    paths: Arc<[String]>,
    next: Arc<AtomicUsize>,
    requests: usize,
) -> Result<Vec<Duration>> {
    let mut stream = BufReader::new(TcpStream::connect(&address).await?);
    let mut times = Vec::new();
    let mut body = Vec::new();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= requests {
            return Ok(times);
        }
        let path = &paths[number % paths.len()];
        let start = Instant::now();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n");
        stream.write_all(request.as_bytes()).await?;
        let mut length = 0;
        let mut line = String::new();
        let mut status = String::new();
        loop {
            line.clear();
            if stream.read_line(&mut line).await? == 0 {
                return Err("the server has closed the connection".into());
            }
            if status.is_empty() {
                status = line.trim_end().to_owned();
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
            if line == "\r\n" {
                break;
            }
        }
        body.resize(length, 0);
        stream.read_exact(&mut body).await?;
        if !status.contains(" 200 ") {
            return Err(format!("{path}: {status}").into());
        }
        times.push(start.elapsed());
    }
}
