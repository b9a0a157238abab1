//! What the program says to people, in English and Japanese.

use crate::Press;
use kanzen_core::{Language, Outcome, Pressure, Verdict, Words};

/// The name of the one who is spoken to.
pub const YOU: Words = Words::new("You", "あなた");

/// Whether an English verb after a name is that of many: 'You win', 'Hounds win'.
pub fn is_plural(name: Words) -> bool {
    name == YOU || name.en.ends_with('s')
}

/// Sentences in a language.
///
/// ```
/// use kanzen_core::{Language, Outcome, Verdict};
/// use kanzen_show::Speak;
/// let verdict = Verdict { value: Outcome::Win, plies: Some(3) };
/// assert_eq!(Language::English.short(verdict), "win in 3");
/// assert_eq!(Language::Japanese.short(verdict), "3手で勝ち");
/// let hounds = kanzen_core::Words::new("Hounds", "猟犬");
/// assert_eq!(Language::English.wins_in(hounds, Some(3)), "Hounds win in 3");
/// ```
pub trait Speak {
    /// The texts of the interface.
    fn phrases(self) -> &'static Phrases;
    /// 'Red wins in 3', or 'You win in 3' for [`YOU`].
    fn wins_in(self, name: Words, plies: Option<u16>) -> String;
    /// A value in a few words, as in a list.
    fn short(self, verdict: Verdict) -> String;
    /// Who presses in a draw, to be said after it.
    fn presses(self, press: Press) -> String;
    /// An outcome in a word.
    fn outcome(self, outcome: Outcome) -> &'static str;
    /// '… to move'.
    fn to_move(self, name: Words) -> String;
    /// How far a level sees: 'sees 3 plies'.
    fn sees(self, plies: u16) -> String;
    /// A piece and its owner: 'Brown piece'.
    fn piece_of(self, owner: Words, kind: &str) -> String;
}

impl Speak for Language {
    fn phrases(self) -> &'static Phrases {
        self.pick(&ENGLISH, &JAPANESE)
    }

    fn wins_in(self, name: Words, plies: Option<u16>) -> String {
        let (has, wins) = if is_plural(name) { ("have", "win") } else { ("has", "wins") };
        let (en, ja) = (name.en, name.ja);
        match plies {
            Some(0) => self.pick(format!("{en} {has} won"), format!("{ja}の勝ち")),
            Some(plies) => {
                self.pick(format!("{en} {wins} in {plies}"), format!("{ja}の{plies}手勝ち"))
            }
            None => self.pick(format!("{en} {wins}"), format!("{ja}の勝ち")),
        }
    }

    fn short(self, verdict: Verdict) -> String {
        let outcome = self.outcome(verdict.value);
        match verdict.plies {
            None => outcome.to_owned(),
            Some(plies) => {
                self.pick(format!("{outcome} in {plies}"), format!("{plies}手で{outcome}"))
            }
        }
    }

    fn presses(self, press: Press) -> String {
        let Press { by, holding, plies, .. } = press;
        let (en, ja) = (by.name.en, by.name.ja);
        let presses = if is_plural(by.name) { "press" } else { "presses" };
        // Where more hold, this many are told.
        let capped = holding >= Pressure::MAX_HOLDING;
        let moves = match holding {
            1 => "only 1 move holds".to_owned(),
            _ if capped => format!("{holding} or more moves hold"),
            _ => format!("only {holding} moves hold"),
        };
        let at_least = if capped { "以上" } else { "" };
        let (when_en, when_ja) = match plies {
            0 => (String::new(), String::new()),
            1 => ("after 1 ply ".to_owned(), "1手後に".to_owned()),
            _ => (format!("after {plies} plies "), format!("{plies}手後に")),
        };
        self.pick(
            format!("; {en} {presses}: {when_en}{moves}"),
            format!("（{ja}が押す：{when_ja}引き分けを保てる手は{holding}手{at_least}）"),
        )
    }

    fn outcome(self, outcome: Outcome) -> &'static str {
        match outcome {
            Outcome::Win => self.phrases().win,
            Outcome::Draw => self.phrases().draw,
            Outcome::Loss => self.phrases().loss,
        }
    }

    fn to_move(self, name: Words) -> String {
        self.pick(format!("{} to move", name.en), format!("{}の手番", name.ja))
    }

    fn sees(self, plies: u16) -> String {
        let unit = if plies == 1 { "ply" } else { "plies" };
        self.pick(format!("sees {plies} {unit}"), format!("読み {plies} 手"))
    }

    fn piece_of(self, owner: Words, kind: &str) -> String {
        self.pick(format!("{} {kind}", owner.en), format!("{}の{kind}", owner.ja))
    }
}

/// Declares the texts, so that no language can lack one.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident: $english:literal, $japanese:literal;)*) => {
        /// The texts of the interface in one language.
        #[derive(Debug)]
        #[expect(missing_docs, reason = "the texts say what they are")]
        pub struct Phrases { $(pub $name: &'static str,)* }
        const ENGLISH: Phrases = Phrases { $($name: $english,)* };
        const JAPANESE: Phrases = Phrases { $($name: $japanese,)* };
    };
}

