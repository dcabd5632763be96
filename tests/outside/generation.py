"""What NumPy and fractions say of the ops whose elements depend on their place."""
import math
from fractions import Fraction

import numpy as np

import tensors
from formats import as_real, encode
from wanted import Case, Wanted, exact_bits


def one(fmt):
    """The element 1 in storage."""
    bits = encode(fmt, Fraction(1)) if fmt.is_float else 1
    return np.array([bits], fmt.code).view(fmt.storage)[0]


# ---- range -------------------------------------------------------------------------------------

def rounded(fmt, value):
    """A double as the type has it."""
    return fmt.value_of(encode(fmt, as_real(value)))


def float_range(fmt, start, limit, delta):
    start, limit, delta = (rounded(fmt, v) for v in (start, limit, delta))
    count = max(0, math.ceil((limit - start) / delta))
    return [Fraction(start) + i * Fraction(delta) for i in range(count)]


def range_cases(rng, types):
    fmt = types[0]
    for number in range(12):
        if fmt.is_float:
            delta = float(rng.choice([1, -1, 0.5, 0.1, -0.3, 3.25, 1e-3]))
            start = float(rng.normal() * 10)
            limit = start + delta * float(rng.integers(-2, 300)) * float(rng.random() + 0.5)
            real = float_range(fmt, start, limit, delta)
            yield Case("range", [], lambda r=real: Wanted(fmt, (len(r),), reals=r),
                       start=start, limit=limit, delta=delta)
        else:
            low, high = fmt.limits()
            delta = int(rng.choice([1, -1, 2, -3, 7, -100]))
            start = int(rng.integers(-1000, 1000))
            limit = int(np.clip(start + delta * int(rng.integers(-2, 300)), low, high))
            bits = list(range(start, limit, delta))
            yield Case("range", [], lambda b=bits: Wanted(fmt, (len(b),), bits=b),
                       int_start=start, int_limit=limit, int_delta=delta)
    if fmt.is_float:
        yield Case("defaults", [], lambda: Wanted(fmt, (5,), reals=[
            Fraction(i) for i in range(5)]), limit=5.0)
        yield Case("nothing", [], lambda: Wanted(fmt, (0,), reals=[]))
    else:
        low, high = fmt.limits()
        step = (high - low) // 3
        bits = [low, low + step, low + 2 * step]
        yield Case("all", [], lambda: Wanted(fmt, (3,), bits=bits), int_start=low,
                   int_limit=low + 3 * step, int_delta=step)
        yield Case("defaults", [], lambda: Wanted(fmt, (5,), bits=[0, 1, 2, 3, 4]), int_limit=5)


# ---- eye_like, trilu ---------------------------------------------------------------------------

def eye_like_cases(rng, types):
    fmt = types[0]
    for shape in [(3, 3), (2, 5), (5, 2), (1, 4), (0, 3), (3, 0)]:
        for k in [0, 1, -1, 4, -4, 2**62, -2**63]:
            near = max(-9, min(9, k))
            eye = np.where(np.eye(*shape, near) != 0, one(fmt), np.zeros(1, fmt.storage))
            attributes = {} if k == 0 else {"k": k}
            yield Case("eye", [], lambda e=eye: exact_bits(fmt, e.astype(fmt.storage)),
                       **attributes)


def trilu_cases(rng, types):
    fmt = types[0]
    for shape in [(3, 3), (4, 7), (7, 4), (2, 3, 4, 5), (1, 1), (0, 3), (3, 0), (2, 1, 6)]:
        for k in [0, 1, -2, 9, -9, 2**63 - 1, -2**63]:
            for upper in (0, 1):
                x = tensors.random_tensor(rng, fmt, shape)
                near = max(-20, min(20, k))
                attributes = {"upper": upper} if not upper or k % 2 else {}
                attributes |= {"k": k} if k else {}
                yield Case("trilu", [x], lambda x=x, u=upper, n=near: exact_bits(
                    fmt, (np.triu if u else np.tril)(np.array(x.view), n), moved=True),
                           **attributes)


# ---- one_hot -----------------------------------------------------------------------------------

def one_hot(indices, values, depth, axis):
    """Place by place, as ONNX describes it."""
    axis = axis % (indices.ndim + 1)
    out = np.full(indices.shape + (depth,), values[0])
    for at in np.ndindex(indices.shape):
        index = int(indices[at])
        if -depth <= index < depth:
            out[at + (index % depth,)] = values[1]
    return np.moveaxis(out, -1, axis)


def one_hot_cases(rng, types):
    index_fmt, fmt = types[0], types[1]
    far = index_fmt.limits()
    for number in range(12):
        shape = tensors.random_shape(rng, 0, 3, empty=number == 5)
        depth = int(rng.choice([0, 1, 2, 5, 7]))
        chosen = rng.integers(-2 * depth - 1, 2 * depth + 2, shape)
        chosen = np.where(rng.integers(9, size=shape) == 0, rng.choice(far), chosen)
        indices = tensors.lay_out(rng, index_fmt, np.asarray(chosen).astype(index_fmt.storage))
        values = tensors.lay_out(rng, fmt, tensors.mixed(rng, fmt, 2))
        axis = -1 if number < 2 else int(rng.integers(-len(shape) - 1, len(shape) + 1))
        attributes = {"depth": depth} | ({} if number < 2 else {"axis": axis})
        yield Case("one_hot", [indices, values], lambda i=indices, v=values, d=depth, a=axis:
                   exact_bits(fmt, one_hot(i.view, np.array(v.view), d, a), moved=True),
                   **attributes)


OPS = {"keel.range": range_cases, "keel.eye_like": eye_like_cases, "keel.trilu": trilu_cases,
       "keel.one_hot": one_hot_cases}
ATTRIBUTES = {"keel.range": {"start", "limit", "delta", "int_start", "int_limit", "int_delta"},
              "keel.eye_like": {"k"}, "keel.trilu": {"upper", "k"},
              "keel.one_hot": {"depth", "axis"}}
