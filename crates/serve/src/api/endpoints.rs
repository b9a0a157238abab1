//! What the API answers: one list, from which requests are checked, the list and the page for people
//! are made, and the OpenAPI document is written.

use crate::http::errors::Trouble;
use crate::url::query::{Query, short};
use kanzen_core::Words;
use serde::Serialize;
use utoipa::ToSchema;

/// Something that can be asked for.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Endpoint {
    /// `GET` or `POST`.
    pub method: &'static str,
    /// The path; `{game}` stands for the name of a game.
    pub path: &'static str,
    /// What it answers, in English and Japanese.
    #[schema(value_type = std::collections::BTreeMap<String, String>)]
    pub about: Words,
    /// The parameters it takes. Others are refused.
    pub parameters: &'static [Parameter],
    /// An address to try.
    pub example: &'static str,
    /// The type of its answer.
    #[serde(skip)]
    pub answer: &'static str,
}

/// A parameter.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it means, in English.
    pub about: &'static str,
    /// The same in Japanese, for the page.
    #[serde(skip)]
    pub japanese: &'static str,
}

const fn parameter(name: &'static str, about: &'static str, japanese: &'static str) -> Parameter {
    Parameter { name, about, japanese }
}

const O: Parameter = parameter(
    "o",
    "an option as name=value; may be given more than once",
    "オプション（名前=値）。いくつでも指定できます",
);
const POSITION: Parameter = parameter(
    "position",
    "the position in the game's notation; the start if left out",
    "局面。省略すると初期局面",
);
const LINE: Parameter = parameter("line", "moves separated by blanks", "空白で区切った手の列");

const fn get(
    path: &'static str,
    en: &'static str,
    ja: &'static str,
    parameters: &'static [Parameter],
    example: &'static str,
    answer: &'static str,
) -> Endpoint {
    Endpoint { method: "GET", path, about: Words::new(en, ja), parameters, example, answer }
}

