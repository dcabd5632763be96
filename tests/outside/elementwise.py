"""What NumPy, fractions and decimal arithmetic say of the elementwise ops."""
import math
from fractions import Fraction

import numpy as np

import exact
import tensors
from formats import BY_NAME
from wanted import Case, Wanted, exact_bits

BOOL = BY_NAME["bool"]


# ---- shapes ------------------------------------------------------------------------------------

def unary_inputs(rng, fmt):
    """All special values; many random ones; layouts; nothing at all."""
    yield "special values", tensors.dense(fmt, tensors.specials(fmt))
    yield "random", tensors.dense(fmt, tensors.mixed(rng, fmt, 160))
    yield "everyday", tensors.dense(fmt, tensors.plain(rng, fmt, 60, 2.0))
    for k in range(4):
        yield f"layout {k}", tensors.random_tensor(rng, fmt, tensors.random_shape(rng))
    yield "empty", tensors.random_tensor(rng, fmt, tensors.random_shape(rng, 1, 4, empty=True))


def broadcast_shapes(rng, count):
    """Shapes that broadcast to each other."""
    whole = tensors.random_shape(rng)
    for _ in range(count):
        kept = whole[int(rng.integers(0, len(whole) + 1)):]
        yield tuple(1 if rng.integers(3) == 0 else n for n in kept)


def several_inputs(rng, formats):
    """Every special value with every other; random pairs; broadcasting; nothing at all."""
    columns = [tensors.dense(f, tensors.specials(f)[:, None] if k == len(formats) - 1
                             else tensors.specials(f)[None, :]) for k, f in enumerate(formats)]
    if len(formats) == 2:
        yield "special values", columns
    yield "random", [tensors.dense(f, tensors.mixed(rng, f, 200)) for f in formats]
    yield "everyday", [tensors.dense(f, tensors.plain(rng, f, 60, 2.0)) for f in formats]
    for k in range(5):
        shapes = list(broadcast_shapes(rng, len(formats)))
        yield f"layout {k}", [tensors.random_tensor(rng, f, s) for f, s in zip(formats, shapes)]
    yield "empty", [tensors.random_tensor(rng, f, s)
                    for f, s in zip(formats, [(3, 0, 2), (1, 2), (3, 1, 1)])]


def out_shape(inputs):
    return np.broadcast_shapes(*[t.shape for t in inputs])


# ---- functions of one number -------------------------------------------------------------------

def real_unary(function, special):
    """function of Fractions; special gives a float where its answer is not None."""
    def of(x):
        x = float(x)
        answer = special(x)
        return answer if answer is not None else exact.fraction_of(function(Fraction(x)))
    return of


def _nan_stays(x, at_infinity, at_minus_infinity, at_zero):
    """The usual special values: a zero, at_zero None, is left to the function."""
    if math.isnan(x):
        return math.nan
    if math.isinf(x):
        return at_infinity if x > 0 else at_minus_infinity
    return at_zero if x == 0 else None


def _root(x):
    return math.nan if x < 0 else _nan_stays(x, math.inf, math.nan, x)


def _rsqrt(x):
    return math.nan if x < 0 else _nan_stays(x, 0.0, math.nan, math.copysign(math.inf, x))


def _log(x):
    return math.nan if x < 0 else _nan_stays(x, math.inf, math.nan, -math.inf)


# op: function, special values, (hard, tight) in ulp for f64 and f32 as the op's page says.
FUNCTIONS = {
    "keel.exp": (exact.exp, lambda x: _nan_stays(x, math.inf, 0.0, None), (3, 2)),
    "keel.log": (exact.log, _log, (3, 2)),
    "keel.sqrt": (exact.sqrt, _root, (3, 0.5)),
    "keel.rsqrt": (exact.rsqrt, _rsqrt, (2, 1)),
    "keel.tanh": (exact.tanh, lambda x: _nan_stays(x, 1.0, -1.0, x), (5, 3)),
    "keel.erf": (exact.erf, lambda x: _nan_stays(x, 1.0, -1.0, x), (16, 4)),
    "keel.sigmoid": (exact.sigmoid, lambda x: _nan_stays(x, 1.0, 0.0, None), (8, 4)),
    "keel.silu": (exact.silu, lambda x: _nan_stays(x, math.inf, -0.0, x), (8, 4)),
    "keel.sin": (exact.sin, lambda x: _nan_stays(x, math.nan, math.nan, x), (4, 2)),
    "keel.cos": (exact.cos, lambda x: _nan_stays(x, math.nan, math.nan, None), (4, 2)),
}


