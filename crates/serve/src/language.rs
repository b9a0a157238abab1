//! Every text of the interface, in English and Japanese.
//!
//! The language is that of a link (`lang=ja`), else of a cookie that such a link has set, else the
//! browser's first choice.

use axum::http::{HeaderMap, header};
use kanzen_core::{Kind, Outcome, Verdict};

/// A language of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    English,
    /// 日本語.
    Japanese,
}

impl Language {
    /// The language of a tag such as `ja-JP`.
    pub fn of_tag(tag: &str) -> Option<Language> {
        match tag.trim().split(['-', '_']).next().unwrap_or_default() {
            "en" => Some(Language::English),
            "ja" => Some(Language::Japanese),
            _ => None,
        }
    }

    /// The language that a request asks for by its headers.
    pub fn of_headers(headers: &HeaderMap) -> Language {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or("");
        let cookie = text(header::COOKIE)
            .split(';')
            .filter_map(|cookie| cookie.trim().strip_prefix("lang="))
            .find_map(Language::of_tag);
        cookie
            .or_else(|| Language::accepted(text(header::ACCEPT_LANGUAGE)))
            .unwrap_or(Language::English)
    }

    /// The best language of an `Accept-Language` header.
    fn accepted(header: &str) -> Option<Language> {
        let choices = header.split(',').filter_map(|choice| {
            let (tag, weight) = choice.split_once(";q=").unwrap_or((choice, "1"));
            Some((Language::of_tag(tag)?, weight.trim().parse::<f32>().ok()?))
        });
        // The first of equals, as the browser lists them.
        choices
            .filter(|(_, weight)| *weight > 0.0)
            .fold(None, |best: Option<(Language, f32)>, choice| match best {
                Some(best) if best.1 >= choice.1 => Some(best),
                _ => Some(choice),
            })
            .map(|(language, _)| language)
    }

    /// Its tag.
    pub fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Japanese => "ja",
        }
    }

    /// The texts in this language.
    pub fn words(self) -> &'static Words {
        match self {
            Language::English => &ENGLISH,
            Language::Japanese => &JAPANESE,
        }
    }

    /// The value of a position in words, said to the side to move.
    pub fn verdict(self, verdict: Verdict) -> String {
        match (self, verdict.value, verdict.plies) {
            (Language::English, Outcome::Win, Some(0)) => "You have won".to_owned(),
            (Language::English, Outcome::Loss, Some(0)) => "You have lost".to_owned(),
            (Language::English, Outcome::Win, Some(1)) => "You win in 1 ply".to_owned(),
            (Language::English, Outcome::Win, Some(plies)) => format!("You win in {plies} plies"),
            (Language::English, Outcome::Loss, Some(plies)) => format!("You lose in {plies} plies"),
            (Language::English, Outcome::Win, None) => "You win".to_owned(),
            (Language::English, Outcome::Loss, None) => "You lose".to_owned(),
            (Language::English, Outcome::Draw, _) => "It is a draw".to_owned(),
            (Language::Japanese, Outcome::Win, Some(0)) => "あなたの勝ちで終わりました".to_owned(),
            (Language::Japanese, Outcome::Loss, Some(0)) => "あなたの負けで終わりました".to_owned(),
            (Language::Japanese, Outcome::Win, Some(plies)) => format!("あなたの{plies}手勝ちです"),
            (Language::Japanese, Outcome::Loss, Some(plies)) => {
                format!("あなたの{plies}手負けです")
            }
            (Language::Japanese, Outcome::Win, None) => "あなたの勝ちです".to_owned(),
            (Language::Japanese, Outcome::Loss, None) => "あなたの負けです".to_owned(),
            (Language::Japanese, Outcome::Draw, _) => "引き分けです".to_owned(),
        }
    }

    /// A value in a few words, as in a list.
    pub fn short(self, verdict: Verdict) -> String {
        let words = self.words();
        let outcome = match verdict.value {
            Outcome::Win => words.win,
            Outcome::Draw => words.draw,
            Outcome::Loss => words.loss,
        };
        match (self, verdict.plies) {
            (_, None) => outcome.to_owned(),
            (Language::English, Some(plies)) => format!("{outcome} in {plies}"),
            (Language::Japanese, Some(plies)) => format!("{plies}手で{outcome}"),
        }
    }

    /// '… to move'.
    pub fn to_move(self, name: &str) -> String {
        match self {
            Language::English => format!("{} to move", self.name(name)),
            Language::Japanese => format!("{}の手番", self.name(name)),
        }
    }

    /// '… has won'.
    pub fn has_won(self, name: &str) -> String {
        match self {
            Language::English => format!("{} has won", self.name(name)),
            Language::Japanese => format!("{}の勝ち", self.name(name)),
        }
    }

    /// '… can force a win'.
    pub fn wins(self, name: &str) -> String {
        match self {
            Language::English => format!("{} wins", self.name(name)),
            Language::Japanese => format!("{}の勝ち", self.name(name)),
        }
    }

    /// A piece and its owner: 'Brown piece'.
    pub fn piece_of(self, owner: &str, kind: &str) -> String {
        match self {
            Language::English => format!("{owner} {kind}"),
            Language::Japanese => format!("{}の{kind}", self.name(owner)),
        }
    }

    /// What a kind of piece is called.
    pub fn kind(self, kind: &Kind) -> &'static str {
        match self {
            Language::English => kind.name,
            Language::Japanese => kind.japanese,
        }
    }

    /// A word of a game: a player, a piece, a game's title. Words without a translation stay.
    pub fn name(self, word: &str) -> &str {
        match self {
            Language::English => word,
            Language::Japanese => {
                NAMES.iter().find(|(english, _)| *english == word).map_or(word, |(_, name)| name)
            }
        }
    }
}

