//! Pages that stand alone: no script, nothing from elsewhere.

use crate::board::{BOARD_CSS, LIGHT_CSS};
use kanzen_core::Language;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The look of pages, on screen and on paper.
const PAGE_CSS: &str = include_str!("page.css");

/// A page with a title and a body.
pub fn page(language: Language, title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang=(language.tag()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                title { (title) }
                style { (PreEscaped(LIGHT_CSS)) (PreEscaped(PAGE_CSS)) (PreEscaped(BOARD_CSS)) }
            }
            body { (body) }
        }
    };
    page.into_string() + "\n"
}
