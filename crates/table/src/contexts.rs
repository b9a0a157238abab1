//! Packing by context: a cell's rank is guessed from cells before it in its block.
//!
//! What is likely is the same everywhere in a tier, so it is learnt once, from a sample of blocks, and
//! kept in the table as a [`Model`]: blocks of a few hundred cells then pack as well as large ones,
//! and a look at one cell unpacks little. Ranks are coded by range asymmetric numeral systems (rANS).
//! All arithmetic is in whole numbers, so that the same cells give the same bytes on every machine.

/// The shares of a table's symbols add up to this.
const SCALE: u32 = 1 << SCALE_BITS;
const SCALE_BITS: u32 = 11;
/// Stands in a table for all ranks that are too rare to have a share; the rank follows.
const OTHER: u16 = (1 << 10) - 1;
/// The most tables that contexts share.
const TABLES: usize = 64;
/// The coder's state is at least this between two symbols, and below it times 256.
const LEAST: u32 = 1 << 16;
/// The most contexts that are believed.
const MOST_CONTEXTS: usize = 1 << 20;
/// Rounds of learning: after two or three nothing changes much.
const ROUNDS: usize = 4;

/// A rank that does not matter: it becomes whatever is packed best.
pub(crate) const ANY: u16 = u16::MAX;

/// From which cells a cell is guessed.
///
/// A block has equal parts, each of them two halves. The cells of all first halves are a *stream*, those
/// of all second halves another, which are unpacked side by side: a processor is quicker with two things
/// that do not wait for each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbours {
    /// The number of parts, a power of two; each is told apart.
    pub parts: usize,
    /// The parts that hold anything, in the order in which they are packed.
    pub packed: Vec<u8>,
    /// How many cells of its stream before it they are, the nearest first; at most four of them.
    pub distances: Vec<usize>,
    /// Ranks of neighbours from this one on are one to the guess.
    pub ranks: u16,
    /// A cell of the last packed part holds nothing if that of the part packed before has this code (in a
    /// model: this rank), in both streams.
    pub unless: Option<u16>,
}

impl Neighbours {
    fn radix(&self) -> usize {
        usize::from(self.ranks) + 1
    }

    /// Whether a neighbour of this rank is known from all others.
    fn tells(&self, rank: u16) -> bool {
        rank + 1 < self.ranks
    }

    /// The number of contexts; none if it is not believed.
    fn contexts(&self) -> Option<usize> {
        let parts = self.packed.len();
        let each = self.distances.iter().try_fold(parts, |n, _| n.checked_mul(self.radix()));
        each.filter(|&contexts| contexts <= MOST_CONTEXTS)
    }

    /// Calls `each` with the next cells of both streams and their contexts, in turn; it returns their
    /// ranks. `unless` is a rank.
    #[inline(always)]
    fn walk(
        &self,
        block: usize,
        mut each: impl FnMut([usize; 2], [usize; 2]) -> Option<[u16; 2]>,
    ) -> Option<()> {
        match *self.distances {
            [a] => self.walk_by([a], block, &mut each),
            [a, b] => self.walk_by([a, b], block, &mut each),
            [a, b, c] => self.walk_by([a, b, c], block, &mut each),
            [a, b, c, d] => self.walk_by([a, b, c, d], block, &mut each),
            _ => None,
        }
    }

