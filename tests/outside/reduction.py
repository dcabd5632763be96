"""What NumPy and fractions say of the reductions."""
import math
from fractions import Fraction

import numpy as np

import exact
import tensors
from formats import BY_NAME
from wanted import Case, Wanted, exact_bits, fractions

I64 = BY_NAME["i64"]


def accumulator(fmt):
    """The type in which floats are added up."""
    return BY_NAME["f64" if fmt.name == "f64" else "f32"]


def gentle(rng, fmt, count):
    """Everyday values of many exponents, none special."""
    return tensors.finite(fmt, tensors.plain(rng, fmt, count, float(rng.choice([1e-3, 1, 100]))))


def calls(rng, fmt):
    """Tensors, axes and keepdims: some, all and none of the axes; with and without elements."""
    fills = [tensors.mixed, gentle, lambda r, f, n: tensors.finite(f, tensors.mixed(r, f, n))]
    for number in range(18):
        shape = tensors.random_shape(rng, 0, 4, empty=number % 6 == 5)
        x = tensors.random_tensor(rng, fmt, shape, fills[number % 3])
        count = int(rng.integers(0, len(shape) + 1))
        axes = [int(a) for a in rng.permutation(len(shape))[:count]]
        keep = number % 2
        given = [a - len(shape) if rng.integers(2) else a for a in axes]
        attributes = {"axes": given} if given or number % 4 < 2 else {}
        alone = number % 5 == 3
        if alone or number % 7 == 2:
            attributes["noop_with_empty_axes"] = int(alone)
        if alone and number % 2:
            attributes["axes"] = axes = []
        if keep == 0 or number % 4 == 3:
            attributes["keepdims"] = keep
        yield x, tuple(axes) or (() if alone else tuple(range(len(shape)))), bool(keep), attributes
    x = tensors.random_tensor(rng, fmt, (2, 1500), gentle)
    yield x, (1,), True, {"axes": [-1]}


def rows(array, axes, keep):
    """The shape of the output, and each output's elements as a row."""
    shape = tuple(1 if a in axes else n for a, n in enumerate(array.shape) if keep or a not in axes)
    kept = [a for a in range(array.ndim) if a not in axes]
    moved = np.transpose(array, kept + list(axes))
    outer = int(np.prod([array.shape[a] for a in kept], dtype=np.int64))
    inner = int(np.prod([array.shape[a] for a in axes], dtype=np.int64))
    return shape, moved.reshape(outer, inner)


# ---- sums and products -------------------------------------------------------------------------

def true_sum(values):
    """A Fraction, or what IEEE says of infinities and NaN."""
    if np.all(np.isfinite(values)):
        return sum(fractions(values), Fraction(0))
    return float(np.sum(values[~np.isfinite(values)]))


def true_mean(values):
    total = true_sum(values)
    if len(values) == 0:
        return math.nan
    return total / len(values)


def gamma(fmt, n):
    """n roundings of the accumulator: n u / (1 - n u)."""
    nu = n * accumulator(fmt).unit
    return nu / (1 - nu)


def sum_at_most(fmt, values, real):
    """gamma(n) S + u |R| and a subnormal, S being the sum of magnitudes."""
    size = sum(fractions(np.abs(values[np.isfinite(values)])), Fraction(0))
    real = abs(real) if isinstance(real, Fraction) else Fraction(0)
    slack = Fraction(1001, 1000)
    return slack * (gamma(fmt, len(values)) * size + fmt.unit * real) + fmt.subnormal


def mean_at_most(fmt, values, real):
    """The same, divided."""
    n = max(len(values), 1)
    return sum_at_most(fmt, values, real * n if isinstance(real, Fraction) else real) / n \
        + fmt.subnormal


def sum_may_open(fmt, values):
    """Whether magnitudes reach the end of the accumulator's range."""
    return sum(fractions(np.abs(values[np.isfinite(values)])), Fraction(0)) \
        > accumulator(fmt).largest / 2


def true_product(values):
    """A Fraction; with infinities, NaN or zeros what NumPy's long doubles say of the signs."""
    if np.all(np.isfinite(values)) and np.all(values != 0):
        return math.prod(fractions(values), start=Fraction(1))
    sizes = np.where(np.isfinite(values), values != 0, np.abs(values))
    return float(np.prod(np.copysign(sizes, values)))


