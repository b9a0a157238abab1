//! Boards as SVG.

use crate::{Drawing, Outcome, Side, SpotShape, Tint};
use std::fmt::Write;

/// Pixels a unit.
const UNIT: f32 = 48.0;
const MARGIN: f32 = 36.0;
const STYLE: &str = "\
.line{stroke:#8a7b66;stroke-width:2}.cell{fill:#f6ecd9;stroke:#8a7b66}\
.hole{fill:#e7d8bd;stroke:#8a7b66}.small{fill:#cdb88f;stroke:#8a7b66}.point{fill:#8a7b66}\
.one{fill:#2f5d9b;stroke:#173256}.two{fill:#c8503c;stroke:#6d2317}\
.three{fill:#4c8a4a;stroke:#234a22}.neutral{fill:#777;stroke:#333}\
.label{fill:#fff;font:bold 16px sans-serif;text-anchor:middle}\
.sign{fill:#222;font:bold 12px sans-serif;text-anchor:middle}\
.text{fill:#333;font:14px sans-serif}\
.last{fill:none;stroke:#d0a000;stroke-width:4}\
.win{fill:#2e9b57}.draw{fill:#e0b000}.loss{fill:#d04a3a}";

/// Draws a board as a self-contained SVG document.
pub fn svg(drawing: &Drawing) -> String {
    let right = drawing.spots.iter().map(|s| s.x).fold(0.0, f32::max);
    let bottom = drawing.spots.iter().map(|s| s.y).fold(0.0, f32::max);
    let hand_rows = drawing.hands.len() as f32;
    let top = MARGIN + if drawing.hands.is_empty() { 0.0 } else { 28.0 };
    let width = right * UNIT + 2.0 * MARGIN;
    let height = bottom * UNIT + top + MARGIN + 24.0 + 28.0 * (hand_rows - 1.0).max(0.0);
    let x = |v: f32| v * UNIT + MARGIN;
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
        let class = match piece.side {
            Side::One => "one",
            Side::Two => "two",
            Side::Three => "three",
            Side::Neutral => "neutral",
        };
        put(format_args!(
            r#"<circle class="{class}" cx="{cx}" cy="{cy}" r="16"/><text class="label" x="{cx}" y="{}">{}</text>"#,
            cy + 6.0,
            escape(&piece.label)
        ));
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
            0 => 24.0,
            _ => y(bottom) + MARGIN + 28.0 * place as f32 - 6.0,
        };
        put(format_args!(
            r#"<text class="text" x="{MARGIN}" y="{line}">{}</text>"#,
            escape(&hand.pieces.join(" "))
        ));
    }
    put(format_args!(
        r#"<text class="text" x="{MARGIN}" y="{}">{}</text></svg>"#,
        height - 10.0,
        escape(&drawing.caption)
    ));
    out
}

/// Escapes text for use between tags.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
