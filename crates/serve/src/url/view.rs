//! What a page of a game shows: the game so far, and how it is looked at. All of it is in the address.

use crate::http::errors::Trouble;
use crate::state::tables::{Tables, Variant};
use crate::url::query::{Address, Query, short};
use kanzen_core::{Side, Touch};
use kanzen_registry::opponent::Opponent;
use std::sync::Arc;

/// What an address asks to see.
#[derive(Clone)]
pub struct View {
    /// The game.
    pub variant: Arc<Variant>,
    /// Where the game begins, if not at the start.
    pub root: Option<String>,
    /// The moves that are known.
    pub line: Vec<String>,
    /// How many of them are made.
    pub ply: usize,
    /// What was touched on the way to the next move.
    pub pick: Vec<Touch>,
    /// Whether the board is seen from the other side.
    pub flip: bool,
    /// Whether left and right are exchanged.
    pub mirror: bool,
    /// Whether the names of spots are hidden.
    pub unnamed: bool,
    /// The map of values, if it is shown.
    pub map: Option<Map>,
    /// Whether all moves are listed.
    pub all: bool,
    /// Whether only the board is shown, for a frame in a page of others.
    pub embed: bool,
    /// Whether it is a puzzle.
    pub puzzle: bool,
    /// What the puzzle is a part of.
    pub of: Option<Of>,
    /// The number of the lesson, from 1, if it is one.
    pub lesson: Option<usize>,
    /// Against whom it is played, if it is played.
    pub play: Option<Match>,
}

/// What a puzzle is a part of, and its number there, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// A set of puzzles.
    Set(u64, usize),
    /// The winning strategy.
    Drill(usize),
}

/// A map of what the position would be worth if a piece stood elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Map {
    /// The piece is still to be chosen.
    Choose,
    /// The map of the piece on this spot.
    Of(usize),
}

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Players {
    /// Somebody has this side, and a machine the others.
    You(Side),
    /// People, at one board or by link.
    People,
    /// Machines alone.
    Machines,
}

impl Players {
    /// How addresses name them.
    pub fn word(self) -> String {
        match self {
            Players::You(side) => side.number().to_string(),
            Players::People => "both".to_owned(),
            Players::Machines => "none".to_owned(),
        }
    }

    fn read(word: &str) -> Result<Players, Trouble> {
        match word {
            "both" => Ok(Players::People),
            "none" => Ok(Players::Machines),
            side => side_of(side).map(Players::You).ok_or_else(|| {
                Trouble::field("you", format!("'{}' is not 1, 2, 3, both or none", short(side)))
            }),
        }
    }
}

