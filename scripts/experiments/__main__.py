"""Train all models that have no weights yet, and write what they show to `results/`."""

from __future__ import annotations

import argparse
import sys

from scripts.experiments import grid, results, schedule


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m scripts.experiments", description=__doc__)
    parser.parse_args(arguments)
    schedule.train_missing(grid.ALL)
    results.write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
