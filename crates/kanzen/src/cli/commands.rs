//! What the commands do.

use super::annotate;
use super::args::{
    Cli, Cluster, Command, Data, Exported, Far, Form, Game, Look, Serve, Share, Solve,
};
use super::cluster::Crew;
use super::output;
use super::progress::Show;
use super::screen::{self, Mode, Screen, Subject as Shown};
use super::{bench, cluster, export, graph, new, site, sweep, values};
use super::{pager, play};
use anyhow::{Context, Result, anyhow, bail};
use clap::CommandFactory;
use kanzen_analyse::{Finding, LineEnd};
use kanzen_cluster::Foresight;
use kanzen_core::{Drawing, Language, Outcome, Side, Trace, Verdict};
use kanzen_registry::{
    Answer, AnyGame, AnySolved, BestPlay, Book, Depth, Entry, Files, GameError, Proof,
    QUICK_SECONDS, RankReport, Registry, Shelf, Store, VerifiedShare, VerifyReport, Whole,
    table_name, table_path,
};
use kanzen_remote::Remote;
use kanzen_serve::Solvers;
use kanzen_show::board::{Board, exchange, film, lasting, marked, plain};
use kanzen_show::{Sheet, Speak, Worth, csv, fold, json as findings_json, move_words, text, units};
use kanzen_solve::{Job, Machines, Plan, SolveError};
use kanzen_study::lessons::lessons;
use kanzen_study::puzzle::{self, Puzzle, Wanted};
use kanzen_study::report::{self, Subject};
use kanzen_study::worth::{shown, shown_answer, shown_move};
use kanzen_study::{book, compare, find, record};
use serde_json::json;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use tracing::level_filters::LevelFilter;

/// Pixels of the longer side of a picture.
const PIXELS: u32 = 1024;

/// The columns of tables in a terminal.
const COLUMNS: usize = 100;

/// The columns of the names of kinds.
const KIND: usize = 16;

/// The columns of rules and lessons.
const TEXT: usize = 80;

/// The wish to stop.
pub(super) static CANCEL: AtomicBool = AtomicBool::new(false);