    #[inline(always)]
    fn walk_by<const N: usize>(
        &self,
        distances: [usize; N],
        block: usize,
        each: &mut impl FnMut([usize; 2], [usize; 2]) -> Option<[u16; 2]>,
    ) -> Option<()> {
        let radix = self.radix();
        let part = block / self.parts;
        let half = part / 2;
        // Before the block there is nothing, which is a neighbour too.
        let before = distances.into_iter().max()?;
        let mut seen = vec![[self.ranks; 2]; before + self.packed.len() * half];
        for (number, &place) in self.packed.iter().enumerate() {
            let unless = self.unless.filter(|_| number > 0 && number + 1 == self.packed.len());
            for cell in 0..half {
                let at = before + number * half + cell;
                if unless.is_some_and(|rank| seen[at - half] == [rank; 2]) {
                    seen[at] = [0; 2];
                    continue;
                }
                // The nearest comes last: what was seen last is waited for by an addition only.
                let mut contexts = [number; 2];
                for distance in distances.iter().rev() {
                    let seen = seen[at - distance];
                    contexts =
                        [0, 1].map(|stream| contexts[stream] * radix + usize::from(seen[stream]));
                }
                let first = usize::from(place) * part + cell;
                let ranks = each([first, first + half], contexts)?;
                seen[at] = ranks.map(|rank| rank.min(self.ranks - 1));
            }
        }
        Some(())
    }
}

/// What is likely in a tier.
pub(crate) struct Model {
    neighbours: Neighbours,
    /// The table of each context.
    map: Vec<u8>,
    tables: Vec<Shares>,
    /// For each table and number below the scale: the symbol it stands for (10 bits), the symbol's
    /// share less 1 and the number's place in it (11 bits each).
    slots: Vec<u32>,
}

/// The state of a coder between two symbols.
#[derive(Clone, Copy, Default)]
struct Stream(u32);

impl Stream {
    fn push(&mut self, byte: u8) {
        self.0 = self.0 << 8 | u32::from(byte);
    }

    fn slot(self) -> usize {
        (self.0 & (SCALE - 1)) as usize
    }

    /// Takes out the symbol of a slot.
    #[inline(always)]
    fn take(&mut self, slot: u32) {
        self.0 = ((slot >> 11 & (SCALE - 1)) + 1) * (self.0 >> SCALE_BITS) + (slot & (SCALE - 1));
    }

    /// Takes out a byte.
    fn byte(&mut self) -> u16 {
        let byte = self.0 & 0xff;
        self.0 >>= 8;
        byte as u16
    }

    /// Takes in bytes until the state is large enough.
    #[inline(always)]
    fn fill<'a>(&mut self, mut next: impl FnMut() -> Option<&'a u8>) -> Option<()> {
        while self.0 < LEAST {
            self.push(*next()?);
        }
        Some(())
    }
}

/// Symbols, in rising order, with their shares of the scale.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shares(Vec<(u16, u16)>);

impl Shares {
    /// Shares by counts. Each that is not far too rare for it has at least 1.
    fn new(counts: &[u32]) -> Shares {
        let total: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        let room = u64::from(SCALE - 1);
        let mut shares: Vec<(u16, u16)> = (0..OTHER)
            .zip(counts)
            .filter(|&(_, &count)| u64::from(count) * room * 4 >= total && count > 0)
            .map(|(symbol, &count)| {
                (symbol, ((u64::from(count) * room + total / 2) / total).max(1) as u16)
            })
            .collect();
        let mut sum: u32 = shares.iter().map(|&(_, share)| u32::from(share)).sum();
        while sum != SCALE - 1 && !shares.is_empty() {
            let greatest = shares.iter_mut().max_by_key(|(symbol, share)| (*share, !*symbol));
            let (_, share) = greatest.expect("there is one");
            let by = if sum < SCALE { SCALE - 1 - sum } else { 0 };
            *share = if by > 0 { *share + by as u16 } else { *share - 1 };
            sum = if by > 0 { SCALE - 1 } else { sum - 1 };
        }
        let rest = SCALE - if shares.is_empty() { 0 } else { SCALE - 1 };
        shares.push((OTHER, rest as u16));
        Shares(shares)
    }

    fn likeliest(&self) -> u16 {
        let greatest = self.0.iter().max_by_key(|(symbol, share)| (*share, !*symbol));
        greatest.map_or(0, |&(symbol, _)| if symbol == OTHER { 0 } else { symbol })
    }
}

