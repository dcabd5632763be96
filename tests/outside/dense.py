"""What exact fractions, in NumPy's shapes, say of matmul, softmax and the norms."""
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np

import exact
import tensors
from formats import BY_NAME
from reduction import accumulator, gamma, gentle
from wanted import Case, Wanted, fractions

F32 = BY_NAME["f32"]


# ---- matmul ------------------------------------------------------------------------------------

def matmul_inputs(rng, fmt, number):
    """a, b, bias, c and the attributes; sizes of 0 and a long K now and then."""
    m, n, k = [int(v) for v in rng.integers(1, 6, 3)]
    m, n, k = [(m, n, 0), (2, 2, 600), (0, n, k)][number] if number < 3 else (m, n, k)
    batch = tensors.random_shape(rng, 0, 2)
    fill = [tensors.mixed, gentle, lambda r, f, c: tensors.finite(f, tensors.mixed(r, f, c))]
    fill = gentle if number < 3 else fill[number % 3]
    ta, tb = int(rng.integers(2)), int(rng.integers(2))
    attributes = {}
    if ta or rng.integers(2):
        attributes["transpose_a"] = ta
    if tb or rng.integers(2):
        attributes["transpose_b"] = tb

    def matrix(rows, columns, transposed):
        own = batch[int(rng.integers(len(batch) + 1)):]
        own = tuple(1 if rng.integers(3) == 0 else size for size in own)
        last = (columns, rows) if transposed else (rows, columns)
        return tensors.random_tensor(rng, fmt, own + last, fill)
    a, b = matrix(m, k, ta), matrix(k, n, tb)
    out = np.broadcast_shapes(a.shape[:-2], b.shape[:-2]) + (m, n)
    bias = addend(rng, fmt, out, fill) if rng.integers(2) else None
    c = addend(rng, fmt, out, fill) if rng.integers(2) else None
    if rng.integers(2):
        attributes["alpha"] = factor(rng, fmt)
    if fmt.name == "f32" and rng.integers(3) == 0:
        attributes["allow_tf32"] = 1
    if c is not None and rng.integers(3):
        attributes["beta"] = factor(rng, fmt)
    return [a, b, bias, c], out, attributes


def addend(rng, fmt, out, fill):
    shape = out[int(rng.integers(len(out) + 1)):]
    shape = tuple(1 if rng.integers(3) == 0 else size for size in shape)
    return tensors.random_tensor(rng, fmt, shape, fill)


def factor(rng, fmt):
    if not fmt.is_float:
        return float(rng.choice([0, 1, -1, 3, 2**40, -2.0**53]))
    return float(rng.choice([0.0, 1.0, -1.0, 0.1, 2.5, 1e-20, 1e20]))


def matmul_integers(fmt, a, b, bias, c, alpha, beta):
    """Python's integers in an object matmul, wrapped to the type."""
    total = np.matmul(a.astype(object), b.astype(object)) * int(alpha)
    if c is not None and beta != 0:
        total = total + int(beta) * c.astype(object)
    if bias is not None:
        total = total + bias.astype(object)
    return [fmt.canonical(int(v)) for v in np.asarray(total, object).flat]


def matmul_reals(a, b, bias, c, alpha, beta, shape):
    """
    Fractions by an object matmul; elements with infinities in long double. Magnitudes too: those of
    the whole expression, and of the products before alpha.
    """
    def on(convert, times, absolute):
        total = times(convert(a), convert(b)) * absolute(alpha)
        if c is not None and beta != 0:
            total = total + absolute(beta) * convert(c)
        return np.broadcast_to(total if bias is None else total + convert(bias), shape)

    def exactly(x):
        return fractions(np.where(np.isfinite(x), x, 0))

    def sizes(x):
        return np.vectorize(abs, otypes=[object])(exactly(x)) if np.size(x) else exactly(x)
    values = on(exactly, object_matmul, Fraction)
    magnitudes = on(sizes, object_matmul, lambda f: abs(Fraction(f)))
    products = np.broadcast_to(object_matmul(sizes(a), sizes(b)), shape)
    wide = on(lambda x: np.asarray(x, np.longdouble), np.matmul, np.longdouble)
    reals = [v if np.isfinite(w) else float(w) for v, w in zip(values.flat, wide.flat)]
    return reals, list(magnitudes.flat), list(products.flat)


