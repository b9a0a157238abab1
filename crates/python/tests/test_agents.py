"""Agents beside perfect play."""

import random

import pytest

import kanzen


def test_levels_are_measured(tictactoe):
    levels = [kanzen.evaluate(level, tictactoe, games=60) for level in ("beginner", "perfect")]
    assert levels[1].perfect == levels[1].kept == 1 and levels[1].loss == 0
    assert levels[0].kept < 1 and levels[0].loss > 0
    assert levels[0].wins + levels[0].draws + levels[0].losses == 60
    assert set(levels[0].table.columns) == {"outcome", "phase", "moves", "perfect", "kept", "loss"}
    assert levels[0].table["moves"].sum() == levels[0].moves
    again = kanzen.evaluate("beginner", tictactoe, games=60)
    assert again.moves == levels[0].moves and "kept" in repr(again)


def test_a_function_is_an_agent(tictactoe):
    chance = random.Random(1)
    measured = kanzen.evaluate(
        lambda p: chance.choice(p.moves()), tictactoe, games=30, opponent="perfect"
    )
    assert measured.wins == 0 and 0 < measured.perfect < 1
    with pytest.raises(kanzen.KanzenError, match="z9"):
        kanzen.evaluate(lambda p: "z9", tictactoe, games=1)
    with pytest.raises(TypeError):
        kanzen.evaluate(7, tictactoe, games=1)


def test_best_responses(tictactoe):
    first = lambda position: position.moves()[0]
    found = kanzen.best_response(first, tictactoe)
    assert found.value == kanzen.Value(kanzen.WIN, 5) and found.expected == 1
    perfect = lambda position: tictactoe.best(position)[0].name
    for plays in (1, 2):
        assert kanzen.best_response(perfect, tictactoe, plays=plays).value.outcome == kanzen.DRAW
    evenly = lambda p: {move: 1 / len(p.moves()) for move in p.moves()}
    # Well known: against a player who moves by chance, the first player scores 191/192.
    assert abs(kanzen.best_response(evenly, tictactoe).expected - 191 / 192) < 1e-9
    with pytest.raises(kanzen.RulesError, match="add up"):
        kanzen.best_response(lambda p: {p.moves()[0]: 0.5}, tictactoe)
    with pytest.raises(kanzen.RulesError, match="more than"):
        kanzen.best_response(evenly, tictactoe, most=100)


def test_rules_have_agents_too():
    from test_rules import Nim

    table = kanzen.solve(Nim(2, 3), progress=False)
    assert kanzen.evaluate(lambda state: table.best(state)[0], table, games=20).perfect == 1
    assert kanzen.best_response(lambda state: table.moves(state)[-1], table).expected == 1
