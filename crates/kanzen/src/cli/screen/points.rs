//! Where the cursor goes on a board: from spot to spot, and to the pieces in hand above and below.

use super::keys::Wish;
use kanzen_core::{Drawing, SpotShape, Touch};

/// Everything that can be under the cursor, with its place: hands stand where the picture draws them.
fn all(drawing: &Drawing, possible: &[Touch]) -> Vec<(Touch, f32, f32)> {
    let numbered = drawing.spots.iter().enumerate();
    let seen = numbered.filter(|(number, spot)| {
        spot.shape != SpotShape::Outside || possible.contains(&Touch::Spot(*number))
    });
    let mut all: Vec<_> =
        seen.map(|(number, spot)| (Touch::Spot(number), spot.x, spot.y)).collect();
    let bottom = drawing.spots.iter().map(|spot| spot.y).fold(0.0, f32::max);
    for (hand, held) in drawing.hands.iter().enumerate() {
        let y = if hand == 0 { -1.0 } else { bottom + hand as f32 };
        for (place, label) in held.pieces.iter().enumerate() {
            let touch = Touch::Hand { hand, label: label.clone() };
            // Equal pieces are one thing to touch.
            if !all.iter().any(|(known, ..)| *known == touch) {
                all.push((touch, place as f32, y));
            }
        }
    }
    all
}

/// Where the cursor is at first: in the middle.
pub fn first(drawing: &Drawing) -> Touch {
    let all = all(drawing, &[]);
    let spots = || all.iter().filter(|(touch, ..)| matches!(touch, Touch::Spot(_)));
    let count = spots().count().max(1) as f32;
    let (x, y) = spots().fold((0.0, 0.0), |(x, y), (_, a, b)| (x + a / count, y + b / count));
    let near = spots().min_by(|a, b| {
        let far = |point: &(Touch, f32, f32)| (point.1 - x).hypot(point.2 - y);
        far(a).total_cmp(&far(b))
    });
    near.map_or(Touch::Spot(0), |(touch, ..)| touch.clone())
}

/// The nearest point in the direction of an arrow; what lies to the side counts as farther. The point
/// itself if there is none.
pub fn beside(drawing: &Drawing, possible: &[Touch], from: &Touch, arrow: Wish) -> Touch {
    let all = all(drawing, possible);
    let Some((_, x, y)) = all.iter().find(|(touch, ..)| touch == from) else {
        return first(drawing);
    };
    let ahead = all.iter().filter_map(|(touch, a, b)| {
        let (forward, aside) = match arrow {
            Wish::Up => (y - b, a - x),
            Wish::Down => (b - y, a - x),
            Wish::Left => (x - a, b - y),
            _ => (a - x, b - y),
        };
        (forward > 0.01).then(|| (touch, forward + 2.0 * aside.abs()))
    });
    let nearest = ahead.min_by(|a, b| a.1.total_cmp(&b.1));
    nearest.map_or(from, |(touch, _)| touch).clone()
}

/// What is under the cursor, in words.
pub fn name(drawing: &Drawing, touch: &Touch) -> String {
    match touch {
        Touch::Spot(spot) => {
            drawing.spots.get(*spot).map_or(String::new(), |spot| spot.name.clone())
        }
        Touch::Hand { label, .. } => format!("{label} in hand"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kanzen_core::{Hand, Side};

    #[test]
    fn arrows_go_to_neighbours_and_to_the_hands() {
        let mut board = Drawing::cells(3, 3);
        let hand = |pieces: &[&str]| Hand {
            side: Side::One,
            pieces: pieces.iter().map(|piece| (*piece).to_owned()).collect(),
        };
        board.hands = vec![hand(&["G", "C", "C"]), hand(&[])];
        let spot = Touch::Spot;
        assert_eq!(first(&board), spot(4));
        let go = |from: Touch, arrow| beside(&board, &[], &from, arrow);
        assert_eq!(go(spot(4), Wish::Left), spot(3));
        assert_eq!(go(spot(4), Wish::Down), spot(7));
        assert_eq!(go(spot(7), Wish::Down), spot(7), "nothing is below");
        let held = |label: &str| Touch::Hand { hand: 0, label: label.to_owned() };
        assert_eq!(go(spot(0), Wish::Up), held("G"));
        assert_eq!(go(held("G"), Wish::Right), held("C"));
        assert_eq!(go(held("C"), Wish::Down), spot(1));
        assert_eq!(name(&board, &held("C")), "C in hand");
    }
}
