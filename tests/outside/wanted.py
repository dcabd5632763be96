"""A case: one call of an op, and what another implementation says of its result."""
from fractions import Fraction

import numpy as np


class Wanted:
    """
    What each output element must be, in row-major order.

    bits: exact elements, as keel_dtype_load_bits() gives them; None for real numbers.
    reals: Fractions and specials. open: where an order of evaluation may leave the accumulator's
    range, so that the contract may promise nothing. ulps: (hard, tight) of the op's page in ulp;
    rounded: the page says that the result is the true value, rounded once; or a list of which are.
    moved: elements are carried as they are, so that a NaN keeps its bits. at_most: what the hard
    bound may not exceed. Where some elements are exact and others are not, bits has None for these.
    may_bound: of bits, elements so near a tie that the contract allows a neighbour too.
    either_rule: of reals, the contract says ROUNDED where one rounding is certain, else BOUND.
    """

    def __init__(self, fmt, shape, bits=None, reals=None, may_open=None, ulps=None,
                 rounded=False, moved=False, at_most=None, may_bound=None, either_rule=False):
        self.fmt, self.shape = fmt, tuple(int(n) for n in shape)
        self.bits, self.reals = bits, reals
        self.may_open, self.ulps, self.rounded, self.moved = may_open, ulps, rounded, moved
        self.at_most = at_most
        self.may_bound, self.either_rule = may_bound, either_rule

    def __len__(self):
        return len(self.bits if self.bits is not None else self.reals)


class Case:
    """Inputs (None where absent), attributes, and the function that gives what is wanted."""

    def __init__(self, name, inputs, wanted, **attributes):
        self.name, self.inputs, self.wanted, self.attributes = name, inputs, wanted, attributes

    def describe(self):
        """The call in words, for reports."""
        tensors = ", ".join(
            "none" if t is None else
            f"{t.fmt.name}{list(t.shape)} strides {[s // t.fmt.size for s in t.view.strides]}"
            for t in self.inputs)
        return f"{self.name}: {tensors}; {self.attributes}"


def exact_bits(fmt, array, moved=False):
    """Wanted: exactly the elements of an array in storage."""
    array = np.asarray(array)
    return Wanted(fmt, array.shape, moved=moved,
                  bits=[fmt.canonical(b) for b in fmt.bits(array).flat])


def fractions(values):
    """Finite doubles as an object array of Fractions, zeros too."""
    out = np.empty(np.shape(values), object)
    flat = np.asarray(values, np.float64)
    for at in np.ndindex(out.shape):
        out[at] = Fraction(float(flat[at]))
    return out
