"""What NumPy says of the ops that move elements, and exact fractions of the casts."""
import math
from fractions import Fraction

import numpy as np

import tensors
from formats import as_real, encode
from wanted import Case, Wanted, exact_bits


def _tensor(rng, fmt, shape):
    """Any bits at all: moves keep NaN payloads and codes without a meaning."""
    return tensors.random_tensor(rng, fmt, shape, tensors.mixed)


def _shapes(rng, least=0):
    for _ in range(4):
        yield tensors.random_shape(rng, least)
    yield tensors.random_shape(rng, max(least, 1), empty=True)
    yield (2, 1, 2, 1, 2, 1, 2, 3)


def _axis(rng, rank):
    """An axis, counted from either end."""
    return int(rng.integers(-rank, rank))


# ---- copy, transpose, concat -------------------------------------------------------------------

def copy_cases(rng, types):
    for shape in _shapes(rng):
        x = _tensor(rng, types[0], shape)
        yield Case("copy", [x], lambda x=x: exact_bits(
            x.fmt, np.array(x.view), moved=True))


def transpose_cases(rng, types):
    for shape in _shapes(rng):
        x = _tensor(rng, types[0], shape)
        perm = tuple(int(a) for a in rng.permutation(len(shape)))
        yield Case("perm", [x], lambda x=x, p=perm: exact_bits(
            x.fmt, np.transpose(x.view, p), moved=True),
                   perm=perm)
        yield Case("reversed", [x], lambda x=x: exact_bits(x.fmt, x.view.T, moved=True))


def concat_cases(rng, types):
    for shape in _shapes(rng, 1):
        count = int(rng.choice([1, 2, 3, 15]))
        axis = _axis(rng, len(shape))
        inputs = []
        for _ in range(count):
            own = list(shape)
            own[axis] = int(rng.integers(0, 4))
            inputs.append(_tensor(rng, types[0], tuple(own)))
        yield Case("concat", inputs, lambda t=inputs, a=axis: exact_bits(
            t[0].fmt, np.concatenate([x.view for x in t], a), moved=True), axis=axis)


# ---- slice, gather, fill -----------------------------------------------------------------------

def _range(rng, extent):
    """start, end and step: inside, outside, from the end, far away."""
    far = [2**31, -2**31, 2**62, -2**62, 2**63 - 1, -2**63]

    def place():
        return int(rng.choice(far)) if rng.integers(4) == 0 else int(
            rng.integers(-2 * extent - 1, 2 * extent + 2))
    step = int(rng.choice([1, 1, 2, 3, -1, -1, -2, -3, 100, -100, 2**62, -2**63]))
    return place(), place(), step


def slice_cases(rng, types):
    for number in range(6):
        for shape in _shapes(rng):
            x = _tensor(rng, types[0], shape)
            rank = len(shape)
            axes = [int(a) for a in rng.permutation(rank)[:int(rng.integers(0, rank + 1))]]
            if number % 3 == 0:
                axes = list(range(len(axes)))
            ranges = [_range(rng, shape[a]) for a in axes]
            steps = [step if number % 2 else 1 for _, _, step in ranges]
            attributes = {"starts": [r[0] for r in ranges], "ends": [r[1] for r in ranges]}
            if number % 3:
                attributes["axes"] = [a - rank if rng.integers(2) else a for a in axes]
            if number % 2:
                attributes["steps"] = steps
            parts = [slice(None)] * rank
            for a, (start, end, _), step in zip(axes, ranges, steps):
                if step < 0 and start < -shape[a]:
                    start = -shape[a]  # ONNX cuts it to the first place; NumPy to the one before
                parts[a] = slice(start, end, step)
            yield Case("slice", [x], lambda x=x, p=tuple(parts): exact_bits(
                x.fmt, np.array(x.view[p]), moved=True), **attributes)


def gather_cases(rng, types):
    for number, shape in enumerate(_shapes(rng, 1)):
        shape = shape[:4]
        data = _tensor(rng, types[0], shape)
        axis = 0 if number == 0 else _axis(rng, len(shape))
        extent = shape[axis]
        chosen = rng.integers(-2 * extent - 1, 2 * extent + 2, tensors.random_shape(rng))
        far = np.iinfo(types[1].storage)
        chosen = np.where(rng.integers(8, size=chosen.shape) == 0, far.min, chosen)
        chosen = np.where(rng.integers(8, size=chosen.shape) == 0, far.max, chosen)
        indices = tensors.lay_out(rng, types[1], np.asarray(chosen).astype(types[1].storage))
        attributes = {} if number == 0 else {"axis": axis}
        yield Case("gather", [data, indices], lambda d=data, i=indices, a=axis: exact_bits(
            d.fmt, _gather(d.view, np.array(i.view), a), moved=True), **attributes)


