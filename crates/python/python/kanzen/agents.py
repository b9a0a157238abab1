"""Agents measured against perfect play."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from . import _kanzen
from .errors import KanzenError
from .rules import Again, Rules, _explore
from .table import values_of_codes

Agent = Callable[[Any], Any] | str
"""A function from a position to the name of a move, or the name of a level such as 'club'."""

_PHASES = ("opening", "middle", "end")


@dataclass(frozen=True)
class Evaluation:
    """How an agent has played, next to perfect play."""

    moves: int
    """Moves that were looked at."""
    perfect: float
    """The share that was perfect: the best outcome, as fast or as slowly as can be."""
    kept: float
    """The share that kept the outcome."""
    loss: float
    """What a move gave away on average; from a win to a loss is 2."""
    wins: int
    draws: int
    losses: int
    table: Any
    """The same by the outcome that was to be had and by phase: a DataFrame."""

    def __repr__(self) -> str:
        return (
            f"Evaluation(perfect {self.perfect:.1%}, kept {self.kept:.1%}, loss {self.loss:.3f}, "
            f"{self.wins} wins, {self.draws} draws, {self.losses} losses)"
        )


def _player(agent: Agent | None, table, chance: random.Random) -> Callable[[Any, list], Any]:
    """An agent as a function of a position and its moves."""
    if agent is None:
        return lambda position, moves: chance.choice(moves).name
    if isinstance(agent, str):
        return lambda position, moves: table.choose(position, agent, chance.getrandbits(63))
    if not callable(agent):
        raise TypeError(f"an agent is a function or a level, not {type(agent).__name__}")
    return lambda position, moves: agent(position)


def _named(moves: list, chosen: Any, position: Any):
    name = getattr(chosen, "name", chosen)
    for move in moves:
        if move.name == name:
            return move
    raise KanzenError(f"the agent chose {name!r}, which is not a move of {position}")


def _again(position: Any, move: Any) -> bool:
    if isinstance(position, _kanzen.Position):
        return position.moves_again(move.name)
    return move.again


def evaluate(
    agent: Agent,
    table,
    games: int = 1000,
    seed: int = 1,
    opponent: Agent | None = None,
    most: int = 200,
) -> Evaluation:
    """Lets an agent play and judges every move that it makes.

    agent: a function from a position to the name of a move, or the name of a level.
    opponent: the same; by default one that moves by chance. The sides take turns to begin.
    most: a game that is not over after so many plies is a draw.
    """
    import pandas

    chance = random.Random(seed)
    players = [_player(agent, table, chance), _player(opponent, table, chance)]
    rows, results = [], {1: 0, 0: 0, -1: 0}
    for number in range(games):
        # Whose turn it is: 0 is the agent.
        turn, position, result, played = number % 2, table.start(), 0, []
        for ply in range(most):
            moves = table.moves(position)
            if not moves:
                outcome = int(table[position].outcome)
                result = outcome if turn == 0 else -outcome
                break
            move = _named(moves, players[turn](position, moves), position)
            if turn == 0:
                best = moves[0].value
                loss = int(best.outcome) - int(move.outcome)
                played.append((ply, best.outcome.name.lower(), move.value == best, loss))
            if move.position is None:
                result = int(move.outcome) if turn == 0 else -int(move.outcome)
                break
            if not _again(position, move):
                turn = 1 - turn
            position = move.position
        results[result] += 1
        length = ply + 1
        rows += [(*row[1:], _PHASES[min(2, 3 * row[0] // length)]) for row in played]
    frame = pandas.DataFrame(rows, columns=["outcome", "perfect", "loss", "phase"])
    frame["kept"] = frame["loss"] == 0
    groups = frame.groupby(["outcome", "phase"], sort=True)
    by = groups.agg(
        moves=("loss", "size"),
        perfect=("perfect", "mean"),
        kept=("kept", "mean"),
        loss=("loss", "mean"),
    )
    mean = (
        frame[["perfect", "kept", "loss"]].mean() if len(frame) else dict(perfect=0, kept=0, loss=0)
    )
    return Evaluation(
        moves=len(frame),
        perfect=float(mean["perfect"]),
        kept=float(mean["kept"]),
        loss=float(mean["loss"]),
        wins=results[1],
        draws=results[0],
        losses=results[-1],
        table=by.reset_index(),
    )


@dataclass(frozen=True)
class BestResponse:
    """What can be had against a fixed policy."""

    expected: float
    """From -1, a sure loss, to 1, a sure win."""
    value: _kanzen.Value | None
    """The value if the policy never leaves anything to chance, else None."""
    positions: int
    """Positions that can arise against the policy."""


class _Against(Rules):
    """A game in which one side has no choice."""

    def __init__(self, table, policy, side: int) -> None:
        self.table, self.policy, self.side = table, policy, side
        # What the policy does at a state: moves with their chances.
        self.chances: dict = {}

    def start(self):
        return (self.table.start(), 0)

    def over(self, state):
        position, _ = state
        return None if self.table.moves(position) else self.table[position].outcome

    def moves(self, state):
        position, turn = state
        moves = self.table.moves(position)
        if turn != self.side:
            return moves
        given = self.policy(position)
        if not isinstance(given, Mapping):
            given = {getattr(given, "name", given): 1.0}
        chosen = [(_named(moves, name, position), float(p)) for name, p in given.items() if p > 0]
        whole = sum(chance for _, chance in chosen)
        if not abs(whole - 1) < 1e-6:
            raise KanzenError(f"the policy's chances at {position} add up to {whole}")
        self.chances[state] = [chance for _, chance in chosen]
        return [move for move, _ in chosen]

    def play(self, state, move):
        position, turn = state
        if move.position is None:
            return move.outcome
        again = _again(position, move)
        child = (move.position, turn if again else 1 - turn)
        return Again(child) if again else child


def best_response(
    policy: Agent | Callable[[Any], Mapping],
    table,
    plays: int = 2,
    seed: int = 0,
    most: int = 5_000_000,
    progress: bool = False,
) -> BestResponse:
    """The exact value of playing against a fixed policy.

    policy: a function from a position to the name of a move, or to the chances of moves by name; or
        the name of a level.
    plays: whether the policy moves 1st or 2nd.
    most: give up if more positions than this can arise.

    Against a policy without chance the value is that of the game in which the policy's side has no
    choice, by retrograde analysis. Else it is the best expectation, to within 1e-9; a game that never
    ends counts as a draw.
    """
    from .progress import bar

    if plays not in (1, 2):
        raise ValueError("the policy plays 1st or 2nd")
    if isinstance(policy, str):
        level = policy
        policy = lambda position: table.choose(position, level, seed)
    rules = _Against(table, policy, plays - 1)
    with bar("best response", progress) as show:
        graph = _explore(rules, show, most)
        ends, starts, moves = graph.arrays()
        count = len(graph.numbers)
        if all(len(chances) == 1 for chances in rules.chances.values()):
            codes = _kanzen.solve_graph(ends, starts, moves, "draw", 0, show)
            outcomes, plies = values_of_codes(codes[:1])
            outcome = int(outcomes[0]) * (-1 if plays == 1 else 1)
            value = _kanzen.Value(outcome, None if plies[0] < 0 else int(plies[0]))
            return BestResponse(float(outcome), value, count)
    return BestResponse(_expected(graph, rules, ends, starts, moves, plays - 1), None, count)


def _expected(graph, rules: _Against, ends, starts, moves, side: int) -> float:
    """The best expectation against a policy with chance, by value iteration."""
    import numpy as np

    count = len(graph.numbers)
    turns = np.fromiter((turn for _, turn in graph.numbers), np.int8, count)
    open_ = ends[:count] == 3
    first = starts[:-1][:count][open_].astype(np.int64)
    to = (moves & 0x7FFFFFFF).astype(np.int64)
    chances = np.zeros(len(moves))
    for state, given in rules.chances.items():
        begin = int(starts[graph.numbers[state]])
        chances[begin : begin + len(given)] = given
    # Outcomes for the responder: of states that are over, and of moves that end the game.
    sign = np.where(turns == side, -1.0, 1.0)
    value = np.zeros(count + 3)
    value[:count] = np.where(open_, 0.0, sign * (ends[:count].astype(float) - 1))
    owners = np.repeat(np.arange(count), np.diff(starts[: count + 1]).astype(np.int64))
    # A move that ends the game leads to the mover's win, draw or loss.
    ending = to >= count
    worth = sign[owners[ending]] * (1 - ends[to[ending]].astype(float))
    mine = turns[:count][open_] != side
    for _ in range(1_000_000):
        of_moves = value[to]
        of_moves[ending] = worth
        best = np.maximum.reduceat(of_moves, first) if len(first) else np.zeros(0)
        mean = np.add.reduceat(of_moves * chances, first) if len(first) else np.zeros(0)
        new = np.where(mine, best, mean)
        change = np.abs(new - value[:count][open_]).max(initial=0.0)
        value[:count][open_] = new
        if change < 1e-12:
            break
    return float(value[0])
