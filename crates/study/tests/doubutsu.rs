//! What Tanaka's paper says of a rule change, by way of two tables.

use kanzen_games::{SolveJob, Store, find};
use kanzen_solve::Silent;
use kanzen_study::compare::compare;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

#[test]
#[ignore = "long: run by ./test long"]
fn without_chick_drops_on_the_last_row_4301_positions_change() {
    let dir = tempfile::tempdir().unwrap();
    let rules = [vec![], vec!["last_row_chick_drop=banned".to_owned()]];
    let solved = rules.map(|options| {
        let game = find("doubutsu").unwrap().build(&options).unwrap();
        let job = SolveJob {
            dir: dir.path().to_owned(),
            threads: 0,
            memory: 4 << 30,
            level: 1,
            store: Store::Distance,
            interval: Duration::MAX,
            cancel: &AtomicBool::new(false),
            progress: &Silent,
        };
        game.solve(&job).unwrap();
        game.open(dir.path()).unwrap()
    });
    let report =
        compare(["allowed", "banned"], [&*solved[0], &*solved[1]], 3, &Silent).unwrap().json;
    assert_eq!(report["changed"]["arising"], 4_301);
    for summary in report["summaries"].as_array().unwrap() {
        assert_eq!(
            (&summary["value"]["value"], &summary["value"]["plies"]),
            (&"loss".into(), &78.into())
        );
    }
}
