//! Boards as SVG: in a page, where every spot that can be touched is a link, or alone.

use crate::phrases::Speak;
use crate::verdict::Worth;
use kanzen_core::{
    Drawing, Kit, Language, Mark, Piece, PieceShape, Side, Spot, SpotShape, Tint, Touch,
};
use maud::{Markup, PreEscaped, html};

/// Pixels between the two nearest spots.
const STEP: f32 = 72.0;
const MARGIN: f32 = 44.0;
/// Pixels between two kinds of pieces in hand.
const PITCH: f32 = 84.0;
/// The height of the line below a board that stands alone.
const CAPTION: f32 = 30.0;
/// The style of boards and plots.
pub const BOARD_CSS: &str = include_str!("board.css");
/// The colours that it needs, as on paper.
pub const LIGHT_CSS: &str = include_str!("light.css");
/// The width of the rim that coordinates need.
const RIM: f32 = 16.0;
/// From the centre of a spot to its name, which its hole and the ring around its piece leave free.
const ASIDE: f32 = 42.0;
/// The height of a row of pieces in hand.
const HAND: f32 = 84.0;

/// A board with what is said about its spots.
pub struct Board<'a> {
    /// The board.
    pub drawing: &'a Drawing,
    /// What it is played with.
    pub kit: &'a Kit,
    /// Whether sides one and two have changed places since the first position.
    pub exchanged: bool,
    /// Whether it is seen from the other side.
    pub flip: bool,
    /// Whether left and right are exchanged.
    pub mirror: bool,
    /// Whether the names of spots are written.
    pub coordinates: bool,
    /// An arrow from a spot to another: the last move.
    pub arrow: Option<(usize, usize)>,
    /// The language of names.
    pub language: Language,
    /// What is known of each spot.
    pub spots: Vec<Marked>,
    /// What is known of each kind of piece in each hand.
    pub hands: Vec<Vec<InHand>>,
    /// What the whole is called.
    pub title: String,
}

/// Where a drawing lies in its picture: its corners in its own units, and lengths in pixels.
struct Frame {
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
    scale: f32,
    rim: f32,
    margin: f32,
    hand: f32,
    width: f32,
    height: f32,
}

/// A game as a moving picture: one board after the other, each so many seconds, for ever.
///
/// ```
/// use kanzen_core::{Drawing, Kit, Language};
/// use kanzen_show::board::{film, plain};
/// let drawing = Drawing::cells(3, 3);
/// let board = || plain(&drawing, &Kit::STONES, false, Language::English, String::new());
/// let svg = film(&[board(), board()], 1.5).into_string();
/// assert_eq!(svg.matches("<animate ").count(), 2);
/// assert!(svg.contains("dur=\"3s\""));
/// ```
pub fn film(boards: &[Board<'_>], seconds: f32) -> Markup {
    let frames: Vec<Frame> = boards.iter().map(Board::frame).collect();
    let width = frames.iter().map(|frame| frame.width).fold(0.0, f32::max);
    let height = frames.iter().map(|frame| frame.height).fold(0.0, f32::max);
    let all = boards.len() as f32;
    html! {
        svg .film xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {width} {height}"))
            width=(width) height=(height) {
            style { (PreEscaped(LIGHT_CSS)) (PreEscaped(BOARD_CSS)) }
            @for (number, board) in boards.iter().enumerate() {
                @let (from, to) = (number as f32 / all, (number + 1) as f32 / all);
                // Who cannot show moving pictures shows the last board.
                g visibility=(if number + 1 == boards.len() { "visible" } else { "hidden" }) {
                    animate attributeName="visibility" calcMode="discrete" repeatCount="indefinite"
                        values="hidden;visible;hidden" keyTimes=(format!("0;{from};{to}"))
                        dur=(format!("{}s", all * seconds)) {}
                    (board.svg())
                }
            }
        }
    }
}

/// What is known of a spot or a piece in hand.
#[derive(Clone, Debug, Default)]
pub struct Marked {
    /// Where a touch leads.
    pub link: Option<String>,
    /// The value shown there.
    pub worth: Option<Worth>,
    /// Whether it was touched already.
    pub picked: bool,
    /// Whether the last move touched it.
    pub last: bool,
}

/// Equal pieces in a hand.
#[derive(Clone, Debug)]
pub struct InHand {
    /// Their label.
    pub label: String,
    /// How many.
    pub count: usize,
    /// What is known of them.
    pub marked: Marked,
}

/// Equal pieces of each hand, counted.
pub fn hands(drawing: &Drawing) -> Vec<Vec<InHand>> {
    let count = |pieces: &[String]| {
        let mut counted: Vec<InHand> = Vec::new();
        for label in pieces {
            match counted.iter_mut().find(|held| held.label == *label) {
                Some(held) => held.count += 1,
                None => counted.push(InHand {
                    label: label.clone(),
                    count: 1,
                    marked: Marked::default(),
                }),
            }
        }
        counted
    };
    drawing.hands.iter().map(|hand| count(&hand.pieces)).collect()
}

/// A board without marks and links.
pub fn plain<'a>(
    drawing: &'a Drawing,
    kit: &'a Kit,
    exchanged: bool,
    language: Language,
    title: String,
) -> Board<'a> {
    Board {
        drawing,
        kit,
        exchanged,
        flip: false,
        mirror: false,
        coordinates: true,
        arrow: None,
        language,
        spots: vec![Marked::default(); drawing.spots.len()],
        hands: hands(drawing),
        title,
    }
}

