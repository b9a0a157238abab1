//! What is kept is tried every time.

use crate::confined;
use kanzen_fuzz::{CORPUS, TARGETS};
use std::path::Path;

/// Inputs that found something once, or lead where others do not.
#[test]
fn what_is_kept_does_no_harm() {
    if !confined("corpus::what_is_kept_does_no_harm") {
        return;
    }
    for (name, target) in TARGETS {
        let mut tried = 0;
        for entry in std::fs::read_dir(Path::new(CORPUS).join(name)).unwrap() {
            let path = entry.unwrap().path();
            eprintln!("{}", path.display());
            target(&std::fs::read(&path).unwrap());
            tried += 1;
        }
        assert!(tried > 0, "nothing is kept for {name}");
    }
}
