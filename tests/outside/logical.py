"""What Python's exact integers and fractions say of rounding, remainders, truth values and bits."""
import math
from fractions import Fraction

import numpy as np

import reduction
import tensors
from elementwise import several_inputs, unary_inputs
from formats import BY_NAME, as_real, encode
from wanted import Case, Wanted, exact_bits

BOOL = BY_NAME["bool"]


def encoded(fmt, values, shape):
    """Wanted: the bits of values that the type has; Fractions, integers and floats."""
    bits = []
    for value in values:
        if not fmt.is_float:
            bits.append(fmt.canonical(int(value)))
        else:
            real = as_real(value) if isinstance(value, float) else Fraction(value)
            bits.append(fmt.canonical(encode(fmt, real if real != 0 else value)))
    return Wanted(fmt, shape, bits=bits)


def paired(a, b, function):
    """function of every pair of elements, as one broadcasts to the other."""
    x, y = np.broadcast_arrays(a, b)
    return [function(p, q) for p, q in zip(x.flat, y.flat)], x.shape


# ---- whole numbers, signs ----------------------------------------------------------------------

def to_whole(function):
    """function of a Fraction gives an integer; what is 0, infinite or NaN stays."""
    def of(x):
        x = float(x)
        if x == 0 or not math.isfinite(x):
            return x
        whole = function(Fraction(x))
        return math.copysign(0.0, x) if whole == 0 else Fraction(whole)
    return of


def sign(x):
    if x != x:
        return math.nan
    return 1 if x > 0 else -1 if x < 0 else 0


def value_cases(function, out=None):
    """One input; function of its value."""
    def cases(rng, types):
        for title, x in unary_inputs(rng, types[0]):
            yield Case(title, [x], lambda x=x: encoded(
                out or types[0], [function(v) for v in x.values().flat], x.shape))
    return cases


def reciprocal_cases(rng, types):
    def of(x):
        x = float(x)
        if x == 0 or not math.isfinite(x):
            return float(np.float64(1) / np.float64(x))
        return 1 / Fraction(x)

    for title, x in unary_inputs(rng, types[0]):
        yield Case(title, [x], lambda x=x: Wanted(
            types[0], x.shape, reals=[of(v) for v in x.values().flat],
            ulps=(2.5, 0.5) if types[0].size >= 4 else (1, 1)))


def isinf_cases(rng, types):
    for negative, positive in [(1, 1), (0, 1), (1, 0), (0, 0)]:
        attributes = {} if negative and positive else {"detect_negative": negative,
                                                       "detect_positive": positive}
        for title, x in unary_inputs(rng, types[0]):
            yield Case(title, [x], lambda x=x, n=negative, p=positive: encoded(
                BOOL, [(v == math.inf and p) or (v == -math.inf and n) for v in x.values().flat],
                x.shape), **attributes)


# ---- remainders --------------------------------------------------------------------------------

