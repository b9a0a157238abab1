//! The command line.

/// Writes a line to standard error. If nobody can take it, the work goes on.
macro_rules! tell {
    ($($line:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($line)*);
    }};
}

mod annotate;
pub mod args;
mod bench;
mod cluster;
pub mod commands;
mod export;
pub mod graph;
mod new;
pub mod output;
mod pager;
pub mod play;
pub mod progress;
mod screen;
mod site;
mod sweep;
mod values;
