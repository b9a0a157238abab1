//! The check of a game's own consistency, for its author: on random positions, do the parts of the
//! game agree with each other?

use crate::Random;
use kanzen_core::{Drawing, Endless, Game, Next, Outcome, Side};
use kanzen_index::{FirstLook, Indexed, Keyed, Place, Sight};
use std::collections::{BTreeMap, HashSet};

/// Plies of a random game from the start.
const WALK: usize = 30;

/// Something that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// What was tested.
    pub test: &'static str,
    /// The position, in the game's notation.
    pub position: String,
    /// What was expected and what was found.
    pub problem: String,
}

/// Tests the game on about `samples` positions, some from random indices and some from random
/// games, and returns at most one flaw of each kind of problem.
pub fn check<G: Indexed>(game: &G, samples: u64, seed: u64) -> Vec<Flaw> {
    let mut checker = Checker { game, flaws: BTreeMap::new() };
    checker.tiers();
    let mut random = Random::new(seed);
    let mut position = game.start();
    for sample in 0..samples {
        if sample % 2 == 0 {
            let sizes: Vec<u64> = game.tiers().iter().map(|tier| tier.size).collect();
            let tier = random.below(sizes.len() as u64) as usize;
            if sizes[tier] == 0 {
                continue;
            }
            let index = random.below(sizes[tier]);
            checker.place(Place { tier, index });
        } else {
            checker.position(&position);
            position = step(game, &position, &mut random);
        }
    }
    checker.flaws.into_values().collect()
}

/// Tests a game without an index on the positions of random games, and returns at most one flaw of
/// each kind of problem.
pub fn check_rules<G: Keyed>(game: &G, samples: u64, seed: u64) -> Vec<Flaw> {
    let mut checker = Checker { game, flaws: BTreeMap::new() };
    let mut random = Random::new(seed);
    let mut position = game.start();
    for _ in 0..samples {
        checker.rules(&position);
        checker.key(&position);
        position = step(game, &position, &mut random);
    }
    checker.flaws.into_values().collect()
}

/// A position after a random move; now and then, and where there is none, the start.
fn step<G: Game>(game: &G, position: &G::Position, random: &mut Random) -> G::Position {
    let mut children = Vec::new();
    game.successors(position, |next| {
        children.extend(next.position());
    });
    match children.len() as u64 {
        n if n > 0 && random.below(WALK as u64) > 0 => children[random.below(n) as usize],
        _ => game.start(),
    }
}

struct Checker<'g, G> {
    game: &'g G,
    flaws: BTreeMap<&'static str, Flaw>,
}

