//! What all pages have in common.

use crate::http::assets;
use crate::http::errors::Trouble;
use crate::parts::cards::sentence;
use crate::state::tables::Variant;
use kanzen_core::Language;
use kanzen_registry::GameError;
use kanzen_show::Speak;
use maud::{DOCTYPE, Markup, html};

/// What a request for a page is answered with.
pub enum Reply {
    /// A page that may be shown again.
    Lasting(Markup),
    /// A page that may be another one the next time.
    Passing(Markup),
    /// A page that may be shown again, also in a frame of another site's page.
    Framed(Markup),
    /// The opponent moved: the address after that.
    Moved(String),
}

impl Reply {
    /// A page, and whether it may be shown again.
    pub fn page(page: Markup, lasts: bool) -> Reply {
        if lasts { Reply::Lasting(page) } else { Reply::Passing(page) }
    }
}

/// What others show of a page that they link to.
#[derive(Default)]
pub struct Preview {
    /// What there is to see, in a sentence.
    pub about: String,
    /// The address of a picture.
    pub picture: Option<String>,
}

/// A page around its contents.
pub struct Page<'a> {
    /// Its title.
    pub title: String,
    /// Its language.
    pub language: Language,
    /// The address of the same page, to be shown in the other language.
    pub here: String,
    /// The game it is about, and which of the game's pages it is.
    pub game: Option<(&'a Variant, &'static str)>,
    /// Whether the page looks for news of itself.
    pub waits: bool,
}

impl Page<'_> {
    /// The whole document.
    pub fn render(&self, contents: Markup) -> Markup {
        let about = self.language.phrases().tagline.to_owned();
        self.render_with(&Preview { about, picture: None }, contents)
    }

    /// The board alone, for the pages of others, and the way to the whole of it.
    pub fn framed(&self, contents: Markup) -> Markup {
        html! {
            (DOCTYPE)
            html lang=(self.language.tag()) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) " · Kanzen" }
                    link rel="stylesheet" href=(assets::address("kanzen.css"));
                }
                body {
                    main #main .framed {
                        (contents)
                        p .fine { a href=(self.here) target="_blank" rel="noopener" { (self.title) " · Kanzen" } }
                    }
                }
            }
        }
    }

    /// The whole document, and what others show of it.
    pub fn render_with(&self, preview: &Preview, contents: Markup) -> Markup {
        let words = self.language.phrases();
        let other = match self.language {
            Language::English => Language::Japanese,
            Language::Japanese => Language::English,
        };
        let sign = if self.here.contains('?') { '&' } else { '?' };
        let switch = format!("{}{sign}lang={}", self.here, other.tag());
        html! {
            (DOCTYPE)
            html lang=(self.language.tag()) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) " · Kanzen" }
                    meta name="description" content=(preview.about);
                    meta property="og:type" content="website";
                    meta property="og:site_name" content="Kanzen";
                    meta property="og:title" content=(self.title);
                    meta property="og:description" content=(preview.about);
                    @if let Some(picture) = &preview.picture {
                        meta property="og:image" content=(picture);
                        meta name="twitter:card" content="summary_large_image";
                    }
                    link rel="icon" type="image/svg+xml" href=(assets::address("icon.svg"));
                    link rel="stylesheet" href=(assets::address("kanzen.css"));
                    script type="module" src=(assets::address("kanzen.js")) {}
                }
                body {
                    a .skip href="#main" { (words.skip) }
                    header .top {
                        a .brand href="/" {
                            span .seal aria-hidden="true" { "完" }
                            span { "Kanzen" }
                        }
                        @if let Some((variant, current)) = self.game { (tabs(variant, current, self.language)) }
                        a .language href=(switch) lang=(other.tag()) hreflang=(other.tag()) rel="nofollow" {
                            (words.other_language)
                        }
                    }
                    main #main data-waits[self.waits] { (contents) }
                }
            }
        }
    }
}

/// The pages of a game.
fn tabs(variant: &Variant, current: &str, language: Language) -> Markup {
    let words = language.phrases();
    let pages = [
        ("/learn", words.learn),
        ("", words.explore),
        ("/play", words.play),
        ("/puzzles", words.puzzles),
        ("/setup", words.set_up),
        ("/facts", words.facts),
    ];
    html! {
        nav .tabs aria-label=(variant.entry.title.say(language)) {
            @for (page, name) in pages {
                a href=(variant.address(page).text()) aria-current=[(page == current).then_some("page")] { (name) }
            }
        }
    }
}

/// What went wrong, in sentences. What games and tables say themselves is in English.
pub fn told(trouble: &Trouble, language: Language) -> Markup {
    let japanese = match language {
        Language::English => None,
        Language::Japanese => trouble.in_japanese(),
    };
    let more = japanese.is_none() || trouble.tells_more();
    html! {
        @if let Some(japanese) = &japanese { p { (japanese) } }
        @if more { p .fine[japanese.is_some()] lang="en" { (sentence(&trouble.to_string())) "." } }
    }
}

/// The page that explains what went wrong.
pub fn trouble(trouble: &Trouble, language: Language, here: &str, back: &str) -> Markup {
    let words = language.phrases();
    let heading = match trouble {
        Trouble::Game(GameError::Notation(_)) => words.illegal,
        Trouble::Game(GameError::Table(_)) => words.table_wrong,
        _ => words.error,
    };
    let page = Page {
        title: heading.to_owned(),
        language,
        here: here.to_owned(),
        game: None,
        waits: false,
    };
    page.render(html! {
        section .card .trouble role="alert" {
            h1 { (heading) }
            @match trouble {
                Trouble::Page => p { (words.unknown_page) },
                trouble => (told(trouble, language)),
            }
            p {
                @if back != "/" { a .button href=(back) { (words.start_position) } " " }
                a .button href="/" { (words.home) }
            }
        }
    })
}
