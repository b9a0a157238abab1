//! A second solver of Musashi that shares nothing with the first: position by position, for few
//! brown pieces, with rules of its own on a board read from the data file.
//!
//! Captures only lessen the pieces, so positions with at most `k` pieces are closed. For each number
//! of pieces: a black position is lost when all its moves lead to known wins of brown; it is looked
//! at again whenever one of them becomes known. A brown position is won a ply before the first lost
//! black position that a move leads to.

use serde_json::Value;
use std::collections::BTreeSet;

/// No distance: black wins.
pub const OPEN: u8 = u8::MAX;

/// A king and the set of brown pieces.
pub type Placement = (usize, u64);

/// The board.
pub struct Board {
    /// The column of each point.
    pub columns: Vec<u64>,
    /// The point in the middle of the right side of the square.
    pub neck: usize,
    points: usize,
    neighbours: Vec<Vec<usize>>,
    /// The pairs of ends around each point.
    sandwiches: Vec<Vec<u64>>,
    symmetries: Vec<Vec<usize>>,
}

impl Board {
    /// Reads a board and names its points row by row.
    pub fn read(name: &str) -> Board {
        let boards: Value =
            serde_json::from_str(include_str!("../data/musashi_boards.json")).unwrap();
        let described = &boards[name];
        let list = |key: &str| described[key].as_array().unwrap();
        let mut places: Vec<(u64, u64, &Value)> = list("points")
            .iter()
            .map(|p| (p["row"].as_u64().unwrap(), p["column"].as_u64().unwrap(), &p["id"]))
            .collect();
        places.sort_by_key(|&(row, column, _)| (row, column));
        let point = |id: &Value| places.iter().position(|place| place.2 == id).unwrap();
        let mut neighbours = vec![Vec::new(); places.len()];
        for line in list("lines") {
            let (a, b) = (point(&line[0]), point(&line[1]));
            neighbours[a].push(b);
            neighbours[b].push(a);
        }
        let mut sandwiches = vec![Vec::new(); places.len()];
        for triple in list("sandwiches") {
            let [a, king, b] = [0, 1, 2].map(|i| point(&triple[i]));
            sandwiches[king].push(1 << a | 1 << b);
        }
        let symmetries = (0..if name == "board25" { 8 } else { 4 })
            .filter_map(|way| {
                let image = |&(row, column, _): &(u64, u64, &Value)| {
                    let row = if way & 1 == 0 { row } else { 4 - row };
                    let column =
                        if way & 2 == 0 { Some(column) } else { 4_u64.checked_sub(column) };
                    let (row, column) = if way & 4 == 0 { (row, column?) } else { (column?, row) };
                    places.iter().position(|place| (place.0, place.1) == (row, column))
                };
                places.iter().map(image).collect::<Option<Vec<usize>>>()
            })
            .collect();
        let neck = places.iter().position(|place| (place.0, place.1) == (2, 4)).unwrap();
        let columns = places.iter().map(|place| place.1).collect();
        Board { columns, neck, points: places.len(), neighbours, sandwiches, symmetries }
    }

    /// What is left when the king has come to a point.
    fn after_captures(&self, king: usize, brown: u64) -> u64 {
        let full = self.sandwiches[king].iter().filter(|&&pair| brown & pair == pair);
        full.fold(brown, |left, pair| left & !pair)
    }

    /// The least of a placement's images.
    pub fn canonical(&self, (king, brown): Placement) -> Placement {
        let image = |to: &Vec<usize>| {
            let points = (0..self.points).filter(|&p| brown >> p & 1 == 1);
            (to[king], points.fold(0, |set, p| set | 1 << to[p]))
        };
        self.symmetries.iter().map(image).min().unwrap()
    }

    /// The canonical placements from which the king comes to a placement with so many captures.
    pub fn before(&self, (king, brown): Placement, captured: u32) -> BTreeSet<Placement> {
        let mut before = BTreeSet::new();
        for &from in self.neighbours[king].iter().filter(|&&from| brown >> from & 1 == 0) {
            let pairs = &self.sandwiches[king];
            for chosen in 0_u32..1 << pairs.len() {
                let chosen = pairs.iter().enumerate().filter(|&(i, _)| chosen >> i & 1 == 1);
                let more = chosen.fold(0, |set, (_, pair)| set | pair);
                let all = brown | more;
                let arrives = all >> from & 1 == 0 && self.after_captures(king, all) == brown;
                if more.count_ones() == captured && brown & more == 0 && arrives {
                    before.insert(self.canonical((from, all)));
                }
            }
        }
        before
    }
}

/// All positions with some number of brown pieces: a byte for each king and set.
pub struct Layer {
    sets: usize,
    /// Plies to brown's win, or [`OPEN`].
    black: Vec<u8>,
    brown: Vec<u8>,
}

/// The layers of no piece, one piece, and so on.
pub struct Few {
    pub board: Board,
    choose: Vec<Vec<usize>>,
    pub layers: Vec<Layer>,
}

