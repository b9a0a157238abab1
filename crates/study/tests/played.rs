//! Games played between equals, counted for the player who begins.

use kanzen_solve::Silent;
use kanzen_study::find;

/// The games that the first player won, drew and lost.
fn results(options: &[&str]) -> [u64; 3] {
    let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
    let game = kanzen_games::all().find("threerow").unwrap().build(&options).unwrap();
    // Without a table, three-row is searched.
    let solved = game.open(tempfile::tempdir().unwrap().path()).unwrap();
    let findings = find::find(&*solved, "played", 1, &Silent).unwrap();
    let played = &kanzen_show::json(&findings)["played"][0];
    let results = ["wins", "draws", "losses"].map(|name| played[name].as_u64().unwrap());
    assert_eq!(results.iter().sum::<u64>(), played["games"].as_u64().unwrap());
    results
}

/// Whoever begins has an advantage over each of the others, whatever best play means: games are
/// counted for the first player, not for the one who would be to move at the end.
#[test]
fn the_first_of_three_players_wins_more_than_each_of_the_others() {
    for meaning in ["forced", "maxn-231", "maxn-312", "equilibria"] {
        let meaning = format!("meaning={meaning}");
        let [wins, _, losses] = results(&["rows=3", "columns=3", &meaning]);
        assert!(2 * wins > losses, "{meaning}: {wins} wins, {losses} losses");
    }
    // A meaning that does not name winners tells only whether its own player loses.
    assert_eq!(results(&["rows=3", "columns=3", "meaning=not-losing-2"])[1], 200);
    let [wins, draws, losses] = results(&["rows=3", "columns=3", "meaning=not-losing-1"]);
    assert!(wins == 0 && draws > 0 && losses > 0, "{draws} draws, {losses} losses");
}
