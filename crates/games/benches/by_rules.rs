//! Games by their rules alone beside the same games with an index: CPU time of both, and the time that
//! a value takes from a table of the first kind.
//! `cargo bench -p kanzen-games --bench by_rules` takes minutes.

use kanzen_analyse::{Random, Solved, Values, write_table};
use kanzen_core::{Drawing, Game, Next, NotationError, Trace};
use kanzen_games::classics::teeko;
use kanzen_games::simpei::{Move, Position, Simpei};
use kanzen_index::{Explicit, Indexed, Keyed, Place};
use kanzen_parts::Numbered;
use kanzen_solve::{Job, Silent, Solution, enumerate, solve};
use kanzen_table::Identity;

/// Simpei as an author writes it who does not care for an index: two sets of holes are the key.
#[derive(Clone)]
struct Plain(Simpei);

impl Game for Plain {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        self.0.start()
    }
    fn moves(&self, position: &Position, each: impl FnMut(Move)) {
        self.0.moves(position, each);
    }
    fn play(&self, position: &Position, mv: Move) -> Next<Position> {
        self.0.play(position, mv)
    }
    fn symmetries(&self) -> usize {
        self.0.symmetries()
    }
    fn image(&self, position: &Position, symmetry: usize) -> Position {
        self.0.image(position, symmetry)
    }
    fn parse(&self, text: &str) -> Result<Position, NotationError> {
        self.0.parse(text)
    }
    fn write(&self, position: &Position) -> String {
        self.0.write(position)
    }
    fn write_move(&self, position: &Position, mv: Move) -> String {
        self.0.write_move(position, mv)
    }
    fn draw(&self, position: &Position) -> Drawing {
        self.0.draw(position)
    }
    fn trace(&self, position: &Position, mv: Move) -> Trace {
        self.0.trace(position, mv)
    }
}

impl Keyed for Plain {
    fn key_limit(&self) -> u128 {
        1 << 50
    }
    fn key(&self, position: &Position) -> u128 {
        u128::from(position.mine) << 25 | u128::from(position.theirs)
    }
    fn with_key(&self, key: u128) -> Option<Position> {
        Some(Position { mine: (key >> 25) as u32, theirs: key as u32 & 0x1ff_ffff })
    }
}

/// Seconds of CPU time of this process, as Linux counts them.
fn cpu_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2);
    ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// The CPU time of some work.
fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let before = cpu_time();
    let result = work();
    (cpu_time() - before, result)
}

fn compare<I: Indexed, K: Keyed + Clone + 'static>(name: &str, indexed: &I, rules: &K) {
    let job = Job { memory: 16 << 30, ..Job::default() };
    let (index_time, solution) = timed(|| solve(indexed, &job, None).expect("a good game"));
    let (search_time, keys) = timed(|| enumerate(rules, &job, None).expect("a good game"));
    let explicit = Explicit::new(rules.clone(), keys);
    let (solve_time, by_rules) = timed(|| solve(&explicit, &job, None).expect("a good game"));
    let starts =
        (solution.value(indexed, &indexed.start()), by_rules.value(&explicit, &explicit.start()));
    assert_eq!(starts.0, starts.1);
    println!(
        "{name}: {} positions; index {index_time:.1} s; by rules {search_time:.1} + {solve_time:.1} s, {:.1} times",
        explicit.keys().len(),
        (search_time + solve_time) / index_time
    );
    println!("{name}: a value from the table takes {:.2} µs", probe(explicit, &by_rules));
}

/// Microseconds that a value takes, its block unpacked.
fn probe<K: Keyed + Clone + 'static>(game: Explicit<K>, solution: &Solution) -> f64 {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join("by-rules.kanzen");
    let (game_name, variant) = ("by-rules".to_owned(), Default::default());
    let identity = Identity { game: game_name, variant, index_version: 1, rules: None };
    write_table(&game, solution, &path, identity.clone(), 3, &Silent).expect("room for a table");
    let mut random = Random::new(1);
    let size = game.tiers()[0].size;
    let place = |index| Place { tier: 0, index };
    let some = std::iter::repeat_with(|| game.position(place(random.below(size))));
    let positions: Vec<K::Position> = some.flatten().take(200_000).collect();
    let solved = Solved::open(game, &path, &identity).expect("a good table");
    let read = |position| solved.value(position).expect("a good table");
    positions.iter().map(read).for_each(drop);
    let (seconds, wins) =
        timed(|| positions.iter().filter(|at| read(at).plies() == Some(1)).count());
    assert!(wins < positions.len());
    1e6 * seconds / positions.len() as f64
}

fn main() {
    let simpei = Simpei::new(3, false);
    compare("simpei, 3 pieces", &simpei, &Plain(simpei.clone()));
    let options = teeko::ENTRY.options(&["goals=58".to_owned()]).expect("an option of Teeko");
    let rules = teeko::game(&options);
    compare("teeko, 58 goals", &Numbered::new(rules.clone(), 4), &rules);
}
