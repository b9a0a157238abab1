"""Values of Pgx's states: `kanzen.pgx.values(states, table)`.

`tic_tac_toe` is Kanzen's `tictactoe`. `animal_shogi` is `doubutsu` but for three things: it ends after
256 plies with a draw, the third time that a position arises is a draw at once, and moves into check are
not allowed, so that a mate ends the game two plies before the lion is caught. Values are those of
Doubutsu Shogi, without a limit: near the limit a win may come too late.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .errors import GameError

_LETTERS = {-1: "-", 0: "C", 1: "E", 2: "G", 3: "L", 4: "R"}
_LETTERS |= {piece + 5: letter.lower() for piece, letter in list(_LETTERS.items()) if piece >= 0}
_IN_HAND = "CEG"


class Values(NamedTuple):
    """What a batch of states is worth to its players to move."""

    outcomes: np.ndarray
    """int8[n]: 1, 0 or -1."""
    plies: np.ndarray
    """int16[n]: plies to the end by Kanzen's rules; -1 if there is none."""
    optimal: np.ndarray
    """bool[n, actions]: which legal actions are best."""


def positions(states) -> list[str]:
    """The states of a batch in Kanzen's notation."""
    name = states.env_id
    if name == "animal_shogi":
        boards, hands = np.asarray(states._board), np.asarray(states._hand)
        return [_animals(b, h) for b, h in zip(boards.reshape(-1, 12), hands.reshape(-1, 2, 3))]
    if name == "tic_tac_toe":
        boards, colors = np.asarray(states._x.board), np.asarray(states._x.color)
        pairs = zip(boards.reshape(-1, 9), colors.reshape(-1))
        return ["".join(".XO"[mark + 1] for mark in b) + " " + "XO"[color] for b, color in pairs]
    raise GameError(f"there are no values for {name}: allowed are animal_shogi, tic_tac_toe")


def _animals(board: np.ndarray, hands: np.ndarray) -> str:
    # Pgx counts squares down the columns, from the right; the side to move always plays upwards.
    rows = [
        "".join(_LETTERS[int(board[4 * (2 - column) + row])] for column in range(3))
        for row in range(4)
    ]
    held = "".join(letter * int(n) for letter, n in zip(_IN_HAND, hands[0]))
    held += "".join(letter.lower() * int(n) for letter, n in zip(_IN_HAND, hands[1]))
    return "S/" + "/".join(rows) + "/" + (held or "-")


def _action(name: str, game: str) -> int:
    """Pgx's number of a move, by its name in Kanzen."""
    square = lambda text: (ord(text[0]) - ord("a"), int(text[1]) - 1)
    if game == "tictactoe":
        column, row = square(name)
        return 3 * row + column
    name = name.rstrip("+")
    to_column, to_row = square(name[-2:])
    if len(name) == 4 and name[1] == "*":
        return 12 * (8 + _IN_HAND.index(name[0])) + 4 * (2 - to_column) + to_row
    column, row = square(name[1:3])
    # Directions are those of Pgx: dx to the left, dy downwards.
    step = (column - to_column, to_row - row)
    return 12 * _STEPS.index(step) + 4 * (2 - column) + row


# The directions of Pgx in their order.
_STEPS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


def values(states, table) -> Values:
    """The values of a batch of states, and which of their actions are best."""
    game = table.game.name
    expected = {"animal_shogi": "doubutsu", "tic_tac_toe": "tictactoe"}.get(states.env_id)
    texts = positions(states)
    if game != expected:
        raise GameError(f"states of {states.env_id} are worth what a table of {expected} says")
    legal = np.asarray(states.legal_action_mask).reshape(len(texts), -1)
    over = np.asarray(states.terminated).reshape(-1)
    rewards = np.asarray(states.rewards).reshape(-1, 2)
    players = np.asarray(states.current_player).reshape(-1)
    outcomes = np.zeros(len(texts), np.int8)
    plies = np.zeros(len(texts), np.int16)
    optimal = np.zeros_like(legal, dtype=bool)
    for row, text in enumerate(texts):
        if over[row]:
            outcomes[row] = np.sign(rewards[row, players[row]])
            continue
        best = table.best(text)
        value = best[0].value
        outcomes[row] = int(value.outcome)
        plies[row] = -1 if value.plies is None else value.plies
        optimal[row, [_action(move.name, game) for move in best]] = True
    return Values(outcomes, plies, optimal & legal)
