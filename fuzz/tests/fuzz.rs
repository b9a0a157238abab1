//! libFuzzer for one of the targets, `KANZEN_TARGET`; arguments are libFuzzer's own.
#![no_main]

use kanzen_fuzz::{TARGETS, Target};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let wanted = std::env::var("KANZEN_TARGET").unwrap_or_default();
    let found = TARGETS.iter().find(|(name, _)| *name == wanted);
    found.unwrap_or_else(|| panic!("'{wanted}' is no target: {:?}", names())).1
});

fn names() -> Vec<&'static str> {
    TARGETS.iter().map(|(name, _)| *name).collect()
}

fuzz_target!(|bytes: &[u8]| TARGET(bytes));
