//! Boards as SVG.

use crate::{Drawing, Kind, Kit, Outcome, Side, SpotShape, Tint};
use std::fmt::Write;

/// Pixels a unit.
const UNIT: f32 = 48.0;
const MARGIN: f32 = 36.0;
/// Pixels of a letter of the caption, on average.
const LETTER: f32 = 7.0;
/// Units between two pieces of a hand.
const HAND_PITCH: f32 = 0.95;
const STYLE: &str = "\
.line{stroke:#8a7b66;stroke-width:2}.cell{fill:#f6ecd9;stroke:#8a7b66}\
.hole{fill:#e7d8bd;stroke:#8a7b66}.small{fill:#cdb88f;stroke:#8a7b66}.point{fill:#8a7b66}\
.one{fill:#2f5d9b;stroke:#173256}.two{fill:#c8503c;stroke:#6d2317}\
.three{fill:#4c8a4a;stroke:#234a22}.neutral{fill:#2b2620;stroke:#333}\
.tile-one rect{fill:#cfe0f5;stroke:#173256}.tile-two rect{fill:#f7d3cb;stroke:#6d2317}\
.tile-three rect{fill:#d3ead2;stroke:#234a22}.tile-neutral rect{fill:#ddd;stroke:#333}\
.label{fill:#fff;font:bold 16px sans-serif;text-anchor:middle}\
.sign{fill:#222;font:bold 12px sans-serif;text-anchor:middle}\
.dot{fill:#333}.text{fill:#333;font:14px sans-serif;text-anchor:middle}\
.last{fill:none;stroke:#d0a000;stroke-width:4}\
.win{fill:#2e9b57}.draw{fill:#e0b000}.loss{fill:#d04a3a}";

