//! Games whose positions are numbered, solved by the frontier engine.

use crate::any::{Store, VerifiedShare, VerifyReport, Whole};
use crate::kinds::{self, Common};
use crate::store::Files;
use crate::two_player::{Engine, SolvedGame, TwoPlayer, parse_or_start};
use crate::{Arrays, Changes, Depth, GameError, Options, Proof, changes, prove};
use kanzen_analyse::{
    Census, Codes, Finding, Flaw, Kind, Random, Reach, Solved, TierCensus, ValueError, Values,
    Verification, check, columns, row, write_table,
};
use kanzen_core::{Pressure, Text, Value, Words};
use kanzen_index::{Indexed, Place};
use kanzen_solve::{
    Checkpoint, FRONTIER, Job, Plan, Progress, Solution, SolveError, solve_anywhere,
};
use kanzen_table::{Identity, Table, TableError};
use std::sync::Arc;

/// The frontier engine, with the kinds of things that only one game knows.
pub struct Frontier<G: 'static> {
    kinds: &'static [OwnKind<G>],
}

/// Finds things in a solved game, with at most so many examples of each.
pub type Search<G> = fn(&Solved<G>, usize, &dyn Progress) -> Result<Vec<Finding>, GameError>;

/// A kind of things to find that one game knows.
pub struct OwnKind<G> {
    /// What it is.
    pub kind: Kind,
    /// Whether that takes the codes of all positions.
    pub by_codes: bool,
    /// Finds them, with at most so many examples of each.
    pub run: Search<G>,
}

impl<G: Indexed + Clone + 'static> TwoPlayer<G, Frontier<G>> {
    /// A game whose positions are numbered, with the options that chose it.
    pub fn new(game: G, options: &Options) -> TwoPlayer<G, Frontier<G>> {
        TwoPlayer::with_kinds(game, options, &[])
    }

    /// A game without options whose tables are known by this identity.
    pub fn named(game: G, identity: Identity) -> TwoPlayer<G, Frontier<G>> {
        TwoPlayer::with_identity(game, Frontier { kinds: &[] }, identity)
    }

    /// As [`new`](TwoPlayer::new), with kinds of things to find that only this game knows.
    pub fn with_kinds(
        game: G,
        options: &Options,
        kinds: &'static [OwnKind<G>],
    ) -> TwoPlayer<G, Frontier<G>> {
        TwoPlayer::with_engine(game, Frontier { kinds }, G::INDEX_VERSION, options)
    }
}

impl<G: Indexed + Clone + 'static> Engine<G> for Frontier<G> {
    type Solved = Stored<G>;

    fn plan(&self, game: &G, threads: usize) -> Plan {
        Plan::new(game, threads)
    }

    fn spreads(&self, _: &G) -> bool {
        true
    }

    fn solve(
        &self,
        game: &G,
        files: &Files,
        _: Store,
        level: i32,
        job: &Job<'_>,
    ) -> Result<(u64, Value), GameError> {
        let identity = files.identity().clone();
        let checkpoint = Checkpoint::new(files.checkpoint(), files.key(FRONTIER));
        let solution = solve_anywhere(game, job, &checkpoint)?;
        let write = || write_table(game, &solution, &files.table(), identity, level, job.progress);
        let written = job.install(write)?;
        let bytes = end_together(&solution, written)?;
        // The checkpoint may hold the values.
        let start = solution.value(game, &game.start());
        checkpoint.remove()?;
        Ok((bytes, start))
    }

    fn open(&self, game: G, table: Table) -> Result<Stored<G>, GameError> {
        Ok(Stored { kinds: self.kinds, ..Stored::new(Solved::new(game, table)?) })
    }

    fn check(&self, game: &G, samples: u64, seed: u64) -> Vec<Flaw> {
        check(game, samples, seed)
    }
}

/// Ends what a process had to do for a table. Of several, only the first has written it; and if that has
/// ended, whatever another one was at is not needed.
pub(crate) fn end_together(
    solution: &Solution,
    written: Result<u64, TableError>,
) -> Result<u64, GameError> {
    match solution.together().filter(|together| together.index() > 0) {
        Some(together) if written.is_ok() || together.is_over() => {
            Err(SolveError::Elsewhere.into())
        }
        _ => Ok(written?),
    }
}

