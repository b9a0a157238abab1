"""Kanzen solves board games completely: the value of every position, and the plies to the end.

>>> import kanzen
>>> game = kanzen.game("tictactoe")
>>> table = game.solve(dir="tables", progress=False)
>>> str(table[game.start()])
'draw in 9'

`docs/python.md` leads through the package.
"""

from typing import TYPE_CHECKING

from . import errors
from ._kanzen import Move, Position, Value, __version__
from .errors import (
    ExportError,
    GameError,
    KanzenError,
    MissingTableError,
    NoAnswerError,
    PositionError,
    RulesError,
    SolveError,
    TableError,
)
from .game import Game, game, games, open
from .outcome import DRAW, LOSS, WIN, Outcome
from .rules import Again, Rules, Solution, solve
from .table import NOTHING, Table, Tier, values_of_codes

__all__ = [
    "DRAW",
    "LOSS",
    "NOTHING",
    "WIN",
    "Again",
    "BestResponse",
    "Evaluation",
    "ExportError",
    "Game",
    "GameError",
    "KanzenError",
    "MissingTableError",
    "Move",
    "NoAnswerError",
    "Outcome",
    "Position",
    "PositionError",
    "Rules",
    "RulesError",
    "Solution",
    "SolveError",
    "Table",
    "TableError",
    "Tier",
    "Value",
    "__version__",
    "best_response",
    "errors",
    "evaluate",
    "game",
    "games",
    "open",
    "openspiel",
    "pgx",
    "solve",
    "values_of_codes",
]


if TYPE_CHECKING:
    from . import openspiel, pgx
    from .agents import BestResponse, Evaluation, best_response, evaluate

_AGENTS = ("BestResponse", "Evaluation", "best_response", "evaluate")


def __getattr__(name: str):
    # Adapters need packages that not everybody has, and agents are not for everybody either: they
    # are imported when they are used.
    import importlib

    if name in ("openspiel", "pgx"):
        return importlib.import_module(f".{name}", __name__)
    if name in _AGENTS:
        return getattr(importlib.import_module(".agents", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
