"""The command line: `python -m kanzen`."""

import sys

from ._kanzen import main


def run() -> int:
    """Does what the arguments of the program say."""
    return main(["kanzen", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(run())