def object_matmul(a, b):
    """np.matmul of Fractions; it has no identity for an empty sum of objects."""
    if a.shape[-1] == 0:
        shape = np.broadcast_shapes(a.shape[:-2], b.shape[:-2]) + (a.shape[-2], b.shape[-1])
        return np.full(shape, Fraction(0), object)
    return np.matmul(a, b)


def matmul_wanted(fmt, inputs, shape, attributes):
    a, b, bias, c = [None if t is None else t.values() for t in inputs]
    a = np.swapaxes(a, -1, -2) if attributes.get("transpose_a") else a
    b = np.swapaxes(b, -1, -2) if attributes.get("transpose_b") else b
    alpha, beta = attributes.get("alpha", 1.0), attributes.get("beta", 0.0)
    if not fmt.is_float:
        if a.shape[-1] == 0:
            a, b = np.zeros(a.shape[:-1] + (1,), a.dtype), np.zeros(
                b.shape[:-2] + (1, b.shape[-1]), b.dtype)
        bits = matmul_integers(fmt, a, b, bias, c, alpha, beta)
        return Wanted(fmt, shape, bits=bits)
    reals, magnitudes, products = matmul_reals(a, b, bias, c, alpha, beta, shape)
    top = accumulator(fmt).largest / 2
    tf32 = fmt.name == "f32" and attributes.get("allow_tf32", 0)
    cuts = tf32_cuts(a, b, alpha, shape) if tf32 else [Fraction(0)] * len(reals)
    widths = [matmul_at_most(fmt, a.shape[-1], alpha, tf32, *three)
              for three in zip(reals, magnitudes, cuts)]
    both = np.abs(np.concatenate([a.ravel(), b.ravel()]))
    # A factor may become an infinity, or a 0 beside one.
    large = tf32 and bool(np.any(both > LARGEST_TF32))
    return Wanted(fmt, shape, reals=reals, at_most=widths,
                  may_open=[large or max(pair) > top for pair in zip(magnitudes, products)])


LARGEST_TF32 = 2.0**128 - 2.0**117


def tf32_cuts(a, b, alpha, shape):
    """What 11 significant bits per factor may take from the products; subnormal factors are lost."""
    def sizes(x, wanted):
        x = np.abs(np.where(np.isfinite(x) & wanted, x, 0))
        return fractions(x)
    every = [sizes(x, True) for x in (a, b)]
    tiny = [sizes(x, np.abs(x) < 2.0**-126) for x in (a, b)]
    cut = object_matmul(*every) * (Fraction(1, 2**9) + Fraction(1, 2**20)) \
        + object_matmul(tiny[0], every[1]) + object_matmul(every[0], tiny[1])
    return list(np.broadcast_to(cut * abs(Fraction(alpha)), shape).flat)


def matmul_at_most(fmt, depth, alpha, tf32, real, magnitude, cut):
    """
    gamma(K + 6) S + u |R|, and what products below the normal range lose. What is summed in a wider
    type, and tf32, may be summed by a matrix unit: gamma(3 K + 10).
    """
    n = depth + 6 if accumulator(fmt) is fmt and not tf32 else 3 * depth + 10
    lost = (n + 2) * accumulator(fmt).subnormal * max(1, abs(Fraction(alpha)))
    real = abs(real) if isinstance(real, Fraction) else Fraction(0)
    slack = Fraction(101, 100)
    rounded = gamma(fmt, n) * (magnitude + cut) + cut
    return slack * (rounded * (1 + fmt.unit) + fmt.unit * real + lost) + fmt.subnormal


def matmul_cases(rng, types):
    for number in range(24):
        inputs, shape, attributes = matmul_inputs(rng, types[0], number)
        yield Case("matmul", inputs, lambda c=(types[0], inputs, shape, attributes):
                   matmul_wanted(*c), **attributes)


# ---- softmax -----------------------------------------------------------------------------------

