"""Games whose rules are written in Python.

States are found breadth first and numbered; their moves are kept as four bytes each. The retrograde
analysis itself runs on the packed moves, in the engine that solves every other game.
"""

from __future__ import annotations

import array
from collections import deque
from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple

from . import _kanzen
from ._kanzen import Value
from .choice import Choice
from .errors import PositionError, RulesError
from .outcome import Outcome
from .progress import bar
from .table import values_of_codes

_AGAIN = 1 << 31
_OPEN = 3
# Where moves lead that end the game: numbers beyond all states, until the number of states is known.
_ENDS = {outcome: _AGAIN - 1 - number for number, outcome in enumerate(Outcome)}
_LOOK = 2048


class Again(NamedTuple):
    """A state after a move that gives the same player another move."""

    state: Any


class Rules:
    """A game for two players. A state includes the side to move, and is hashable.

    Write `start`, `moves` and `play`; the rest has a meaning if it is left out.
    """

    endless = "draw"
    """What play without end is worth: 'draw', or won by who moves 'first' or 'second'."""

    def start(self) -> Any:
        """The state in which the game starts."""
        raise NotImplementedError("a game needs a method 'start'")

    def moves(self, state: Any) -> Iterable[Any]:
        """All legal moves of a state."""
        raise NotImplementedError("a game needs a method 'moves'")

    def play(self, state: Any, move: Any) -> Any:
        """What a move leads to: a state for the other player, `Again(state)`, or WIN, DRAW or LOSS for
        the player who makes it."""
        raise NotImplementedError("a game needs a method 'play'")

    def over(self, state: Any) -> Outcome | None:
        """The outcome for the side to move, if the game is over here."""
        return None

    def canonical(self, state: Any) -> Hashable:
        """What a state is known by: the same for states of the same value, such as mirror images."""
        return state


class RulesMove(NamedTuple):
    """A move with its value for the player who makes it."""

    name: Any
    """The move, as the rules call it."""
    value: Value
    position: Any
    """The state it leads to; None if it ends the game."""
    again: bool
    """Whether the same player moves again."""

    @property
    def outcome(self) -> Outcome:
        """WIN, DRAW or LOSS for the player who makes it."""
        return self.value.outcome

    @property
    def plies(self) -> int | None:
        """Plies to the end of the game, itself included."""
        return self.value.plies


class _Graph:
    """The states of a game and where their moves lead, packed."""

    def __init__(self) -> None:
        self.numbers: dict[Hashable, int] = {}
        self.ends = bytearray()
        self.starts = array.array("Q", [0])
        self.moves = array.array("I")

    def arrays(self):
        """The arrays of the native half, with a state for each way in which a move ends the game."""
        import numpy as np

        moves = np.frombuffer(self.moves, dtype=np.uint32) if self.moves else np.zeros(0, np.uint32)
        ends = np.frombuffer(bytes(self.ends), dtype=np.uint8)
        starts = np.frombuffer(self.starts, dtype=np.uint64)
        moves = moves.copy()
        count = len(ends)
        over = moves & (_AGAIN - 1) >= _AGAIN - 3
        # The mover's win is a loss for whoever would be to move there: 0 stands for a loss.
        moves[over] = count + (_AGAIN - 1 - moves[over])
        ends = np.concatenate([ends, np.array([2, 1, 0], np.uint8)])
        starts = np.concatenate([starts, np.full(3, starts[-1], np.uint64)])
        return ends, starts, moves


def _guess(sizes: list[int], found: int) -> int:
    """How many states there may be, from how many each ply has found so far."""
    if len(sizes) < 3 or sizes[-2] == 0:
        return 4 * found
    growth = sizes[-1] / sizes[-2]
    before = sizes[-2] / max(1, sizes[-3])
    # Growth falls from ply to ply, as it did last.
    fall = min(0.97, growth / before) if before else 0.5
    total, layer = found, float(sizes[-1])
    for _ in range(1000):
        growth *= fall
        layer *= growth
        total += int(layer)
        if layer < 1:
            break
    return total