def product_may_open(fmt, values):
    """Whether a partial product can leave the accumulator's range."""
    kept = [abs(f) for f in fractions(values[np.isfinite(values) & (values != 0)])]
    large = math.prod([f for f in kept if f > 1], start=Fraction(1))
    small = math.prod([f for f in kept if f < 1], start=Fraction(1))
    return large > accumulator(fmt).largest / 2 or small < accumulator(fmt).tiny * 2


def sum_cases(true_value, may_open, integers, at_most=None):
    def wanted(x, axes, keep):
        fmt = x.fmt
        if not fmt.is_float:
            shape, parts = rows(np.array(x.view), axes, keep)
            return exact_bits(fmt, integers(parts, 1, dtype=fmt.storage).reshape(shape))
        shape, parts = rows(x.values(), axes, keep)
        values = [true_value(row) for row in parts]
        widths = at_most and [at_most(fmt, row, v) for row, v in zip(parts, values)]
        return Wanted(fmt, shape, reals=values, at_most=widths,
                      may_open=[may_open(fmt, row) for row in parts])

    def cases(rng, types):
        for x, axes, keep, attributes in calls(rng, types[0]):
            yield Case("reduce", [x], lambda c=(x, axes, keep): wanted(*c), **attributes)
    return cases


# ---- norms and logarithms ----------------------------------------------------------------------

def true_l1(values):
    return true_sum(np.abs(values))


def l1_integers(parts, axis, dtype):
    """The magnitude of the lowest value wraps."""
    return np.sum(np.abs(parts), axis, dtype=dtype)


def square_integers(parts, axis, dtype):
    wide = parts.astype(dtype)
    return np.sum(wide * wide, axis, dtype=dtype)


def true_squares(values):
    if np.all(np.isfinite(values)):
        return sum((f * f for f in fractions(values)), Fraction(0))
    return math.nan if np.any(np.isnan(values)) else math.inf


def squares_may_open(fmt, values):
    """Whether the sum is at the end of the accumulator's range."""
    total = true_squares(values)
    most = accumulator(fmt).largest
    slack = Fraction(2 + len(values)) * 2 * accumulator(fmt).unit
    return isinstance(total, Fraction) and most * (1 - slack) < total < most * (1 + slack)


def true_l2(values):
    total = true_squares(values)
    return exact.fraction_of(exact.sqrt(total)) if isinstance(total, Fraction) else total


def l2_integers(parts, axis, dtype):
    """The whole part of the root, at most the highest value."""
    most = np.iinfo(dtype).max
    return np.array([min(math.isqrt(sum(int(v) ** 2 for v in row)), most) for row in parts], dtype)


def never_open(fmt, values):
    return False


def squares_at_most(fmt, values, real):
    """gamma(n + 1) R + u R and n subnormals."""
    if not isinstance(real, Fraction):
        return fmt.subnormal
    n = len(values)
    return Fraction(1001, 1000) * (gamma(fmt, n + 1) + fmt.unit) * real \
        + (n + 1) * accumulator(fmt).subnormal + fmt.subnormal


def l2_at_most(fmt, values, real):
    """(gamma(n + 2) / 2 + 2 u) R + u R and a subnormal."""
    if not isinstance(real, Fraction):
        return fmt.subnormal
    return Fraction(1001, 1000) * (gamma(fmt, len(values) + 2) / 2 + 2 * accumulator(fmt).unit
                                   + fmt.unit) * real + fmt.subnormal


def true_log_sum(values):
    total = true_sum(values)
    if not isinstance(total, Fraction):
        return total if total > 0 else math.nan
    if total == 0:
        return -math.inf
    return exact.fraction_of(exact.log(total)) if total > 0 else math.nan


def log_sum_may_open(fmt, values):
    """Whether roundings may decide about the sign, or the sum is at the end of the range."""
    size = sum(fractions(np.abs(values[np.isfinite(values)])), Fraction(0))
    total = true_sum(values)
    if size > accumulator(fmt).largest / 2:
        return True
    return isinstance(total, Fraction) and size > 0 and \
        abs(total) < size * 2 * (len(values) + 2) * accumulator(fmt).unit


def true_log_sum_exp(values):
    """log of the sum of exponentials, by 75 digits."""
    if np.any(np.isnan(values)):
        return math.nan
    if np.any(np.isposinf(values)):
        return math.inf
    finite = fractions(values[np.isfinite(values)])
    if len(finite) == 0:
        return -math.inf
    most = max(finite)
    total = sum((exact.exp(f - most) for f in finite), exact.Decimal(0))
    return most + exact.fraction_of(total.ln())