def softmax_row(values):
    """e^(x - max) over their sum, in decimal."""
    if np.isnan(values).any() or np.isposinf(values).any() or np.isneginf(values).all():
        return [math.nan] * len(values)
    real = [None if math.isinf(v) else exact.decimal_of(Fraction(float(v))) for v in values]
    most = max(v for v in real if v is not None)
    terms = [Decimal(0) if v is None else exact.clamp(v - most).exp() for v in real]
    total = sum(terms)
    return [0.0 if v is None else exact.fraction_of(t / total) for v, t in zip(real, terms)]


def log_softmax_row(values):
    """x - max - log of the sum of e^(x - max), in decimal."""
    if np.isnan(values).any() or np.isposinf(values).any() or np.isneginf(values).all():
        return [math.nan] * len(values)
    real = [None if math.isinf(v) else exact.decimal_of(Fraction(float(v))) for v in values]
    most = max(v for v in real if v is not None)
    rest = sum(exact.clamp(v - most).exp() for v in real if v is not None).ln()
    return [-math.inf if v is None else exact.fraction_of(v - most - rest) for v in real]


def softmax_wanted(x, axis, of_row):
    moved = np.moveaxis(x.values(), axis, -1)
    out = np.empty(moved.shape, object)
    for at in np.ndindex(moved.shape[:-1]):
        out[at] = of_row(moved[at])
    return Wanted(x.fmt, x.shape, reals=list(np.moveaxis(out, -1, axis).flat))


def softmax_cases(name, of_row):
    return lambda rng, types: row_cases(rng, types, name, of_row)


def row_cases(rng, types, name, of_row):
    for number in range(24):
        shape = tensors.random_shape(rng, 1, 4, empty=number == 23)
        fill = [gentle, tensors.mixed, few_special, rising][number % 4]
        x = tensors.random_tensor(rng, types[0], (2, 700) if number == 4 else shape, fill)
        axis = int(rng.integers(-x.view.ndim, x.view.ndim)) if number % 3 else -1
        yield Case(name, [x], lambda x=x, a=axis: softmax_wanted(x, a, of_row),
                   **({"axis": axis} if number % 3 else {}))


def few_special(rng, fmt, count):
    """Everyday values, some of them an infinity below."""
    values = tensors.plain(rng, fmt, count, 30.0)
    minus = tensors.specials(fmt)[-2]
    return np.where(rng.integers(4, size=count) == 0, minus, values)


def rising(rng, fmt, count):
    return tensors.plain(rng, fmt, count, 200.0)


# ---- norms -------------------------------------------------------------------------------------

def norm_row(values, epsilon, centred):
    """Normalised elements: Decimals and specials."""
    if not np.all(np.isfinite(values)):
        if centred or np.isnan(values).any():
            return [math.nan] * len(values)
        return [math.nan if math.isinf(v) else math.copysign(0.0, v) for v in values]
    x = list(fractions(values))
    mean = sum(x) / len(x) if centred else Fraction(0)
    spread = sum((v - mean) ** 2 for v in x) / len(x) + Fraction(epsilon)
    if spread == 0:
        return [math.nan] * len(x)
    root = exact.decimal_of(spread).sqrt()
    return [exact.decimal_of(v - mean) / root for v in x]


def scaled(y, scale, bias):
    """y * scale + bias; where one is no number, as doubles have it."""
    known = isinstance(y, Decimal)
    if known and math.isfinite(scale) and math.isfinite(bias):
        value = y * exact.decimal_of(Fraction(scale)) + exact.decimal_of(Fraction(bias))
        return exact.fraction_of(value)
    size = math.copysign(1.0, y) * (0.0 if y == 0 else 1.0) if known else y
    return float(np.float64(size) * np.float64(scale) + np.float64(bias))


def norm_may_open(fmt, values, epsilon):
    """Whether a sum, of squares or not, leaves the accumulator's range at either end."""
    if not np.all(np.isfinite(values)):
        return False
    x = [abs(v) for v in fractions(values)]
    squares = sum(v * v for v in x)
    inner = accumulator(fmt)
    return max(sum(x), squares) > inner.largest / 2 or squares / len(x) + Fraction(
        epsilon) < inner.subnormal