def function_cases(name):
    function, special, ulps = FUNCTIONS[name]
    of = real_unary(function, special)

    def cases(rng, types):
        fmt = types[0]
        bounds = ulps if fmt.size >= 4 else (1, 1)
        for title, x in unary_inputs(rng, fmt):
            yield Case(title, [x], lambda x=x: Wanted(
                fmt, x.shape, reals=[of(v) for v in x.values().flat], ulps=bounds))
    return cases


def gelu_cases(rng, types):
    for form, function in [("", exact.gelu), ("none", exact.gelu), ("tanh", exact.gelu_tanh)]:
        of = real_unary(function, lambda x: _nan_stays(x, math.inf, -0.0, x))
        attributes = {"approximate": form} if form else {}
        for title, x in unary_inputs(rng, types[0]):
            yield Case(title, [x], lambda x=x, of=of: Wanted(
                types[0], x.shape, reals=[of(v) for v in x.values().flat]), **attributes)


# ---- bits of one number ------------------------------------------------------------------------

def _flip_sign(fmt, array, change):
    codes = np.ascontiguousarray(array).view(fmt.code)
    sign = fmt.code.type(1 << (8 * fmt.size - 1))
    return (codes ^ sign if change == "flip" else codes & ~sign).view(fmt.storage)


def neg(fmt, array):
    return _flip_sign(fmt, array, "flip") if fmt.is_float else np.negative(array)


def absolute(fmt, array):
    return _flip_sign(fmt, array, "clear") if fmt.is_float else np.abs(array)


def relu(fmt, array):
    values = fmt.values(array)
    return np.where(np.isnan(values) | (values > 0) if fmt.is_float else values > 0,
                    array, np.zeros_like(array))


def bits_cases(function):
    def cases(rng, types):
        fmt = types[0]
        for title, x in unary_inputs(rng, fmt):
            yield Case(title, [x], lambda x=x: exact_bits(
                fmt, function(fmt, np.array(x.view)).reshape(x.shape)))
    return cases


# ---- arithmetic of two numbers -----------------------------------------------------------------

def _arithmetic(operator, numpy_operator):
    """Fractions where both are finite and the result is not 0; else what IEEE doubles say."""
    def of(x, y):
        x, y = float(x), float(y)
        plain = float(numpy_operator(np.float64(x), np.float64(y)))
        if not (math.isfinite(x) and math.isfinite(y)):
            return plain
        if operator == "div":
            return plain if y == 0 or x == 0 else Fraction(x) / Fraction(y)
        a, b = Fraction(x), Fraction(y)
        result = a + b if operator == "add" else a - b if operator == "sub" else a * b
        return result if result != 0 else plain
    return of


FLOAT_ARITHMETIC = {
    "keel.add": _arithmetic("add", np.add), "keel.sub": _arithmetic("sub", np.subtract),
    "keel.mul": _arithmetic("mul", np.multiply), "keel.div": _arithmetic("div", np.divide)}
INTEGER_ARITHMETIC = {"keel.add": np.add, "keel.sub": np.subtract, "keel.mul": np.multiply}


def truncated_quotient(fmt, a, b):
    """Python's exact integers: toward zero, x / 0 is 0, wrapped to the type."""
    def of(x, y):
        x, y = int(x), int(y)
        quotient = abs(x) // abs(y) if y else 0
        return -quotient if (x < 0) != (y < 0) else quotient
    return _wrapped(fmt, of, a, b)


def integer_power(fmt, a, b):
    """As pow.md has it: 1 / a^|b| for b < 0, division by 0 giving 0."""
    def of(x, y):
        x, y = int(x), int(y)
        if y >= 0:
            return pow(x, y, 1 << 64)
        return {1: 1, -1: -1 if y % 2 else 1}.get(x, 0)
    return _wrapped(fmt, of, a, b)


def _wrapped(fmt, function, a, b):
    a, b = np.broadcast_arrays(a, b)
    return Wanted(fmt, a.shape, bits=[fmt.canonical(function(x, y))
                                      for x, y in zip(a.flat, b.flat)])


def float_power(x, y):
    """Annex F of C11, as pow.md lists it, then e^(y log x)."""
    x, y = float(x), float(y)
    if y == 0 or x == 1:
        return 1.0
    if math.isnan(x) or math.isnan(y):
        return math.nan
    if math.isinf(y):
        if abs(x) == 1:
            return 1.0
        return math.inf if (abs(x) > 1) == (y > 0) else 0.0
    odd = y == math.floor(y) and Fraction(y).numerator % 2 == 1
    if x == 0 or math.isinf(x):
        size = math.inf if (x == 0) == (y < 0) else 0.0
        return -size if odd and math.copysign(1, x) < 0 else size
    if x < 0 and y != math.floor(y):
        return math.nan
    value = exact.power(Fraction(x), Fraction(y))
    return exact.fraction_of(value)


