//! The API for people: what can be asked for, and how.

use crate::answer::ORIGIN;
use crate::api::endpoints::ENDPOINTS;
use crate::http::errors::Trouble;
use crate::pages::page::{Page, Reply};
use crate::state::site::Site;
use crate::url::query::Query;
use kanzen_core::Language;
use kanzen_show::Speak;
use maud::html;
use std::sync::Arc;

/// The same question in three languages; `HOST` stands for the server.
const SAMPLES: [(&str, &str); 3] = [
    ("curl", "curl 'http://HOST/api/v1/GAME?position=START'"),
    (
        "JavaScript",
        "const url = new URL('http://HOST/api/v1/GAME');\n\
         url.searchParams.set('position', 'START');\n\
         const answer = await (await fetch(url)).json();\n\
         console.log(answer.value, answer.plies, answer.moves[0].move);",
    ),
    (
        "Python",
        "import json, urllib.parse, urllib.request\n\
         query = urllib.parse.urlencode({'position': 'START'})\n\
         with urllib.request.urlopen('http://HOST/api/v1/GAME?' + query) as reply:\n    \
             answer = json.load(reply)\n\
         print(answer['value'], answer['plies'], answer['moves'][0]['move'])",
    ),
];

/// Renders the page.
pub fn api(site: &Arc<Site>, _: &str, _: &Query, language: Language) -> Result<Reply, Trouble> {
    let words = language.phrases();
    let page = Page {
        title: words.api.to_owned(),
        language,
        here: "/api".to_owned(),
        game: None,
        waits: false,
    };
    let known =
        |name: &str| site.tables.variant(name, &[]).is_ok_and(|variant| variant.has_table());
    let entries = || site.tables.registry().entries();
    let game = entries().find(|entry| known(entry.name)).or_else(|| entries().next());
    let (name, start) = match game {
        Some(entry) => (entry.name, site.tables.variant(entry.name, &[])?.game.start()),
        None => ("GAME", String::new()),
    };
    let sample = |text: &str| {
        let text = text.replace("GAME", name).replace("START", &start);
        text.replace("http://HOST", ORIGIN)
    };
    Ok(Reply::Lasting(page.render(html! {
        h1 { (words.api) }
        p { (words.api_intro) " " a href="/api/v1/openapi.json" { "OpenAPI" } }
        section {
            h2 { (words.api_samples) }
            @for (title, text) in SAMPLES {
                section .card { h3 { (title) } pre .command tabindex="0" { code { (sample(text)) } } }
            }
        }
        section {
            h2 { (words.api_endpoints) }
            @for endpoint in ENDPOINTS {
                section .card .endpoint {
                    h3 { code { (endpoint.method) " " (endpoint.path) } }
                    p { (endpoint.about.say(language)) }
                    @if !endpoint.parameters.is_empty() {
                        dl .options aria-label=(words.api_parameters) {
                            @for parameter in endpoint.parameters {
                                dt { code { (parameter.name) } } dd { (language.pick(parameter.about, parameter.japanese)) }
                            }
                        }
                    }
                    @if endpoint.method == "GET" { p { a href=(endpoint.example) { (endpoint.example) } } }
                }
            }
        }
    })))
}
