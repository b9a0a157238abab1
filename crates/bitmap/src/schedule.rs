//! The order in which the maps of a round are computed.
//!
//! A king's lost positions are read off the won positions of the last round at
//! the points it can move to. So a map of won positions may only be updated
//! when all lost positions that read it are known, and until then the lost
//! positions it is updated from must wait. The order decides how many wait at
//! the same time, and so how much memory the solver needs beside the maps.

use crate::plan::KingPlan;

/// A step of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Task {
    /// Compute a king's lost positions into a buffer.
    Lose { king: usize, buffer: usize },
    /// Update a king's won positions from a buffer, which is free afterwards.
    Win { king: usize, buffer: usize },
}

/// The tasks of a round, and how many buffers they need.
#[derive(Debug, Clone)]
pub(crate) struct Schedule {
    pub(crate) tasks: Vec<Task>,
    pub(crate) buffers: usize,
}

impl Schedule {
    /// The best of the greedy orders that start with each of the kings.
    pub(crate) fn new(kings: &[KingPlan]) -> Self {
        let reads: Vec<Vec<usize>> = kings
            .iter()
            .map(|k| k.groups.iter().flat_map(|g| &g.terms).map(|t| t.map).collect())
            .collect();
        (0..kings.len())
            .map(|start| Self::starting_with(start, &reads))
            .min_by_key(|schedule| schedule.buffers)
            .unwrap_or(Self { tasks: Vec::new(), buffers: 0 })
    }

    fn starting_with(start: usize, reads: &[Vec<usize>]) -> Self {
        let kings = reads.len();
        let mut computed = vec![false; kings];
        let mut waiting: Vec<(usize, usize)> = Vec::new();
        let mut free: Vec<usize> = Vec::new();
        let mut schedule = Self { tasks: Vec::new(), buffers: 0 };
        let mut next = Some(start);
        while let Some(king) = next {
            let buffer = free.pop().unwrap_or_else(|| {
                schedule.buffers += 1;
                schedule.buffers - 1
            });
            schedule.tasks.push(Task::Lose { king, buffer });
            computed[king] = true;
            waiting.push((king, buffer));
            let read = |map: usize| (0..kings).any(|k| !computed[k] && reads[k].contains(&map));
            waiting.retain(|&(king, buffer)| {
                let keep = read(king);
                if !keep {
                    schedule.tasks.push(Task::Win { king, buffer });
                    free.push(buffer);
                }
                keep
            });
            // The king that leaves the fewest waiting, and of those one that is
            // read with others that wait, so that they come free soon.
            next = (0..kings).filter(|&k| !computed[k]).min_by_key(|&candidate| {
                let blocked = |map: usize| {
                    (0..kings).any(|k| k != candidate && !computed[k] && reads[k].contains(&map))
                };
                let stay = waiting.iter().filter(|w| blocked(w.0)).count();
                let touched = reads[candidate].iter().filter(|&&m| computed[m]).count();
                (stay + usize::from(blocked(candidate)), usize::MAX - touched)
            });
        }
        schedule
    }
}
