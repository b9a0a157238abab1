"""Progress of long work: a bar in a terminal and in a notebook, a line every few seconds elsewhere."""

from __future__ import annotations

import sys
import time

_WIDTH = 30
_EVERY = 5.0


class Bar:
    """Shows how far some work is. It is called with what is done, a note, and units done and in all."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._stream = sys.stderr
        # Notebooks go back to the start of a line as terminals do.
        in_notebook = type(self._stream).__module__.startswith("ipykernel")
        self._live = self._stream.isatty() or in_notebook
        self._what = ""
        self._begin = time.monotonic()
        self._last = self._begin
        self._shown = 0

    def __call__(self, what: str, note: str, done: int, total: int, guess: bool = False) -> None:
        now = time.monotonic()
        if what != self._what:
            self._what, self._begin = what, now
        if now - self._last < (0.1 if self._live else _EVERY):
            return
        self._last = now
        text = f"{self._name}: {what}{', ' + note if note else ''}"
        if done and total:
            share = min(1.0, done / total)
            left = (now - self._begin) * (total - done) / done
            perhaps = "perhaps " if guess else ""
            if self._live:
                filled = int(_WIDTH * share)
                text += f" [{'=' * filled}{' ' * (_WIDTH - filled)}]"
            text += f" {perhaps}{share:.0%}, {perhaps}{max(0.0, left):.0f} s left"
        if self._live:
            self._stream.write("\r" + text.ljust(self._shown))
            self._shown = len(text)
        else:
            self._stream.write(text + "\n")
        self._stream.flush()

    def close(self) -> None:
        """Takes the bar away."""
        if self._live and self._shown:
            self._stream.write("\r" + " " * self._shown + "\r")
            self._stream.flush()
            self._shown = 0


class bar:
    """A bar for a `with` block, or nothing if no progress is wanted."""

    def __init__(self, name: str, wanted: bool) -> None:
        self._bar = Bar(name) if wanted else None

    def __enter__(self) -> Bar | None:
        return self._bar

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
