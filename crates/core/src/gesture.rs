//! How a move is made on a board by hand: which spots and pieces are touched, and in which order.

use crate::Trace;

/// What a hand touches.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Touch {
    /// A spot of the board, by number.
    Spot(usize),
    /// A piece in a hand.
    Hand {
        /// The number of the hand.
        hand: usize,
        /// The label of the piece.
        label: String,
    },
}

/// The touches that make a move.
///
/// Moves of one position with the same gesture are told apart by their names.
///
/// ```
/// use kanzen_core::{Gesture, Touch, Trace};
/// let step = Gesture::from(&Trace::step(3, 7));
/// assert_eq!(step.next(&[Touch::Spot(3)]), Some(vec![Touch::Spot(7)]));
/// assert_eq!(step.next(&[Touch::Spot(7)]), None, "that is another move");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gesture {
    /// What is touched first, in this order.
    pub touches: Vec<Touch>,
    /// Spots that are touched after that in any order: where several pieces are put.
    pub then: Vec<usize>,
}

impl Gesture {
    /// The touches that are possible after some that were made; none if those do not belong to
    /// this gesture. The gesture is complete if nothing is left.
    pub fn next(&self, made: &[Touch]) -> Option<Vec<Touch>> {
        let ordered = made.len().min(self.touches.len());
        if made[..ordered] != self.touches[..ordered] {
            return None;
        }
        if let Some(touch) = self.touches.get(made.len()) {
            return Some(vec![touch.clone()]);
        }
        let mut left: Vec<Touch> = self.then.iter().map(|&spot| Touch::Spot(spot)).collect();
        for touch in &made[ordered..] {
            let place = left.iter().position(|other| other == touch)?;
            left.remove(place);
        }
        Some(left)
    }
}

/// The spot that is left, then the spot that is reached.
impl From<&Trace> for Gesture {
    fn from(trace: &Trace) -> Gesture {
        let spots = trace.from.iter().chain(&trace.to);
        Gesture { touches: spots.map(|&spot| Touch::Spot(spot)).collect(), then: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touches_come_in_order_and_the_last_ones_in_any() {
        let spot = Touch::Spot;
        let gesture = Gesture { touches: vec![spot(5), spot(16)], then: vec![3, 4] };
        assert_eq!(gesture.next(&[]), Some(vec![spot(5)]));
        assert_eq!(gesture.next(&[spot(16)]), None);
        assert_eq!(gesture.next(&[spot(5), spot(16)]), Some(vec![spot(3), spot(4)]));
        assert_eq!(gesture.next(&[spot(5), spot(16), spot(4)]), Some(vec![spot(3)]));
        assert_eq!(gesture.next(&[spot(5), spot(16), spot(4), spot(4)]), None);
        assert_eq!(gesture.next(&[spot(5), spot(16), spot(4), spot(3)]), Some(vec![]));
        assert_eq!(gesture.next(&[spot(5), spot(16), spot(4), spot(3), spot(1)]), None);
    }
}