/// A game that is played.
#[derive(Clone, Debug)]
pub struct Match {
    /// Who plays.
    pub players: Players,
    /// The machine's name and kind.
    pub opponent: (&'static str, Opponent),
    /// That of the second, if two play each other.
    pub second: (&'static str, Opponent),
    /// What the opponent's chances depend on.
    pub seed: u64,
    /// Whether the values of moves are shown.
    pub hint: bool,
}

impl Match {
    /// The side of the one who looks at it, if that is a single one.
    pub fn you(&self) -> Option<Side> {
        match self.players {
            Players::You(side) => Some(side),
            Players::People | Players::Machines => None,
        }
    }

    /// The machine that plays a side, if one does.
    pub fn machine(&self, side: Side) -> Option<Opponent> {
        match self.players {
            Players::You(you) => (side != you).then_some(self.opponent.1),
            Players::People => None,
            Players::Machines if side == Side::One => Some(self.opponent.1),
            Players::Machines => Some(self.second.1),
        }
    }
}

/// The side of a number in addresses.
pub fn side_of(number: &str) -> Option<Side> {
    let side = Side::of_number(number.parse().ok()?);
    (side != Side::Neutral).then_some(side)
}

/// The opponent that an address names.
pub fn opponent(query: &Query, name: &'static str) -> Result<(&'static str, Opponent), Trouble> {
    let level = query.get(name).unwrap_or("club");
    let known = Opponent::ALL.into_iter().find(|(name, _)| *name == level);
    known.ok_or_else(|| {
        let names = Opponent::ALL.map(|(name, _)| name).join(", ");
        Trouble::field(name, format!("'{}' is none of {names}", short(level)))
    })
}

impl View {
    /// Reads an address.
    pub fn new(tables: &Tables, game: &str, query: &Query) -> Result<View, Trouble> {
        let variant = tables.variant(game, &query.all("o"))?;
        let line = query.line()?;
        let ply = query.number("ply")?.map_or(line.len(), |ply| (ply as usize).min(line.len()));
        Ok(View {
            variant,
            root: query.position()?.map(str::to_owned),
            line,
            ply,
            pick: picks(query.get("pick").unwrap_or(""))?,
            flip: query.flag("flip"),
            mirror: query.flag("mirror"),
            unnamed: query.get("coordinates") == Some("0"),
            map: match query.get("map") {
                None => None,
                Some("choose") => Some(Map::Choose),
                Some(_) => query.number("map")?.map(|spot| Map::Of(spot as usize)),
            },
            all: query.flag("all"),
            embed: query.flag("embed"),
            puzzle: false,
            of: None,
            lesson: None,
            play: None,
        })
    }

    /// Reads an address of a game that is played.
    pub fn of_match(tables: &Tables, game: &str, query: &Query) -> Result<View, Trouble> {
        let view = View::new(tables, game, query)?;
        let play = Some(Match {
            players: Players::read(query.get("you").unwrap_or("1"))?,
            opponent: opponent(query, "level")?,
            second: opponent(query, "second")?,
            seed: query.number("seed")?.unwrap_or(0),
            hint: query.flag("hint"),
        });
        Ok(View { play, ..view })
    }

    /// The moves that are made.
    pub fn made(&self) -> &[String] {
        &self.line[..self.ply]
    }

    /// The parameters that stay from page to page, without line and ply.
    fn fixed(&self) -> Vec<(&'static str, String)> {
        let mut fixed: Vec<(&'static str, String)> =
            self.variant.chosen().map(|(name, value)| ("o", format!("{name}={value}"))).collect();
        if let (Some(root), None) = (&self.root, self.lesson) {
            fixed.push(("position", root.clone()));
        }
        for (name, on) in [("flip", self.flip), ("mirror", self.mirror)] {
            if on {
                fixed.push((name, "1".to_owned()));
            }
        }
        if self.unnamed {
            fixed.push(("coordinates", "0".to_owned()));
        }
        if self.embed {
            fixed.push(("embed", "1".to_owned()));
        }
        if let Some(of) = self.of.filter(|_| self.puzzle) {
            let (name, value, number) = match of {
                Of::Set(set, number) => ("set", set, number),
                Of::Drill(number) => ("drill", 1, number),
            };
            fixed.push((name, value.to_string()));
            fixed.push(("n", number.to_string()));
        }
        if let Some(number) = self.lesson {
            fixed.push(("n", number.to_string()));
        }
        if let Some(play) = &self.play {
            fixed.push(("you", play.players.word()));
            fixed.push(("level", play.opponent.0.to_owned()));
            if play.players == Players::Machines {
                fixed.push(("second", play.second.0.to_owned()));
            }
            if play.seed != 0 {
                fixed.push(("seed", play.seed.to_string()));
            }
            if play.hint {
                fixed.push(("hint", "1".to_owned()));
            }
        }
        fixed
    }

    /// The parameters of this page for the hidden fields of a form, without the ply.
    pub fn hidden(&self) -> Vec<(&'static str, String)> {
        let mut hidden = self.fixed();
        if !self.line.is_empty() {
            hidden.push(("line", self.line.join(" ")));
        }
        hidden
    }

    /// The path of the page.
    pub fn path(&self) -> String {
        match self.play {
            Some(_) => format!("/{}/play", self.variant.entry.name),
            None if self.lesson.is_some() => format!("/{}/lesson", self.variant.entry.name),
            None if self.puzzle => format!("/{}/puzzle", self.variant.entry.name),
            None => format!("/{}", self.variant.entry.name),
        }
    }

    fn base(&self) -> Address {
        let address = Address::new(self.path());
        self.fixed().iter().fold(address, |address, (name, value)| address.with(name, value))
    }

    /// The address of this page, with the known moves after the ply.
    pub fn here(&self) -> Address {
        let mut address = self.base();
        if !self.line.is_empty() {
            address = address.with("line", &self.line.join(" "));
        }
        if self.ply == self.line.len() {
            address
        } else {
            address.with("ply", &self.ply.to_string())
        }
    }

    /// The address after another number of the known moves.
    pub fn at(&self, ply: usize) -> String {
        View { ply, ..self.clone() }.here().text()
    }

    /// The address after one more move.
    pub fn after(&self, mv: &str) -> String {
        // The known line goes on if it is the same move.
        if self.line.get(self.ply).is_some_and(|next| next == mv) {
            return self.at(self.ply + 1);
        }
        let moves = self.made().iter().map(String::as_str).chain([mv]);
        self.base().with("line", &moves.collect::<Vec<_>>().join(" ")).text()
    }

    /// The address after one more touch.
    pub fn touched(&self, touch: &Touch) -> String {
        let mut pick = self.pick.clone();
        pick.push(touch.clone());
        self.here().with("pick", &write_picks(&pick)).text()
    }

    /// The address of the same game looked at in another part of the site.
    pub fn elsewhere(&self, page: &str) -> Address {
        self.variant.address(page)
    }
}

/// Reads touches such as `5,h1C`.
fn picks(text: &str) -> Result<Vec<Touch>, Trouble> {
    let wrong = |part: &str| {
        Trouble::field("pick", format!("'{}' is neither a spot nor a piece in hand", short(part)))
    };
    let parts = text.split(',').filter(|part| !part.is_empty());
    parts
        .take(20)
        .map(|part| match part.strip_prefix('h') {
            Some(held) => {
                let mut letters = held.chars();
                let hand = letters.next().and_then(|digit| digit.to_digit(10));
                let hand = hand.ok_or_else(|| wrong(part))? as usize;
                Ok(Touch::Hand { hand, label: letters.as_str().to_owned() })
            }
            None => part.parse().map(Touch::Spot).map_err(|_| wrong(part)),
        })
        .collect()
}

fn write_picks(picks: &[Touch]) -> String {
    let parts = picks.iter().map(|touch| match touch {
        Touch::Spot(spot) => spot.to_string(),
        Touch::Hand { hand, label } => format!("h{hand}{label}"),
    });
    parts.collect::<Vec<_>>().join(",")
}
