//! Perfect indices: every position up to symmetry has a number, and every number a position.
//!
//! [`Indexed`] is what an engine needs to know of a game beyond its rules. The building blocks are
//! ranks of subsets ([`Subsets`]), symmetry groups on points ([`Group`]), and both together for
//! games with two colours of equal pieces ([`PairIndex`]). [`Keyed`] is for games without an index.

mod explicit;
mod group;
mod images;
mod keyed;
mod keys;
mod pair;
mod subset;
mod tier;

pub use explicit::Explicit;
pub use group::Group;
pub use images::Images;
pub use kanzen_machine::{Work, deposit, extract, run_with_fast_bits, with_fast_bits};
pub use keyed::Keyed;
pub use keys::{Cursor, KEY_BLOCK, Keys, decode_keys, encode_keys};
pub use pair::PairIndex;
pub use subset::{Subsets, binomial};
pub use tier::{FirstLook, Indexed, Place, Sight, Tier};