/// A board as a document of its own, with its marks and its caption.
///
/// ```
/// use kanzen_core::{Drawing, Kit, Language};
/// let svg = kanzen_show::svg(&Drawing::cells(3, 3), &Kit::STONES, Language::English);
/// assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"));
/// ```
pub fn svg(drawing: &Drawing, kit: &Kit, language: Language) -> String {
    marked(drawing, kit, language).document().into_string()
}

/// A board with its marks.
pub fn marked<'a>(drawing: &'a Drawing, kit: &'a Kit, language: Language) -> Board<'a> {
    let mut board = plain(drawing, kit, false, language, drawing.caption.clone());
    for Mark { spot, tint } in &drawing.marks {
        if let Some(marked) = board.spots.get_mut(*spot) {
            match tint {
                Tint::LastMove => marked.last = true,
                Tint::Value(verdict) => marked.worth = Some(Some(*verdict).into()),
            }
        }
    }
    board
}

/// The drawing as the first position of the game names its sides, if they have changed places since.
///
/// ```
/// use kanzen_core::{Drawing, Kit, Piece, Side};
/// let mut board = Drawing::cells(2, 1);
/// board.pieces.push(Piece::new(0, Side::One, "1"));
/// let seen = kanzen_show::board::exchange(&board, &Kit::STONES);
/// assert_eq!(seen.pieces[0], Piece::new(0, Side::Two, "2"));
/// ```
pub fn exchange(drawing: &Drawing, kit: &Kit) -> Drawing {
    let other = |side: Side, label: &str| {
        let of = |side: Side| kit.kinds.iter().filter(move |kind| kind.side == side);
        let place = of(side).position(|kind| kind.label == label);
        let kind = place.and_then(|place| of(side.other()).nth(place));
        kind.map_or(label, |kind| kind.label).to_owned()
    };
    let mut seen = drawing.clone();
    for Piece { side, label, .. } in &mut seen.pieces {
        (*label, *side) = (other(*side, label), side.other());
    }
    for hand in &mut seen.hands {
        hand.pieces.iter_mut().for_each(|label| *label = other(hand.side, label));
        hand.side = hand.side.other();
    }
    seen
}

/// What is written along the edges of a board whose names are made of a column and a row: places and
/// texts, columns first.
pub type Edges<'a> = [Vec<(f32, &'a str)>; 2];

