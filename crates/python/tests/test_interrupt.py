"""Ctrl-C."""

import os
import signal
import subprocess
import sys
import time

import pytest

CODE = """
import kanzen, sys
try:
    print("begin", flush=True)
    kanzen.game("teeko").solve(dir=sys.argv[1], progress=False, threads=1)
    print("done")
except KeyboardInterrupt:
    print("stopped")
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX has them")
def test_a_solve_stops_with_a_checkpoint(tmp_path):
    child = subprocess.Popen(
        [sys.executable, "-c", CODE, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout.readline().strip() == "begin"
    time.sleep(1.5)
    child.send_signal(signal.SIGINT)
    found, _ = child.communicate(timeout=120)
    assert found.strip() == "stopped", "a quicker machine may be done by then"
    assert list(tmp_path.glob("*.checkpoint")), os.listdir(tmp_path)
