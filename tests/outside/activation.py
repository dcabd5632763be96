"""What fractions and decimal arithmetic say of activations."""
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np

import exact
from elementwise import several_inputs, unary_inputs
from formats import encode, ulp
from reduction import accumulator
from wanted import Case, Wanted


# ---- functions to 75 digits --------------------------------------------------------------------

def expm1(x):
    """e^x - 1; the series where that cancels."""
    d = exact.decimal_of(x)
    if abs(d) < Decimal("1e-20"):
        return d + d**2 / 2 + d**3 / 6
    return exact.exp(x) - 1


def softplus(x):
    """ln(e^x + 1), or x + e^-x where nothing else is left; the series far below 0."""
    d = exact.decimal_of(x)
    if d > 500:
        return d + exact.clamp(-d).exp()
    e = exact.clamp(d).exp()
    return e - e**2 / 2 if e < Decimal("1e-30") else (e + 1).ln()


def mish(x):
    return exact.decimal_of(x) * exact.tanh_decimal(softplus(x))


def sigmoid(t):
    return 1 / (1 + exact.clamp(-exact.decimal_of(t)).exp())


def swish(x, alpha):
    return exact.decimal_of(x) * sigmoid(x * alpha)


# ---- one element: the input as it is, a value of the type, rounded, or within a bound -----------

INPUT, VALUE, ROUNDED, BOUND = range(4)


def leaky_relu(x, alpha):
    if not x < 0:
        return INPUT, x
    return ROUNDED, product(alpha, x)


def product(a, b):
    """A Fraction; what IEEE says where a factor is not finite or the product is 0."""
    plain = float(np.float64(a) * np.float64(b))
    if not (math.isfinite(a) and math.isfinite(b)) or a == 0 or b == 0:
        return plain
    return Fraction(a) * Fraction(b)


def times(a, function, at_minus_infinity, x):
    """a times a function of a Fraction; a zero keeps the sign of the product."""
    if x == -math.inf:
        return float(np.float64(a) * at_minus_infinity)
    if x == 0 or a == 0:
        return product(a, x)
    return exact.fraction_of(exact.decimal_of(Fraction(a)) * function(Fraction(x)))


def elu(x, alpha):
    return (BOUND, times(alpha, expm1, -1.0, x)) if x < 0 else (INPUT, x)


def selu(x, alpha, gamma):
    if not x <= 0:
        return ROUNDED, product(gamma, x)
    if x == 0:
        return BOUND, float(np.float64(gamma) * np.float64(alpha) * np.float64(x))
    scale = exact.decimal_of(Fraction(gamma) * Fraction(alpha))
    return BOUND, (exact.fraction_of(-scale) if x == -math.inf
                   else exact.fraction_of(scale * expm1(Fraction(x))))


def celu(x, alpha):
    a = Fraction(alpha)
    return (BOUND, times(alpha, lambda v: expm1(v / a), -1.0, x)) if x < 0 else (INPUT, x)


def smooth(function, at_infinity, at_minus_infinity, zero=None):
    """BOUND everywhere; zero: what a zero gives, the function itself if that is None."""
    def of(x):
        if math.isnan(x):
            return BOUND, x
        if math.isinf(x):
            return BOUND, at_infinity if x > 0 else at_minus_infinity
        if x == 0 and zero is not None:
            return BOUND, zero(x)
        return BOUND, exact.fraction_of(function(Fraction(x)))
    return of


def keep(x):
    return x


def softsign(x):
    return exact.decimal_of(x / (1 + abs(x)))


def hard_swish(x):
    """A negative zero below -3, where the formula gives x * 0."""
    if x < -3:
        return BOUND, -0.0
    if math.isnan(x) or math.isinf(x) or x == 0:
        return BOUND, x
    part = max(min(Fraction(x) + 3, Fraction(6)), Fraction(0)) / 6
    return BOUND, Fraction(x) * part if part else -0.0


