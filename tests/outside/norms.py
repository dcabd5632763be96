"""What exact fractions and decimals say of the norms over channels and over lines."""
import math
from fractions import Fraction

import numpy as np

import exact
import tensors
from dense import norm_may_open, norm_row, scaled, shifted
from formats import BY_NAME
from reduction import accumulator, gentle
from wanted import Case, Wanted, fractions

F32 = BY_NAME["f32"]


def channel_shape(rng, empty=False):
    """N, C and up to three more sizes."""
    shape = [int(rng.integers(1, 4)), int(rng.choice([1, 2, 4, 6]))]
    shape += [int(rng.integers(1, 5)) for _ in range(int(rng.integers(0, 4)))]
    if empty:
        shape[0 if len(shape) == 2 else int(rng.choice([0, len(shape) - 1]))] = 0
    return tuple(shape)


def vector(rng, fmt, count, fill=gentle):
    return tensors.random_tensor(rng, fmt, (count,), fill)


def as_real(value):
    """A result of NumPy's as what is wanted: a Fraction if it is finite."""
    return Fraction(float(value)) if math.isfinite(value) else float(value)


# ---- batch_norm --------------------------------------------------------------------------------

def batch_element(x, scale, bias, mean, var, epsilon):
    """A Fraction or special, and whether steps on the way are out of the ordinary."""
    numbers = (x, scale, bias, mean, var)
    if all(math.isfinite(v) for v in numbers):
        spread = Fraction(var) + Fraction(epsilon)
        if spread > 0:
            root = exact.decimal_of(spread).sqrt()
            centred = exact.decimal_of(Fraction(x) - Fraction(mean))
            factor = exact.decimal_of(Fraction(scale)) / root
            product = centred * factor
            steps = [spread] + [exact.fraction_of(abs(v)) for v in (centred, factor, product)]
            value = exact.fraction_of(product + exact.decimal_of(Fraction(bias)))
            return value, max(steps)
    x, scale, bias, mean, var = (np.longdouble(v) for v in numbers)
    value = (x - mean) / np.sqrt(var + np.longdouble(epsilon)) * scale + bias
    return as_real(value), Fraction(0)


def batch_wanted(tensors_given, epsilon):
    x, scale, bias, mean, var = (t.values() for t in tensors_given)
    fmt = tensors_given[0].fmt
    inner = BY_NAME["f64"] if "f64" in (fmt.name, tensors_given[1].fmt.name) else F32
    reals, opens = [], []
    for at in np.ndindex(x.shape):
        c = at[1]
        numbers = [float(v) for v in (x[at], scale[c], bias[c], mean[c], var[c])]
        value, most = batch_element(*numbers, epsilon)
        reals.append(value)
        opens.append(most > inner.largest / 2)
    return Wanted(fmt, x.shape, reals=reals, may_open=opens)


def positive(rng, fmt, count):
    return np.abs(fmt.values(gentle(rng, fmt, count))).astype(fmt.storage) \
        if fmt.name != "bf16" else gentle(rng, fmt, count) & np.uint16(0x7fff)


def batch_cases(rng, types):
    for number in range(8):
        shape = channel_shape(rng, empty=number == 7)
        fill = [gentle, shifted, gentle, tensors.mixed][number % 4]
        x = tensors.random_tensor(rng, types[0], shape, fill)
        rest = [vector(rng, types[1], shape[1], gentle if k < 3 else positive) for k in range(4)]
        epsilon = float(rng.choice([1e-5, 0.0, 0.5]))
        attributes = {"epsilon": epsilon} if number % 2 else {}
        if number % 3 == 0:
            attributes["training_mode"] = 0
        given = [x] + rest
        yield Case("batch_norm", given, lambda g=given, e=attributes.get("epsilon", 1e-5):
                   batch_wanted(g, e), **attributes)


# ---- instance_norm, group_norm -----------------------------------------------------------------

def grouped_wanted(x, scale, bias, groups, epsilon):
    values = x.values()
    samples, channels = values.shape[:2]
    scale = np.ones(channels) if scale is None else scale.values()
    bias = np.full(channels, -0.0) if bias is None else bias.values()
    out = np.empty(values.shape, object)
    opens = np.zeros(values.shape, bool)
    each = channels // groups
    for n in range(samples if values.size else 0):
        for g in range(groups):
            own = (n, slice(g * each, (g + 1) * each))
            row = values[own].reshape(-1)
            y = np.array(norm_row(row, epsilon, True) + [None], object)[:-1]
            out[own] = y.reshape(values[own].shape)
            opens[own] = norm_may_open(x.fmt, row, epsilon)
    reals = [scaled(out[at], float(scale[at[1]]), float(bias[at[1]]))
             for at in np.ndindex(values.shape)]
    return Wanted(x.fmt, x.shape, reals=reals, may_open=list(opens.flat))


def grouped_cases(has_groups):
    def cases(rng, types):
        for number in range(16):
            shape = channel_shape(rng, empty=number == 15)
            fill = [gentle, shifted, gentle, tensors.mixed][number % 4]
            x = tensors.random_tensor(rng, types[0], shape, fill)
            divisors = [g for g in range(1, shape[1] + 1) if shape[1] % g == 0]
            groups = int(rng.choice(divisors)) if has_groups else shape[1]
            epsilon = float(rng.choice([1e-5, 1e-12, 0.5]))
            attributes = {"num_groups": groups} if has_groups else {}
            if number % 2:
                attributes["epsilon"] = epsilon
            slots = [vector(rng, types[0], shape[1], fill) if rng.integers(3) else None
                     for _ in range(2)]
            call = (x, *slots, groups, attributes.get("epsilon", 1e-5))
            yield Case("grouped", [x] + slots, lambda c=call: grouped_wanted(*c), **attributes)
    return cases


