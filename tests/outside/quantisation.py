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


def is_power_of_two(x):
    return math.isfinite(x) and abs(math.frexp(x)[0]) == 0.5


def is_near(q, scale, scale_fmt, stored):
    """Whether a quotient that is off by three f32 ulp is stored otherwise; by 2^n none is off."""
    if not math.isfinite(q) or is_power_of_two(scale):
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
        near.append(is_near(float(raw), float(scales[where(at)]), scale.fmt,
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


# ---- dynamic_quantize_linear -------------------------------------------------------------------

def dynamic_wanted(x):
    """The definition, step by step in f32; what is near a tie may be a neighbour."""
    values = x.values().astype(np.float32)
    f32, one = BY_NAME["f32"], np.float32(1)
    low = np.minimum(np.float32(0), values.min()) if values.size else np.float32(0)
    high = np.maximum(np.float32(0), values.max()) if values.size else np.float32(0)
    scale = (high - low) / np.float32(255)
    scale = one if scale == 0 else scale
    point = np.float32(0) - low / scale

    def near(q, stored):
        moved = [Fraction(float(q)) * (1 + sign * 6 * F32_STEP) for sign in (1, -1)
                 ] if np.isfinite(q) else []
        return any(stored(float(m)) != stored(float(q)) for m in moved)
    zero = to_integer(float(point), 0, 0, 255)
    open_zero = near(point, lambda q: to_integer(q, 0, 0, 255))
    quotients = [np.float32(v) / scale for v in values.flat]
    bits = [to_integer(float(q), zero, 0, 255) for q in quotients]
    open_bits = [open_zero or near(q, lambda v: to_integer(v, zero, 0, 255)) for q in quotients]
    return [Wanted(U8, values.shape, bits=bits, may_bound=open_bits),
            Wanted(f32, (), bits=[f32.canonical(encode(f32, as_real(float(scale))))],
                   may_bound=[True]),
            Wanted(U8, (), bits=[zero], may_bound=[open_zero])]


def dynamic_cases(rng, types):
    def finite(r, fmt, count):
        return tensors.finite(fmt, tensors.plain(r, fmt, count, 3.0))
    for number in range(24):
        shape = tensors.random_shape(rng, 0, 4, empty=number == 23)
        fill = [finite, tensors.plain, tensors.mixed][number % 3]
        x = tensors.random_tensor(rng, types[0], shape, fill)
        yield Case("dynamic", [x], lambda x=x: dynamic_wanted(x))


# ---- products of matrices ----------------------------------------------------------------------

def integers(tensor):
    """Values as Python's integers; an absent zero point is 0."""
    return np.array(0, object) if tensor is None else tensor.values().astype(object)


def along(values, axis):
    """A vector of rows or columns in the place of its matrix."""
    return np.expand_dims(values, axis) if values.ndim == 1 else values


def product_sum(a, b, a_zero, b_zero):
    """Exact sums of products, before they wrap."""
    left = integers(a) - along(integers(a_zero), -1)
    right = integers(b) - along(integers(b_zero), 0)
    if left.shape[-1] == 0:
        shape = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
        return np.zeros(shape + (left.shape[-2], right.shape[-1]), object)
    return np.matmul(left, right)


def wrapped(total):
    return (int(total) + 2**31) % 2**32 - 2**31


def product_operands(rng, a_fmt, b_fmt, number):
    m, k, n = [int(v) for v in rng.integers(1, 6, 3)]
    m, k, n = [(m, 0, n), (2, 700, 2), (0, k, n)][number] if number < 3 else (m, k, n)
    batch = tensors.random_shape(rng, 0, 2)

    def matrix(fmt, rows, columns):
        own = batch[int(rng.integers(len(batch) + 1)):]
        own = tuple(1 if rng.integers(3) == 0 else size for size in own)
        return tensors.random_tensor(rng, fmt, own + (rows, columns), tensors.random_codes)
    a, b = matrix(a_fmt, m, k), matrix(b_fmt, k, n)
    shape = np.broadcast_shapes(a.shape[:-2], b.shape[:-2]) + (m, n)
    return a, b, shape


def parameter(rng, fmt, matrix, of_rows, fill):
    """One, a vector, or the matrix with one column (or row)."""
    shape = [(), (1,), matrix.shape[-2:-1] if of_rows else matrix.shape[-1:],
             matrix.shape[:-1] + (1,) if of_rows
             else matrix.shape[:-2] + (1,) + matrix.shape[-1:]][int(rng.integers(4))]
    return tensors.random_tensor(rng, fmt, shape, fill)


def matmul_integer_cases(rng, types):
    for number in range(16):
        a, b, shape = product_operands(rng, types[0], types[1], number)
        zeros = [None if rng.integers(3) == 0
                 else parameter(rng, m.fmt, m, m is a, tensors.random_codes) for m in (a, b)]
        yield Case("matmul_integer", [a, b] + zeros, lambda c=(a, b, *zeros), s=shape: Wanted(
            types[4], s, bits=[wrapped(v) for v in product_sum(*c).flat]))


def scale_near(rng, low, high):
    def fill(_, fmt, count):
        values = rng.uniform(low, high, count)
        return np.array([encode(fmt, as_real(float(v))) for v in values],
                        fmt.code).view(fmt.storage)
    return fill


def requantised_wanted(out, totals, factors, zeros, shape):
    """
    Real numbers rounded to integers. Four roundings to f32 may move them by 4.01 * 2^-24 of their
    size, and a division that is off by 2.5 ulp by 8.01: then a neighbour is allowed.
    """
    bits, near = [], []
    for total, factor, zero in zip(totals, factors, zeros):
        real = wrapped(total) * factor
        bits.append(min(max(round(real) + int(zero), out.limits()[0]), out.limits()[1]))
        moved = [real * (1 + sign * Fraction(801, 100 * 2**24)) for sign in (1, -1)]
        near.append(any(round(r) != round(real) for r in moved))
    return Wanted(out, shape, bits=bits, may_bound=near)


def exactly(values):
    out = np.empty(np.shape(values), object)
    for at in np.ndindex(out.shape):
        out[at] = Fraction(float(np.asarray(values)[at]))
    return out


def qlinear_matmul_cases(rng, types):
    out = types[8]
    for number in range(12):
        a, b, shape = product_operands(rng, types[0], types[3], number)
        a_scale = parameter(rng, types[1], a, True, scale_near(rng, 0.001, 0.1))
        b_scale = parameter(rng, types[1], b, False, scale_near(rng, 0.001, 0.1))
        a_zero = parameter(rng, types[0], a, True, tensors.random_codes)
        b_zero = parameter(rng, types[3], b, False, tensors.random_codes)
        y_scale = parameter(rng, types[1], a, True, scale_near(rng, 0.1, 2.0))
        y_zero = parameter(rng, out, a, True, tensors.random_codes)

        def wanted(a=a, b=b, az=a_zero, bz=b_zero, s=(a_scale, b_scale, y_scale), yz=y_zero,
                   shape=shape):
            totals = np.broadcast_to(product_sum(a, b, az, bz), shape)
            scales = [along(exactly(t.values()), axis) for t, axis in zip(s, (-1, 0, -1))]
            factors = np.broadcast_to(scales[0] * scales[1] / scales[2], shape)
            zeros = np.broadcast_to(along(integers(yz), -1), shape)
            return requantised_wanted(out, totals.flat, factors.flat, zeros.flat, shape)
        yield Case("qlinear_matmul", [a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero],
                   wanted)


# ---- convolutions ------------------------------------------------------------------------------

def window(rng, size, number):
    """Taps, stride, dilation and pads of an axis, by ONNX's formulas; the size of the output."""
    taps, stride, dilation = int(rng.integers(1, 4)), int(rng.integers(1, 4)), int(
        rng.integers(1, 3))
    span = (taps - 1) * dilation + 1
    mode = ["NOTSET", "NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"][number % 5]
    if mode == "VALID" and span > size:
        taps, span = 1, 1
    if mode.startswith("SAME"):
        out = -(-size // stride)
        total = max((out - 1) * stride + span - size, 0)
        begin = total // 2 if mode == "SAME_UPPER" else total - total // 2
        return taps, stride, dilation, (begin, total - begin), out
    begin, end = (0, 0) if mode == "VALID" else [int(v) for v in rng.integers(0, 3, 2)]
    begin = max(begin, span - size - end)
    return taps, stride, dilation, (begin, end), (size + begin + end - span) // stride + 1


def conv_call(rng, x_fmt, w_fmt, number):
    """x, w, attributes, the pads that they mean, and the shape of the output."""
    axes = 1 + number % 3
    group, images = int(rng.integers(1, 4)), int(rng.integers(0, 3)) if number == 7 else 2
    inner, outer = int(rng.integers(1, 4)), int(rng.integers(1, 4))
    size = [int(v) for v in rng.integers(1, 6, axes)]
    parts = [window(rng, n, number) for n in size]
    taps, strides, dilations, pads, out = [list(p) for p in zip(*parts)]
    x = tensors.random_tensor(rng, x_fmt, (images, inner * group, *size), tensors.random_codes)
    w = tensors.random_tensor(rng, w_fmt, (outer * group, inner, *taps), tensors.random_codes)
    attributes = {"group": group, "strides": strides, "dilations": dilations}
    mode = ["NOTSET", "", "SAME_UPPER", "SAME_LOWER", "VALID"][number % 5]
    if mode:
        attributes["auto_pad"] = mode
    if mode in ("NOTSET", ""):
        attributes["pads"] = [p[0] for p in pads] + [p[1] for p in pads]
    if rng.integers(2):
        attributes["kernel_shape"] = taps
    if group == 1 and rng.integers(2):
        del attributes["group"]
    return x, w, attributes, pads, (images, outer * group, *out)


def conv_sum(x, w, x_zero, w_zero, attributes, pads, shape):
    """Exact sums; padding has the value of the zero point."""
    left = integers(x) - integers(x_zero).reshape(-1)[0]
    zero = integers(w_zero).reshape(-1)
    right = integers(w) - zero.reshape((-1,) + (1,) * (w.view.ndim - 1))
    left = np.pad(left.astype(np.int64), [(0, 0), (0, 0)] + pads)
    right = right.astype(np.int64)
    group = attributes.get("group", 1)
    inner, outer = w.shape[1], w.shape[0] // group
    taps, total = w.shape[2:], np.zeros(shape, np.int64)
    for at in np.ndindex(*taps):
        part = left[(slice(None), slice(None), *[
            slice(t * d, t * d + (n - 1) * s + 1, s) for t, d, s, n in zip(
                at, attributes["dilations"], attributes["strides"], shape[2:])])]
        for g in range(group):
            weights = right[(slice(g * outer, (g + 1) * outer), slice(None), *at)]
            if shape[0] * math.prod(shape[2:]):
                total[:, g * outer:(g + 1) * outer] += np.einsum(
                    "oc,nc...->no...", weights, part[:, g * inner:(g + 1) * inner])
    return total


def for_channels(rng, fmt, channels, fill):
    shape = [(), (1,), (channels,)][int(rng.integers(3))]
    return tensors.random_tensor(rng, fmt, shape, fill)


def single(rng, fmt, fill):
    return tensors.random_tensor(rng, fmt, [(), (1,)][int(rng.integers(2))], fill)


def conv_integer_cases(rng, types):
    for number in range(20):
        x, w, attributes, pads, shape = conv_call(rng, types[0], types[1], number)
        x_zero = None if rng.integers(3) == 0 else single(rng, types[0], tensors.random_codes)
        w_zero = None if rng.integers(3) == 0 else for_channels(
            rng, types[1], w.shape[0], tensors.random_codes)
        yield Case("conv_integer", [x, w, x_zero, w_zero],
                   lambda c=(x, w, x_zero, w_zero, attributes, pads, shape): Wanted(
                       types[4], c[-1], bits=[wrapped(v) for v in conv_sum(*c).flat]),
                   **attributes)


def qlinear_conv_cases(rng, types):
    out = types[9]
    for number in range(20):
        x, w, attributes, pads, shape = conv_call(rng, types[0], types[3], number)
        channels = w.shape[0]
        x_scale = single(rng, types[1], scale_near(rng, 0.001, 0.1))
        w_scale = for_channels(rng, types[1], channels, scale_near(rng, 0.001, 0.1))
        y_scale = single(rng, types[1], scale_near(rng, 0.1, 2.0))
        x_zero = single(rng, types[0], tensors.random_codes)
        w_zero = for_channels(rng, types[3], channels, tensors.random_codes)
        y_zero = single(rng, out, tensors.random_codes)
        bias = None if rng.integers(2) else tensors.random_tensor(
            rng, types[8], (channels,), lambda r, f, n: r.integers(-2**17, 2**17, n).astype("i4"))

        def wanted(c=(x, w, x_zero, w_zero, attributes, pads, shape), b=bias,
                   s=(x_scale, w_scale, y_scale), yz=y_zero, shape=shape):
            spread = (-1,) + (1,) * (len(shape) - 2)
            totals = conv_sum(*c)
            if b is not None:
                totals = totals + integers(b).reshape(spread)
            scales = [exactly(t.values()).reshape(-1) for t in s]
            factors = np.broadcast_to((scales[0] * scales[1] / scales[2]).reshape(spread), shape)
            zeros = np.broadcast_to(integers(yz).reshape(-1)[0], shape)
            return requantised_wanted(out, totals.flat, factors.flat, zeros.flat, shape)
        yield Case("qlinear_conv", [x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, bias],
                   wanted, **attributes)


CONV = {"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"}
OPS = {"keel.quantize_linear": quantize_cases, "keel.dequantize_linear": dequantize_cases,
       "keel.dynamic_quantize_linear": dynamic_cases,
       "keel.matmul_integer": matmul_integer_cases,
       "keel.qlinear_matmul": qlinear_matmul_cases,
       "keel.conv_integer": conv_integer_cases, "keel.qlinear_conv": qlinear_conv_cases}
ATTRIBUTES = {"keel.quantize_linear": {"axis", "block_size", "packed", "saturate"},
              "keel.dequantize_linear": {"axis", "block_size", "packed"},
              "keel.dynamic_quantize_linear": set(), "keel.matmul_integer": set(), "keel.qlinear_matmul": set(),
              "keel.conv_integer": CONV, "keel.qlinear_conv": CONV}