def hard_sigmoid(x, alpha, beta, unit):
    """A value where rounding cannot bring the sum back between 0 and 1."""
    sum_ = float(np.float64(alpha) * np.float64(x) + np.float64(beta))
    if math.isfinite(x):
        sum_ = Fraction(alpha) * Fraction(x) + Fraction(beta)
    if sum_ != sum_:
        return BOUND, math.nan
    slack = 0
    if math.isfinite(x):
        slack = Fraction(101, 100) * unit * (abs(Fraction(alpha) * Fraction(x)) + abs(sum_))
    if sum_ + slack < 0 or sum_ - slack > 1:
        return VALUE, 1.0 if sum_ > 1 else 0.0
    clipped = 1 if sum_ > 1 else 0 if sum_ < 0 else sum_
    return BOUND, Fraction(clipped) if clipped else 0.0


def thresholded_relu(x, alpha):
    return (VALUE, 0.0) if x <= alpha else (INPUT, x)


def shrink(x, bias, lambd):
    if x < -lambd or x > lambd:
        step = bias if x < -lambd else -bias
        total = x + step if math.isinf(x) else Fraction(x) + Fraction(step)
        return ROUNDED, total if total != 0 else x + step
    return VALUE, x if x != x else 0.0


def swish_point(x, alpha):
    if math.isnan(x):
        return BOUND, x
    if math.isinf(x):
        t = 0 if alpha == 0 else alpha * x
        return BOUND, math.copysign(0.0, x) if t < 0 else x
    return BOUND, x if x == 0 else exact.fraction_of(swish(Fraction(x), Fraction(alpha)))


# op: function of a float and the numbers, their names, their defaults, and choices besides; (hard, tight)
# in ulp for f64 and f32 as the op's page says, None where the bound depends on the element.
SELU = (1.67326319217681884765625, 1.05070102214813232421875)
UNARY = {
    "keel.leaky_relu": (leaky_relu, {"alpha": [0.01, -0.3, 0.0, 7.5]}, None),
    "keel.elu": (elu, {"alpha": [1.0, 2.3, -0.7]}, (8, 4)),
    "keel.selu": (selu, {"alpha": [SELU[0], 0.7], "gamma": [SELU[1], 3.1, -2.0]}, (8, 4)),
    "keel.celu": (celu, {"alpha": [1.0, 0.15, 40.0]}, (12, 6)),
    "keel.softplus": (smooth(softplus, math.inf, 0.0), {}, (8, 4)),
    "keel.softsign": (smooth(softsign, 1.0, -1.0, keep), {}, (5, 2)),
    "keel.mish": (smooth(mish, math.inf, -0.0, keep), {}, (16, 8)),
    "keel.hard_swish": (hard_swish, {}, (6, 3)),
    "keel.hard_sigmoid": (hard_sigmoid, {"alpha": [0.2, -0.37, 0.0], "beta": [0.5, 0.41, 3.0]},
                          None),
    "keel.thresholded_relu": (thresholded_relu, {"alpha": [1.0, -1.7, 0.0]}, None),
    "keel.shrink": (shrink, {"bias": [0.0, 0.3], "lambd": [0.5, 1.1, -0.25]}, None),
    "keel.swish": (swish_point, {"alpha": [1.0, 1.702, -37.0, 0.0, 1e-3]}, None),
}


def rounded_number(fmt, value):
    return float(value) if accumulator(fmt).name == "f64" else float(np.float32(value))


def wanted_of(fmt, array, points, ulps, at_most=None):
    """From what each element is: (how, value)."""
    own = [fmt.canonical(b) for b in fmt.bits(np.ascontiguousarray(array)).flat]
    wide = fmt.size >= 4
    bits, reals, rounded = [], [], []
    for k, (how, value) in enumerate(points):
        bits.append(own[k] if how == INPUT else
                    fmt.canonical(encode(fmt, value)) if how == VALUE else None)
        reals.append(value)
        rounded.append(how == ROUNDED and wide)
    return Wanted(fmt, array.shape, bits=bits, reals=reals, rounded=rounded,
                  ulps=(1, 1) if not wide else ulps, at_most=at_most)


