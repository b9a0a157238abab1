//! From an address to its answer, without a socket: the list of all there is to ask for. The server
//! makes its router of it; a browser that has the program itself asks [`answer`].

use crate::api::endpoints::check;
use crate::api::openapi::description;
use crate::api::{self, ErrorAnswer};
use crate::http::errors::Trouble;
use crate::http::{language, limits};
use crate::pages::page::{Reply, trouble};
use crate::pages::{
    annotate, api as api_page, drill, explore, facts, learn, play, puzzles, setup, start,
};
use crate::state::site::Site;
use crate::url::query::{Address, Query};
use kanzen_core::Language;
use kanzen_registry::Registry;
use serde::Serialize;
use std::sync::Arc;

/// What renders a page of a game.
pub type Render = fn(&Arc<Site>, &str, &Query, Language) -> Result<Reply, Trouble>;

/// What answers a program.
pub type Answering = Arc<dyn Fn(&Site, &str, &Query) -> Result<Vec<u8>, Trouble> + Send + Sync>;

/// What an address asks for.
pub enum Route {
    /// A page.
    Page(Render),
    /// Something for programs.
    Data {
        /// Its media type.
        media: &'static str,
        /// Whether the answer stays the same as long as the tables do.
        lasts: bool,
        /// What answers.
        answer: Answering,
    },
}

/// The media types of answers.
pub const HTML: &str = "text/html; charset=utf-8";
/// See [`HTML`].
pub const JSON: &str = "application/json";
const SVG: &str = "image/svg+xml";

/// The path of the only thing that is asked for with a body.
pub const BATCH: &str = "/api/v1/{game}/batch";

fn json<T: Serialize + 'static>(
    path: &'static str,
    lasts: bool,
    answer: fn(&Site, &str, &Query) -> Result<T, Trouble>,
) -> (&'static str, Route) {
    data(path, JSON, lasts, move |site, game, query| {
        serde_json::to_vec(&answer(site, game, query)?).map_err(|_| Trouble::Fault)
    })
}

fn data(
    path: &'static str,
    media: &'static str,
    lasts: bool,
    answer: impl Fn(&Site, &str, &Query) -> Result<Vec<u8>, Trouble> + Send + Sync + 'static,
) -> (&'static str, Route) {
    let answer: Answering = Arc::new(move |site, game, query| {
        check(path, query)?;
        answer(site, game, query)
    });
    (path, Route::Data { media, lasts, answer })
}

/// Everything that can be asked for by its address, `{game}` standing for a game. The first path that
/// fits counts.
pub fn routes() -> Vec<(&'static str, Route)> {
    vec![
        ("/", Route::Page(start::start)),
        ("/daily", Route::Page(puzzles::daily)),
        ("/api", Route::Page(api_page::api)),
        json("/api/v1/", true, |_, _, _| Ok(api::index())),
        json("/api/v1/games", false, |site, _, _| api::games(site)),
        json("/api/v1/solves", false, |site, _, _| Ok(api::solves(site))),
        json("/api/v1/openapi.json", true, |_, _, _| Ok(description())),
        json("/api/v1/{game}", true, api::position),
        json("/api/v1/{game}/line", true, api::line),
        json("/api/v1/{game}/explain", true, api::explained),
        json("/api/v1/{game}/rules", true, api::rules),
        json("/api/v1/{game}/moves", true, api::moves),
        json("/api/v1/{game}/apply", true, api::apply),
        json("/api/v1/{game}/play", true, api::play),
        json("/api/v1/{game}/annotate", true, api::annotated),
        json("/api/v1/{game}/puzzles", false, api::puzzles),
        json("/api/v1/{game}/census", true, api::census),
        json("/api/v1/{game}/find", false, api::find),
        data("/api/v1/{game}/board.svg", SVG, true, |site, game, query| {
            api::board(site, game, query).map(String::into_bytes)
        }),
        data("/api/v1/{game}/film.svg", SVG, true, |site, game, query| {
            api::film_of_line(site, game, query).map(String::into_bytes)
        }),
        #[cfg(feature = "http")]
        data("/api/v1/{game}/board.png", "image/png", true, api::picture),
        ("/{game}", Route::Page(explore::explore)),
        ("/{game}/learn", Route::Page(learn::learn)),
        ("/{game}/lesson", Route::Page(learn::lesson)),
        ("/{game}/annotate", Route::Page(annotate::annotate)),
        ("/{game}/setup", Route::Page(setup::set_up)),
        ("/{game}/play", Route::Page(play::play)),
        ("/{game}/facts", Route::Page(facts::facts)),
        ("/{game}/puzzles", Route::Page(puzzles::set)),
        ("/{game}/puzzle", Route::Page(puzzles::puzzle)),
        ("/{game}/drill", Route::Page(drill::drill)),
    ]
}

/// The game of a path, '' where it has none; nothing if the path is another one.
fn matches<'a>(pattern: &str, path: &'a str) -> Option<&'a str> {
    let (mut known, mut given) = (pattern.split('/'), path.split('/'));
    let mut game = "";
    loop {
        match (known.next(), given.next()) {
            (None, None) => return Some(game),
            (Some("{game}"), Some(name)) if !name.is_empty() => game = name,
            (Some(known), Some(given)) if known == given => {}
            _ => return None,
        }
    }
}

/// A request.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'a> {
    /// Path and query.
    pub address: &'a str,
    /// The languages that the reader accepts, as browsers say it.
    pub accept_language: &'a str,
    /// What was sent along.
    pub body: Option<&'a [u8]>,
}

