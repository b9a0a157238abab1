//! The board in letters and colours: cells as boxes, lines between points, pieces in their owners'
//! colours, and signs on both sides of a spot for what a move does there.
//!
//! Strokes are gathered as the directions in which each letter is left, so that boxes and lines that
//! meet become one net.

use super::theme::Theme;
use kanzen_core::{Drawing, Kit, Piece, Side, Spot, SpotShape, Tint, Touch, Trace};
use kanzen_show::board::{edges, exchange};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

/// Letters between two spots that are a unit apart, for each step of the scale.
const WIDE: i32 = 4;
const HIGH: i32 = 2;

/// The net of strokes, by the directions north 1, east 2, south 4, west 8.
const NET: [char; 16] =
    [' ', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼'];

/// What is marked on a board.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Where the cursor is.
    pub cursor: Option<Touch>,
    /// What has been touched so far.
    pub touched: Vec<Touch>,
    /// What the chosen move does.
    pub trace: Trace,
    /// What the last move did.
    pub last: Trace,
}

/// A board to draw.
pub struct Picture<'a> {
    /// The board, with the values of moves as its marks.
    pub drawing: &'a Drawing,
    /// What it is played with.
    pub kit: &'a Kit,
    /// Whether sides one and two have changed places since the first position.
    pub exchanged: bool,
    /// Whether the names of spots are written.
    pub coordinates: bool,
    /// What is marked.
    pub marks: Marks,
    /// How it looks.
    pub theme: Theme,
    /// 1, or more where there is room.
    pub scale: u16,
}

/// Letters that are being put on a board.
struct Canvas {
    letters: Vec<Vec<(char, Style)>>,
}

impl Canvas {
    fn put(&mut self, (column, row): (i32, i32), letter: char, style: Style) {
        let line = usize::try_from(row).ok().and_then(|row| self.letters.get_mut(row));
        let column = usize::try_from(column).ok();
        if let Some(place) = line.zip(column).and_then(|(line, column)| line.get_mut(column)) {
            *place = (letter, style);
        }
    }

    fn write(&mut self, (column, row): (i32, i32), text: &str, style: Style) {
        for (at, letter) in (column..).zip(text.chars()) {
            self.put((at, row), letter, style);
        }
    }

    fn lines(self) -> Vec<Line<'static>> {
        let spans = |line: Vec<(char, Style)>| {
            line.into_iter().map(|(letter, style)| Span::styled(letter.to_string(), style))
        };
        self.letters.into_iter().map(|line| Line::from_iter(spans(line))).collect()
    }
}

