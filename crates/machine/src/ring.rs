//! Work that waits while its cache lines are on the way.

/// The last things that were begun, so many that the memory has time to deliver.
pub struct Ring<T, const LENGTH: usize> {
    waiting: [T; LENGTH],
    begun: usize,
}

impl<T: Copy, const LENGTH: usize> Ring<T, LENGTH> {
    /// An empty ring; `filler` is never given back.
    pub fn new(filler: T) -> Ring<T, LENGTH> {
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

    /// Takes out the things that still wait, in their order.
    #[inline(always)]
    pub fn drain(&mut self) -> impl Iterator<Item = T> + use<T, LENGTH> {
        let Ring { waiting, begun } = *self;
        self.begun = 0;
        (begun.saturating_sub(LENGTH)..begun).map(move |at| waiting[at % LENGTH])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_comes_out_once_and_in_order() {
        const LENGTH: usize = 64;
        for count in [0, 1, LENGTH, LENGTH + 1, 3 * LENGTH + 5] {
            let mut ring: Ring<usize, LENGTH> = Ring::new(usize::MAX);
            let mut out: Vec<usize> = (1..=count).filter_map(|thing| ring.push(thing)).collect();
            assert_eq!(out.len(), count.saturating_sub(LENGTH));
            out.extend(ring.drain());
            assert_eq!(out, Vec::from_iter(1..=count));
            assert_eq!(ring.drain().next(), None);
        }
    }
}
