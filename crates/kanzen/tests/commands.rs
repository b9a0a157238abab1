//! The program as its users meet it: commands, JSON, errors, interrupts.

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The program with a data directory of its own.
fn kanzen(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kanzen"));
    command.env("KANZEN_DIR", dir).args(arguments);
    command
}

fn stdout(dir: &Path, arguments: &[&str]) -> String {
    let output = kanzen(dir, arguments).assert().success();
    String::from_utf8(output.get_output().stdout.clone()).unwrap()
}

fn json(dir: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(dir, arguments)).unwrap()
}

/// Expects a failure, and returns what it says on standard error.
fn error(dir: &Path, arguments: &[&str]) -> String {
    let output = kanzen(dir, arguments).assert().failure();
    let error = String::from_utf8(output.get_output().stderr.clone()).unwrap();
    assert!(!error.contains("panicked"), "{error}");
    error
}

/// A small game, solved.
fn solved() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    stdout(dir.path(), &["solve", "simpei", "-o", "pieces=3"]);
    stdout(dir.path(), &["solve", "mutorere"]);
    dir
}

const SMALL: [&str; 3] = ["simpei", "-o", "pieces=3"];

fn small<'a>(command: &'a str, rest: &[&'a str]) -> Vec<&'a str> {
    [&[command], &SMALL[..], rest].concat()
}

#[test]
fn the_way_from_solve_to_verify() {
    let dir = solved();
    let dir = dir.path();
    let again = stdout(dir, &small("solve", &[]));
    assert!(again.contains("solved already"), "{again}");
    assert_eq!(json(dir, &small("verify", &["--json"]))["passed"], true);
    let stats = json(dir, &small("stats", &["--json"]));
    // In the order of play, then all of them.
    let tiers: Vec<&Value> = stats["tiers"].as_array().unwrap().iter().collect();
    assert_eq!(tiers.len(), 8);
    assert_eq!((&tiers[0]["tier"], &tiers[7]["tier"]), (&"0 pieces".into(), &"all".into()));
    assert_eq!(tiers[6]["tier"], "6 pieces");
    assert_eq!(tiers[6]["positions"], 444_336);
    assert!(stdout(dir, &small("stats", &["--csv"])).starts_with("tier,positions,wins"));
    assert!(stdout(dir, &small("find", &["longest"])).contains("longest wins"));
    assert!(stdout(dir, &small("check", &[])).contains("nothing found"));
    assert_eq!(stdout(dir, &["perft", "simpei", "3"]), "19744\n");
    let games = stdout(dir, &["games"]);
    assert!(games.contains("mutorere") && games.contains("solved"), "{games}");
    let plan = json(dir, &["solve", "simpei", "--estimate", "--json"]);
    assert!(plan["memory"].as_u64().unwrap() > 0 && plan["positions"] == 12_997_166);
}

#[test]
fn probe_speaks_json_a_line_a_position() {
    let dir = solved();
    let dir = dir.path();
    let start = json(dir, &small("probe", &["--json"]));
    assert_eq!(start["position"], "0000-0200-0000-0000/000-000-000");
    let moves = start["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 24);
    for key in ["move", "position", "value", "plies"] {
        assert!(moves[0].get(key).is_some(), "{key}");
    }
    // A move is worth to its mover what the child is worth to the other, one ply later.
    for mv in moves {
        let child = json(dir, &small("probe", &["--json", mv["position"].as_str().unwrap()]));
        let turned = match child["value"].as_str().unwrap() {
            "win" => "loss",
            "loss" => "win",
            other => other,
        };
        assert_eq!(mv["value"], turned);
        let plies = child["plies"].as_u64().map(|plies| plies + 1);
        assert_eq!(mv["plies"].as_u64(), plies);
    }
    let input = "0000-0200-0000-0000/000-000-000\nnonsense\n\n0000000000000000000000000\n";
    let output = kanzen(dir, &small("probe", &["-", "--json"])).write_stdin(input).assert().code(1);
    let lines = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[1]["position"], "nonsense");
    assert!(lines[1]["error"].as_str().unwrap().contains("unknown character 'n'"));
    assert_eq!(lines[2]["position"], "0000-0000-0000-0000/000-000-000");
    let single = kanzen(dir, &small("probe", &["nonsense", "--json"])).assert().code(1);
    let single: Value = serde_json::from_slice(&single.get_output().stdout).unwrap();
    assert!(single["error"].is_string());
}

#[test]
fn lines_and_pictures() {
    let dir = solved();
    let dir = dir.path();
    let line = json(dir, &["line", "mutorere", "--json"]);
    assert_eq!((&line["value"], &line["end"]), (&"draw".into(), &"repeats".into()));
    assert!(stdout(dir, &["line", "mutorere"]).contains("comes back"));
    let longest = &json(dir, &small("find", &["longest", "--json"]))["longest"];
    let won = longest[0]["examples"][0].as_str().unwrap();
    let line = json(dir, &small("line", &["--json", won]));
    assert_eq!((&line["value"], &line["plies"]), (&"win".into(), &longest[0]["plies"]));
    let plies = line["plies"].as_u64().unwrap();
    assert_eq!(line["moves"].as_array().unwrap().len() as u64, plies);
    let svg = stdout(dir, &small("draw", &["--svg", "--values"]));
    assert!(
        svg.starts_with("<svg")
            && svg.contains("class=\"tint loss\"") | svg.contains("class=\"tint draw\"")
    );
    let played = stdout(dir, &small("draw", &["--svg", "--move", "0"]));
    assert!(played.contains("class=\"last\""));
    let wrong = error(dir, &small("draw", &["--move", "99"]));
    assert!(wrong.contains("'99' is not a move"), "{wrong}");
    assert!(stdout(dir, &["draw", "threerow"]).contains("player 1 to move"));
}

#[test]
fn remarkable_positions_of_every_kind() {
    let dir = solved();
    let dir = dir.path();
    for what in ["longest", "only-move", "zugzwang", "cycles", "branching", "immobile", "draws"] {
        let found = json(dir, &small("find", &[what, "--json", "--most", "1"]));
        let findings = found.as_object().unwrap();
        let any = findings.values().any(|rows| !rows.as_array().unwrap().is_empty());
        assert!(any || what == "cycles", "{what}: {found}");
    }
    let reachable = json(dir, &small("find", &["reachable", "--json"]));
    assert_eq!(reachable["plies"][0], serde_json::json!({ "ply": 0, "positions": 1 }));
    let fairness = &json(dir, &small("find", &["fairness", "--json"]))["fairness"][0];
    let shares = ["win_share", "draw_share", "loss_share"].map(|name| fairness[name].as_f64());
    let sum: f64 = shares.iter().map(|share| share.unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{fairness}");
    let unknown = error(dir, &small("find", &["nonsense"]));
    assert!(unknown.contains("zugzwang") && unknown.contains("fairness"), "{unknown}");
    // Without a kind, the kinds are listed; every one of them can be found.
    let kinds = stdout(dir, &small("find", &["--json"]));
    let kinds: Vec<Value> = kinds.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(kinds.len() >= 11, "{kinds:?}");
    // Long sentences are folded.
    let listed = stdout(dir, &small("find", &[]));
    let listed = listed.split_whitespace().collect::<Vec<_>>().join(" ");
    for kind in &kinds {
        let (name, about) = (kind["kind"].as_str().unwrap(), kind["about"].as_str().unwrap());
        assert!(listed.contains(&format!("{name} {about}")), "{name}: {listed}");
        let csv = stdout(dir, &small("find", &[name, "--csv"]));
        assert!(csv.lines().next().is_some_and(|head| head.contains(',')), "{name}: {csv}");
    }
}

#[test]
fn proofs_and_books() {
    let dir = solved();
    let dir = dir.path();
    let longest = &json(dir, &small("find", &["longest", "--json"]))["longest"];
    let won = longest[0]["examples"][0].as_str().unwrap();
    let plies = longest[0]["plies"].as_u64().unwrap();
    let files = ["book.json", "book.dot", "book.html"].map(|name| dir.join(name));
    for file in &files {
        let file = file.to_str().unwrap();
        let proof = json(dir, &small("prove", &["--json", "--to", file, won]));
        assert!(proof["tree"].as_u64().unwrap() >= plies, "{proof}");
        let size = &proof["strategy"];
        assert!(size["winner_to_move"].as_u64() >= size["at_least"].as_u64(), "{proof}");
    }
    let [book, dot, html] = files.map(|file| std::fs::read_to_string(file).unwrap());
    let book: Value = serde_json::from_str(&book).unwrap();
    let entries = book["book"]["entries"].as_array().unwrap();
    assert_eq!(entries.len() as u64, book["strategy"]["winner_to_move"].as_u64().unwrap());
    // Every answer is a move that keeps the win, and every reply leads to an entry of the book.
    for entry in entries.iter().take(20) {
        let probe = json(dir, &small("probe", &["--json", entry["position"].as_str().unwrap()]));
        let moves = probe["moves"].as_array().unwrap();
        let answer = moves.iter().find(|mv| mv["move"] == entry["answer"]).unwrap();
        assert_eq!(answer["value"], "win");
        for reply in entry["replies"].as_array().unwrap() {
            assert!(
                reply["entry"].is_null() || reply["entry"].as_u64() <= Some(entries.len() as u64)
            );
        }
    }
    assert!(dot.starts_with("digraph") && dot.contains("e1 ->"));
    // The book has chapters, an index, and pages of no more than 300 boards.
    assert!(html.contains("<h2>Chapters</h2>") && html.contains("<h2>Index</h2>"));
    let pages: Vec<String> = (1..)
        .map_while(|page| std::fs::read_to_string(dir.join(format!("book-{page}.html"))).ok())
        .collect();
    assert!(pages[0].contains("<svg") && pages[0].contains("id=\"e1\""));
    let boards = pages.iter().map(|page| page.matches("class=\"entry\"").count());
    let boards: Vec<usize> = boards.collect();
    assert!(boards.iter().all(|boards| *boards <= 300), "{boards:?}");
    assert_eq!(boards.iter().sum::<usize>(), entries.len());
    // Who sees three plies ahead has less to learn.
    let [all, few] = ["1", "3"].map(|look| {
        let proof = json(dir, &small("prove", &["--json", "--look", look, won]));
        proof["strategy"]["winner_to_move"].as_u64().unwrap()
    });
    assert!(0 < few && few < all, "{few} {all}");
    let wrong = error(dir, &small("prove", &["--look", "0"]));
    assert!(wrong.contains("'--look <PLIES>'"), "{wrong}");
    let wrong = error(dir, &small("prove", &["--to", "book.pdf"]));
    assert!(wrong.contains(".json, .dot or .html"), "{wrong}");
    let drawn = error(dir, &["prove", "mutorere"]);
    assert!(drawn.contains("is a draw"), "{drawn}");
}

#[test]
fn reports() {
    let dir = solved();
    let dir = dir.path();
    let file = dir.join("report.html");
    stdout(dir, &["report", "mutorere", "--to", file.to_str().unwrap()]);
    let page = std::fs::read_to_string(file).unwrap();
    assert!(page.contains("<svg") && page.contains("peak memory"), "{page}");
    assert!(!page.contains("<script"), "the page stands alone");
    for part in ["Nine points", "the number of legal moves", "games from the start"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    for part in [
        "With best play, ",
        "<h2 class=\"plain\">Contents",
        "<b>Table 1.</b>",
        "<b>Figure 1.</b>",
        "References",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(page.contains("href=\"http://127.0.0.1:8080/mutorere?position="), "boards are links");
    let file = dir.join("report.tex");
    let to = file.to_str().unwrap();
    stdout(dir, &["report", "mutorere", "--site", "https://games.example/", "--to", to]);
    let tex = std::fs::read_to_string(file).unwrap();
    assert!(
        tex.contains("\\begin{longtable}") && tex.contains("https://games.example/mutorere?"),
        "{tex}"
    );
    // A file is written beside what is printed for programs.
    let file = dir.join("report.md");
    let facts = json(dir, &["report", "mutorere", "--json", "--to", file.to_str().unwrap()]);
    assert!(facts["claims"].is_array(), "{facts}");
    assert!(std::fs::read_to_string(file).unwrap().starts_with("# "));
    let japanese = stdout(dir, &["report", "mutorere", "--language", "ja"]);
    assert!(japanese.contains("解析の方法"), "{japanese}");
    // With three pieces a side few of the paper's numbers can come out, and the report says which.
    let report = json(dir, &small("report", &["--json"]));
    let claims = report["claims"].as_array().unwrap();
    let agreeing = claims.iter().filter(|claim| claim["agrees"] == true).count();
    assert!(agreeing > 0 && agreeing < claims.len(), "{agreeing} of {}", claims.len());
    for (game, all) in [("threerow", 54), ("musashi25", 84)] {
        stdout(dir, &["solve", game]);
        let report = json(dir, &["report", game, "--json"]);
        let claims = report["claims"].as_array().unwrap();
        let other: Vec<_> = claims.iter().filter(|claim| claim["agrees"] != true).collect();
        assert!(claims.len() == all && other.is_empty(), "{game}: {other:?}");
    }
    let wrong = error(dir, &["report", "mutorere", "--to", "report.pdf"]);
    assert!(wrong.contains(".html, .md or .tex"), "{wrong}");
    let nowhere = dir.join("nowhere").join("report.html");
    let wrong = error(dir, &["report", "mutorere", "--to", nowhere.to_str().unwrap()]);
    assert!(wrong.contains("no such directory"), "{wrong}");
}

#[test]
fn what_is_found_is_said_plainly() {
    let dir = solved();
    let dir = dir.path();
    let longest = stdout(dir, &["find", "mutorere", "longest"]);
    assert!(longest.contains("111012222"), "a position is no number: {longest}");
    let none = stdout(dir, &["find", "mutorere", "zugzwang"]);
    assert!(
        none.contains("lost for whoever is to move.") && none.trim_end().ends_with("None."),
        "{none}"
    );
    let tiers = &json(dir, &small("find", &["zugzwang", "--json"]))["zugzwangs"];
    assert!(tiers.as_array().unwrap().iter().any(|tier| tier["self_symmetric"] != 0), "{tiers}");
    for tier in tiers.as_array().unwrap() {
        let marked = tier["self_symmetric_examples"].as_array().unwrap().len() as u64;
        assert_eq!(marked, tier["self_symmetric"].as_u64().unwrap().min(5), "{tier}");
    }
    let survey = json(dir, &small("find", &["survey", "--json"]));
    for kind in ["branching", "immobile", "fairness"] {
        let mut alone = json(dir, &small("find", &[kind, "--json"]));
        let findings = alone.as_object_mut().unwrap();
        findings.remove("played");
        assert!(!findings.is_empty(), "{kind}");
        for (name, rows) in findings {
            assert_eq!(&survey[&**name], rows, "{kind}: {name}");
        }
    }
}

#[test]
fn every_game_says_how_fair_it_is() {
    let dir = solved();
    let dir = dir.path();
    stdout(dir, &["solve", "threerow"]);
    for game in ["threerow", "mutorere"] {
        let facts = json(dir, &["find", game, "fairness", "--json"]);
        assert_eq!(facts, json(dir, &["find", game, "fairness", "--json"]));
        let played = &facts["played"][0];
        let results = ["wins", "draws", "losses"].map(|name| played[name].as_u64().unwrap());
        assert_eq!(results.iter().sum::<u64>(), played["games"].as_u64().unwrap(), "{played}");
    }
    // The first player wins more often than each of the others.
    let played = &json(dir, &["find", "threerow", "played", "--json"])["played"][0];
    assert!(played["wins"].as_u64().unwrap() > played["games"].as_u64().unwrap() / 3, "{played}");
    let first = json(dir, &["find", "mutorere", "fairness", "--json"]);
    let moves = first["first_moves"].as_array().unwrap();
    assert_eq!((&first["first_move_counts"][0]["draws"], moves.len()), (&1.into(), 1));
    let unknown = error(dir, &["find", "threerow", "treasure"]);
    assert!(unknown.contains("allowed are fairness, played, third-ply"), "{unknown}");
}

#[test]
fn puzzles_have_one_answer_and_come_from_their_seed() {
    let dir = solved();
    let dir = dir.path();
    let set = |seed: &str| {
        let lines = stdout(dir, &small("puzzles", &["--json", "--count", "9", "--seed", seed]));
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
    };
    let puzzles = set("7");
    assert_eq!(puzzles.len(), 9);
    assert_eq!(puzzles, set("7"));
    assert_ne!(puzzles, set("8"));
    for puzzle in &puzzles {
        let probe = json(dir, &small("probe", &["--json", puzzle["position"].as_str().unwrap()]));
        let moves = probe["moves"].as_array().unwrap();
        let keeping = moves.iter().filter(|mv| mv["value"] == puzzle["value"]);
        let keeping: Vec<_> = keeping.map(|mv| &mv["move"]).collect();
        assert_eq!(keeping, [&puzzle["solution"][0]]);
        if puzzle["value"] == "win" {
            assert_eq!(puzzle["solution"].as_array().unwrap().len() as u64, puzzle["plies"]);
        }
    }
    // With three players: the only move by which the mover can force a win, or nobody can.
    let lines = stdout(dir, &["puzzles", "threerow", "--json", "--count", "6"]);
    assert_eq!(lines.lines().count(), 6);
    for puzzle in lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let position = puzzle["position"].as_str().unwrap();
        let probe = json(dir, &["probe", "threerow", position, "--json"]);
        let moves = probe["moves"].as_array().unwrap();
        let keeping = moves.iter().filter(|mv| mv["winner"] == probe["winner"]);
        let keeping: Vec<_> = keeping.map(|mv| &mv["move"]).collect();
        assert_eq!(keeping, [&puzzle["solution"][0]], "{puzzle}");
    }
    let text = stdout(dir, &small("puzzles", &["--count", "3", "--solutions"]));
    assert!(text.contains("(hard)") && text.contains("solution:"), "{text}");
}

#[test]
fn rules_and_games_side_by_side() {
    let dir = solved();
    let dir = dir.path();
    stdout(dir, &["solve", "simpei", "-o", "pieces=2"]);
    let same = json(dir, &small("compare", &["--json", "--", "-o", "pieces=3"]));
    let changed = &same["changed"][0];
    assert_eq!((&changed["all"], &changed["arising"]), (&0.into(), &0.into()));
    let other = json(dir, &small("compare", &["--json", "--", "-o", "pieces=2"]));
    assert_eq!(other["changed"], serde_json::json!([]), "other positions: {other}");
    assert!(other.get("by_value").is_none(), "other positions: {other}");
    let games = stdout(dir, &small("compare", &["--", "mutorere"]));
    assert!(games.contains("mutorere") && games.contains("side by side"), "{games}");
    let wrong = error(dir, &small("compare", &["--", "-o", "pieces=9"]));
    assert!(wrong.contains("pieces"), "{wrong}");
}

#[test]
fn three_row_answers_without_a_table_and_names_its_meaning() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let five = ["probe", "threerow", "-o", "rows=5", "-o", "columns=5", "--json"];
    let start = json(dir, &five);
    assert_eq!((&start["meaning"], &start["winner"]), (&"forced".into(), &0.into()));
    assert_eq!(start["moves"][0]["winner"], 0);
    let missing = error(dir, &["stats", "threerow"]);
    assert!(missing.contains("kanzen solve threerow"), "{missing}");
    let large = error(dir, &["solve", "threerow", "-o", "rows=7", "-o", "columns=7"]);
    assert!(large.contains("cannot be solved whole"), "{large}");
    let solved = stdout(dir, &["solve", "threerow", "-o", "rows=3"]);
    assert!(solved.contains("nobody can force a win"), "{solved}");
    let verified = json(dir, &["verify", "threerow", "-o", "rows=3", "--json"]);
    assert_eq!(verified["passed"], true);
    let stats = json(dir, &["stats", "threerow", "-o", "rows=3", "--json"]);
    assert_eq!(stats["plies"].as_array().unwrap().len(), 13);
    let by_table = stdout(dir, &["probe", "threerow", "-o", "rows=3", "--json"]);
    let other = tempfile::tempdir().unwrap();
    let by_search = stdout(other.path(), &["probe", "threerow", "-o", "rows=3", "--json"]);
    assert_eq!(by_table, by_search);
    let illegal = error(dir, &["probe", "threerow", "1111/0000/0000/0000"]);
    assert!(illegal.contains("illegal position"), "{illegal}");
}

#[test]
fn wrong_words_are_named_with_what_is_allowed() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    for (arguments, expected) in [
        (&["probe", "chess"][..], "unknown game 'chess': there are simpei"),
        (&["solve", "simpei", "-o", "colour=red"], "options are first, pieces"),
        (&["solve", "simpei", "-o", "pieces=9"], "allowed are 4, 3, 2"),
        (&["solve", "simpei", "-o", "pieces"], "name=value"),
        (&["solve", "simpei", "--memory", "lots"], "500M or 16G"),
        (&["solve", "simpei", "--memory", "1M"], "1 MB are allowed"),
        (&["solve", "simpei", "--memory", "1M"], "--memory allows more"),
        (&["solve", "simpei", "--level", "99"], "99 is not in 1..=22"),
        (&["solve", "simpei", "--store", "much"], "distance, value, none"),
        (&["solve", "simpei", "--store", "none"], "with 'none': allowed is distance"),
        (&["solve", "threerow", "--store", "distance"], "with 'distance': allowed is value"),
        (&["solve", "simpei", "--colour"], "unexpected argument '--colour'"),
        (&["probe", "simpei"], "run 'kanzen solve simpei' first"),
        (&["verify", "simpei", "-o", "pieces=3"], "kanzen solve simpei -o pieces=3"),
        (&["perft", "simpei", "two"], "invalid"),
        (&["perft", "simpei", "1", "12"], "expected 25 digits"),
        (&["conquer", "simpei"], "unrecognized subcommand"),
    ] {
        let message = error(dir, arguments);
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
    assert_eq!(std::fs::read_dir(dir).unwrap().filter(is_table).count(), 0, "nothing half-written");
    let solved = solved();
    let message = error(solved.path(), &["find", "mutorere", "treasure"]);
    assert!(message.contains("allowed are branching, cycles, draws"), "{message}");
}

#[test]
fn a_table_holds_what_was_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let solve = ["solve", "musashi25", "--store"];
    let text = stdout(dir, &[&solve[..], &["value"]].concat());
    assert!(text.contains("the start is a win in 31"), "{text}");
    assert_eq!(json(dir, &["probe", "musashi25", "--json"])["plies"], Value::Null);
    let message = error(dir, &[&solve[..], &["distance"]].concat());
    assert!(message.contains("holds 'value', not 'distance': --again"), "{message}");
    stdout(dir, &[&solve[..], &["distance", "--again"]].concat());
    assert_eq!(json(dir, &["probe", "musashi25", "--json"])["plies"], 31);
    let line = stdout(dir, &["line", "musashi25", "--boards"]);
    assert!(line.lines().count() > 31 * 5 && line.ends_with("the game is over\n"), "{line}");
}

fn is_table(entry: &std::io::Result<std::fs::DirEntry>) -> bool {
    let path = entry.as_ref().unwrap().path();
    path.extension().is_some_and(|ending| ending == "kanzen" || ending == "new")
}

/// A checkpoint that cannot be used is refused with what helps; `--again` begins anew. What says
/// where the solve stands may be damaged: the files that are whole tell it too.
#[test]
fn a_stale_checkpoint_is_refused_and_again_begins_anew() {
    let dir = tempfile::tempdir().unwrap();
    let stale = dir.path().join("mutorere.checkpoint");
    std::fs::create_dir(&stale).unwrap();
    std::fs::write(stale.join("state.json"), "half a sta").unwrap();
    let text = stdout(dir.path(), &["solve", "mutorere"]);
    assert!(text.contains("the start is a draw") && !stale.exists(), "{text}");
    std::fs::remove_file(dir.path().join("mutorere.kanzen")).unwrap();
    std::fs::write(&stale, "no directory").unwrap();
    let message = error(dir.path(), &["solve", "mutorere"]);
    assert!(message.contains("mutorere.checkpoint"), "{message}");
    stdout(dir.path(), &["solve", "mutorere", "--again"]);
    assert!(!stale.exists());

    // What a solve has left that was ended after its table was complete goes with the next one.
    let left = ["mutorere.rounds", "mutorere.new", "mutorere.checkpoint.new"];
    std::fs::create_dir(&stale).unwrap();
    left.iter().for_each(|name| std::fs::write(dir.path().join(name), "rest").unwrap());
    assert!(stdout(dir.path(), &["solve", "mutorere"]).contains("solved already"));
    assert!(!stale.exists() && left.iter().all(|name| !dir.path().join(name).exists()));

    // Only a whole table is said to be there.
    let table = dir.path().join("mutorere.kanzen");
    let mut bytes = std::fs::read(&table).unwrap();
    bytes[100] ^= 1;
    std::fs::write(&table, bytes).unwrap();
    let message = error(dir.path(), &["solve", "mutorere"]);
    assert!(message.contains("damaged") && message.contains("--again"), "{message}");
}

#[test]
fn damaged_tables_are_refused_and_verify_finds_them() {
    let dir = solved();
    let path = dir.path().join("simpei-pieces-3.kanzen");
    let whole = std::fs::read(&path).unwrap();
    let try_with = |bytes: &[u8], expected: &str| {
        std::fs::write(&path, bytes).unwrap();
        let message = error(dir.path(), &small("verify", &[]));
        assert!(message.contains(expected), "{message}");
        assert!(message.contains("simpei-pieces-3.kanzen"), "{message}");
    };
    try_with(&whole[..whole.len() / 2], "incomplete");
    try_with(b"GIF89a", "not a table of Kanzen");
    let mut newer = whole.clone();
    newer[8] = 5;
    try_with(&newer, "format version 5");
    let mut flipped = whole.clone();
    flipped[5000] ^= 4;
    try_with(&flipped, "is damaged");
    let foreign = std::fs::read(dir.path().join("mutorere.kanzen")).unwrap();
    try_with(&foreign, "the table is of mutorere");
    std::fs::write(&path, whole).unwrap();
    stdout(dir.path(), &small("verify", &[]));
}

#[test]
fn directories_that_cannot_be_used_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "in the way").unwrap();
    let message = error(&file, &["solve", "mutorere"]);
    assert!(message.contains("file"), "{message}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "in the way");
    // A missing directory is made.
    let deep = dir.path().join("a/b");
    stdout(&deep, &["solve", "mutorere"]);
    assert!(deep.join("mutorere.kanzen").exists());
    // /proc takes no files, whoever asks.
    let message = error(Path::new("/proc/kanzen"), &["solve", "mutorere"]);
    assert!(message.contains("/proc/kanzen"), "{message}");
}