impl<G: Game> Checker<'_, G> {
    /// Notes a problem, unless one of the kind is known.
    fn expect(
        &mut self,
        holds: bool,
        test: &'static str,
        position: &G::Position,
        problem: impl FnOnce() -> String,
    ) {
        if !holds {
            let game = self.game;
            self.flaws.entry(test).or_insert_with(|| Flaw {
                test,
                position: game.write(position),
                problem: problem(),
            });
        }
    }

    /// What a position says of itself, whatever numbers it.
    fn rules(&mut self, position: &G::Position) {
        self.notation(position);
        self.moves(position);
        self.mover(position);
        self.passed(position);
        self.drawing(position);
    }

    fn notation(&mut self, position: &G::Position) {
        let text = self.game.write(position);
        let read = self.game.parse(&text);
        self.expect(read.as_ref() == Ok(position), "notation", position, || {
            format!("'{text}' is read as {read:?}, expected {position:?}")
        });
    }

    /// The images of a position; `number` must be the same for all, and their moves lead to the same
    /// numbers.
    fn images<N: Ord>(
        &mut self,
        position: &G::Position,
        number: impl Fn(&G::Position) -> N,
    ) -> Vec<G::Position> {
        let game = self.game;
        let images: Vec<G::Position> =
            (0..game.symmetries()).map(|symmetry| game.image(position, symmetry)).collect();
        self.expect(images.first() == Some(position), "symmetry", position, || {
            "symmetry 0 is not the identity".to_owned()
        });
        let own = number(position);
        let elsewhere = images.iter().find(|image| number(image) != own);
        self.expect(elsewhere.is_none(), "symmetry", position, || {
            let image = elsewhere.map_or(String::new(), |image| game.write(image));
            format!("its image {image} has another index or key")
        });
        let worth = |position: &G::Position| {
            let (mut numbers, mut ends) = (Vec::new(), Vec::new());
            game.successors(position, |next| match next {
                Next::Position(child) => numbers.push((false, number(&child))),
                Next::Again(child) => numbers.push((true, number(&child))),
                Next::Over(outcome) => ends.push(outcome),
            });
            numbers.sort_unstable();
            ends.sort_unstable();
            (numbers, ends, game.over(position))
        };
        let own = worth(position);
        let odd = images.iter().find(|image| worth(image) != own);
        self.expect(odd.is_none(), "symmetry of moves", position, || {
            let image = odd.map_or(String::new(), |image| game.write(image));
            format!("the moves of its image {image} lead elsewhere")
        });
        images
    }

    fn moves(&mut self, position: &G::Position) {
        let game = self.game;
        let mut names = HashSet::new();
        let mut results = Vec::new();
        let mut same_name = None;
        let mut apart = None;
        game.moves(position, |mv| {
            results.push(game.play(position, mv));
            let name = game.write_move(position, mv);
            if name.is_empty() || name.contains(char::is_whitespace) {
                apart = Some(name.clone());
            }
            if !names.insert(name.clone()) {
                same_name = Some(name);
            }
        });
        self.expect(same_name.is_none(), "move names", position, || {
            format!("two moves are called {}", same_name.unwrap_or_default())
        });
        // Games are written as moves with spaces between them.
        self.expect(apart.is_none(), "move words", position, || {
            format!("'{}' is not one word", apart.unwrap_or_default())
        });
        let over = game.over(position).is_some();
        self.expect(over == results.is_empty(), "end of the game", position, || match over {
            true => format!("the game is over, yet there are {} moves", results.len()),
            false => "the game is not over, yet there is no move".to_owned(),
        });
        let mut direct = Vec::new();
        game.successors(position, |next| direct.push(next));
        self.expect(direct == results, "successors", position, || {
            "successors() and moves() with play() differ".to_owned()
        });
        let ends = results.contains(&Next::Over(Outcome::Win));
        let wins = ends
            || results.iter().any(|next| match next {
                Next::Position(child) => game.over(child) == Some(Outcome::Loss),
                Next::Again(child) => game.over(child) == Some(Outcome::Win),
                Next::Over(_) => false,
            });
        let said = game.wins_at_once(position);
        let fits = if said { wins } else { !ends };
        self.expect(over || fits, "wins at once", position, || {
            format!("wins_at_once() says {said}, its moves say {wins}")
        });
    }

    /// Who is to move: where one side wins by endless play, the sides must take turns.
    fn mover(&mut self, position: &G::Position) {
        let game = self.game;
        let drawn = game.draw(position).turn;
        let said = game.mover(position);
        self.expect(drawn.is_none_or(|drawn| drawn == said), "mover", position, || {
            format!("mover() says {said:?}, and the drawing {drawn:?}")
        });
        let mut again = false;
        game.successors(position, |next| again |= matches!(next, Next::Again(_)));
        self.expect(!again || !game.takes_turns(), "turns", position, || {
            "a move leads to another of the same side, yet takes_turns() is true".to_owned()
        });
        if game.endless() == Endless::Draw {
            return;
        }
        let mut wrong = None;
        game.successors(position, |next| {
            let expected = if matches!(next, Next::Again(_)) { said } else { said.other() };
            wrong = wrong.or(next.position().filter(|child| game.mover(child) != expected));
        });
        self.expect(wrong.is_none(), "endless play", position, || {
            let child = wrong.map_or(String::new(), |child| game.write(&child));
            format!("it is won by one side, yet after {said:?} the wrong side moves in {child}")
        });
    }

    /// The same board with the other side to move.
    fn passed(&mut self, position: &G::Position) {
        let game = self.game;
        let Some(passed) = game.passed(position) else { return };
        let back = game.passed(&passed);
        // A game may say of a position that is over that nobody passes there.
        self.expect(back.is_none_or(|back| back == *position), "passed", position, || {
            format!("two passes lead to {back:?}, not back")
        });
        let (here, there) = (game.draw(position), game.draw(&passed));
        let turned = here.turn.is_none();
        self.expect(turned || here.turn != there.turn, "passed", position, || {
            "a pass leaves the same side to move".to_owned()
        });
        // Drawn from the mover's side, the pieces change their owners.
        let pieces = |drawing: &Drawing, exchange: bool| {
            let mut pieces: Vec<(usize, Side)> = drawing
                .pieces
                .iter()
                .map(|piece| (piece.spot, if exchange { piece.side.other() } else { piece.side }))
                .collect();
            pieces.sort_unstable_by_key(|&(spot, side)| (spot, side.number()));
            pieces
        };
        let same = pieces(&here, turned) == pieces(&there, false);
        self.expect(same, "passed", position, || {
            format!("a pass changes the board: it leads to {}", game.write(&passed))
        });
    }

    fn drawing(&mut self, position: &G::Position) {
        let game = self.game;
        let drawing = game.draw(position);
        let spots = drawing.spots.len();
        let fits = drawing.lines.iter().all(|&(a, b)| a < spots && b < spots)
            && drawing.pieces.iter().all(|piece| piece.spot < spots);
        self.expect(fits, "drawing", position, || {
            format!("a line or piece is on a spot beyond the {spots} that there are")
        });
        let mover = game.mover(position);
        let (mut beyond, mut bare) = (false, None);
        game.moves(position, |mv| {
            let trace = game.trace(position, mv);
            let moved = |from| {
                // What goes nowhere is taken away, whosever it is.
                let taken = trace.to.is_none();
                let own = |side| taken || side == mover || side == Side::Neutral;
                drawing.pieces.iter().any(|piece| piece.spot == from && own(piece.side))
            };
            if !trace.from.is_none_or(moved) {
                bare = Some(game.write_move(position, mv));
            }
            let mut touched = trace.from.iter().chain(&trace.to).chain(&trace.also);
            beyond |= touched.any(|&spot| spot >= spots);
        });
        self.expect(!beyond, "drawing", position, || {
            format!("a move touches a spot beyond the {spots} that there are")
        });
        self.expect(bare.is_none(), "trace", position, || {
            let name = bare.unwrap_or_default();
            format!("the trace of {name} leaves a spot where the mover has no piece")
        });
    }
}

