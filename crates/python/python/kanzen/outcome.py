"""Wins, draws and losses."""

import enum


class Outcome(enum.IntEnum):
    """How a game ends for a player; more is better."""

    LOSS = -1
    DRAW = 0
    WIN = 1


LOSS = Outcome.LOSS
DRAW = Outcome.DRAW
WIN = Outcome.WIN