def binary_cases(name):
    def wanted(fmt, a, b):
        if fmt.is_float:
            of = FLOAT_ARITHMETIC.get(name, float_power)
            x, y = np.broadcast_arrays(a.values(), b.values())
            wide = fmt.size >= 4
            ulps = {"keel.div": (2.5, 0.5), "keel.pow": (16, 4)}.get(name)
            return Wanted(fmt, x.shape, reals=[of(p, q) for p, q in zip(x.flat, y.flat)],
                          ulps=(ulps if wide else (1, 1)), rounded=wide and ulps is None)
        if name in INTEGER_ARITHMETIC:
            return exact_bits(fmt, INTEGER_ARITHMETIC[name](a.view, b.view))
        function = truncated_quotient if name == "keel.div" else integer_power
        return function(fmt, a.view, b.view)

    def cases(rng, types):
        fmt = types[0]
        for title, (a, b) in several_inputs(rng, [fmt, fmt]):
            yield Case(title, [a, b], lambda a=a, b=b: wanted(fmt, a, b))
        if fmt.is_float and name in ("keel.mul", "keel.div"):
            yield from edge_cases(rng, fmt, lambda a, b: wanted(fmt, a, b), name)
    return cases


def edge_cases(rng, fmt, wanted, name):
    """Results about the least normal value, and operands at either end of the range."""
    count = 400
    spread = 3 * fmt.precision
    exponents = rng.integers(0, spread, count).astype(np.int64) + fmt.least_exponent - 2
    exponents[::2] = rng.integers(0, 4, len(exponents[::2])) + fmt.least_exponent
    split = rng.integers(-20, 20, count)
    ones = [1 + rng.random(count) for _ in range(2)]
    if name == "keel.mul":
        pair = [np.ldexp(ones[0], split), np.ldexp(ones[1], exponents - split)]
    else:
        most = float(fmt.largest)
        pair = [np.where(split < 0, np.ldexp(ones[0], exponents), most * ones[0] / 2), ones[1]]
        pair[0][:60] = most
        pair[1] = np.where(split % 3 == 0, np.ldexp(ones[1], fmt.least_exponent + 30), ones[1])
    if fmt.name == "bf16":
        return
    a, b = [tensors.dense(fmt, x.astype(fmt.storage)) for x in pair]
    yield Case("edges", [a, b], lambda: wanted(a, b))


# ---- choices between two numbers ---------------------------------------------------------------

def extreme_cases(larger):
    """IEEE 754-2019 maximum and minimum: NaN wins, -0 is below +0."""
    def pick(fmt, a, b):
        x, y = fmt.values(a), fmt.values(b)
        if not fmt.is_float:
            return np.maximum(a, b) if larger else np.minimum(a, b)
        first = (x > y) if larger else (x < y)
        signs = np.signbit(y) & ~np.signbit(x) if larger else np.signbit(x) & ~np.signbit(y)
        return np.where(np.isnan(x) | first | ((x == y) & signs), a, b)

    def cases(rng, types):
        fmt = types[0]
        for title, (a, b) in several_inputs(rng, [fmt, fmt]):
            yield Case(title, [a, b], lambda a=a, b=b: exact_bits(
                fmt, pick(fmt, *np.broadcast_arrays(a.view, b.view))))
    return cases


def comparison_cases(operator):
    def cases(rng, types):
        for title, (a, b) in several_inputs(rng, types[:2]):
            yield Case(title, [a, b], lambda a=a, b=b: exact_bits(
                BOOL, np.asarray(operator(a.values(), b.values())).astype(np.uint8)))
    return cases


def where_cases(rng, types):
    fmt = types[1]
    for title, (c, a, b) in several_inputs(rng, types[:3]):
        yield Case(title, [c, a, b], lambda c=c, a=a, b=b: exact_bits(
            fmt, np.where(c.values(), a.view, b.view), moved=True))


OPS = {name: function_cases(name) for name in FUNCTIONS}
OPS |= {name: binary_cases(name) for name in list(FLOAT_ARITHMETIC) + ["keel.pow"]}
OPS |= {
    "keel.gelu": gelu_cases, "keel.where": where_cases,
    "keel.neg": bits_cases(neg), "keel.abs": bits_cases(absolute), "keel.relu": bits_cases(relu),
    "keel.max": extreme_cases(True), "keel.min": extreme_cases(False),
    "keel.equal": comparison_cases(np.equal), "keel.not_equal": comparison_cases(np.not_equal),
    "keel.less": comparison_cases(np.less), "keel.less_equal": comparison_cases(np.less_equal),
    "keel.greater": comparison_cases(np.greater),
    "keel.greater_equal": comparison_cases(np.greater_equal)}
ATTRIBUTES = {"keel.gelu": {"approximate"}}
