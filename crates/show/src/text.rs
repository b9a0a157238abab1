//! Boards in the terminal.

use kanzen_core::{Drawing, Side, SpotShape};

/// Characters between two spots that are a unit apart.
const WIDE: f32 = 4.0;
const HIGH: f32 = 2.0;

/// Draws a board with plain characters, a line break at the end of each line.
///
/// ```
/// use kanzen_core::{Drawing, Piece, Side};
/// let mut board = Drawing::cells(3, 1);
/// board.pieces.push(Piece::new(1, Side::One, "X"));
/// assert_eq!(kanzen_show::text(&board), "  .   X   .\n");
/// ```
pub fn text(drawing: &Drawing) -> String {
    let column = |x: f32| (x * WIDE).round() as usize + 2;
    let row = |y: f32| (y * HIGH).round() as usize;
    let width = drawing.spots.iter().map(|s| column(s.x)).max().unwrap_or(0) + 3;
    let height = drawing.spots.iter().map(|s| row(s.y)).max().unwrap_or(0) + 1;
    let mut canvas = vec![vec![' '; width]; height];

    for &(a, b) in &drawing.lines {
        let (a, b) = (&drawing.spots[a], &drawing.spots[b]);
        let steps = (column(a.x).abs_diff(column(b.x))).max(row(a.y).abs_diff(row(b.y)));
        let pen = pen(b.x - a.x, b.y - a.y);
        for step in 1..steps {
            let t = step as f32 / steps as f32;
            let (x, y) = (a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t);
            // Diagonals get a stroke only where they meet a row of characters exactly.
            if (y * HIGH).fract() != 0.0 {
                continue;
            }
            let cell = &mut canvas[row(y)][column(x)];
            *cell = match (*cell, pen) {
                ('/', '\\') | ('\\', '/') => 'X',
                _ => pen,
            };
        }
    }
    for spot in &drawing.spots {
        canvas[row(spot.y)][column(spot.x)] = match spot.shape {
            SpotShape::Cell | SpotShape::SmallHole => '.',
            SpotShape::Hole => 'o',
            SpotShape::Point => '+',
            SpotShape::Outside => ' ',
        };
    }
    for piece in &drawing.pieces {
        let spot = &drawing.spots[piece.spot];
        let label = piece.label.chars().next().unwrap_or('?');
        canvas[row(spot.y)][column(spot.x)] = label;
        if piece.side == Side::Two && label.is_ascii_digit() {
            canvas[row(spot.y)][column(spot.x) - 1] = '(';
            canvas[row(spot.y)][column(spot.x) + 1] = ')';
        }
    }
    for mark in &drawing.marks {
        let spot = &drawing.spots[mark.spot];
        let sign = mark.tint.sign().chars().next().unwrap_or(' ');
        canvas[row(spot.y)][column(spot.x) + 1] = sign;
    }

    let mut lines: Vec<String> = canvas
        .into_iter()
        .map(|line| line.into_iter().collect::<String>().trim_end().to_owned())
        .collect();
    for (place, hand) in drawing.hands.iter().enumerate() {
        let line = format!("hand: {}", hand.pieces.join(" "));
        lines.insert(if place == 0 { 0 } else { lines.len() }, line);
    }
    if !drawing.caption.is_empty() {
        lines.push(drawing.caption.clone());
    }
    lines.join("\n") + "\n"
}

/// The character that a line in this direction is drawn with.
fn pen(dx: f32, dy: f32) -> char {
    match (dx == 0.0, dy == 0.0) {
        (_, true) => '-',
        (true, false) => '|',
        _ if (dx > 0.0) == (dy > 0.0) => '\\',
        _ => '/',
    }
}
