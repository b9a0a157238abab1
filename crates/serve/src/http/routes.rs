//! From addresses to answers.

use crate::answer::{
    Answering, BATCH, HTML, JSON, Render, Route, routes, seen_from, trouble_json, trouble_page,
};
use crate::api::endpoints::check;
use crate::api::{self, ErrorAnswer};
use crate::http::assets::{ASSETS, VERSION};
use crate::http::errors::Trouble;
use crate::http::language::of_headers;
use crate::http::limits;
use crate::pages::page::Reply;
use crate::state::site::{Kept, Site};
use crate::state::solver::{self, Solvers};
use crate::url::query::Query;
use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequestParts, Path, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use kanzen_core::Language;
use kanzen_registry::Registry;
use std::convert::Infallible;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;
use tower_http::compression::CompressionLayer;

type Shared = State<Arc<Site>>;

/// Nothing but what the program itself carries: no inline script or style, no other host.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// All routes.
pub fn router(site: Arc<Site>) -> Router {
    let router = routes().into_iter().fold(Router::new(), |router, (path, route)| match route {
        Route::Page(render) => router.route(path, page(render)),
        Route::Data { media, lasts, answer } => router.route(path, data(media, lasts, answer)),
    });
    router
        .route("/assets/{version}/{name}", get(asset))
        .route("/favicon.ico", get(icon))
        .route("/healthz", get(async || "ok\n"))
        .route("/metrics", get(counts))
        .route(BATCH, post(api_batch).options(preflight))
        .route("/{game}/solve", post(solve))
        .fallback(nothing)
        .method_not_allowed_fallback(wrong_method)
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&site), guard))
        .layer(CompressionLayer::new())
        .with_state(site)
}

/// The same for a board that other sites may show in a frame.
const FRAMED: &str = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors *";

/// Marks an answer that may be shown in a frame.
#[derive(Clone, Copy)]
struct Framed;

/// Refuses endless addresses, counts answers, and gives each the headers that protect its reader.
async fn guard(State(site): Shared, request: Request, next: axum::middleware::Next) -> Response {
    let begin = Instant::now();
    let api = request.uri().path().starts_with("/api/");
    let long =
        request.uri().path_and_query().is_some_and(|all| all.as_str().len() > limits::ADDRESS);
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let mut response =
        if long { StatusCode::URI_TOO_LONG.into_response() } else { next.run(request).await };
    let (status, took) = (response.status().as_u16(), begin.elapsed());
    site.counts.add(status, took);
    let milliseconds = took.as_millis() as u64;
    match status {
        // A fault of the program; what is busy or broken; everything else.
        500 => tracing::error!(%method, path, status, milliseconds, "failed"),
        501.. => tracing::warn!(%method, path, status, milliseconds, "not answered"),
        _ => tracing::info!(%method, path, status, milliseconds, "answered"),
    }
    let framed = response.extensions().get::<Framed>().is_some();
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    if api {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"))
    } else {
        let policy = if framed { FRAMED } else { POLICY };
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy))
    };
    response
}

/// What a browser asks before a request to another origin.
async fn preflight() -> Response {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, OPTIONS"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "content-type, if-none-match"),
        (header::ACCESS_CONTROL_MAX_AGE, "86400"),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}

/// A request as the pages need it.
struct Asked {
    address: String,
    query: Query,
    language: Language,
    /// The language that the address itself asks for.
    chosen: Option<Language>,
    /// Scheme and host as the reader sees them; '' if that is not known.
    origin: String,
    known: Option<String>,
}

impl<S: Sync> FromRequestParts<S> for Asked {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Asked, Infallible> {
        let (uri, headers) = (&parts.uri, &parts.headers);
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or("");
        let query = Query::parse(uri.query().unwrap_or(""));
        let chosen = query.get("lang").and_then(Language::of_tag);
        let known = headers.get(header::IF_NONE_MATCH).and_then(|known| known.to_str().ok());
        Ok(Asked {
            address: uri.path_and_query().map_or("/", |all| all.as_str()).to_owned(),
            query,
            language: chosen
                .unwrap_or_else(|| of_headers(text(header::COOKIE), text(header::ACCEPT_LANGUAGE))),
            chosen,
            origin: origin(text(header::HOST), text(HeaderName::from_static("x-forwarded-proto"))),
            known: known.map(str::to_owned),
        })
    }
}

/// Where the reader sees the site.
fn origin(host: &str, scheme: &str) -> String {
    let known = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
    if host.is_empty() || !host.chars().all(known) {
        return String::new();
    }
    let scheme = if scheme == "https" { "https" } else { "http" };
    format!("{scheme}://{host}")
}

