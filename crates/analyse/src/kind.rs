//! The kinds of things that can be found in a solved game.

use kanzen_core::Words;

/// A kind of remarkable positions or facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name: `kanzen find GAME NAME`.
    pub name: &'static str,
    /// What it finds, in a sentence.
    pub about: Words,
}

impl Kind {
    /// A kind of its own.
    ///
    /// ```
    /// use kanzen_analyse::Kind;
    /// const CORNERS: Kind = Kind::new("corners", "Wins in a corner.", "隅での勝ち。");
    /// assert_eq!((CORNERS.name, CORNERS.about.en), ("corners", "Wins in a corner."));
    /// ```
    pub const fn new(name: &'static str, en: &'static str, ja: &'static str) -> Kind {
        Kind { name, about: Words::new(en, ja) }
    }

    /// The longest wins and losses.
    pub const LONGEST: Kind = Kind::new(
        "longest",
        "The positions that take longest to win or to lose.",
        "勝ちや負けまでの手数が最も長い局面。",
    );
    /// Single good moves.
    pub const ONLY_MOVE: Kind = Kind::new(
        "only-move",
        "Positions in which a single move of several keeps the win or the draw.",
        "勝ちや引き分けを保つ手が一つしかない局面。",
    );
    /// Zugzwangs.
    pub const ZUGZWANG: Kind = Kind::new(
        "zugzwang",
        "Positions that are lost for whoever is to move.",
        "どちらの手番でも手番側が負けになる局面。",
    );
    /// Cycles of forced moves.
    pub const CYCLES: Kind = Kind::new(
        "cycles",
        "Cycles of positions in which each side has a single drawing move.",
        "両者とも引き分けの手が一つしかない局面の循環。",
    );
    /// Numbers of moves.
    pub const BRANCHING: Kind = Kind::new(
        "branching",
        "How many legal moves positions have, and which have the most.",
        "合法手の数の分布と、合法手が最も多い局面。",
    );
    /// Positions without a move.
    pub const IMMOBILE: Kind = Kind::new(
        "immobile",
        "Positions in which the side to move cannot move, a pass apart.",
        "手番側がパス以外に動けない局面。",
    );
    /// Draws.
    pub const DRAWS: Kind =
        Kind::new("draws", "The drawn positions of each tier.", "段階ごとの引き分けの局面。");
    /// Ranked draws.
    pub const PRESSURE: Kind = Kind::new(
        "pressure",
        "Who presses in the draws: who can lead the other to where few moves hold, and how soon.",
        "引き分けの局面でどちらが押しているか（相手を受けの少ない局面へ導けるか）とその手数。",
    );
    /// What can arise.
    pub const REACHABLE: Kind = Kind::new(
        "reachable",
        "How many positions can arise from the start, and how soon.",
        "初期局面から到達できる局面の数と、最短の手数。",
    );
    /// Fairness.
    pub const FAIRNESS: Kind = Kind::new(
        "fairness",
        "How fair, long and sharp the game is, with its first moves and fair starts.",
        "公平さ・長さ・鋭さ、初手の値、公平な開始局面。",
    );
    /// All of one pass.
    pub const SURVEY: Kind = Kind::new(
        "survey",
        "Everything that one pass over all moves tells: fairness, branching, only moves.",
        "全ての手を一度調べて分かること：公平さ、手の数、唯一の手など。",
    );
    /// What designers ask.
    pub const METRICS: Kind = Kind::new(
        "metrics",
        "What designers ask: balance, decisiveness, drama, clarity and skill, by level of play.",
        "設計者の知りたいこと：公平さ・決着・展開・明快さ・腕前を強さ別に。",
    );
    /// Games of equal players.
    pub const PLAYED: Kind = Kind::new(
        "played",
        "How games end between equal players who see a few plies ahead.",
        "数手先まで読む同じ強さの者どうしの対局の結果。",
    );
}
