//! Symmetries as permutations of up to 32 points, applied to whole sets of points.

use crate::Images;

/// A group of permutations of points, number 0 being the identity.
#[derive(Clone, Debug)]
pub struct Group {
    points: u32,
    images: Vec<Images<u32, 4>>,
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
        let images = permutations
            .iter()
            .map(|permutation| Images::new(|point| permutation.get(point).map_or(0, |to| 1 << to)));
        Group { points: points as u32, images: images.collect() }
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
        self.images.len()
    }

    /// Where a symmetry takes a set.
    #[inline]
    pub fn image(&self, symmetry: usize, set: u32) -> u32 {
        self.images[symmetry].of(set)
    }
}