fn keep(body: Bytes) -> Kept {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    Kept { body, tag: hasher.finish(), framed: false }
}

/// Sends a rendered answer, or word that the browser has it already.
fn send(kept: Kept, asked: &Asked, media: &'static str, caching: &'static str) -> Response {
    let tag = format!("\"{:016x}\"", kept.tag);
    let mut response = match asked.known.as_deref() {
        Some(known) if known.contains(&tag) => StatusCode::NOT_MODIFIED.into_response(),
        _ => ([(header::CONTENT_TYPE, media)], kept.body).into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

/// The route of a page.
fn page(render: Render) -> MethodRouter<Arc<Site>> {
    get(async move |State(site): Shared, game: Option<Path<String>>, asked: Asked| {
        let key = (asked.address.clone(), asked.language, site.tables.generation());
        let asked = Arc::new(asked);
        let same = Arc::clone(&asked);
        let rendered = match site.kept.get(&key) {
            Some(kept) => Ok(Ok(kept)),
            None => {
                let game = game.map_or(String::new(), |Path(game)| game);
                site.work(move |site| {
                    Ok(match render(site, &game, &same.query, same.language)? {
                        Reply::Lasting(page) => {
                            let kept = keep(page.into_string().into());
                            site.kept.insert(key, kept.clone());
                            Ok(kept)
                        }
                        Reply::Framed(page) => {
                            let kept = Kept { framed: true, ..keep(page.into_string().into()) };
                            site.kept.insert(key, kept.clone());
                            Ok(kept)
                        }
                        Reply::Passing(page) => Ok(keep(page.into_string().into())),
                        Reply::Moved(address) => Err(address),
                    })
                })
                .await
            }
        };
        let response = match rendered {
            Ok(Ok(kept)) => {
                let framed = kept.framed;
                let body = match std::str::from_utf8(&kept.body) {
                    Ok(page) if !asked.origin.is_empty() => seen_from(page, &asked.origin).into(),
                    _ => kept.body.clone(),
                };
                let mut response = send(Kept { body, ..kept }, &asked, HTML, "private, no-cache");
                if framed {
                    response.extensions_mut().insert(Framed);
                }
                response
            }
            Ok(Err(moved)) => (StatusCode::SEE_OTHER, [(header::LOCATION, moved)]).into_response(),
            Err(trouble) => refused(&trouble, &asked, site.tables.registry()),
        };
        finish(response, &asked)
    })
}

/// Remembers the language that was chosen.
fn finish(mut response: Response, asked: &Asked) -> Response {
    let headers = response.headers_mut();
    headers
        .insert(header::VARY, HeaderValue::from_static("accept-language, cookie, accept-encoding"));
    headers.insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(asked.language.tag()));
    if let Some(language) = asked.chosen {
        let cookie = format!("lang={}; Path=/; Max-Age=31536000; SameSite=Lax", language.tag());
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            headers.insert(header::SET_COOKIE, cookie);
        }
    }
    response
}

fn refused(error: &Trouble, asked: &Asked, games: &Registry) -> Response {
    let page = trouble_page(error, &asked.address, &asked.query, asked.language, games);
    let headers = [(header::CONTENT_TYPE, HTML), (header::CACHE_CONTROL, "no-store")];
    (status(error), headers, page).into_response()
}

fn status(error: &Trouble) -> StatusCode {
    StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

async fn asset(Path((version, name)): Path<(String, String)>) -> Response {
    let Some(asset) = ASSETS.iter().find(|asset| asset.name == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    // An old address gets the new file, but may not keep it.
    let caching =
        if version == *VERSION { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = [(header::CONTENT_TYPE, asset.media), (header::CACHE_CONTROL, caching)];
    (headers, asset.parts.concat()).into_response()
}

/// For those who watch the server.
async fn counts(State(site): Shared) -> Response {
    let media = "text/plain; version=0.0.4; charset=utf-8";
    ([(header::CONTENT_TYPE, media)], site.counts.text(site.at_work())).into_response()
}

async fn icon() -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, crate::http::assets::address("icon.svg"))])
        .into_response()
}

fn refused_json(trouble: &Trouble) -> Response {
    let headers = [(header::CONTENT_TYPE, JSON), (header::CACHE_CONTROL, "no-store")];
    (status(trouble), headers, trouble_json(trouble)).into_response()
}

