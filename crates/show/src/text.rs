//! Boards in the terminal.

use crate::board::edges;
use kanzen_core::{Drawing, Side, Spot, SpotShape};

/// Characters between two spots that are a unit apart.
const WIDE: f32 = 4.0;
const HIGH: f32 = 2.0;

/// Draws a board with plain characters, a line break at the end of each line. Coordinates stand along
/// the edges; where spots have names of their own, these stand in a second board beside the first.
///
/// ```
/// use kanzen_core::{Drawing, Piece, Side};
/// let mut board = Drawing::cells(3, 1);
/// board.pieces.push(Piece::new(1, Side::One, "X"));
/// assert_eq!(kanzen_show::text(&board, false), "  .   X   .\n");
/// assert_eq!(kanzen_show::text(&board, true), "1   .   X   .\n\n    a   b   c\n");
/// ```
pub fn text(drawing: &Drawing, coordinates: bool) -> String {
    let board = canvas(drawing, |spot, canvas, (row, column)| {
        canvas[row][column] = match spot.shape {
            SpotShape::Cell | SpotShape::SmallHole => '.',
            SpotShape::Hole => 'o',
            SpotShape::Point => '+',
            SpotShape::Outside => ' ',
        };
    });
    let mut lines = pieces(drawing, board);
    match edges(&drawing.spots).filter(|_| coordinates) {
        Some([columns, rows]) => {
            let wide = rows.iter().map(|(_, name)| name.len()).max().unwrap_or(0) + 1;
            for (number, line) in lines.iter_mut().enumerate() {
                let name =
                    rows.iter().find(|(y, _)| row(*y) == number).map_or("", |(_, name)| name);
                *line = format!("{name:<wide$}{line}");
            }
            let mut names = vec![' '; wide + 2];
            for (x, name) in columns {
                let at = wide + column(x);
                names.resize(names.len().max(at + 1), ' ');
                names[at] = name.chars().next().unwrap_or(' ');
            }
            lines.extend([String::new(), names.into_iter().collect()]);
        }
        None if coordinates => {
            let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0) + 4;
            let names = canvas(drawing, |spot, canvas, (row, column)| {
                let shown = spot.name.chars().take(4).filter(|_| spot.shape != SpotShape::Outside);
                let first = column - spot.name.chars().count().min(4) / 2;
                shown.enumerate().for_each(|(at, letter)| canvas[row][first + at] = letter);
            });
            for (line, names) in lines.iter_mut().zip(names) {
                let names = String::from_iter(names);
                *line = format!("{line:<width$}{}", names.trim_end());
            }
        }
        None => {}
    }
    let mut lines: Vec<String> = lines.iter().map(|line| line.trim_end().to_owned()).collect();
    for (place, hand) in drawing.hands.iter().enumerate() {
        let line = format!("hand: {}", hand.pieces.join(" "));
        lines.insert(if place == 0 { 0 } else { lines.len() }, line);
    }
    if !drawing.caption.is_empty() {
        lines.push(drawing.caption.clone());
    }
    lines.join("\n") + "\n"
}

fn column(x: f32) -> usize {
    (x * WIDE).round() as usize + 2
}

fn row(y: f32) -> usize {
    (y * HIGH).round() as usize
}

/// The lines of a board and its spots, as `put` writes them.
fn canvas(
    drawing: &Drawing,
    put: impl Fn(&Spot, &mut [Vec<char>], (usize, usize)),
) -> Vec<Vec<char>> {
    let width = drawing.spots.iter().map(|s| column(s.x)).max().unwrap_or(0) + 4;
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
        put(spot, &mut canvas, (row(spot.y), column(spot.x)));
    }
    canvas
}

/// The board with its pieces and marks, line by line.
fn pieces(drawing: &Drawing, mut canvas: Vec<Vec<char>>) -> Vec<String> {
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
        // Behind the bracket of a piece that has one.
        let behind = column(spot.x) + 1;
        let behind = behind + usize::from(canvas[row(spot.y)][behind] == ')');
        canvas[row(spot.y)][behind] = sign;
    }

    canvas.into_iter().map(String::from_iter).map(|line| line.trim_end().to_owned()).collect()
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