def own_bound(name):
    """Widths for ops whose bound depends on the element."""
    def hard_sigmoid_width(fmt, x, value, alpha, beta):
        if not math.isfinite(x):
            return None
        whole = abs(Fraction(alpha) * Fraction(x))
        size = whole + abs(Fraction(alpha) * Fraction(x) + Fraction(beta))
        return Fraction(102, 100) * accumulator(fmt).unit * size + 2 * ulp(fmt, Fraction(value)) \
            + fmt.subnormal

    def swish_width(fmt, x, value, alpha):
        if not math.isfinite(x):
            return None
        t = abs(alpha * x)
        count = 13 + min(t, 1500)
        return Fraction(count) * ulp(fmt, Fraction(value)) * 2 + fmt.subnormal
    return {"keel.hard_sigmoid": hard_sigmoid_width, "keel.swish": swish_width}.get(name)


def unary_cases(name):
    function, choices, ulps = UNARY[name]
    width = own_bound(name)

    def wanted(fmt, x, numbers):
        values = [float(v) for v in x.values().flat]
        more = [accumulator(fmt).unit] if name == "keel.hard_sigmoid" else []
        points = [function(v, *numbers, *more) for v in values]
        at_most = None
        if width is not None:
            at_most = [width(fmt, v, p[1], *numbers) for v, p in zip(values, points)]
        result = wanted_of(fmt, np.array(x.view), points, ulps, at_most)
        if width is not None:
            result.ulps = None
        return result

    def cases(rng, types):
        fmt = types[0]
        for number, (title, x) in enumerate(unary_inputs(rng, fmt)):
            chosen = {key: options[number % len(options)] for key, options in choices.items()}
            numbers = [rounded_number(fmt, v) for v in chosen.values()]
            given = chosen if number else {}  # the first call has the defaults
            yield Case(title, [x], lambda x=x, n=numbers: wanted(fmt, x, n), **given)
    return cases


# ---- two inputs --------------------------------------------------------------------------------

def prelu_cases(rng, types):
    fmt = types[0]

    def integers(x, slope):
        x, slope = np.broadcast_arrays(x.view, slope.view)
        return Wanted(fmt, x.shape, bits=[fmt.canonical(int(p) * int(q) if p < 0 else int(p))
                                          for p, q in zip(x.flat, slope.flat)])

    def floats(x, slope):
        own, _ = np.broadcast_arrays(np.array(x.view), slope.view)
        p, q = np.broadcast_arrays(x.values(), slope.values())
        return wanted_of(fmt, own, [leaky_relu(float(a), float(b))
                                    for a, b in zip(p.flat, q.flat)], None)
    for title, (x, slope) in several_inputs(rng, [fmt, fmt]):
        yield Case(title, [x, slope], lambda x=x, slope=slope:
                   (floats if fmt.is_float else integers)(x, slope))


def swiglu_cases(rng, types):
    fmt = types[0]

    def element(a, b, alpha):
        _, gate = swish_point(a, alpha)
        if not (isinstance(gate, Fraction) and math.isfinite(b) and b != 0):
            plain = float(gate) if not isinstance(gate, Fraction) else math.copysign(1.0, gate)
            return plain * b
        return gate * Fraction(b)

    def wanted(a, b, alpha):
        p, q = np.broadcast_arrays(a.values(), b.values())
        reals = [element(float(x), float(y), alpha) for x, y in zip(p.flat, q.flat)]
        return Wanted(fmt, p.shape, reals=reals, may_open=[math.isinf(float(y)) for y in q.flat])
    for number, (title, (a, b)) in enumerate(several_inputs(rng, [fmt, fmt])):
        alpha = [1.0, 1.702, -3.0][number % 3]
        given = {"alpha": alpha} if number else {}
        yield Case(title, [a, b], lambda a=a, b=b, alpha=rounded_number(fmt, alpha):
                   wanted(a, b, alpha), **given)


OPS = {name: unary_cases(name) for name in UNARY}
OPS |= {"keel.prelu": prelu_cases, "keel.swiglu": swiglu_cases}
ATTRIBUTES = {name: set(choices) for name, (_, choices, _) in UNARY.items()}
ATTRIBUTES["keel.swiglu"] = {"alpha"}
