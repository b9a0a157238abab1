//! Work that waits while its cache lines are on the way.

/// Long enough for the memory to deliver.
const LENGTH: usize = 64;

/// The last things that were begun.
pub struct Ring<T> {
    waiting: [T; LENGTH],
    begun: usize,
}

impl<T: Copy> Ring<T> {
    /// An empty ring; `filler` is never given back.
    pub fn new(filler: T) -> Ring<T> {
        Ring { waiting: [filler; LENGTH], begun: 0 }
    }

    /// Adds a thing, and returns the one that has waited long enough.
    #[inline(always)]
    pub fn push(&mut self, thing: T) -> Option<T> {
        let slot = self.begun % LENGTH;
        let due = (self.begun >= LENGTH).then_some(self.waiting[slot]);
        self.waiting[slot] = thing;
        self.begun += 1;
        due
    }

    /// The things that still wait, in their order.
    #[inline(always)]
    pub fn rest(&self) -> impl Iterator<Item = T> + '_ {
        (self.begun.saturating_sub(LENGTH)..self.begun).map(|at| self.waiting[at % LENGTH])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_comes_out_once_and_in_order() {
        for count in [0, 1, LENGTH, LENGTH + 1, 3 * LENGTH + 5] {
            let mut ring = Ring::new(usize::MAX);
            let mut out: Vec<usize> = (1..=count).filter_map(|thing| ring.push(thing)).collect();
            assert_eq!(out.len(), count.saturating_sub(LENGTH));
            out.extend(ring.rest());
            assert_eq!(out, Vec::from_iter(1..=count));
        }
    }
}
