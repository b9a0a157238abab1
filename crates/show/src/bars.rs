//! Numbers as bars, one below the other: for things that have names and no order.

use maud::{Markup, html};

const WIDTH: f32 = 720.0;
/// The height of a bar with the space below it.
const STEP: f32 = 22.0;
/// Room for names on the left and for numbers on the right.
const LEFT: f32 = 260.0;
const RIGHT: f32 = 110.0;

/// A bar.
pub struct Bar {
    /// What it is of.
    pub label: String,
    /// Its length, in any unit.
    pub length: f64,
    /// The number, as people read it.
    pub shown: String,
}

/// Draws bars under a name, the longest over the whole width.
///
/// ```
/// use kanzen_show::{Bar, bars};
/// let bar = |length: f64| Bar { label: "a".to_owned(), length, shown: length.to_string() };
/// let svg = bars("lengths", &[bar(1.0), bar(4.0)]).into_string();
/// assert_eq!(svg.matches("<rect").count(), 2);
/// ```
pub fn bars(name: &str, bars: &[Bar]) -> Markup {
    let most = bars.iter().map(|bar| bar.length).fold(f64::MIN_POSITIVE, f64::max);
    let width = |bar: &Bar| (WIDTH - LEFT - RIGHT) * (bar.length.max(0.0) / most) as f32;
    html! {
        svg .plot viewBox=(format!("0 0 {WIDTH} {}", STEP * bars.len() as f32)) role="img"
            aria-label=(name) {
            @for (number, bar) in bars.iter().enumerate() {
                @let top = STEP * number as f32;
                text .tick .right x=(LEFT - 8.0) y=(top + 15.0) { (bar.label) }
                rect .heat x=(LEFT) y=(top + 2.0) width=(format!("{:.1}", width(bar)))
                    height=(STEP - 5.0) {}
                text .tick x=(format!("{:.1}", LEFT + width(bar) + 6.0)) y=(top + 15.0) { (bar.shown) }
            }
        }
    }
}