/// A game with its table.
pub struct Stored<G: 'static> {
    solved: Solved<G>,
    kinds: &'static [OwnKind<G>],
}

impl<G: Indexed + 'static> Stored<G> {
    /// A solved game that knows no kinds of its own.
    pub(crate) fn new(solved: Solved<G>) -> Stored<G> {
        Stored { solved, kinds: &[] }
    }

    fn own(&self, kind: &str) -> Option<&'static OwnKind<G>> {
        self.kinds.iter().find(|own| own.kind.name == kind)
    }
}

impl<G: Indexed + 'static> Values for Stored<G> {
    type Game = G;

    fn game(&self) -> &G {
        self.solved.game()
    }

    fn value(&self, position: &G::Position) -> Result<Value, ValueError> {
        self.solved.value(position)
    }

    fn pressure(&self, position: &G::Position) -> Result<Option<Pressure>, ValueError> {
        self.solved.pressure(position)
    }
}

impl<G: Indexed + 'static> SolvedGame for Stored<G> {
    fn stats(&self) -> Vec<Finding> {
        let census = Census::of(self.solved.table().meta());
        let total = census.total();
        let mut tiers = Finding::new(
            "tiers",
            Words::new(
                "Positions up to symmetry, by their value for the side to move.",
                "対称を除いた局面数（手番側から見た値）。",
            ),
            &[
                columns::TIER,
                columns::POSITIONS,
                columns::WINS,
                columns::DRAWS,
                columns::LOSSES,
                kinds::LONGEST_WIN,
                kinds::LONGEST_LOSS,
            ],
        );
        let names = (0..census.tiers.len()).map(|tier| self.game().tier_title(tier));
        let mut add = |name: Text, tier: &TierCensus| {
            let TierCensus { positions, wins, draws, losses, .. } = *tier;
            tiers.add(row![
                name,
                positions,
                wins,
                draws,
                losses,
                tier.longest_win,
                tier.longest_loss
            ]);
        };
        census.tiers.iter().zip(names).rev().for_each(|(tier, name)| add(name, tier));
        // A single tier is its own sum.
        if census.tiers.len() > 1 {
            add(kinds::ALL.into(), &total);
        }
        vec![tiers, kinds::by_plies(&total)]
    }

    fn kinds(&self) -> Vec<Kind> {
        let own = self.kinds.iter().map(|own| own.kind);
        let common = kinds::COMMON.iter().copied();
        let ranked = self.solved.draws().map(|_| Kind::PRESSURE);
        own.chain(common.filter(|kind| self.own(kind.name).is_none())).chain(ranked).collect()
    }

    fn find(
        &self,
        kind: &str,
        most: usize,
        progress: &dyn Progress,
    ) -> Result<Vec<Finding>, GameError> {
        match self.own(kind) {
            Some(own) => (own.run)(&self.solved, most, progress),
            None => Common { solved: &self.solved, most, progress }.find(kind),
        }
    }

    fn totals(&self) -> ([u64; 4], u16) {
        let total = Census::of(self.solved.table().meta()).total();
        let TierCensus { positions, wins, draws, losses, .. } = total;
        ([positions, wins, draws, losses], total.longest().unwrap_or(0))
    }

    fn sample(&self, random: &mut Random) -> Option<G::Position> {
        let game = self.game();
        let size = game.tiers().iter().map(|tier| tier.size).sum();
        loop {
            let mut index = random.below(size);
            let tier = game.tiers().iter().position(|tier| {
                let inside = index < tier.size;
                index -= if inside { 0 } else { tier.size };
                inside
            })?;
            if let Some(position) = game.position(Place { tier, index }) {
                return Some(position);
            }
        }
    }

    fn rank_draws(&self, files: &Files, level: i32, job: &Job<'_>) -> Result<u64, GameError> {
        let atlas = self.solved.atlas(job.progress)?;
        let ranks = atlas.rank_draws(job.progress).map_err(|tier| {
            GameError::NoAnswer(format!("tier '{tier}' has more draws than can be ranked: 2^31"))
        })?;
        let identity = files.identity().clone();
        Ok(ranks.write(self.game(), &files.draws(), identity, level, job.progress)?)
    }

    fn ranks_draws(&self) -> bool {
        self.solved.draws().is_some()
    }

    fn take_draws(&mut self, draws: Table) -> Result<(), GameError> {
        Ok(self.solved.take_draws(draws)?)
    }

    fn arrays(&self) -> Option<&dyn Arrays> {
        Some(self)
    }

    fn whole(&self) -> Option<&dyn Whole> {
        Some(self)
    }

    fn changes(
        &self,
        other: &Stored<G>,
        most: usize,
        progress: &dyn Progress,
    ) -> Result<Option<Changes>, GameError> {
        changes::of_codes(self, other, most, progress)
    }

    fn verify(&self, progress: &dyn Progress) -> Result<VerifyReport, GameError> {
        // Nothing is checked in a browser, which need not fetch what does it then.
        if cfg!(target_family = "wasm") {
            return Err(GameError::NoAnswer("nothing is checked here".to_owned()));
        }
        let report = self.sum_up(vec![self.verify_share(0, 1, progress)?]);
        Ok(report.with_draws(self.solved.verify_draws(progress)?))
    }
}