impl<G: Indexed> Checker<'_, G> {
    fn tiers(&mut self) {
        let names: HashSet<&str> = self.game.tiers().iter().map(|tier| &*tier.name).collect();
        let start = self.game.start();
        let count = self.game.tiers().len();
        self.expect(names.len() == count, "tiers", &start, || {
            "two tiers have the same name".to_owned()
        });
    }

    /// An index and its position.
    fn place(&mut self, place: Place) {
        let Some(position) = self.game.position(place) else { return };
        let back = self.game.locate(&position);
        self.expect(back == place, "index", &position, || {
            format!("position({place:?}) is located at {back:?}")
        });
        self.position(&position);
    }

    fn position(&mut self, position: &G::Position) {
        let game = self.game;
        if !game.has_place(position) {
            self.notation(position);
            let seen = matches!(game.sight(position), Sight::Value(_) | Sight::Moves);
            return self.expect(seen, "place", position, || {
                "it has no place, yet its value is not seen without one".to_owned()
            });
        }
        self.rules(position);
        let place = game.locate(position);
        let tier = game.tier(position);
        self.expect(tier == place.tier, "tier", position, || {
            format!("tier() is {tier} and locate() says {}", place.tier)
        });
        let inside = game.tiers().get(place.tier).is_some_and(|tier| place.index < tier.size);
        self.expect(inside, "index", position, || format!("{place:?} lies outside of its tier"));
        if inside {
            self.symmetry(position, place);
            self.order(position, place);
            self.unmoves(position, place);
        }
    }

    fn symmetry(&mut self, position: &G::Position, place: Place) {
        let game = self.game;
        let images =
            self.images(position, |image| game.has_place(image).then(|| game.locate(image)));
        let home = game.position(place);
        let known = home.is_some_and(|home| images.contains(&home));
        self.expect(known, "index", position, || {
            format!("the position at its index {place:?} is {home:?}, no image of it")
        });
        let orbit = images.iter().collect::<HashSet<_>>().len() as u32;
        let said = game.orbit(position);
        self.expect(said == orbit, "orbit", position, || {
            format!("it has {orbit} different images, orbit() says {said}")
        });
    }

    /// What the engine is told of a position's moves, and the tiers that they lead to.
    fn order(&mut self, position: &G::Position, place: Place) {
        let game = self.game;
        let mut results = Vec::new();
        game.successors(position, |next| results.push(next));
        if let Some(FirstLook::Moves(said)) = game.first_look(position) {
            let placed = |next: &&Next<G::Position>| match next {
                Next::Position(child) | Next::Again(child) => game.has_place(child),
                Next::Over(_) => false,
            };
            let found = results.iter().filter(placed).count() as u32;
            self.expect(said == found, "first look", position, || {
                format!("{found} moves lead to positions with a place, first_look() says {said}")
            });
        }
        let loops = game.tiers()[place.tier].loops;
        let back = results.iter().find_map(|next| {
            let child = next.position().filter(|child| game.has_place(child))?;
            let tier = game.tier(&child);
            (tier > place.tier || tier == place.tier && !loops).then_some(tier)
        });
        let mut again = results.iter().filter(|next| matches!(next, Next::Again(_)));
        let inside =
            again.any(|next| next.position().is_some_and(|child| game.tier(&child) == place.tier));
        self.expect(!G::UNMOVES || !inside, "turns", position, || {
            "a side moves again within a tier: such a tier can have no un-moves".to_owned()
        });
        self.expect(back.is_none(), "tier order", position, || {
            let tier = back.unwrap_or_default();
            format!("a move leads from tier {} to tier {tier}", place.tier)
        });
    }

    /// Successors against predecessors, both ways.
    fn unmoves(&mut self, position: &G::Position, place: Place) {
        if !G::UNMOVES {
            return;
        }
        let game = self.game;
        let ways = |from: &G::Position, to: &G::Position| {
            let mut ways = 0;
            game.successors(from, |next| ways += u32::from(next == Next::Position(*to)));
            ways
        };
        let mut before: BTreeMap<G::Position, u32> = BTreeMap::new();
        game.predecessors(position, |source| *before.entry(source).or_default() += 1);
        for (source, &said) in &before {
            let found = ways(source, position);
            self.expect(said == found, "predecessors", position, || {
                let source = game.write(source);
                format!("{said} un-moves lead to {source}, and {found} moves lead from there")
            });
            let over = game.over(source).is_some();
            self.expect(!over, "predecessors", position, || {
                format!("an un-move leads to {}, where the game is over", game.write(source))
            });
        }
        let mut children = HashSet::new();
        game.successors(position, |next| {
            if let Next::Position(child) = next
                && game.has_place(&child)
                && game.tier(&child) == place.tier
            {
                children.insert(child);
            }
        });
        for child in children {
            let mut said = 0;
            game.predecessors(&child, |source| said += u32::from(source == *position));
            let found = ways(position, &child);
            self.expect(said == found, "predecessors", &child, || {
                let source = game.write(position);
                format!("{said} un-moves lead to {source}, and {found} moves lead from there")
            });
        }
    }
}

impl<G: Keyed> Checker<'_, G> {
    fn key(&mut self, position: &G::Position) {
        let game = self.game;
        let (key, limit) = (game.key(position), game.key_limit());
        self.expect(key < limit, "key", position, || {
            format!("its key {key} is not less than key_limit(), {limit}")
        });
        let back = game.with_key(key);
        self.expect(back.as_ref() == Some(position), "key", position, || {
            format!("its key {key} is that of {back:?}, expected {position:?}")
        });
        let images = self.images(position, |image| game.least_key(image));
        let said = game.least_key(position);
        self.expect(
            images.iter().any(|image| game.key(image) == said),
            "least key",
            position,
            || format!("least_key() is {said}, which is the key of none of its images"),
        );
    }
}
