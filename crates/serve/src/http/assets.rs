//! The few files that pages need, inside the program.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

/// A file.
pub struct Asset {
    /// Its name in addresses.
    pub name: &'static str,
    /// Its media type.
    pub media: &'static str,
    /// Its parts, one after the other.
    pub parts: &'static [&'static str],
}

/// All files.
pub const ASSETS: [Asset; 3] = [
    Asset {
        name: "kanzen.css",
        media: "text/css; charset=utf-8",
        parts: &[include_str!("../../assets/kanzen.css"), kanzen_show::board::BOARD_CSS],
    },
    Asset {
        name: "kanzen.js",
        media: "text/javascript; charset=utf-8",
        parts: &[include_str!("../../assets/kanzen.js")],
    },
    Asset {
        name: "icon.svg",
        media: "image/svg+xml",
        parts: &[include_str!("../../assets/icon.svg")],
    },
];

/// A number that changes when a file does, so that browsers may keep files for ever.
pub static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = DefaultHasher::new();
    // Texts alone: a length is another number of bytes in a browser.
    ASSETS.iter().flat_map(|asset| asset.parts).for_each(|part| part.hash(&mut hasher));
    format!("{:016x}", hasher.finish())
});

/// The address of a file.
pub fn address(name: &str) -> String {
    format!("/assets/{}/{name}", *VERSION)
}
