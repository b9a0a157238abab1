//! What can go wrong with a request, and the status that it gets: here and nowhere else.

use kanzen_analyse::ValueError;
use kanzen_core::NotationError;
use kanzen_registry::{GameError, Misread};

/// Why a request was not answered.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// A parameter or a part of the body is wrong.
    #[error("{message}")]
    Field {
        /// The parameter.
        field: &'static str,
        /// What is wrong with it.
        message: String,
    },
    /// A move of a line cannot be made.
    #[error("move {ply}, '{name}', cannot be made at {}", .at.as_deref().unwrap_or("the end of the game"))]
    Move {
        /// The number of the move, from 1.
        ply: usize,
        /// What was given for it.
        name: String,
        /// The position, unless the game is over.
        at: Option<String>,
    },
    /// A game could not answer.
    #[error("{}", said(.0))]
    Game(#[from] GameError),
    /// There is no such page.
    #[error("there is no such page")]
    Page,
    /// Whoever asks may not do that here.
    #[error("{0}")]
    Forbidden(&'static str),
    /// The body is longer than allowed.
    #[error("the body is too long: {0} bytes are allowed")]
    Long(usize),
    /// The answer took too long, or too many others wait for theirs.
    #[error("the server is busy: try again later")]
    Busy,
    /// A fault of the program.
    #[error("the program has failed: please report what you asked for")]
    Fault,
}

/// What a game says, without the directories of this machine.
fn said(error: &GameError) -> String {
    if let (GameError::NotSolved { game, .. }, Some(arguments)) = (error, error.solve_arguments()) {
        return format!("{game} is not solved here: 'kanzen solve {arguments}' makes its table");
    }
    let name = |word: &str| match word.trim_start_matches(['\'', '"', '(']) {
        // A stroke alone is a letter of the game's notation.
        path if path.starts_with('/') && path.contains(char::is_alphanumeric) => {
            path.rsplit('/').next().unwrap_or_default().to_owned()
        }
        _ => word.to_owned(),
    };
    error.to_string().split(' ').map(name).collect::<Vec<_>>().join(" ")
}

/// What is wrong with a written position, and how one is written.
fn misread_in_japanese(misread: &Misread) -> String {
    let wrong = match &misread.error {
        // A length, or a text in quotation marks.
        NotationError::Shape { found, .. } if found.parse::<usize>().is_ok() => {
            format!("長さが合いません（{found}）。")
        }
        NotationError::Shape { found, .. } => format!("{found}は局面として読めません。"),
        NotationError::Letter { at, found, .. } => format!("{at}文字目の「{found}」は使えません。"),
        NotationError::Count { found, .. } => format!("数が合わない駒があります（{found}個）。"),
        NotationError::Illegal(_) => "ルール上ありえない局面です。".to_owned(),
    };
    match &misread.examples[..] {
        [] => wrong,
        examples => format!("{wrong}局面の書き方の例：{}", examples.join("、")),
    }
}

impl Trouble {
    /// A wrong parameter.
    pub fn field(field: &'static str, message: impl Into<String>) -> Trouble {
        Trouble::Field { field, message: message.into() }
    }

    /// The same in Japanese, as far as it can be said without the words of a game, which are English.
    pub fn in_japanese(&self) -> Option<String> {
        Some(match self {
            Trouble::Move { ply, name, at: Some(at) } => {
                format!("{ply}手目の「{name}」は{at}では指せません。")
            }
            Trouble::Move { ply, name, at: None } => {
                format!("{ply}手目の「{name}」は指せません。対局は終わっています。")
            }
            Trouble::Game(error) => match error {
                GameError::Notation(misread) => misread_in_japanese(misread),
                GameError::UnknownGame { name, .. } => {
                    format!("「{name}」というゲームはありません。")
                }
                GameError::UnknownOption { name, allowed } => {
                    format!("「{name}」というルールの選択はありません。あるのは{allowed}です。")
                }
                GameError::OptionValue { name, value, allowed } => {
                    format!("「{name}」を「{value}」にはできません。選べるのは{allowed}です。")
                }
                GameError::NotSolved { .. } => match error.solve_arguments() {
                    Some(arguments) => format!(
                        "このゲームはここではまだ解かれていません。「kanzen solve {arguments}」で解けます。"
                    ),
                    None => return None,
                },
                _ => return None,
            },
            Trouble::Long(most) => format!("送られた内容が長すぎます。{most}バイトまでです。"),
            Trouble::Busy => {
                "混み合っています。しばらくしてからもう一度お試しください。".to_owned()
            }
            Trouble::Fault => "プログラムの誤りです。何をしたかをお知らせください。".to_owned(),
            Trouble::Field { field, .. } => format!("「{field}」に使えない値です。"),
            Trouble::Page | Trouble::Forbidden(_) => return None,
        })
    }

    /// Whether the English words tell more than the Japanese.
    pub fn tells_more(&self) -> bool {
        match self {
            Trouble::Game(GameError::Notation(misread)) => {
                matches!(misread.error, NotationError::Count { .. } | NotationError::Illegal(_))
            }
            Trouble::Field { .. } => true,
            _ => self.in_japanese().is_none(),
        }
    }

    /// The status of the response.
    pub fn status(&self) -> u16 {
        match self {
            Trouble::Field { .. } | Trouble::Move { .. } => 400,
            Trouble::Forbidden(_) => 403,
            Trouble::Page => 404,
            Trouble::Long(_) => 413,
            Trouble::Busy => 503,
            Trouble::Fault => 500,
            Trouble::Game(error) => match error {
                GameError::UnknownGame { .. }
                | GameError::NotSolved { .. }
                | GameError::UnknownKind { .. }
                | GameError::Value(ValueError::CensusOnly)
                | GameError::NoAnswer(_) => 404,
                GameError::OptionShape(_)
                | GameError::UnknownOption { .. }
                | GameError::OptionValue { .. }
                | GameError::Store { .. }
                | GameError::Notation(_) => 400,
                GameError::Solve(_)
                | GameError::Table(_)
                | GameError::Value(_)
                | GameError::Memory { .. } => 503,
            },
        }
    }

    /// The part of the request that is to blame, if one is.
    pub fn blamed(&self) -> Option<&'static str> {
        match self {
            Trouble::Field { field, .. } => Some(field),
            Trouble::Move { .. } => Some("line"),
            Trouble::Long(_) => Some("body"),
            Trouble::Page | Trouble::Forbidden(_) | Trouble::Busy | Trouble::Fault => None,
            Trouble::Game(error) => match error {
                GameError::UnknownGame { .. } | GameError::NotSolved { .. } => Some("game"),
                GameError::OptionShape(_)
                | GameError::UnknownOption { .. }
                | GameError::OptionValue { .. } => Some("o"),
                GameError::Notation(_) => Some("position"),
                GameError::NoAnswer(_)
                | GameError::Store { .. }
                | GameError::Solve(_)
                | GameError::Table(_)
                | GameError::Value(_)
                | GameError::UnknownKind { .. }
                | GameError::Memory { .. } => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_left_out_and_strokes_of_a_notation_are_not() {
        let tell = |text: &str| said(&GameError::NoAnswer(text.to_owned()));
        assert_eq!(tell("rows joined by /, found 'zz'"), "rows joined by /, found 'zz'");
        assert_eq!(tell("cannot open /home/somebody/a.kanzen"), "cannot open a.kanzen");
    }
}
