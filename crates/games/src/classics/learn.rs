//! What the classics say to newcomers: how they are written, and what is known of them.

use kanzen_core::Words;
use kanzen_registry::{Goal, Learn, Lesson};

/// How positions are written that are a letter for each point.
const POINTS: Words = Words::new(
    "A letter for each point, in the order of their names: X and O are pieces, . is an empty point. Then the side to move.",
    "点の名前の順に1文字ずつ書きます。XとOは駒、.は空いた点です。最後に手番を書きます。",
);

/// How positions are written that are a letter for each cell.
const CELLS: Words = Words::new(
    "A letter for each cell, row by row from the top: X and O are pieces, . is an empty cell. Then the side to move.",
    "上の行から順に1マス1文字で書きます。XとOは駒、.は空きマスです。最後に手番を書きます。",
);

/// The same with a mark between rows.
const ROWS: Words = Words::new(
    "The rows from the top joined by /: X and O are pieces, . is an empty cell. Then the side to move.",
    "上の行から/で区切って書きます。XとOは駒、.は空きマスです。最後に手番を書きます。",
);

/// How moves on numbered points are written.
const NUMBERED: Words = Words::new(
    "4 puts a piece on point 4; 0-1 moves it from point 0 to point 1.",
    "4は点4に置く手、0-1は点0から点1へ動かす手です。",
);

/// How steps on cells are written.
const STEPS: Words = Words::new("a3-a2 goes from a3 to a2.", "a3-a2はa3からa2へ動く手です。");

pub(super) const TICTACTOE: Learn = Learn {
    moves: Words::new("a1 puts a mark on a1.", "a1はa1に置く手です。"),
    positions: CELLS,
    known: Words::new(
        "With own marks neither side can force a win: that has long been known, and A. S. Douglas's program OXO of 1952 already played without a mistake.",
        "自分の印だけを置くルールでは、どちらも勝ちを強制できないことが古くから知られています。1952年のA・S・ダグラスのプログラムOXOは、すでに間違えずに指しました。",
    ),
    ..Learn::NONE
};

pub(super) const THREE_MENS_MORRIS: Learn = Learn {
    moves: NUMBERED,
    positions: POINTS,
    known: Words::new(
        "One of the oldest games of its kind; R. C. Bell's Board and Table Games from Many Civilizations tells of it and its relatives Tapatan, Achi and Nine Holes.",
        "この種のゲームでは最も古いものの一つです。R・C・ベルの『Board and Table Games from Many Civilizations』に、仲間のタパタン、アチ、ナインホールズとともに載っています。",
    ),
    ..Learn::NONE
};

pub(super) const TAPATAN: Learn = Learn {
    moves: NUMBERED,
    positions: POINTS,
    known: Words::new(
        "Played in the Philippines, on boards cut into floors and steps; R. C. Bell's Board and Table Games from Many Civilizations tells of it.",
        "フィリピンの遊びで、床や石段に刻んだ盤で遊ばれます。R・C・ベルの『Board and Table Games from Many Civilizations』に載っています。",
    ),
    ..Learn::NONE
};

pub(super) const NINE_HOLES: Learn = Learn {
    moves: Words::new(
        "a1 puts a piece on a1; b1-b3 moves it from b1 to b3.",
        "a1はa1に置く手、b1-b3はb1からb3へ動かす手です。",
    ),
    positions: CELLS,
    known: Words::new(
        "An English relative of three men's morris; R. C. Bell's Board and Table Games from Many Civilizations tells of it.",
        "スリーメンズモリスの仲間で、イギリスの遊びです。R・C・ベルの『Board and Table Games from Many Civilizations』に載っています。",
    ),
    ..Learn::NONE
};

pub(super) const ACHI: Learn = Learn {
    moves: NUMBERED,
    positions: POINTS,
    known: Words::new(
        "Played in Ghana; R. C. Bell's Board and Table Games from Many Civilizations tells of it.",
        "ガーナの遊びです。R・C・ベルの『Board and Table Games from Many Civilizations』に載っています。",
    ),
    ..Learn::NONE
};

