//! Small pictures for buttons, drawn here because fonts differ.

use maud::{Markup, html};

/// A picture.
#[derive(Clone, Copy, Debug)]
pub enum Icon {
    /// To the first position.
    First,
    /// A move back.
    Back,
    /// A move forward.
    Forward,
    /// To the last position.
    Last,
    /// Turn the board.
    Flip,
    /// Exchange left and right.
    Mirror,
    /// Let moves be heard.
    Sound,
}

impl Icon {
    /// The picture.
    pub fn svg(self) -> Markup {
        let path = match self {
            Icon::First => "M6 5v14M19 5l-9 7 9 7z",
            Icon::Back => "M17 5l-10 7 10 7z",
            Icon::Forward => "M7 5l10 7-10 7z",
            Icon::Last => "M18 5v14M5 5l9 7-9 7z",
            Icon::Flip => "M8 20V5M4 9l4-4 4 4M16 4v15M12 15l4 4 4-4",
            Icon::Mirror => "M20 8H5M9 4L5 8l4 4M4 16h15M15 12l4 4-4 4",
            Icon::Sound => "M4 9h4l6-5v16l-6-5H4zM17 9q3 3 0 6",
        };
        html! { svg .glyphs viewBox="0 0 24 24" aria-hidden="true" { path d=(path) {} } }
    }
}
