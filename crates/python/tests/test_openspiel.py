"""OpenSpiel's games, beside OpenSpiel's own value iteration."""

import pytest

import kanzen

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
algorithms = "open_spiel.python.algorithms"


def _states(game):
    get_all_states = pytest.importorskip(f"{algorithms}.get_all_states")
    return get_all_states.get_all_states(
        game, depth_limit=-1, include_terminals=False, include_chance_states=False, to_string=str
    )


# OpenSpiel's value iteration takes minutes for Connect Four on 4 by 4, and knows a state by its text
# alone, which in breakthrough does not tell who is to move: these are compared with a plain search below.
@pytest.mark.parametrize(
    "name", ["tic_tac_toe", "nim(pile_sizes=3;4;2)", "connect_four(rows=3,columns=4,x_in_row=3)"]
)
def test_values_are_those_of_value_iteration(name):
    iteration = pytest.importorskip(
        f"{algorithms}.value_iteration", reason="OpenSpiel's value iteration needs cvxpy"
    )
    game = pyspiel.load_game(name)
    expected = iteration.value_iteration(game, depth_limit=-1, threshold=1e-6)
    table = kanzen.openspiel.solve(name, progress=False)
    states = _states(game)
    assert len(states) > 50
    for key, state in states.items():
        sign = 1 if state.current_player() == 0 else -1
        assert sign * int(table[state].outcome) == expected[key], key


def _search(state, known):
    """Plain minimax, for games in which OpenSpiel's value iteration takes too long."""
    key = (state.current_player(), str(state))
    if key not in known:
        worst = []
        for action in state.legal_actions():
            child = state.child(action)
            mover = state.current_player()
            value = child.returns()[0] if child.is_terminal() else _search(child, known)
            worst.append(value if mover == 0 else -value)
        known[key] = max(worst) if state.current_player() == 0 else -max(worst)
    return known[key]


@pytest.mark.parametrize(
    "name",
    [
        "connect_four(rows=4,columns=4)",
        "breakthrough(rows=4,columns=3)",
        "dots_and_boxes(num_rows=1,num_cols=2)",
        "clobber(rows=3,columns=3)",
        "hex(board_size=3)",
    ],
)
def test_values_are_those_of_a_plain_search(name):
    table = kanzen.openspiel.solve(name, progress=False)
    known = {}
    state = table.start()
    assert _search(state, known) == _sign(table[state], state)
    assert len(known) > 50
    for (player, text), value in known.items():
        number = table._numbers[(player, text)]
        assert value == int(table.outcomes[number]) * (1 if player == 0 else -1)


def _sign(value, state):
    return int(value.outcome) * (1 if state.current_player() == 0 else -1)


def test_games_that_do_not_fit_are_refused():
    for name in ("kuhn_poker", "backgammon", "nonsense"):
        with pytest.raises(kanzen.GameError):
            kanzen.openspiel.solve(name, progress=False)


def test_kanzen_and_openspiel_agree_on_breakthrough(tables):
    table = kanzen.openspiel.solve("breakthrough(rows=4,columns=3)", progress=False)
    moves = table.moves(table.start())
    assert moves[0].value.outcome == table[table.start()].outcome
    assert len(table.line()) == table[table.start()].plies
