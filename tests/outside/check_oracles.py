"""Every op's oracle against NumPy, fractions and decimal arithmetic, on the same random calls.

check_oracles.py LIBKEEL [--seed N] [--op NAME] [--verbose]. Exit code 77: there is no NumPy
(Debian: python3-numpy). An op or an attribute that this program does not know makes it fail.
"""
import argparse
import sys
import time
import zlib

try:
    import numpy as np
except ImportError:
    print("skipped: no Python module numpy (Debian: python3-numpy)")
    sys.exit(77)

import activation
import attention
import convolution
import dense
import einsum
import elementwise
import generation
import indexing
import logical
import movement
import norms
import pooling
import quantisation
import rearrange
import reduction
import scan
import selection
import types_check
from compare import compare
from formats import BY_NUMBER
from keel_api import OP_VARIADIC, Failure, Keel, Op

FAMILIES = [activation, elementwise, logical, generation, movement, rearrange, indexing, reduction, selection,
            scan, dense, attention, quantisation, convolution, einsum, norms, pooling]
CASES = {name: cases for family in FAMILIES for name, cases in family.OPS.items()}
ATTRIBUTES = {name: known for family in FAMILIES for name, known in family.ATTRIBUTES.items()}
SHOWN = 12  # complaints per op


class Tally:
    """What was looked at, and what was wrong."""

    def __init__(self):
        self.complaints, self.elements, self.cases, self.widest = [], 0, 0, 0.0
        self.seen = set()  # outputs that were looked at

    def add(self, found, elements, widest):
        self.complaints += found
        self.elements += elements
        self.cases += 1
        self.widest = max(self.widest, widest)


def uncovered(name, op):
    """What of a contract this program does not know."""
    if name not in CASES:
        yield f"{name}: no reference; add one to tests/outside"
        return
    attributes = {op.attributes[k].name.decode() for k in range(op.attribute_count)}
    for attribute in sorted(attributes ^ ATTRIBUTES.get(name, set())):
        yield f"{name}: attribute {attribute} is not covered, or is no more"


def same(a, b):
    return a.tobytes() == b.tobytes()


def check_case(keel, address, case, rng, tally, outputs):
    """One call with all of its outputs; wanted is a list if there are several, None if absent."""
    wanted = case.wanted()
    wanted = wanted if isinstance(wanted, list) else [wanted]
    wanted += [None] * (outputs - len(wanted))
    for number, one in enumerate(wanted):
        if one is not None:
            tally.seen.add(number)
            check_output(keel, address, case, rng, tally, wanted, number)


def check_output(keel, address, case, rng, tally, all_wanted, number):
    """One output: all truths at once, and again by position and in part."""
    wanted = all_wanted[number]
    count = len(wanted)
    outputs = [None if w is None else (w.fmt.number, w.fmt.size, w.shape) for w in all_wanted]

    def ask(index, first, count):
        return keel.oracle(address, case.attributes, case.inputs, outputs, number, index, first,
                           count)

    try:
        truths = ask(None, 0, count)
        found, widest = compare(keel, wanted, truths)
        if count > 0:
            index = rng.integers(0, count, min(count, 40))
            if not same(ask(index, 0, len(index)), truths[index]):
                found.append("other truths when asked by position")
            first = int(rng.integers(0, count))
            if not same(ask(None, first, count - first), truths[first:]):
                found.append(f"other truths when asked from element {first} on")
    except Failure as failure:
        found, widest = [f"refused: {failure}"], 0.0
    tally.add([f"{text}\n      {case.describe()}" for text in found], count, widest)


def check_op(keel, address, op, name, seed):
    tally = Tally()
    for number, types in enumerate(keel.tuples(address)):
        slots = op.inputs + op.outputs
        formats = [BY_NUMBER[types[k]] for k in range(slots)]
        if op.flags & OP_VARIADIC:
            formats = formats[:1] * 16
        rng = np.random.default_rng([seed, zlib.crc32(name.encode()), number])
        for case in CASES[name](rng, formats):
            check_case(keel, address, case, rng, tally, op.outputs)
    for number in set(range(op.outputs)) - tally.seen:
        tally.complaints.append(f"output {number} is not looked at")
    if tally.cases == 0:
        tally.complaints.append("no case was run")
    return tally


def report(name, tally, started, verbose):
    if verbose or tally.complaints:
        print(f"{name}: {tally.cases} cases, {tally.elements} elements, widest "
              f"{tally.widest:.2g} of tight, {time.monotonic() - started:.1f} s, "
              f"{len(tally.complaints)} wrong")
    for text in tally.complaints[:SHOWN]:
        print(f"  {text}")
    return len(tally.complaints)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--op", action="append")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    np.seterr(all="ignore")  # infinities and NaN are what many cases are about
    keel = Keel(options.library)
    wrong = passed = elements = 0
    for text in types_check.complaints(keel, options.seed):
        print(text)
        wrong += 1
    for address in keel.ops():
        op = Op.from_address(address)
        name = op.name.decode()
        if options.op and name not in options.op and name.removeprefix("keel.") not in options.op:
            continue
        missing = list(uncovered(name, op))
        for text in missing:
            print(text)
        started = time.monotonic()
        failed = len(missing)
        if name in CASES:
            tally = check_op(keel, address, op, name, options.seed)
            failed += report(name, tally, started, options.verbose)
            elements += tally.elements
        wrong += failed
        passed += failed == 0
    print(f"{passed} ops agree on {elements} elements, {wrong} complaints (seed {options.seed})")
    return 1 if wrong or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
