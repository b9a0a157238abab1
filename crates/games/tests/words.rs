//! What every game says of itself and of what is found in it: sentences, in every language.

use kanzen_analyse::{Finding, Kind};
use kanzen_core::Language;
use kanzen_games::all;
use kanzen_registry::{AnySolved, Goal, table_path};
use kanzen_solve::{Job, Silent};
use kanzen_study::compare::compare;
use kanzen_study::find;
use kanzen_study::lessons::{lessons, solves};
use kanzen_table::TableWriter;
use std::collections::BTreeSet;
use std::path::Path;

fn assert_sentence(text: &str, language: Language, whose: &str) {
    let stop = language.pick('.', '。');
    assert!(text.ends_with(stop), "{whose}: '{text}' does not end in {stop}");
    let body = text.trim_end_matches(stop);
    assert!(!body.is_empty() && body.trim() == body, "{whose}: '{text}'");
    match language {
        Language::English => {
            let begins = |c: char| c.is_uppercase() || c.is_ascii_digit();
            assert!(text.starts_with(begins), "{whose}: '{text}' begins with a small letter");
            assert!(!text.contains(['。', '、', '：']), "{whose}: '{text}' is Japanese");
        }
        Language::Japanese => {
            let japanese = |c: char| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}');
            assert!(text.contains(japanese), "{whose}: '{text}' is not Japanese");
        }
    }
}

fn assert_sentences(en: &str, ja: &str, whose: &str) {
    assert_sentence(en, Language::English, whose);
    assert_sentence(ja, Language::Japanese, whose);
}

/// Every kind of every game, also of those that take hours to solve: their tables may be empty, since
/// nobody looks into them.
#[test]
fn every_kind_of_every_game_says_what_it_finds() {
    let dir = tempfile::tempdir().unwrap();
    for entry in all().entries() {
        let game = entry.build(&[]).unwrap();
        let solved = game.open(dir.path()).or_else(|_| {
            let path = table_path(dir.path(), &game.identity());
            let writer = TableWriter::create(&path, game.identity(), "plies", 1).unwrap();
            writer.finish().unwrap();
            game.open(dir.path())
        });
        // A table of a game by rules alone needs its keys. Of those, the small ones are enough.
        let plan = game.plan(0);
        let solved = match solved {
            Ok(solved) => solved,
            Err(_) if plan.guessed || plan.positions > 50_000 => continue,
            Err(_) => {
                game.solve(dir.path(), None, &Job::default()).unwrap();
                game.open(dir.path()).unwrap()
            }
        };
        let kinds = find::kinds(&*solved);
        assert!(kinds.len() >= 3, "{}: {kinds:?}", entry.name);
        let names: BTreeSet<&str> = kinds.iter().map(|kind| kind.name).collect();
        assert_eq!(names.len(), kinds.len(), "{}: a name is given twice", entry.name);
        for Kind { name, about } in kinds {
            assert_sentences(about.en, about.ja, &format!("{} {name}", entry.name));
        }
    }
}

fn solved(dir: &Path, name: &str, options: &[&str]) -> Box<dyn AnySolved> {
    let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
    let game = all().find(name).unwrap().build(&options).unwrap();
    let job = Job { memory: 4 << 30, level: Some(1), ..Job::default() };
    game.solve(dir, None, &job).unwrap();
    game.open(dir).unwrap()
}

fn assert_findings(findings: &[Finding], whose: &str) {
    assert!(!findings.is_empty(), "{whose}");
    let names: BTreeSet<&str> = findings.iter().map(|finding| finding.name).collect();
    assert_eq!(names.len(), findings.len(), "{whose}: a name is given twice, so JSON loses one");
    for finding in findings {
        let whose = format!("{whose}: {}", finding.name);
        assert_sentences(&finding.caption.en, &finding.caption.ja, &whose);
        let heads: BTreeSet<&str> = finding.columns.iter().map(|column| column.name).collect();
        assert_eq!(heads.len(), finding.columns.len(), "{whose}: a column is there twice");
        for column in &finding.columns {
            let title = column.title;
            assert!(!title.en.is_empty() && !title.ja.is_empty(), "{whose}: {}", column.name);
        }
        for row in &finding.rows {
            assert_eq!(row.len(), finding.columns.len(), "{whose}");
            for language in [Language::English, Language::Japanese] {
                let caption = kanzen_show::caption(finding, row, language);
                assert_sentence(&caption, language, &whose);
            }
        }
    }
}

