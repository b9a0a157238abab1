//! Graph files.

use kanzen::graph::Graph;
use kanzen::solve::{Job, solve};

/// Reads a graph file. What is read is written, read again as the same, and solved.
///
/// # Panics
/// If it is not the same.
pub fn target(bytes: &[u8]) {
    let Ok(graph) = Graph::read(bytes) else { return };
    let again = Graph::read(&graph.pack()).unwrap();
    assert_eq!(again.pack(), graph.pack());
    let job = Job { threads: 1, ..Job::default() };
    let _ = solve(&graph, &job, None);
}