impl Picture<'_> {
    /// The columns and lines it takes.
    pub fn size(&self) -> (u16, u16) {
        let lines = self.lines();
        let width = lines.iter().map(Line::width).max().unwrap_or(0);
        (width as u16, lines.len() as u16)
    }

    /// The board, line by line.
    pub fn lines(&self) -> Vec<Line<'static>> {
        let names = edges(&self.drawing.spots).filter(|_| self.coordinates);
        let gutter = names.as_ref().map_or(0, |[_, rows]| {
            rows.iter().map(|(_, name)| name.width()).max().unwrap_or(0) as i32 + 1
        });
        let far = self.drawing.spots.iter().map(|spot| self.place(spot, gutter));
        let (right, bottom) = far.fold((0, 0), |(x, y), (a, b)| (x.max(a), y.max(b)));
        let width = (right + self.wide() / 2 + 1) as usize;
        let height = (bottom + self.high() / 2 + 1) as usize;
        let mut canvas = Canvas { letters: vec![vec![(' ', Style::new()); width]; height] };
        self.net(&mut canvas, gutter);
        self.spots(&mut canvas, gutter, names.is_some());
        self.signs(&mut canvas, gutter);
        if let Some([columns, rows]) = &names {
            canvas.letters.push(vec![(' ', Style::new()); width]);
            for (y, name) in rows {
                let row = (y * self.high() as f32).round() as i32 + self.high() / 2;
                canvas.write((0, row), name, self.theme.faint());
            }
            for (x, name) in columns {
                let column = (x * self.wide() as f32).round() as i32 + self.wide() / 2 + gutter;
                canvas.write((column, height as i32), name, self.theme.faint());
            }
        }
        let mut lines = canvas.lines();
        for (place, hand) in self.hands().into_iter().enumerate() {
            lines.insert(if place == 0 { 0 } else { lines.len() }, hand);
        }
        if !self.drawing.caption.is_empty() {
            lines.push(Line::styled(self.drawing.caption.clone(), self.theme.faint()));
        }
        lines
    }

    fn wide(&self) -> i32 {
        WIDE * i32::from(self.scale)
    }

    fn high(&self) -> i32 {
        HIGH * i32::from(self.scale)
    }

    /// The middle of a spot.
    fn place(&self, spot: &Spot, gutter: i32) -> (i32, i32) {
        let (x, y) = (spot.x * self.wide() as f32, spot.y * self.high() as f32);
        (x.round() as i32 + self.wide() / 2 + gutter, y.round() as i32 + self.high() / 2)
    }

    /// Boxes around cells, and lines between points.
    fn net(&self, canvas: &mut Canvas, gutter: i32) {
        let (width, height) = (canvas.letters[0].len(), canvas.letters.len());
        let mut strokes = vec![vec![0_u8; width]; height];
        let mut stroke = |(x, y): (i32, i32), directions: u8| {
            let row = usize::try_from(y).ok().and_then(|y| strokes.get_mut(y));
            let column = usize::try_from(x).ok();
            if let Some(mask) = row.zip(column).and_then(|(row, x)| row.get_mut(x)) {
                *mask |= directions;
            }
        };
        let mut straight = |(ax, ay): (i32, i32), (bx, by): (i32, i32)| {
            for x in ax.min(bx)..ax.max(bx) {
                stroke((x, ay), 2);
                stroke((x + 1, ay), 8);
            }
            for y in ay.min(by)..ay.max(by) {
                stroke((ax, y), 4);
                stroke((ax, y + 1), 1);
            }
        };
        let (wide, high) = (self.wide() / 2, self.high() / 2);
        for spot in self.drawing.spots.iter().filter(|spot| spot.shape == SpotShape::Cell) {
            let (x, y) = self.place(spot, gutter);
            let corners = [
                (x - wide, y - high),
                (x + wide, y - high),
                (x + wide, y + high),
                (x - wide, y + high),
            ];
            for side in 0..4 {
                straight(corners[side], corners[(side + 1) % 4]);
            }
        }
        let mut slanted = Vec::new();
        for &(a, b) in &self.drawing.lines {
            let [a, b] = [a, b].map(|spot| self.place(&self.drawing.spots[spot], gutter));
            if a.0 == b.0 || a.1 == b.1 {
                straight(a, b);
            } else {
                slanted.push((a, b));
            }
        }
        let faint = self.theme.faint();
        for (y, row) in strokes.iter().enumerate() {
            for (x, mask) in row.iter().enumerate().filter(|(_, mask)| **mask > 0) {
                canvas.put((x as i32, y as i32), NET[usize::from(*mask)], faint);
            }
        }
        for ((ax, ay), (bx, by)) in slanted {
            let (dx, dy) = (bx - ax, by - ay);
            let pen = match dx.abs() == 2 * dy.abs() {
                true if (dx > 0) == (dy > 0) => '╲',
                true => '╱',
                // Other slopes have no letter that looks like them.
                false => '·',
            };
            for step in 1..dy.abs() {
                let x = ax + (dx as f32 * step as f32 / dy.abs() as f32).round() as i32;
                let y = ay + dy.signum() * step;
                let crossed = canvas.letters[y as usize][x as usize].0;
                let pen = if matches!((crossed, pen), ('╱', '╲') | ('╲', '╱')) {
                    '╳'
                } else {
                    pen
                };
                canvas.put((x, y), pen, faint);
            }
        }
    }

    /// Empty spots and pieces. Where names do not stand along the edges, they stand in the spots.
    fn spots(&self, canvas: &mut Canvas, gutter: i32, named: bool) {
        let seen = self.exchanged.then(|| exchange(self.drawing, self.kit));
        let drawing = seen.as_ref().unwrap_or(self.drawing);
        for (number, spot) in drawing.spots.iter().enumerate() {
            let at = self.place(spot, gutter);
            let touch = Touch::Spot(number);
            let last = [self.marks.last.from, self.marks.last.to].contains(&Some(number))
                || self.marks.last.also.contains(&number);
            let underline = if last { Modifier::UNDERLINED } else { Modifier::empty() };
            match drawing.pieces.iter().rfind(|piece| piece.spot == number) {
                Some(piece) => {
                    let style = self.theme.party(self.kit.party(piece.side).colour);
                    canvas.put(at, glyph(self.kit, piece), style.add_modifier(underline));
                }
                None => {
                    let faint = self.theme.faint().add_modifier(underline);
                    let name = !named && self.coordinates && spot.name.width() <= 2;
                    match spot.shape {
                        SpotShape::Outside if self.is_marked(&touch) => canvas.put(at, '◦', faint),
                        SpotShape::Outside => {}
                        _ if name => canvas.write(at, &spot.name, faint),
                        SpotShape::Cell if last => canvas.put(at, '_', faint),
                        SpotShape::Cell => {}
                        _ => canvas.put(at, '◦', faint),
                    }
                }
            }
        }
    }

    fn is_marked(&self, touch: &Touch) -> bool {
        let Marks { cursor, touched, trace, .. } = &self.marks;
        let traced = |spot: &usize| {
            [trace.from, trace.to].contains(&Some(*spot)) || trace.also.contains(spot)
        };
        cursor.as_ref() == Some(touch)
            || touched.contains(touch)
            || matches!(touch, Touch::Spot(spot) if traced(spot))
    }

    /// The signs beside a spot: the cursor, what was touched, what the chosen move does, values.
    fn signs(&self, canvas: &mut Canvas, gutter: i32) {
        let Marks { cursor, touched, trace, .. } = &self.marks;
        for (number, spot) in self.drawing.spots.iter().enumerate() {
            let (x, y) = self.place(spot, gutter);
            let touch = Touch::Spot(number);
            let (traced, accent) = (self.theme.trace(), self.theme.accent());
            // A name of two letters needs the place of the right sign.
            let right = match canvas.letters[y as usize].get(x as usize + 1) {
                Some((letter, _)) if letter.is_ascii_alphanumeric() => x + 2,
                _ => x + 1,
            };
            let mut sign = |left: char, after: char, style: Style| {
                canvas.put((x - 1, y), left, style);
                canvas.put((right, y), after, style);
            };
            for mark in self.drawing.marks.iter().filter(|mark| mark.spot == number) {
                if let Tint::Value(verdict) = mark.tint {
                    let letter = mark.tint.sign().chars().next().unwrap_or(' ');
                    sign(' ', letter, self.theme.outcome(Some(verdict.value)));
                }
            }
            if trace.also.contains(&number) {
                sign('~', '~', traced);
            }
            if trace.from == Some(number) {
                sign('(', ')', traced);
            }
            if trace.to == Some(number) {
                sign('>', '<', traced);
            }
            if touched.contains(&touch) {
                sign('{', '}', accent);
            }
            if cursor.as_ref() == Some(&touch) {
                sign('[', ']', accent);
            }
        }
    }

    /// The pieces in hand, a line a hand.
    fn hands(&self) -> Vec<Line<'static>> {
        let seen = self.exchanged.then(|| exchange(self.drawing, self.kit));
        let drawing = seen.as_ref().unwrap_or(self.drawing);
        let hands = self.drawing.hands.iter().zip(&drawing.hands).enumerate();
        let line = |(number, (own, shown)): (usize, (&kanzen_core::Hand, &kanzen_core::Hand))| {
            let party = self.kit.party(shown.side);
            let style = self.theme.party(party.colour);
            let mut spans = vec![Span::styled(format!("{}: ", party.name.en), self.theme.faint())];
            for (label, shown) in own.pieces.iter().zip(&shown.pieces) {
                let touch = Touch::Hand { hand: number, label: label.clone() };
                let (left, right) = match &self.marks {
                    marks if marks.cursor.as_ref() == Some(&touch) => ("[", "]"),
                    marks if marks.touched.contains(&touch) => ("{", "}"),
                    _ => (" ", " "),
                };
                spans.push(Span::styled(left, self.theme.accent()));
                spans.push(Span::styled(shown.clone(), style));
                spans.push(Span::styled(right, self.theme.accent()));
            }
            if own.pieces.is_empty() {
                spans.push(Span::styled("–", self.theme.faint()));
            }
            Line::from(spans)
        };
        hands.map(line).collect()
    }
}

