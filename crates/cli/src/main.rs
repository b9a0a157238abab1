//! `kanzen`: solves board games completely and lets people look into the result.

mod args;
mod commands;
mod output;
mod play;
mod progress;
mod record;

use args::Cli;
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    kanzen_solve::give_back_freed_memory();
    match commands::run(Cli::parse()) {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("{}error:{} {error:#}", output::ERROR.render(), output::RESET);
            ExitCode::from(commands::exit_status(&error))
        }
    }
}

/// Whoever reads the output has seen enough: that is no error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}