def integer_rest(truncated):
    def of(x, y):
        x, y = int(x), int(y)
        if y == 0:
            return 0
        return x - y * (int(Fraction(x, y)) if truncated else x // y)
    return of


def float_rest(x, y):
    """x less the multiple of y next to it on the side of 0."""
    x, y = float(x), float(y)
    if x != x or y != y or math.isinf(x) or y == 0:
        return math.nan
    if math.isinf(y) or x == 0:
        return x
    a, b = Fraction(x), Fraction(y)
    rest = a - b * int(a / b)
    return rest if rest != 0 else math.copysign(0.0, x)


def mod_cases(rng, types):
    fmt = types[0]
    for truncated in (0, 1):
        if fmt.is_float and not truncated:
            continue
        function = float_rest if fmt.is_float else integer_rest(truncated)
        for title, (a, b) in several_inputs(rng, [fmt, fmt]):
            attributes = {"fmod": truncated} if truncated or title == "random" else {}
            yield Case(title, [a, b], lambda a=a, b=b, f=function: encoded(
                fmt, *paired(a.values(), b.values(), f)), **attributes)


# ---- truth values, bits ------------------------------------------------------------------------

def truth_cases(function):
    def cases(rng, types):
        for title, (a, b) in several_inputs(rng, types[:2]):
            yield Case(title, [a, b], lambda a=a, b=b: encoded(
                BOOL, *paired(a.values(), b.values(), lambda p, q: function(bool(p), bool(q)))))
    return cases


def bit_cases(function):
    def cases(rng, types):
        for title, (a, b) in several_inputs(rng, types[:2]):
            yield Case(title, [a, b], lambda a=a, b=b: encoded(
                types[0], *paired(a.values(), b.values(), lambda p, q: function(int(p), int(q)))))
    return cases


def bit_shift_cases(rng, types):
    fmt = types[0]
    width = 8 * fmt.size

    def left(x, y):
        return int(x) << int(y) if y < width else 0

    def right(x, y):
        return int(x) >> int(y) if y < width else 0

    for direction, function in [("LEFT", left), ("RIGHT", right)]:
        for title, (a, b) in several_inputs(rng, types[:2]):
            yield Case(title, [a, b], lambda a=a, b=b, f=function: encoded(
                fmt, *paired(a.values(), b.values(), f)), direction=direction)
        amounts = tensors.dense(fmt, (np.arange(3 * width) % (width + 3)).astype(fmt.storage))
        data = tensors.dense(fmt, tensors.random_codes(rng, fmt, 3 * width))
        yield Case("amounts", [data, amounts], lambda a=data, b=amounts, f=function: encoded(
            fmt, *paired(a.values(), b.values(), f)), direction=direction)


# ---- choices -----------------------------------------------------------------------------------

def first_wins(larger, ignores_nan, fmt, p, q):
    """Whether of two elements the first is the one; zeros are ordered, a NaN wins or loses."""
    x, y = (fmt.values(np.array([e], fmt.storage))[0] for e in (p, q))
    if fmt.is_float and (x != x or y != y):
        return bool(y != y) if ignores_nan else bool(x != x)
    if x == y and fmt.is_float:
        return bool(np.signbit(x)) != larger
    return bool(x >= y) if larger else bool(x <= y)


def choose(larger, ignores_nan, fmt, a, b):
    a, b = np.broadcast_arrays(a, b)
    chosen = [p if first_wins(larger, ignores_nan, fmt, p, q) else q
              for p, q in zip(a.flat, b.flat)]
    return np.array(chosen, fmt.storage).reshape(a.shape)


def number_cases(larger):
    """fmax, fmin: a NaN is ignored."""
    def cases(rng, types):
        fmt = types[0]
        for title, (a, b) in several_inputs(rng, [fmt, fmt]):
            yield Case(title, [a, b], lambda a=a, b=b: exact_bits(
                fmt, choose(larger, True, fmt, a.view, b.view)))
    return cases


def clip_cases(rng, types):
    fmt = types[0]

    def wanted(x, low, high):
        result = np.array(x.view)
        if low is not None:
            result = choose(True, False, fmt, result, low.view)
        if high is not None:
            result = choose(False, False, fmt, result, high.view)
        return exact_bits(fmt, result)

    for given in range(4):
        for title, (x, low, high) in several_inputs(rng, [fmt] * 3):
            inputs = [x, low if given & 1 else None, high if given & 2 else None]
            yield Case(title, inputs, lambda i=inputs: wanted(*i))


# ---- sums of several ---------------------------------------------------------------------------

def adding_cases(is_mean):
    def wanted(fmt, inputs):
        stacked = np.stack(np.broadcast_arrays(*[t.values() for t in inputs]), -1)
        parts = stacked.reshape(-1, len(inputs))
        true_value = reduction.true_mean if is_mean else reduction.true_sum
        at_most = None if is_mean else [reduction.sum_at_most(fmt, p, true_value(p)) for p in parts]
        return Wanted(fmt, stacked.shape[:-1], reals=[true_value(p) for p in parts],
                      may_open=[reduction.sum_may_open(fmt, p) for p in parts], at_most=at_most)

    def cases(rng, types):
        fmt = types[0]
        for count in (1, 2, 3, 4, 5, 9, 15):
            for title, inputs in several_inputs(rng, [fmt] * count):
                if title != "special values" and (count < 5 or title != "random"):
                    yield Case(title, inputs, lambda t=inputs: wanted(fmt, t))
    return cases


OPS = {
    "keel.ceil": value_cases(to_whole(math.ceil)), "keel.floor": value_cases(to_whole(math.floor)),
    "keel.round": value_cases(to_whole(round)), "keel.sign": value_cases(sign),
    "keel.reciprocal": reciprocal_cases, "keel.isnan": value_cases(lambda x: x != x, BOOL),
    "keel.isinf": isinf_cases, "keel.mod": mod_cases,
    "keel.not": value_cases(lambda x: not x, BOOL),
    "keel.and": truth_cases(lambda p, q: p and q), "keel.or": truth_cases(lambda p, q: p or q),
    "keel.xor": truth_cases(lambda p, q: p != q),
    "keel.bitwise_not": value_cases(lambda x: ~int(x)),
    "keel.bitwise_and": bit_cases(lambda p, q: p & q),
    "keel.bitwise_or": bit_cases(lambda p, q: p | q),
    "keel.bitwise_xor": bit_cases(lambda p, q: p ^ q), "keel.bit_shift": bit_shift_cases,
    "keel.fmax": number_cases(True), "keel.fmin": number_cases(False), "keel.clip": clip_cases,
    "keel.sum": adding_cases(False), "keel.mean": adding_cases(True)}
ATTRIBUTES = {"keel.isinf": {"detect_negative", "detect_positive"}, "keel.mod": {"fmod"},
              "keel.bit_shift": {"direction"}}