words! {
    tagline: "Board games, solved completely", "ボードゲームの完全解析";
    intro: "Once such a game is solved, the value of every position is known to the end of the game. Look into any of them, play against perfection, or ask the JSON API.", "解かれたゲームは、どの局面も最後まで調べ尽くされています。局面を眺め、完全な相手と指し、JSON APIで調べることができます。";
    skip: "Skip to the board", "盤へ移動";
    explore: "Explore", "調べる";
    learn: "Learn", "学ぶ";
    learn_first: "New here? Learn it in a few positions", "はじめての方へ：いくつかの局面で学ぶ";
    rules: "Rules", "ルール";
    lessons: "Try it", "やってみましょう";
    lesson: "Lesson", "レッスン";
    lesson_right: "Right!", "正解です！";
    lesson_wrong: "Not that one. Try another move.", "その手ではありません。別の手を試しましょう。";
    lessons_done: "That was the last lesson. Now play a game!", "これで最後です。対局してみましょう！";
    next: "Next", "次へ";
    show_answer: "Show the answer", "答えを見る";
    the_answer: "The answer", "答え";
    how_moves: "How moves are written", "手の書き方";
    how_positions: "How positions are written", "局面の書き方";
    the_start_is: "The start is written", "初形の書き方：";
    first_moves_are: "Moves of the start:", "初形での手：";
    variants: "Variants", "ルールの選択";
    known: "What is known", "わかっていること";
    literature: "Literature", "文献";
    coordinates: "Coordinates", "座標";
    a_draw: "It is a draw", "引き分けです";
    wins: "Wins", "勝ち";
    draws: "Draws", "引き分け";
    losses: "Losses", "負け";
    others: "Not known", "不明";
    why: "why?", "なぜ？";
    why_help: "Shows the answer that refutes this move", "この手への応手を表示";
    explained: "How to understand it", "この局面について";
    threats: "If it were the other side's turn, it would win by", "相手の番なら、次の手で勝ちです：";
    annotate: "Annotate a game", "棋譜を調べる";
    annotated: "The game, move by move", "棋譜の解析";
    annotate_help: "Write or paste a game: its moves one after the other, as they are written here. If it does not begin at the start, put the position and a | before them.", "棋譜を入力してください。手を順に並べて書きます。途中の局面から始めるときは、局面と|を前に書きます。";
    only_move: "the only move", "唯一の手";
    keeps_value: "keeps the value", "最善";
    player: "Player", "対局者";
    a_move: "Move", "手";
    judged: "What it did", "評価";
    better: "better", "より良い手";
    better_move: "Better", "より良い手";
    mistakes: "Mistakes", "悪手";
    no_mistakes: "Nobody gave the result away.", "結果を変える悪手はありません。";
    as_puzzle: "Find the better move yourself", "より良い手を自分で探す";
    simplest: "The win that forgives most", "最も間違えにくい勝ち方";
    simplest_fastest: "The fastest win is also the one that forgives most.", "最短の勝ちが最も間違えにくい勝ちでもあります。";
    by_rules: "The board can be played on; values appear when the game is solved.", "盤上で指すことはできます。解析されると評価が表示されます。";
    play: "Play", "対局";
    set_up: "Set up", "局面編集";
    facts: "Facts", "統計";
    puzzles: "Puzzles", "問題";
    puzzles_wait: "Being made; the page shows them when they are ready.", "作成中です。できあがると表示されます。";
    no_puzzles: "This game has no puzzles.", "このゲームには問題がありません。";
    drill: "Learn the winning strategy", "必勝法を覚える";
    drill_begin: "Begin", "始める";
    drill_wait: "The winning strategy is being worked out; the page shows it when it is ready.", "必勝法を計算中です。できあがると表示されます。";
    drill_none: "With best play the start is a draw, or its winning strategy is too large to learn here. The command kanzen prove tells more.", "初期局面は引き分けか、必勝法が大きすぎてここでは練習できません。kanzen proveコマンドで詳しく調べられます。";
    puzzles_solved: "solved", "問正解";
    solved_puzzle: "solved", "正解";
    next_set: "Next set", "次の問題集";
    earlier_set: "Earlier set", "前の問題集";
    more_puzzles: "More puzzles", "ほかの問題";
    easy: "easy", "やさしい";
    medium: "medium", "ふつう";
    hard: "hard", "むずかしい";
    task_win: "Find the winning move", "勝ちになる手は？";
    task_fastest: "Find the fastest win", "最短の勝ちは？";
    task_draw: "Find the move that draws", "引き分けになる手は？";
    puzzle_right: "Right, go on.", "正解です。続けましょう。";
    refuted_by: "It is refuted by", "この手への応手：";
    solution: "Solution", "答え";
    next_puzzle: "Next puzzle", "次の問題";
    daily: "Puzzle of the day", "今日の問題";
    hint_piece: "Hint: which piece?", "ヒント：どの駒？";
    hint_place: "Hint: where to?", "ヒント：どこへ？";
    hint_reason: "Hint: why?", "ヒント：なぜ？";
    against_trickster: "Win it against the trickster", "わな師に勝つ";
    all_themes: "All themes", "すべて";
    theme: "Theme", "テーマ";
    rating: "Rating", "レーティング";
    streak: "streak", "連続正解";
    longest_streak: "longest", "最長";
    puzzle_done: "Solved!", "正解です！";
    puzzle_wrong: "That lets it slip", "それでは結果が変わります";
    try_again: "Try again", "もう一度";
    show_solution: "Show the solution", "答えを見る";
    api: "JSON API", "JSON API";
    api_intro: "Everything on these pages can be asked for by programs, from any origin and without a key.", "このサイトの内容はすべて、プログラムからも調べられます。鍵は不要で、どのサイトからでも使えます。";
    api_samples: "Samples", "例";
    api_endpoints: "What can be asked for", "調べられるもの";
    api_parameters: "Parameters", "パラメーター";
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
    touch_hint: "Click on the board or drag a piece, or use Tab, the arrow keys and Enter.", "盤をクリックするか、駒をドラッグしてください。Tab・矢印キー・Enterでも指せます。";
    put_next: "Now choose where the caught pieces go.", "はさんだ駒の行き先を選んでください。";
    choose_move: "Which move?", "どの手ですか？";
    cancel: "Cancel", "取り消す";
    best_line: "Best line", "最善手順";
    copy: "Copy", "コピー";
    copied: "Copied", "コピーしました";
    line_repeats: "then a position comes back", "以下、同一局面の繰り返し";
    line_unknown: "from here on the search gives up", "この先は探索を打ち切りました";
    line_ends: "and the game is over", "で終局";
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
    no_table: "This game is not solved here yet", "このゲームはここではまだ解かれていません";
    how_to_solve: "This command solves it; the page shows the values as soon as the table is there:", "次のコマンドで解くと、このページに評価が表示されます。";
    cannot_solve: "This site cannot solve games itself. On your own machine this command does:", "このサイトではゲームを解けません。お手元では次のコマンドで解けます。";
    solve_now: "Solve", "解く";
    pause: "Pause", "一時停止";
    go_on: "Go on", "再開";
    is_begun: "A solve was begun here and goes on from its checkpoint.", "途中までの解析があり、そこから再開します。";
    time_left: "Time left: about", "残り時間の目安：";
    solving: "Solving", "解析中";
    pausing: "Pausing: the checkpoint is being written", "一時停止中：チェックポイントを書いています";
    paused: "Paused", "一時停止";
    waiting: "Waiting to be solved", "解析待ち";
    solve_failed: "The solve has failed", "解析に失敗しました";
    census_only: "This table holds only the census", "この表には集計だけが入っています";
    census_only_help: "It tells how many positions have which value, but not the value of a single one. The board can be played on by the rules.", "値ごとの局面数は分かりますが、個々の局面の評価は分かりません。盤上ではルールに従って指せます。";
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
    two_people: "Two people, at one board or by link", "二人で（同じ盤、またはリンクで）";
    machines: "Machine against machine", "コンピュータ同士";
    second_machine: "Second machine", "二番目のコンピュータ";
    send_link: "The game so far is a link: whoever opens it can make the next move.", "ここまでの対局はリンクです。開いた人が次の手を指せます。";
    link: "Link", "リンク";
    next_move: "Next move", "次の手";
    speed: "Speed", "速さ";
    slow: "slow", "遅い";
    normal: "normal", "普通";
    fast: "fast", "速い";
    sound: "Sound", "音";
    your_results: "Your results", "あなたの成績";
    results_help: "Games without hints, kept in this browser only.", "ヒントなしの対局だけを、このブラウザにのみ記録します。";
    slips: "Slips so far", "ここまでの失着";
    slips_help: "A slip is a move after which the result is worse than before.", "失着とは、結果が悪くなった手のことです。";
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
    census: "Census", "全局面の統計";
    gallery_wait: "Being searched for; the page shows them when they are found.", "探しています。見つかると表示されます。";
    plot_log: "logarithmic scale", "対数目盛";
    none: "None.", "なし。";
    table_wrong: "The table cannot be used", "テーブルを使えません";
    error: "That did not work", "表示できません";
    unknown_page: "There is no such page.", "ページがありません。";
    not_a_move: "is not a move there", "はここでは指せません";
    home: "All games", "ゲーム一覧";
    last_move: "last move", "直前の手";
    empty: "empty", "空き";
    pass: "Pass", "パス";
    keys: "Keys: ← back, → forward, Home, End, F flip, M mirror, C coordinates, Esc cancel", "キー：← 戻る、→ 進む、Home、End、F 上下反転、M 左右反転、C 座標、Esc 取り消し";
}
