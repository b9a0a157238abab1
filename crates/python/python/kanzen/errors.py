"""What can go wrong. Every exception of the package is a `KanzenError`."""


class KanzenError(Exception):
    """Something that Kanzen refuses or cannot do."""


class GameError(KanzenError, ValueError):
    """There is no such game, option, level or kind; the message names those there are."""


class PositionError(KanzenError, ValueError):
    """A position cannot be read, is of another game, or cannot arise."""


class MissingTableError(KanzenError, KeyError):
    """The game is not solved here."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class TableError(KanzenError):
    """A table is damaged, of other rules, or lacks what is asked for."""


class SolveError(KanzenError):
    """A solve cannot begin or go on: too little memory, or somebody else is at it."""


class NoAnswerError(KanzenError):
    """This game cannot answer the question."""


class ExportError(KanzenError, ValueError):
    """A data set cannot be made like this."""


class RulesError(KanzenError):
    """Rules in Python make no sense. If they raised an exception, it is the cause of this one."""
