"""What the definition of ONNX, in Python's loops and exact arithmetic, says of pooling."""
import itertools
import math
from fractions import Fraction

import numpy as np

import exact
import tensors
from formats import BY_NAME
from reduction import accumulator, gentle
from wanted import Case, Wanted, exact_bits, fractions

I64 = BY_NAME["i64"]


class Axis:
    """One spatial axis: where windows begin and which of their taps are what."""

    def __init__(self, size, kernel, stride, dilation, pads, auto_pad, ceil):
        self.size, self.kernel, self.stride, self.dilation = size, kernel, stride, dilation
        span = (kernel - 1) * dilation + 1
        if auto_pad in ("SAME_UPPER", "SAME_LOWER"):
            self.out = -(-size // stride)
            total = max((self.out - 1) * stride + span - size, 0)
            small, large = total // 2, total - total // 2
            self.begin, self.end = (small, large) if auto_pad == "SAME_UPPER" else (large, small)
            return
        self.begin, self.end = (0, 0) if auto_pad == "VALID" else pads
        room = size + self.begin + self.end - span
        self.out = (-(-room // stride) if ceil and auto_pad != "VALID" else room // stride) + 1
        if ceil and auto_pad != "VALID" and (self.out - 1) * stride >= size + self.begin:
            self.out -= 1

    def positions(self, o):
        """Where the taps of window o lie, in the input or outside."""
        start = o * self.stride - self.begin
        return [start + k * self.dilation for k in range(self.kernel)]

    def inside(self, o):
        return [p for p in self.positions(o) if 0 <= p < self.size]

    def padded(self, o):
        return [p for p in self.positions(o) if -self.begin <= p < self.size + self.end]

    def has_taps(self):
        return self.out > 0 and all(self.inside(o) for o in range(self.out))


def geometry(rng, empty):
    """Sizes of x, axes and attributes, of a call that is allowed."""
    while True:
        count = int(rng.integers(1, 4))
        most = {1: 14, 2: 8, 3: 5}[count]
        auto_pad = str(rng.choice(["", "NOTSET", "NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"]))
        ceil = int(rng.integers(2))
        sizes, kernels, strides, dilations, pads = [], [], [], [], []
        for _ in range(count):
            sizes.append(int(rng.integers(1, most + 1)))
            kernels.append(int(rng.integers(1, 4)))
            strides.append(int(rng.integers(1, 4)))
            dilations.append(int(rng.choice([1, 1, 2, 3])))
            pads.append([int(rng.integers(0, kernels[-1])) for _ in range(2)])
        explicit = auto_pad in ("", "NOTSET") and rng.integers(2)
        pads = pads if explicit else [[0, 0]] * count
        axes = [Axis(*a, auto_pad, ceil) for a in zip(sizes, kernels, strides, dilations, pads)]
        if not all(a.has_taps() for a in axes):
            continue
        attributes = {"kernel_shape": kernels}
        if strides != [1] * count or rng.integers(2):
            attributes["strides"] = strides
        if dilations != [1] * count or rng.integers(2):
            attributes["dilations"] = dilations
        if explicit:
            attributes["pads"] = [p[0] for p in pads] + [p[1] for p in pads]
        if auto_pad:
            attributes["auto_pad"] = auto_pad
        if ceil or rng.integers(2):
            attributes["ceil_mode"] = ceil
        batch = (0 if empty else int(rng.integers(1, 3)), int(rng.integers(1, 3)))
        return batch + tuple(sizes), axes, attributes


def windows(shape, axes):
    """Of every output in row-major order: sample and channel, and the positions under its window."""
    outs = [range(shape[0]), range(shape[1])] + [range(a.out) for a in axes]
    for at in itertools.product(*outs):
        yield at, list(itertools.product(*(a.inside(o) for a, o in zip(axes, at[2:]))))


def out_shape(shape, axes):
    return tuple(shape[:2]) + tuple(a.out for a in axes)


# ---- max_pool ----------------------------------------------------------------------------------

def above(a, b):
    """Whether a is above b: NaN the greatest, +0 above -0."""
    if math.isnan(a) or math.isnan(b):
        return not math.isnan(b)
    return a > b if a != b else math.copysign(1, a) > math.copysign(1, b)


def max_wanted(x, axes, order):
    values = x.values() if x.fmt.is_float else np.array(x.view)
    spatial = values.shape[2:]
    chosen, places = [], []
    for at, positions in windows(values.shape, axes):
        best = None
        for p in positions:
            if best is None or above(float(values[at[:2] + p]), float(values[at[:2] + best])):
                best = p
        chosen.append(x.view[at[:2] + best])
        sizes, own = (spatial, best) if order == 0 else (spatial[::-1], best[::-1])
        plane = int(np.ravel_multi_index(own, sizes))
        places.append((at[0] * values.shape[1] + at[1]) * math.prod(spatial) + plane)
    shape = out_shape(values.shape, axes)
    return [exact_bits(x.fmt, np.array(chosen, x.fmt.storage).reshape(shape)),
            Wanted(I64, shape, bits=places)]


def few_values(rng, fmt, count):
    """Whole numbers of which many are equal."""
    return tensors.plain(rng, fmt, count, 1.0) if not fmt.is_float else np.where(
        rng.integers(2, size=count) == 0, tensors.plain(rng, fmt, 1, 1.0), fmt.storage.type(0))


def max_cases(rng, types):
    for number in range(20):
        shape, axes, attributes = geometry(rng, empty=number == 19)
        fill = [tensors.mixed, gentle if types[0].is_float else tensors.mixed, few_values][
            number % 3]
        x = tensors.random_tensor(rng, types[0], shape, fill)
        order = int(rng.integers(2))
        if order or number % 2:
            attributes["storage_order"] = order
        yield Case("max_pool", [x], lambda x=x, a=axes, o=order: max_wanted(x, a, o), **attributes)


# ---- average_pool ------------------------------------------------------------------------------

def average_wanted(x, axes, include):
    values = x.values()
    reals, opens = [], []
    for at, positions in windows(values.shape, axes):
        terms = np.array([values[at[:2] + p] for p in positions], np.float64)
        counted = [len(a.padded(o) if include else a.inside(o)) for a, o in zip(axes, at[2:])]
        special = terms[~np.isfinite(terms)]
        kept = fractions(terms[np.isfinite(terms)])
        opens.append(sum((abs(v) for v in kept), Fraction(0)) > accumulator(x.fmt).largest / 2)
        reals.append(float(np.sum(special)) if special.size else
                     sum(kept, Fraction(0)) / math.prod(counted))
    return Wanted(x.fmt, out_shape(values.shape, axes), reals=reals, may_open=opens)


def average_cases(rng, types):
    for number in range(20):
        shape, axes, attributes = geometry(rng, empty=number == 19)
        x = tensors.random_tensor(rng, types[0], shape, [gentle, tensors.mixed][number % 2])
        include = int(rng.integers(2))
        if include or number % 2:
            attributes["count_include_pad"] = include
        yield Case("average_pool", [x], lambda x=x, a=axes, i=include: average_wanted(x, a, i),
                   **attributes)


# ---- lp_pool -----------------------------------------------------------------------------------

def lp_root(total, p):
    number = exact.decimal_of(total)
    if p == 1 or total == 0:
        return total
    root = number.sqrt() if p == 2 else (number.ln() / p).exp()
    return exact.fraction_of(root)


def lp_wanted(x, axes, p):
    values = x.values()
    inner = accumulator(x.fmt)
    reals, opens = [], []
    for at, positions in windows(values.shape, axes):
        terms = np.array([abs(values[at[:2] + q]) for q in positions], np.float64)
        if not np.all(np.isfinite(terms)):
            reals.append(math.nan if np.isnan(terms).any() else math.inf)
            opens.append(False)
            continue
        total = sum((v ** p for v in fractions(terms)), Fraction(0))
        reals.append(lp_root(total, p))
        opens.append(total > inner.largest / 2 or
                     (p > 1 and total < 8 * (len(terms) + 2) * inner.subnormal))
    return Wanted(x.fmt, out_shape(values.shape, axes), reals=reals, may_open=opens)


def lp_cases(rng, types):
    for number in range(20):
        shape, axes, attributes = geometry(rng, empty=number == 19)
        x = tensors.random_tensor(rng, types[0], shape, [gentle, tensors.mixed][number % 2])
        p = int(rng.choice([1, 2, 2, 3, 5]))
        if p != 2 or number % 2:
            attributes["p"] = p
        yield Case("lp_pool", [x], lambda x=x, a=axes, p=p: lp_wanted(x, a, p), **attributes)


OPS = {"keel.max_pool": max_cases, "keel.average_pool": average_cases, "keel.lp_pool": lp_cases}
COMMON = {"kernel_shape", "strides", "dilations", "pads", "auto_pad", "ceil_mode"}
ATTRIBUTES = {"keel.max_pool": COMMON | {"storage_order"},
              "keel.average_pool": COMMON | {"count_include_pad"}, "keel.lp_pool": COMMON | {"p"}}
