//! The colours of the screen. Every colour has a sign or another shape beside it, so that a terminal
//! without colours (`NO_COLOR`) tells as much.

use kanzen_core::{Colour, Outcome};
use ratatui::style::{Color, Modifier, Style};

/// How things look.
#[derive(Clone, Copy, Debug, Default)]
pub struct Theme {
    /// Whether there are colours.
    pub coloured: bool,
}

impl Theme {
    /// With colours, unless the environment asks for none.
    pub fn of_environment() -> Theme {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Theme { coloured: !refused }
    }

    fn colour(self, colour: Color) -> Style {
        if self.coloured { Style::new().fg(colour) } else { Style::new() }
    }

    /// The pieces and the name of a player.
    pub fn party(self, colour: Colour) -> Style {
        let style = match colour {
            Colour::Blue => self.colour(Color::LightBlue),
            Colour::Red => self.colour(Color::LightRed),
            Colour::Green => self.colour(Color::LightGreen),
            Colour::Brown => self.colour(Color::Yellow),
            Colour::Yellow => self.colour(Color::LightYellow),
            Colour::Grey => self.colour(Color::Gray),
            // Black would not be seen on most terminals.
            Colour::Black => Style::new(),
        };
        style.add_modifier(Modifier::BOLD)
    }

    /// A value: green win, yellow draw, red loss, as in the plain output.
    pub fn outcome(self, outcome: Option<Outcome>) -> Style {
        match outcome {
            Some(Outcome::Win) => self.colour(Color::Green),
            Some(Outcome::Draw) => self.colour(Color::Yellow),
            Some(Outcome::Loss) => self.colour(Color::Red),
            None => Style::new(),
        }
    }

    /// What is there but not looked at.
    pub fn faint(self) -> Style {
        if self.coloured {
            Style::new().fg(Color::DarkGray)
        } else {
            Style::new().add_modifier(Modifier::DIM)
        }
    }

    /// What the cursor or a choice is on.
    pub fn accent(self) -> Style {
        self.colour(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    /// What a move does on the board.
    pub fn trace(self) -> Style {
        self.colour(Color::LightGreen).add_modifier(Modifier::BOLD)
    }

    /// The bar at the top.
    pub fn bar(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD)
    }

    /// The chosen line of a list.
    pub fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }
}
