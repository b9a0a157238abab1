//! A site of static files: the pages of [`answer`](fn@crate::answer), rendered by the browser itself.
//!
//! A service worker (`sw.js`) stands where the server would: it hands every address to the program, which
//! is there as WebAssembly, and fetches the parts of tables that the program lacks. Whoever comes for the
//! first time gets pages that were rendered beforehand, and with them a script (`boot.js`) that brings the
//! worker in; the address that was asked for, with all its parameters, is then shown by the worker.

use crate::answer::Route;
use crate::answer::{Request, answer, routes, under};
use crate::http::assets::{ASSETS, VERSION, address};
use crate::pages::page::Page;
use crate::state::site::Site;
use kanzen_core::Language;
use kanzen_show::Speak;
use maud::html;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a site is made of: `site.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Contents {
    /// What tells this site from an older one.
    pub version: String,
    /// The games, in the order of the first page.
    pub games: Vec<String>,
    /// Where the tables are: an address, or a path below the first page.
    pub address: String,
    /// The tables.
    pub tables: Vec<Listed>,
}

/// A table of a site.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Listed {
    /// The name of its file.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// The BLAKE3 hash of its bytes.
    pub blake3: String,
    /// Whether it is fetched whole, and not piece by piece.
    pub whole: bool,
}

/// A file of a site.
pub struct File {
    /// Its path.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// A page as it stands in a site whose first page is at `root`. One that was rendered beforehand brings
/// the worker in.
pub fn dressed(page: &str, root: &str, beforehand: bool) -> String {
    let page = under(page, root);
    let boot = if beforehand {
        format!("<script type=\"module\" src=\"{root}/boot.js\"></script>")
    } else {
        String::new()
    };
    let manifest = format!("<link rel=\"manifest\" href=\"{root}/manifest.webmanifest\">");
    page.replacen("</head>", &format!("{manifest}{boot}</head>"), 1)
}

/// All files of a site but the program, the tables and the description of its contents.
pub fn files(site: &Arc<Site>, contents: &Contents) -> Vec<File> {
    let file = |path: &str, bytes: Vec<u8>| File { path: path.to_owned(), bytes };
    let mut files: Vec<File> = ASSETS
        .iter()
        .map(|asset| {
            let path = address(asset.name);
            file(path.trim_start_matches('/'), asset.parts.concat().into_bytes())
        })
        .collect();
    let rendered = |address: &str, language: Language| {
        let request = Request { address, accept_language: language.tag(), body: None };
        String::from_utf8(answer(site, request).body).unwrap_or_default()
    };
    for (path, language) in
        [("index.html", Language::English), ("index.ja.html", Language::Japanese)]
    {
        files.push(file(path, dressed(&rendered("/", language), ".", true).into_bytes()));
    }
    for (pattern, route) in routes() {
        if !matches!(route, Route::Page(_)) || pattern == "/" {
            continue;
        }
        let games: &[String] =
            if pattern.contains("{game}") { &contents.games } else { &[String::new()] };
        for game in games {
            let path = pattern.replace("{game}", game);
            // The first page of a game is worth to be seen at once; others wait for the program.
            let page = match pattern {
                "/{game}" => rendered(&path, Language::English),
                _ => waiting(&path),
            };
            let root = vec![".."; path.matches('/').count()].join("/");
            let path = format!("{}/index.html", path.trim_start_matches('/'));
            files.push(file(&path, dressed(&page, &root, true).into_bytes()));
        }
    }
    let kept =
        files.iter().filter(|file| file.path.starts_with("assets/") || !file.path.contains('/'));
    let kept: Vec<&str> = kept.map(|file| file.path.as_str()).collect();
    let worker = include_str!("../assets/sw.js")
        .replace("\"VERSION\"", &format!("{:?}", contents.version))
        .replace("[\"FILES\"]", &serde_json::to_string(&kept).unwrap_or_default());
    files.push(file("sw.js", worker.into_bytes()));
    files.push(file("boot.js", include_bytes!("../assets/boot.js").to_vec()));
    files.push(file("manifest.webmanifest", manifest().into_bytes()));
    files
}

/// What is shown while the program is on its way.
fn waiting(path: &str) -> String {
    let language = Language::English;
    let words = language.phrases();
    let page = Page {
        title: words.tagline.to_owned(),
        language,
        here: path.to_owned(),
        game: None,
        waits: false,
    };
    let waits = html! {
        section .card data-boot aria-live="polite" { p .what { "…" } noscript { "JavaScript" } }
    };
    page.render(waits).into_string()
}

/// What makes it an app.
fn manifest() -> String {
    let icon = address("icon.svg");
    serde_json::json!({
        "name": "Kanzen",
        "short_name": "Kanzen",
        "description": Language::English.phrases().tagline,
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#ffffff",
        "theme_color": "#7a2e2e",
        "icons": [{ "src": format!(".{icon}"), "sizes": "any", "type": "image/svg+xml", "purpose": "any" }],
    })
    .to_string()
}

/// The version of the pages' own files.
pub fn version() -> &'static str {
    &VERSION
}
