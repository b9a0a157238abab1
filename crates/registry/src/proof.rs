//! The proof that a position is won or lost, as programs see it.

use kanzen_core::{Drawing, Trace, Verdict};
use serde::Serialize;

/// The proof that a position is won or lost.
#[derive(Clone, Debug, Serialize)]
pub struct Proof {
    /// The position.
    pub position: String,
    /// Its value: `value` and `plies`.
    #[serde(flatten)]
    pub value: Verdict,
    /// The size of the smallest proof tree, if it was found.
    pub tree: Option<u64>,
    /// A number of positions that the smallest proof tree exceeds, if it was not found.
    pub tree_exceeds: Option<u64>,
    /// The winner's positions that are won within so many plies are left out of the strategy.
    pub look: u16,
    /// The size of the strategy.
    pub strategy: StrategySize,
    /// The strategy, if it is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub book: Option<Book>,
}

/// How far a proof goes.
#[derive(Clone, Copy, Debug)]
pub struct Depth {
    /// The smallest tree is given up after looking into so many positions.
    pub most: u64,
    /// Positions that the winner can win within so many plies need no answer; at least 1.
    pub look: u16,
    /// Whether the strategy is wanted as a book: its boards take much memory.
    pub book: bool,
}

/// The positions of a strategy, up to symmetry; those that need no answer are left out.
#[derive(Clone, Debug, Serialize)]
pub struct StrategySize {
    /// All of them.
    pub positions: u64,
    /// Those with the winner to move: the size that is as small as possible.
    pub winner_to_move: u64,
    /// Those with the loser to move.
    pub loser_to_move: u64,
    /// No strategy has fewer positions with the winner to move.
    pub at_least: u64,
}

/// A strategy as a book: 'if they play this, play that'.
#[derive(Clone, Debug, Serialize)]
pub struct Book {
    /// Where the answers to the loser's first moves stand, if the loser begins.
    pub first: Vec<Reply>,
    /// The positions in which the winner is to move: chapter by chapter, and in each in the order in
    /// which they arise.
    pub entries: Vec<Entry>,
    /// The chapters, one for each of the loser's first moves that leads to something new.
    pub chapters: Vec<Chapter>,
}

/// A part of a book: what follows one of the loser's first moves.
#[derive(Clone, Debug, Serialize)]
pub struct Chapter {
    /// The move.
    pub reply: String,
    /// The number of its first entry.
    pub first: usize,
    /// How many entries it has.
    pub entries: usize,
}

impl Book {
    /// Binds entries, numbered as they were found, by chapters. A table that contradicts itself may lead to
    /// entries that are not there.
    pub(crate) fn of(first: Vec<Reply>, entries: Vec<Entry>) -> Book {
        // If the winner begins, the book opens with its first move.
        let opening = usize::from(first.is_empty() && !entries.is_empty());
        let replies = if opening == 1 { &entries[0].replies } else { &first };
        let mut order: Vec<usize> = (0..opening).collect();
        let mut new = vec![0; entries.len()];
        new[..opening].fill(1);
        let mut chapters = Vec::new();
        for reply in replies {
            let begin = order.len();
            let mut next = begin;
            let add = |entry: Option<usize>, order: &mut Vec<usize>, new: &mut Vec<usize>| {
                if let Some(old) = entry.map(|entry| entry - 1)
                    && let Some(number @ 0) = new.get_mut(old)
                {
                    order.push(old);
                    *number = order.len();
                }
            };
            add(reply.entry, &mut order, &mut new);
            while let Some(&old) = order.get(next) {
                entries[old]
                    .replies
                    .iter()
                    .for_each(|reply| add(reply.entry, &mut order, &mut new));
                next += 1;
            }
            if order.len() > begin {
                let (first, entries) = (begin + 1, order.len() - begin);
                chapters.push(Chapter { reply: reply.name.clone(), first, entries });
            }
        }
        let renumbered = |replies: Vec<Reply>| -> Vec<Reply> {
            let entry = |reply: &Reply| new.get(reply.entry? - 1).copied().filter(|&new| new > 0);
            replies.into_iter().map(|reply| Reply { entry: entry(&reply), ..reply }).collect()
        };
        let first = renumbered(first);
        let mut entries: Vec<Entry> = entries
            .into_iter()
            .zip(&new)
            .filter(|(_, number)| **number > 0)
            .map(|(entry, &number)| Entry { number, replies: renumbered(entry.replies), ..entry })
            .collect();
        entries.sort_by_key(|entry| entry.number);
        Book { first, entries, chapters }
    }
}

/// A position of a book, and the answer to it.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Its number, from 1.
    pub number: usize,
    /// The position.
    pub position: String,
    /// Its value: `value` and `plies`.
    #[serde(flatten)]
    pub value: Verdict,
    /// The winner's move.
    pub answer: String,
    /// What the loser may do then.
    pub replies: Vec<Reply>,
    /// The board.
    #[serde(skip)]
    pub drawing: Drawing,
    /// The spots that the answer touches.
    #[serde(skip)]
    pub trace: Trace,
}

/// A move of the loser.
#[derive(Clone, Debug, Serialize)]
pub struct Reply {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// The entry that answers it; none if the winner wins at once.
    pub entry: Option<usize>,
    /// Whether the entry shows the position turned or mirrored.
    pub image: bool,
}
