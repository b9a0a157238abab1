"""Tables: what every position is worth, one by one and in arrays."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence

from . import _kanzen
from .choice import Choice
from .errors import PositionError
from .game import size
from .progress import bar

NOTHING = -128
"""The outcome at an index that stands for no position."""

_FORMAT_COLUMNS = ("index", "tier", "position", "outcome", "plies", "orbit")


def _frames(text: str) -> dict:
    import pandas

    return {name: pandas.DataFrame(rows) for name, rows in json.loads(text).items()}


def values_of_codes(codes):
    """The outcomes and plies of an array of codes, as `Tier.codes` gives them."""
    import numpy as np

    codes = np.asarray(codes, dtype=np.uint16).astype(np.int32)
    drawn = codes >= 2 * 0x1FFF + 3
    plies = np.where(
        drawn, codes - (2 * 0x1FFF + 3), np.where(codes % 2 == 0, codes // 2 - 1, codes // 2)
    )
    outcomes = np.where(drawn | (codes == 0), 0, np.where(codes % 2 == 0, 1, -1))
    plies = np.where((codes == 0) | (plies >= 0x1FFE), -1, plies)
    nothing = codes == 0xFFFF
    outcomes = np.where(nothing, NOTHING, outcomes)
    return outcomes.astype(np.int8), np.where(nothing, -1, plies).astype(np.int16)


class Tier:
    """A part of a table that was solved as a whole."""

    def __init__(self, table: Table, number: int, name: str, first: int, size: int) -> None:
        self.table, self.number, self.name = table, number, name
        self.first, self.size = first, size

    def __len__(self) -> int:
        return self.size

    def codes(self, progress: bool = False):
        """The codes of all values as uint16, unpacked when asked for.

        0 is a draw without end; a win in n plies is 2n + 2, a loss 2n + 1, a draw by the rules
        16385 + n; 65535 stands for no position. `kanzen.values_of_codes` tells outcomes and plies.
        """
        with bar(self.name, progress) as show:
            return self.table._codes(self.number, show)

    def __repr__(self) -> str:
        return f"Tier({self.number}, '{self.name}', {self.size})"


class Table(Choice, _kanzen.Table):
    """A solved game. `table[position]` is a position's value.

    Indices number the positions of all tiers in a row; a few of them stand for no position.
    """

    __slots__ = ()

    def start(self) -> _kanzen.Position:
        """The position in which the game starts."""
        return self.game.start()

    # --- arrays

    def _given(self, positions, integers: bool):
        """Positions as the native half takes them: indices, boards or texts."""
        import numpy as np

        if isinstance(positions, np.ndarray) and positions.dtype.kind not in "OU":
            if positions.dtype.kind in "iu" and positions.ndim == 1 and integers:
                if positions.dtype.kind == "u" and len(positions) and positions.max() > 2**63 - 1:
                    raise IndexError(f"{positions.max()} is no index of this table")
                return np.ascontiguousarray(positions, dtype=np.int64)
            if positions.dtype == np.uint8 and positions.ndim == 2:
                return np.ascontiguousarray(positions)
            wanted = "int64[n] or uint8[n, cells]" if integers else "uint8[n, cells]"
            raise PositionError(
                f"an array of {wanted} is expected, not {positions.dtype}{list(positions.shape)}"
            )
        if isinstance(positions, (str, _kanzen.Position)):
            raise TypeError("several positions are expected: put one in a list")
        if isinstance(positions, np.ndarray) and positions.ndim != 1:
            raise PositionError(f"texts come in one dimension, not {positions.ndim}")
        if not isinstance(positions, Iterable):
            raise TypeError(f"positions are expected, not {type(positions).__name__}")
        listed = [str(one) if isinstance(one, np.str_) else one for one in positions]
        if integers and listed and all(isinstance(one, (int, np.integer)) for one in listed):
            try:
                return np.asarray(listed, dtype=np.int64)
            except OverflowError:
                raise IndexError("an index is too large") from None
        return listed

    def locate(self, positions):
        """The indices of positions: texts, `Position`s, or uint8[n, cells] as `boards` gives them."""
        return self._locate(self._given(positions, integers=False))

    def probe_many(self, positions):
        """Outcomes (int8: 1, 0, -1) and plies (int16, -1 if there are none) of many positions.

        They are indices, uint8 boards, texts or `Position`s. An index that stands for no position has
        the outcome `kanzen.NOTHING`.
        """
        given = self._given(positions, integers=True)
        if getattr(given, "ndim", 0) == 1:
            return self._values(given)
        return self._values_of(given)

    def boards(self, positions):
        """The boards of indices, texts or `Position`s: uint8[n, cells].

        `cells` names the columns, `pieces` what the numbers from 1 mean; 0 is empty.
        """
        given = self._given(positions, integers=True)
        if getattr(given, "ndim", 0) == 1:
            return self._boards(given)
        return self._boards_of([str(position) for position in given])

    def positions(self, indices) -> list[_kanzen.Position]:
        """The positions at indices."""
        given = self._given(indices, integers=True)
        if getattr(given, "ndim", 0) != 1:
            raise PositionError("indices are expected")
        return [self.game.parse(text) for text in self._texts(given)]

    def sample(self, count: int, seed: int = 1, where: str = "") -> list[_kanzen.Position]:
        """Random positions, each the same share of the table up to symmetry."""
        batches = self._batches(self._asked(["position"], where, count, seed))
        found = []
        for batch in batches:
            text, ends = batch["text"].decode(), batch["offsets"]
            found += [text[a:b] for a, b in zip(ends[:-1], ends[1:])]
        return [self.game.parse(text) for text in found]

    def tier(self, number: int) -> Tier:
        """A tier by its number; the one with the last positions of a game comes first."""
        tiers = self.tiers
        if not 0 <= number < len(tiers):
            raise IndexError(f"there are tiers 0 to {len(tiers) - 1}, not {number}")
        first = sum(size for _, size in tiers[:number])
        return Tier(self, number, *(tiers[number][0], first, tiers[number][1]))

    # --- what is known of the whole

    def stats(self) -> dict:
        """How many positions have which value: DataFrames by name."""
        return _frames(self._stats())

    def find(self, kind: str, most: int = 5, progress: bool = False) -> dict:
        """Remarkable positions of a kind, such as 'zugzwang': DataFrames by name. See `kinds`."""
        with bar(self.game.name, progress) as show:
            return _frames(self._find(kind, most, show))

    def puzzles(self, count: int = 50, seed: int = 1, progress: bool = False):
        """Positions with a single good move, graded, with solutions: a DataFrame."""
        import pandas

        with bar(self.game.name, progress) as show:
            return pandas.json_normalize(json.loads(self._puzzles(count, seed, show)))

    def prove(self, position=None, most: int = 2_000_000, look: int = 1, progress: bool = False):
        """The proof that a position is won or lost: the sizes of its tree and of a strategy."""
        with bar(self.game.name, progress) as show:
            return json.loads(self._prove(position, most, look, show))

    def compare(self, other: Table, most: int = 3, progress: bool = False) -> dict:
        """What is different in another table: DataFrames by name."""
        with bar(self.game.name, progress) as show:
            return _frames(self._compare(other, most, show))

    def verify(self, progress: bool = False) -> dict:
        """Checks every entry against the rules: `passed`, `positions`, `wrong`, `problems`."""
        with bar(self.game.name, progress) as show:
            return json.loads(self._verify(show))

    # --- data sets

    @staticmethod
    def _asked(columns, where, sample, seed, split=None, shard_bytes=None) -> str:
        if isinstance(columns, str):
            columns = [columns]
        asked = {
            "columns": list(columns or []),
            "where": where or "",
            "sample": sample,
            "seed": seed,
            "split": list(split) if split is not None else None,
            "shard_bytes": size(shard_bytes),
        }
        return json.dumps(asked)

    def export(
        self,
        to: str | os.PathLike,
        format: str | None = None,
        columns: Sequence[str] | None = None,
        where: str | None = None,
        sample: int | None = None,
        seed: int = 1,
        split: Sequence[float] | None = None,
        shard_bytes: str | int | None = None,
        progress: bool = False,
    ) -> dict:
        """Writes positions as a data set, with a data card: see `to_parquet`."""
        asked = self._asked(columns, where, sample, seed, split, shard_bytes)
        with bar(self.game.name, progress) as show:
            return json.loads(self._export(to, format, asked, show))

    def to_parquet(self, to: str | os.PathLike, **asked) -> dict:
        """Writes positions as Parquet: to a file, or to a directory if there are sets or shards.

        columns: of index, tier, position, board, outcome, plies, orbit, moves, best.
        where: conditions such as 'outcome = win and plies >= 20' or 'tier = 0'.
        sample: so many positions by chance, in a random order; seed chooses others.
        split: shares of training, validation and test sets, such as (0.98, 0.01, 0.01), by orbit.
        shard_bytes: a new file after about so many bytes, such as '128M'.
        """
        return self.export(to, "parquet", **asked)

    def to_arrow(
        self,
        columns: Sequence[str] | None = None,
        where: str | None = None,
        sample: int | None = None,
        seed: int = 1,
    ):
        """A pyarrow.RecordBatchReader, for pandas, polars and DuckDB. Nothing is read in advance."""
        import numpy as np
        import pyarrow as pa

        columns = list(columns or _FORMAT_COLUMNS)
        batches = self._batches(self._asked(columns, where, sample, seed))
        cells = len(self.cells)
        kinds = {
            "index": pa.uint64(),
            "tier": pa.uint16(),
            "position": pa.string(),
            "board": pa.list_(pa.uint8(), cells),
            "outcome": pa.int8(),
            "plies": pa.int16(),
            "orbit": pa.uint32(),
            "moves": pa.uint16(),
            "best": pa.uint16(),
        }
        schema = pa.schema([(name, kinds[name]) for name in columns])

        def column(batch, name):
            if name == "position":
                ends = pa.py_buffer(np.ascontiguousarray(batch["offsets"]))
                return pa.StringArray.from_buffers(
                    len(batch["offsets"]) - 1, ends, pa.py_buffer(batch["text"])
                )
            if name == "board":
                return pa.FixedSizeListArray.from_arrays(pa.array(batch["board"]), cells)
            if name == "plies":
                return pa.array(batch["plies"], mask=batch["plies"] < 0)
            return pa.array(batch[name])

        def rows():
            for batch in batches:
                arrays = [column(batch, name) for name in columns]
                yield pa.RecordBatch.from_arrays(arrays, schema=schema)

        return pa.RecordBatchReader.from_batches(schema, rows())

    # --- choosing a move

    def _moves(self, position):
        return self.moves(position)

    def __reduce__(self):
        from .game import open

        return open, (self.path,)