/// The names of columns and rows, if every spot is named after both.
pub fn edges(spots: &[Spot]) -> Option<Edges<'_>> {
    let mut edges: Edges<'_> = Default::default();
    for spot in spots.iter().filter(|spot| spot.shape != SpotShape::Outside) {
        // A letter and a number, or two numbers in brackets.
        let parts = match spot.name.strip_prefix('(').and_then(|name| name.strip_suffix(')')) {
            Some(pair) => pair.split_once(',')?,
            None => {
                let first = spot.name.chars().next().filter(char::is_ascii_alphabetic)?;
                spot.name.split_at(first.len_utf8())
            }
        };
        for (known, (at, part)) in edges.iter_mut().zip([(spot.x, parts.0), (spot.y, parts.1)]) {
            match known.iter().find(|(place, name)| *place == at || *name == part) {
                Some(same) if *same == (at, part) && !part.is_empty() => {}
                Some(_) => return None,
                None => known.push((at, part)),
            }
        }
    }
    Some(edges).filter(|[columns, rows]| !columns.is_empty() && !rows[0].1.is_empty())
}

/// The side as it was in the first position of the game.
pub fn lasting(side: Side, exchanged: bool) -> Side {
    match (side, exchanged) {
        (Side::One, true) => Side::Two,
        (Side::Two, true) => Side::One,
        (side, _) => side,
    }
}