/// Runs a command.
pub fn run(registry: &Registry, cli: Cli) -> Result<ExitCode> {
    let mut out = anstream::stdout().lock();
    let out = &mut out;
    match cli.command {
        Command::Games { data, values: true, json } => values::list(registry, &data, json, out),
        Command::Games { data, values: false, json } => games(registry, &data, json, out),
        Command::Solve(options) => solve(registry, &options, out),
        Command::Cluster(options) => solve_together(registry, &options, out),
        Command::Sweep(options) => sweep::run(registry, &options, out),
        Command::Rules { game, language } => Chosen::new(registry, &game)?.rules(&language, out),
        Command::Probe { game, far, position, most, form, look } => {
            let chosen = Chosen::of(registry, &game, &far)?;
            match position.as_deref() {
                Some("-") => chosen.probe_lines(most, look, out),
                position if chosen.has_screen(form) => {
                    let solved = chosen.open()?;
                    let subject = chosen.shown(&*solved, look);
                    screen::run(Screen::new(subject, Mode::Probe, position)?)
                }
                position => chosen.probe(position, most, look, out),
            }
        }
        Command::Line { game, far, position, boards, film, look } => {
            let chosen = Chosen::of(registry, &game, &far)?;
            match film {
                Some(path) => chosen.film(position.as_deref(), &path, look, out),
                None => chosen.line(position.as_deref(), boards, look, out),
            }
        }
        Command::Stats { game, csv } => {
            let findings = Chosen::new(registry, &game)?.open()?.stats()?;
            if csv { print_csv(&findings, out) } else { print_findings(&findings, game.json, out) }
        }
        Command::Find { game, kind, most, csv } => {
            Chosen::new(registry, &game)?.find(kind.as_deref(), most, csv, out)
        }
        Command::Prove { game, position, most, look, to } => {
            let depth = Depth { most, look, book: to.is_some() };
            Chosen::new(registry, &game)?.prove(position.as_deref(), depth, to.as_deref(), out)
        }
        Command::Annotate { game, file, html, puzzles, language, look } => {
            let chosen = Chosen::new(registry, &game)?;
            let language = Language::of_tag(&language).unwrap_or_default();
            let form = match &html {
                Some(path) => {
                    annotate::Form::Page(path, chosen.entry.title.say(language), language)
                }
                None if puzzles => annotate::Form::Puzzles(game.json),
                None if game.json => annotate::Form::Json,
                None => annotate::Form::Text(!look.no_coordinates),
            };
            annotate::run(&*chosen.open()?, chosen.game.kit(), &file, &form, out)
        }
        Command::Puzzles { game, count, seed, solutions, form, look } => {
            let chosen = Chosen::new(registry, &game)?;
            let fastest = chosen.entry.learn.fastest;
            let wanted = Wanted { count: count.into(), seed, fastest };
            let solved = chosen.open()?;
            let all = puzzle::puzzles(&*solved, wanted, &chosen.progress())?;
            if chosen.has_screen(form) && !solutions && !all.is_empty() {
                let subject = chosen.shown(&*solved, look);
                return screen::run(Screen::new(subject, Mode::Puzzles { all, number: 0 }, None)?);
            }
            chosen.puzzles(&all, wanted, solutions, look, out)
        }
        Command::Compare { game, other, most } => compare(registry, &game, &other, most, out),
        Command::Report { game, to, language, site } => {
            Chosen::new(registry, &game)?.report(to.as_deref(), &language, &site, out)
        }
        Command::Rank { game, threads } => Chosen::new(registry, &game)?.rank(threads, out),
        Command::Verify { game, processes, share, sum } => {
            let chosen = Chosen::new(registry, &game)?;
            match share {
                Some(share) => chosen.verify_share(share, out),
                None if processes > 1 => chosen.verify_all(chosen.verified(processes)?, out),
                None if !sum.is_empty() => chosen.verify_all(read_shares(&sum)?, out),
                None => chosen.print_verified(&chosen.open()?.verify(&chosen.progress())?, out),
            }
        }
        Command::Export(Exported::Folder(folder)) => site::export(registry, &folder, out),
        Command::Export(Exported::Set(options)) => export::run(registry, &options, out),
        Command::Get { game, from } => {
            stop_at_interrupt()?;
            site::get(registry, &game, &from, out)
        }
        Command::Perft { game, depth, position } => {
            let nodes = Chosen::new(registry, &game)?.game.perft(position.as_deref(), depth)?;
            if game.json {
                writeln!(out, "{}", json!({ "depth": depth, "nodes": nodes }))?
            } else {
                writeln!(out, "{nodes}")?
            }
            Ok(ExitCode::SUCCESS)
        }
        Command::Check { game, samples, seed } => {
            Chosen::new(registry, &game)?.check(samples, seed, out)
        }
        Command::Draw { game, position, svg, png, values, mv, look } => {
            let chosen = Chosen::new(registry, &game)?;
            let drawing = chosen.draw(position.as_deref(), values, mv.as_deref())?;
            let coordinates = !look.no_coordinates;
            let document = || {
                let board = marked(&drawing, chosen.game.kit(), Language::English);
                Board { coordinates, ..board }.document().into_string()
            };
            if svg {
                write!(out, "{}", document())?
            } else if let Some(path) = png {
                let picture = kanzen_picture::png(&document(), PIXELS)?;
                std::fs::write(&path, picture).with_context(|| path.display().to_string())?;
            } else {
                write!(out, "{}", text(&drawing, coordinates))?
            }
            Ok(ExitCode::SUCCESS)
        }
        Command::Serve(options) => serve(registry, &options, out),
        Command::Play { game, far, position, against, side, seed, form, look } => {
            let chosen = Chosen::of(registry, &game, &far)?;
            let players = chosen.game.kit().parties.iter();
            let players = players.filter(|party| party.side != Side::Neutral).count();
            if usize::from(side) > players {
                bail!("--side {side}: {} has players 1 to {players}", game.name);
            }
            let solved = chosen.open()?;
            if chosen.has_screen(form) {
                let mode = Mode::Play { opponent: against, side: Side::of_number(side), seed };
                let subject = chosen.shown(&*solved, look);
                return screen::run(Screen::new(subject, mode, position.as_deref())?);
            }
            let kit = chosen.game.kit();
            let (opponent, coordinates) = (against, !look.no_coordinates);
            let table = play::Table { solved: &*solved, kit, opponent, side, seed, coordinates };
            table.play(position.as_deref(), &mut std::io::stdin().lock(), out)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Bench(given) => bench::run(registry, &given, out),
        Command::New { dir, kanzen } => new::new(&dir, kanzen.as_deref(), out),
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Cli::command(), "kanzen", out);
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

/// The directory of tables.
pub(super) fn directory(data: &Data) -> Result<PathBuf> {
    if let Some(dir) = &data.dir {
        return Ok(dir.clone());
    }
    crate::data_dir().context("there is no home directory: name a directory with --dir")
}

/// A game by its name and options, or by a graph file.
pub(super) fn find_game(
    registry: &Registry,
    given: &Game,
) -> Result<(&'static Entry, Box<dyn AnyGame>)> {
    if let Some(game) = graph::open(&given.name) {
        return Ok((&graph::ENTRY, game?));
    }
    let entry = registry.find(&given.name)?;
    Ok((entry, entry.build(&given.options)?))
}

/// A game with its options, and where its tables are.
struct Chosen<'a> {
    given: &'a Game,
    entry: &'static Entry,
    game: Box<dyn AnyGame>,
    dir: PathBuf,
    /// The folder on a server that is asked instead.
    remote: Option<Remote>,
}

impl<'a> Chosen<'a> {
    fn new(registry: &Registry, given: &'a Game) -> Result<Chosen<'a>> {
        let (entry, game) = find_game(registry, given)?;
        Ok(Chosen { given, entry, game, dir: directory(&given.data)?, remote: None })
    }

    /// The same with a table that may be on a server.
    fn of(registry: &Registry, given: &'a Game, far: &Far) -> Result<Chosen<'a>> {
        let chosen = Chosen::new(registry, given)?;
        let remote = site::remote(far, &chosen.dir)?;
        Ok(Chosen { remote, ..chosen })
    }

    fn open(&self) -> Result<Box<dyn AnySolved>> {
        let Some(remote) = &self.remote else { return Ok(self.game.open(&self.dir)?) };
        remote.listed(&table_name(&self.game.identity()))?;
        Ok(self.game.open_from(remote)?)
    }

    fn progress(&self) -> Show {
        Show::new(self.entry.name)
    }

    /// Whether the answer is a screen and not lines.
    fn has_screen(&self, form: Form) -> bool {
        !form.plain && !self.given.json && screen::is_there()
    }

    /// What a screen is about.
    fn shown<'s>(&self, solved: &'s dyn AnySolved, look: Look) -> Shown<'s> {
        Shown {
            title: self.entry.title.en,
            solved,
            kit: self.game.kit(),
            fastest: self.entry.learn.fastest,
            coordinates: !look.no_coordinates,
        }
    }
}

/// What is said before a number of positions that is only a guess.
fn perhaps(plan: &Plan) -> &'static str {
    if plan.guessed { "perhaps " } else { "" }
}