/// -log2(share / scale) for every share, in 1/65536 of a bit.
fn costs() -> Vec<u64> {
    let log2 = |number: u64| {
        let whole = 63 - u64::from(number.leading_zeros());
        let mut mantissa = number << (31 - whole);
        let mut log = whole;
        for _ in 0..16 {
            mantissa = (mantissa * mantissa) >> 31;
            let carry = mantissa >> 32;
            mantissa >>= carry;
            log = 2 * log + carry;
        }
        log
    };
    let none = u64::from(SCALE_BITS) << 16;
    (0..=u64::from(SCALE)).map(|share| none - if share == 0 { 0 } else { log2(share) }).collect()
}

impl Model {
    /// Learns from blocks of a tier whose ranks are below `ranks`. `block` is the number of cells of a
    /// whole block.
    pub(crate) fn learn(
        neighbours: &Neighbours,
        ranks: usize,
        block: usize,
        sample: &[Vec<u16>],
    ) -> Option<Model> {
        let mut neighbours = neighbours.clone();
        // Rarer codes are not told apart in what was seen.
        neighbours.unless = neighbours.unless.filter(|&rank| neighbours.tells(rank));
        let contexts = neighbours.contexts()?;
        let mut all = vec![0; ranks];
        for &rank in sample.iter().flatten().filter(|&&rank| rank != ANY) {
            all[usize::from(rank)] += 1;
        }
        let mut model = Model::of(neighbours.clone(), vec![0; contexts], vec![Shares::new(&all)])?;
        for _ in 0..ROUNDS {
            let likeliest: Vec<u16> = model.tables.iter().map(Shares::likeliest).collect();
            let mut counts = vec![0_u32; contexts * ranks];
            for block_cells in sample {
                neighbours.walk(block, |cells, contexts| {
                    Some([0, 1].map(|stream| {
                        let context = contexts[stream];
                        let rank = match block_cells.get(cells[stream]) {
                            None | Some(&ANY) => likeliest[usize::from(model.map[context])],
                            Some(&rank) => rank,
                        };
                        counts[context * ranks + usize::from(rank)] += 1;
                        rank
                    }))
                })?;
            }
            let (map, tables) = gather(&counts, ranks);
            model = Model::of(neighbours.clone(), map, tables)?;
        }
        Some(model)
    }

    fn of(neighbours: Neighbours, map: Vec<u8>, tables: Vec<Shares>) -> Option<Model> {
        let mut slots = Vec::with_capacity(tables.len() << SCALE_BITS);
        for table in &tables {
            for &(symbol, share) in &table.0 {
                let share = u32::from(share);
                slots.extend((0..share).map(|at| u32::from(symbol) << 22 | (share - 1) << 11 | at));
            }
        }
        (slots.len() == tables.len() << SCALE_BITS).then_some(Model {
            neighbours,
            map,
            tables,
            slots,
        })
    }

