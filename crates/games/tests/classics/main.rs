//! The classics against their pages: every number, by a plain solver.

mod consistent;
mod dense;
mod facts;
mod plain;

use consistent::{assert_consistent, reads_nothing_wrong};
use facts::{Told, Variant, differences, variants};
use kanzen_core::Value;
use kanzen_games::classics::*;
use kanzen_index::{Explicit, Keyed};
use kanzen_parts::{BoardGame, Position, Turn};
use kanzen_registry::Entry;
use kanzen_solve::{Job, enumerate};
use plain::solve;
use rayon::prelude::*;
use std::ops::Range;

fn entry(name: &str) -> &'static Entry {
    ALL.iter().find(|entry| entry.name == name).unwrap()
}

/// Positions that are counted together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    All,
    Mover(Turn),
    Stones(u32),
    Placing,
    Ply(u8),
    Moving,
    Men(u32, u32),
}

impl std::fmt::Display for Group {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Group::All => write!(f, "all"),
            Group::Mover(turn) => write!(f, "{turn:?} to move"),
            Group::Stones(stones) => write!(f, "{stones} stones"),
            Group::Placing => write!(f, "placing"),
            Group::Ply(ply) => write!(f, "placing, ply {ply}"),
            Group::Moving => write!(f, "moving"),
            Group::Men(mine, theirs) => write!(f, "{mine}, {theirs}"),
        }
    }
}

/// Up to symmetry where there are many positions, else one by one.
fn told(variant: &Variant) -> Told {
    let many = ["size=3x5", "size=4x4", "size=3x6", "size=5x4", "size=4x5", "size=5x5"];
    let large = matches!(variant.game, "breakthrough" | "connect-four")
        && variant.options.iter().any(|option| many.contains(&&**option));
    match variant.game {
        "six-mens-morris" | "gobblet" => Told::Sym,
        _ if large => Told::Sym,
        _ => Told::Raw,
    }
}

fn compare<G: Keyed>(
    game: &G,
    variant: &Variant,
    all: Range<u128>,
    groups: impl Fn(&G::Position, &mut dyn FnMut(Group)) -> bool,
) -> Vec<String> {
    let told = told(variant);
    let id = |position: &G::Position| match told {
        Told::Raw => game.key(position),
        Told::Sym => game.least_key(position),
    };
    let start = game.start();
    assert!(told == Told::Raw || (0..game.symmetries()).all(|at| game.image(&start, at) == start));
    let solution = if variant.positions == "reached" {
        solve(game, [start].into_iter(), id)
    } else {
        let least = |key| game.with_key(key).filter(|at| game.least_key(at) == key);
        solve(game, all.filter_map(least), id)
    };
    let value = |position: &G::Position| solution.value(id(position));
    differences(game, told, solution.positions(), value, groups, variant)
}

fn board_game(game: BoardGame, variant: &Variant) -> Vec<String> {
    let six = variant.game == "six-mens-morris";
    let groups = |position: &Position, each: &mut dyn FnMut(Group)| {
        each(Group::All);
        each(Group::Mover(position.turn));
        if variant.game == "connect-four" {
            each(Group::Stones(position.all().count_ones()));
        }
        if six && position.count < 12 {
            each(Group::Placing);
            each(Group::Ply(position.count));
        } else if six {
            each(Group::Moving);
            each(Group::Men(position.x.count_ones(), position.o.count_ones()));
        }
        game.rules().decided(position).is_none()
    };
    // Keys are ordered by the count: the last ones are those of the moving phase.
    let last = game.key_limit() / u128::from(game.rules().counts().unwrap_or(1));
    compare(&game, variant, game.key_limit() - last..game.key_limit(), groups)
}

fn gobblet_game(game: gobblet::Gobblet, variant: &Variant) -> Vec<String> {
    let all = 0..game.key_limit();
    compare(&game, variant, all, |_, each| {
        each(Group::All);
        false
    })
}

/// Calls a function with the game of a variant: one for games of parts, one for Gobblet.
macro_rules! with_game {
    ($variant:expr, $board:path, $gobblet:path) => {{
        let options = entry($variant.game).options(&$variant.options).unwrap();
        match $variant.game {
            "achi" => $board(achi::game(&options), $variant),
            "breakthrough" => $board(breakthrough::game(&options), $variant),
            "connect-four" => $board(connect_four::game(&options), $variant),
            "dodgem" => $board(dodgem::game(&options), $variant),
            "gobblet" => $gobblet(gobblet::game(&options), $variant),
            "hare-and-hounds" => $board(hare_and_hounds::game(&options), $variant),
            "hexapawn" => $board(hexapawn::game(&options), $variant),
            "l-game" => $board(l_game::game(&options), $variant),
            "mu-torere" => $board(mu_torere::game(&options), $variant),
            "nine-holes" => $board(nine_holes::game(&options), $variant),
            "picaria" => $board(picaria::game(&options), $variant),
            "pong-hau-ki" => $board(pong_hau_ki::game(&options), $variant),
            "six-mens-morris" => $board(six_mens_morris::game(&options), $variant),
            "tapatan" => $board(tapatan::game(&options), $variant),
            "three-mens-morris" => $board(three_mens_morris::game(&options), $variant),
            "tictactoe" => $board(tictactoe::game(&options), $variant),
            "tsoro-yematatu" => $board(tsoro_yematatu::game(&options), $variant),
            name => panic!("no test for {name}"),
        }
    }};
}