pub(super) const PICARIA: Learn = Learn {
    moves: NUMBERED,
    positions: POINTS,
    known: Words::new(
        "A game of the Zuñi in New Mexico; Stewart Culin's Games of the North American Indians (1907) tells of it.",
        "ニューメキシコのズニ族の遊びです。スチュアート・キューリンの『Games of the North American Indians』（1907年）に載っています。",
    ),
    ..Learn::NONE
};

pub(super) const TSORO_YEMATATU: Learn = Learn {
    moves: NUMBERED,
    positions: POINTS,
    known: Words::new(
        "A game from Zimbabwe, made known by Claudia Zaslavsky's books on games of three in a row.",
        "ジンバブエの遊びで、クローディア・ザスラフスキーの三目並べの本で知られるようになりました。",
    ),
    ..Learn::NONE
};

pub(super) const SIX_MENS_MORRIS: Learn = Learn {
    moves: Words::new(
        "7-6 moves a man from point 7 to point 6, 7-6x3 also takes the man on 3; 6 alone puts a man there.",
        "7-6は点7から点6へ動かす手、7-6x3はさらに3の駒を取る手です。6だけなら駒を置く手です。",
    ),
    positions: Words::new(
        "Sixteen letters, the outer square and then the inner one, clockwise from the top left: X is a man of the side to move, O one of the other side. The two numbers are the men in hand.",
        "外側、内側の順に左上から時計回りに16文字です。Xは手番側、Oは相手の駒です。後の二つの数は手に持つ駒の数です。",
    ),
    known: Words::new(
        "Nine Men's Morris, the larger game, was solved by Ralph Gasser in 1993: it is a draw. The rules for taking men are those of his paper.",
        "より大きなナインメンズモリスは、1993年にラルフ・ガッサーが解き、引き分けと示しました。駒を取るルールはその論文に従います。",
    ),
    ..Learn::NONE
};

pub(super) const PONG_HAU_KI: Learn = Learn {
    moves: Words::new("0-2 goes from point 0 to point 2.", "0-2は点0から点2へ動く手です。"),
    positions: POINTS,
    known: Words::new(
        "Philip Straffin drew all its positions as a graph in 1995, beside those of Mū tōrere. Nobody loses who is careful.",
        "1995年にフィリップ・ストラフィンが、ムー・トレレとともに全局面をグラフに描きました。注意深く指せば勝負はつきません。",
    ),
    ..Learn::NONE
};

pub(super) const MU_TORERE: Learn = Learn {
    moves: Words::new("0-8 goes from point 0 to point 8.", "0-8は点0から点8へ動く手です。"),
    positions: Words::new(
        "A letter for each point of the ring and then for the centre: X and O are pieces, . is the empty point. Then the side to move, and how many of the first moves are made.",
        "輪の点と中央を順に1文字ずつ書きます。XとOは駒、.は空いた点です。次に手番と、最初の手が何手済んだかを書きます。",
    ),
    known: Words::new(
        "A game of the Māori. Marcia Ascher analysed it in 1987, and showed why the restriction on the first moves is needed; Philip Straffin drew all its positions as a graph in 1995.",
        "マオリの遊びです。1987年にマーシャ・アッシャーが解析し、最初の手の制限がなぜ要るかを示しました。1995年にはフィリップ・ストラフィンが全局面をグラフに描きました。",
    ),
    ..Learn::NONE
};

pub(super) const HEXAPAWN: Learn = Learn {
    moves: STEPS,
    positions: ROWS,
    known: Words::new(
        "Martin Gardner invented it in 1962 for a machine of matchboxes that learns to win, and knew that the second player wins on three by three cells.",
        "1962年にマーティン・ガードナーが、勝ち方を学ぶマッチ箱の機械のために考えました。3×3では後手が勝つことも知っていました。",
    ),
    ..Learn::NONE
};

