//! Moves in words that a person can read, made of what they touch.

use crate::board::Board;
use kanzen_core::{Gesture, Language, Touch, Trace};

/// What a move does: 'King from c3 to c2; b2, d2 change.'
///
/// ```
/// use kanzen_core::{Drawing, Gesture, Kit, Language, Piece, Side, Trace};
/// use kanzen_show::{board::plain, move_words};
/// let mut drawing = Drawing::cells(3, 1);
/// drawing.pieces.push(Piece::new(0, Side::One, "1"));
/// let board = plain(&drawing, &Kit::STONES, false, Language::English, String::new());
/// let (trace, gesture) = (Trace::step(0, 1), Gesture::default());
/// assert_eq!(move_words(&board, &trace, &gesture), "Blue piece from a1 to b1");
/// ```
pub fn move_words(board: &Board<'_>, trace: &Trace, gesture: &Gesture) -> String {
    let (drawing, language) = (board.drawing, board.language);
    let name = |spot: &usize| drawing.spots.get(*spot).map_or("", |spot| &*spot.name);
    let on = |spot: usize| {
        let piece = drawing.pieces.iter().rfind(|piece| piece.spot == spot)?;
        Some(board.name(piece.side, &piece.label))
    };
    let names = |spots: &[usize]| {
        spots.iter().map(name).collect::<Vec<_>>().join(language.pick(", ", "・"))
    };
    let held = gesture.touches.iter().find_map(|touch| match touch {
        Touch::Hand { hand, label } => Some(board.name(drawing.hands.get(*hand)?.side, label)),
        Touch::Spot(_) => None,
    });
    let english = language == Language::English;
    let mut text = match (trace.from, trace.to) {
        (Some(from), to) => {
            let piece = on(from).unwrap_or_default();
            match to.filter(|to| *to != from) {
                Some(to) if english => format!("{piece} from {} to {}", name(&from), name(&to)),
                Some(to) => format!("{piece}：{}から{}へ", name(&from), name(&to)),
                None if to.is_some() && english => {
                    format!("{piece} on {} leaves the board", name(&from))
                }
                None if to.is_some() => format!("{piece}：{}から盤の外へ", name(&from)),
                None if english => format!("{piece} on {}", name(&from)),
                None => format!("{piece}：{}", name(&from)),
            }
        }
        (None, Some(to)) => match held {
            Some(piece) if english => format!("{piece} from the hand to {}", name(&to)),
            Some(piece) => format!("{piece}：手から{}へ", name(&to)),
            None if english => format!("a piece is put on {}", name(&to)),
            None => format!("{}に置く", name(&to)),
        },
        (None, None) => return language.pick("pass", "パス").to_owned(),
    };
    if let Some(other) = trace.to.filter(|to| Some(*to) != trace.from).and_then(on) {
        text +=
            &language.pick(format!(", where the {other} stands"), format!("（{other}のある所）"));
    }
    let then: Vec<usize> = gesture.then.clone();
    let also: Vec<usize> = trace.also.iter().copied().filter(|spot| !then.contains(spot)).collect();
    let moved = !then.is_empty() && then.iter().all(|spot| trace.also.contains(spot));
    if moved {
        let (also, then) = (names(&also), names(&then));
        text += &language.pick(
            format!("; {also} caught and put on {then}"),
            format!("、{also}の駒を{then}へ移す"),
        );
    } else if !also.is_empty() {
        let change = if also.len() == 1 { "changes" } else { "change" };
        let also = names(&also);
        text += &language.pick(format!("; {also} {change}"), format!("、{also}も変わる"));
    }
    text
}
