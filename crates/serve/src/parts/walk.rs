//! The positions of a game, from its first to the one that is shown.

use crate::http::errors::Trouble;
use crate::url::query::short;
use kanzen_registry::{Answer, GameError};
pub use kanzen_study::station::Station;

/// Follows a line of moves, of which `probe` knows what can be known.
pub fn walk(
    probe: impl Fn(Option<&str>) -> Result<Answer, GameError>,
    root: Option<&str>,
    line: &[String],
) -> Result<Vec<Station>, Trouble> {
    let mut stations = vec![Station::first(probe(root)?)];
    for name in line {
        let ply = stations.len();
        let here = &stations[ply - 1];
        let answer = here.answer.as_ref();
        let mv = answer.and_then(|answer| answer.moves.iter().find(|mv| mv.name == *name));
        let Some(mv) = mv else {
            let at = answer.map(|answer| answer.position.clone());
            return Err(Trouble::Move { ply, name: short(name), at });
        };
        let next = here.after(mv, &probe)?;
        stations.push(next);
    }
    Ok(stations)
}