/// The letter of a piece: stones of each player have another shape.
fn glyph(kit: &Kit, piece: &Piece) -> char {
    let kind = kit.kind(piece.side, &piece.label);
    let drawn = kind.map(|kind| kind.glyph).filter(|glyph| glyph.width() == 1);
    let written = drawn.unwrap_or(&piece.label).chars().next().unwrap_or('?');
    if drawn.is_some() || !written.is_ascii_digit() {
        return written;
    }
    match piece.side {
        Side::One => '●',
        Side::Two => '○',
        Side::Three => '◆',
        Side::Neutral => '■',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kanzen_core::{Mark, Outcome, Verdict};

    fn letters(drawing: &Drawing, marks: Marks, scale: u16) -> String {
        let theme = Theme::default();
        let kit = &Kit::STONES;
        let picture =
            Picture { drawing, kit, exchanged: false, coordinates: true, marks, theme, scale };
        let lines = picture.lines().into_iter().map(|line| line.to_string());
        lines.map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn cells_are_a_net_of_boxes_with_signs_for_a_move() {
        let mut board = Drawing::cells(3, 2);
        board.pieces = vec![Piece::new(0, Side::One, 1), Piece::new(4, Side::Two, 2)];
        let value = Tint::Value(Verdict { value: Outcome::Win, plies: Some(1) });
        board.marks.push(Mark { spot: 5, tint: value });
        let marks = Marks { trace: Trace::step(0, 1), ..Marks::default() };
        let expected = "  ┌───┬───┬───┐\n\
                        1 │(●)│> <│   │\n\
                        \u{20} ├───┼───┼───┤\n\
                        2 │   │ ○ │  +│\n\
                        \u{20} └───┴───┴───┘\n\
                        \u{20}   a   b   c";
        assert_eq!(letters(&board, marks, 1), expected);
        assert!(letters(&board, Marks::default(), 2).contains("│       │       │"));
    }

    #[test]
    fn points_are_joined_and_named_where_edges_cannot_tell_them() {
        let spot = |x, y, name: &str| Spot::new(x, y, SpotShape::Point, name);
        let spots = vec![spot(0.0, 0.0, "p"), spot(1.0, 0.0, "q"), spot(1.0, 1.0, "r")];
        let board = Drawing { spots, lines: vec![(0, 1), (1, 2), (0, 2)], ..Drawing::default() };
        let cursor = Marks { cursor: Some(Touch::Spot(2)), ..Marks::default() };
        let expected = "\n  p───q\n    ╲ │\n     [r]\n";
        assert_eq!(letters(&board, cursor, 1), expected);
    }
}
