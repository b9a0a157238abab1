//! What must hold for any position of any game.

use crate::facts::Variant;
use kanzen_analyse::Random;
use kanzen_core::{Next, Outcome, Piece};
use kanzen_index::Keyed;
use std::collections::HashSet;

/// The parts of a game agree with each other in random games.
pub fn assert_consistent<G: Keyed>(game: G, variant: &Variant) {
    let mut random = Random::new(7);
    let mut position = game.start();
    for _ in 0..2000 {
        let name = format!("{} {:?}: {}", variant.game, variant.options, game.write(&position));
        assert_eq!(game.parse(&game.write(&position)).as_ref(), Ok(&position), "{name}");
        assert!(game.key(&position) < game.key_limit(), "{name}");
        assert_eq!(game.with_key(game.key(&position)), Some(position), "{name}");
        let drawing = game.draw(&position);
        assert_eq!(game.compose(&drawing), Some(game.write(&position)), "{name}");
        let labelled = |piece: &Piece| game.kit().kind(piece.side, &piece.label).is_some();
        assert!(drawing.pieces.iter().all(labelled), "{name}");
        let (mut children, mut names, mut wins) = (Vec::new(), HashSet::new(), false);
        game.moves(&position, |mv| {
            let Next::Position(child) = game.play(&position, mv) else { panic!("{name}") };
            wins |= game.over(&child) == Some(Outcome::Loss);
            children.push(child);
            assert!(names.insert(game.write_move(&position, mv)), "{name}: a name twice");
            let trace = game.trace(&position, mv);
            let mut spots = trace.from.iter().chain(&trace.to).chain(&trace.also);
            assert!(spots.all(|&spot| spot < drawing.spots.len()), "{name}");
        });
        assert_eq!(game.over(&position).is_some(), children.is_empty(), "{name}");
        assert!(wins || !game.wins_at_once(&position), "{name}");
        let mut direct = Vec::new();
        game.successors(&position, |next| direct.push(next));
        assert!(
            direct.into_iter().eq(children.iter().map(|&child| Next::Position(child))),
            "{name}"
        );
        let classes = |position: &G::Position| {
            let mut classes = Vec::new();
            game.successors(position, |next| {
                let Next::Position(child) = next else { return };
                classes.push(game.least_key(&child));
            });
            classes.sort_unstable();
            (classes, game.over(position))
        };
        let images = || (0..game.symmetries()).map(|symmetry| game.image(&position, symmetry));
        let chosen = game.least_key(&position);
        assert!(images().any(|image| game.key(&image) == chosen), "{name}");
        for image in images() {
            assert_eq!(game.least_key(&image), chosen, "{name}");
            assert_eq!(classes(&image), classes(&position), "{name}");
        }
        if let Some(passed) = game.passed(&position) {
            assert_eq!(game.parse(&game.write(&passed)), Ok(passed), "{name}");
        }
        position = match children.len() as u64 {
            0 => game.start(),
            count => children[random.below(count) as usize],
        };
    }
}

/// Any text is a position that can be written and read again, or an error.
pub fn reads_nothing_wrong<G: Keyed>(game: G, _: &Variant) {
    let start = game.write(&game.start());
    let mut texts =
        vec![String::new(), " ".into(), "X".repeat(100), "é/ü/漢 X 0".into(), "/////// O".into()];
    for (at, _) in start.char_indices() {
        texts.extend([start[..at].to_owned(), start.replacen(&start[at..=at], "?", 1)]);
        texts.extend(
            ["X", "O", "-", "9 9"].map(|put| format!("{}{put}{}", &start[..at], &start[at..])),
        );
    }
    for text in texts {
        if let Ok(position) = game.parse(&text) {
            assert_eq!(game.parse(&game.write(&position)), Ok(position), "{text}");
        }
    }
    assert_eq!(game.with_key(game.key_limit()), None);
    assert_eq!(game.with_key(u128::MAX), None);
}
