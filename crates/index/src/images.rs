//! Where a map of points takes whole sets of points.

use std::ops::BitOr;

/// The images of sets: the union of one entry for each byte of a set.
#[derive(Clone, Debug)]
pub struct Images<Set, const BYTES: usize>([[Set; 256]; BYTES]);

impl<Set: Copy + Default + BitOr<Output = Set>, const BYTES: usize> Images<Set, BYTES> {
    /// The images of sets of points, given that of each point.
    pub fn new(image: impl Fn(usize) -> Set) -> Images<Set, BYTES> {
        let mut tables = [[Set::default(); 256]; BYTES];
        for (byte, table) in tables.iter_mut().enumerate() {
            for bits in 1..256_usize {
                // A set is the set without its lowest point, and that point.
                let point = image(8 * byte + bits.trailing_zeros() as usize);
                table[bits] = table[bits & (bits - 1)] | point;
            }
        }
        Images(tables)
    }

    /// The image of a set.
    #[inline(always)]
    pub fn of(&self, set: impl Into<u64>) -> Set {
        let bytes = set.into().to_le_bytes();
        let entries = self.0.iter().zip(bytes).map(|(table, byte)| table[usize::from(byte)]);
        entries.fold(Set::default(), |image, entry| image | entry)
    }
}
