//! Nim with three heaps: rules, notation and drawing, and Kanzen gives it commands, explorer and API.

use kanzen::prelude::*;

/// Stones of the largest heap.
const MOST: u8 = 7;

#[derive(Clone)]
struct Nim(Vec<Tier>);

impl Game for Nim {
    type Position = [u8; 3];
    type Move = (usize, u8); // a heap, and how many stones stay in it
    fn start(&self) -> [u8; 3] {
        [3, 5, 7]
    }
    fn over(&self, heaps: &[u8; 3]) -> Option<Outcome> {
        (*heaps == [0; 3]).then_some(Outcome::Loss)
    }
    fn moves(&self, heaps: &[u8; 3], mut each: impl FnMut((usize, u8))) {
        (0..3).for_each(|heap| (0..heaps[heap]).for_each(|left| each((heap, left))));
    }
    fn play(&self, heaps: &[u8; 3], (heap, left): (usize, u8)) -> Next<[u8; 3]> {
        let mut next = *heaps;
        next[heap] = left;
        Next::Position(next)
    }
    fn parse(&self, text: &str) -> Result<[u8; 3], NotationError> {
        let heaps: Vec<u8> = text.split('-').filter_map(|heap| heap.parse().ok()).collect();
        let heaps: Option<[u8; 3]> = heaps.try_into().ok();
        let heaps = heaps.filter(|heaps| heaps.iter().all(|stones| *stones <= MOST));
        heaps.ok_or_else(|| NotationError::shape("heaps of up to 7 stones, such as 3-5-7", text))
    }
    fn write(&self, heaps: &[u8; 3]) -> String {
        heaps.map(|stones| stones.to_string()).join("-")
    }
    fn write_move(&self, heaps: &[u8; 3], mv: (usize, u8)) -> String {
        format!("{}-{}", ["a", "b", "c"][mv.0], heaps[mv.0] - mv.1)
    }
    fn draw(&self, heaps: &[u8; 3]) -> Drawing {
        let stones = (0..3).flat_map(|heap| (0..heaps[heap]).map(move |stone| spot(heap, stone)));
        let pieces = stones.map(|spot| Piece::new(spot, Side::Two, 2)).collect();
        Drawing { pieces, ..Drawing::cells(3, MOST) }
    }
    fn trace(&self, heaps: &[u8; 3], (heap, left): (usize, u8)) -> Trace {
        let also = (left + 1..heaps[heap]).map(|stone| spot(heap, stone)).collect();
        Trace { from: Some(spot(heap, left)), to: None, also }
    }
}

/// Where a stone lies: heaps are columns, from the bottom.
fn spot(heap: usize, stone: u8) -> usize {
    3 * usize::from(MOST - 1 - stone) + heap
}

impl Indexed for Nim {
    const INDEX_VERSION: u32 = 1;
    fn tiers(&self) -> &[Tier] {
        &self.0
    }
    fn locate(&self, heaps: &[u8; 3]) -> Place {
        let index = heaps.iter().fold(0, |index, &stones| 8 * index + u64::from(stones));
        Place { tier: 0, index }
    }
    fn position(&self, place: Place) -> Option<[u8; 3]> {
        Some([64, 8, 1].map(|unit| (place.index / unit % 8) as u8))
    }
}

static NIM: Entry = Entry::new(
    "nim",
    Words::new("Nim", "ニム"),
    Words::new("Take stones from a heap. Who takes the last one wins.", "最後の石を取れば勝ち。"),
    |options| Box::new(TwoPlayer::new(Nim(vec![Tier::new("all", 512, true)]), options)),
);

fn main() -> std::process::ExitCode {
    kanzen::main(Registry::new([&NIM]))
}