/// The route of something for programs; its answers may be kept if they last.
fn data(media: &'static str, lasts: bool, answer: Answering) -> MethodRouter<Arc<Site>> {
    let answered = async move |State(site): Shared, game: Option<Path<String>>, asked: Asked| {
        let game = game.map_or(String::new(), |Path(game)| game);
        // Programs have no language: English stands for all.
        let key = (asked.address.clone(), Language::English, site.tables.generation());
        let kept = lasts.then(|| site.kept.get(&key)).flatten();
        let answered = match kept {
            Some(kept) => Ok(kept),
            None => {
                let (query, answer) = (asked.query.clone(), Arc::clone(&answer));
                site.work(move |site| {
                    let kept = keep(answer(site, &game, &query)?.into());
                    if lasts {
                        site.kept.insert(key, kept.clone());
                    }
                    Ok(kept)
                })
                .await
            }
        };
        match answered {
            Ok(kept) if lasts => send(kept, &asked, media, "public, max-age=3600"),
            Ok(kept) => send(kept, &asked, media, "no-cache"),
            Err(trouble) => refused_json(&trouble),
        }
    };
    get(answered).options(preflight)
}

async fn api_batch(
    State(site): Shared,
    Path(game): Path<String>,
    asked: Asked,
    body: Body,
) -> Response {
    let received = tokio::time::timeout(limits::TIME, to_bytes(body, limits::BODY)).await;
    let body = match received {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => return refused_json(&Trouble::Long(limits::BODY)),
        Err(_) => return refused_json(&Trouble::field("body", "it did not arrive in time")),
    };
    let query = asked.query.clone();
    let work = move |site: &Arc<Site>| {
        check(BATCH, &query)?;
        let answer = api::batch(site, &game, &query, &body)?;
        serde_json::to_vec(&answer).map_err(|_| Trouble::Fault)
    };
    match site.work_in_bulk(work).await {
        Ok(body) => send(keep(body.into()), &asked, JSON, "no-cache"),
        Err(trouble) => refused_json(&trouble),
    }
}

/// Begins or pauses a solve, as a form of a page of this site says.
async fn solve(
    State(site): Shared,
    Path(game): Path<String>,
    asked: Asked,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let received = tokio::time::timeout(limits::TIME, to_bytes(body, limits::FORM)).await;
    let form = match received {
        Ok(Ok(body)) => Query::parse(&String::from_utf8_lossy(&body)),
        _ => return refused(&Trouble::Long(limits::FORM), &asked, site.tables.registry()),
    };
    let query = asked.query.clone();
    let allowed = may_solve(site.solvers, &headers);
    let done = site.work(move |site| {
        allowed?;
        let variant = site.tables.variant(&game, &query.all("o"))?;
        match form.get("do") {
            Some("begin") => solver::begin(site, &variant)?,
            Some("pause") => site.solves.pause(&variant),
            _ => return Err(Trouble::field("do", "it is neither 'begin' nor 'pause'")),
        }
        Ok(variant.address("").text())
    });
    match done.await {
        Ok(address) => (StatusCode::SEE_OTHER, [(header::LOCATION, address)]).into_response(),
        Err(trouble) => refused(&trouble, &asked, site.tables.registry()),
    }
}

/// Whether the one who sent a form may begin solves. The form must come from a page of this site; where
/// only local readers may, the site must have been asked for by a local name, so that a name that
/// somebody else points here does not do.
fn may_solve(solvers: Solvers, headers: &HeaderMap) -> Result<(), Trouble> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or("");
    let (host, origin) = (text(header::HOST), text(header::ORIGIN));
    let own = origin.split_once("://").is_some_and(|(_, of)| of == host);
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let address = name.trim_matches(['[', ']']).parse::<IpAddr>();
    let local = name == "localhost" || address.is_ok_and(|address| address.is_loopback());
    match solvers {
        Solvers::Nobody => Err(Trouble::Forbidden("nobody may begin solves on this server")),
        _ if !own => Err(Trouble::Forbidden("solves are begun on the pages of this site alone")),
        Solvers::Local if !local => {
            Err(Trouble::Forbidden("solves are begun on the machine of the server alone"))
        }
        Solvers::Local | Solvers::All => Ok(()),
    }
}

async fn nothing(State(site): Shared, asked: Asked) -> Response {
    if asked.address.starts_with("/api/") {
        refused_json(&Trouble::Page)
    } else {
        refused(&Trouble::Page, &asked, site.tables.registry())
    }
}

async fn wrong_method(method: Method) -> Response {
    let answer = ErrorAnswer { error: format!("{method} is not allowed here"), field: None };
    let body = serde_json::to_vec(&answer).unwrap_or_default();
    (StatusCode::METHOD_NOT_ALLOWED, [(header::CONTENT_TYPE, JSON)], body).into_response()
}
