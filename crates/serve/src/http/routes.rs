//! From addresses to answers.

use crate::api::endpoints::check;
use crate::api::openapi::description;
use crate::api::{self, ErrorAnswer};
use crate::http::assets::{ASSETS, VERSION};
use crate::http::errors::Trouble;
use crate::http::language::of_headers;
use crate::http::limits;
use crate::pages::api as api_page;
use crate::pages::page::Reply;
use crate::pages::page::trouble;
use crate::pages::play::play;
use crate::pages::{annotate, explore, facts, learn, puzzles, setup, start};
use crate::state::site::{Kept, Site};
use crate::url::query::{Address, Query};
use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequestParts, Path, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use kanzen_core::Language;
use kanzen_registry::Registry;
use serde::Serialize;
use std::convert::Infallible;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Instant;
use tower_http::compression::CompressionLayer;

type Shared = State<Arc<Site>>;

/// Nothing but what the program itself carries: no inline script or style, no other host.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// All routes.
pub fn router(site: Arc<Site>) -> Router {
    Router::new()
        .route("/", page(start::start))
        .route("/daily", page(puzzles::daily))
        .route("/assets/{version}/{name}", get(asset))
        .route("/favicon.ico", get(icon))
        .route("/healthz", get(async || "ok\n"))
        .route("/metrics", get(counts))
        .route("/api", page(api_page::api))
        .route("/api/v1/", api("/api/v1/", true, |_, _, _| Ok(api::index())))
        .route("/api/v1/games", api("/api/v1/games", false, |site, _, _| api::games(site)))
        .route(
            "/api/v1/openapi.json",
            api("/api/v1/openapi.json", true, |_, _, _| Ok(description())),
        )
        .route("/api/v1/{game}", api("/api/v1/{game}", true, api::position))
        .route("/api/v1/{game}/line", api("/api/v1/{game}/line", true, api::line))
        .route("/api/v1/{game}/explain", api("/api/v1/{game}/explain", true, api::explained))
        .route("/api/v1/{game}/rules", api("/api/v1/{game}/rules", true, api::rules))
        .route("/api/v1/{game}/moves", api("/api/v1/{game}/moves", true, api::moves))
        .route("/api/v1/{game}/apply", api("/api/v1/{game}/apply", true, api::apply))
        .route("/api/v1/{game}/play", api("/api/v1/{game}/play", true, api::play))
        .route("/api/v1/{game}/annotate", api("/api/v1/{game}/annotate", true, api::annotated))
        .route("/api/v1/{game}/puzzles", api("/api/v1/{game}/puzzles", false, api::puzzles))
        .route("/api/v1/{game}/census", api("/api/v1/{game}/census", true, api::census))
        .route("/api/v1/{game}/find", api("/api/v1/{game}/find", false, api::find))
        .route("/api/v1/{game}/board.svg", get(api_board).options(preflight))
        .route("/api/v1/{game}/batch", post(api_batch).options(preflight))
        .route("/{game}", page(explore::explore))
        .route("/{game}/learn", page(learn::learn))
        .route("/{game}/lesson", page(learn::lesson))
        .route("/{game}/annotate", page(annotate::annotate))
        .route("/{game}/setup", page(setup::set_up))
        .route("/{game}/play", page(play))
        .route("/{game}/facts", page(facts::facts))
        .route("/{game}/puzzles", page(puzzles::set))
        .route("/{game}/puzzle", page(puzzles::puzzle))
        .fallback(nothing)
        .method_not_allowed_fallback(wrong_method)
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&site), guard))
        .layer(CompressionLayer::new())
        .with_state(site)
}

/// Refuses endless addresses, counts answers, and gives each the headers that protect its reader.
async fn guard(State(site): Shared, request: Request, next: axum::middleware::Next) -> Response {
    let begin = Instant::now();
    let api = request.uri().path().starts_with("/api/");
    let long =
        request.uri().path_and_query().is_some_and(|all| all.as_str().len() > limits::ADDRESS);
    let mut response =
        if long { StatusCode::URI_TOO_LONG.into_response() } else { next.run(request).await };
    site.counts.add(response.status().as_u16(), begin.elapsed());
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if api {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"))
    } else {
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY))
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
    known: Option<String>,
}

impl<S: Sync> FromRequestParts<S> for Asked {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Asked, Infallible> {
        let (uri, headers) = (&parts.uri, &parts.headers);
        let query = Query::parse(uri.query().unwrap_or(""));
        let chosen = query.get("lang").and_then(Language::of_tag);
        let known = headers.get(header::IF_NONE_MATCH).and_then(|known| known.to_str().ok());
        Ok(Asked {
            address: uri.path_and_query().map_or("/", |all| all.as_str()).to_owned(),
            query,
            language: chosen.unwrap_or_else(|| of_headers(headers)),
            chosen,
            known: known.map(str::to_owned),
        })
    }
}

