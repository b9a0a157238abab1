"""Games by name, and where their tables are."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from . import _kanzen
from .errors import GameError, MissingTableError
from .progress import bar

_UNITS = {"": 1, "B": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def directory(dir: str | os.PathLike | None) -> Path:
    """The directory of tables: the one given, that of KANZEN_DIR, or the platform's."""
    chosen = dir or os.environ.get("KANZEN_DIR") or _kanzen.data_dir()
    if chosen is None:
        raise GameError("there is no home directory: say where tables are with dir=")
    return Path(chosen)


def size(text: str | int | None) -> int | None:
    """A number of bytes such as '16G'."""
    if text is None or isinstance(text, int):
        return text
    found = re.fullmatch(r"([0-9]*\.?[0-9]+)\s*([BKMGT]?)(I?B)?", str(text).strip().upper())
    if found is None:
        raise ValueError(f"{text!r} is not a size such as '500M' or '16G'")
    return int(float(found[1]) * _UNITS[found[2]])


class Game(_kanzen.Game):
    """A game with its options chosen. Made by `kanzen.game`."""

    __slots__ = ()

    def estimate(self, threads: int | None = None) -> dict:
        """What a solve will take: positions, memory and disk in bytes, seconds."""
        return json.loads(self._plan(threads or 0))

    def solve(
        self,
        dir: str | os.PathLike | None = None,
        threads: int | None = None,
        memory: str | int | None = None,
        progress: bool = True,
        again: bool = False,
    ):
        """Solves the game, unless it is solved already, and opens its table.

        Ctrl-C stops with a checkpoint: the same call goes on from there.
        """
        folder = directory(dir)
        with bar(self.name, progress) as show:
            self._solve(folder, threads or 0, size(memory), again, show)
        return self.open(folder)

    def open(self, dir: str | os.PathLike | None = None):
        """Opens the game's table."""
        from .table import Table

        return Table(self, directory(dir))


def game(name: str, **options: object) -> Game:
    """A game by its name, with options as keywords: `kanzen.game("simpei", pieces=3)`."""
    if not isinstance(name, str):
        raise TypeError(f"the name of a game is a str, not {type(name).__name__}")
    given = [f"{option.replace('_', '-')}={value}" for option, value in options.items()]
    try:
        return Game(name, given)
    except GameError:
        # Some options are spelled with an underscore.
        plain = [f"{option}={value}" for option, value in options.items()]
        if plain == given:
            raise
        return Game(name, plain)


def games(dir: str | os.PathLike | None = None):
    """All games as a DataFrame: names, titles, options, sizes, and whether they are solved."""
    import pandas

    found = json.loads(_kanzen.games(directory(dir)))
    return pandas.DataFrame(found).set_index("name")


def open(which: str | os.PathLike, dir: str | os.PathLike | None = None, **options: object):
    """Opens a table by the name of its game, with options as keywords, or by its path."""
    path = Path(which)
    if path.suffix == ".kanzen":
        if not path.exists():
            raise MissingTableError(f"{path} does not exist")
        return Game(*_kanzen.game_of(path)).open(path.resolve().parent)
    if str(which).startswith(("http://", "https://")):
        raise NotImplementedError("tables by address are not there yet: download the file")
    return game(os.fspath(which), **options).open(dir)
