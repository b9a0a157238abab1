"""Data sets."""

import subprocess
import sys

import numpy as np
import pytest

import kanzen

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
import pyarrow.parquet as pq


def test_one_row_an_orbit(simpei, tmp_path):
    facts = simpei.to_parquet(tmp_path / "all.parquet")
    assert facts["rows"] == 12_102_165
    table = pq.read_table(tmp_path / "all.parquet", columns=["outcome", "orbit", "plies", "tier"])
    assert table.num_rows == 12_102_165
    stats = simpei.stats()["tiers"].iloc[-1]
    outcomes = table["outcome"].to_numpy()
    assert [(outcomes == o).sum() for o in (1, 0, -1)] == [
        stats[n] for n in ("wins", "draws", "losses")
    ]
    # The orbits add up to all ways to put the pieces: those of the full board are counted by hand.
    orbits = table["orbit"].to_numpy()[table["tier"].to_numpy() == 0]
    assert orbits.sum() == 25 * 24 * 23 * 22 // 24 * (21 * 20 * 19 * 18 // 24)
    card = (tmp_path / "all.parquet.md").read_text()
    for word in ("simpei", "CRC-32C", "12102165", "orbit", "licence", "Rules"):
        assert word in card


def test_samples_filters_and_splits(small, tmp_path):
    facts = small.to_parquet(
        tmp_path / "sets", columns=["index", "board", "outcome", "orbit"], split=(0.6, 0.2, 0.2)
    )
    sets = {}
    for name in ("train", "validation", "test"):
        files = sorted((tmp_path / "sets").glob(f"{name}-*.parquet"))
        sets[name] = pa.concat_tables([pq.read_table(file) for file in files])
    sizes = [table.num_rows for table in sets.values()]
    assert sum(sizes) == facts["rows"] and sizes == facts["sets"]
    assert 0.5 < sizes[0] / sum(sizes) < 0.7
    indices = [set(table["index"].to_pylist()) for table in sets.values()]
    assert not (indices[0] & indices[1] or indices[0] & indices[2] or indices[1] & indices[2])
    assert (tmp_path / "sets" / "README.md").exists()
    one = sets["test"].slice(0, 1).to_pylist()[0]
    board = np.frombuffer(one["board"], np.uint8).reshape(1, -1)
    assert small.locate(board)[0] == one["index"]
    assert small.probe_many(board)[0][0] == one["outcome"]

    some = small.to_arrow(sample=100, where="outcome = win and plies >= 3", seed=5).read_all()
    assert some.num_rows == 100 and len(set(some["index"].to_pylist())) == 100
    assert set(some["outcome"].to_pylist()) == {1} and min(some["plies"].to_pylist()) >= 3
    assert some["index"].to_pylist() != sorted(some["index"].to_pylist())
    same = small.to_arrow(sample=100, where="outcome = win and plies >= 3", seed=5).read_all()
    assert same.equals(some)
    tier = small.to_arrow(
        columns=["tier", "position", "moves", "best"], where="tier = 1"
    ).read_all()
    assert set(tier["tier"].to_pylist()) == {1}
    row = tier.to_pylist()[0]
    assert len(small.moves(row["position"])) == row["moves"]
    assert len(small.best(row["position"])) == row["best"]


def test_shards(simpei, tmp_path):
    facts = simpei.to_parquet(
        tmp_path / "shards", shard_bytes="1M", where="tier = 0", sample=1_000_000
    )
    assert len(facts["files"]) > 1
    assert (
        sum(pq.read_metadata(file).num_rows for file in facts["files"])
        == facts["rows"]
        == 1_000_000
    )


def test_other_formats(small, tmp_path):
    rows = small.export(tmp_path / "a.csv", columns=["index", "position", "plies", "outcome"])[
        "rows"
    ]
    lines = (tmp_path / "a.csv").read_text().splitlines()
    assert len(lines) == rows + 1 and lines[0] == "index,position,plies,outcome"
    facts = small.export(tmp_path / "np", "npy", columns=["board", "outcome", "plies", "index"])
    arrays = {
        name: np.load(tmp_path / "np" / f"part-00000-{name}.npy")
        for name in ("board", "outcome", "plies", "index")
    }
    assert all(len(array) == facts["rows"] == rows for array in arrays.values())
    outcomes, plies = small.probe_many(arrays["board"])
    assert (outcomes == arrays["outcome"]).all() and (plies == arrays["plies"]).all()


def test_wrong_exports(small, tmp_path):
    with pytest.raises(kanzen.ExportError, match="orbit"):
        small.to_parquet(tmp_path / "a.parquet", columns=["colour"])
    with pytest.raises(kanzen.ExportError, match="condition"):
        small.to_parquet(tmp_path / "a.parquet", where="plies over 9000")
    with pytest.raises(kanzen.ExportError, match="add up"):
        small.to_parquet(tmp_path / "a", split=(0.5, 0.1))
    with pytest.raises(kanzen.ExportError, match="NumPy"):
        small.export(tmp_path / "a.npy")
    with pytest.raises(kanzen.ExportError):
        small.export(tmp_path / "a.xlsx")
    with pytest.raises(OSError):
        small.to_parquet(tmp_path / "none" / "a.parquet")


def test_readers_may_stop_early(small):
    reader = small.to_arrow()
    assert reader.read_next_batch().num_rows > 0
    del reader


def test_the_command_line(small, tmp_path):
    command = [sys.executable, "-m", "kanzen", "export", "simpei", "-o", "pieces=3"]
    command += [
        "--dir",
        str(small.path.parent),
        "--to",
        str(tmp_path / "x.parquet"),
        "--sample",
        "50",
    ]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "50 rows" in found and pq.read_metadata(tmp_path / "x.parquet").num_rows == 50


def test_other_engines(doubutsu, tables, tmp_path):
    facts = doubutsu.to_parquet(
        tmp_path / "d.parquet", sample=2000, columns=["position", "outcome", "plies"]
    )
    assert facts["rows"] == 2000
    for row in pq.read_table(tmp_path / "d.parquet").to_pylist()[:200]:
        value = doubutsu[row["position"]]
        assert (int(value.outcome), value.plies) == (row["outcome"], row["plies"])
    musashi = kanzen.game("musashi25").solve(dir=tables, progress=False)
    rows = musashi.to_arrow(sample=500, columns=["position", "outcome"]).read_all().to_pylist()
    assert all(int(musashi[row["position"]].outcome) == row["outcome"] for row in rows)
