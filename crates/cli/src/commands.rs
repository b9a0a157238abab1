//! What the commands do.

use crate::args::{Cli, Command, Data, Game, Serve, Solve};
use crate::output;
use crate::play;
use crate::progress::Show;
use crate::record;
use anyhow::{Context, Result, bail};
use clap::CommandFactory;
use kanzen_core::{Outcome, Trace};
use kanzen_games::{
    Answer, AnyGame, AnySolved, Depth, GAMES, GameError, Judgement, QUICK_SECONDS, Report,
    SolveJob, Store, find, table_path,
};
use kanzen_solve::{SolveError, machine_memory};
use kanzen_study::puzzle::{self, Wanted};
use kanzen_study::report::{self, Language, Subject};
use kanzen_study::{book, compare, fairness};
use serde_json::json;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The exit status of an interrupted program, by the custom of shells.
const INTERRUPTED: u8 = 130;

static CANCEL: AtomicBool = AtomicBool::new(false);

/// Runs a command.
pub fn run(cli: Cli) -> Result<ExitCode> {
    let mut out = anstream::stdout().lock();
    match cli.command {
        Command::Games { data, json } => games(&data, json, &mut out),
        Command::Solve(options) => solve(&options, &mut out),
        Command::Probe { game, position, most } => match position.as_deref() {
            Some("-") => probe_lines(&game, most, &mut out),
            position => probe(&game, position, most, &mut out),
        },
        Command::Line { game, position, boards } => {
            line(&game, position.as_deref(), boards, &mut out)
        }
        Command::Stats { game, csv } => {
            let report = open(&game)?.stats()?;
            match csv {
                true => {
                    let sheets: Vec<String> = report.sheets.iter().map(output::csv).collect();
                    write!(out, "{}", sheets.join("\n"))?;
                    Ok(ExitCode::SUCCESS)
                }
                false => print_report(&report, game.json, &mut out),
            }
        }
        Command::Find { game, what, most } => {
            let solved = open(&game)?;
            let report = fairness::find(&*solved, &what, most, &Show::new(&game.name))?;
            print_report(&report, game.json, &mut out)
        }
        Command::Prove { game, position, most, look, to } => {
            let depth = Depth { most, look, book: to.is_some() };
            prove(&game, position.as_deref(), depth, to.as_deref(), &mut out)
        }
        Command::Puzzles { game, count, seed, solutions } => {
            let wanted = Wanted { count: count.into(), seed };
            puzzles(&game, wanted, solutions, &mut out)
        }
        Command::Compare { game, other, most } => compare(&game, &other, most, &mut out),
        Command::Report { game, to, language } => report(&game, to.as_deref(), &language, &mut out),
        Command::Verify { game } => verify(&game, &mut out),
        Command::Perft { game, depth, position } => {
            let nodes = build(&game)?.perft(position.as_deref(), depth)?;
            match game.json {
                true => writeln!(out, "{}", json!({ "depth": depth, "nodes": nodes }))?,
                false => writeln!(out, "{nodes}")?,
            }
            Ok(ExitCode::SUCCESS)
        }
        Command::Check { game, samples, seed } => check(&game, samples, seed, &mut out),
        Command::Draw { game, position, svg, values, mv } => {
            let drawing = draw(&game, position.as_deref(), values, mv.as_deref())?;
            match svg {
                true => write!(out, "{}", kanzen_core::svg(&drawing, build(&game)?.kit()))?,
                false => write!(out, "{}", kanzen_core::text(&drawing))?,
            }
            Ok(ExitCode::SUCCESS)
        }
        Command::Serve(options) => serve(&options, &mut out),
        Command::Play { game, position, against, side, seed } => {
            let solved = open(&game)?;
            let table = play::Table { solved: &*solved, opponent: against, side, seed };
            table.play(position.as_deref(), &mut std::io::stdin().lock(), &mut out)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Cli::command(), "kanzen", &mut out);
            Ok(ExitCode::SUCCESS)
        }
        Command::Man { dir } => {
            std::fs::create_dir_all(&dir).with_context(|| dir.display().to_string())?;
            clap_mangen::generate_to(Cli::command(), &dir)
                .with_context(|| dir.display().to_string())?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// The exit status for an error.
pub fn exit_status(error: &anyhow::Error) -> u8 {
    match error.downcast_ref() {
        Some(GameError::Solve(SolveError::Cancelled)) => INTERRUPTED,
        _ => 1,
    }
}

/// The directory of tables.
fn directory(data: &Data) -> Result<PathBuf> {
    if let Some(dir) = &data.dir {
        return Ok(dir.clone());
    }
    let dirs = directories::ProjectDirs::from("", "", "kanzen");
    let dirs = dirs.context("there is no home directory: name a directory with --dir")?;
    Ok(dirs.data_dir().to_owned())
}

fn build(game: &Game) -> Result<Box<dyn AnyGame>> {
    Ok(find(&game.name)?.build(&game.options)?)
}

fn open(game: &Game) -> Result<Box<dyn AnySolved>> {
    Ok(build(game)?.open(&directory(&game.data)?)?)
}

fn games(data: &Data, json: bool, out: &mut impl Write) -> Result<ExitCode> {
    let dir = directory(data)?;
    for entry in GAMES {
        let game = entry.build(&[])?;
        let plan = game.plan(0);
        let solved = table_path(&dir, &game.identity()).exists();
        if json {
            let options = entry.options.iter().map(|option| {
                json!({ "name": option.name, "values": option.values, "help": option.help })
            });
            let facts = json!({
                "game": entry.name, "title": entry.title, "start": game.start(), "plan": plan,
                "solved": solved, "options": options.collect::<Vec<_>>(),
            });
            writeln!(out, "{facts}")?;
            continue;
        }
        writeln!(out, "{:<10} {}", entry.name, entry.title)?;
        writeln!(
            out,
            "{:<10} {} indices, {} of memory, {}; {}",
            "",
            plan.positions,
            output::bytes(plan.memory),
            output::seconds(plan.seconds),
            if solved { "solved" } else { "not solved yet" },
        )?;
        for option in entry.options {
            let values = option.values.join("|");
            writeln!(out, "{:<10} -o {}={values}: {}", "", option.name, option.help)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn serve(options: &Serve, out: &mut impl Write) -> Result<ExitCode> {
    let config = kanzen_serve::Config {
        dir: directory(&options.data)?,
        host: options.host.clone(),
        port: options.port,
        solve_quick: options.solve.is_some(),
    };
    stop_at_interrupt()?;
    kanzen_serve::run(&config, &CANCEL, |address| {
        // Whoever does not read this may still use the server.
        let _ = writeln!(out, "Kanzen is at http://{address}/ (Ctrl-C ends it)");
        let _ = out.flush();
    })
    .with_context(|| format!("cannot listen at {}:{}", config.host, config.port))?;
    Ok(ExitCode::SUCCESS)
}

/// Lets Ctrl-C set the wish to stop, quietly.
fn stop_at_interrupt() -> Result<()> {
    ctrlc::set_handler(|| {
        if CANCEL.swap(true, Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    })
    .context("cannot catch interrupts")
}

fn solve(options: &Solve, out: &mut impl Write) -> Result<ExitCode> {
    catch_interrupts()?;
    if options.game.name != "quick" {
        let game = build(&options.game)?;
        return solve_one(&options.game.name, &*game, options, out);
    }
    for entry in GAMES {
        let game = entry.build(&[])?;
        if game.plan(options.threads).seconds < QUICK_SECONDS {
            solve_one(entry.name, &*game, options, out)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn solve_one(
    name: &str,
    game: &dyn AnyGame,
    options: &Solve,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let dir = directory(&options.game.data)?;
    let path = table_path(&dir, &game.identity());
    if options.estimate {
        let plan = game.plan(options.threads);
        match options.game.json {
            true => writeln!(out, "{}", serde_json::to_string(&plan)?)?,
            false => writeln!(
                out,
                "{name}: {} indices, {} of memory, {} on disk, {}",
                plan.positions,
                output::bytes(plan.memory),
                output::bytes(plan.disk),
                output::seconds(plan.seconds),
            )?,
        }
        return Ok(ExitCode::SUCCESS);
    }
    let store = Store::choose(game, options.store)?;
    if path.exists() && !options.again {
        if options.store.is_some() {
            let stored = game.open(&dir)?.store();
            if stored != store {
                let (stored, store) = (stored.name(), store.name());
                bail!("{} holds '{stored}', not '{store}': --again solves anew", path.display());
            }
        }
        match options.game.json {
            true => writeln!(out, "{}", json!({ "game": name, "table": path, "solved": true }))?,
            false => {
                let path = path.display();
                writeln!(out, "{name}: solved already, in {path} (--again solves it anew)")?;
            }
        }
        return Ok(ExitCode::SUCCESS);
    }
    let memory = options.memory.or_else(|| machine_memory().map(|all| all / 5 * 4));
    let start = Instant::now();
    let report = game.solve(&SolveJob {
        dir,
        threads: options.threads,
        memory: memory.unwrap_or(4 << 30),
        level: options.level.unwrap_or_else(|| game.level()),
        store,
        interval: Duration::from_secs(options.checkpoint),
        cancel: &CANCEL,
        progress: &Show::new(name),
    })?;
    let seconds = start.elapsed().as_secs_f64();
    record::write(&report.table, seconds, options.threads);
    match options.game.json {
        true => {
            let facts = json!({
                "game": name, "table": report.table, "bytes": report.bytes,
                "seconds": seconds, "start": report.start,
            });
            writeln!(out, "{facts}")?;
        }
        false => writeln!(
            out,
            "{name}: the start is a {}; solved in {seconds:.1} s, {} in {}",
            report.start,
            output::bytes(report.bytes),
            report.table.display()
        )?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The first interrupt asks the solve to stop with a checkpoint, the second stops at once.
fn catch_interrupts() -> Result<()> {
    ctrlc::set_handler(|| {
        if CANCEL.swap(true, Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
        eprintln!("\nstopping after this round, with a checkpoint (again to stop at once)");
    })
    .context("cannot catch interrupts")
}

fn probe(
    game: &Game,
    position: Option<&str>,
    most: usize,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let solved = open(game)?;
    match solved.probe(position) {
        Ok(answer) => print_answer(&answer, game.json, most, out)?,
        Err(error) if game.json => {
            writeln!(out, "{}", unreadable(position.unwrap_or_default(), &error))?;
            return Ok(ExitCode::FAILURE);
        }
        Err(error) => return Err(error.into()),
    }
    Ok(ExitCode::SUCCESS)
}

fn probe_lines(game: &Game, most: usize, out: &mut impl Write) -> Result<ExitCode> {
    let solved = open(game)?;
    let mut out = std::io::BufWriter::new(out);
    let mut code = ExitCode::SUCCESS;
    for line in std::io::stdin().lock().lines() {
        let line = line.context("standard input")?;
        let position = line.trim();
        if position.is_empty() {
            continue;
        }
        match solved.probe(Some(position)) {
            Ok(answer) => print_answer(&answer, game.json, most, &mut out)?,
            Err(error) => {
                code = ExitCode::FAILURE;
                match game.json {
                    true => writeln!(out, "{}", unreadable(position, &error))?,
                    false => writeln!(out, "{position}: error: {error}")?,
                }
            }
        }
    }
    out.flush()?;
    Ok(code)
}

fn unreadable(position: &str, error: &GameError) -> serde_json::Value {
    json!({ "position": position, "error": error.to_string() })
}

fn print_answer(answer: &Answer, json: bool, most: usize, out: &mut impl Write) -> Result<()> {
    if json {
        writeln!(out, "{}", serde_json::to_string(answer)?)?;
        return Ok(());
    }
    let mut drawing = answer.drawing.clone();
    drawing.mark_values(judged(answer));
    write!(out, "{}", kanzen_core::text(&drawing))?;
    writeln!(out, "{}: {}", answer.position, output::coloured(&answer.value))?;
    for mv in answer.moves.iter().take(most) {
        writeln!(out, "  {:<16} {}", mv.name, output::coloured(&mv.value))?;
    }
    if answer.moves.len() > most {
        writeln!(out, "  and {} more moves (--most N shows more)", answer.moves.len() - most)?;
    }
    Ok(())
}

/// The moves of an answer with values for two players.
fn judged(answer: &Answer) -> impl Iterator<Item = (&Trace, kanzen_core::Verdict)> {
    answer.moves.iter().filter_map(|mv| match mv.value {
        Judgement::Two(verdict) => Some((&mv.trace, verdict)),
        _ => None,
    })
}

fn line(
    game: &Game,
    position: Option<&str>,
    boards: bool,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let line = open(game)?.line(position)?;
    if game.json {
        writeln!(out, "{}", serde_json::to_string(&line)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let rules = build(game)?;
    writeln!(out, "{}: {}", line.position, output::coloured(&line.value))?;
    for (ply, mv) in (1..).zip(&line.moves) {
        let position = mv.position.as_deref().unwrap_or("");
        let value = output::coloured(&mv.value);
        writeln!(out, "{ply:>4}. {:<16} {position}  {value}", mv.name)?;
        if boards && mv.position.is_some() {
            let mut drawing = rules.draw(mv.position.as_deref())?;
            drawing.mark_last_move(&mv.trace);
            writeln!(out, "{}", kanzen_core::text(&drawing))?;
        }
    }
    writeln!(out, "{}", line.end)?;
    Ok(ExitCode::SUCCESS)
}

fn print_report(report: &Report, json: bool, out: &mut impl Write) -> Result<ExitCode> {
    match json {
        true => writeln!(out, "{}", serde_json::to_string(&report.json)?)?,
        false => {
            let sheets: Vec<String> = report.sheets.iter().map(output::aligned).collect();
            write!(out, "{}", sheets.join("\n"))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn prove(
    game: &Game,
    position: Option<&str>,
    depth: Depth,
    to: Option<&Path>,
    out: &mut impl Write,
) -> Result<ExitCode> {
    if let Some(path) = to {
        output::may_save(path, &["json", "dot", "html"])?;
    }
    let proof = open(game)?.prove(position, depth, &Show::new(&game.name))?;
    if let (Some(path), Some(book)) = (to, &proof.book) {
        let text = match path.extension().and_then(|extension| extension.to_str()) {
            Some("json") => serde_json::to_string(&proof)?,
            Some("dot") => book::dot(&proof, book),
            _ => book::html(&proof, book, find(&game.name)?.title, build(game)?.kit()),
        };
        output::save(path, &text)?;
    }
    if game.json {
        let mut facts = serde_json::to_value(&proof)?;
        facts.as_object_mut().map(|facts| facts.remove("book"));
        writeln!(out, "{facts}")?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{}: {}", proof.position, proof.value)?;
    match (proof.tree, proof.tree_exceeds) {
        (Some(size), _) => writeln!(out, "smallest proof tree: {size} positions")?,
        (_, exceeds) => {
            let exceeds = exceeds.unwrap_or(0);
            writeln!(
                out,
                "smallest proof tree: more than {exceeds} positions (--most goes further)"
            )?;
        }
    }
    let size = &proof.strategy;
    let rest = match depth.look {
        1 => "those won at once".to_owned(),
        look => format!("those won within {look} plies"),
    };
    let (which, least) = match size.winner_to_move == size.at_least {
        true => ("the smallest strategy", String::new()),
        false => ("a strategy", format!("; every strategy has at least {}", size.at_least)),
    };
    writeln!(
        out,
        "{which}: {} answers, for all of the winner's positions up to symmetry but {rest}{least}",
        size.winner_to_move
    )?;
    Ok(ExitCode::SUCCESS)
}

fn puzzles(game: &Game, wanted: Wanted, solutions: bool, out: &mut impl Write) -> Result<ExitCode> {
    let puzzles = puzzle::puzzles(&*open(game)?, wanted, &Show::new(&game.name))?;
    for (number, puzzle) in (1..).zip(&puzzles) {
        if game.json {
            writeln!(out, "{}", serde_json::to_string(puzzle)?)?;
            continue;
        }
        let task = match (puzzle.goal.value, puzzle.goal.plies) {
            (Outcome::Win, Some(_)) => format!("win in {} moves", puzzle.features.moves),
            (Outcome::Win, None) => "find the only move that wins".to_owned(),
            _ => "save the draw".to_owned(),
        };
        writeln!(out, "{number}. {task} ({})\n   {}", puzzle.grade.word(), puzzle.position)?;
        write!(out, "{}", kanzen_core::text(&puzzle.drawing))?;
        if solutions {
            writeln!(out, "   solution: {}", puzzle.solution.join(" "))?;
        }
        writeln!(out)?;
    }
    if puzzles.len() < wanted.count {
        let (found, wanted) = (puzzles.len(), wanted.count);
        eprintln!("{}: {found} of {wanted}: no more such positions were found", game.name);
    }
    Ok(ExitCode::SUCCESS)
}

fn compare(game: &Game, other: &[String], most: usize, out: &mut impl Write) -> Result<ExitCode> {
    let (name, options) = match other.split_first() {
        Some((name, options)) if !name.starts_with('-') => (name, options),
        _ => (&game.name, other),
    };
    let mut chosen = Vec::new();
    for option in options.iter().flat_map(|option| option.split_whitespace()) {
        match option.strip_prefix("-o").unwrap_or(option) {
            "" => {}
            option => chosen.push(option.to_owned()),
        }
    }
    let second = Game {
        name: name.clone(),
        options: chosen,
        data: Data { dir: game.data.dir.clone() },
        json: game.json,
    };
    let label = |game: &Game| match game.options.is_empty() {
        true => game.name.clone(),
        false => format!("{} {}", game.name, game.options.join(" ")),
    };
    let names = [label(game), label(&second)];
    let solved = [open(game)?, open(&second)?];
    let report = compare::compare(
        [&names[0], &names[1]],
        [&*solved[0], &*solved[1]],
        most,
        &Show::new(&game.name),
    )?;
    print_report(&report, game.json, out)
}

fn report(
    game: &Game,
    to: Option<&Path>,
    language: &str,
    out: &mut impl Write,
) -> Result<ExitCode> {
    if let Some(path) = to {
        output::may_save(path, &["html", "md"])?;
    }
    let built = build(game)?;
    let dir = directory(&game.data)?;
    let table = table_path(&dir, &built.identity());
    let solved = open(game)?;
    let subject = Subject {
        title: find(&game.name)?.title,
        game: &*built,
        solved: &*solved,
        made: record::read(&table, &game.options),
        other: &|options| find(&game.name)?.build(options)?.open(&dir),
    };
    let language = match language {
        "ja" => Language::Japanese,
        _ => Language::English,
    };
    let report = report::Report::new(&subject, language, &Show::new(&game.name))?;
    let (claims, agree) = report.score();
    match to {
        Some(path) if path.extension().is_some_and(|ending| ending == "html") => {
            output::save(path, &report.html())?;
        }
        Some(path) => output::save(path, &report.markdown())?,
        None if game.json => {}
        None => write!(out, "{}", report.markdown())?,
    }
    if game.json {
        writeln!(out, "{}", report.json())?;
    }
    if claims > 0 {
        eprintln!("{}: {agree} of {claims} claims agree", game.name);
    }
    Ok(ExitCode::SUCCESS)
}

fn verify(game: &Game, out: &mut impl Write) -> Result<ExitCode> {
    let report = open(game)?.verify(&Show::new(&game.name))?;
    match game.json {
        true => writeln!(out, "{}", serde_json::to_string(&report)?)?,
        false => {
            for problem in &report.problems {
                writeln!(out, "{problem}")?;
            }
            writeln!(out, "{} positions checked, {} wrong", report.positions, report.wrong)?;
        }
    }
    Ok(if report.passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn check(game: &Game, samples: u64, seed: u64, out: &mut impl Write) -> Result<ExitCode> {
    let findings = build(game)?.check(samples, seed);
    for finding in &findings {
        match game.json {
            true => writeln!(
                out,
                "{}",
                json!({
                    "test": finding.test, "position": finding.position,
                    "problem": finding.problem,
                })
            )?,
            false => {
                writeln!(out, "{}: {}\n    at {}", finding.test, finding.problem, finding.position)?
            }
        }
    }
    if findings.is_empty() && !game.json {
        writeln!(out, "{}: {samples} positions, nothing found", game.name)?;
    }
    Ok(if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn draw(
    game: &Game,
    position: Option<&str>,
    values: bool,
    mv: Option<&str>,
) -> Result<kanzen_core::Drawing> {
    let Some(mv) = mv else {
        if !values {
            return Ok(build(game)?.draw(position)?);
        }
        let answer = open(game)?.probe(position)?;
        let mut drawing = answer.drawing.clone();
        drawing.mark_values(judged(&answer));
        return Ok(drawing);
    };
    let before = open(game)?.probe(position)?;
    let Some(played) = before.moves.iter().find(|answer| answer.name == mv) else {
        let names: Vec<&str> = before.moves.iter().take(30).map(|mv| &*mv.name).collect();
        bail!("'{mv}' is not a move of {}: there are {}", before.position, names.join(" "));
    };
    let mut drawing = match &played.position {
        Some(after) if values => draw(game, Some(after), true, None)?,
        Some(after) => build(game)?.draw(Some(after))?,
        None => before.drawing.clone(),
    };
    drawing.mark_last_move(&played.trace);
    Ok(drawing)
}