/// /dev/full stands for a full disk: the table's file is a link to it.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_and_nothing_half_written_is_left() {
    let dir = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/dev/full", dir.path().join("mutorere.new")).unwrap();
    let message = error(dir.path(), &["solve", "mutorere"]);
    assert!(message.contains("No space left"), "{message}");
    assert!(
        !dir.path().join("mutorere.new").exists() && !dir.path().join("mutorere.kanzen").exists()
    );
    stdout(dir.path(), &["solve", "mutorere"]);
}

/// Starts a solve that takes some seconds, without waiting for it.
fn begin_solve(dir: &Path) -> std::process::Child {
    std::process::Command::new(env!("CARGO_BIN_EXE_kanzen"))
        .env("KANZEN_DIR", dir)
        .args(["solve", "simpei", "--checkpoint", "0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until a checkpoint says that rounds are done.
fn wait_for_checkpoint(dir: &Path) {
    let state = dir.join("simpei.checkpoint/state.json");
    let start = Instant::now();
    while !state.exists() {
        assert!(start.elapsed() < Duration::from_secs(120), "no checkpoint");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_solve_goes_on_where_it_was_and_two_at_once_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let mut first = begin_solve(dir);
    wait_for_checkpoint(dir);
    let message = error(dir, &["solve", "simpei"]);
    assert!(message.contains("another solve is at work"), "{message}");
    std::process::Command::new("kill").args(["-INT", &first.id().to_string()]).status().unwrap();
    assert_eq!(first.wait().unwrap().code(), Some(130));
    assert!(!dir.join("simpei.kanzen").exists());

    // Killed without warning it goes on, too.
    let mut second = begin_solve(dir);
    std::thread::sleep(Duration::from_secs(2));
    second.kill().unwrap();
    second.wait().unwrap();
    let state = dir.join("simpei.checkpoint/state.json");
    assert!(state.exists() || dir.join("simpei.kanzen").exists());

    stdout(dir, &["solve", "simpei"]);
    assert!(!dir.join("simpei.checkpoint").exists());
    let fresh = tempfile::tempdir().unwrap();
    stdout(fresh.path(), &["solve", "simpei", "--threads", "1"]);
    let table = |dir: &Path| std::fs::read(dir.join("simpei.kanzen")).unwrap();
    assert!(table(dir) == table(fresh.path()), "the same bytes, interrupted or not");

    // A checkpoint of something else is refused.
    std::fs::create_dir(dir.join("simpei.checkpoint")).unwrap();
    let other = r#"{"key":"other","tier":0,"round":null,"checksum":1669796907}"#;
    std::fs::write(state, other).unwrap();
    std::fs::remove_file(dir.join("simpei.kanzen")).unwrap();
    let message = error(dir, &["solve", "simpei"]);
    assert!(message.contains("it is of other") && message.contains("remove it"), "{message}");
}

#[test]
fn completions_and_manual_pages() {
    let dir = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(stdout(dir.path(), &["completions", shell]).contains("kanzen"), "{shell}");
    }
    stdout(dir.path(), &["man", dir.path().join("man").to_str().unwrap()]);
    let page = std::fs::read_to_string(dir.path().join("man/kanzen-solve.1")).unwrap();
    assert!(page.contains("checkpoint"));
    let help = stdout(dir.path(), &["--help"]);
    for command in ["games", "solve", "probe", "line", "stats", "find", "verify", "perft", "check"]
    {
        assert!(help.contains(command), "{command}");
    }
}

#[test]
fn output_may_be_cut_off() {
    let dir = solved();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_kanzen"))
        .env("KANZEN_DIR", dir.path())
        .args(small("probe", &["--json"]))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
}

#[test]
fn graphs_that_another_program_wrote() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("heap.txt");
    let path = file.to_str().unwrap();
    // One or two are taken from a heap of seven; who takes the last one wins.
    let lines = (1..=7).rev().map(|left| match left {
        1 => "heap-1 -> heap-0\n".to_owned(),
        _ => format!("heap-{left} -> heap-{} heap-{}\n", left - 1, left - 2),
    });
    std::fs::write(&file, lines.chain(["heap-0 = loss\n".to_owned()]).collect::<String>()).unwrap();
    let said = stdout(dir.path(), &["solve", "--graph", path]);
    assert!(said.contains("the start is a win in 5"), "{said}");
    let said = stdout(dir.path(), &["probe", "--graph", path, "heap-6"]);
    assert!(said.contains("heap-6: Blue to move, Red wins in 4"), "{said}");
    let line = stdout(dir.path(), &["line", "--graph", path, "--json"]);
    assert!(line.contains(r#""plies":5"#), "{line}");
    let verified = stdout(dir.path(), &["verify", "--graph", path]);
    assert!(verified.contains("8 positions checked, 0 wrong"), "{verified}");
    let message = error(dir.path(), &["probe", "--graph", path, "heap-8"]);
    assert!(message.contains("a position of the graph, 'heap-7' to 'heap-0'"), "{message}");
    // Another graph under the same name is another game.
    std::fs::write(&file, "heap-0 -> heap-1\nheap-1 = draw\n").unwrap();
    let message = error(dir.path(), &["probe", "--graph", path]);
    assert!(message.contains("not solved"), "{message}");
    std::fs::write(&file, "heap-0 -> heap-1\n").unwrap();
    let message = error(dir.path(), &["solve", "--graph", path]);
    assert!(message.contains("heap.txt") && message.contains("line 1"), "{message}");
}

#[test]
fn a_new_game_is_made_once() {
    let dir = tempfile::tempdir().unwrap();
    let made = dir.path().join("my-game");
    let path = made.to_str().unwrap();
    assert!(stdout(dir.path(), &["new", path]).contains("cargo run -- serve --solve quick"));
    let main = std::fs::read_to_string(made.join("src/main.rs")).unwrap();
    assert!(main.contains("\"my-game\"") && !main.contains("{{"), "{main}");
    let message = error(dir.path(), &["new", path]);
    assert!(message.contains("is there already"), "{message}");
    let message = error(dir.path(), &["new", dir.path().join("No Name").to_str().unwrap()]);
    assert!(message.contains("letters a to z"), "{message}");
}

#[test]
fn numbers_out_of_range_and_bytes_that_are_no_text_do_no_harm() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let threads = error(dir, &["solve", "mutorere", "--threads", "100000"]);
    assert!(threads.contains("from 1 to 1024"), "{threads}");
    assert!(error(dir, &["perft", "mutorere", "100000"]).contains("500"));
    stdout(dir, &["solve", "mutorere"]);
    let start = stdout(dir, &["probe", "mutorere", "--json"]);
    let start: Value = serde_json::from_str(&start).unwrap();
    let text = start["position"].as_str().unwrap();
    let mut command = kanzen(dir, &["probe", "mutorere", "-", "--json"]);
    let lines = [b"\xff\xfe\n", text.as_bytes(), b"\n"].concat();
    let output = command.write_stdin(lines).assert().failure().get_output().stdout.clone();
    let answers: Vec<Value> = String::from_utf8(output)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), 2, "the line after the bad one is answered");
    assert!(answers[0]["error"].is_string() && answers[1]["value"] == start["value"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_error_does_no_harm() {
    let dir = tempfile::tempdir().unwrap();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_kanzen"));
    command.env("KANZEN_DIR", dir.path()).args(["probe", "mutorere", "no position"]);
    assert_eq!(command.stderr(full).status().unwrap().code(), Some(1), "an error, not a panic");
}

#[test]
fn games_are_explained_and_annotated() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let rules = stdout(dir, &["rules", "ostle"]);
    assert!(
        rules.contains("How moves are written") && rules.contains("c3> moves what stands on c3")
    );
    assert!(rules.lines().all(|line| line.chars().count() <= 100), "{rules}");
    assert!(stdout(dir, &["rules", "ostle", "--language", "ja"]).contains("手の書き方"));
    let facts: serde_json::Value =
        serde_json::from_str(&stdout(dir, &["rules", "simpei", "--json"])).unwrap();
    assert_eq!(facts["lessons"][1]["goal"], "win");
    assert!(stdout(dir, &["games"]).contains("5x5 cells, five pieces a side and a hole."));
    let plain = stdout(dir, &["draw", "ostle", "--no-coordinates"]);
    assert!(!plain.contains('a') && stdout(dir, &["draw", "ostle"]).contains("a   b   c   d   e"));

    stdout(dir, &["solve", "mutorere"]);
    let line = stdout(dir, &["line", "mutorere", "--boards"]);
    assert!(line.contains("1. Blue ") && line.contains("2. Red "), "{line}");
    let (file, page) = (dir.join("games.txt"), dir.join("games.html"));
    std::fs::write(&file, "# two games\n0-8 7-0\n1. 0-8 2. 7-0 3. 8-7\n").unwrap();
    let (file, page) = (file.to_str().unwrap(), page.to_str().unwrap());
    let text = stdout(dir, &["annotate", "mutorere", file]);
    assert!(text.contains("2. Red 7-0") && text.contains("Red: 1 move, no mistake"), "{text}");
    let games = stdout(dir, &["annotate", "mutorere", file, "--json"]);
    assert_eq!(games.lines().count(), 2);
    stdout(dir, &["annotate", "mutorere", file, "--html", page]);
    assert!(std::fs::read_to_string(page).unwrap().contains("<table"));
    std::fs::write(file, "0-8 0-8\n").unwrap();
    let output = kanzen(dir, &["annotate", "mutorere", file]).assert().failure();
    let error = String::from_utf8(output.get_output().stderr.clone()).unwrap();
    assert!(error.contains("line 1: move 2, '0-8', cannot be made at"), "{error}");
}

/// A machine is measured, and nothing stays behind.
#[test]
fn a_machine_is_measured() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = kanzen(dir.path(), &["bench", "--json"]);
    let output = command.env("TMPDIR", dir.path()).assert().success();
    let found: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
    let figures = found["figures"].as_array().unwrap();
    assert_eq!(figures.len(), 12);
    for figure in figures {
        assert!(figure["found"].as_f64().unwrap() > 0.0, "{figure}");
        assert!(figure["recorded"].as_f64().unwrap() > 0.0, "{figure}");
    }
    let speed = found["speed"].as_f64().unwrap();
    assert!(speed > 0.0 && speed.is_finite(), "{found}");
    assert_eq!(dir.path().read_dir().unwrap().count(), 0, "it leaves nothing behind");
}
