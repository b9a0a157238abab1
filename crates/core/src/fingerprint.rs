//! A number that tells one set of rules from another.

use crate::{Endless, Game, Next};

/// Games that are played.
const GAMES: u64 = 12;
/// Plies of a game at the most.
const PLIES: usize = 32;

/// A number for the rules, made from the moves of a few games that are always the same: tables keep
/// it, so that they are not believed after the rules have changed.
///
/// The games are played from the start. What they do not touch, the number does not tell.
pub fn fingerprint<G: Game>(game: &G) -> u32 {
    let mut print = Print(0xcbf2_9ce4_8422_2325);
    print.add(&match game.endless() {
        Endless::Draw => "draw".to_owned(),
        Endless::WonBy(side) => format!("won by {}", side.number()),
    });
    for number in 0..GAMES {
        let mut chance = number;
        let mut position = game.start();
        for _ in 0..PLIES {
            print.add(&game.write(&position));
            print.add(&format!("{:?}", game.over(&position)));
            let last = game.symmetries().saturating_sub(1);
            print.add(&game.write(&game.image(&position, last)));
            let mut children = Vec::new();
            game.moves(&position, |mv| {
                print.add(&game.write_move(&position, mv));
                let next = game.play(&position, mv);
                match next {
                    Next::Over(outcome) => print.add(outcome.word()),
                    Next::Again(_) => print.add("again"),
                    Next::Position(_) => {}
                }
                children.extend(next.position());
            });
            if children.is_empty() {
                break;
            }
            chance = chance.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(print.0 >> 7 | 1);
            position = children[(chance >> 33) as usize % children.len()];
        }
    }
    (print.0 ^ print.0 >> 32) as u32
}

/// A hash that stays the same from program to program: FNV-1a.
struct Print(u64);

impl Print {
    fn add(&mut self, text: &str) {
        for byte in text.bytes().chain([0]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
