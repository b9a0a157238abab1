//! What the pages of the classics say, and the same counted from a solution.

use kanzen_core::{Next, Value};
use kanzen_index::Keyed;
use std::collections::{BTreeMap, HashSet};

/// A variant and the facts to reach: `fact` and `value`.
pub struct Variant {
    pub game: &'static str,
    pub options: Vec<String>,
    /// `reached` from the start, or `all` that there are.
    pub positions: &'static str,
    pub facts: Vec<(&'static str, &'static str)>,
}

/// All variants of the file.
pub fn variants() -> Vec<Variant> {
    let mut variants: Vec<Variant> = Vec::new();
    for line in include_str!("../data/classics.csv").lines().skip(1) {
        let [game, options, positions, fact, value] =
            line.split(';').collect::<Vec<_>>().try_into().expect("five columns");
        let options: Vec<String> = options.split_whitespace().map(str::to_owned).collect();
        let same = |last: &Variant| {
            (last.game, &last.options, last.positions) == (game, &options, positions)
        };
        if !variants.last().is_some_and(same) {
            variants.push(Variant { game, options, positions, facts: Vec::new() });
        }
        variants.last_mut().unwrap().facts.push((fact, value));
    }
    variants
}

/// Counts of positions, each raw and up to symmetry.
#[derive(Default)]
struct Tally {
    outcomes: [[u64; 2]; 3],
    ended: [u64; 2],
    stuck: [u64; 2],
    won: BTreeMap<u16, [u64; 2]>,
    lost: BTreeMap<u16, [u64; 2]>,
}

fn add(counts: &mut [u64; 2], weight: [u64; 2]) {
    (counts[0], counts[1]) = (counts[0] + weight[0], counts[1] + weight[1]);
}

impl Tally {
    fn add(&mut self, value: Value, ended: bool, stuck: bool, weight: [u64; 2]) {
        let outcome = match value {
            Value::Win(plies) => {
                add(self.won.entry(plies).or_default(), weight);
                0
            }
            Value::Draw(_) => 1,
            Value::Loss(plies) => {
                add(self.lost.entry(plies).or_default(), weight);
                2
            }
        };
        add(&mut self.outcomes[outcome], weight);
        add(&mut self.ended, weight.map(|weight| weight * u64::from(ended)));
        add(&mut self.stuck, weight.map(|weight| weight * u64::from(stuck)));
    }

    fn write(&self, name: &str, facts: &mut BTreeMap<String, String>) {
        let mut fact = |fact: String, value: u64| {
            facts.insert(format!("{name}: {fact}"), value.to_string());
        };
        for (at, how) in ["raw", "sym"].into_iter().enumerate() {
            fact(how.to_owned(), self.outcomes.iter().map(|counts| counts[at]).sum());
            fact(format!("ended {how}"), self.ended[at]);
            fact(format!("stuck {how}"), self.stuck[at]);
            for plies in 0..200 {
                let count =
                    |found: &BTreeMap<u16, [u64; 2]>| found.get(&plies).map_or(0, |c| c[at]);
                fact(format!("won in {plies} {how}"), count(&self.won));
                fact(format!("lost in {plies} {how}"), count(&self.lost));
            }
        }
        let longest =
            |found: &BTreeMap<u16, [u64; 2]>| found.keys().last().map_or(0, |&p| p.into());
        let (win, loss) = (longest(&self.won), longest(&self.lost));
        fact("longest win".to_owned(), win);
        fact("longest loss".to_owned(), loss);
        fact("deepest".to_owned(), win.max(loss));
        for (at, how) in ["raw", "sym"].into_iter().enumerate() {
            let [won, drawn, lost] = self.outcomes.map(|counts| counts[at]);
            facts.insert(format!("{name}: {how} W/D/L"), format!("{won}/{drawn}/{lost}"));
        }
    }
}

fn write(value: Value) -> String {
    match value {
        Value::Win(plies) => format!("W {plies}"),
        Value::Draw(_) => "D".to_owned(),
        Value::Loss(plies) => format!("L {plies}"),
    }
}

/// How positions were told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// Every position for itself.
    Raw,
    /// One for all its images, in a game whose start is its own image.
    Sym,
}

/// The differences between what solved positions have (each with its value, and whether it is ended)
/// and what is expected. `groups` names the groups that a position belongs to, and tells whether it is
/// not decided; `value` is that of any position.
pub fn differences<G: Keyed, N: Ord + ToString>(
    game: &G,
    told: Told,
    solved: impl Iterator<Item = (G::Position, Value, bool)>,
    value: impl Fn(&G::Position) -> Option<Value>,
    groups: impl Fn(&G::Position, &mut dyn FnMut(N)) -> bool,
    variant: &Variant,
) -> Vec<String> {
    let mut tallies: BTreeMap<N, Tally> = BTreeMap::new();
    let mut classes = HashSet::new();
    for (position, value, ended) in solved {
        let images = || (0..game.symmetries()).map(|symmetry| game.image(&position, symmetry));
        let weight = match told {
            Told::Raw => [1, u64::from(classes.insert(game.least_key(&position)))],
            Told::Sym => {
                let fixed = images().filter(|image| *image == position).count();
                [(game.symmetries() / fixed) as u64, 1]
            }
        };
        let mut names = Vec::new();
        let stuck = groups(&position, &mut |name| names.push(name)) && ended;
        for name in names {
            tallies.entry(name).or_default().add(value, ended, stuck, weight);
        }
    }
    let mut facts = BTreeMap::new();
    tallies.iter().for_each(|(name, tally)| tally.write(&name.to_string(), &mut facts));
    let value = |position: &G::Position| value(position).map_or(String::new(), write);
    facts.insert("start".to_owned(), value(&game.start()));
    // First moves are compared up to symmetry.
    let mut after: BTreeMap<u128, String> = BTreeMap::new();
    game.successors(&game.start(), |next| {
        if let Next::Position(next) = next {
            after.insert(game.least_key(&next), value(&next));
        }
    });
    let said = variant.facts.iter().filter(|(fact, _)| fact.starts_with("after ")).count();
    let mut differences = Vec::new();
    if said > 0 && said != after.len() {
        differences.push(format!("{} first moves, expected {said}", after.len()));
    }
    for &(fact, expected) in &variant.facts {
        let found = match fact.strip_prefix("after ") {
            Some(text) => after.get(&game.least_key(&game.parse(text).expect(text))),
            None => facts.get(fact),
        };
        if found.is_none_or(|found| found != expected) {
            differences.push(format!("{fact}: expected {expected}, found {found:?}"));
        }
    }
    differences
}
