"""What follows from the values of moves, for tables and for solved rules alike."""

from __future__ import annotations

import math

from .errors import PositionError


class Choice:
    """Whoever knows the moves of a position with their values, the best first."""

    __slots__ = ()

    def _moves(self, position):
        raise NotImplementedError

    def best(self, position) -> list:
        """All best moves: the same outcome in as many plies."""
        moves = self._moves(position)
        return [move for move in moves if move.value == moves[0].value]

    def _move(self, position, name):
        for move in self._moves(position):
            if move is name or move.name == name:
                return move
        raise PositionError(f"{name!r} is not a move of {position}")

    def regret(self, position, move) -> int:
        """What a move gives away: 0 if it keeps the outcome, 1 or 2 if it does not."""
        name = getattr(move, "name", move)
        moves = self._moves(position)
        return int(moves[0].outcome) - int(self._move(position, name).outcome) if moves else 0

    def policy(self, position, temperature: float = 0) -> dict:
        """How likely perfect play takes each move: with no temperature, best moves share all.

        With one, a move's share falls by e for each such step of its outcome below the best.
        """
        moves = self._moves(position)
        if not moves:
            return {}
        if temperature < 0:
            raise ValueError("a temperature is not negative")
        if temperature == 0:
            best = [move.value == moves[0].value for move in moves]
            weights = [float(one) for one in best]
        else:
            top = int(moves[0].outcome)
            weights = [math.exp((int(move.outcome) - top) / temperature) for move in moves]
        whole = sum(weights)
        return {move.name: weight / whole for move, weight in zip(moves, weights)}