impl<G: Indexed + 'static> Whole for Stored<G> {
    fn codes(&self, progress: &dyn Progress) -> Result<Arc<Codes>, GameError> {
        Ok(self.solved.codes(progress)?)
    }

    fn needs_codes(&self, kind: &str) -> bool {
        self.own(kind).map_or(kind != Kind::REACHABLE.name, |own| own.by_codes)
    }

    fn position(&self, place: Place) -> Option<String> {
        self.game().position(place).map(|position| self.game().write(&position))
    }

    fn verify_share(
        &self,
        share: u64,
        of: u64,
        progress: &dyn Progress,
    ) -> Result<VerifiedShare, GameError> {
        if cfg!(target_family = "wasm") {
            return Err(GameError::NoAnswer("nothing is checked here".to_owned()));
        }
        let found = self.solved.verify_share(share, of, progress)?;
        let problems = found.disagreements.into_iter().map(|wrong| {
            let Place { tier, index } = wrong.place;
            let (position, found, expected) = (wrong.position, wrong.found, wrong.expected);
            let says = format!("the table says {found:?}, its moves say {expected:?}");
            (tier, index, format!("{position} (tier {tier}, index {index}): {says}"))
        });
        let (wrong, problems) = (found.wrong, problems.collect());
        Ok(VerifiedShare { share: (share, of), wrong, problems, tiers: found.tiers })
    }

    fn sum_up(&self, shares: Vec<VerifiedShare>) -> VerifyReport {
        let (mut wrong, mut found, mut tiers) = (0, Vec::new(), Vec::<TierCensus>::new());
        for share in shares {
            wrong += share.wrong;
            found.extend(share.problems);
            if tiers.is_empty() {
                tiers = share.tiers;
            } else {
                tiers.iter_mut().zip(&share.tiers).for_each(|(all, more)| all.merge(more));
            }
        }
        found.sort_unstable();
        found.truncate(Verification::KEPT);
        let miscounted = self.solved.miscounted(&tiers);
        let passed = wrong == 0 && miscounted.is_empty();
        let miscounted = miscounted.into_iter();
        let miscounted =
            miscounted.map(|tier| format!("tier '{tier}': the census in the table is wrong"));
        let problems = found.into_iter().map(|(_, _, text)| text).chain(miscounted).collect();
        let positions = tiers.iter().map(|tier| tier.positions).sum();
        VerifyReport { passed, positions, draws: None, wrong, problems }
    }

    fn reach(&self, progress: &dyn Progress) -> Reach {
        Reach::new(self.game(), progress)
    }

    fn prove(
        &self,
        position: Option<&str>,
        depth: Depth,
        progress: &dyn Progress,
    ) -> Result<Proof, GameError> {
        let position = parse_or_start(self.game(), position)?;
        prove::prove(&self.solved, &position, depth, progress)
    }
}