    /// What [`pack`](Model::pack) needs beside the model.
    pub(crate) fn packer(&self) -> Packer<'_> {
        let mut starts = vec![0; self.tables.len() << 10];
        for (number, table) in self.tables.iter().enumerate() {
            let mut start = 0;
            for &(symbol, share) in &table.0 {
                starts[number << 10 | usize::from(symbol)] = start << 16 | u32::from(share);
                start += u32::from(share);
            }
        }
        let likeliest = self.tables.iter().map(Shares::likeliest).collect();
        Packer { model: self, starts, likeliest }
    }

    /// Unpacks a block of cells; none if the bytes are not those of one.
    pub(crate) fn unpack(
        &self,
        packed: &[u8],
        block: usize,
        mut put: impl FnMut(usize, u16) -> Option<()>,
    ) -> Option<()> {
        // One stream from the front, one from the back: they meet where both end.
        let mut rest = packed.iter();
        let mut streams = [Stream::default(), Stream::default()];
        for _ in 0..3 {
            streams[0].push(*rest.next()?);
            streams[1].push(*rest.next_back()?);
        }
        self.neighbours.walk(block, |cells, contexts| {
            let tables = contexts.map(|context| usize::from(self.map[context]) << SCALE_BITS);
            let slots = [0, 1].map(|s| self.slots[tables[s] | streams[s].slot()]);
            let mut ranks = [0; 2];
            streams[0].take(slots[0]);
            streams[1].take(slots[1]);
            streams[0].fill(|| rest.next())?;
            streams[1].fill(|| rest.next_back())?;
            for stream in [0, 1] {
                let mut rank = (slots[stream] >> 22) as u16;
                if rank == OTHER {
                    rank = 0;
                    for _ in 0..2 {
                        rank = rank << 8 | streams[stream].byte();
                        match stream {
                            0 => streams[0].fill(|| rest.next())?,
                            _ => streams[1].fill(|| rest.next_back())?,
                        }
                    }
                }
                put(cells[stream], rank)?;
                ranks[stream] = rank;
            }
            Some(ranks)
        })?;
        let ended = streams.iter().all(|stream| stream.0 == LEAST);
        (ended && rest.len() == 0).then_some(())
    }

    /// Unpacks a block as far as some of its cells need, and gives their ranks; none if there is none.
    pub(crate) fn look<const N: usize>(
        &self,
        packed: &[u8],
        block: usize,
        wanted: [usize; N],
    ) -> Option<[u16; N]> {
        // What is not coded has rank 0.
        let mut ranks = [0; N];
        let mut missing = N;
        let whole = self.unpack(packed, block, |cell, rank| {
            for (found, _) in ranks.iter_mut().zip(wanted).filter(|&(_, wanted)| wanted == cell) {
                *found = rank;
                missing -= 1;
            }
            (missing > 0).then_some(())
        });
        (missing == 0 || whole.is_some()).then_some(ranks)
    }

    /// The model as bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let Neighbours { parts, packed, distances, ranks, unless } = &self.neighbours;
        let mut bytes = vec![*parts as u8, packed.len() as u8];
        bytes.extend(packed);
        bytes.push(distances.len() as u8);
        for &distance in distances {
            bytes.extend((distance as u32).to_le_bytes());
        }
        bytes.extend(ranks.to_le_bytes());
        bytes.extend(unless.unwrap_or(ANY).to_le_bytes());
        bytes.extend(&self.map);
        bytes.push((self.tables.len() - 1) as u8);
        for Shares(shares) in &self.tables {
            bytes.extend((shares.len() as u16).to_le_bytes());
            for (symbol, share) in shares {
                bytes.extend(symbol.to_le_bytes());
                bytes.extend(share.to_le_bytes());
            }
        }
        bytes
    }

    /// The model that bytes stand for, of a tier with so many ranks in blocks of so many cells; none
    /// if they stand for none.
    pub(crate) fn from_bytes(mut bytes: &[u8], ranks: usize, block: usize) -> Option<Model> {
        let bytes = &mut bytes;
        let (parts, count) = (usize::from(byte(bytes)?), usize::from(byte(bytes)?));
        let packed: Option<Vec<u8>> = (0..count).map(|_| byte(bytes)).collect();
        let packed = packed?;
        let known = packed.iter().all(|&part| usize::from(part) < parts);
        if !parts.is_power_of_two() || 2 * parts > block || count > parts || !known {
            return None;
        }
        let distances: Option<Vec<usize>> = (0..byte(bytes)?)
            .map(|_| Some(usize::from(word(bytes)?) | usize::from(word(bytes)?) << 16))
            .collect();
        let (distances, ranks_told) = (distances?, word(bytes)?);
        let unless = Some(word(bytes)?).filter(|&rank| rank != ANY);
        let near = distances.iter().all(|distance| (1..block).contains(distance));
        let neighbours = Neighbours { parts, packed, distances, ranks: ranks_told, unless };
        let told = ranks_told > 0 && unless.is_none_or(|rank| neighbours.tells(rank));
        if !near || !(1..=4).contains(&neighbours.distances.len()) || !told {
            return None;
        }
        let (map, rest) = bytes.split_at_checked(neighbours.contexts()?)?;
        let map = map.to_vec();
        *bytes = rest;
        let tables = usize::from(byte(bytes)?) + 1;
        let tables: Option<Vec<Shares>> = (0..tables)
            .map(|_| {
                let shares: Option<Vec<(u16, u16)>> =
                    (0..word(bytes)?).map(|_| Some((word(bytes)?, word(bytes)?))).collect();
                let shares = shares?;
                let rising = shares.windows(2).all(|pair| pair[0].0 < pair[1].0);
                let known = |&(symbol, share): &(u16, u16)| {
                    share > 0 && (symbol == OTHER || usize::from(symbol) < ranks.max(1))
                };
                let sum: u32 = shares.iter().map(|&(_, share)| u32::from(share)).sum();
                (rising && shares.iter().all(known) && sum == SCALE).then_some(Shares(shares))
            })
            .collect();
        let tables = tables?;
        let mapped = map.iter().all(|&table| usize::from(table) < tables.len());
        if !mapped || !bytes.is_empty() {
            return None;
        }
        Model::of(neighbours, map, tables)
    }
}