#[test]
fn every_finding_has_a_sentence_for_its_caption() {
    let dir = tempfile::tempdir().unwrap();
    let games: [(&str, &[&str]); 4] = [
        ("simpei", &["pieces=2"]),
        ("mutorere", &[]),
        ("musashi25", &[]),
        ("threerow", &["rows=3", "columns=3"]),
    ];
    for (name, options) in games {
        let solved = solved(dir.path(), name, options);
        assert_findings(&solved.stats().unwrap(), &format!("{name} stats"));
        for kind in find::kinds(&*solved) {
            let findings = find::find(&*solved, kind.name, 2, &Silent).unwrap();
            assert_findings(&findings, &format!("{name} {}", kind.name));
        }
    }
    let [two, free] = [&["pieces=2"][..], &["pieces=2", "first=free"]]
        .map(|options| solved(dir.path(), "simpei", options));
    let same = compare(["two", "free"], [&*two, &*free], 2, &Silent).unwrap();
    assert_findings(&same, "compare");
    let ring = solved(dir.path(), "mutorere", &[]);
    let other = compare(["two", "ring"], [&*two, &*ring], 2, &Silent).unwrap();
    assert_findings(&other, "compare with another game");
}

/// Every game can be learned: lessons whose tasks are done by the moves they name, and not by all.
#[test]
fn every_lesson_of_every_game_can_be_done() {
    for entry in all().entries() {
        let game = entry.build(&[]).unwrap();
        assert_sentences(entry.rules.en, entry.rules.ja, entry.name);
        let learn = entry.learn;
        for words in [learn.moves, learn.positions, learn.known].map(|it| (it.en, it.ja)) {
            // They may begin with a move.
            let stops = words.0.ends_with('.') && words.1.ends_with('。');
            assert!(words == ("", "") || stops, "{}: {words:?}", entry.name);
        }
        let lessons = lessons(entry, &*game);
        assert!((5..=8).contains(&lessons.len()), "{}: {} lessons", entry.name, lessons.len());
        let own =
            lessons.iter().filter(|it| learn.lessons.iter().any(|own| own.task.en == it.task.en));
        assert_eq!(own.count(), learn.lessons.len(), "{}: a lesson cannot be done", entry.name);
        for lesson in &lessons {
            let whose = format!("{} {}", entry.name, lesson.position);
            assert_sentences(&lesson.task.en, &lesson.task.ja, &whose);
            assert_eq!(solves(&*game, lesson, &lesson.answer), Ok(true), "{whose}");
            let moves = game.look(Some(&lesson.position)).unwrap().moves;
            let wrong = moves.iter().any(|mv| solves(&*game, lesson, &mv.name) == Ok(false));
            assert_eq!(wrong, lesson.goal != Goal::Move, "{whose}: any move will do");
            assert!(solves(&*game, lesson, "nonsense").is_err(), "{whose}");
        }
    }
}

/// Every game says what is known of it and who found it, by itself or by the papers it is compared with.
#[test]
fn every_game_says_what_is_known() {
    for entry in all().entries() {
        let known = entry.learn.known;
        let [en, ja] = [Language::English, Language::Japanese].map(|language| known.say(language));
        if (entry.claims)(&entry.options(&[]).unwrap()).is_empty() || !en.is_empty() {
            assert_sentences(en, ja, entry.name);
        }
    }
}

/// A classic is no more than its rules: sixty lines.
#[test]
fn a_classic_is_short() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/classics");
    let mut classics = 0;
    for file in folder.read_dir().unwrap().map(|file| file.unwrap().path()) {
        let Some(text) = file.is_file().then(|| std::fs::read_to_string(&file).unwrap()) else {
            continue;
        };
        if text.contains("pub static ENTRY") {
            classics += 1;
            assert!(text.lines().count() <= 60, "{}", file.display());
        }
    }
    assert_eq!(classics, 17);
}

#[test]
fn what_is_taken_is_not_said_to_be_driven() {
    for (name, verb) in [("hexapawn", "Take"), ("breakthrough", "Take"), ("gobblet", "Cover")] {
        let entry = all().find(name).unwrap();
        let game = entry.build(&[]).unwrap();
        let lessons = lessons(entry, &*game);
        let tasks: Vec<_> = lessons
            .iter()
            .filter(|lesson| lesson.goal == Goal::Take)
            .map(|it| &*it.task.en)
            .collect();
        assert!(!tasks.is_empty(), "{name}");
        assert!(tasks.iter().all(|task| task.starts_with(verb)), "{name}: {tasks:?}");
    }
}