impl Board<'_> {
    /// What is known of a touch.
    pub fn marked(&mut self, touch: &Touch) -> Option<&mut Marked> {
        match touch {
            Touch::Spot(spot) => self.spots.get_mut(*spot),
            Touch::Hand { hand, label } => {
                let held = self.hands.get_mut(*hand)?.iter_mut().find(|held| held.label == *label);
                held.map(|held| &mut held.marked)
            }
        }
    }

    /// Pixels a unit of the drawing.
    fn scale(&self) -> f32 {
        let spots = &self.drawing.spots;
        let mut nearest = f32::INFINITY;
        for (number, a) in spots.iter().enumerate() {
            for b in &spots[number + 1..] {
                nearest = nearest.min((a.x - b.x).hypot(a.y - b.y));
            }
        }
        if nearest.is_finite() && nearest > 0.0 { STEP / nearest } else { STEP }
    }

    /// The name of a piece for people.
    pub fn name(&self, side: Side, label: &str) -> String {
        let owner = self.kit.party(lasting(side, self.exchanged)).name;
        let kind = self.kit.kind(side, label);
        let name =
            kind.map_or(self.language.pick("piece", "駒"), |kind| kind.name.say(self.language));
        match side {
            Side::Neutral => name.to_owned(),
            _ => self.language.piece_of(owner, name),
        }
    }

    /// The board, for a page that has the style.
    pub fn svg(&self) -> Markup {
        self.picture(None)
    }

    /// The board with its style, for a file of its own.
    pub fn document(&self) -> Markup {
        self.picture(Some(&format!("{LIGHT_CSS}{BOARD_CSS}")))
    }

    /// Where the drawing lies in its picture.
    fn frame(&self) -> Frame {
        let drawing = self.drawing;
        let scale = self.scale();
        // Places outside lie in the margin, wherever the drawing begins.
        let inside = || drawing.spots.iter().filter(|spot| spot.shape != SpotShape::Outside);
        let left = inside().map(|spot| spot.x).reduce(f32::min).unwrap_or(0.0);
        let top = inside().map(|spot| spot.y).reduce(f32::min).unwrap_or(0.0);
        let right = inside().map(|spot| spot.x).reduce(f32::max).unwrap_or(0.0);
        let bottom = inside().map(|spot| spot.y).reduce(f32::max).unwrap_or(0.0);
        let outside = drawing.spots.iter().any(|spot| spot.shape == SpotShape::Outside);
        let rim = if self.coordinates { RIM } else { 0.0 };
        let margin = if outside { MARGIN + STEP / 2.0 } else { MARGIN } + rim;
        let hand = if drawing.hands.is_empty() { 0.0 } else { HAND };
        let width = (right - left) * scale + 2.0 * margin;
        let height = (bottom - top) * scale + 2.0 * margin + 2.0 * hand;
        Frame { left, top, right, bottom, scale, rim, margin, hand, width, height }
    }

    fn picture(&self, style: Option<&str>) -> Markup {
        let drawing = self.drawing;
        let Frame { left, top, right, bottom, scale, rim, margin, hand, width, height } =
            self.frame();
        let cells = drawing.spots.iter().any(|spot| spot.shape == SpotShape::Cell);
        let named = if self.coordinates { edges(&drawing.spots) } else { None };
        let caption = style.map_or("", |_| &*drawing.caption);
        let below = if caption.is_empty() { 0.0 } else { CAPTION };
        let place = |x: f32, y: f32| {
            let x = if self.mirror != self.flip { right - x } else { x - left };
            let y = if self.flip { bottom - y } else { y - top };
            (x * scale + margin, y * scale + margin + hand)
        };
        let centres: Vec<(f32, f32)> = drawing.spots.iter().map(|s| place(s.x, s.y)).collect();
        html! {
            svg .board viewBox=(format!("0 0 {width} {}", height + below)) role="group"
                width=[style.map(|_| width)] height=[style.map(|_| height + below)]
                aria-label=(self.title) xmlns="http://www.w3.org/2000/svg" {
                @if let Some(style) = style { style { (PreEscaped(style)) } }
                @if !caption.is_empty() {
                    text .count x=(width / 2.0) y=(height + 18.0) text-anchor="middle" { (caption) }
                }
                @let inset = if cells { margin - rim - scale / 2.0 - 6.0 } else { 4.0 };
                rect .wood x=(inset) y=(inset + hand) rx="14"
                    width=(width - 2.0 * inset) height=(height - 2.0 * inset - 2.0 * hand) {}
                @for &(a, b) in &drawing.lines {
                    line .line x1=(centres[a].0) y1=(centres[a].1)
                        x2=(centres[b].0) y2=(centres[b].1) {}
                }
                @for (number, &centre) in centres.iter().enumerate() {
                    (self.spot_shape(number, centre, scale))
                }
                @if let Some([columns, rows]) = &named {
                    @let low = height - hand - inset - RIM / 2.0 - 1.0;
                    @let side = inset + RIM / 2.0 + 2.0;
                    @for (x, name) in columns { text .coordinate x=(place(*x, top).0) y=(low + 5.0) { (name) } }
                    @for (y, name) in rows { text .coordinate x=(side) y=(place(left, *y).1 + 5.0) { (name) } }
                } @else if self.coordinates {
                    @for (number, (spot, (x, y))) in drawing.spots.iter().zip(&centres).enumerate() {
                        @if spot.shape != SpotShape::Outside {
                            @let (dx, dy) = if spot.shape == SpotShape::Cell { (0.0, 27.0) } else { self.aside(number, &centres) };
                            text .coordinate x=(x + dx) y=(y + dy + 5.0) { (spot.name) }
                        }
                    }
                }
                @for (number, &centre) in centres.iter().enumerate() {
                    (self.spot(number, centre))
                }
                @if let Some((from, to)) = self.arrow { (arrow(centres[from], centres[to])) }
                @for (number, held) in self.hands.iter().enumerate() {
                    @let top = (number == 0) != self.flip;
                    (self.hand(number, held, if top { HAND / 2.0 } else { height - HAND / 2.0 }, width))
                }
            }
        }
    }

    /// Where the name of a spot stands: in the direction that is farthest from all lines, but not where
    /// a piece has its value.
    fn aside(&self, number: usize, centres: &[(f32, f32)]) -> (f32, f32) {
        let (x, y) = centres[number];
        let ends = self.drawing.lines.iter().filter_map(|&(a, b)| match number {
            _ if number == a => Some(centres[b]),
            _ if number == b => Some(centres[a]),
            _ => None,
        });
        let lines: Vec<(f32, f32)> = ends
            .map(|(to_x, to_y)| {
                let length = (to_x - x).hypot(to_y - y).max(1.0);
                ((to_x - x) / length, (to_y - y) / length)
            })
            .collect();
        let half = std::f32::consts::FRAC_1_SQRT_2;
        // The last is between lines in all eight directions.
        let ways = [
            (half, half),
            (0.0, 1.0),
            (1.0, 0.0),
            (-half, -half),
            (-half, half),
            (-1.0, 0.0),
            (0.38, 0.92),
        ];
        // The cosine of the angle to the nearest line: less is farther.
        let near = |&(dx, dy): &(f32, f32)| {
            lines.iter().map(|(lx, ly)| dx * lx + dy * ly).fold(-1.0, f32::max)
        };
        let farther = |best, way| if near(way) < near(best) - 0.01 { way } else { best };
        let &(dx, dy) = ways.iter().reduce(farther).unwrap_or(&(half, half));
        (ASIDE * dx, ASIDE * dy)
    }

    fn spot_shape(&self, number: usize, (x, y): (f32, f32), scale: f32) -> Markup {
        html! {
            @match self.drawing.spots[number].shape {
                SpotShape::Cell => rect .cell x=(x - scale / 2.0) y=(y - scale / 2.0)
                    width=(scale) height=(scale) {},
                SpotShape::Hole => circle .hole cx=(x) cy=(y) r="30" {},
                SpotShape::SmallHole => circle .small cx=(x) cy=(y) r="26" {},
                SpotShape::Point => circle .point cx=(x) cy=(y) r="5" {},
                SpotShape::Outside => {},
            }
        }
    }

    fn spot(&self, number: usize, (x, y): (f32, f32)) -> Markup {
        let spot = &self.drawing.spots[number];
        let marked = &self.spots[number];
        // The last piece of a stack is on top.
        let piece = self.drawing.pieces.iter().rfind(|piece| piece.spot == number);
        let words = self.language.phrases();
        let mut label = format!(
            "{}: {}",
            spot.name,
            piece.map_or(words.empty.to_owned(), |piece| self.name(piece.side, &piece.label))
        );
        if marked.last {
            label += &format!(", {}", words.last_move);
        }
        if let Some(worth) = marked.worth {
            label += &format!(", {}", worth.words(self.language));
        }
        let inside = html! {
            circle .touch cx=(x) cy=(y) r="33" {}
            @if marked.last && spot.shape != SpotShape::Outside { circle .last cx=(x) cy=(y) r="33" {} }
            @if let Some(piece) = piece { (self.piece(piece.side, &piece.label, x, y)) }
            @if marked.picked { circle .picked cx=(x) cy=(y) r="33" {} }
            @if let Some(worth) = marked.worth {
                @if piece.is_some() { (badge(worth, x + 23.0, y - 23.0, 14.0, "small-badge")) }
                @else { (badge(worth, x, y, 19.0, "badge")) }
            }
        };
        touchable(marked, &label, number.to_string(), inside)
    }

    fn hand(&self, number: usize, held: &[InHand], y: f32, width: f32) -> Markup {
        let side = self.drawing.hands[number].side;
        // Numbers stand to the right of the pieces.
        let numbers = if held.iter().any(|held| held.count > 1) { 12.0 } else { 0.0 };
        let first = width / 2.0 - numbers - (held.len() as f32 - 1.0) * PITCH / 2.0;
        html! {
            rect .hand x="4" y=(y - HAND / 2.0 + 4.0) width=(width - 8.0) height=(HAND - 8.0) rx="12" {}
            @for (place, held) in held.iter().enumerate() {
                @let x = first + place as f32 * PITCH;
                @let name = self.name(side, &held.label);
                @let label = match held.marked.worth {
                    Some(worth) => format!("{name} ×{}, {}", held.count, worth.words(self.language)),
                    None => format!("{name} ×{}", held.count),
                };
                @let inside = html! {
                    circle .touch cx=(x) cy=(y) r="33" {}
                    (self.piece(side, &held.label, x, y))
                    @if held.count > 1 {
                        text .count x=(x + 28.0) y=(y + 30.0) { "×" (held.count) }
                    }
                    @if held.marked.picked { circle .picked cx=(x) cy=(y) r="33" {} }
                    @if let Some(worth) = held.marked.worth {
                        (badge(worth, x + 23.0, y - 23.0, 14.0, "small-badge"))
                    }
                };
                (touchable(&held.marked, &label, format!("h{number}{}", held.label), inside))
            }
        }
    }

    /// A piece with its centre at a place.
    pub fn piece(&self, side: Side, label: &str, x: f32, y: f32) -> Markup {
        let lasting = lasting(side, self.exchanged);
        let party = self.kit.party(lasting);
        let kind = self.kit.kind(side, label);
        let glyph = kind.map_or(label, |kind| kind.glyph);
        let tile = if self.kit.shape == PieceShape::Tile { " tile" } else { "" };
        let class = format!("piece {}{tile}", party.colour.word());
        let down = (lasting == Side::Two) != self.flip;
        html! {
            g class=(class) {
                @match self.kit.shape {
                    _ if side == Side::Neutral => circle .well cx=(x) cy=(y) r="25" {},
                    PieceShape::Disc => {
                        circle .body cx=(x) cy=(y) r="25" {}
                        @if lasting == Side::Two && glyph.is_empty() {
                            circle .ring cx=(x) cy=(y) r="13" {}
                        }
                        @if !glyph.is_empty() { text .glyph x=(x) y=(y + 9.0) { (glyph) } }
                    },
                    PieceShape::Tile => {
                        @let turn = if down { " rotate(180)" } else { "" };
                        g transform=(format!("translate({x} {y}){turn} scale(1.42)")) {
                            path .body d="M0 -24 L20 -17 L21.5 17 Q21.5 21 17.5 21 H-17.5 Q-21.5 21 -21.5 17 L-20 -17 Z" {}
                            @for &(column, row) in kind.map_or(&[][..], |kind| kind.steps) {
                                circle .dot cx=(17.0 * f32::from(column)) cy=(16.5 * f32::from(row)) r="1.7" {}
                            }
                            @match kind.map_or("", |kind| kind.art) {
                                "" => text .glyph y="9" { (glyph) },
                                art => (PreEscaped(art)),
                            }
                        }
                    },
                }
            }
        }
    }

    /// The pieces in words, for those who cannot see the board.
    pub fn list(&self) -> Markup {
        let pieces = self.drawing.pieces.iter().filter_map(|piece| {
            let spot = self.drawing.spots.get(piece.spot)?;
            Some(format!("{} {}", spot.name, self.name(piece.side, &piece.label)))
        });
        let hands = self.hands.iter().zip(&self.drawing.hands).flat_map(|(held, hand)| {
            held.iter().map(|held| {
                let name = self.name(hand.side, &held.label);
                format!("{}: {name} ×{}", self.language.phrases().hands, held.count)
            })
        });
        html! { ul { @for line in pieces.chain(hands) { li { (line) } } } }
    }
}

