//! Connections: how many, and how patiently they are served.

use crate::http::connections::{Connections, Patient, Seat};
use crate::http::limits;
use crate::http::routes::router;
use crate::state::lane::ASKER;
use crate::state::site::Site;
use crate::state::solver::{Solvers, solve_quick};
use crate::state::tables::Tables;
use axum::Router;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use kanzen_registry::{Registry, Shelf};
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tower::ServiceExt;

/// How often files and the wish to stop are looked at.
const LOOK: Duration = Duration::from_millis(500);

/// What to serve, and where.
pub struct Config {
    /// The games.
    pub registry: Registry,
    /// The directory of tables.
    pub dir: PathBuf,
    /// Where tables are instead, if they are elsewhere.
    pub from: Option<Arc<dyn Shelf>>,
    /// The address to listen at.
    pub host: String,
    /// The port; 0 takes any that is free.
    pub port: u16,
    /// Whether to solve in the background what is quick to solve.
    pub solve_quick: bool,
    /// Who may begin solves on pages.
    pub solvers: Solvers,
    /// The most memory that tables, rendered pages and work in the background may take, in bytes;
    /// none takes what is usual for a solve.
    pub memory: Option<u64>,
}

/// Serves until `stop` is set. `ready` hears of the address once it can be opened.
pub fn run(
    config: &Config,
    stop: &'static AtomicBool,
    ready: impl FnOnce(SocketAddr),
) -> io::Result<()> {
    try_threads()?;
    // A few threads more than workers: one looks after tables, one after what is to be solved.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(limits::WORKERS + limits::BULK_WORKERS + 4)
        .build()?;
    let shelf = config.from.clone().unwrap_or_else(|| Arc::new(config.dir.clone()));
    let tables = Tables::new(config.registry.clone(), shelf);
    let mut site = match config.memory {
        Some(memory) => Site::with_memory(tables, memory),
        None => Site::new(tables),
    };
    let bound = runtime.block_on(async {
        let listener = listen(&config.host, config.port).await?;
        let address = listener.local_addr()?;
        Ok::<_, io::Error>((listener, address))
    });
    let (listener, address) = bound?;
    // Who is local cannot be told where others in the network come in.
    let nobody = config.solvers == Solvers::Local && !address.ip().is_loopback();
    site.solvers = if nobody { Solvers::Nobody } else { config.solvers };
    let site = Arc::new(site);
    runtime.block_on(async {
        tracing::info!(%address, "listening");
        ready(address);
        tokio::task::spawn_blocking({
            let site = Arc::clone(&site);
            move || warm(&site)
        });
        if config.solve_quick {
            let site = Arc::clone(&site);
            tokio::task::spawn_blocking(move || solve_quick(&site));
        }
        tokio::select! {
            () = look(&site, stop) => {}
            () = accept(listener, router(Arc::clone(&site))) => {}
        }
    });
    // A solve that runs keeps its checkpoint before the program ends.
    site.solves.stop();
    while site.solves.running() {
        std::thread::sleep(LOOK);
    }
    runtime.shutdown_background();
    Ok(())
}

/// Listens where it can, with room for many newcomers: what does not fit waits for a second and more.
async fn listen(host: &str, port: u16) -> io::Result<TcpListener> {
    let mut problem = io::Error::other(format!("'{host}' is no address"));
    for address in tokio::net::lookup_host((host, port)).await? {
        let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        #[cfg(unix)]
        socket.set_reuseaddr(true)?;
        match socket.bind(address).and_then(|()| socket.listen(limits::NEWCOMERS)) {
            Ok(listener) => return Ok(listener),
            Err(error) => problem = error,
        }
    }
    Err(problem)
}

/// Makes sure that there is room for the threads to come: the runtime would panic without it.
fn try_threads() -> io::Result<()> {
    const MOMENT: Duration = Duration::from_millis(20);
    let count = std::thread::available_parallelism().map_or(1, usize::from) + 2;
    let begin = |_| std::thread::Builder::new().spawn(|| std::thread::sleep(MOMENT));
    let begun: io::Result<Vec<_>> = (0..count).map(begin).collect();
    let told = |error| io::Error::other(format!("too little memory for {count} threads: {error}"));
    begun.map_err(told)?.into_iter().for_each(|thread| _ = thread.join());
    Ok(())
}

/// Builds every game once, so that nobody has to wait for its index.
fn warm(site: &Site) {
    for entry in site.tables.registry().entries() {
        if let Ok(variant) = site.tables.variant(entry.name, &[]) {
            _ = variant.solved();
        }
    }
}

/// Accepts connections. It is done by the thread of the program itself, which has nothing else to do: who comes
/// while others wait to be accepted waits with them, and when too many wait, for seconds.
async fn accept(listener: TcpListener, router: Router) {
    let connections = Connections::default();
    loop {
        while connections.are_leaving() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        match listener.accept().await {
            Ok((stream, address)) => {
                let seat = connections.enter(address.ip());
                tokio::spawn(connection(stream, seat, router.clone()));
            }
            // Too many open files, for instance: others will be closed soon.
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

/// Looks after the tables until `stop` is set.
async fn look(site: &Arc<Site>, stop: &AtomicBool) {
    while !stop.load(Relaxed) {
        tokio::time::sleep(LOOK).await;
        let site = Arc::clone(site);
        _ = tokio::task::spawn_blocking(move || site.tables.look()).await;
    }
}

/// Serves a connection; one that sends no request or reads no answer in time, makes room for another or
/// is old is closed.
async fn connection(stream: TcpStream, seat: Seat, router: Router) {
    _ = stream.set_nodelay(true);
    let client = Arc::clone(&seat.client);
    let service = tower::service_fn(move |request| {
        let (router, client) = (router.clone(), Arc::clone(&client));
        async move {
            client.serve(true);
            let response = ASKER.scope(client.address, router.oneshot(request)).await;
            client.serve(false);
            response
        }
    });
    let stream = TokioIo::new(Patient::new(stream, Arc::clone(&seat.client)));
    let served = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits::HEAD_TIME)
        .serve_connection(stream, TowerToHyperService::new(service));
    tokio::select! {
        biased;
        () = seat.client.must_leave() => {}
        () = tokio::time::sleep(limits::LIFETIME) => {}
        _ = seat.client.in_turn(served) => {}
    }
}
