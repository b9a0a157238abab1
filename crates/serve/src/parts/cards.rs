//! The parts of a position's page around its board.

use crate::parts::icon::Icon;
use crate::parts::table::{BoardParts, spots};
use crate::parts::walk::Station;
use crate::url::view::View;
use kanzen_analyse::LineEnd;
use kanzen_core::Language;
use kanzen_registry::{Answer, Line};
use kanzen_show::Speak;
use kanzen_study::explain::{Explained, FAR};
use maud::{Markup, html};

/// Back, forward, flip, mirror.
pub fn controls(view: &View, language: Language) -> Markup {
    let words = language.phrases();
    let step = |ply: Option<usize>, key: &str, sign: Icon, name: &str| {
        let link =
            ply.filter(|ply| *ply <= view.line.len() && *ply != view.ply).map(|ply| view.at(ply));
        html! {
            @match link {
                Some(link) => a .button .icon href=(link) data-key=(key) aria-label=(name) title=(name) { (sign.svg()) },
                None => span .button .icon .off aria-hidden="true" { (sign.svg()) },
            }
        }
    };
    let flip = View { flip: !view.flip, ..view.clone() };
    let mirror = View { mirror: !view.mirror, ..view.clone() };
    let named = View { unnamed: !view.unnamed, ..view.clone() };
    html! {
        div .controls role="toolbar" aria-label=(words.game_so_far) title=(words.keys) {
            (step(Some(0), "Home", Icon::First, words.to_start))
            (step(view.ply.checked_sub(1), "ArrowLeft", Icon::Back, words.back))
            (step(Some(view.ply + 1), "ArrowRight", Icon::Forward, words.forward))
            (step(Some(view.line.len()), "End", Icon::Last, words.to_end))
            a .button .icon href=(flip.here().text()) data-key="f" aria-label=(words.flip) title=(words.flip)
                aria-pressed=(view.flip) role="button" { (Icon::Flip.svg()) }
            a .button .icon href=(mirror.here().text()) data-key="m" aria-label=(words.mirror) title=(words.mirror)
                aria-pressed=(view.mirror) role="button" { (Icon::Mirror.svg()) }
            a .button .icon href=(named.here().text()) data-key="c" aria-label=(words.coordinates) title=(words.coordinates)
                aria-pressed=(!view.unnamed) role="button" { span .glyphs aria-hidden="true" { "a1" } }
            button .button .icon .scripted .sound type="button" hidden aria-label=(words.sound) title=(words.sound)
                aria-pressed="false" { (Icon::Sound.svg()) }
        }
    }
}