fn keep(body: Bytes) -> Kept {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    Kept { body, tag: hasher.finish() }
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

const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";

/// What renders a page of a game.
type Render = fn(&Arc<Site>, &str, &Query, Language) -> Result<Reply, Trouble>;

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
                        Reply::Passing(page) => Ok(keep(page.into_string().into())),
                        Reply::Moved(address) => Err(address),
                    })
                })
                .await
            }
        };
        let response = match rendered {
            Ok(Ok(kept)) => send(kept, &asked, HTML, "private, no-cache"),
            Ok(Err(moved)) => (StatusCode::SEE_OTHER, [(header::LOCATION, moved)]).into_response(),
            Err(trouble) => trouble_page(&trouble, &asked, site.tables.registry()),
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

fn trouble_page(error: &Trouble, asked: &Asked, games: &Registry) -> Response {
    let path = asked.address.split('?').next().unwrap_or("/");
    let game = path.split('/').nth(1).filter(|name| games.find(name).is_ok());
    let back = match (game, error.blamed()) {
        (Some(game), Some("position" | "line" | "pick" | "board")) => {
            let options = asked.query.all("o");
            options
                .iter()
                .fold(Address::new(format!("/{game}")), |address, o| address.with("o", o))
                .text()
        }
        (Some(game), _) => format!("/{game}"),
        (None, _) => "/".to_owned(),
    };
    let markup = trouble(error, asked.language, path, &back);
    let headers = [(header::CONTENT_TYPE, HTML), (header::CACHE_CONTROL, "no-store")];
    (error.status(), headers, markup.into_string()).into_response()
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

async fn json<T: Serialize>(
    site: Arc<Site>,
    asked: Asked,
    lasts: bool,
    answer: impl FnOnce(&Arc<Site>, &Query) -> Result<T, Trouble> + Send + 'static,
) -> Response {
    // The API has no language: English stands for all.
    let key = (asked.address.clone(), Language::English, site.tables.generation());
    let kept = lasts.then(|| site.kept.get(&key)).flatten();
    let answered = match kept {
        Some(kept) => Ok(kept),
        None => {
            let query = asked.query.clone();
            site.work(move |site| {
                let answer = answer(site, &query)?;
                let body = serde_json::to_vec(&answer).map_err(|_| Trouble::Fault)?;
                let kept = keep(body.into());
                if lasts {
                    site.kept.insert(key, kept.clone());
                }
                Ok(kept)
            })
            .await
        }
    };
    match (answered, lasts) {
        (Ok(kept), true) => send(kept, &asked, JSON, "public, max-age=3600"),
        (Ok(kept), false) => send(kept, &asked, JSON, "no-cache"),
        (Err(trouble), _) => trouble_json(&trouble),
    }
}

fn trouble_json(trouble: &Trouble) -> Response {
    let answer = ErrorAnswer { error: trouble.to_string(), field: trouble.blamed() };
    let body = serde_json::to_vec(&answer).unwrap_or_default();
    let headers = [(header::CONTENT_TYPE, JSON), (header::CACHE_CONTROL, "no-store")];
    (trouble.status(), headers, body).into_response()
}

/// What answers a question of the API.
type Answering<T> = fn(&Site, &str, &Query) -> Result<T, Trouble>;

/// The route of an endpoint; its answers may be kept if they last.
fn api<T: Serialize + 'static>(
    path: &'static str,
    lasts: bool,
    answer: Answering<T>,
) -> MethodRouter<Arc<Site>> {
    let answered = async move |State(site): Shared, game: Option<Path<String>>, asked: Asked| {
        let game = game.map_or(String::new(), |Path(game)| game);
        let answer = move |site: &Arc<Site>, query: &Query| {
            check(path, query)?;
            answer(site, &game, query)
        };
        json(site, asked, lasts, answer).await
    };
    get(answered).options(preflight)
}

async fn api_board(State(site): Shared, Path(game): Path<String>, asked: Asked) -> Response {
    let query = asked.query.clone();
    let board = site.work(move |site| {
        check("/api/v1/{game}/board.svg", &query)?;
        api::board(site, &game, &query)
    });
    match board.await {
        Ok(board) => send(keep(board.into()), &asked, "image/svg+xml", "public, max-age=3600"),
        Err(trouble) => trouble_json(&trouble),
    }
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
        Ok(Err(_)) => return trouble_json(&Trouble::Long(limits::BODY)),
        Err(_) => return trouble_json(&Trouble::field("body", "it did not arrive in time")),
    };
    let query = asked.query.clone();
    let work = move |site: &Arc<Site>| {
        check("/api/v1/{game}/batch", &query)?;
        let answer = api::batch(site, &game, &query, &body)?;
        serde_json::to_vec(&answer).map_err(|_| Trouble::Fault)
    };
    match site.work_in_bulk(work).await {
        Ok(body) => send(keep(body.into()), &asked, JSON, "no-cache"),
        Err(trouble) => trouble_json(&trouble),
    }
}

async fn nothing(State(site): Shared, asked: Asked) -> Response {
    if asked.address.starts_with("/api/") {
        trouble_json(&Trouble::Page)
    } else {
        trouble_page(&Trouble::Page, &asked, site.tables.registry())
    }
}

async fn wrong_method(method: Method) -> Response {
    let answer = ErrorAnswer { error: format!("{method} is not allowed here"), field: None };
    let body = serde_json::to_vec(&answer).unwrap_or_default();
    (StatusCode::METHOD_NOT_ALLOWED, [(header::CONTENT_TYPE, JSON)], body).into_response()
}