/// What it is answered with.
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The media type.
    pub media: &'static str,
    /// Where to go instead.
    pub location: Option<String>,
    /// The bytes.
    pub body: Vec<u8>,
}

/// Answers a request on the spot.
pub fn answer(site: &Arc<Site>, request: Request<'_>) -> Answer {
    let (path, query) = request.address.split_once('?').unwrap_or((request.address, ""));
    let query = Query::parse(query);
    let chosen = query.get("lang").and_then(Language::of_tag);
    let language = chosen.unwrap_or_else(|| language::of_headers("", request.accept_language));
    let answer = |status, media, body| Answer { status, media, location: None, body };
    let page = |error: &Trouble| {
        let body = trouble_page(error, request.address, &query, language, site.tables.registry());
        answer(error.status(), HTML, body.into_bytes())
    };
    let data = |media, result: Result<Vec<u8>, Trouble>| match result {
        Ok(body) => answer(200, media, body),
        Err(error) => answer(error.status(), JSON, trouble_json(&error)),
    };
    if request.address.len() > limits::ADDRESS {
        return page(&Trouble::Page);
    }
    if let (Some(game), Some(body)) = (matches(BATCH, path), request.body) {
        let batch = check(BATCH, &query).and_then(|()| api::batch(site, game, &query, body));
        let batch = batch.and_then(|all| serde_json::to_vec(&all).map_err(|_| Trouble::Fault));
        return data(JSON, batch);
    }
    let found = routes().into_iter().find_map(|(pattern, route)| {
        let game = matches(pattern, path)?;
        Some((game, route))
    });
    match found {
        Some((game, Route::Page(render))) => match render(site, game, &query, language) {
            Ok(Reply::Lasting(body) | Reply::Passing(body) | Reply::Framed(body)) => {
                answer(200, HTML, body.into_string().into_bytes())
            }
            Ok(Reply::Moved(location)) => {
                Answer { location: Some(location), ..answer(303, HTML, Vec::new()) }
            }
            Err(error) => page(&error),
        },
        Some((game, Route::Data { media, answer, .. })) => data(media, answer(site, game, &query)),
        None if path.starts_with("/api/") => data(JSON, Err(Trouble::Page)),
        None => page(&Trouble::Page),
    }
}

/// The page that says what went wrong, with a way back.
pub fn trouble_page(
    error: &Trouble,
    address: &str,
    query: &Query,
    language: Language,
    games: &Registry,
) -> String {
    let path = address.split('?').next().unwrap_or("/");
    let game = path.split('/').nth(1).filter(|name| games.find(name).is_ok());
    let back = match (game, error.blamed()) {
        (Some(game), Some("position" | "line" | "pick" | "board")) => {
            let options = query.all("o");
            options
                .iter()
                .fold(Address::new(format!("/{game}")), |address, o| address.with("o", o))
                .text()
        }
        (Some(game), _) => format!("/{game}"),
        (None, _) => "/".to_owned(),
    };
    trouble(error, language, path, &back).into_string()
}

/// What went wrong, for programs.
pub fn trouble_json(trouble: &Trouble) -> Vec<u8> {
    let answer = ErrorAnswer { error: trouble.to_string(), field: trouble.blamed() };
    serde_json::to_vec(&answer).unwrap_or_default()
}

/// The same page for a site whose first page is not at `/` but at `root`, such as
/// `https://example.org/games`. Text cannot hold a bare quotation mark, so that what looks like an
/// attribute is one.
pub fn under(page: &str, root: &str) -> String {
    if root.is_empty() {
        return page.to_owned();
    }
    let mut moved = String::with_capacity(page.len() + page.len() / 16);
    let mut rest = page;
    while let Some(at) = rest.find("=\"/") {
        let (before, after) = rest.split_at(at + 2);
        moved.push_str(before);
        let attribute = before[..at].rsplit(' ').next().unwrap_or_default();
        if matches!(attribute, "href" | "src" | "action" | "xlink:href") {
            moved.push_str(root);
        }
        rest = after;
    }
    moved.push_str(rest);
    moved
}

/// What stands for the server's own address where it is not known.
pub const ORIGIN: &str = "http://localhost:8080";

/// The page with whole addresses for those who show a preview of it, which they need, and with the
/// server's own in samples.
#[cfg(feature = "http")]
pub fn seen_from(page: &str, origin: &str) -> String {
    page.replace(" content=\"/", &format!(" content=\"{origin}/")).replace(ORIGIN, origin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_fit_their_patterns() {
        assert_eq!(matches("/", "/"), Some(""));
        assert_eq!(matches("/{game}/play", "/simpei/play"), Some("simpei"));
        assert_eq!(matches("/{game}", "/simpei/play"), None);
        assert_eq!(matches("/{game}", "/"), None);
        assert_eq!(matches("/api/v1/", "/api/v1/"), Some(""));
        assert_eq!(matches("/api/v1/{game}/line", "/api/v1/ostle/line"), Some("ostle"));
    }

    #[test]
    fn links_move_and_text_does_not() {
        let page = r#"<a class="b" href="/x?a=/">="/</a><img src="/y"><p title="/z">"#;
        let moved = r#"<a class="b" href="/k/x?a=/">="/</a><img src="/k/y"><p title="/z">"#;
        assert_eq!(under(page, "/k"), moved);
        assert_eq!(under(page, ""), page);
    }
}
