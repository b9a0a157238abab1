//! The plain twin of the ranking of draws, for tests: forward passes over all draws, which know no tiers.

use kanzen_core::{Game, Next, Pressure, Value};
use kanzen_index::{Indexed, Place};

/// A drawn position in which the game is not over.
struct Draw {
    place: Place,
    /// Whether some move loses.
    loses: bool,
    /// Where the moves that keep the draw lead to, and whether the same side is to move there; none if
    /// the game is over then.
    keeping: Vec<Option<(Place, bool)>>,
    rank: Option<Pressure>,
}

/// Who presses in every draw, by tier and index; none also where there is no draw. The values are those
/// that [`plain`](kanzen_solve::plain) finds. For games in which every position has a place.
pub fn plain_draws<G: Indexed>(
    game: &G,
    values: &[Vec<Option<Value>>],
) -> Vec<Vec<Option<Pressure>>> {
    let value = |place: Place| values[place.tier][place.index as usize];
    let open = |place: Place| matches!(value(place), Some(Value::Draw(1..)));
    let mut ranks: Vec<Vec<Option<Pressure>>> =
        values.iter().map(|tier| vec![None; tier.len()]).collect();
    let sizes = values.iter().map(|tier| tier.len() as u64).enumerate();
    let places = sizes.flat_map(|(tier, size)| (0..size).map(move |index| Place { tier, index }));
    let mut draws = Vec::new();
    for place in places.filter(|&place| open(place)) {
        let Some(position) = game.position(place) else { continue };
        let mut draw = Draw { place, loses: false, keeping: Vec::new(), rank: None };
        Game::successors(game, &position, |next| {
            let child = next.position().map(|child| game.locate(&child));
            let of_child = || child.and_then(value).unwrap_or(Value::OPEN);
            match next.value(|_| of_child()) {
                Value::Win(_) => (),
                Value::Loss(_) => draw.loses = true,
                Value::Draw(_) => {
                    let again = matches!(next, Next::Again(_));
                    let child = child.filter(|&child| open(child));
                    draw.keeping.push(child.map(|child| (child, again)));
                }
            }
        });
        draws.push(draw);
    }
    let most = draws.iter().map(|draw| draw.keeping.len()).max().unwrap_or(0);
    for holding in 1..=most as u8 {
        for plies in 0.. {
            let mut found = Vec::new();
            for (number, draw) in draws.iter().enumerate().filter(|(_, draw)| draw.rank.is_none()) {
                // For the side that makes the move: whether it presses after it, and since when.
                let after = draw.keeping.iter().map(|child| {
                    let (place, again) = (*child)?;
                    let rank = ranks[place.tier][place.index as usize]?;
                    Some((rank.own == again, rank.holding, rank.plies))
                });
                let after: Vec<_> = after.collect();
                let own = if plies == 0 {
                    let narrow = draw.loses && draw.keeping.len() <= usize::from(holding);
                    narrow.then_some(false)
                } else if after.contains(&Some((true, holding, plies - 1))) {
                    Some(true)
                } else {
                    let pressed = after.iter().all(|after| matches!(after, Some((false, ..))));
                    pressed.then_some(false)
                };
                found.extend(own.map(|own| (number, Pressure { own, holding, plies })));
            }
            if found.is_empty() && plies > 0 {
                break;
            }
            for (number, rank) in found {
                let Place { tier, index } = draws[number].place;
                draws[number].rank = Some(rank);
                ranks[tier][index as usize] = Some(rank);
            }
        }
    }
    ranks
}
