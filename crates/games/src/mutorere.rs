//! Mū tōrere: the Māori game of eight rim points and a centre, four pieces a side.
//!
//! A piece moves to an empty neighbour on the rim; from the centre to any empty rim point; and from
//! the rim to the empty centre if an enemy stands beside it. Who cannot move has lost.

use kanzen_core::{Drawing, Game, Next, NotationError, Outcome, Spot, SpotShape, Trace, Words};
use kanzen_core::{parse_stones, stone_sets, stones, write_stones};
use kanzen_index::{Group, Indexed, PairIndex, Place, Tier};
use kanzen_registry::{Entry, Learn, TwoPlayer};

const CENTRE: usize = 8;
const POINTS: usize = 9;

/// The pieces of the side to move and of the other, as sets of points: the rim 0-7, the centre 8.
pub type Position = (u32, u32);

/// The game.
///
/// ```
/// use kanzen_core::{Game, perft};
/// use kanzen_games::mutorere::MuTorere;
///
/// let game = MuTorere::default();
/// assert_eq!(perft(&game, &game.start(), 1), 2);
/// ```
#[derive(Clone, Debug)]
pub struct MuTorere {
    index: PairIndex,
    tiers: Vec<Tier>,
}

impl Default for MuTorere {
    fn default() -> MuTorere {
        let index = PairIndex::new(Group::polygon(8, POINTS), 4, 4);
        let tiers = vec![index.tier("all", true)];
        MuTorere { index, tiers }
    }
}

fn empty(mine: u32, theirs: u32) -> usize {
    (!(mine | theirs)).trailing_zeros() as usize
}

impl Game for MuTorere {
    type Position = Position;
    type Move = usize; // With one empty point, a move is the point that it leaves.

    fn start(&self) -> Position {
        (0b0000_1111, 0b1111_0000)
    }

    fn over(&self, position: &Position) -> Option<Outcome> {
        let mut outcome = Some(Outcome::Loss);
        self.moves(position, |_| outcome = None);
        outcome
    }

    fn moves(&self, &(mine, theirs): &Position, mut each: impl FnMut(usize)) {
        let empty = empty(mine, theirs);
        for from in (0..POINTS).filter(|from| mine >> from & 1 == 1) {
            let (left, right) = ((from + 7) % 8, (from + 1) % 8);
            let allowed = match (from, empty) {
                (CENTRE, _) => true,
                (_, CENTRE) => theirs & (1 << left | 1 << right) != 0,
                _ => empty == left || empty == right,
            };
            allowed.then(|| each(from));
        }
    }

    fn play(&self, &(mine, theirs): &Position, from: usize) -> Next<Position> {
        Next::Position((theirs, mine & !(1 << from) | 1 << empty(mine, theirs)))
    }

    fn passed(&self, &(mine, theirs): &Position) -> Option<Position> {
        Some((theirs, mine))
    }

    fn symmetries(&self) -> usize {
        self.index.group().order()
    }

    fn image(&self, &(mine, theirs): &Position, symmetry: usize) -> Position {
        let group = self.index.group();
        (group.image(symmetry, mine), group.image(symmetry, theirs))
    }

    fn parse(&self, text: &str) -> Result<Position, NotationError> {
        self.index.check(parse_stones(text, POINTS)?)
    }

    fn write(&self, &(mine, theirs): &Position) -> String {
        write_stones(mine, theirs, POINTS)
    }

    fn write_move(&self, &(mine, theirs): &Position, from: usize) -> String {
        format!("{from}-{}", empty(mine, theirs))
    }

    fn draw(&self, &(mine, theirs): &Position) -> Drawing {
        const X: [f32; POINTS] = [2.0, 3.5, 4.0, 3.5, 2.0, 0.5, 0.0, 0.5, 2.0];
        let spot = |point| Spot::new(X[point], X[(point + 6) % 8], SpotShape::Hole, point);
        let centre = Spot::new(2.0, 2.0, SpotShape::Hole, CENTRE);
        Drawing {
            spots: (0..CENTRE).map(spot).chain([centre]).collect(),
            lines: (0..8).flat_map(|p| [(p, (p + 1) % 8), (p, CENTRE)]).collect(),
            pieces: stones(mine, theirs),
            ..Drawing::default()
        }
    }

    fn compose(&self, drawing: &Drawing) -> Option<String> {
        let (mine, theirs) = stone_sets(drawing);
        Some(write_stones(mine, theirs, POINTS))
    }

    fn trace(&self, &(mine, theirs): &Position, from: usize) -> Trace {
        Trace::step(from, empty(mine, theirs))
    }
}

impl Indexed for MuTorere {
    const INDEX_VERSION: u32 = 1;

    fn tiers(&self) -> &[Tier] {
        &self.tiers
    }

    fn locate(&self, &(mine, theirs): &Position) -> Place {
        Place { tier: 0, index: self.index.index(mine, theirs) }
    }

    fn position(&self, place: Place) -> Option<Position> {
        self.index.sets(place.index)
    }
}

/// Mū tōrere, for a registry.
pub static ENTRY: Entry = Entry {
    claims: |_| include_str!("mutorere.json"),
    learn: Learn {
        moves: Words::new(
            "0-8 moves the piece on point 0 to point 8. The points of the ring are 0 to 7, clockwise from the top; 8 is the centre.",
            "0-8は点0の駒を点8へ動かす手です。輪の点は上から時計回りに0〜7、中央は8です。",
        ),
        positions: Words::new(
            "Nine digits, the ring and then the centre: 1 is a piece of the side to move, 2 one of the other side, 0 the empty point.",
            "輪、中央の順に9個の数字です。1は手番側の駒、2は相手の駒、0は空いた点です。",
        ),
        known: Words::new(
            "A game of the Māori. Marcia Ascher analysed it in 1987; Philip Straffin drew all its positions as a graph in 1995.",
            "マオリの遊びです。1987年にマーシャ・アッシャーが解析し、1995年にフィリップ・ストラフィンが全局面をグラフに描きました。",
        ),
        ..Learn::NONE
    },
    ..Entry::new(
        "mutorere",
        Words::new("Mū tōrere", "ムー・トレレ"),
        Words::new(
            "Nine points, eight on a ring around a centre; four pieces a side. A turn moves one piece to the empty point: along the ring, out of the centre, or into it if the piece has an enemy beside it on the ring. Who cannot move loses; endless play is a draw.",
            "中央とそれを囲む8点の輪。各4個の駒。空いた点へ駒を1個動かす。輪に沿うか、中央から出るか、輪の隣に相手の駒があるときは中央へ入る。動けなければ負け。千日手は引き分け。",
        ),
        |options| Box::new(TwoPlayer::new(MuTorere::default(), options)),
    )
};
