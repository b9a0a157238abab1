"""Rules in Python."""

import traceback
from functools import reduce
from operator import xor

import pytest

import kanzen


class Nim(kanzen.Rules):
    def __init__(self, *heaps):
        self.heaps = heaps

    def start(self):
        return self.heaps

    def moves(self, state):
        return [(heap, take) for heap, size in enumerate(state) for take in range(1, size + 1)]

    def play(self, state, move):
        heap, take = move
        left = state[:heap] + (state[heap] - take,) + state[heap + 1 :]
        return left if any(left) else kanzen.WIN


def test_nim_is_won_by_its_sum(capsys):
    table = kanzen.solve(Nim(3, 4, 5), progress=False)
    for state in table:
        assert (table[state].outcome == kanzen.WIN) == (reduce(xor, state) != 0)
    assert table.best((3, 4, 5))[0].name == (0, 2)
    assert table.regret((3, 4, 5), (0, 1)) == 2
    assert table.policy((3, 4, 5))[(0, 2)] == 1
    assert len(table.line()) == table[(3, 4, 5)].plies
    assert table.stats()["states"].sum() == len(table)
    assert table.get((9, 9, 9)) is None and (9, 9, 9) not in table
    with pytest.raises(kanzen.PositionError):
        table[(9, 9, 9)]
    with pytest.raises(kanzen.PositionError):
        table[[1, 2]]


class Sorted(Nim):
    def canonical(self, state):
        return tuple(sorted(state))


def test_images_are_one_state():
    plain, sorted_ = (kanzen.solve(kind(4, 4, 4), progress=False) for kind in (Nim, Sorted))
    assert len(sorted_) < len(plain) / 3
    assert all(plain[state] == sorted_[state] for state in plain)


class Ring(kanzen.Rules):
    """Who steps on to 0 wins; one may go round for ever."""

    def start(self):
        return 3

    def moves(self, state):
        return [1, 2] if state % 2 else [2]

    def play(self, state, move):
        after = (state + move) % 8
        return kanzen.WIN if after == 0 else after


def test_endless_play_is_a_draw_or_won():
    table = kanzen.solve(Ring(), progress=False)
    assert table[3] == kanzen.Value(kanzen.DRAW, None) or table[3].plies is not None
    assert table[7] == kanzen.Value(kanzen.WIN, 1)


class Twice(kanzen.Rules):
    """The player who takes one of three stones moves again, once."""

    def start(self):
        return (3, False)

    def moves(self, state):
        return [1] if state[1] else [1, 2]

    def play(self, state, move):
        left = state[0] - move
        if left <= 0:
            return kanzen.WIN
        return kanzen.Again((left, True)) if move == 1 and not state[1] else (left, False)


def test_the_same_player_may_move_again():
    table = kanzen.solve(Twice(), progress=False)
    assert table[(1, False)] == kanzen.Value(kanzen.WIN, 1)
    assert table[(2, True)] == kanzen.Value(kanzen.LOSS, 2)
    # Taking two loses at once; taking one and one more loses a ply later.
    assert table[(3, False)] == kanzen.Value(kanzen.LOSS, 3)
    assert [(move.name, move.again) for move in table.moves()] == [(1, True), (2, False)]


def _broken(**methods):
    base = {
        "start": lambda self: (3,),
        "moves": lambda self, state: [1],
        "play": lambda self, state, move: (state[0] - 1,) if state[0] > 1 else kanzen.WIN,
    }
    return type("Broken", (kanzen.Rules,), base | methods)()


def test_what_is_wrong_with_rules_is_told():
    def fails(state):
        raise ZeroDivisionError("oh dear")

    solve = lambda **methods: kanzen.solve(_broken(**methods), progress=False)
    assert solve()[(3,)].outcome == kanzen.WIN
    with pytest.raises(kanzen.RulesError, match="no move"):
        solve(moves=lambda self, state: [])
    with pytest.raises(kanzen.RulesError, match="nowhere"):
        solve(play=lambda self, state, move: None)
    with pytest.raises(kanzen.RulesError, match="hashable"):
        solve(play=lambda self, state, move: [1])
    with pytest.raises(kanzen.RulesError, match="hashable"):
        solve(start=lambda self: [1])
    with pytest.raises(kanzen.RulesError, match="oh dear") as error:
        solve(moves=lambda self, state: fails(state))
    cause = error.value.__cause__
    assert isinstance(cause, ZeroDivisionError)
    names = [frame.name for frame in traceback.extract_tb(cause.__traceback__)]
    assert "fails" in names
    with pytest.raises(kanzen.RulesError, match="not iterable"):
        solve(moves=lambda self, state: 7)
    with pytest.raises(kanzen.RulesError, match="more than"):
        kanzen.solve(
            _broken(play=lambda self, state, move: (state[0] + 1,)), progress=False, most=5000
        )
    with pytest.raises(kanzen.RulesError, match="endless"):
        solve(endless="never")
    with pytest.raises(kanzen.RulesError, match="start"):
        kanzen.solve(kanzen.Rules(), progress=False)
    with pytest.raises(TypeError):
        kanzen.solve(Nim)


def test_progress_tells_the_time_left(capsys, monkeypatch):
    monkeypatch.setattr("kanzen.progress._EVERY", 0.0)

    class Grid(kanzen.Rules):
        def start(self):
            return (150, 150)

        def over(self, state):
            return kanzen.LOSS if state == (0, 0) else None

        def moves(self, state):
            return [side for side in (0, 1) if state[side]]

        def play(self, state, side):
            return (state[0] - 1, state[1]) if side == 0 else (state[0], state[1] - 1)

    table = kanzen.solve(Grid())
    assert len(table) == 151 * 151 and table[(150, 150)] == kanzen.Value(kanzen.LOSS, 300)
    assert "s left" in capsys.readouterr().err
