//! What holds for every registered game.

use kanzen_core::Language;
use kanzen_games::all;
use kanzen_registry::{Entry, GameError};

fn find(name: &str) -> Result<&'static Entry, GameError> {
    all().find(name)
}

#[test]
fn every_game_is_consistent_with_itself_in_every_variant() {
    for entry in all().entries() {
        let mut variants = vec![vec![]];
        for option in entry.options {
            let values = option.values.iter().map(|value| format!("{}={value}", option.name));
            variants.extend(values.map(|option| vec![option]));
        }
        for options in variants {
            let game = entry.build(&options).unwrap();
            let findings = game.check(1000, 7);
            assert!(findings.is_empty(), "{} {options:?}: {findings:#?}", entry.name);
        }
    }
}

#[test]
fn every_game_draws_its_start() {
    for entry in all().entries() {
        let game = entry.build(&[]).unwrap();
        let drawing = game.draw(None).unwrap();
        assert!(!drawing.spots.is_empty(), "{}", entry.name);
        let again = game.draw(Some(&game.start())).unwrap();
        assert_eq!(drawing, again, "{}: the start is read back", entry.name);
        let svg = kanzen_show::svg(&drawing, game.kit(), Language::English);
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{}", entry.name);
        assert!(kanzen_show::text(&drawing, true).lines().count() > 2, "{}", entry.name);
    }
}

#[test]
fn what_is_drawn_is_composed_again() {
    for entry in all().entries() {
        let game = entry.build(&[]).unwrap();
        let drawing = game.draw(None).unwrap();
        let Some(text) = game.compose(&drawing) else { continue };
        assert_eq!(text, game.start(), "{}", entry.name);
        for piece in &drawing.pieces {
            let kind = game.kit().kind(piece.side, &piece.label);
            assert!(kind.is_some(), "{}: {piece:?} is no kind of piece", entry.name);
        }
    }
}

#[test]
fn wrong_names_and_options_are_named_with_what_is_allowed() {
    let message = |error: GameError| error.to_string();
    let unknown = find("chess").err().map(message).unwrap();
    assert!(unknown.contains("'chess'") && unknown.contains("simpei"), "{unknown}");
    let simpei = find("simpei").unwrap();
    for (option, expected) in [
        ("first", "not of the form name=value"),
        ("colour=red", "this game's options are first, pieces"),
        ("pieces=9", "allowed are 4, 3, 2"),
    ] {
        let error = simpei.build(&[option.to_owned()]).err().map(message).unwrap();
        assert!(error.contains(expected), "{option}: {error}");
    }
    let none = find("mutorere").unwrap().build(&["a=b".to_owned()]).err().map(message).unwrap();
    assert!(none.contains("options are none"), "{none}");
}

#[test]
fn unreadable_positions_are_refused_with_a_reason() {
    let simpei = find("simpei").unwrap().build(&[]).unwrap();
    let long = "0".repeat(100_000);
    for (text, expected) in [
        ("", "expected 25 digits, found 0"),
        ("1", "expected 25 digits, found 1"),
        (&*long, "expected 25 digits, found 100000"),
        ("0000-0000-0x00-0000/000-000-000", "unknown character 'x' at 12"),
        ("1110-0000-0000-0000/000-000-000", "the side to move: expected 1, found 3"),
        ("1111-1222-2220-0000/000-000-000", "pieces on the board: expected at most 8, found 11"),
        ("1111-1222-0000-0000/000-000-000", "the side to move: expected 4, found 5"),
        ("💥", "unknown character"),
    ] {
        let error = simpei.draw(Some(text)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let mutorere = find("mutorere").unwrap().build(&[]).unwrap();
    for text in ["111122220x", "11112222", "111222200", "999999999"] {
        assert!(mutorere.draw(Some(text)).is_err(), "{text}");
    }
}

#[test]
fn options_have_words_for_people() {
    for spec in all().entries().flat_map(|entry| entry.options) {
        let words = spec.called.len();
        let plain = |value: &&str| value.split('x').all(|part| part.parse::<u8>().is_ok());
        if words == 0 {
            assert!(spec.values.iter().all(plain), "{} has no words for its values", spec.name);
        } else {
            assert_eq!(words, spec.values.len(), "{}", spec.name);
        }
    }
}