fn games(registry: &Registry, data: &Data, json: bool, out: &mut impl Write) -> Result<ExitCode> {
    let dir = directory(data)?;
    let width = registry.entries().map(|entry| entry.name.len()).max().unwrap_or(0);
    for entry in registry.entries() {
        let game = entry.build(&[])?;
        let plan = game.plan(0);
        let solved = table_path(&dir, &game.identity()).exists();
        if json {
            let options = entry.options.iter().map(|option| {
                json!({ "name": option.name, "values": option.values, "help": option.help.en })
            });
            let facts = json!({
                "game": entry.name, "title": entry.title.en, "rules": entry.rules.en, "start": game.start(), "plan": plan,
                "solved": solved, "options": options.collect::<Vec<_>>(),
            });
            writeln!(out, "{facts}")?;
            continue;
        }
        let mut put = |name: &str, text: &str| {
            writeln!(out, "{name:<width$} {}", pager::flow(text, width + 1))
        };
        put(entry.name, entry.title.en)?;
        put("", first_sentence(entry.rules.en))?;
        let needs = format!(
            "{}{} indices, {} of memory, {}; {}",
            perhaps(&plan),
            units::grouped(plan.positions),
            units::bytes(plan.memory),
            units::seconds(plan.seconds, Language::English),
            if solved { "solved" } else { "not solved yet" },
        );
        put("", &needs)?;
        for option in entry.options {
            let values = option.values.join("|");
            put("", &format!("-o {}={values}: {}", option.name, option.help.en))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The beginning of a text, up to its first full stop.
fn first_sentence(text: &str) -> &str {
    text.find(". ").map_or(text, |end| &text[..=end])
}

fn serve(registry: &Registry, options: &Serve, out: &mut impl Write) -> Result<ExitCode> {
    let dir = directory(&options.data)?;
    let remote = site::remote(&options.far, &dir)?;
    let config = kanzen_serve::Config {
        registry: registry.clone(),
        dir,
        from: remote.map(|remote| Arc::new(remote) as Arc<dyn Shelf>),
        host: options.host.clone(),
        port: options.port,
        solve_quick: options.solve.is_some(),
        solvers: match &*options.solvers {
            "all" => Solvers::All,
            "local" => Solvers::Local,
            _ => Solvers::Nobody,
        },
        memory: options.memory,
    };
    stop_at_interrupt()?;
    let level: LevelFilter = options.log.parse()?;
    // Whoever uses this as a library may have set up a log before.
    let _ = tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_max_level(level)
        .with_ansi(false)
        .try_init();
    kanzen_serve::run(&config, &CANCEL, |address| {
        // Whoever does not read this may still use the server.
        let _ = writeln!(out, "Kanzen is at http://{address}/ (Ctrl-C ends it)");
        let _ = out.flush();
    })
    .with_context(|| format!("cannot listen at {}:{}", config.host, config.port))?;
    Ok(ExitCode::SUCCESS)
}

/// Lets Ctrl-C set the wish to stop, quietly.
pub(super) fn stop_at_interrupt() -> Result<()> {
    at_interrupt(|| ())
}

/// Lets the first interrupt set the wish to stop and do something; the second stops at once.
fn at_interrupt(first: impl Fn() + Send + 'static) -> Result<()> {
    let set = ctrlc::set_handler(move || {
        if CANCEL.swap(true, Relaxed) {
            std::process::exit(output::INTERRUPTED.into());
        }
        first();
    });
    set.map_err(|error| match error {
        ctrlc::Error::System(error) => {
            anyhow!(
                "cannot start the thread that waits for Ctrl-C, maybe for want of memory: {error}"
            )
        }
        error => error.into(),
    })
}

fn solve(registry: &Registry, options: &Solve, out: &mut impl Write) -> Result<ExitCode> {
    catch_interrupts()?;
    if options.game.name != "quick" {
        let (entry, game) = find_game(registry, &options.game)?;
        return solve_one(entry.name, &*game, options, None, out);
    }
    for entry in registry.entries() {
        let game = entry.build(&[])?;
        if game.plan(options.threads).seconds < QUICK_SECONDS {
            solve_one(entry.name, &*game, options, None, out)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Solves a game together with other hosts.
fn solve_together(
    registry: &Registry,
    options: &Cluster,
    out: &mut impl Write,
) -> Result<ExitCode> {
    catch_interrupts()?;
    let (entry, game) = find_game(registry, &options.solve.game)?;
    if options.solve.processes > 1 {
        bail!("--processes is for one machine; the hosts file tells the processes of several");
    }
    let cluster = cluster::of_hosts(options)?;
    solve_one(entry.name, &*game, &options.solve, Some(&cluster), out)
}

fn solve_one(
    name: &str,
    game: &dyn AnyGame,
    options: &Solve,
    machines: Option<&kanzen_cluster::Cluster>,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let dir = directory(&options.game.data)?;
    let path = table_path(&dir, &game.identity());
    if options.estimate && options.processes > 1 {
        return foresee(name, game, options, &dir, out);
    }
    if options.estimate {
        let plan = game.plan(options.threads);
        let least = match plan.least {
            least if least < plan.memory => format!(" (or {})", units::bytes(least)),
            _ => String::new(),
        };
        if options.game.json {
            writeln!(out, "{}", serde_json::to_string(&plan)?)?
        } else {
            writeln!(
                out,
                "{name}: {}{} indices, {} of memory{least}, {} on disk, {}",
                perhaps(&plan),
                units::grouped(plan.positions),
                units::bytes(plan.memory),
                units::bytes(plan.disk),
                units::seconds(plan.seconds, Language::English),
            )?
        }
        return Ok(ExitCode::SUCCESS);
    }
    let store = Store::choose(game, options.store)?;
    let processes = usize::from(options.processes);
    alone_unless(name, machines.is_none() && processes == 1 || game.spreads())?;
    let first = machines.is_none_or(|machines| machines.index() == 0);
    let files = Files::new(&dir, game.identity());
    if first && path.exists() && !options.again {
        let opened = game.open(&dir);
        let whole = opened.and_then(|solved| Ok(files.open()?.check_blocks().map(|()| solved)?));
        let stored = whole.map_err(|error| anyhow!("{error} (--again solves it anew)"))?.store();
        if options.store.is_some() && stored != store {
            let (stored, store) = (stored.name(), store.name());
            bail!("{} holds '{stored}', not '{store}': --again solves anew", path.display());
        }
        if options.game.json {
            writeln!(out, "{}", json!({ "game": name, "table": path, "solved": true }))?
        } else {
            let path = path.display();
            writeln!(out, "{name}: solved already, in {path} (--again solves it anew)")?;
        }
        // A solve that was ended after its table was complete leaves what nobody needs any more.
        if files.has_leftovers()
            && let Err(error) = files.discard_checkpoint()
        {
            tell!("{name}: an unfinished solve has left files: {error}");
        }
        return Ok(ExitCode::SUCCESS);
    }
    if first && options.again {
        files.discard_checkpoint()?;
    }
    let usual = Job::default();
    let mut threads = options.threads;
    let mut crew = None;
    if processes > 1 {
        threads = (usual.thread_count() / processes).max(1);
        threads = if options.threads == 0 { threads } else { options.threads };
        crew = Some(Crew::start(processes, threads, &options.game, &dir)?);
    }
    let machines = machines.or(crew.as_ref().map(|crew| &crew.cluster));
    let job = Job {
        threads,
        memory: options.memory.unwrap_or(usual.memory),
        level: options.level,
        interval: Duration::from_secs(options.checkpoint),
        cancel: &CANCEL,
        progress: &Show::new(name),
        machines: machines.map(|machines| machines as &dyn Machines),
    };
    let (report, seconds) = match record::solve(game, &dir, Some(store), &job) {
        Err(GameError::Solve(SolveError::Elsewhere)) => {
            writeln!(out, "{name}: done; the host with index 0 writes the table")?;
            return Ok(ExitCode::SUCCESS);
        }
        solved => solved?,
    };
    let hosts = machines.map(|machines| machines.figures()).unwrap_or_default();
    crew.map_or(Ok(()), Crew::join)?;
    if options.game.json {
        let mut facts = json!({
            "game": name, "table": report.table, "bytes": report.bytes,
            "seconds": seconds, "start": report.start,
        });
        if !hosts.is_empty() {
            facts["hosts"] = json!(hosts);
        }
        writeln!(out, "{facts}")?;
    } else {
        for host in &hosts {
            let rate = host.positions as f64 / host.seconds.max(0.001) / 1e6;
            let sent = units::bytes(host.bytes);
            tell!(
                "host {}: {rate:.1} million positions/s, {sent} sent, {:.1} s of {:.1} s waited",
                host.host,
                host.waited,
                host.seconds
            );
        }
        writeln!(
            out,
            "{name}: the start is a {}; solved in {seconds:.1} s, {} in {}",
            report.start,
            units::bytes(report.bytes),
            report.table.display()
        )?
    }
    Ok(ExitCode::SUCCESS)
}

/// Says what each of several processes will take.
fn foresee(
    name: &str,
    game: &dyn AnyGame,
    options: &Solve,
    dir: &Path,
    out: &mut impl Write,
) -> Result<ExitCode> {
    alone_unless(name, game.spreads())?;
    let usual = Job::default();
    let processes = usize::from(options.processes);
    let foresight = Foresight::new(processes);
    let threads = match options.threads {
        0 => (usual.thread_count() / processes).max(1),
        threads => threads,
    };
    let job = Job { threads, machines: Some(&foresight), ..usual };
    match game.solve(dir, None, &job) {
        Ok(_) | Err(GameError::Solve(SolveError::Elsewhere)) => {}
        Err(error) => return Err(error.into()),
    }
    let forecast = foresight.forecast();
    if options.game.json {
        writeln!(out, "{}", serde_json::to_string(&forecast)?)?;
    } else {
        writeln!(
            out,
            "{name}: {} indices; each of {processes} processes: {} without the table (one alone {}), {} of memory, {} sent ({:.0} % of {} million moves lead to another process)",
            units::grouped(forecast.positions),
            units::seconds(forecast.seconds, Language::English),
            units::seconds(forecast.alone, Language::English),
            units::bytes(forecast.memory as u64),
            units::bytes(forecast.bytes as u64),
            100.0 * forecast.crossing,
            ((forecast.events + forecast.links) / 1e6).round(),
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses to spread a game that cannot be.
fn alone_unless(name: &str, spreads: bool) -> Result<()> {
    if !spreads {
        bail!(
            "{name}, with these options, is solved on one machine alone, by an engine of its own"
        );
    }
    Ok(())
}

/// The first interrupt asks the solve to stop with a checkpoint, the second stops at once.
pub(super) fn catch_interrupts() -> Result<()> {
    at_interrupt(|| tell!("\nstopping after this round, with a checkpoint (again to stop at once)"))
}

/// What was found in shares of a table, from files.
fn read_shares(files: &[PathBuf]) -> Result<Vec<VerifiedShare>> {
    let read = |path: &PathBuf| -> Result<VerifiedShare> {
        Ok(serde_json::from_slice(&std::fs::read(path)?)?)
    };
    files.iter().map(|path| read(path).with_context(|| path.display().to_string())).collect()
}

impl Chosen<'_> {
    /// Writes what a newcomer has to know, with the width of a terminal.
    fn rules(&self, language: &str, out: &mut impl Write) -> Result<ExitCode> {
        let language = Language::of_tag(language).unwrap_or_default();
        let (entry, learn) = (self.entry, &self.entry.learn);
        let start = self.game.look(None)?;
        let lessons = lessons(entry, &*self.game);
        if self.given.json {
            let facts = json!({
                "game": entry.name, "title": entry.title, "rules": entry.rules,
                "moves": learn.moves, "positions": learn.positions, "known": learn.known,
                "start": start.position, "lessons": lessons,
            });
            writeln!(out, "{facts}")?;
            return Ok(ExitCode::SUCCESS);
        }
        let words = language.phrases();
        writeln!(out, "{}\n", entry.title.say(language))?;
        write!(out, "{}", text(&start.drawing, true))?;
        writeln!(out, "\n{}", fold(entry.rules.say(language), TEXT))?;
        if let Some(chosen) = entry.options(&self.given.options)?.said(language) {
            writeln!(out, "{}", fold(&chosen, TEXT))?;
        }
        let board = plain(&start.drawing, self.game.kit(), false, language, String::new());
        writeln!(out, "\n{}", words.how_moves)?;
        if !learn.moves.say(language).is_empty() {
            writeln!(out, "{}", fold(learn.moves.say(language), TEXT))?;
        }
        for mv in start.moves.iter().take(3) {
            writeln!(out, "  {:<16} {}", mv.name, move_words(&board, &mv.trace, &mv.gesture))?;
        }
        writeln!(out, "\n{}", words.how_positions)?;
        if !learn.positions.say(language).is_empty() {
            writeln!(out, "{}", fold(learn.positions.say(language), TEXT))?;
        }
        writeln!(out, "  {} {}", words.the_start_is, start.position)?;
        if !learn.known.say(language).is_empty() {
            writeln!(out, "\n{}\n{}", words.known, fold(learn.known.say(language), TEXT))?;
        }
        writeln!(out, "\n{}", words.lessons)?;
        for (number, lesson) in (1..).zip(&lessons) {
            let task = fold(lesson.task.say(language), TEXT - 5).replace('\n', "\n     ");
            writeln!(out, "{number:>3}. {}\n     {task}", lesson.position)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn probe(
        &self,
        position: Option<&str>,
        most: usize,
        look: Look,
        out: &mut impl Write,
    ) -> Result<ExitCode> {
        match self.open()?.probe(position) {
            Ok(answer) => self.print_answer(&answer, most, look, out)?,
            Err(error) if self.given.json => {
                writeln!(out, "{}", unreadable(position.unwrap_or_default(), &error))?;
                return Ok(ExitCode::FAILURE);
            }
            Err(error) => return Err(error.into()),
        }
        Ok(ExitCode::SUCCESS)
    }

    fn probe_lines(&self, most: usize, look: Look, out: &mut impl Write) -> Result<ExitCode> {
        let solved = self.open()?;
        let mut out = std::io::BufWriter::new(out);
        let mut code = ExitCode::SUCCESS;
        for line in std::io::stdin().lock().split(b'\n') {
            // Bytes that are no text make no position, and the lines after them are read all the same.
            let line = line.context("standard input")?;
            let line = String::from_utf8_lossy(&line);
            let position = line.trim();
            if position.is_empty() {
                continue;
            }
            match solved.probe(Some(position)) {
                Ok(answer) => self.print_answer(&answer, most, look, &mut out)?,
                Err(error) => {
                    code = ExitCode::FAILURE;
                    if self.given.json {
                        writeln!(out, "{}", unreadable(position, &error))?
                    } else {
                        writeln!(out, "{position}: error: {error}")?
                    }
                }
            }
        }
        out.flush()?;
        Ok(code)
    }

    fn line(
        &self,
        position: Option<&str>,
        boards: bool,
        look: Look,
        out: &mut impl Write,
    ) -> Result<ExitCode> {
        let line = self.open()?.line(position)?;
        if self.given.json {
            writeln!(out, "{}", serde_json::to_string(&line)?)?;
            return Ok(ExitCode::SUCCESS);
        }
        let kit = self.game.kit();
        let mut drawing = self.game.draw(Some(&line.position))?;
        // Players keep their names, also where the side to move is always the first.
        let mut exchanged = false;
        let value = line.value.map(|value| Verdict { value, plies: line.plies });
        let turn = drawing.turn.unwrap_or(Side::One);
        let worth = shown(kit, turn, value, line.best_play.as_ref());
        writeln!(out, "{}: {}", line.position, said(worth, line.best_play.as_ref()))?;
        for (ply, mv) in line.moves.iter().enumerate() {
            let turn = drawing.turn.unwrap_or(Side::One);
            let mover = lasting(turn, exchanged);
            let worth = shown_move(kit, mover, mv);
            let (number, position) = (ply + 1, mv.position.as_deref().unwrap_or(""));
            let value = said(worth, mv.best_play.as_ref());
            let name = kit.party(mover).name.en;
            let played = format!("{name} {}", mv.name);
            writeln!(out, "{number:>4}. {played:<22} {position}  {value}")?;
            let Some(position) = &mv.position else { break };
            drawing = self.game.draw(Some(position))?;
            exchanged = mv.exchanges(exchanged, &drawing);
            if boards {
                let mut board = drawing.clone();
                if exchanged {
                    board = exchange(&board, kit);
                }
                board.mark_last_move(&mv.trace);
                writeln!(out, "{}", text(&board, !look.no_coordinates))?;
            }
        }
        let end = match line.end {
            LineEnd::Over => "the game is over",
            LineEnd::Repeats => "a position comes back",
            LineEnd::Unknown => "from here on nobody knows which move is best",
        };
        writeln!(out, "{end}")?;
        Ok(ExitCode::SUCCESS)
    }

    /// Writes the best line as a moving picture.
    fn film(
        &self,
        position: Option<&str>,
        path: &Path,
        look: Look,
        out: &mut impl Write,
    ) -> Result<ExitCode> {
        let line = self.open()?.line(position)?;
        let mut drawings = vec![(self.game.draw(Some(&line.position))?, None, false)];
        let mut exchanged = false;
        for mv in &line.moves {
            let drawing = match (&mv.position, &mv.end) {
                (Some(position), _) => self.game.draw(Some(position))?,
                (None, Some(end)) => end.clone(),
                (None, None) => break,
            };
            let arrow = mv.trace.from.zip(mv.trace.to).filter(|(from, to)| from != to);
            exchanged = mv.exchanges(exchanged, &drawing);
            drawings.push((drawing, arrow, exchanged));
        }
        let boards = drawings.iter().map(|(drawing, arrow, exchanged)| {
            let kit = self.game.kit();
            let board = plain(drawing, kit, *exchanged, Language::English, String::new());
            Board { arrow: *arrow, coordinates: !look.no_coordinates, ..board }
        });
        let film = film(&boards.collect::<Vec<_>>(), 1.0).into_string();
        std::fs::write(path, film).with_context(|| path.display().to_string())?;
        writeln!(out, "{}: {} boards", path.display(), drawings.len())?;
        Ok(ExitCode::SUCCESS)
    }

    /// Finds what is of a kind; without one, lists the kinds there are.
    fn find(
        &self,
        kind: Option<&str>,
        most: usize,
        as_csv: bool,
        out: &mut impl Write,
    ) -> Result<ExitCode> {
        let solved = self.open()?;
        if let Some(kind) = kind {
            let findings = find::find(&*solved, kind, most, &self.progress())?;
            return if as_csv {
                print_csv(&findings, out)
            } else {
                print_findings(&findings, self.given.json, out)
            };
        }
        let mut listed = String::new();
        for kind in find::kinds(&*solved) {
            if self.given.json {
                writeln!(out, "{}", json!({ "kind": kind.name, "about": kind.about.en }))?;
            } else {
                let about = fold(kind.about.en, pager::columns(COLUMNS) - KIND - 1);
                let indent = format!("\n{:KIND$} ", "");
                listed += &format!("{:<KIND$} {}\n", kind.name, about.replace('\n', &indent));
            }
        }
        pager::print(&listed, out)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Writes the pages of a book: `book.html`, and beside it `book-1.html` and so on if there are many.
    fn save_book(&self, path: &Path, proof: &Proof, book: &Book) -> Result<()> {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = |page: usize| match page {
            0 => format!("{stem}.html"),
            page => format!("{stem}-{page}.html"),
        };
        let pages = book::html(proof, book, self.entry.title.en, self.game.kit(), &name);
        for (number, page) in pages.iter().enumerate() {
            output::save(&path.with_file_name(name(number)), page)?;
        }
        Ok(())
    }

    fn prove(
        &self,
        position: Option<&str>,
        depth: Depth,
        to: Option<&Path>,
        out: &mut impl Write,
    ) -> Result<ExitCode> {
        if let Some(path) = to {
            output::may_save(path, &["json", "dot", "html"])?;
        }
        let solved = self.open()?;
        let Some(whole) = solved.whole() else { bail!("{} has no proofs", self.entry.name) };
        let proof = whole.prove(position, depth, &self.progress())?;
        if let (Some(path), Some(book)) = (to, &proof.book) {
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("json") => output::save(path, &serde_json::to_string(&proof)?)?,
                Some("dot") => output::save(path, &book::dot(&proof, book))?,
                _ => self.save_book(path, &proof, book)?,
            }
        }
        if self.given.json {
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
        let (which, least) = if size.winner_to_move == size.at_least {
            ("the smallest strategy", String::new())
        } else {
            ("a strategy", format!("; every strategy has at least {}", size.at_least))
        };
        let strategy = format!(
            "{which}: {} answers, for all of the winner's positions up to symmetry but {rest}{least}",
            size.winner_to_move
        );
        writeln!(out, "{}", pager::flow(&strategy, 0))?;
        Ok(ExitCode::SUCCESS)
    }

    fn puzzles(
        &self,
        puzzles: &[Puzzle],
        wanted: Wanted,
        solutions: bool,
        look: Look,
        out: &mut impl Write,
    ) -> Result<ExitCode> {
        for (number, puzzle) in (1..).zip(puzzles) {
            if self.given.json {
                writeln!(out, "{}", serde_json::to_string(puzzle)?)?;
                continue;
            }
            writeln!(out, "{number}. {}\n   {}", task(puzzle), puzzle.position)?;
            write!(out, "{}", text(&puzzle.drawing, !look.no_coordinates))?;
            if solutions {
                writeln!(out, "   solution: {}", puzzle.solution.join(" "))?;
            }
            writeln!(out)?;
        }
        if puzzles.len() < wanted.count {
            let (found, wanted) = (puzzles.len(), wanted.count);
            tell!("{}: {found} of {wanted}: no more such positions were found", self.entry.name);
        }
        Ok(ExitCode::SUCCESS)
    }

    fn report(
        &self,
        to: Option<&Path>,
        language: &str,
        site: &str,
        out: &mut impl Write,
    ) -> Result<ExitCode> {
        if let Some(path) = to {
            output::may_save(path, &["html", "md", "tex"])?;
        }
        let solved = self.open()?;
        let subject = Subject {
            entry: self.entry,
            options: &self.entry.options(&self.given.options)?,
            game: &*self.game,
            solved: &*solved,
            made: record::read(&table_path(&self.dir, &self.game.identity())),
            other: &|options| self.entry.build(options)?.open(&self.dir),
            quick: false,
        };
        let language = Language::of_tag(language).unwrap_or_default();
        let report = report::Report::new(&subject, language, &self.progress())?;
        let (claims, agree) = report.score();
        let (article, site) = (&report.article, site.trim_end_matches('/'));
        match to {
            Some(path) => {
                let ending = path.extension().and_then(|ending| ending.to_str());
                let text = match ending {
                    Some("html") => article.html(language, site),
                    Some("tex") => article.latex(language, site),
                    _ => article.markdown(language, site),
                };
                output::save(path, &text)?;
            }
            None if self.given.json => {}
            None => write!(out, "{}", article.markdown(language, site))?,
        }
        if self.given.json {
            writeln!(out, "{}", report.json())?;
        }
        if claims > 0 {
            tell!("{}: {agree} of {claims} claims agree", self.entry.name);
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Ranks the draws, and writes them into a table of their own.
    fn rank(&self, threads: usize, out: &mut impl Write) -> Result<ExitCode> {
        let progress = self.progress();
        let job = Job { threads, progress: &progress, ..Job::default() };
        let report = self.game.rank_draws(&self.dir, &job)?;
        if self.given.json {
            writeln!(out, "{}", serde_json::to_string(&report)?)?;
            return Ok(ExitCode::SUCCESS);
        }
        let RankReport { table, bytes, draws, pressing, pressed } = report;
        let ranked = format!(
            "{}: {draws} draws; the side to move presses in {pressing}, is pressed in {pressed}, \
             and neither in {}; {} in {}",
            self.entry.name,
            draws - pressing - pressed,
            units::bytes(bytes),
            table.display()
        );
        writeln!(out, "{}", pager::flow(&ranked, 0))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Checks a share of the table.
    fn verify_share(&self, share: Share, out: &mut impl Write) -> Result<ExitCode> {
        let solved = self.open()?;
        let found = self.whole(&*solved)?.verify_share(share.number, share.of, &self.progress())?;
        writeln!(out, "{}", serde_json::to_string(&found)?)?;
        Ok(if found.wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// What processes that this one starts find in a share each.
    fn verified(&self, processes: u16) -> Result<Vec<VerifiedShare>> {
        self.whole(&*self.open()?)?;
        let threads = (Job::default().thread_count() / usize::from(processes)).max(1);
        let start = |number: u16| {
            let mut command = std::process::Command::new(std::env::current_exe()?);
            command.args(["verify", &self.given.name, "--share", &format!("{number}/{processes}")]);
            self.given.options.iter().for_each(|option| {
                command.args(["-o", option]);
            });
            command.arg("--dir").arg(&self.dir).env("RAYON_NUM_THREADS", threads.to_string());
            // The first shows the progress for all.
            let errors = if number == 1 { Stdio::inherit() } else { Stdio::piped() };
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(errors).spawn()
        };
        let all: Vec<Child> = (1..=processes)
            .map(start)
            .collect::<Result<_, _>>()
            .context("cannot start a process")?;
        let found = all.into_iter().map(|child| {
            let output = child.wait_with_output()?;
            serde_json::from_slice(&output.stdout).with_context(|| {
                let said = String::from_utf8_lossy(&output.stderr);
                format!("a process has failed: {}, {said}", output.status)
            })
        });
        found.collect()
    }

    /// Says what was found in all shares.
    fn verify_all(&self, shares: Vec<VerifiedShare>, out: &mut impl Write) -> Result<ExitCode> {
        let mut numbers: Vec<(u64, u64)> = shares.iter().map(|found| found.share).collect();
        numbers.sort_unstable();
        let count = numbers.len() as u64;
        if !numbers.iter().copied().eq((0..count).map(|number| (number, count))) {
            let names: Vec<String> =
                numbers.iter().map(|(number, of)| format!("{}/{of}", number + 1)).collect();
            bail!("these are the shares {}, not all of one division", names.join(" "));
        }
        let solved = self.open()?;
        self.print_verified(&self.whole(&*solved)?.sum_up(shares), out)
    }

    fn whole<'s>(&self, solved: &'s dyn AnySolved) -> Result<&'s dyn Whole> {
        let name = self.entry.name;
        solved.whole().with_context(|| format!("{name} is checked by one process alone"))
    }

    fn print_verified(&self, report: &VerifyReport, out: &mut impl Write) -> Result<ExitCode> {
        if self.given.json {
            writeln!(out, "{}", serde_json::to_string(&report)?)?
        } else {
            for problem in &report.problems {
                writeln!(out, "{problem}")?;
            }
            if let Some(draws) = report.draws {
                writeln!(out, "{draws} ranks of draws checked")?;
            }
            writeln!(out, "{} positions checked, {} wrong", report.positions, report.wrong)?;
        }
        Ok(if report.passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn check(&self, samples: u64, seed: u64, out: &mut impl Write) -> Result<ExitCode> {
        let flaws = self.game.check(samples, seed);
        for flaw in &flaws {
            let (test, position, problem) = (flaw.test, &flaw.position, &flaw.problem);
            if self.given.json {
                let facts = json!({ "test": test, "position": position, "problem": problem });
                writeln!(out, "{facts}")?;
            } else {
                writeln!(out, "{test}: {problem}\n    at {position}")?
            }
        }
        if flaws.is_empty() && !self.given.json {
            writeln!(out, "{}: {samples} positions, nothing found", self.entry.name)?;
        }
        Ok(if flaws.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn draw(&self, position: Option<&str>, values: bool, mv: Option<&str>) -> Result<Drawing> {
        let Some(mv) = mv else {
            if !values {
                return Ok(self.game.draw(position)?);
            }
            let answer = self.open()?.probe(position)?;
            let mut drawing = answer.drawing.clone();
            drawing.mark_values(judged(&answer));
            return Ok(drawing);
        };
        let before = self.open()?.probe(position)?;
        let Some(played) = before.moves.iter().find(|answer| answer.name == mv) else {
            let names: Vec<&str> = before.moves.iter().take(30).map(|mv| &*mv.name).collect();
            bail!("'{mv}' is not a move of {}: there are {}", before.position, names.join(" "));
        };
        let mut drawing = match &played.position {
            Some(after) if values => self.draw(Some(after), true, None)?,
            Some(after) => self.game.draw(Some(after))?,
            None => before.drawing.clone(),
        };
        drawing.mark_last_move(&played.trace);
        Ok(drawing)
    }
}

fn unreadable(position: &str, error: &GameError) -> serde_json::Value {
    json!({ "position": position, "error": error.to_string() })
}

impl Chosen<'_> {
    fn print_answer(
        &self,
        answer: &Answer,
        most: usize,
        look: Look,
        out: &mut impl Write,
    ) -> Result<()> {
        if self.given.json {
            writeln!(out, "{}", serde_json::to_string(answer)?)?;
            return Ok(());
        }
        let kit = self.game.kit();
        let mut drawing = answer.drawing.clone();
        drawing.mark_values(judged(answer));
        write!(out, "{}", text(&drawing, !look.no_coordinates))?;
        let value = said(shown_answer(kit, answer), answer.best_play.as_ref());
        if answer.moves.is_empty() {
            writeln!(out, "{}: {value}", answer.position)?;
        } else {
            let mover = Language::English.to_move(kit.party(answer.turn()).name);
            writeln!(out, "{}: {mover}, {value}", answer.position)?;
        }
        for mv in answer.moves.iter().take(most) {
            let worth = shown_move(kit, answer.turn(), mv);
            writeln!(out, "  {:<16} {}", mv.name, said(worth, mv.best_play.as_ref()))?;
        }
        if answer.moves.len() > most {
            writeln!(out, "  and {} more moves (--most N shows more)", answer.moves.len() - most)?;
        }
        Ok(())
    }
}

/// What a puzzle asks for, and how hard it is.
pub(super) fn task(puzzle: &Puzzle) -> String {
    let task = match (puzzle.goal.value, puzzle.goal.plies) {
        (Outcome::Win, Some(_)) => format!("win in {} moves", puzzle.features.moves),
        (Outcome::Win, None) => "find the only move that wins".to_owned(),
        _ => "save the draw".to_owned(),
    };
    format!("{task} ({})", puzzle.grade.word())
}

/// A value in words: who wins, and when.
pub(super) fn in_words(worth: Worth, best_play: Option<&BestPlay>) -> String {
    match best_play {
        Some(best_play) => best_play.to_string(),
        None => worth.words(Language::English),
    }
}

/// A value in words and colour.
pub(super) fn said(worth: Worth, best_play: Option<&BestPlay>) -> String {
    let words = in_words(worth, best_play);
    output::coloured(worth.verdict.map(|verdict| verdict.value), &words)
}

/// The moves of an answer with values for two players.
pub(super) fn judged(answer: &Answer) -> impl Iterator<Item = (&Trace, Verdict)> {
    let two = answer.moves.iter().filter(|mv| mv.best_play.is_none());
    two.filter_map(|mv| Some((&mv.trace, mv.verdict()?)))
}

fn print_findings(findings: &[Finding], json: bool, out: &mut impl Write) -> Result<ExitCode> {
    if json {
        writeln!(out, "{}", findings_json(findings))?
    } else {
        let language = Language::English;
        let sheets = findings.iter().map(|finding| {
            Sheet::new(finding, language).text_within(language, pager::columns(COLUMNS))
        });
        pager::print(&sheets.collect::<Vec<_>>().join("\n"), out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_csv(findings: &[Finding], out: &mut impl Write) -> Result<ExitCode> {
    let sheets: Vec<String> = findings.iter().map(csv).collect();
    write!(out, "{}", sheets.join("\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn compare(
    registry: &Registry,
    game: &Game,
    other: &[String],
    most: usize,
    out: &mut impl Write,
) -> Result<ExitCode> {
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
    let label = |game: &Game| {
        if game.options.is_empty() {
            game.name.clone()
        } else {
            format!("{} {}", game.name, game.options.join(" "))
        }
    };
    let names = [label(game), label(&second)];
    let solved = [Chosen::new(registry, game)?.open()?, Chosen::new(registry, &second)?.open()?];
    let findings = compare::compare(
        [&names[0], &names[1]],
        [&*solved[0], &*solved[1]],
        most,
        &Show::new(&game.name),
    )?;
    print_findings(&findings, game.json, out)
}
