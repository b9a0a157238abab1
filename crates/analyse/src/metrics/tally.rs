//! What happens in games, counted while they are played.
//!
//! Every number is a sum over games, each with its weight: its probability if all games are gone
//! through, 1 if some are played. What is known of a game only when it ends, such as who was behind
//! and came back, goes along with it ([`Story`]) as sums over the games that are in a position.

use kanzen_core::Outcome;

/// Games that have come to the same position after as many plies, and what happened in them.
///
/// Aligned, so that one never lies in two cache lines: stories are added up in no order.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(super) struct Story {
    /// Their weight.
    pub(super) games: f64,
    /// Positions that were lost for the first and for the second player.
    behind: [f64; 2],
    /// Plies since the last mistake, or since the start.
    settled: f64,
}

impl Story {
    /// A game that begins.
    pub(super) const START: Story = Story { games: 1.0, behind: [0.0; 2], settled: 0.0 };

    /// The same games with those of another story.
    pub(super) fn add(&mut self, other: Story) {
        self.games += other.games;
        self.behind[0] += other.behind[0];
        self.behind[1] += other.behind[1];
        self.settled += other.settled;
    }

    /// An even part of the games.
    pub(super) fn part(self, of: usize) -> Story {
        let share = 1.0 / of as f64;
        Story {
            games: self.games * share,
            behind: self.behind.map(|plies| plies * share),
            settled: self.settled * share,
        }
    }

    /// The games after a move that keeps the value.
    pub(super) fn kept(self) -> Story {
        Story { settled: self.settled + self.games, ..self }
    }

    /// The games after a mistake.
    pub(super) fn turned(self) -> Story {
        Story { settled: 0.0, ..self }
    }
}

/// Sums over games.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// Games that the first player lost, drew and won.
    results: [f64; 3],
    /// Games that were not over when the last ply was played.
    unfinished: f64,
    /// Games that ended, and their plies.
    ended: f64,
    plies: f64,
    /// Turns, those at which a mistake was possible, and the mistakes.
    turns: f64,
    choices: f64,
    mistakes: f64,
    /// Of decided games: the share of positions in which the winner stood lost, and the plies after
    /// the last mistake.
    behind: f64,
    settled: f64,
}

impl Tally {
    /// A turn of player 0 or 1: `kept` of the `chosen` moves keep what the position is worth, and
    /// not all of its moves do if `choice`.
    pub(super) fn turn(
        &mut self,
        story: &mut Story,
        player: usize,
        outcome: Outcome,
        choice: bool,
        (kept, chosen): (usize, usize),
    ) {
        match outcome {
            Outcome::Loss => story.behind[player] += story.games,
            Outcome::Win => story.behind[1 - player] += story.games,
            Outcome::Draw => {}
        }
        self.turns += story.games;
        if choice {
            self.choices += story.games;
            self.mistakes += story.games * (chosen - kept) as f64 / chosen as f64;
        }
    }

    /// Games end after so many plies, with an outcome for player 0 or 1.
    pub(super) fn end(&mut self, story: Story, plies: u32, player: usize, outcome: Outcome) {
        let outcome = if player == 0 { outcome } else { outcome.flip() };
        self.results[outcome as usize] += story.games;
        self.ended += story.games;
        self.plies += story.games * f64::from(plies);
        let winner = match outcome {
            Outcome::Win => 0,
            Outcome::Loss => 1,
            Outcome::Draw => return,
        };
        self.behind += story.behind[winner] / f64::from(plies.max(1));
        self.settled += story.settled;
    }

    /// Games are given up.
    pub(super) fn give_up(&mut self, story: Story) {
        self.unfinished += story.games;
    }

    /// Unfinished games end in this way for the first player, whenever that is.
    pub(super) fn finish(&mut self, outcome: Outcome) {
        self.results[outcome as usize] += std::mem::take(&mut self.unfinished);
    }

    /// Both tallies as one.
    pub(super) fn and(self, other: Tally) -> Tally {
        Tally {
            results: [0, 1, 2].map(|result| self.results[result] + other.results[result]),
            unfinished: self.unfinished + other.unfinished,
            ended: self.ended + other.ended,
            plies: self.plies + other.plies,
            turns: self.turns + other.turns,
            choices: self.choices + other.choices,
            mistakes: self.mistakes + other.mistakes,
            behind: self.behind + other.behind,
            settled: self.settled + other.settled,
        }
    }

    /// What that says of a game, where unfinished ones are worth `endless` to the first player.
    pub(super) fn played(&self, endless: Outcome) -> Played {
        let [losses, draws, wins] = self.results;
        let games = losses + draws + wins + self.unfinished;
        let mean = |sum: f64, of: f64| (of > 0.0).then(|| sum / of);
        let share = |sum: f64| sum / games;
        let score = share(wins + 0.5 * draws + worth(endless) * self.unfinished);
        let squares = share(wins + 0.25 * draws + worth(endless).powi(2) * self.unfinished);
        Played {
            score,
            deviation: (squares - score * score).max(0.0).sqrt(),
            wins: share(wins),
            draws: share(draws),
            losses: share(losses),
            unfinished: share(self.unfinished),
            plies: mean(self.plies, self.ended),
            lead_changes: share(self.mistakes),
            choices: mean(self.choices, self.turns),
            clarity: mean(self.choices - self.mistakes, self.choices),
            drama: mean(self.behind, losses + wins),
            settled: mean(self.settled, losses + wins),
        }
    }
}

/// An outcome as a score.
pub(super) fn worth(outcome: Outcome) -> f64 {
    0.5 * f64::from(outcome as u8)
}

/// How games between two players go. Shares are of all games; `docs/metrics.md` has the formulas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Played {
    /// The first player's score: a win is 1, a draw ½, and an unfinished game what endless play is.
    pub score: f64,
    /// How much the score of a single game differs from that (the standard deviation).
    pub deviation: f64,
    /// Games that the first player wins.
    pub wins: f64,
    /// Drawn games.
    pub draws: f64,
    /// Games that the second player wins.
    pub losses: f64,
    /// Games that are not over after the most plies that are looked at.
    pub unfinished: f64,
    /// Plies of a finished game, on average.
    pub plies: Option<f64>,
    /// How often a game changes between won, drawn and lost: by a mistake each time.
    pub lead_changes: f64,
    /// Turns at which a mistake is possible.
    pub choices: Option<f64>,
    /// How many of those turns are without a mistake.
    pub clarity: Option<f64>,
    /// The share of a decided game's positions in which its winner stood lost.
    pub drama: Option<f64>,
    /// Plies of a decided game after its last mistake.
    pub settled: Option<f64>,
}
