//! The value along a game as a small picture.

use crate::parts::walk::Station;
use crate::url::view::View;
use kanzen_core::Language;
use kanzen_core::{Kit, Outcome, Side};
use kanzen_show::Speak;
use maud::{Markup, html};

const WIDTH: f32 = 480.0;
const HEIGHT: f32 = 150.0;
const EDGE: f32 = 14.0;
/// Room for the names above and below the curve.
const NAMES: f32 = 28.0;

/// Draws the value of each station, good for the first player above, good for the second below.
pub fn graph(view: &View, stations: &[Station], kit: &Kit, language: Language) -> Markup {
    let words = language.phrases();
    if stations.len() < 2 {
        return html! {};
    }
    let last = (stations.len() - 1).max(1) as f32;
    let x = |number: usize| EDGE + (WIDTH - 2.0 * EDGE - NAMES) * number as f32 / last;
    let points: Vec<(f32, f32, &str)> = stations
        .iter()
        .enumerate()
        .map(|(number, station)| (x(number), height(station), colour(station, kit)))
        .collect();
    let path: Vec<String> = points.iter().map(|(x, y, _)| format!("{x:.1},{y:.1}")).collect();
    let two = kit.parties.iter().filter(|party| party.side != Side::Neutral).count() == 2;
    html! {
        svg .graph viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="group" aria-label=(words.graph) {
            rect .frame x="1" y="1" width=(WIDTH - 2.0) height=(HEIGHT - 2.0) rx="8" {}
            line .middle x1=(EDGE) x2=(WIDTH - EDGE) y1=(HEIGHT / 2.0) y2=(HEIGHT / 2.0) {}
            @if two {
                text .side x="10" y="18" { (language.wins_in(kit.party(Side::One).name, None)) }
                text .side x="10" y=(HEIGHT - 9.0) { (language.wins_in(kit.party(Side::Two).name, None)) }
                @for plies in [2, 20] {
                    @for sign in [1.0, -1.0] {
                        @let y = HEIGHT / 2.0 - sign * near(plies) * (HEIGHT / 2.0 - NAMES);
                        line .grid x1=(EDGE) x2=(WIDTH - 26.0) y1=(y) y2=(y) {}
                        text .side .scale x=(WIDTH - 6.0) y=(y + 4.0) { (plies) }
                    }
                }
            }
            polyline .curve points=(path.join(" ")) {}
            @for (number, (x, y, class)) in points.iter().enumerate() {
                @let now = number == view.ply;
                @let class = format!("dot {class}{}", if now { " now" } else { "" });
                @let name = number.checked_sub(1).and_then(|number| view.line.get(number));
                @let value = stations[number].shown(kit).words(language);
                @let title = format!("{number}. {} {value}", name.map_or("", |name| name));
                a href=(view.at(number)) aria-label=(title) {
                    title { (title) }
                    circle .reach cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="10" {}
                    circle class=(class) cx=(format!("{x:.1}")) cy=(format!("{y:.1}"))
                        r=(if now { 6 } else { 3 }) {}
                }
            }
        }
    }
}

/// How near the end is, from 0 to 1, on a logarithmic scale: 2 and 78 plies are far apart.
fn near(plies: u16) -> f32 {
    1.0 - 0.9 * (f32::from(plies) + 1.0).ln() / 200f32.ln()
}

/// The height of a value: the edge for the end of the game, near the middle for far ends.
fn height(station: &Station) -> f32 {
    let share = match three(station) {
        // Lanes: nobody in the middle, the players around it.
        Some(winner) => [0.0, 0.9, 0.45, -0.9][usize::from(winner.min(3))],
        None => {
            let Some(verdict) = station.worth else { return HEIGHT / 2.0 };
            let near = verdict.plies.map_or(0.5, near);
            let good = match verdict.value {
                Outcome::Win => near,
                Outcome::Draw => 0.0,
                Outcome::Loss => -near,
            };
            if station.mover == Side::One { good } else { -good }
        }
    };
    HEIGHT / 2.0 - share * (HEIGHT / 2.0 - NAMES)
}

fn three(station: &Station) -> Option<u8> {
    station.answer.as_ref()?.best_play.as_ref()?.winner
}

/// The colour of the player who wins.
fn colour(station: &Station, kit: &Kit) -> &'static str {
    let winner = match (station.outcome(), three(station)) {
        (_, Some(0)) | (Some(Outcome::Draw), _) => return "draw",
        (_, Some(1)) => Side::One,
        (_, Some(2)) => Side::Two,
        (_, Some(_)) => Side::Three,
        (None, None) => return "unknown",
        (Some(Outcome::Win), None) => station.mover,
        (Some(Outcome::Loss), None) => station.mover.other(),
    };
    kit.party(winner).colour.word()
}