def _explore(rules: Rules, show, most: int | None) -> _Graph:
    graph = _Graph()
    numbers, ends, starts, edges = graph.numbers, graph.ends, graph.starts, graph.moves
    moves_of, play, over_of, canonical = rules.moves, rules.play, rules.over, rules.canonical
    plain = type(rules).canonical is Rules.canonical
    append = edges.append
    find = numbers.get
    state: Any = None
    try:
        state = rules.start()
        numbers[state if plain else canonical(state)] = 0
        waiting = deque([state])
        last_of_ply, sizes, done = 0, [1], 0
        while waiting:
            state = waiting.popleft()
            over = over_of(state)
            if over is not None:
                ends.append(int(Outcome(over)) + 1)
            else:
                ends.append(_OPEN)
                before = len(edges)
                for move in moves_of(state):
                    child = play(state, move)
                    again = 0
                    if isinstance(child, Outcome):
                        append(_ENDS[child])
                        continue
                    if isinstance(child, Again):
                        child, again = child.state, _AGAIN
                    if child is None:
                        raise RulesError(
                            f"the move {move!r} of {state!r} leads nowhere: play gave None"
                        )
                    key = child if plain else canonical(child)
                    number = find(key)
                    if number is None:
                        number = numbers[key] = len(numbers)
                        waiting.append(child)
                    append(number | again)
                if len(edges) == before:
                    raise RulesError(f"{state!r} has no move, and 'over' tells no outcome of it")
            starts.append(len(edges))
            if done == last_of_ply:
                last_of_ply = len(numbers) - 1
                sizes.append(last_of_ply - done)
            done += 1
            if done % _LOOK == 0:
                if most is not None and len(numbers) > most:
                    raise RulesError(f"there are more than {most:,} states: most= allows more")
                if show is not None:
                    guess = max(_guess(sizes, done), len(numbers))
                    show("finding states", f"{len(numbers):,} so far", done, guess, True)
    except RulesError:
        raise
    except Exception as error:
        name = type(rules).__name__
        if isinstance(error, TypeError) and "unhashable" in str(error):
            raise RulesError(f"{name}: states must be hashable, such as tuples: {error}") from error
        raise RulesError(f"{name} raised {type(error).__name__} at {state!r}: {error}") from error
    return graph


class Solution(Choice):
    """A solved game whose rules are in Python. `solution[state]` is a state's value."""

    def __init__(self, rules: Rules, numbers: dict, outcomes, plies) -> None:
        self.rules = rules
        self._numbers, self.outcomes, self.plies = numbers, outcomes, plies

    def start(self) -> Any:
        """The state in which the game starts."""
        return self.rules.start()

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self):
        return iter(self._numbers)

    def __contains__(self, state: Any) -> bool:
        return self.rules.canonical(state) in self._numbers

    def number(self, state: Any) -> int:
        """The number of a state: its place in `outcomes` and `plies`."""
        try:
            return self._numbers[self.rules.canonical(state)]
        except KeyError:
            raise PositionError(f"{state!r} cannot arise from the start") from None
        except TypeError as error:
            raise PositionError(f"{state!r} is no state: {error}") from None

    def __getitem__(self, state: Any) -> Value:
        number = self.number(state)
        plies = int(self.plies[number])
        return Value(int(self.outcomes[number]), None if plies < 0 else plies)

    def probe(self, state: Any) -> Value:
        """The value of a state."""
        return self[state]

    def get(self, state: Any, default: Any = None) -> Value | Any:
        """The value of a state; `default` if it cannot arise."""
        return self[state] if state in self else default

    def moves(self, state: Any = None) -> list[RulesMove]:
        """Every legal move with its value, the best first."""
        state = self.start() if state is None else state
        if self.rules.over(state) is not None:
            return []
        found = []
        for move in self.rules.moves(state):
            child = self.rules.play(state, move)
            if isinstance(child, Outcome):
                found.append(RulesMove(move, Value(int(child), 1), None, False))
                continue
            again = isinstance(child, Again)
            child = child.state if again else child
            value = self[child]
            outcome = int(value.outcome) if again else -int(value.outcome)
            plies = None if value.plies is None else value.plies + 1
            found.append(RulesMove(move, Value(outcome, plies), child, again))
        return sorted(found, key=_order)

    def _moves(self, state: Any) -> list[RulesMove]:
        return self.moves(state)

    def line(self, state: Any = None) -> list[RulesMove]:
        """A best line: the moves to the end of the game, or until a state comes back."""
        state = self.start() if state is None else state
        line, seen = [], {self.rules.canonical(state)}
        while moves := self.moves(state):
            line.append(moves[0])
            state = moves[0].position
            if state is None or self.rules.canonical(state) in seen:
                break
            seen.add(self.rules.canonical(state))
        return line

    def stats(self):
        """How many states have which value: a DataFrame."""
        import pandas

        values = pandas.DataFrame({"outcome": self.outcomes, "plies": self.plies})
        counted = values.value_counts().rename("states").reset_index()
        return counted.sort_values(["outcome", "plies"], ascending=[False, True], ignore_index=True)

    def __repr__(self) -> str:
        return f"Solution({type(self.rules).__name__}, {len(self):,} states)"


def _order(move: RulesMove):
    outcome, plies = int(move.value.outcome), move.value.plies
    far = 1 << 20 if plies is None else plies
    return (-outcome, -far if outcome < 0 else far)


def solve(
    rules: Rules, progress: bool = True, threads: int | None = None, most: int | None = None
) -> Solution:
    """Solves a game whose rules are in Python: the value of every state that can arise.

    most: give up when more states than this are found.
    """
    if not isinstance(rules, Rules):
        raise TypeError(f"rules are an instance of kanzen.Rules, not {type(rules).__name__}")
    with bar(type(rules).__name__, progress) as show:
        graph = _explore(rules, show, most)
        ends, starts, moves = graph.arrays()
        codes = _kanzen.solve_graph(ends, starts, moves, rules.endless, threads or 0, show)
    outcomes, plies = values_of_codes(codes[: len(graph.numbers)])
    return Solution(rules, graph.numbers, outcomes, plies)
