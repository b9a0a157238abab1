//! How a solve tells where it is.

/// Receives news of a solve, from several threads at once.
pub trait Progress: Sync {
    /// A part of the work begins: `total` units will be done.
    fn begin(&self, what: &str, total: u64);
    /// That many more units are done.
    fn advance(&self, units: u64);
    /// A word on what is being done now, such as the round.
    fn note(&self, text: &str);
    /// The part is done.
    fn end(&self);
}

/// Says nothing.
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn note(&self, _: &str) {}
    fn end(&self) {}
}
