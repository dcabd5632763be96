"""What NumPy and exact fractions say of the ops on quantised values, from ONNX's definitions."""
import math
from fractions import Fraction

import numpy as np

import tensors
from formats import BY_NAME, as_real, encode
from wanted import Case, Wanted

U8 = BY_NAME["u8"]
F32_STEP = Fraction(1, 2**23)


# ---- scales and where they belong --------------------------------------------------------------

def granularity(rng, shape, number):
    """Shape of the scales, attributes, and an index of them for every element."""
    rank = len(shape)
    form = number % 4 if rank else number % 2
    if form < 2 or math.prod(shape) == 0 and form == 2:
        one = () if form == 0 else (1,)
        attributes = {} if rng.integers(2) else {"axis": int(rng.integers(-9, 9))}
        return one, attributes, lambda at: (0,) * len(one)
    axis = int(rng.integers(rank))
    attributes = {"axis": axis - rank if rng.integers(2) else axis}
    if form == 2:
        if shape[axis] == 1:
            return (1,), attributes, lambda at: (0,)
        return (shape[axis],), attributes, lambda at: (at[axis],)
    block = int(rng.integers(1, 5))
    attributes["block_size"] = block
    scales = shape[:axis] + (-(-shape[axis] // block),) + shape[axis + 1:]
    return scales, attributes, lambda at: at[:axis] + (at[axis] // block,) + at[axis + 1:]


def unpack(data, shape, low):
    """Values of 4 bits, two a byte, the first in the low half."""
    flat = np.array(data).reshape(-1)
    both = np.stack([flat & 15, flat >> 4], 1).reshape(-1)[:math.prod(shape)].astype(np.int64)
    return np.where(both > low + 15, both - 16, both).reshape(shape)


def scale_values(rng, fmt, count):
    return np.where(rng.integers(5, size=count) == 0, tensors.mixed(rng, fmt, count),
                    np.abs(tensors.plain(rng, fmt, count, 0.1)) if fmt.name != "bf16"
                    else tensors.plain(rng, fmt, count, 0.1)).astype(fmt.storage)


# ---- quantize ----------------------------------------------------------------------------------

def narrow(fmt, value):
    """A float, rounded to a format."""
    return fmt.value_of(encode(fmt, as_real(float(value))))


def quotient(x, scale, fmt):
    """x / scale in f32, rounded to the scale's type."""
    return narrow(fmt, np.float32(x) / np.float32(scale))


def to_integer(q, zero, low, high):
    if math.isnan(q):
        q = 0.0
    if math.isinf(q):
        return high if q > 0 else low
    return min(max(round(Fraction(q)) + zero, low), high)


def quantized(q, zero, fmt, saturate):
    """Bits of a quotient in the output's type."""
    if not fmt.is_float:
        return to_integer(q, int(zero), *fmt.limits())
    total = q if zero == 0 else float(np.float32(q) + np.float32(zero))
    return fmt.canonical(encode(fmt, as_real(total), saturate))


def is_near(q, scale_fmt, stored):
    """Whether a quotient that is off by three f32 ulp is stored otherwise."""
    if not math.isfinite(q):
        return False
    exact = Fraction(q)
    return any(stored(narrow(scale_fmt, exact * (1 + sign * 3 * F32_STEP))) != stored(q)
               for sign in (1, -1))


def quantize_wanted(x, scale, zero, out, where, attributes):
    packed = attributes.get("packed")
    saturate = bool(attributes.get("saturate", 1))
    low = {"i4": -8, "u4": 0}.get(packed)
    values, scales = x.values(), scale.values()
    zeros = np.zeros(scales.shape) if zero is None else (
        unpack(zero.view, scales.shape, low) if packed else zero.values())
    bits, near = [], []
    for at in np.ndindex(values.shape):
        raw = np.float32(values[at]) / np.float32(scales[where(at)])
        z = zeros[where(at)]

        def stored(q, z=z):
            return (to_integer(q, int(z), low, low + 15) if packed
                    else quantized(q, z, out, saturate))
        bits.append(stored(narrow(scale.fmt, raw)))
        near.append(is_near(float(raw), scale.fmt,
                            lambda q, s=stored: s(narrow(scale.fmt, q))))
    if not packed:
        return Wanted(out, values.shape, bits=bits, may_bound=near)
    bits, near = bits + [0] * (len(bits) % 2), near + [False] * (len(near) % 2)
    joined = [(a & 15) | (b & 15) << 4 for a, b in zip(bits[::2], bits[1::2])]
    either = [a or b for a, b in zip(near[::2], near[1::2])]
    return Wanted(U8, (len(joined),), bits=joined, may_bound=either)


def zero_point(rng, fmt, shape, packed, number):
    if number % 3 == 0:
        return None
    if packed:
        shape = (-(-math.prod(shape) // 2),)
    return tensors.random_tensor(rng, fmt, shape, tensors.plain if fmt.is_float else tensors.mixed)


def quantize_cases(rng, types):
    x_fmt, scale_fmt, _, out = types
    forms = [None] * 9 + (["i4", "u4"] * 4 if out.name == "u8" else [])
    for number, packed in enumerate(forms):
        shape = tensors.random_shape(rng, 0, 4, empty=number == 8)
        scales, attributes, where = granularity(rng, shape, number)
        x = tensors.random_tensor(rng, x_fmt, shape)
        scale = tensors.random_tensor(rng, scale_fmt, scales, scale_values)
        zero = zero_point(rng, out, scales, packed, number)
        if packed:
            attributes["packed"] = packed
        if number % 2:
            attributes["saturate"] = int(rng.integers(2))
        yield Case("quantize", [x, scale, zero], lambda c=(x, scale, zero, out, where, attributes):
                   quantize_wanted(*c), **attributes)


# ---- dequantize --------------------------------------------------------------------------------

def product(value, zero, scale):
    """(value - zero) * scale, exactly where that is a number."""
    parts = [float(value), float(zero), float(scale)]
    if all(math.isfinite(p) for p in parts):
        exact = (Fraction(parts[0]) - Fraction(parts[1])) * Fraction(parts[2])
        if exact != 0:
            return exact
    total = np.float64(parts[0]) if parts[1] == 0 else np.float64(parts[0]) - parts[1]
    return float(total * np.float64(parts[2]))


def dequantize_wanted(x, scale, zero, out, shape, where, attributes):
    packed = attributes.get("packed")
    low = {"i4": -8, "u4": 0}.get(packed)
    values = unpack(x.view, shape, low) if packed else x.values()
    scales = scale.values()
    zeros = np.zeros(scales.shape) if zero is None else (
        unpack(zero.view, scales.shape, low) if packed else zero.values())
    reals = [product(values[at], zeros[where(at)], scales[where(at)]) for at in np.ndindex(shape)]
    return Wanted(out, shape, reals=reals, either_rule=True)


def dequantize_cases(rng, types):
    x_fmt, scale_fmt, _, out = types
    forms = [None] * 9 + (["i4", "u4"] * 4 if x_fmt.name == "u8" else [])
    for number, packed in enumerate(forms):
        shape = tensors.random_shape(rng, 0, 4, empty=number == 8)
        scales, attributes, where = granularity(rng, shape, number)
        own = (-(-math.prod(shape) // 2),) if packed else shape
        x = tensors.random_tensor(rng, x_fmt, own)
        scale = tensors.random_tensor(rng, scale_fmt, scales, scale_values)
        zero = zero_point(rng, x_fmt, scales, packed, number)
        if packed:
            attributes["packed"] = packed
        yield Case("dequantize", [x, scale, zero],
                   lambda c=(x, scale, zero, out, shape, where, attributes):
                   dequantize_wanted(*c), **attributes)


OPS = {"keel.quantize_linear": quantize_cases, "keel.dequantize_linear": dequantize_cases}
ATTRIBUTES = {"keel.quantize_linear": {"axis", "block_size", "packed", "saturate"},
              "keel.dequantize_linear": {"axis", "block_size", "packed"}}