def norm_wanted(x, scale, bias, axis, epsilon, centred):
    values = x.values()
    row_shape = values.shape[axis:]
    # Absent: 1 and -0, which change nothing, the sign of a zero included.
    scale = np.broadcast_to(1.0 if scale is None else scale.values(), row_shape).reshape(-1)
    bias = np.broadcast_to(-0.0 if bias is None else bias.values(), row_shape).reshape(-1)
    length = int(np.prod(row_shape, dtype=np.int64))
    reals, opens = [], []
    for row in values.reshape(-1, length) if values.size else []:
        y = norm_row(row, epsilon, centred)
        reals += [scaled(v, float(s), float(b)) for v, s, b in zip(y, scale, bias)]
        opens += [norm_may_open(x.fmt, row, epsilon)] * length
    return Wanted(x.fmt, x.shape, reals=reals, may_open=opens)


def statistics_wanted(x, axis, epsilon):
    """Mean, and one over the deviation, of each row."""
    values = x.values()
    shape = values.shape[:axis] + (1,) * (values.ndim - axis)
    length = int(np.prod(values.shape[axis:], dtype=np.int64))
    means, inverses, opens = [], [], []
    for row in values.reshape(-1, length) if length else [values[:0]] * math.prod(shape):
        finite = length > 0 and np.all(np.isfinite(row))
        opens.append(norm_may_open(x.fmt, row, epsilon) if length else False)
        if not finite:
            infinite = row[~np.isfinite(row)]
            means.append(float(np.sum(infinite)) if length else math.nan)
            inverses.append(math.nan)
            continue
        numbers = list(fractions(row))
        mean = sum(numbers) / length
        spread = sum((v - mean) ** 2 for v in numbers) / length + Fraction(epsilon)
        means.append(mean)
        inverses.append(exact.fraction_of(1 / exact.decimal_of(spread).sqrt()) if spread
                        else math.inf)
    wide = [o or isinstance(v, Fraction) and abs(v) > F32.largest / 2 for o, v in zip(opens, means)]
    tall = [o or isinstance(v, Fraction) and v > F32.largest / 2 for o, v in zip(opens, inverses)]
    return [Wanted(F32, shape, reals=means, may_open=wide),
            Wanted(F32, shape, reals=inverses, may_open=tall)]


def norm_cases(centred):
    def cases(rng, types):
        fmt = types[0]
        for number in range(26):
            shape = tensors.random_shape(rng, 1, 4, empty=number == 25)
            shape = (2, 500) if number == 4 else shape
            fill = [gentle, shifted, gentle, tensors.mixed][number % 4]
            x = tensors.random_tensor(rng, fmt, shape, fill)
            axis = int(rng.integers(-len(shape), len(shape))) if number % 3 else -1
            attributes = {"axis": axis} if number % 3 else {}
            epsilon = float(rng.choice([1e-5, 0.0, 1e-12, 0.5, 1e30]))
            if number % 2:
                attributes["epsilon"] = epsilon
            epsilon = attributes.get("epsilon", 1e-5)
            slots = [addend(rng, fmt, shape[axis % len(shape):], fill) if rng.integers(2) else None
                     for _ in range(2 if centred else 1)]
            call = (x, slots[0], slots[1] if centred else None, axis % len(shape), epsilon, centred)
            def wanted(c=call, all_outputs=centred and number % 2 == 0):
                y = norm_wanted(*c)
                return [y] + statistics_wanted(c[0], *c[3:5]) if all_outputs else y
            yield Case("norm", [x] + slots, wanted, **attributes)
    return cases


def shifted(rng, fmt, count):
    """A mean far from 0: what a variance by E[x^2] - E[x]^2 loses."""
    values = tensors.plain(rng, fmt, count, 1.0)
    return (values + fmt.storage.type(1000)).astype(fmt.storage) if fmt.name in ("f64", "f32") \
        else values


OPS = {"keel.matmul": matmul_cases, "keel.softmax": softmax_cases("softmax", softmax_row),
       "keel.log_softmax": softmax_cases("log_softmax", log_softmax_row),
       "keel.rms_norm": norm_cases(False), "keel.layer_norm": norm_cases(True)}
ATTRIBUTES = {"keel.matmul": {"transpose_a", "transpose_b", "alpha", "beta", "allow_tf32"},
              "keel.softmax": {"axis"}, "keel.log_softmax": {"axis"},
              "keel.rms_norm": {"axis", "epsilon"},
              "keel.layer_norm": {"axis", "epsilon"}}
