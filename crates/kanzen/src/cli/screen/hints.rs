//! Hints in steps: which piece, where to, and why. Each gives a little more away than the one before.

use kanzen_core::{Kit, Language, Touch, Trace};
use kanzen_show::Speak;
use kanzen_show::board::plain;
use kanzen_study::explain::reason;
use kanzen_study::station::Station;

/// What each hint says and what the board shows with it.
pub fn steps(here: &Station, kit: &Kit, fastest: bool) -> Vec<(String, Trace)> {
    let language = Language::English;
    let words = language.phrases();
    let best = here.answer.as_ref().and_then(|answer| Some((answer, answer.moves.first()?)));
    let Some((answer, best)) = best else { return Vec::new() };
    let Trace { from, to, .. } = best.trace.clone();
    let drawing = &here.drawing;
    let board = plain(drawing, kit, here.exchanged, language, String::new());
    let name = |spot: usize| drawing.spots.get(spot).map_or("", |spot| &*spot.name);
    let mut steps = Vec::new();
    let taken = from.and_then(|from| drawing.pieces.iter().rfind(|piece| piece.spot == from));
    let held = best.gesture.touches.iter().find_map(|touch| match touch {
        Touch::Hand { hand, label } => Some(board.name(drawing.hands.get(*hand)?.side, label)),
        Touch::Spot(_) => None,
    });
    if let Some(piece) = taken {
        let text = format!(
            "{} {} on {}",
            words.hint_piece,
            board.name(piece.side, &piece.label),
            name(piece.spot)
        );
        steps.push((text, Trace { from, ..Trace::default() }));
    } else if let Some(held) = held {
        steps.push((format!("{} {held} in hand", words.hint_piece), Trace::default()));
    }
    if let Some(to) = to.filter(|to| Some(*to) != from) {
        let text = format!("{} {}", words.hint_place, name(to));
        steps.push((text, Trace { from, to: Some(to), also: Vec::new() }));
    }
    let why = match &best.best_play {
        Some(best_play) => format!("{}: {best_play}", best.name),
        None => reason(answer, fastest, language),
    };
    steps.push((format!("{} {why}", words.hint_reason), best.trace.clone()));
    steps
}
