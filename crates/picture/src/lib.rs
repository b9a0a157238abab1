//! Boards as pictures in pixels, for places that show no SVG: previews of links, messages, slides.

use kanzen_show::board::{BOARD_CSS, LIGHT_CSS};
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Family, Query};
use resvg::usvg::{Options, Tree};
use std::sync::{Arc, LazyLock};

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// Boards have letters.
    #[error(
        "this machine has no fonts, which the letters of a board need: install one, such as fonts-dejavu-core"
    )]
    NoFonts,
    /// It is not SVG.
    #[error("the board cannot be drawn: {0}")]
    Svg(String),
}

/// Fonts that have Latin letters and, the first ones, Japanese.
const FONTS: [&str; 6] =
    ["Noto Sans CJK JP", "Noto Sans JP", "IPAGothic", "DejaVu Sans", "Liberation Sans", "Arial"];

/// The fonts of this machine, looked for once; none if there are none.
static FOUND: LazyLock<Option<(Arc<Database>, String)>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    fonts.load_system_fonts();
    let has = |name: &&&str| {
        let query = Query { families: &[Family::Name(name)], ..Query::default() };
        fonts.query(&query).is_some()
    };
    let known = FONTS.iter().find(has).map(|&name| name.to_owned());
    let family = known.or_else(|| Some(fonts.faces().next()?.families.first()?.0.clone()))?;
    fonts.set_sans_serif_family(family.clone());
    Some((Arc::new(fonts), family))
});

/// A document of a board in pixels, as PNG; its longer side has so many of them.
///
/// # Errors
/// If it is not a document, or there are no fonts.
pub fn png(svg: &str, longer: u32) -> Result<Vec<u8>, PictureError> {
    let (fonts, family) = FOUND.as_ref().ok_or(PictureError::NoFonts)?;
    let options =
        Options { fontdb: Arc::clone(fonts), font_family: family.clone(), ..Options::default() };
    let wrong = |error: &dyn std::fmt::Display| PictureError::Svg(error.to_string());
    let tree = Tree::from_str(&plain_colours(svg), &options).map_err(|error| wrong(&error))?;
    let size = tree.size();
    let scale = longer as f32 / size.width().max(size.height());
    let side = |length: f32| ((length * scale).round() as u32).clamp(1, longer);
    let mut pixels = Pixmap::new(side(size.width()), side(size.height()))
        .ok_or_else(|| wrong(&"it has no size"))?;
    pixels.fill(Color::WHITE);
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| wrong(&error))
}

/// The document with colours in place of their names, which only browsers know.
fn plain_colours(svg: &str) -> String {
    let mut style = BOARD_CSS.to_owned();
    let declarations = LIGHT_CSS.split(['{', '}', ';']).filter_map(|part| {
        let (name, value) = part.trim().split_once(':')?;
        name.starts_with("--").then_some((name, value.trim()))
    });
    for (name, value) in declarations {
        style = style.replace(&format!("var({name})"), value);
    }
    // The fonts of browsers are not those of this machine.
    let families = style.find("system-ui").and_then(|at| Some(at..at + style[at..].find(';')?));
    if let Some(families) = families {
        style.replace_range(families, "sans-serif");
    }
    svg.replace(BOARD_CSS, &style).replace(LIGHT_CSS, "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use kanzen_core::{Drawing, Kit, Language, Piece, Side};

    #[test]
    fn a_board_has_its_colours() {
        let mut drawing = Drawing::cells(3, 2);
        drawing.pieces.push(Piece::new(0, Side::One, "1"));
        let svg = kanzen_show::svg(&drawing, &Kit::STONES, Language::English);
        let resolved = plain_colours(&svg);
        assert!(resolved.contains(".wood { fill: #ecd8ae; }"), "{resolved}");
        let png = png(&svg, 300).unwrap();
        let picture = Pixmap::decode_png(&png).unwrap();
        assert_eq!(picture.width().max(picture.height()), 300);
        let has = |colour: [u8; 3]| {
            picture
                .pixels()
                .iter()
                .any(|pixel| [pixel.red(), pixel.green(), pixel.blue()] == colour)
        };
        assert!(has([0xf3, 0xe4, 0xc2]), "the cells");
        assert!(has([0x2d, 0x5f, 0xa6]) || has([0xc2, 0x49, 0x3a]), "the piece");
    }

    #[test]
    fn what_is_no_board_is_refused() {
        assert!(matches!(png("<html>", 100), Err(PictureError::Svg(_) | PictureError::NoFonts)));
    }
}
