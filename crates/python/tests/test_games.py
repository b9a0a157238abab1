"""Games, positions and single values."""

import pickle
import subprocess
import sys

import pytest

import kanzen


def test_games_are_listed(tables, tictactoe):
    games = kanzen.games(dir=tables)
    assert games.loc["tictactoe", "solved"] and not games.loc["ostle", "solved"]
    assert games.loc["simpei", "positions"] == 12_997_166
    assert "allowed" in games.loc["doubutsu", "options"]["drops"]


def test_errors_name_the_choices():
    with pytest.raises(kanzen.GameError, match="simpei"):
        kanzen.game("chess")
    with pytest.raises(kanzen.GameError, match="drops"):
        kanzen.game("doubutsu", hops="high")
    with pytest.raises(ValueError, match="4, 3, 2"):
        kanzen.game("simpei", pieces=9)
    with pytest.raises(TypeError):
        kanzen.game(3)


def test_positions_move_without_a_table():
    game = kanzen.game("doubutsu")
    start = game.start()
    assert start == game.parse("S/gle/-c-/-C-/ELG/-") and hash(start) == hash(game.start())
    assert set(start.moves()) == {"Lb4-a3", "Lb4-c3", "Gc4-c3", "Cb3xb2"}
    after = start.play("Lb4-a3")
    assert after != start and after.mover == 2 and after.over is None
    assert "<svg" in after.svg() and "<svg" in after._repr_svg_() and "hand" in after.board()
    assert game.perft(2) == sum(len(start.play(move).moves()) for move in start.moves())
    with pytest.raises(kanzen.PositionError, match="Lb4-a3"):
        start.play("Lb4-b4")
    with pytest.raises(kanzen.PositionError):
        game.parse("nonsense")


def test_a_move_that_ends_the_game_gives_its_outcome(simpei):
    last = simpei.line()[-2].position
    assert simpei[last] == kanzen.Value(kanzen.WIN, 1)
    winning = simpei.best(last)[0]
    assert winning.position is None and last.play(winning.name) is kanzen.WIN


def test_values(tictactoe):
    start = tictactoe.game.start()
    value = tictactoe[start]
    assert value == kanzen.Value(kanzen.DRAW, 9) == tictactoe.probe(start) == tictactoe[str(start)]
    outcome, plies = value
    assert outcome is kanzen.DRAW and plies == 9 and str(value) == "draw in 9"
    assert tictactoe.get(start) == value
    moves = tictactoe.moves(start)
    assert len(moves) == 9 and all(move.outcome == kanzen.DRAW for move in moves)
    corner = start.play("a1")
    best = tictactoe.best(corner)
    assert [move.name for move in best] == ["b2"]
    assert tictactoe.regret(corner, "b2") == 0 and tictactoe.regret(corner, "b1") == 1
    assert tictactoe.policy(corner)["b2"] == 1
    warm = tictactoe.policy(corner, temperature=1)
    assert abs(sum(warm.values()) - 1) < 1e-9 and warm["b2"] > warm["b1"] > 0
    assert len(tictactoe.line(start)) == 9
    assert tictactoe.choose(corner, "perfect") == "b2"


def test_what_cannot_arise_has_no_value(tables):
    table = kanzen.game("hexapawn").solve(dir=tables, progress=False)
    assert table.get("O../.../X.. X", "none") == "none" and table.get("O../.../X.. X") is None
    with pytest.raises(kanzen.PositionError, match="cannot arise"):
        table["O../.../X.. X"]
    with pytest.raises(kanzen.PositionError):
        table.get("nonsense")


def test_what_is_known_of_the_whole(small, simpei, tictactoe):
    stats = small.stats()
    assert stats["tiers"]["positions"].iloc[-1] == stats["tiers"]["positions"][:-1].sum()
    assert "zugzwang" in small.kinds()
    assert small.find("zugzwang")
    assert len(small.puzzles(count=3)) <= 3
    proof = simpei.prove(most=1000)
    assert proof["value"] == "win" and proof["plies"] == 21
    assert small.verify()["passed"]
    assert simpei.compare(small)
    with pytest.raises(kanzen.GameError, match="zugzwang"):
        small.find("unicorns")
    with pytest.raises(kanzen.NoAnswerError):
        tictactoe.prove()


def test_missing_and_damaged_tables(tmp_path, tictactoe):
    with pytest.raises(kanzen.MissingTableError) as error:
        kanzen.open("simpei", dir=tmp_path)
    assert isinstance(error.value, KeyError) and "not solved" in str(error.value)
    with pytest.raises(kanzen.MissingTableError):
        kanzen.open(tmp_path / "none.kanzen")
    broken = tmp_path / "tictactoe.kanzen"
    whole = bytearray(tictactoe.path.read_bytes())
    for damage in (whole[:100], b"", whole[:70] + b"xx" + whole[72:], whole[:-9]):
        broken.write_bytes(damage)
        with pytest.raises(kanzen.TableError):
            table = kanzen.open(broken)
            for number in range(len(table)):
                table.probe_many([number])
    other = tmp_path / "renamed.kanzen"
    other.write_bytes(whole)
    with pytest.raises(kanzen.TableError, match="named tictactoe.kanzen"):
        kanzen.open(other)


def test_wrong_things_are_refused(tictactoe, small):
    with pytest.raises(kanzen.PositionError):
        tictactoe["nonsense"]
    with pytest.raises(TypeError):
        tictactoe[3]
    with pytest.raises(kanzen.PositionError, match="simpei"):
        tictactoe[small.game.start()]
    with pytest.raises(kanzen.PositionError):
        tictactoe.regret(tictactoe.game.start(), "z9")
    with pytest.raises(kanzen.GameError, match="beginner"):
        tictactoe.choose(tictactoe.game.start(), "wizard")
    with pytest.raises(ValueError):
        kanzen.game("simpei").solve(memory="much")
    with pytest.raises(kanzen.SolveError):
        kanzen.game("teeko").solve(dir=small.path.parent / "t", memory=1000, progress=False)


def test_pickles(tictactoe):
    start = tictactoe.game.start()
    table, game, position, value = pickle.loads(
        pickle.dumps((tictactoe, tictactoe.game, start, tictactoe[start]))
    )
    assert table.path == tictactoe.path and table[position] == value == tictactoe[start]
    assert game == tictactoe.game and position == start


def test_the_command_line(tables, tictactoe):
    command = [sys.executable, "-m", "kanzen", "probe", "tictactoe", "--dir", str(tables)]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "draw in 9" in found
    wrong = subprocess.run([*command, "nonsense"], capture_output=True, text=True)
    assert wrong.returncode == 1 and "error" in wrong.stderr


def test_importing_is_quick():
    code = "import time; a = time.perf_counter(); import kanzen; print(time.perf_counter() - a)"
    run = lambda: float(subprocess.check_output([sys.executable, "-c", code]))
    # The goal is 80 ms; a machine with other work to do is given more.
    assert min(run() for _ in range(5)) < 0.2
    loaded = "import sys, kanzen; print(any(m in sys.modules for m in ('numpy', 'pandas')))"
    assert subprocess.check_output([sys.executable, "-c", loaded], text=True).strip() == "False"