fn byte(bytes: &mut &[u8]) -> Option<u8> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(first)
}

fn word(bytes: &mut &[u8]) -> Option<u16> {
    Some(u16::from_le_bytes([byte(bytes)?, byte(bytes)?]))
}

/// A model ready to pack.
pub(crate) struct Packer<'a> {
    model: &'a Model,
    /// For each table and symbol: where its share begins, and the share.
    starts: Vec<u32>,
    likeliest: Vec<u16>,
}

impl Packer<'_> {
    /// Packs the cells of a block.
    pub(crate) fn pack(&self, cells: &[u16], block: usize) -> Vec<u8> {
        let mut steps = Vec::with_capacity(cells.len());
        self.model.neighbours.walk(block, |places, contexts| {
            let step = [0, 1].map(|stream| {
                let table = usize::from(self.model.map[contexts[stream]]);
                match cells.get(places[stream]) {
                    None | Some(&ANY) => (table, self.likeliest[table]),
                    Some(&rank) => (table, rank),
                }
            });
            steps.push(step);
            Some(step.map(|(_, rank)| rank))
        });
        let [first, mut second] = [0, 1].map(|stream| {
            let mut bytes = Vec::new();
            // The last cell goes in first, so that the first comes out first.
            let state = steps.iter().rev().fold(LEAST, |state, step| {
                let (table, rank) = step[stream];
                self.put(state, table, rank, &mut bytes)
            });
            let [_, head @ ..] = state.to_be_bytes();
            bytes.extend(head.iter().rev());
            bytes
        });
        second.splice(0..0, first.into_iter().rev());
        second
    }

    /// The state after a symbol was put in; bytes that are too much for it go out.
    fn put(&self, mut state: u32, table: usize, rank: u16, bytes: &mut Vec<u8>) -> u32 {
        let starts = &self.starts[table << 10..][..1 << 10];
        let mut entry = if rank < OTHER { starts[usize::from(rank)] } else { 0 };
        if entry == 0 {
            for byte in [rank & 0xff, rank >> 8] {
                bytes.push(state as u8);
                state = state >> 8 << 8 | u32::from(byte);
            }
            entry = starts[usize::from(OTHER)];
        }
        let (start, share) = (entry >> 16, entry & 0xffff);
        while state >= (LEAST >> SCALE_BITS << 8) * share {
            bytes.push(state as u8);
            state >>= 8;
        }
        (state / share) << SCALE_BITS | (state % share + start)
    }
}

