"""Pgx's states."""

import numpy as np
import pytest

import kanzen

pgx = pytest.importorskip("pgx", reason="pgx is not installed")
jax = pytest.importorskip("jax", reason="jax is not installed")


def _games(name, plies, count, seed=0):
    """Random states of an environment, ply by ply."""
    env = pgx.make(name)
    init, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))
    states = init(jax.random.split(jax.random.PRNGKey(seed), count))
    chance = np.random.default_rng(seed)
    for _ in range(plies):
        yield states
        legal = np.asarray(states.legal_action_mask)
        actions = [chance.choice(np.flatnonzero(row)) if row.any() else 0 for row in legal]
        states = step(states, jax.numpy.asarray(actions))


def test_tic_tac_toe(tictactoe):
    for states in _games("tic_tac_toe", 9, 64):
        found = kanzen.pgx.values(states, tictactoe)
        over = np.asarray(states.terminated)
        assert found.optimal[~over].any(axis=1).all() and not found.optimal[over].any()
        texts = kanzen.pgx.positions(states)
        for row in np.flatnonzero(~over):
            assert found.outcomes[row] == int(tictactoe[texts[row]].outcome)


def test_animal_shogi_has_the_rules_of_doubutsu(doubutsu):
    seen = 0
    for states in _games("animal_shogi", 40, 48):
        legal, over = np.asarray(states.legal_action_mask), np.asarray(states.terminated)
        texts = kanzen.pgx.positions(states)
        found = kanzen.pgx.values(states, doubutsu)
        for row in np.flatnonzero(~over):
            moves = {kanzen.pgx._action(m.name, "doubutsu"): m for m in doubutsu.moves(texts[row])}
            allowed = set(np.flatnonzero(legal[row]).tolist())
            assert allowed <= set(moves)
            # What Pgx does not allow leaves the lion to be caught at once.
            assert all(
                moves[action].value == kanzen.Value(-1, 2) for action in set(moves) - allowed
            )
            assert found.optimal[row].any() and set(np.flatnonzero(found.optimal[row])) <= allowed
            seen += 1
    assert seen > 500


def test_best_play_wins_in_pgx(doubutsu):
    env = pgx.make("animal_shogi")
    step = jax.jit(env.step)
    state = jax.jit(env.init)(jax.random.PRNGKey(1))
    chance = np.random.default_rng(1)
    batch = lambda s: jax.tree_util.tree_map(lambda x: x[None], s)
    winner = 1 - int(state.current_player)
    for _ in range(200):
        if state.terminated:
            break
        if int(state.current_player) == winner:
            # The second player has a won game, and plays the best move.
            actions = np.flatnonzero(kanzen.pgx.values(batch(state), doubutsu).optimal[0])
        else:
            actions = np.flatnonzero(np.asarray(state.legal_action_mask))
        state = step(state, int(chance.choice(actions)))
    assert state.terminated and state.rewards[winner] == 1


def test_other_tables_are_refused(tictactoe):
    states = next(_games("animal_shogi", 1, 2))
    with pytest.raises(kanzen.GameError, match="doubutsu"):
        kanzen.pgx.values(states, tictactoe)
    with pytest.raises(kanzen.GameError, match="animal_shogi"):
        kanzen.pgx.positions(next(_games("connect_four", 1, 2)))