/// An arrow between two spots, short of both.
fn arrow((x, y): (f32, f32), (to_x, to_y): (f32, f32)) -> Markup {
    let length = (to_x - x).hypot(to_y - y);
    if length < 1.0 {
        return html! {};
    }
    let turn = (to_y - y).atan2(to_x - x).to_degrees();
    let (end, neck) = (length - 24.0, length - 42.0);
    let path = format!("M26 -3H{neck}V-11L{end} 0L{neck} 11V3H26Z");
    html! { path .arrow d=(path) transform=(format!("translate({x} {y}) rotate({turn:.1})")) {} }
}

fn badge(worth: Worth, x: f32, y: f32, radius: f32, class: &str) -> Markup {
    let colour = format!("tint {}", worth.class());
    let text = worth.badge();
    // A disc, as long as the text fits.
    let half = radius.max(radius * 0.3 * text.chars().count() as f32 + 3.0);
    html! {
        g class=(class) {
            @for (class, opacity) in [("paper", None), (&*colour, Some(format!("{:.2}", worth.strength())))] {
                rect class=(class) x=(x - half) y=(y - radius) width=(2.0 * half)
                    height=(2.0 * radius) rx=(radius) fill-opacity=[opacity] {}
            }
            text x=(x) y=(y + radius * 0.32) { (text) }
        }
    }
}

fn touchable(marked: &Marked, label: &str, number: String, inside: Markup) -> Markup {
    html! {
        @match &marked.link {
            Some(link) => a .spot href=(link) data-touch=(number) aria-label=(label) { (inside) },
            None => g .spot data-touch=(number) role="img" aria-label=(label) { (inside) },
        }
    }
}