/// Draws a board as a self-contained SVG document, the pieces as in the kit.
pub fn svg(drawing: &Drawing, kit: &Kit) -> String {
    let right = drawing.spots.iter().map(|s| s.x).fold(0.0, f32::max);
    let bottom = drawing.spots.iter().map(|s| s.y).fold(0.0, f32::max);
    // The first hand stands above the board, the others below it.
    let hands = drawing.hands.len() as f32;
    let held = drawing.hands.iter().map(|hand| hand.pieces.len()).max().unwrap_or(0) as f32;
    let right = right.max((held - 1.0) * HAND_PITCH);
    let top = MARGIN + hands.min(1.0) * UNIT;
    let board = right * UNIT + 2.0 * MARGIN;
    let width = board.max(drawing.caption.chars().count() as f32 * LETTER + MARGIN);
    let left = MARGIN + (width - board) / 2.0;
    let height = bottom * UNIT + top + MARGIN + 24.0 + UNIT * (hands - 1.0).max(0.0);
    let x = |v: f32| v * UNIT + left;
    let y = |v: f32| v * UNIT + top;

    let mut out = String::new();
    let mut put = |piece: std::fmt::Arguments<'_>| {
        out.write_fmt(piece).expect("a String takes any text");
        out.push('\n');
    };
    put(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img"><title>{}</title><style>{STYLE}</style>"#,
        escape(&drawing.caption)
    ));
    for &(a, b) in &drawing.lines {
        let (a, b) = (&drawing.spots[a], &drawing.spots[b]);
        put(format_args!(
            r#"<line class="line" x1="{}" y1="{}" x2="{}" y2="{}"/>"#,
            x(a.x),
            y(a.y),
            x(b.x),
            y(b.y)
        ));
    }
    for spot in &drawing.spots {
        let (cx, cy) = (x(spot.x), y(spot.y));
        match spot.shape {
            SpotShape::Cell => put(format_args!(
                r#"<rect class="cell" x="{}" y="{}" width="{UNIT}" height="{UNIT}"/>"#,
                cx - UNIT / 2.0,
                cy - UNIT / 2.0
            )),
            SpotShape::Hole => {
                put(format_args!(r#"<circle class="hole" cx="{cx}" cy="{cy}" r="20"/>"#))
            }
            SpotShape::SmallHole => {
                put(format_args!(r#"<circle class="small" cx="{cx}" cy="{cy}" r="15"/>"#))
            }
            SpotShape::Point => {
                put(format_args!(r#"<circle class="point" cx="{cx}" cy="{cy}" r="4"/>"#))
            }
            SpotShape::Outside => {}
        }
    }
    for piece in &drawing.pieces {
        let spot = &drawing.spots[piece.spot];
        let (cx, cy) = (x(spot.x), y(spot.y));
        match picture(kit, piece.side, &piece.label) {
            Some(kind) => put(format_args!("{}", tile(kind, cx, cy))),
            None if piece.side == Side::Neutral => {
                put(format_args!(r#"<circle class="neutral" cx="{cx}" cy="{cy}" r="16"/>"#));
            }
            None => put(format_args!(
                r#"<circle class="{}" cx="{cx}" cy="{cy}" r="16"/><text class="label" x="{cx}" y="{}">{}</text>"#,
                class(piece.side),
                cy + 6.0,
                escape(&piece.label)
            )),
        }
    }
    for mark in &drawing.marks {
        let spot = &drawing.spots[mark.spot];
        let (cx, cy) = (x(spot.x), y(spot.y));
        match mark.tint {
            Tint::LastMove => {
                put(format_args!(r#"<circle class="last" cx="{cx}" cy="{cy}" r="19"/>"#))
            }
            Tint::Value(verdict) => {
                let class = match verdict.value {
                    Outcome::Win => "win",
                    Outcome::Draw => "draw",
                    Outcome::Loss => "loss",
                };
                let plies = verdict.plies.map_or(String::new(), |p| p.to_string());
                put(format_args!(
                    r#"<circle class="{class}" cx="{cx}" cy="{cy}" r="14" fill-opacity="{:.2}"/><text class="sign" x="{cx}" y="{}">{}{plies}</text>"#,
                    mark.tint.strength(),
                    cy + 4.0,
                    mark.tint.sign()
                ));
            }
        }
    }
    for (place, hand) in drawing.hands.iter().enumerate() {
        let line = match place {
            0 => MARGIN - 6.0,
            _ => y(bottom) + UNIT * place as f32 + 6.0,
        };
        for (column, held) in hand.pieces.iter().enumerate() {
            let cx = x(column as f32 * HAND_PITCH);
            match picture(kit, hand.side, held) {
                Some(kind) => put(format_args!("{}", tile(kind, cx, line))),
                None => put(format_args!(
                    r#"<text class="text" x="{cx}" y="{}">{}</text>"#,
                    line + 5.0,
                    escape(held)
                )),
            }
        }
    }
    put(format_args!(
        r#"<text class="text" x="{}" y="{}">{}</text></svg>"#,
        width / 2.0,
        height - 10.0,
        escape(&drawing.caption)
    ));
    out
}

/// The kind of a piece that has a picture.
fn picture(kit: &Kit, side: Side, label: &str) -> Option<&'static Kind> {
    kit.kind(side, label).filter(|kind| !kind.art.is_empty())
}

/// A piece with a picture and a dot for each of its steps, facing down for side two.
fn tile(kind: &Kind, x: f32, y: f32) -> String {
    let turn = if kind.side == Side::Two { " rotate(180)" } else { "" };
    let dot = |&(column, row): &(i8, i8)| {
        let (x, y) = (17.0 * f32::from(column), 17.0 * f32::from(row));
        format!(r#"<circle class="dot" cx="{x}" cy="{y}" r="1.5"/>"#)
    };
    format!(
        r#"<g class="tile-{}" transform="translate({x} {y}){turn}"><title>{}</title><rect x="-20" y="-20" width="40" height="40" rx="6"/>{}{}</g>"#,
        class(kind.side),
        escape(kind.name),
        kind.art,
        kind.steps.iter().map(dot).collect::<String>()
    )
}

/// The name of a side's colours.
fn class(side: Side) -> &'static str {
    match side {
        Side::One => "one",
        Side::Two => "two",
        Side::Three => "three",
        Side::Neutral => "neutral",
    }
}

/// Escapes text for use between tags.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
