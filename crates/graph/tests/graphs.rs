//! Graph files: what is read is what was written, what is wrong is named, and the values are right.

use kanzen_core::{Game, Next, Value};
use kanzen_graph::Graph;
use kanzen_index::Indexed;
use kanzen_solve::{Job, Solution, plain, solve};
use proptest::prelude::*;

fn read(text: &str) -> Result<Graph, String> {
    Graph::read(text.as_bytes()).map_err(|error| error.to_string())
}

fn solved(graph: &Graph) -> Solution {
    solve(graph, &Job { threads: 1, ..Job::default() }, None).unwrap()
}

fn value(graph: &Graph, solution: &Solution, label: &str) -> Value {
    solution.value(graph, &graph.parse(label).unwrap())
}

#[test]
fn positions_are_called_by_their_labels() {
    let text = "# Who is at b is stuck.\n\n@start a\nc -> a +b\nb = loss\na -> b c c\n";
    let graph = read(text).unwrap();
    assert_eq!(graph.write(&graph.start()), "a");
    let a = graph.parse("a").unwrap();
    let mut names = Vec::new();
    graph.moves(&a, |mv| names.push(graph.write_move(&a, mv)));
    assert_eq!(names, ["b", "c", "c#2"]);
    let c = graph.parse("c").unwrap();
    assert_eq!(graph.play(&c, 1), Next::Again(graph.parse("b").unwrap()));
    let solution = solved(&graph);
    assert_eq!(value(&graph, &solution, "a"), Value::Win(1));
    assert_eq!(value(&graph, &solution, "c"), Value::Loss(2), "to a or, worse, to b as its own");
    let error = graph.parse("d").unwrap_err().to_string();
    assert!(error.contains("a position of the graph, 'c' to 'a'"), "{error}");
}

#[test]
fn endless_play_is_worth_what_the_file_says() {
    let ring = "a -> b\nb -> a end\nend = draw\n";
    let outcome = |endless: &str| {
        let graph = read(&format!("@endless {endless}\n{ring}")).unwrap();
        let solution = solved(&graph);
        ["a", "b"].map(|label| value(&graph, &solution, label))
    };
    assert_eq!(outcome("draw"), [Value::Draw(2), Value::Draw(1)]);
    // Who wins by going on does; who loses by it ends the game.
    assert_eq!(outcome("first"), [Value::Draw(2), Value::Draw(1)]);
    let forever = Value::ENDLESS;
    assert_eq!(outcome("second"), [Value::Loss(forever), Value::Win(forever)]);
    let both = read("@endless first\na -> b c\nb -> c\nc = loss\n").unwrap_err();
    assert!(both.contains("'c' is reached with either side to move"), "{both}");
}

#[test]
fn what_is_wrong_is_named() {
    for (text, expected) in [
        ("a -> b\n", "line 1: 'a' leads to 'b', which has no line of its own"),
        ("a = loss\n# note\na = win\n", "line 3: 'a' has a line already, 1"),
        ("a ->\n", "'a' has no move and no outcome"),
        ("a = loss", "line 1 is cut off"),
        ("a = lost\n", "line 1: expected LABEL -> LABEL"),
        ("a\n", "found 'a'"),
        ("@end a\na = loss\n", "found '@end a'"),
        ("@start b\na = loss\n", "leads to 'b'"),
        ("", "a graph has 1 to"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(expected), "{text:?}: {error}");
    }
    let packed = read("a -> b\nb = loss\n").unwrap().pack();
    for cut in 0..packed.len() {
        assert!(Graph::read(&packed[..cut]).is_err(), "cut off after {cut} bytes");
    }
    for bit in 0..8 * packed.len() {
        let mut damaged = packed.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(Graph::read(&damaged).is_err(), "bit {bit}");
    }
}

/// Moves and outcomes of a graph's positions, by number.
fn contents(graph: &Graph) -> Vec<(Option<kanzen_core::Outcome>, Vec<Next<u32>>)> {
    let size = graph.tiers()[0].size as u32;
    let of = |position: u32| {
        let mut moves = Vec::new();
        graph.successors(&position, |next| moves.push(next));
        (graph.over(&position), moves)
    };
    (0..size).map(of).collect()
}

proptest! {
    #[test]
    fn text_and_packed_graphs_are_the_same_and_solved_right(
        nodes in prop::collection::vec((0u8..8, prop::collection::vec((any::<u32>(), 0u8..6), 1..5)), 1..60),
    ) {
        let size = nodes.len() as u32;
        let mut text = format!("@start p{}\n", size / 2);
        for (number, (kind, moves)) in nodes.iter().enumerate() {
            text += &match kind {
                0 => format!("p{number} = loss\n"),
                1 => format!("p{number} = draw\n"),
                2 if number % 3 == 0 => format!("p{number} = win\n"),
                _ => {
                    let to = |(to, again): &(u32, u8)| {
                        format!("{}p{}", if *again == 0 { "+" } else { "" }, to % size)
                    };
                    let moves: Vec<String> = moves.iter().map(to).collect();
                    format!("p{number} -> {}\n", moves.join(" "))
                }
            };
        }
        let graph = read(&text).unwrap();
        let packed = Graph::read(&graph.pack()).unwrap();
        prop_assert_eq!(contents(&graph), contents(&packed));
        prop_assert_eq!(packed.write(&packed.start()), (size / 2).to_string());
        let solution = solved(&graph);
        for (position, expected) in (0..).zip(&plain(&graph)[0]) {
            prop_assert_eq!(Some(solution.value(&graph, &position)), *expected);
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "[ab+@=> \\-\n#]{0,80}") {
        let _ = Graph::read(&bytes);
        let _ = Graph::read(text.as_bytes());
        let _ = Graph::read(&[&b"\x89KNG\r\n\x1a\n\x01"[..], &bytes].concat());
    }
}