impl Few {
    /// Solves all positions with at most so many brown pieces.
    pub fn solve(board: Board, most: usize) -> Few {
        let mut choose = vec![vec![0; most + 2]; board.points + 1];
        for n in 0..=board.points {
            choose[n][0] = 1;
            for k in 1..=(most + 1).min(n) {
                choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            }
        }
        let mut few = Few { board, choose, layers: Vec::new() };
        for pieces in 0..=most {
            few.solve_layer(pieces);
        }
        few
    }

    fn rank(&self, mut set: u64) -> usize {
        let (mut rank, mut k) = (0, 1);
        while set != 0 {
            rank += self.choose[set.trailing_zeros() as usize][k];
            set &= set - 1;
            k += 1;
        }
        rank
    }

    fn cell(&self, king: usize, brown: u64) -> usize {
        king * self.layers[brown.count_ones() as usize].sets + self.rank(brown)
    }

    /// Plies to brown's win with brown to move.
    fn brown_to_move(&self, king: usize, brown: u64) -> u8 {
        self.layers[brown.count_ones() as usize].brown[self.cell(king, brown)]
    }

    fn free(&self, (king, brown): Placement, point: usize) -> bool {
        point != king && brown >> point & 1 == 0
    }

    /// Black's distance from what is known, if every move leads to a known win of brown.
    fn black_loses(&self, (king, brown): Placement) -> Option<u8> {
        let mut longest = 0;
        for &to in &self.board.neighbours[king] {
            if self.free((king, brown), to) {
                match self.brown_to_move(to, self.board.after_captures(to, brown)) {
                    OPEN => return None,
                    plies => longest = longest.max(plies + 1),
                }
            }
        }
        Some(longest)
    }

    fn solve_layer(&mut self, pieces: usize) {
        let sets = self.choose[self.board.points][pieces];
        let cells = self.board.points * sets;
        self.layers.push(Layer { sets, black: vec![OPEN; cells], brown: vec![OPEN; cells] });
        let mut due: Vec<Vec<Placement>> = vec![Vec::new(); usize::from(OPEN)];
        for placement in placements(self.board.points, pieces) {
            if let Some(plies) = self.black_loses(placement) {
                due[usize::from(plies)].push(placement);
            }
        }
        for plies in (0..OPEN - 1).step_by(2) {
            let mut won = Vec::new();
            for (king, brown) in std::mem::take(&mut due[usize::from(plies)]) {
                let cell = self.cell(king, brown);
                if self.layers[pieces].black[cell] != OPEN {
                    continue;
                }
                self.layers[pieces].black[cell] = plies;
                for to in (0..self.board.points).filter(|to| brown >> to & 1 == 1) {
                    for &from in &self.board.neighbours[to] {
                        if self.free((king, brown), from) {
                            let before = brown & !(1 << to) | 1 << from;
                            let cell = self.cell(king, before);
                            let known = &mut self.layers[pieces].brown[cell];
                            if *known == OPEN {
                                *known = plies + 1;
                                won.push((king, before));
                            }
                        }
                    }
                }
            }
            // Where the king would have captured something, it did not come from this layer.
            won.retain(|&(king, brown)| self.board.after_captures(king, brown) == brown);
            for (king, brown) in won {
                for &from in &self.board.neighbours[king] {
                    let unknown = self.free((king, brown), from)
                        && self.layers[pieces].black[self.cell(from, brown)] == OPEN;
                    if unknown && let Some(plies) = self.black_loses((from, brown)) {
                        due[usize::from(plies)].push((from, brown));
                    }
                }
            }
        }
    }

    /// The canonical placements with so many pieces that black wins with brown to move.
    pub fn lost_by_brown(&self, pieces: usize) -> BTreeSet<Placement> {
        let all = placements(self.board.points, pieces);
        all.filter(|&(king, brown)| self.brown_to_move(king, brown) == OPEN)
            .map(|placement| self.board.canonical(placement))
            .collect()
    }

    /// A row of the census: black wins with black to move, with brown to move, brown wins by plies.
    pub fn row(&self, pieces: usize, columns: usize) -> Vec<u64> {
        let mut row = vec![0; 2 + columns];
        for placement in placements(self.board.points, pieces) {
            if self.board.canonical(placement) != placement {
                continue;
            }
            let cell = self.cell(placement.0, placement.1);
            let layer = &self.layers[pieces];
            for (turn, plies) in [layer.black[cell], layer.brown[cell]].into_iter().enumerate() {
                row[if plies == OPEN { turn } else { 2 + usize::from(plies) }] += 1;
            }
        }
        row
    }
}

/// Every king with every set of so many pieces beside it.
fn placements(points: usize, pieces: usize) -> impl Iterator<Item = Placement> {
    let first = (1_u64 << pieces) - 1;
    let next = move |&set: &u64| {
        let low = set & set.wrapping_neg();
        let ripple = set.checked_add(low).filter(|_| set != 0)?;
        Some(ripple | (((set ^ ripple) >> 2) / low))
    };
    std::iter::successors(Some(first), next).take_while(move |&set| set >> points == 0).flat_map(
        move |set| {
            (0..points).filter(move |king| set >> king & 1 == 0).map(move |king| (king, set))
        },
    )
}
