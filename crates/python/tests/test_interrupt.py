"""Ctrl-C."""

import os
import signal
import subprocess
import sys

import pytest

CODE = """
import sys
import kanzen, kanzen.progress
kanzen.progress._EVERY = 0.0
try:
    kanzen.game("teeko").solve(dir=sys.argv[1], threads=1)
    print("done")
except KeyboardInterrupt:
    print("stopped")
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX has them")
def test_a_solve_stops_with_a_checkpoint(tmp_path):
    command = [sys.executable, "-c", CODE, str(tmp_path)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # Only a solve in its rounds has something to keep.
    assert any(", ply " in line for line in child.stderr), "the rounds are told of"
    child.send_signal(signal.SIGINT)
    found, _ = child.communicate(timeout=120)
    assert found.strip() == "stopped"
    assert list(tmp_path.glob("*.checkpoint")), os.listdir(tmp_path)
