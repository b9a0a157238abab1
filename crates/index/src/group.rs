//! Symmetries as permutations of up to 32 points, applied to whole sets of points.

/// A group of permutations of points, number 0 being the identity.
#[derive(Clone, Debug)]
pub struct Group {
    points: u32,
    /// The image of a set is the union of four table entries, one for each byte.
    tables: Vec<[[u32; 256]; 4]>,
}

impl Group {
    /// The group made of these permutations: `permutation[point]` is where the point goes.
    ///
    /// # Panics
    /// If a permutation is not one, the first is not the identity, or two composed are not in the
    /// list.
    pub fn new(permutations: &[Vec<usize>]) -> Group {
        let points = permutations[0].len();
        assert!(points <= 32, "{points} points are more than 32");
        assert!(
            permutations[0].iter().enumerate().all(|(i, &p)| i == p),
            "the first permutation must be the identity"
        );
        for permutation in permutations {
            let mut sorted = permutation.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..points), "not a permutation");
            for other in permutations {
                let both: Vec<usize> = other.iter().map(|&p| permutation[p]).collect();
                assert!(permutations.contains(&both), "not closed");
            }
        }
        let table = |permutation: &Vec<usize>| {
            let mut table = [[0; 256]; 4];
            for (byte, images) in table.iter_mut().enumerate() {
                for (bits, image) in images.iter_mut().enumerate() {
                    *image = (0..8)
                        .filter(|bit| bits >> bit & 1 == 1 && 8 * byte + bit < points)
                        .fold(0, |set, bit| set | 1 << permutation[8 * byte + bit]);
                }
            }
            table
        };
        Group { points: points as u32, tables: permutations.iter().map(table).collect() }
    }

    /// The turns and mirror images of a regular polygon with `corners` points; points beyond them,
    /// up to `points` in all, stay where they are.
    pub fn polygon(corners: usize, points: usize) -> Group {
        let image = |point: usize, turn: usize, mirror: bool| match (point < corners, mirror) {
            (false, _) => point,
            (true, false) => (turn + point) % corners,
            (true, true) => (turn + corners - point) % corners,
        };
        let symmetries: Vec<Vec<usize>> = [false, true]
            .into_iter()
            .flat_map(|mirror| (0..corners).map(move |turn| (turn, mirror)))
            .map(|(turn, mirror)| (0..points).map(|p| image(p, turn, mirror)).collect())
            .collect();
        Group::new(&symmetries)
    }

    /// The number of points.
    pub fn points(&self) -> u32 {
        self.points
    }

    /// The number of symmetries.
    pub fn order(&self) -> usize {
        self.tables.len()
    }

    /// Where a symmetry takes a set.
    #[inline]
    pub fn image(&self, symmetry: usize, set: u32) -> u32 {
        let table = &self.tables[symmetry];
        table[0][(set & 255) as usize]
            | table[1][(set >> 8 & 255) as usize]
            | table[2][(set >> 16 & 255) as usize]
            | table[3][(set >> 24) as usize]
    }
}
