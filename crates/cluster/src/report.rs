//! What workers tell one another at the end of a round.

use serde::{Deserialize, Serialize};

/// What a worker did in a round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) worker: usize,
    /// Which report of its worker this is.
    pub(crate) number: u64,
    /// Positions that it settled, and their hash.
    pub(crate) found: u64,
    pub(crate) hash: u64,
    /// Positions that fired.
    pub(crate) fired: u64,
    /// Positions that have fired since the beginning.
    pub(crate) positions: u64,
    /// Blocks that it has sent and received, since the beginning.
    pub(crate) sent: u64,
    pub(crate) received: u64,
    /// Bytes of the blocks that it has sent, since the beginning.
    pub(crate) bytes: u64,
    /// Milliseconds that it has waited for others, since the beginning.
    pub(crate) waited: u64,
    /// Whether moves out of the tier bring about more in later rounds.
    pub(crate) scheduled: bool,
    /// Whether there are draws by the rules.
    pub(crate) drawn: bool,
    /// Whether somebody asked it to stop.
    pub(crate) stop: bool,
    /// Whether the next round is to be written down.
    pub(crate) due: bool,
    /// Why it cannot go on.
    pub(crate) problem: Option<String>,
}

/// What all workers did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) found: u64,
    pub(crate) hash: u64,
    pub(crate) fired: u64,
    pub(crate) bytes: u64,
    pub(crate) scheduled: bool,
    pub(crate) drawn: bool,
    pub(crate) stop: bool,
    pub(crate) due: bool,
}

impl Sum {
    /// Adds the reports of all workers up.
    pub(crate) fn of(reports: &[Report]) -> Result<Sum, String> {
        if let Some(report) = reports.iter().find(|report| report.problem.is_some()) {
            return Err(report.problem.clone().unwrap_or_default());
        }
        let add = |of: fn(&Report) -> u64| reports.iter().map(of).fold(0, u64::wrapping_add);
        let (sent, received) = (add(|report| report.sent), add(|report| report.received));
        if sent != received {
            return Err(format!("{sent} messages were sent, and {received} arrived"));
        }
        let any = |of: fn(&Report) -> bool| reports.iter().any(of);
        Ok(Sum {
            found: add(|report| report.found),
            hash: add(|report| report.hash),
            fired: add(|report| report.fired),
            bytes: add(|report| report.bytes),
            scheduled: any(|report| report.scheduled),
            drawn: any(|report| report.drawn),
            stop: any(|report| report.stop),
            due: any(|report| report.due),
        })
    }
}
