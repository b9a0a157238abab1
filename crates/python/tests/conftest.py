import os
from pathlib import Path

import pytest

import kanzen


@pytest.fixture(scope="session")
def tables(tmp_path_factory) -> Path:
    """A directory of tables; that of KANZEN_TEST_TABLES is kept from one run to the next."""
    kept = os.environ.get("KANZEN_TEST_TABLES")
    return Path(kept) if kept else tmp_path_factory.mktemp("tables")


@pytest.fixture(scope="session")
def simpei(tables):
    return kanzen.game("simpei").solve(dir=tables, progress=False)


@pytest.fixture(scope="session")
def small(tables):
    """Simpei with three pieces a side."""
    return kanzen.game("simpei", pieces=3).solve(dir=tables, progress=False)


@pytest.fixture(scope="session")
def tictactoe(tables):
    return kanzen.game("tictactoe").solve(dir=tables, progress=False)


@pytest.fixture(scope="session")
def doubutsu(tables):
    return kanzen.game("doubutsu").solve(dir=tables, progress=False)