def _gather(data, indices, axis):
    """Zero where an index is out of range."""
    extent = data.shape[axis]
    out = np.zeros(data.shape[:axis % data.ndim] + indices.shape
                   + data.shape[axis % data.ndim + 1:], data.dtype)
    inside = (indices >= -extent) & (indices < extent)
    moved = np.moveaxis(out, range(axis % data.ndim, axis % data.ndim + indices.ndim),
                        range(indices.ndim))
    source = np.moveaxis(data, axis, 0)
    for at in np.argwhere(inside):
        moved[tuple(at)] = source[indices[tuple(at)]]
    return out


def fill_cases(rng, types):
    fmt = types[0]
    if fmt.is_float:
        values = [0.0, -0.0, 1.5, -1e-3, 0.1, 448.0, 464.0, 1e5, -1e39, 1e-310, 1e-46, math.inf,
                  -math.inf, math.nan] + [float(v) for v in rng.standard_normal(6) * 100]
        for value in values:
            bits = fmt.canonical(encode(fmt, as_real(value)))
            yield Case("fill", [], lambda b=bits: Wanted(fmt, (2, 3), bits=[b] * 6), value=value)
    else:
        low, high = fmt.limits()
        for value in [low, min(high, 2**63 - 1), 0, 1, min(high, 2**63 - 1) // 3]:
            yield Case("fill", [], lambda v=value: Wanted(fmt, (3, 2), bits=[v] * 6),
                       int_value=value)
    yield Case("default", [], lambda: Wanted(fmt, (), bits=[0]))
    yield Case("nothing", [], lambda: Wanted(fmt, (3, 0), bits=[]))


# ---- cast --------------------------------------------------------------------------------------

def cast_element(source, target, value, saturate):
    """Bits of one element: numerics.md, special values."""
    if target.is_bool:
        return int(value != 0)
    if not target.is_float:
        if not source.is_float:
            return target.canonical(int(value))
        low, high = target.limits()
        if math.isnan(value):
            return 0
        return target.canonical(low if value <= low else high if value >= high else int(value))
    real = as_real(float(value)) if source.is_float else Fraction(int(value))
    return target.canonical(encode(target, real, saturate and target.size == 1))


def cast_cases(rng, types):
    source, target = types[0], types[1]

    def wanted(x, saturate):
        return Wanted(target, x.shape, bits=[cast_element(source, target, v, saturate)
                                             for v in x.values().flat])
    inputs = [tensors.dense(source, tensors.specials(source)),
              tensors.dense(source, tensors.mixed(rng, source, 60)),
              tensors.dense(source, ties(rng, source, target)),
              tensors.random_tensor(rng, source, tensors.random_shape(rng)),
              tensors.random_tensor(rng, source, (2, 0))]
    for x in inputs:
        yield Case("default", [x], lambda x=x: wanted(x, True))
        if target.size == 1 and target.is_float:
            yield Case("infinities", [x], lambda x=x: wanted(x, False), saturate=0)
            yield Case("saturating", [x], lambda x=x: wanted(x, True), saturate=1)


def ties(rng, source, target):
    """Values half-way between neighbours of the target, and just beside."""
    if not (source.is_float and target.is_float) or source.size < target.size:
        return tensors.mixed(rng, source, 20)
    codes = tensors.random_codes(rng, target, 60)
    values = target.values(codes)
    values = values[np.isfinite(values)]
    steps = np.array([float(2 * target.unit) for _ in values]) / 2
    # Relative halves are ties of the upper end of a binade, quarters elsewhere; both are mixed.
    near = values * (1 + steps * rng.choice([0.5, 1.0, 1.0 + 2.0**-40, 1.0 - 2.0**-40], len(steps)))
    halves = [(float(a) + float(b)) / 2 for a, b in zip(np.sort(values), np.sort(values)[1:])]
    every = [v for v in list(near) + halves if math.isfinite(v)] or [0.0]
    bits = [encode(source, as_real(float(v))) for v in every]
    return np.array(bits, np.uint64).astype(source.code).view(source.storage)


OPS = {"keel.copy": copy_cases, "keel.transpose": transpose_cases, "keel.concat": concat_cases,
       "keel.slice": slice_cases, "keel.gather": gather_cases, "keel.fill": fill_cases,
       "keel.cast": cast_cases}
ATTRIBUTES = {"keel.transpose": {"perm"}, "keel.concat": {"axis"}, "keel.gather": {"axis"},
              "keel.slice": {"starts", "ends", "axes", "steps"},
              "keel.fill": {"value", "int_value"}, "keel.cast": {"saturate"}}