/// Players, pieces and titles in Japanese.
const NAMES: &[(&str, &str)] = &[
    ("Blue", "青"),
    ("Red", "赤"),
    ("Brown", "茶"),
    ("Black", "黒"),
    ("Sente", "先手"),
    ("Gote", "後手"),
    ("Player 1", "1番"),
    ("Player 2", "2番"),
    ("Player 3", "3番"),
    ("Simpei (シンペイ)", "シンペイ"),
    ("Doubutsu Shogi (どうぶつしょうぎ)", "どうぶつしょうぎ"),
    ("Three-player three-in-a-row", "三人三目並べ"),
    ("Sixteen Musashi (十六むさし), the standard board of 33 points", "十六むさし（33点の標準盤）"),
    ("Sixteen Musashi, the board of 31 points", "十六むさし（31点の盤）"),
    ("Sixteen Musashi, the board of 25 points (八道行成)", "八道行成（25点の盤）"),
    ("Mū tōrere", "ムー・トレレ"),
    ("Ostle (オストル)", "オストル"),
    ("beginner", "入門"),
    ("casual", "初級"),
    ("club", "中級"),
    ("strong", "上級"),
    ("master", "名人"),
    ("perfect", "完全"),
    ("trickster", "わな師"),
];

/// Declares the texts, so that no language can lack one.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident: $english:literal, $japanese:literal;)*) => {
        /// The texts of the interface in one language.
        #[derive(Debug)]
        pub struct Words { $(pub $name: &'static str,)* }
        const ENGLISH: Words = Words { $($name: $english,)* };
        const JAPANESE: Words = Words { $($name: $japanese,)* };
    };
}

