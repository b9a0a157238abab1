//! Games that were played, and positions explained, in a game small enough to check by hand.

use kanzen_analyse::{Cell, LineEnd};
use kanzen_core::{Language, Outcome};
use kanzen_registry::{AnyGame, AnySolved};
use kanzen_solve::{Job, Silent};
use kanzen_study::annotate::{Mark, Record, annotate, html};
use kanzen_study::article::Part;
use kanzen_study::explain::explain;
use kanzen_study::report::{Gathered, Subject};

fn solved(dir: &std::path::Path, name: &str) -> (Box<dyn AnyGame>, Box<dyn AnySolved>) {
    let game = kanzen_games::all().find(name).unwrap().build(&[]).unwrap();
    game.solve(dir, None, &Job::default()).unwrap();
    let solved = game.open(dir).unwrap();
    (game, solved)
}

#[test]
fn every_move_is_marked_by_what_it_did() {
    let dir = tempfile::tempdir().unwrap();
    let (game, solved) = solved(dir.path(), "tictactoe");
    // O answers the corner at the side, which loses; X takes the centre, O does not see the threat.
    let record = Record::read("1. a1 2. b1 3. b2 4. c2 5. c3").unwrap();
    let judged = annotate(&*solved, &record).unwrap();
    let marks: Vec<Mark> = judged.notes.iter().map(|note| note.mark).collect();
    assert_eq!(marks[1], Mark::Mistake, "only the centre draws");
    assert_eq!(judged.notes[1].better.as_deref(), Some("b2"));
    assert_eq!(
        (judged.notes[1].before, judged.notes[1].after),
        (Some(Outcome::Draw), Some(Outcome::Loss))
    );
    assert!(judged.notes[3].costs > 0 && marks[3] == Mark::Slow, "it loses sooner: {marks:?}");
    assert_eq!(judged.mistakes().count(), 1);
    let [x, o] = judged.players[..] else { panic!("two players: {:?}", judged.players) };
    assert_eq!((x.player, x.moves, x.mistakes), (1, 3, 0));
    assert_eq!((o.player, o.moves, o.mistakes), (2, 2, 1));
    let text = judged.text(game.kit(), true);
    assert!(text.contains("2. O b1?") && text.contains("better b2"), "{text}");
    for language in [Language::English, Language::Japanese] {
        let page = html(std::slice::from_ref(&judged), "Tic-tac-toe", game.kit(), language);
        assert!(page.contains("<svg") && page.starts_with("<!DOCTYPE html>"));
    }
}

#[test]
fn what_cannot_be_played_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let (_, solved) = solved(dir.path(), "tictactoe");
    let error =
        |line: &str| annotate(&*solved, &Record::read(line).unwrap()).unwrap_err().to_string();
    assert_eq!(error("a1 a1"), "move 2, 'a1', cannot be made at X........ O");
    assert!(error("nonsense | a1").contains("unknown character"));
    assert!(error("a1 b1 a2 b2 a3 c3").starts_with("move 6, 'c3', cannot be made at"));
}

#[test]
fn threats_and_the_simplest_win_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let (_, solved) = solved(dir.path(), "mutorere");
    for position in ["111122220", "122121102", "112112220"] {
        let answer = solved.probe(Some(position)).unwrap();
        let told = explain(&*solved, &answer).unwrap();
        let keeping = answer.moves.iter().filter(|mv| mv.value == answer.value).count();
        assert_eq!(told.keeping, keeping);
        assert!(told.single <= told.turns);
        let winning = answer.value == Some(Outcome::Win);
        let simplest = told.simplest.map(|simplest| simplest.name);
        let wins = |name: &String| {
            answer.moves.iter().any(|mv| mv.name == *name && mv.value == Some(Outcome::Win))
        };
        assert_eq!(simplest.is_some_and(|name| wins(&name)), winning, "{position}");
    }
}

#[test]
fn turns_are_counted_until_a_position_comes_back() {
    let dir = tempfile::tempdir().unwrap();
    let (_, solved) = solved(dir.path(), "pong-hau-ki");
    let line = solved.line(None).unwrap();
    assert_eq!(line.end, LineEnd::Repeats);
    let told = explain(&*solved, &solved.probe(None).unwrap()).unwrap();
    assert!(told.turns <= line.moves.len().div_ceil(2), "{told:?} in {} plies", line.moves.len());
    assert!(!told.cut);
}

#[test]
fn a_line_that_is_not_looked_into_to_its_end_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let (_, solved) = solved(dir.path(), "simpei");
    let longest = solved.find("longest", 1, &Silent).unwrap();
    let positions = longest.iter().flat_map(|finding| &finding.rows).flatten();
    let mut examples = positions.filter_map(|cell| match cell {
        Cell::Positions(examples) => examples.first(),
        _ => None,
    });
    let answer = solved.probe(examples.next().map(|example| &**example)).unwrap();
    assert!(answer.plies > Some(40), "{answer:?}");
    assert!(explain(&*solved, &answer).unwrap().cut);
    assert!(!explain(&*solved, &solved.probe(None).unwrap()).unwrap().cut, "21 plies");
}

#[test]
fn a_report_for_three_players_has_their_words() {
    let dir = tempfile::tempdir().unwrap();
    let entry = kanzen_games::all().find("threerow").unwrap();
    let given = ["rows=3", "columns=3"].map(str::to_owned);
    let game = entry.build(&given).unwrap();
    game.solve(dir.path(), None, &Job::default()).unwrap();
    let solved = game.open(dir.path()).unwrap();
    let other = |options: &[String]| entry.build(options)?.open(dir.path());
    let subject = Subject {
        entry,
        options: &entry.options(&given).unwrap(),
        game: &*game,
        solved: &*solved,
        made: Vec::new(),
        other: &other,
        quick: true,
    };
    let gathered = Gathered::new(&subject, &Silent).unwrap();
    for (language, word) in
        [(Language::English, "to force a win"), (Language::Japanese, "勝ちを強制する")]
    {
        let article = gathered.report(&subject, language).unwrap().article;
        let words: Vec<&String> = article
            .parts
            .iter()
            .filter_map(|part| match part {
                Part::Words(words) => Some(words),
                _ => None,
            })
            .flatten()
            .map(|(word, _)| word)
            .collect();
        assert!(words.iter().any(|it| **it == word), "{words:?}");
        let of_two = ["zugzwang", "ツークツワンク"];
        assert!(!words.iter().any(|it| of_two.contains(&it.as_str())), "{words:?}");
    }
}
