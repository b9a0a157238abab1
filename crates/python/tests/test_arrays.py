"""Many positions at once."""

import multiprocessing
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import kanzen


def test_arrays_say_what_single_probes_say(small):
    indices = np.arange(len(small))
    outcomes, plies = small.probe_many(indices)
    assert outcomes.dtype == np.int8 and plies.dtype == np.int16
    there = indices[outcomes != kanzen.NOTHING]
    boards = small.boards(there)
    assert boards.dtype == np.uint8 and boards.shape == (len(there), len(small.cells))
    assert (small.locate(boards) == there).all()
    texts = [str(position) for position in small.positions(there[::97])]
    assert (small.locate(texts) == there[::97]).all()
    assert (small.boards(texts) == boards[::97]).all()
    for given in (boards, there):
        found = small.probe_many(given)
        assert (found[0] == outcomes[there]).all() and (found[1] == plies[there]).all()
    for text, index in zip(texts, there[::97]):
        value = small[text]
        assert (int(value.outcome), value.plies or -1) == (outcomes[index], plies[index] or -1)


def test_tiers(small):
    codes = [small.tier(number).codes() for number in range(len(small.tiers))]
    outcomes, plies = kanzen.values_of_codes(np.concatenate(codes))
    found = small.probe_many(np.arange(len(small)))
    assert (outcomes == found[0]).all() and (plies == found[1]).all()
    assert len(small.tier(0)) == small.tiers[0][1]
    with pytest.raises(IndexError):
        small.tier(99)


@pytest.mark.parametrize(
    "name",
    ["mutorere", "hare-and-hounds", "dodgem", "tictactoe", "l-game", "connect-four", "hexapawn"],
)
def test_boards_of_other_games_come_back(name, tables):
    table = kanzen.game(name).solve(dir=tables, progress=False)
    some = table.sample(200, seed=3)
    texts = [str(position) for position in some]
    boards = table.boards(texts)
    assert (table.locate(boards) == table.locate(texts)).all()
    outcomes, _ = table.probe_many(boards)
    assert [int(table[text].outcome) for text in texts] == outcomes.tolist()


def test_boards_with_hands(doubutsu):
    assert doubutsu.cells[-1] == "mover" and "hand C" in doubutsu.cells
    texts = [str(position) for position in doubutsu.sample(500)]
    outcomes, plies = doubutsu.probe_many(texts)
    again = doubutsu.probe_many(doubutsu.boards(texts))
    assert (again[0] == outcomes).all() and (again[1] == plies).all()


def test_wrong_arrays(small):
    boards = small.boards([0])
    with pytest.raises(kanzen.PositionError, match="cells"):
        small.probe_many(np.zeros((3, 7), np.uint8))
    with pytest.raises(kanzen.PositionError, match="float64"):
        small.probe_many(np.zeros(3))
    with pytest.raises(kanzen.PositionError, match="uint8"):
        small.probe_many(boards.astype(np.int32))
    with pytest.raises(kanzen.PositionError):
        small.locate(np.arange(3))
    with pytest.raises(kanzen.PositionError, match="row 1"):
        small.probe_many(np.concatenate([boards, boards + 7]))
    with pytest.raises(kanzen.PositionError, match="row 0"):
        small.locate(np.ones((1, 25), np.uint8))
    with pytest.raises(IndexError, match="-1"):
        small.probe_many([-1])
    with pytest.raises(IndexError):
        small.probe_many([len(small)])
    with pytest.raises(IndexError):
        small.probe_many([2**70])
    with pytest.raises(IndexError):
        small.probe_many(np.array([2**64 - 1], np.uint64))
    with pytest.raises(kanzen.PositionError, match="row 1"):
        small.locate([str(small.game.start()), "nonsense"])
    with pytest.raises(TypeError):
        small.probe_many(str(small.game.start()))
    with pytest.raises(TypeError):
        small.probe_many(7)
    with pytest.raises(TypeError):
        small.locate([None])
    assert len(small.probe_many([])[0]) == 0
    hole = int(np.flatnonzero(small.probe_many(np.arange(len(small)))[0] == kanzen.NOTHING)[0])
    with pytest.raises(kanzen.PositionError, match="no position"):
        small.boards([0, hole])


def test_strided_and_read_only_arrays(small):
    indices = np.arange(2000)
    indices.flags.writeable = False
    assert (small.probe_many(indices[::2])[0] == small.probe_many(indices)[0][::2]).all()
    there = indices[small.probe_many(indices)[0] != kanzen.NOTHING]
    boards = np.asfortranarray(small.boards(there))
    assert (small.locate(boards) == there).all()


def test_threads(small):
    indices = np.arange(len(small))
    expected = small.probe_many(indices)[0]
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: small.probe_many(indices)[0], range(8)):
            assert (found == expected).all()


def _in_a_child(table, queue):
    codes = table.tier(0).codes()
    queue.put((len(codes), int(table[table.start()].outcome), len(table.find("longest"))))


def test_forked_processes(small):
    small.tier(0).codes()
    small.find("longest")
    for method in ("fork", "spawn"):
        context = multiprocessing.get_context(method)
        queue = context.Queue()
        child = context.Process(target=_in_a_child, args=(small, queue))
        child.start()
        size, outcome, _ = queue.get(timeout=60)
        child.join(60)
        assert (size, outcome) == (small.tiers[0][1], int(small[small.start()].outcome))
