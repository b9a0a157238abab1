"""OpenSpiel's games, solved: `kanzen.openspiel.solve("breakthrough(rows=5,columns=4)")`.

Any game of OpenSpiel for two players without chance and hidden information will do. A state is known
by its text and by who is to move, so a game whose future depends on more than that (a count of moves
that the text does not show) is not solved rightly.
"""

from __future__ import annotations

from .errors import GameError
from .outcome import DRAW, LOSS, WIN
from .rules import Again, Rules, Solution
from .rules import solve as _solve

try:
    import pyspiel
except ImportError as error:
    raise ImportError("OpenSpiel is not installed: pip install 'kanzen[openspiel]'") from error


class OpenSpiel(Rules):
    """The rules of a game of OpenSpiel. States are `pyspiel.State`s, moves are actions."""

    def __init__(self, game: str | pyspiel.Game) -> None:
        try:
            self.game = pyspiel.load_game(game) if isinstance(game, str) else game
        except pyspiel.SpielError as error:
            raise GameError(str(error)) from None
        kind = self.game.get_type()
        wanted = {
            "two players": self.game.num_players() == 2,
            "no chance": kind.chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC,
            "perfect information": kind.information
            == pyspiel.GameType.Information.PERFECT_INFORMATION,
            "moves in turn": kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL,
            "a winner's gain that is the loser's loss": kind.utility
            == pyspiel.GameType.Utility.ZERO_SUM,
        }
        missing = [what for what, there in wanted.items() if not there]
        if missing:
            raise GameError(f"{self.game} lacks {', '.join(missing)}")

    def start(self) -> pyspiel.State:
        return self.game.new_initial_state()

    def canonical(self, state: pyspiel.State):
        return (state.current_player(), str(state))

    def moves(self, state: pyspiel.State) -> list[int]:
        return state.legal_actions()

    def play(self, state: pyspiel.State, action: int):
        mover = state.current_player()
        child = state.child(action)
        if child.is_terminal():
            gain = child.returns()[mover]
            return WIN if gain > 0 else LOSS if gain < 0 else DRAW
        return Again(child) if child.current_player() == mover else child


def solve(game: str | pyspiel.Game, progress: bool = True, most: int | None = None) -> Solution:
    """Solves a game of OpenSpiel. The solution is asked for `pyspiel.State`s."""
    return _solve(OpenSpiel(game), progress=progress, most=most)