# ---- lp_norm -----------------------------------------------------------------------------------

def lp_line(values, p):
    if not np.all(np.isfinite(values)):
        with_nan = np.isnan(values).any()
        return [math.nan if with_nan or math.isinf(v) else math.copysign(0.0, v) for v in values]
    x = list(fractions(values))
    total = sum((abs(v) ** p for v in x), Fraction(0))
    if total == 0:
        return [Fraction(0)] * len(x)
    norm = exact.decimal_of(total).sqrt() if p == 2 else exact.decimal_of(total)
    return [exact.fraction_of(exact.decimal_of(v) / norm) for v in x]


def lp_may_open(fmt, values, p):
    if not np.all(np.isfinite(values)):
        return False
    inner = accumulator(fmt)
    total = sum((abs(v) ** p for v in fractions(values)), Fraction(0))
    return total > inner.largest / 2 or (
        p == 2 and total < 8 * (len(values) + 1) * inner.subnormal)


def lp_wanted(x, axis, p):
    moved = np.moveaxis(x.values(), axis, -1)
    out = np.empty(moved.shape, object)
    opens = np.zeros(moved.shape, bool)
    for at in np.ndindex(moved.shape[:-1]):
        out[at] = lp_line(moved[at], p)
        opens[at] = lp_may_open(x.fmt, moved[at], p)
    return Wanted(x.fmt, x.shape, reals=list(np.moveaxis(out, -1, axis).flat),
                  may_open=list(np.moveaxis(opens, -1, axis).flat))


def lp_cases(rng, types):
    for number in range(24):
        shape = tensors.random_shape(rng, 1, 4, empty=number == 23)
        fill = [gentle, tensors.mixed, gentle, zeros_too][number % 4]
        x = tensors.random_tensor(rng, types[0], (2, 500) if number == 4 else shape, fill)
        axis = int(rng.integers(-x.view.ndim, x.view.ndim)) if number % 3 else -1
        attributes = {"axis": axis} if number % 3 else {}
        p = 1 + int(rng.integers(2))
        if p == 1 or number % 2:
            attributes["p"] = p
        yield Case("lp_norm", [x], lambda x=x, a=axis, p=p: lp_wanted(x, a, p), **attributes)


def zeros_too(rng, fmt, count):
    values = gentle(rng, fmt, count)
    return np.where(rng.integers(3, size=count) > 0, fmt.storage.type(0), values)


# ---- lrn ---------------------------------------------------------------------------------------

def lrn_element(x, window, alpha, beta, bias, inner):
    """A Fraction or special, and whether steps on the way are out of the ordinary."""
    if math.isfinite(x) and np.all(np.isfinite(window)):
        squares = sum((v * v for v in fractions(window)), Fraction(0))
        term = Fraction(alpha) * squares
        base = Fraction(bias) + term
        if base > 0:
            power = exact.decimal_of(base) ** exact.decimal_of(Fraction(beta))
            size = exact.fraction_of(power)
            edge = not isinstance(size, Fraction) or size > inner.largest / 2 or \
                size < inner.tiny * 2 or max(squares, base) > inner.largest / 2
            lost = (len(window) + 20) * inner.subnormal * 16
            edge = edge or abs(term) > 1000 * base or base < 2**30 * lost
            return exact.fraction_of(exact.decimal_of(Fraction(x)) / power), edge
        return math.nan, True
    squares = np.sum(np.asarray(window, np.longdouble) ** 2)
    base = np.longdouble(bias) + np.longdouble(float(alpha)) * squares
    return as_real(np.longdouble(x) / np.power(base, np.longdouble(beta))), True


def lrn_wanted(x, size, alpha, beta, bias):
    values = x.values()
    before, after = (size - 1) // 2, size - 1 - (size - 1) // 2
    reals, opens = [], []
    for at in np.ndindex(values.shape):
        n, c, rest = at[0], at[1], at[2:]
        low, high = max(0, c - before), min(values.shape[1], c + after + 1)
        window = values[(n, slice(low, high)) + rest]
        value, edge = lrn_element(float(values[at]), window, Fraction(alpha) / size, beta, bias,
                                  accumulator(x.fmt))
        reals.append(value)
        opens.append(edge)
    return Wanted(x.fmt, x.shape, reals=reals, may_open=opens)


def lrn_cases(rng, types):
    for number in range(12):
        shape = channel_shape(rng, empty=number == 11)
        fill = [gentle, tensors.mixed, gentle][number % 3]
        x = tensors.random_tensor(rng, types[0], shape, fill)
        values = {"alpha": float(rng.choice([1e-4, 0.5, 2.0])),
                  "beta": float(rng.choice([0.75, 0.5, 1.0, 0.0, -0.3])),
                  "bias": float(rng.choice([1.0, 2.0, 0.25]))}
        size = int(rng.choice([1, 2, 3, 5, 8]))
        given = {k: v for k, v in values.items() if rng.integers(2)}
        call = (x, size, given.get("alpha", 1e-4), given.get("beta", 0.75), given.get("bias", 1.0))
        yield Case("lrn", [x], lambda c=call: lrn_wanted(*c), size=size, **given)


OPS = {"keel.batch_norm": batch_cases, "keel.instance_norm": grouped_cases(False),
       "keel.group_norm": grouped_cases(True), "keel.lp_norm": lp_cases, "keel.lrn": lrn_cases}
ATTRIBUTES = {"keel.batch_norm": {"epsilon", "training_mode"}, "keel.instance_norm": {"epsilon"},
              "keel.group_norm": {"epsilon", "num_groups"}, "keel.lp_norm": {"axis", "p"},
              "keel.lrn": {"alpha", "beta", "bias", "size"}}