/// Everything.
pub const ENDPOINTS: &[Endpoint] = &[
    get("/api/v1/", "This list.", "この一覧。", &[], "/api/v1/", "IndexAnswer"),
    get(
        "/api/v1/games",
        "All games with their options.",
        "すべてのゲームとそのオプション。",
        &[],
        "/api/v1/games",
        "GamesAnswer",
    ),
    get(
        "/api/v1/solves",
        "The solves in the background: what is being done, the share of it, and the time left.",
        "サーバーで進行中の解析：内容、割合、残り時間。",
        &[],
        "/api/v1/solves",
        "SolvesAnswer",
    ),
    get(
        "/api/v1/{game}",
        "A position: its value, and every move with its value, the best first.",
        "局面の評価と、すべての手の評価（良い順）。",
        &[POSITION, O],
        "/api/v1/mutorere?position=111122220",
        "PositionAnswer",
    ),
    get(
        "/api/v1/{game}/line",
        "A best line to the end of the game.",
        "終局までの最善手順。",
        &[POSITION, O],
        "/api/v1/mutorere/line",
        "LineAnswer",
    ),
    get(
        "/api/v1/{game}/explain",
        "Threats, how many moves keep the value, and the win that forgives most.",
        "狙い、結果を保つ手の数、最も間違えにくい勝ち方。",
        &[POSITION, O],
        "/api/v1/mutorere/explain",
        "Explained",
    ),
    get(
        "/api/v1/{game}/rules",
        "The rules, how moves and positions are written, and lessons.",
        "ルール、手と局面の書き方、レッスン。",
        &[O],
        "/api/v1/mutorere/rules",
        "RulesAnswer",
    ),
    get(
        "/api/v1/{game}/moves",
        "The moves of a position by the rules alone; no table is needed.",
        "ルールだけによる局面の手の一覧（表は不要）。",
        &[POSITION, O],
        "/api/v1/tictactoe/moves",
        "PositionAnswer",
    ),
    get(
        "/api/v1/{game}/apply",
        "The position after some moves, by the rules alone.",
        "手を順に進めた後の局面（ルールだけによる）。",
        &[POSITION, LINE, O],
        "/api/v1/mutorere/apply?line=0-8",
        "ApplyAnswer",
    ),
    get(
        "/api/v1/{game}/play",
        "The move that an opponent of some level makes.",
        "指定したレベルの相手の手。",
        &[
            POSITION,
            parameter(
                "level",
                "beginner, casual, club, strong, master, perfect or trickster",
                "相手の強さ：beginner、casual、club、strong、master、perfect、trickster",
            ),
            parameter(
                "seed",
                "a number; another one lets the opponent take other chances",
                "数。変えると相手の偶然の選択も変わります",
            ),
            O,
        ],
        "/api/v1/mutorere/play?level=club",
        "PlayAnswer",
    ),
    get(
        "/api/v1/{game}/annotate",
        "A played game with every move judged.",
        "棋譜の各手の評価。",
        &[POSITION, LINE, O],
        "/api/v1/mutorere/annotate?line=0-8+7-0",
        "Annotated",
    ),
    get(
        "/api/v1/{game}/puzzles",
        "A set of puzzles; ask again while it is not ready.",
        "問題集。readyがfalseの間は作成中です。",
        &[parameter("set", "the number of the set, from 1 to 50", "問題集の番号（1から50）"), O],
        "/api/v1/mutorere/puzzles",
        "PuzzlesAnswer",
    ),
    get(
        "/api/v1/{game}/census",
        "How many positions have which value, as 'kanzen stats --json' prints it.",
        "値ごとの局面数（kanzen stats --json と同じ）。",
        &[O],
        "/api/v1/mutorere/census",
        "",
    ),
    get(
        "/api/v1/{game}/find",
        "Remarkable positions of a kind, or the kinds there are; ask again while it is not ready.",
        "指定した種類の珍しい局面、または種類の一覧。readyがfalseの間は計算中です。",
        &[
            parameter(
                "kind",
                "what to look for; the kinds are listed if left out",
                "探すものの種類。省略すると種類の一覧",
            ),
            parameter(
                "most",
                "the most positions of a kind, up to 100",
                "種類ごとの局面数の上限（100まで）",
            ),
            O,
        ],
        "/api/v1/mutorere/find?kind=longest",
        "FindAnswer",
    ),
    get(
        "/api/v1/{game}/board.svg",
        "The board of a position as a picture.",
        "局面の盤の画像（SVG）。",
        &[
            POSITION,
            parameter("coordinates", "0 leaves them out", "0で座標を省きます"),
            parameter("lang", "the language of names, en or ja", "名前の言語（enかja）"),
            O,
        ],
        "/api/v1/mutorere/board.svg",
        "svg",
    ),
    get(
        "/api/v1/{game}/board.png",
        "The board of a position as a picture in pixels; only where a server is.",
        "局面の盤の画像（PNG）。サーバーでのみ。",
        &[
            POSITION,
            parameter("coordinates", "0 leaves them out", "0で座標を省きます"),
            parameter("lang", "the language of names, en or ja", "名前の言語（enかja）"),
            O,
        ],
        "/api/v1/mutorere/board.png",
        "png",
    ),
    get(
        "/api/v1/{game}/film.svg",
        "A line as a moving picture, one board after the other.",
        "手順の動く画像（SVG）。",
        &[
            POSITION,
            LINE,
            parameter("lang", "the language of names, en or ja", "名前の言語（enかja）"),
            O,
        ],
        "/api/v1/mutorere/film.svg?line=0-8+7-0",
        "svg",
    ),
    Endpoint {
        method: "POST",
        path: "/api/v1/{game}/batch",
        about: Words::new(
            "Up to 1000 positions at once: the body is {\"positions\": [\"…\"]}.",
            "最大1000局面をまとめて調べる。本文は {\"positions\": [\"…\"]}。",
        ),
        parameters: &[O],
        example: "/api/v1/mutorere/batch",
        answer: "BatchAnswer",
    },
    get(
        "/api/v1/openapi.json",
        "The description of the API for programs.",
        "プログラムのためのAPIの記述（OpenAPI）。",
        &[],
        "/api/v1/openapi.json",
        "",
    ),
];

/// Refuses parameters that an endpoint does not take, and names those it does.
pub fn check(path: &str, query: &Query) -> Result<(), Trouble> {
    let Some(endpoint) = ENDPOINTS.iter().find(|endpoint| endpoint.path == path) else {
        return Ok(());
    };
    let known = |name: &str| endpoint.parameters.iter().any(|parameter| parameter.name == name);
    match query.names().find(|name| !known(name)) {
        None => Ok(()),
        Some(name) => {
            let names: Vec<&str> = endpoint.parameters.iter().map(|it| it.name).collect();
            let allowed = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            let options = if known("o") { "; options are given as o=name=value" } else { "" };
            let message =
                format!("unknown parameter '{}': allowed are {allowed}{options}", short(name));
            Err(Trouble::field("query", message))
        }
    }
}