/// Whether a variant takes long.
fn is_long(variant: &Variant) -> bool {
    match variant.game {
        "breakthrough" => variant.options.contains(&"size=3x6".to_owned()),
        "connect-four" => variant.options.contains(&"size=5x5".to_owned()),
        "six-mens-morris" => variant.positions == "all" || !variant.options.is_empty(),
        _ => false,
    }
}

fn is_full_gobblet(variant: &Variant) -> bool {
    variant.game == "gobblet" && variant.options.len() < 3
}

fn check_all(chosen: impl Fn(&Variant) -> bool) {
    let chosen: Vec<Variant> = variants().into_iter().filter(chosen).collect();
    let wrong = chosen.par_iter().flat_map_iter(|variant| {
        let (name, options) = (variant.game, variant.options.join(" "));
        let differences = with_game!(variant, board_game, gobblet_game);
        differences.into_iter().map(move |text| format!("{name} {options}: {text}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_number_of_the_pages_is_reached() {
    check_all(|variant| !is_long(variant) && !is_full_gobblet(variant));
}

/// The engine for games without an index finds the positions and values of the plain solver.
fn engine_agrees<G: Keyed + Clone>(game: G, variant: &Variant) {
    let name = format!("{} {:?}", variant.game, variant.options);
    let expected = solve(&game, [game.start()].into_iter(), |position| game.least_key(position));
    let job = Job { threads: 1, ..Job::default() };
    let keys = enumerate(&game, &job, None).unwrap();
    assert_eq!(keys.len(), expected.positions().count() as u64, "{name}");
    let explicit = Explicit::new(game, keys);
    let solution = kanzen_solve::solve(&explicit, &job, None).unwrap();
    for (position, value, _) in expected.positions() {
        let found = solution.value(&explicit, &position);
        // The plain solver knows no distance of a draw.
        let same = found == value || [found, value].iter().all(|v| matches!(v, Value::Draw(_)));
        assert!(same, "{name}: {position:?} is {value:?}, the engine says {found:?}");
    }
}

#[test]
fn the_engine_agrees_with_the_plain_solver() {
    let small = |variant: &Variant| {
        let large = is_long(variant) || is_full_gobblet(variant) || variant.positions == "all";
        !large && told(variant) == Told::Raw
            || variant.game == "gobblet" && !is_full_gobblet(variant)
    };
    let mut chosen: Vec<Variant> = variants().into_iter().filter(small).collect();
    assert!(chosen.len() > 40);
    let misere = |mut variant: Variant| {
        let has_goal = entry(variant.game).options.iter().any(|option| option.name == "goal");
        let given = variant.options.iter().any(|option| option.starts_with("goal="));
        variant.options.push("goal=misere".to_owned());
        (has_goal && !given).then_some(variant)
    };
    let others: Vec<Variant> = variants().into_iter().filter(small).filter_map(misere).collect();
    assert!(others.len() > 10);
    chosen.extend(others);
    chosen.par_iter().for_each(|variant| with_game!(variant, engine_agrees, engine_agrees));
}

#[test]
fn every_game_is_consistent_with_itself() {
    for variant in variants() {
        with_game!(&variant, assert_consistent, assert_consistent);
    }
}

#[test]
fn any_text_is_read_safely() {
    for variant in variants() {
        with_game!(&variant, reads_nothing_wrong, reads_nothing_wrong);
    }
}

#[test]
#[ignore = "takes two minutes and gigabytes"]
fn every_number_of_the_large_boards_is_reached() {
    check_all(is_long);
}

#[test]
#[ignore = "takes half an hour and 6 gigabytes"]
fn every_number_of_the_full_gobblet_is_reached() {
    for options in [vec![], vec!["both=mover".to_owned()]] {
        let game = gobblet::game(&entry("gobblet").options(&options).unwrap());
        let dense = dense::solve(&game);
        let same = |variant: &Variant| variant.game == "gobblet" && variant.options == options;
        for mut variant in variants().into_iter().filter(same) {
            variant
                .facts
                .retain(|&(fact, value)| fact != "farthest" || value.parse() != Ok(dense.farthest));
            let wrong = differences(
                &game,
                Told::Sym,
                dense.positions(&game, variant.positions == "reached"),
                |position| dense.value(&game, position),
                |_, each| {
                    each(Group::All);
                    false
                },
                &variant,
            );
            assert!(wrong.is_empty(), "{options:?}: {wrong:#?}");
        }
    }
}