pub(super) const BREAKTHROUGH: Learn = Learn {
    moves: STEPS,
    positions: ROWS,
    known: Words::new(
        "Dan Troyka invented it in 2000. Abdallah Saffidine, Nicolas Jouandeau and Tristan Cazenave solved boards of up to six by five in 2011.",
        "2000年にダン・トロイカが考えました。2011年にアブダラ・サフィディヌ、ニコラ・ジュアンドー、トリスタン・カズナーヴが6×5までの盤を解きました。",
    ),
    ..Learn::NONE
};

pub(super) const DODGEM: Learn = Learn {
    positions: ROWS,
    moves: Words::new(
        "a1-b1 goes from a1 to b1; c1-off leaves the board from c1.",
        "a1-b1はa1からb1へ動く手、c1-offはc1から盤の外へ出る手です。",
    ),
    known: Words::new(
        "Colin Vout's game, known by Winning Ways of Berlekamp, Conway and Guy. David des Jardins found in 1996 that the first player wins on three by three cells, and that the next two boards are draws.",
        "コリン・ヴァウトの考案で、バーレカンプ、コンウェイ、ガイの『Winning Ways』で知られています。1996年にデイヴィッド・デ・ジャルダンが、3×3は先手勝ち、続く二つの盤は引き分けと示しました。",
    ),
    ..Learn::NONE
};

pub(super) const HARE_AND_HOUNDS: Learn = Learn {
    moves: Words::new("A-B goes from point A to point B.", "A-Bは点Aから点Bへ動く手です。"),
    positions: Words::new(
        "The points of the hounds, the point of the hare, and the side to move: d for the hounds, h for the hare.",
        "猟犬の点、野兎の点、手番（dは猟犬、hは野兎）の順に書きます。",
    ),
    known: Words::new(
        "Édouard Lucas wrote of it in the nineteenth century; Winning Ways of Berlekamp, Conway and Guy calls it the French Military Hunt.",
        "19世紀にエドゥアール・リュカが取り上げました。バーレカンプ、コンウェイ、ガイの『Winning Ways』ではフランス軍の狩りと呼ばれています。",
    ),
    ..Learn::NONE
};

pub(super) const L_GAME: Learn = Learn {
    moves: Words::new(
        "d1d2c3d3,a1-b1 puts the L on the cells d1, d2, c3 and d3, and moves a neutral piece from a1 to b1.",
        "d1d2c3d3,a1-b1は、Lをd1・d2・c3・d3に置き、中立の駒をa1からb1へ動かす手です。",
    ),
    positions: Words::new(
        "X and O are the cells of the Ls, N those of the neutral pieces and . the empty ones, row by row; then the side to move.",
        "行ごとにXとOは各自のL、Nは中立の駒、.は空きマスを表します。最後に手番を書きます。",
    ),
    known: Words::new(
        "Edward de Bono invented it in 1967. Winning Ways of Berlekamp, Conway and Guy has the positions that are lost; from the start nobody can force a win.",
        "1967年にエドワード・デボノが考えました。バーレカンプ、コンウェイ、ガイの『Winning Ways』に負けの局面が載っています。初形からはどちらも勝ちを強制できません。",
    ),
    lessons: &[
        Lesson::new(
            Goal::Move,
            "NXX./.OX./.OX./.OON X",
            "d1d2c3d3",
            "Lift your L and put it on other cells. A neutral piece may be moved afterwards.",
            "自分のLを持ち上げ、別のマスに置きましょう。その後、中立の駒を動かしてもかまいません。",
        ),
        Lesson::new(
            Goal::Win,
            "OOON/O.X./..X./NXX. X",
            "c2a3b3c3,a4-d3",
            "Your opponent's L is in the corner. Leave it no other place: win with one move.",
            "相手のLは隅にいます。ほかに置く場所をなくして、1手で勝ちましょう。",
        ),
        Lesson::new(
            Goal::Win,
            ".XXN/..XO/N.XO/..OO X",
            "a2b2c2c3,a3-b4",
            "Win with one move. The neutral piece has to help.",
            "1手で勝ちましょう。中立の駒の助けが要ります。",
        ),
        Lesson::new(
            Goal::Win,
            "..OO/XX.O/NX.O/.X.N X",
            "b1b2b3c3",
            "Win with one move. The neutral pieces already stand well.",
            "1手で勝ちましょう。中立の駒はもうよい所にいます。",
        ),
        Lesson::new(
            Goal::Guard,
            "..NX/.OOX/.OXX/.ON. X",
            "a1b1a2a3,c1-c3",
            "Take care: a single move leaves your opponent no way to win at once.",
            "相手に次の1手で勝たれないようにしましょう。そういう手は一つだけです。",
        ),
    ],
    ..Learn::NONE
};