words! {
    tagline: "Board games, solved completely", "ボードゲームの完全解析";
    intro: "Every position of these games has been worked out to the end of the game. Look into any of them, play against perfection, or ask the JSON API.", "ここにあるゲームは、どの局面も最後まで調べ尽くされています。局面を眺め、完全な相手と指し、JSON APIで調べることができます。";
    skip: "Skip to the board", "盤へ移動";
    explore: "Explore", "調べる";
    play: "Play", "対局";
    set_up: "Set up", "局面編集";
    facts: "Facts", "統計";
    puzzles: "Puzzles", "問題";
    puzzles_wait: "Being made; the page shows them when they are ready.", "作成中です。できあがると表示されます。";
    no_puzzles: "This game has no puzzles.", "このゲームには問題がありません。";
    puzzles_solved: "solved", "問正解";
    solved_puzzle: "solved", "正解";
    next_set: "Next set", "次の問題集";
    earlier_set: "Earlier set", "前の問題集";
    more_puzzles: "More puzzles", "ほかの問題";
    easy: "easy", "やさしい";
    medium: "medium", "ふつう";
    hard: "hard", "むずかしい";
    task_win: "Find the winning move", "勝ちになる手は？";
    task_draw: "Find the move that draws", "引き分けになる手は？";
    puzzle_done: "Solved!", "正解です！";
    puzzle_wrong: "That lets it slip", "それでは結果が変わります";
    try_again: "Try again", "もう一度";
    show_solution: "Show the solution", "答えを見る";
    api: "JSON API", "JSON API";
    other_language: "日本語", "English";
    win: "win", "勝ち";
    draw: "draw", "引き分け";
    loss: "loss", "負け";
    unknown: "unknown", "不明";
    nobody_wins: "Nobody can force a win", "だれも勝ちを強制できません";
    nobody_won: "Nobody has won", "勝者なし";
    game_over: "The game is over", "終局";
    safe: "A loss can be avoided", "負けを避けられます";
    not_safe: "A loss cannot be avoided", "負けを避けられません";
    meaning: "Best play means", "最善の意味";
    moves: "Moves, best first", "指し手（良い順）";
    no_moves: "There is no move here.", "指し手はありません。";
    show_all: "Show all moves", "すべての手を表示";
    touch_hint: "Click or drag a piece, or use Tab, the arrow keys and Enter.", "駒をクリックするかドラッグしてください。Tab・矢印キー・Enterでも指せます。";
    put_next: "Now choose where the caught pieces go.", "はさんだ駒の行き先を選んでください。";
    choose_move: "Which move?", "どの手ですか？";
    cancel: "Cancel", "取り消す";
    best_line: "Best line", "最善手順";
    copy: "Copy", "コピー";
    copied: "Copied", "コピーしました";
    line_repeats: "then a position comes back", "以下、同一局面の繰り返し";
    line_unknown: "from here on the search gives up", "この先は探索を打ち切りました";
    line_ends: "and the game is over", "まで";
    to_start: "To the start", "最初へ";
    back: "Back", "戻る";
    forward: "Forward", "進む";
    to_end: "To the end", "最後へ";
    flip: "Flip", "上下反転";
    mirror: "Mirror", "左右反転";
    game_so_far: "The game so far", "これまでの手順";
    graph: "Value along the game", "評価の推移";
    ply: "Ply", "手数";
    position: "Position", "局面";
    show_position: "Show", "表示";
    board_text: "The board as text", "盤面（文字）";
    value_map: "Value map of a piece", "駒の評価マップ";
    value_map_help: "Choose a piece, and see what the position would be worth if it stood elsewhere.", "駒を選ぶと、別の場所にあったときの局面の評価が見られます。";
    close_map: "Close the map", "マップを閉じる";
    hands: "In hand", "持ち駒";
    variant: "Variant", "ルール";
    choose: "Choose", "選ぶ";
    no_table: "This game is not solved here yet", "このゲームはまだ解かれていません";
    how_to_solve: "Solve it with this command; the page shows the values as soon as the table is there:", "次のコマンドで解くと、このページに評価が表示されます。";
    takes: "It takes about", "目安：";
    of_memory: "of memory", "のメモリ";
    seconds: "s", "秒";
    minutes: "min", "分";
    hours: "h", "時間";
    solving: "Solving", "解析中";
    waiting: "Waiting to be solved", "解析待ち";
    solve_failed: "The solve has failed", "解析に失敗しました";
    solved: "solved", "解析済み";
    not_solved: "not solved yet", "未解析";
    positions: "positions", "局面";
    start_value: "The start", "初形";
    erase: "Erase", "消す";
    put: "Put", "置く";
    side_to_move: "Side to move", "手番";
    clear_board: "Clear the board", "盤を空にする";
    start_position: "Start position", "初期局面";
    set_up_help: "Choose a piece and then its place. A second click removes it.", "駒を選び、置く場所をクリックします。もう一度クリックすると消えます。";
    legal: "This is a legal position.", "正しい局面です。";
    illegal: "This is not a legal position:", "正しい局面ではありません：";
    look_at_it: "Look at it", "この局面を調べる";
    write_it: "Or write it", "文字で入力";
    no_set_up: "This game's boards are not set up by hand; write the position instead.", "このゲームでは文字で局面を入力してください。";
    opponent: "Opponent", "相手";
    you_play: "You play", "あなた";
    new_game: "New game", "新しい対局";
    take_back: "Take back", "待った";
    hint: "Hint", "ヒント";
    hide_hint: "Hide the hint", "ヒントを隠す";
    your_move: "Your move", "あなたの番です";
    you_won: "You have won", "あなたの勝ちです";
    you_lost: "You have lost", "あなたの負けです";
    drawn: "A draw", "引き分けです";
    repeated: "The position has come back: the game may go on for ever.", "同一局面です。このまま続けることもできます。";
    changes: "Where the value changed hands", "評価が動いた手";
    no_changes: "Nobody made a mistake that changed the outcome.", "結果を変える悪手はありませんでした。";
    from_to: "→", "→";
    look_back: "Look back at the game", "対局を調べる";
    play_on: "Play from here", "ここから対局";
    level_help: "A level sees so many plies ahead; beyond that all moves look alike to it. The trickster plays perfectly and sets traps.", "レベルは何手先まで読めるかを表します。その先の手はどれも同じに見えます。わな師は完全に指しながら、間違えやすい局面へ誘います。";
    sees: "sees", "読み";
    plies: "plies", "手";
    census: "Census", "全局面の統計";
    gallery: "Remarkable positions", "珍しい局面";
    gallery_wait: "Being searched for; the page shows them when they are found.", "探しています。見つかると表示されます。";
    plot_log: "logarithmic scale", "対数目盛";
    table_wrong: "The table cannot be used", "テーブルを使えません";
    error: "That did not work", "表示できません";
    unknown_page: "There is no such page.", "ページがありません。";
    not_a_move: "is not a move there", "はここでは指せません";
    home: "All games", "ゲーム一覧";
    last_move: "last move", "直前の手";
    empty: "empty", "空き";
    pass: "Pass", "パス";
    keys: "Keys: ← back, → forward, Home, End, F flip, M mirror, Esc cancel", "キー：← 戻る、→ 進む、Home、End、F 上下反転、M 左右反転、Esc 取り消し";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_accepted_language_is_taken() {
        let accepted = Language::accepted;
        assert_eq!(accepted("ja,en;q=0.5"), Some(Language::Japanese));
        assert_eq!(accepted("fr, en-GB;q=0.8, ja;q=0.9"), Some(Language::Japanese));
        assert_eq!(accepted("en,ja"), Some(Language::English));
        assert_eq!(accepted("ja;q=0, de"), None);
        assert_eq!(accepted("💥;q=x"), None);
    }
}
