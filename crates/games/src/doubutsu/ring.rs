//! Numbers on their way to be looked up, long enough for the memory to deliver their cells.

/// A queue of fixed length: what is put in comes out a little later.
pub struct Ring {
    numbers: [u32; Ring::SIZE],
    next: usize,
}

impl Ring {
    const SIZE: usize = 32;
    const NONE: u32 = u32::MAX;

    /// An empty ring.
    pub fn new() -> Ring {
        Ring { numbers: [Ring::NONE; Ring::SIZE], next: 0 }
    }

    /// Puts a number in and takes the oldest out, if the ring was full.
    #[inline(always)]
    pub fn exchange(&mut self, number: u32) -> Option<u32> {
        let slot = &mut self.numbers[self.next % Ring::SIZE];
        self.next += 1;
        let oldest = std::mem::replace(slot, number);
        (oldest != Ring::NONE).then_some(oldest)
    }

    /// Takes all numbers out.
    pub fn drain(&mut self) -> impl Iterator<Item = u32> + '_ {
        (0..Ring::SIZE).filter_map(|_| self.exchange(Ring::NONE))
    }
}

impl Default for Ring {
    fn default() -> Ring {
        Ring::new()
    }
}