pub(super) const TEEKO: Learn = Learn {
    moves: Words::new(
        "c3 drops a piece on c3, c3-d4 moves it to d4; R@c3 drops a piece of the other side, where the rules want that.",
        "c3はc3に置く手、c3-d4はd4へ動かす手です。R@c3は相手の駒を置く手です（そのルールの場合）。",
    ),
    positions: Words::new(
        "The rows from the top joined by /: B and R are pieces, . is an empty point; then the side to move, b or r.",
        "上の行から/で区切り、BとRは駒、.は空いた点です。最後に手番（bかr）を書きます。",
    ),
    known: Words::new(
        "John Scarne invented it. Guy Steele solved its sixteen variants in 1998: two are won by the first player, the others are draws.",
        "ジョン・スカーンの考案です。1998年にガイ・スティールが16の変種を解きました。二つは先手勝ち、ほかは引き分けです。",
    ),
    ..Learn::NONE
};

pub(super) const CONNECT_FOUR: Learn = Learn {
    moves: Words::new(
        "b3 drops a stone into column b, where it comes to lie in the third cell from the bottom.",
        "b3はb列に落とし、下から3段目に積まれる手です。",
    ),
    positions: Words::new(
        "The columns from the left joined by /, each with its stones from the bottom; - is an empty column.",
        "左の列から/で区切り、下の石から順に書きます。-は空の列です。",
    ),
    known: Words::new(
        "On the usual board, seven by six, the first player wins: James D. Allen and Victor Allis found that in 1988, each for himself.",
        "ふつうの7×6の盤は先手勝ちです。1988年にジェームズ・D・アレンとヴィクター・アリスが、それぞれ独立に見つけました。",
    ),
    ..Learn::NONE
};

/// Teeko: who chooses where a piece is dropped.
pub(super) const CHOOSERS: &[Words] = &[
    Words::new("its owner", "持ち主"),
    Words::new("the opponent", "相手"),
    Words::new(
        "the opponent for the first piece, then its owner",
        "最初の1個は相手、その後は持ち主",
    ),
    Words::new(
        "the opponent for the first two pieces, then its owner",
        "最初の2個は相手、その後は持ち主",
    ),
    Words::new(
        "the opponent for the first three pieces, then its owner",
        "最初の3個は相手、その後は持ち主",
    ),
    Words::new(
        "its owner for the first piece, then the opponent",
        "最初の1個は持ち主、その後は相手",
    ),
    Words::new(
        "its owner for the first two pieces, then the opponent",
        "最初の2個は持ち主、その後は相手",
    ),
    Words::new(
        "its owner for the first three pieces, then the opponent",
        "最初の3個は持ち主、その後は相手",
    ),
];

/// Tic-tac-toe: which marks a player puts.
pub(super) const MARKS: &[Words] =
    &[Words::new("own marks", "自分の印"), Words::new("either mark", "どちらの印でも")];
