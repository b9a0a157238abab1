//! `kanzen`: solves board games completely and lets people look into the result.

use std::process::ExitCode;

fn main() -> ExitCode {
    kanzen::main(kanzen_games::all())
}