/// Gathers contexts into tables such that the cells of each are coded well by its table.
fn gather(counts: &[u32], ranks: usize) -> (Vec<u8>, Vec<Shares>) {
    let costs = costs();
    let other = (u64::from(SCALE_BITS) + 16) << 16;
    let contexts: Vec<Vec<(u16, u32)>> = counts
        .chunks_exact(ranks)
        .map(|counts| (0..).zip(counts.iter().copied()).filter(|pair| pair.1 > 0).collect())
        .collect();
    let total = |context: &[(u16, u32)]| context.iter().map(|pair| u64::from(pair.1)).sum::<u64>();
    let mut by_total: Vec<usize> = (0..contexts.len()).collect();
    by_total.sort_by_key(|&context| std::cmp::Reverse((total(&contexts[context]), context)));
    by_total.retain(|&context| !contexts[context].is_empty());
    let seeds = by_total.iter().take(TABLES);
    let mut tables: Vec<Shares> =
        seeds.map(|&context| Shares::new(&counts[context * ranks..][..ranks])).collect();
    if tables.is_empty() {
        tables.push(Shares::new(&[]));
    }
    let mut map = vec![0_u8; contexts.len()];
    for _ in 0..ROUNDS {
        // What every rank costs by every table; ranks of one after the other, tables innermost.
        let mut cost = vec![other; ranks * tables.len()];
        for (number, Shares(shares)) in tables.iter().enumerate() {
            for &(symbol, share) in shares.iter().filter(|share| share.0 != OTHER) {
                cost[usize::from(symbol) * tables.len() + number] = costs[usize::from(share)];
            }
        }
        let mut sums = vec![vec![0_u32; ranks]; tables.len()];
        let mut of_tables = vec![0_u64; tables.len()];
        for &context in &by_total {
            of_tables.fill(0);
            for &(rank, count) in &contexts[context] {
                let costs = &cost[usize::from(rank) * tables.len()..][..tables.len()];
                for (sum, cost) in of_tables.iter_mut().zip(costs) {
                    *sum += u64::from(count) * cost;
                }
            }
            let best = (0..tables.len()).min_by_key(|&table| of_tables[table]).unwrap_or(0);
            map[context] = best as u8;
            for &(rank, count) in &contexts[context] {
                sums[best][usize::from(rank)] += count;
            }
        }
        for (table, sums) in tables.iter_mut().zip(&sums) {
            if sums.iter().any(|&count| count > 0) {
                *table = Shares::new(sums);
            }
        }
    }
    (map, tables)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BLOCK: usize = 256;

    fn neighbours() -> impl Strategy<Value = Neighbours> {
        let distances = proptest::sample::subsequence(vec![1, 2, 5, 64, 255], 1..=4);
        let unless = prop::option::of(0..4_u16);
        (0..3_u32, distances, 1..9_u16, unless).prop_flat_map(
            |(parts, distances, ranks, unless)| {
                let parts = 1 << parts;
                let packed = proptest::sample::subsequence(
                    (0..parts).collect::<Vec<u8>>(),
                    1..=usize::from(parts),
                )
                .prop_shuffle();
                packed.prop_map(move |packed| Neighbours {
                    parts: parts.into(),
                    packed,
                    distances: distances.clone(),
                    ranks,
                    unless,
                })
            },
        )
    }

    /// Blocks of a tier with some ranks: runs, rare ranks, and cells that do not matter.
    fn tier() -> impl Strategy<Value = (usize, Vec<Vec<u16>>)> {
        (1..1500_u16).prop_flat_map(|ranks| {
            let rank = prop_oneof![4 => 0..ranks.min(3), 1 => 0..ranks, 3 => Just(ANY)];
            let runs = prop::collection::vec((rank, 1..9_usize), 1..60);
            let block = runs.prop_map(|runs| {
                let cells = runs.into_iter().flat_map(|(rank, n)| std::iter::repeat_n(rank, n));
                cells.take(BLOCK).collect::<Vec<u16>>()
            });
            (Just(usize::from(ranks)), prop::collection::vec(block, 1..6))
        })
    }

    fn unpacked(model: &Model, packed: &[u8], cells: usize) -> Option<Vec<u16>> {
        let mut found = vec![0; cells];
        model.unpack(packed, BLOCK, |cell, rank| {
            if let Some(found) = found.get_mut(cell) {
                *found = rank;
            }
            Some(())
        })?;
        Some(found)
    }

    proptest! {
        /// A model of other blocks packs them too.
        #[test]
        fn what_is_packed_unpacks(
            neighbours in neighbours(), (ranks, blocks) in tier(), learnt in 0..3_usize
        ) {
            let sample = &blocks[..learnt.min(blocks.len())];
            let model = Model::learn(&neighbours, ranks, BLOCK, sample).unwrap();
            let bytes = model.to_bytes();
            let read = Model::from_bytes(&bytes, ranks, BLOCK).unwrap();
            prop_assert_eq!(&bytes, &read.to_bytes());
            for cells in &blocks {
                let packed = model.packer().pack(cells, BLOCK);
                let found = unpacked(&read, &packed, cells.len()).unwrap();
                for cell in [0, cells.len() / 2, cells.len() - 1] {
                    let [first, same] = read.look(&packed, BLOCK, [0, cell]).unwrap();
                    prop_assert_eq!([first, same], [found[0], found[cell]]);
                }
                let part = BLOCK / neighbours.parts;
                let last = neighbours.packed.last().copied();
                for (cell, (&rank, found)) in cells.iter().zip(found).enumerate() {
                    let of = (cell / part) as u8;
                    let coded = neighbours.packed.contains(&of)
                        && (neighbours.unless.is_none() || Some(of) != last);
                    let same = rank == ANY || rank == found;
                    prop_assert!(same || !coded, "cell {}: {} {}", cell, rank, found);
                }
            }
        }

        /// Bytes of anybody unpack to something or are refused, blocks and models.
        #[test]
        fn foreign_bytes_do_no_harm(
            neighbours in neighbours(),
            (ranks, blocks) in tier(),
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        ) {
            let model = Model::learn(&neighbours, ranks, BLOCK, &blocks).unwrap();
            let changed = |bytes: &[u8]| {
                let mut bytes = bytes.to_vec();
                for (at, byte) in &changes {
                    let at = at.index(bytes.len());
                    bytes[at] = *byte;
                }
                bytes
            };
            let packed = model.packer().pack(&blocks[0], BLOCK);
            unpacked(&model, &changed(&packed), blocks[0].len());
            unpacked(&model, &packed[..packed.len() - 1], blocks[0].len());
            if let Some(model) = Model::from_bytes(&changed(&model.to_bytes()), ranks, BLOCK) {
                unpacked(&model, &packed, BLOCK);
            }
        }
    }

    #[test]
    fn costs_are_logarithms() {
        for (share, cost) in costs().into_iter().enumerate().skip(1) {
            let exact = f64::from(SCALE_BITS) - (share as f64).log2();
            assert!((cost as f64 / 65536.0 - exact).abs() < 1e-4, "{share}");
        }
    }

    /// Cells that repeat those 16 before take almost no room, once that is known.
    #[test]
    fn what_neighbours_tell_is_free() {
        let mut state = 1_u32;
        let mut half = || {
            let mut cells: Vec<u16> = (0..16)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (state >> 30) as u16
                })
                .collect();
            while cells.len() < BLOCK / 2 {
                cells.push(cells[cells.len() - 16]);
            }
            cells
        };
        let sample: Vec<Vec<u16>> = (0..200).map(|_| [half(), half()].concat()).collect();
        let neighbours =
            Neighbours { parts: 1, packed: vec![0], distances: vec![16], ranks: 4, unless: None };
        let model = Model::learn(&neighbours, 4, BLOCK, &sample).unwrap();
        let packed: usize =
            sample.iter().map(|cells| model.packer().pack(cells, BLOCK).len()).sum();
        // Sixteen cells of two bits each, and the coder's state, for both streams.
        assert!(packed <= sample.len() * 2 * (4 + 3 + 1), "{packed} bytes");
    }
}
