"""Runs posenc-vectors with NumPy: python run.py FOLDER [float64 or float32].

rotary.py and tables.py compute the outputs; put your own code in their place. A case passes if
each of its right outputs is within the tolerance, and each mutant, the output of a slip, is not.
"""

import json
import sys
from pathlib import Path

import numpy as np
import rotary
import tables


def load(folder):
    """The file of cases, and the numbers in float64 and float32, each as one long row."""
    held = json.loads(Path(folder, "cases.json").read_text("utf-8"))
    content = Path(folder, "arrays.safetensors").read_bytes()
    begin = 8 + int.from_bytes(content[:8], "little")
    rows = {}
    for name, entry in json.loads(content[8:begin]).items():
        first, last = entry["data_offsets"]
        dtype = {"F64": "<f8", "F32": "<f4"}[entry["dtype"]]
        rows[name] = np.frombuffer(content[begin + first : begin + last], dtype)
    return held, rows


def outputs(case, q, k, kind):
    """What a case asks for, by name."""
    if case["kind"] in ("rotary", "axial"):
        return rotary.rotated(case, q, k, kind)
    return getattr(tables, case["kind"])(case, kind)


def part(row, place):
    """The array at a place: where it begins, and its two axes."""
    begin, height, width = place
    return row[begin : begin + height * width].reshape(height, width)


def agrees(mine, expected, tolerance, relative):
    """Whether each row is within its tolerance."""
    off = np.abs(np.reshape(mine, expected.shape).astype(np.float64) - expected)
    allowed = np.reshape(tolerance, (-1, 1)) * (np.abs(expected) if relative else 1)
    return bool((off <= allowed).all())


def wrong(case, held, rows, compute, dtype="float64"):
    """What is wrong with a case, in words."""
    given = [part(rows["float64"], case["input"][x]) if "input" in case else None for x in "qk"]
    mine = compute(case, *given, np.dtype(dtype).type)
    found = []
    for name, place in case["output"].items():
        relative, tolerance = name in held["relative"], case["tolerance"][dtype][name]
        if not agrees(mine[name], part(rows["float64"], place), tolerance, relative):
            found.append(f"{name} is wrong")
    for mutant in case["mutants"]:
        name, values = mutant["output"], part(rows["float32"], mutant["values"])
        relative, tolerance = name in held["relative"], case["tolerance"]["float32"][name]
        if agrees(mine[name], values, tolerance, relative):
            found.append(f"accepts a mutant: {mutant['words']}")
    return found


def main(folder, dtype="float64"):
    held, rows = load(folder)
    failed = mutants = 0
    for case in held["cases"]:
        found = wrong(case, held, rows, outputs, dtype)
        mutants += len(case["mutants"])
        failed += bool(found)
        print(f"FAIL {case['name']}: {'; '.join(found)}" if found else f"pass {case['name']}")
    print(f"{len(held['cases'])} cases, {mutants} mutants, {failed} failed")
    return failed


if __name__ == "__main__":
    sys.exit(bool(main(*sys.argv[1:])))
