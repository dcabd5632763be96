"""Functions of a real number to some 50 digits, by Python's decimal arithmetic.

Independent of the C library, whose long double functions Keel's oracles are made of. Arguments and
results are Fractions; each function's formula differs from the oracle's where there is a choice.
"""
import decimal
from decimal import Decimal
from fractions import Fraction

CONTEXT = decimal.Context(prec=75, Emax=10**9, Emin=-10**9, traps=[])
decimal.setcontext(CONTEXT)
# Beyond this a result is an infinity or nothing to every element type.
LIMIT = 10**5

PI = Decimal("3.14159265358979323846264338327950288419716939937510"
             "58209749445923078164062862089986280348253421170679")
ROOT_PI = PI.sqrt()
ROOT_TWO = Decimal(2).sqrt()


def decimal_of(x):
    """A Fraction in decimal."""
    return Decimal(x.numerator) / Decimal(x.denominator)


def fraction_of(x):
    """A decimal as a Fraction, or an infinity; what is too small for any type is as small."""
    if not x.is_finite():
        return float(x)
    if x != 0 and x.adjusted() > LIMIT // 100:
        return float("inf") if x > 0 else float("-inf")
    if x != 0 and x.adjusted() < -LIMIT // 100:
        return Fraction(1 if x > 0 else -1, 10 ** (LIMIT // 100))
    return Fraction(x)


def clamp(x):
    """Keeps an argument of exp where its result can be told from others."""
    return max(min(x, Decimal(LIMIT)), Decimal(-LIMIT))


def exp(x):
    return clamp(decimal_of(x)).exp()


def log(x):
    return decimal_of(x).ln()


def sqrt(x):
    return decimal_of(x).sqrt()


def rsqrt(x):
    return (1 / decimal_of(x)).sqrt()


def tanh_decimal(x):
    """(1 - t) / (1 + t), t = e^-2|x|; the series where that cancels."""
    if abs(x) < Decimal("1e-12"):
        return x - x**3 / 3 + 2 * x**5 / 15
    t = clamp(-2 * abs(x)).exp()
    return ((1 - t) / (1 + t)).copy_sign(x)


def tanh(x):
    return tanh_decimal(decimal_of(x))


def sigmoid(x):
    """e^x / (1 + e^x)."""
    e = exp(x)
    return e / (1 + e) if x < 0 else 1 - 1 / (1 + e)


def silu(x):
    return decimal_of(x) * sigmoid(x)


def erf_decimal(x):
    """2 / sqrt(pi) e^(-x^2) sum of 2^n x^(2n+1) / (1 3 5 ... (2n+1)): no term cancels."""
    if abs(x) > 14:
        return Decimal(1).copy_sign(x)
    square = x * x
    term = total = x
    n = 1
    while abs(term) > abs(total) * Decimal("1e-70"):
        term *= 2 * square / (2 * n + 1)
        total += term
        n += 1
    return 2 / ROOT_PI * (-square).exp() * total


def erfc_decimal(x):
    """1 - erf below 3, above it the continued fraction, evaluated from its far end."""
    if x < 3:
        return 1 - erf_decimal(x)
    tail = x
    for n in range(400, 0, -1):
        tail = x + Decimal(n) / 2 / tail
    return clamp(-x * x).exp() / (ROOT_PI * tail)


def erf(x):
    return erf_decimal(decimal_of(x)) if x != 0 else Decimal(0)


def gelu(x):
    """x times the share of the normal distribution below x."""
    x = decimal_of(x)
    return x * erfc_decimal(-x / ROOT_TWO) / 2


def gelu_tanh(x):
    """x e^t / (e^t + e^-t)."""
    x = decimal_of(x)
    t = clamp((2 / PI).sqrt() * (x + Decimal("0.044715") * x**3))
    return x * t.exp() / (t.exp() + (-t).exp())


def power(a, b):
    """a^b for finite a other than 0 and finite b; a whole b where a is negative."""
    size = clamp(decimal_of(b) * decimal_of(abs(a)).ln())
    value = size.exp()
    return -value if a < 0 and b.numerator % 2 else value


# ---- angles ------------------------------------------------------------------------------------

FAR = decimal.Context(prec=460, Emax=10**9, Emin=-10**9, traps=[])


def _arctangent_of_one_by(n, digits):
    """atan(1 / n) times 10^digits, by its series."""
    total = term = 10**digits // n
    k = 1
    while term:
        term //= n * n
        k += 2
        total += -(term // k) if k % 4 == 3 else term // k
    return total


def _long_pi(digits):
    """Machin's formula."""
    value = 4 * (4 * _arctangent_of_one_by(5, digits + 9) - _arctangent_of_one_by(239, digits + 9))
    return Decimal(value).scaleb(-digits - 9, FAR)


LONG_PI = _long_pi(440)


def _turned(x, ahead):
    """sin(x + ahead pi / 2): quarter turns are taken away with 440 digits, then the series."""
    angle = FAR.divide(Decimal(x.numerator), Decimal(x.denominator))
    quarter = FAR.divide(LONG_PI, Decimal(2))
    turns = FAR.divide(angle, quarter).to_integral_value(decimal.ROUND_HALF_EVEN)
    rest = +FAR.subtract(angle, FAR.multiply(turns, quarter))
    quadrant = (int(turns) + ahead) % 4
    first = quadrant % 2 == 0
    term = total = rest if first else Decimal(1)
    n = 1 if first else 0
    while term != 0 and abs(term) > abs(total) * Decimal("1e-74"):
        term *= -rest * rest / ((n + 1) * (n + 2))
        total += term
        n += 2
    return -total if quadrant >= 2 else total


def sin(x):
    return _turned(x, 0)


def cos(x):
    return _turned(x, 1)
