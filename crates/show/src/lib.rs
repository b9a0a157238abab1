//! How games and findings look: boards, plots, tables and words, the same in the terminal, in files
//! and in the browser, in English and Japanese.

mod bars;
pub mod board;
mod finding;
mod fit;
mod moves;
mod page;
mod phrases;
mod plot;
mod text;
pub mod units;
mod verdict;

pub use bars::{Bar, bars};
pub use board::svg;
pub use finding::{Sheet, caption, csv, json};
pub use fit::{fold, width};
pub use moves::move_words;
pub use page::page;
pub use phrases::{Phrases, Speak, YOU, is_plural};
pub use plot::{curve_points, plot};
pub use text::text;
pub use verdict::{Press, Worth};