fn hidden(fields: Vec<(&'static str, String)>) -> Markup {
    html! { @for (name, value) in fields { input type="hidden" name=(name) value=(value); } }
}

/// The moves of the game so far.
pub fn history(view: &View, language: Language) -> Markup {
    let words = language.phrases();
    if view.line.is_empty() {
        return html! {};
    }
    html! {
        form .history action=(view.path()) aria-label=(words.game_so_far) {
            (hidden(view.hidden()))
            ol {
                @for (number, name) in view.line.iter().enumerate() {
                    @let ply = number + 1;
                    li {
                        button name="ply" value=(ply)
                            aria-current=[(ply == view.ply).then_some("step")] { (name) }
                    }
                }
            }
            @if view.lesson.is_none() && !view.puzzle {
                p { a href=(annotated(view)) { (words.annotate) } }
            }
        }
    }
}

/// The address of the game so far with every move judged.
fn annotated(view: &View) -> String {
    let line = view.line.join(" ");
    let record = match &view.root {
        Some(root) => format!("{root} | {line}"),
        None => line,
    };
    view.elsewhere("/annotate").with("record", &record).text()
}

/// The best line, to play and to copy.
pub fn best_line(view: &View, line: &Line, language: Language) -> Markup {
    let words = language.phrases();
    if line.moves.is_empty() {
        return html! {};
    }
    let made = View { line: view.made().to_vec(), ..view.clone() };
    let text = line.moves.iter().map(|mv| &*mv.name).collect::<Vec<_>>().join(" ");
    let end = match line.end {
        LineEnd::Repeats => words.line_repeats,
        LineEnd::Unknown => words.line_unknown,
        LineEnd::Over => words.line_ends,
    };
    html! {
        section .card .best {
            h2 { (words.best_line) }
            form .line action=(view.path()) {
                (hidden(made.hidden()))
                ol {
                    @for (number, mv) in line.moves.iter().enumerate() {
                        li { button name="best" value=(number + 1) { (mv.name) } }
                    }
                }
            }
            p .fine { (end) }
            (copyable(&text, words.best_line, language))
        }
    }
}

/// A text that can be copied: by hand, and with a button where there are scripts.
pub fn copyable(text: &str, label: &str, language: Language) -> Markup {
    let words = language.phrases();
    html! {
        div .copyable {
            input readonly aria-label=(label) value=(text);
            button .button .scripted type="button" hidden data-copied=(words.copied) { (words.copy) }
        }
    }
}

/// The position in writing, to change it or to go on elsewhere.
pub fn position_card(view: &View, here: &Station, language: Language) -> Markup {
    let words = language.phrases();
    let Some(answer) = &here.answer else { return html! {} };
    let play = view.elsewhere("/play").with("position", &answer.position).text();
    let set_up = view.elsewhere("/setup").with("position", &answer.position).text();
    let turn = answer.turn();
    html! {
        section .card {
            h2 { label for="position" { (words.position) } }
            form .write action=(format!("/{}", view.variant.entry.name)) {
                @for (name, value) in view.variant.chosen() {
                    input type="hidden" name="o" value=(format!("{name}={value}"));
                }
                input #position name="position" value=(answer.position) spellcheck="false" autocomplete="off";
                button .button { (words.show_position) }
            }
            p .links {
                a .button href=(format!("{play}&you={}", turn.number())) { (words.play_on) }
                " " a .button href=(set_up) { (words.set_up) }
            }
        }
    }
}

/// The position elsewhere: as a picture, the game so far as a moving one, the board in a frame.
pub fn share(view: &View, here: &Station, language: Language) -> Markup {
    let Some(answer) = &here.answer else { return html! {} };
    let picture = view.variant.address("/board.svg").with("position", &answer.position).text();
    let mut film = view.variant.address("/film.svg");
    if let Some(root) = &view.root {
        film = film.with("position", root);
    }
    let film = film.with("line", &view.made().join(" ")).text();
    let frame = View { embed: true, ..view.clone() }.here().text();
    html! {
        details .card .share {
            summary { (language.pick("Share", "共有")) }
            p .links {
                a .button href=(format!("/api/v1{picture}")) { (language.pick("picture", "画像")) }
                @if view.ply > 0 {
                    " " a .button href=(format!("/api/v1{film}")) { (language.pick("film of the game so far", "ここまでの動画")) }
                }
                " " a .button href=(frame) { (language.pick("board alone, for a frame", "盤だけ（埋め込み用）")) }
            }
        }
    }
}

/// A text with a capital at its beginning.
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The options of the game.
pub fn variants(view: &View, language: Language) -> Markup {
    let words = language.phrases();
    let variant = &view.variant;
    if variant.entry.options.is_empty() {
        return html! {};
    }
    html! {
        details .card {
            summary { (words.variant) }
            form .options action=(view.path()) {
                @for (spec, (_, value)) in variant.entry.options.iter().zip(&variant.options) {
                    label { span { (sentence(spec.asks(language))) }
                        select name="o" {
                            @for allowed in spec.values {
                                option value=(format!("{}={allowed}", spec.name)) selected[allowed == value] {
                                    (spec.say(allowed, language))
                                }
                            }
                        }
                    }
                }
                button .button { (words.choose) }
            }
        }
    }
}

/// The board in plain characters and words.
pub fn text_card(board: &BoardParts, language: Language) -> Markup {
    html! {
        details .card .textboard {
            summary { (language.phrases().board_text) }
            pre { (board.text()) }
            (board.list())
        }
    }
}

/// How many moves keep the result.
fn keep(keeping: usize, moves: usize, language: Language) -> String {
    let (en, ja) = match (keeping, moves) {
        (_, 1) => ("There is only one move.".to_owned(), "指せる手は一つだけです。".to_owned()),
        (1, _) => (
            format!("Only one of {moves} moves keeps the result."),
            format!("{moves}手のうち1手だけが結果を保ちます。"),
        ),
        (2, 2) => (
            "Both moves keep the result.".to_owned(),
            "どちらの手でも結果は変わりません。".to_owned(),
        ),
        _ if keeping == moves => (
            format!("All {moves} moves keep the result."),
            format!("{moves}手のどれでも結果は変わりません。"),
        ),
        _ => (
            format!("{keeping} of {moves} moves keep the result."),
            format!("{moves}手のうち{keeping}手が結果を保ちます。"),
        ),
    };
    language.pick(en, ja)
}

/// At how many turns of the best line there is a single good move.
fn narrow(explained: &Explained, language: Language) -> String {
    let Explained { single, turns, cut, .. } = *explained;
    let often = match single {
        0 => "has several good moves wherever it has a choice".to_owned(),
        _ if single == turns => "never has more than one good move".to_owned(),
        _ => format!("has a single good move at {single} of {turns} turns"),
    };
    let (line_en, line_ja) = match cut {
        true => (
            format!("In the first {FAR} plies of the best line"),
            format!("最善手順の最初の{FAR}手"),
        ),
        false => ("In the best line".to_owned(), "最善手順".to_owned()),
    };
    let ja = match single {
        0 => "結果を保つ側に選択の余地があるときは、いつも二つ以上のよい手があります。".to_owned(),
        _ => {
            format!("結果を保つ側の{turns}回の手番のうち{single}回は、よい手が一つしかありません。")
        }
    };
    language.pick(
        format!("{line_en}, the side that has something to keep {often}."),
        format!("{line_ja}では、{ja}"),
    )
}

/// What can be said of a position beside its values.
pub fn explained(
    view: &View,
    answer: &Answer,
    explained: &Explained,
    language: Language,
) -> Markup {
    let words = language.phrases();
    let (keeping, moves) = (explained.keeping, answer.moves.len());
    if moves == 0 {
        return html! {};
    }
    html! {
        section .card .explained {
            h2 { (words.explained) }
            p { (keep(keeping, moves, language)) }
            @if explained.turns > 0 { p { (narrow(explained, language)) } }
            @if !explained.threats.is_empty() {
                p { (words.threats) " "
                    @for (number, threat) in explained.threats.iter().take(8).enumerate() {
                        @if number > 0 { ", " }
                        span .move tabindex="0" data-from=[threat.trace.from] data-to=[threat.trace.to]
                            data-also=(spots(&threat.trace.also)) { (threat.name) }
                    }
                    @if explained.threats.len() > 8 { " …" }
                }
            }
            @if let Some(simplest) = &explained.simplest {
                @if answer.moves.first().is_some_and(|best| best.name == simplest.name) {
                    p { (words.simplest_fastest) }
                } @else {
                    p { (words.simplest) ": " a href=(view.after(&simplest.name)) { (simplest.name) }
                        @if let Some(plies) = simplest.plies { " (" (plies) ")" } }
                }
            }
        }
    }
}