# ---- extremes ----------------------------------------------------------------------------------

def extreme(fmt, row, largest):
    """One element in storage: NaN wins, +0 is above -0, nothing gives the identity."""
    values = fmt.values(row)
    if len(row) == 0:
        if fmt.is_float:
            return tensors.dense(fmt, tensors.specials(fmt)[-3 if not largest else -2]).view
        return fmt.storage.type(fmt.limits()[0 if largest else 1])
    if fmt.is_bool:
        return np.uint8(values.any() if largest else values.all())
    if not fmt.is_float:
        return row.max() if largest else row.min()
    if np.isnan(values).any():
        return row[int(np.argmax(np.isnan(values)))]
    best = values.max() if largest else values.min()
    places = np.flatnonzero(values == best)
    wanted_sign = [p for p in places if np.signbit(values[p]) != largest]
    return row[(wanted_sign or list(places))[0]]


def extreme_cases(largest):
    def wanted(x, axes, keep):
        shape, parts = rows(np.array(x.view), axes, keep)
        found = [extreme(x.fmt, row, largest) for row in parts]
        return exact_bits(x.fmt, np.array(found, x.fmt.storage).reshape(shape))

    def cases(rng, types):
        for x, axes, keep, attributes in calls(rng, types[0]):
            yield Case("reduce", [x], lambda c=(x, axes, keep): wanted(*c), **attributes)
    return cases


# ---- argmax ------------------------------------------------------------------------------------

def place(values, last):
    """NumPy's argmax: the first NaN, else the first of the largest. Its mirror is the last."""
    if last:
        return len(values) - 1 - int(np.argmax(values[::-1]))
    return int(np.argmax(values))


def few(rng, fmt, count):
    """Few different values, so that there are ties."""
    return rng.choice(tensors.mixed(rng, fmt, 3), count)


def least_place(values, last):
    """The first of the least that is not NaN, or of the NaNs where there is nothing else."""
    real = np.flatnonzero(~np.isnan(values)) if values.dtype.kind == "f" else \
        np.arange(len(values))
    if len(real) == 0:
        return len(values) - 1 if last else 0
    least = [int(p) for p in real if values[p] == values[real].min()]
    return least[-1 if last else 0]


def place_cases(find):
    return lambda rng, types: argmax_cases(rng, types, find)


def argmax_cases(rng, types, find):
    def wanted(x, axis, keep, last):
        shape, parts = rows(x.values(), (axis,), keep)
        return Wanted(I64, shape, bits=[find(row, last) for row in parts])

    for number in range(20):
        shape = tensors.random_shape(rng, 1)
        x = tensors.random_tensor(rng, types[0], shape, few if number % 2 else tensors.mixed)
        axis = int(rng.integers(-len(shape), len(shape))) if number % 4 else 0
        keep, last = bool(number % 3), bool(number % 5 > 2)
        attributes = {"axis": axis} if number % 4 else {}
        if not keep or number % 3 == 2:
            attributes["keepdims"] = int(keep)
        if last or number % 5 == 1:
            attributes["select_last_index"] = int(last)
        yield Case("argmax", [x], lambda c=(x, axis % len(shape), keep, last): wanted(*c),
                   **attributes)


OPS = {
    "keel.reduce_sum": sum_cases(true_sum, sum_may_open, np.sum, sum_at_most),
    "keel.reduce_mean": sum_cases(true_mean, sum_may_open, None, mean_at_most),
    "keel.reduce_prod": sum_cases(true_product, product_may_open, np.prod),
    "keel.reduce_max": extreme_cases(True), "keel.reduce_min": extreme_cases(False),
    "keel.reduce_l1": sum_cases(true_l1, sum_may_open, l1_integers, sum_at_most),
    "keel.reduce_l2": sum_cases(true_l2, never_open, l2_integers, l2_at_most),
    "keel.reduce_sum_square":
        sum_cases(true_squares, squares_may_open, square_integers, squares_at_most),
    "keel.reduce_log_sum": sum_cases(true_log_sum, log_sum_may_open, None),
    "keel.reduce_log_sum_exp": sum_cases(true_log_sum_exp, never_open, None),
    "keel.argmax": place_cases(place), "keel.argmin": place_cases(least_place)}
ATTRIBUTES = {name: {"axes", "keepdims", "noop_with_empty_axes"} for name in OPS}
for searches in ("keel.argmax", "keel.argmin"):
    ATTRIBUTES[searches] = {"axis", "keepdims", "select_last_index"}
