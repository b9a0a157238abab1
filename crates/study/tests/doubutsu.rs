//! What Tanaka's paper says of a rule change, by way of two tables.

use kanzen_registry::Store;
use kanzen_solve::{Job, Silent};
use kanzen_study::compare::compare;
use std::time::Duration;

#[test]
#[ignore = "long: run by ./test long"]
fn without_chick_drops_on_the_last_row_4301_positions_change() {
    let dir = tempfile::tempdir().unwrap();
    let rules = [vec![], vec!["last_row_chick_drop=banned".to_owned()]];
    let solved = rules.map(|options| {
        let game = kanzen_games::all().find("doubutsu").unwrap().build(&options).unwrap();
        let job =
            Job { memory: 4 << 30, level: Some(1), interval: Duration::MAX, ..Job::default() };
        game.solve(dir.path(), Some(Store::Distance), &job).unwrap();
        game.open(dir.path()).unwrap()
    });
    let findings = compare(["allowed", "banned"], [&*solved[0], &*solved[1]], 3, &Silent).unwrap();
    let report = kanzen_show::json(&findings);
    assert_eq!(report["changed"][0]["arising"], 4_301);
    let rules = report["rules"].as_array().unwrap();
    assert_eq!(rules.len(), 2);
    for row in rules {
        assert_eq!((&row["value"], &row["plies"]), (&"loss".into(), &78.into()));
    }
}
