//! `kanzen new`: a crate for a game of one's own, ready to run.

use anyhow::{Context, Result, bail};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

const FILES: [(&str, &str); 3] = [
    ("Cargo.toml", include_str!("template/Cargo.toml.txt")),
    ("README.md", include_str!("template/README.md")),
    ("src/main.rs", include_str!("template/main.rs")),
];

/// Makes the crate in a new directory. It takes Kanzen from a checkout, or by its version.
pub fn new(dir: &Path, checkout: Option<&Path>, out: &mut impl Write) -> Result<ExitCode> {
    let name = dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let plain =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    if !name.starts_with(|first: char| first.is_ascii_lowercase()) || !name.chars().all(plain) {
        bail!("'{name}' is no name for a game: use letters a to z, digits and -, a letter first");
    }
    if dir.exists() {
        bail!("{} is there already: nothing was changed", dir.display());
    }
    let kanzen = match checkout {
        Some(checkout) => {
            let path = checkout.join("crates/kanzen");
            let path = path.canonicalize().with_context(|| path.display().to_string())?;
            format!("{{ path = {:?} }}", path.display().to_string())
        }
        None => format!("{:?}", env!("CARGO_PKG_VERSION")),
    };
    let mut title = name.replace('-', " ");
    title[..1].make_ascii_uppercase();
    for (file, text) in FILES {
        let path = dir.join(file);
        let text = text.replace("{{name}}", &name);
        let text = text.replace("{{title}}", &title).replace("{{kanzen}}", &kanzen);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| fs::write(&path, text)).with_context(|| path.display().to_string())?;
    }
    let dir = dir.display();
    writeln!(out, "{dir}: a game with its rules in src/main.rs")?;
    writeln!(out, "Next: cd {dir} && cargo run -- serve --solve quick")?;
    Ok(ExitCode::SUCCESS)
}
