"""A truth of Keel's beside what is wanted: its value, and whether its bounds make sense."""
import math
from fractions import Fraction

from formats import encode, ulp
from keel_api import RULE_BITS, RULE_BOUND, RULE_ROUNDED

# The oracle has to be this much closer to the true value than the tight bound.
SHARE = 64
# A truth is a sum of two doubles: no closer than half of the smallest.
LEAST = Fraction(1, 2**1075)
OVERFLOW = Fraction(2) ** 1024 - Fraction(2) ** 970


def number(x):
    """A Fraction as a float for reports, beyond the range of floats an infinity."""
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


def compare(keel, wanted, truths):
    """Complaints, and the largest distance as a share of the tight bound."""
    found, widest = [], 0.0
    for k, truth in enumerate(truths.tolist()):
        hi, lo, bits, hard, _, _, rule, _ = truth
        if wanted.bits is not None and wanted.bits[k] is not None:
            near = wanted.may_bound is not None and wanted.may_bound[k]
            text = (_compare_near(wanted, wanted.bits[k], truth) if near and rule == RULE_BOUND
                    else _compare_bits(wanted, wanted.bits[k], hi, lo, bits, rule))
        else:
            want = wanted.reals[k]
            may_open = wanted.may_open is not None and wanted.may_open[k]
            rounded = wanted.rounded[k] if isinstance(wanted.rounded, list) else wanted.rounded
            text, share = _compare_real(keel, wanted, want, may_open, truth, rounded)
            at_most = wanted.at_most[k] if wanted.at_most is not None else None
            if not text and at_most is not None and math.isfinite(hard):
                text = _check_width(want, hard, at_most)
            widest = max(widest, share)
        if text:
            found.append(f"{wanted.fmt.name} element {k}: {text}")
    return found, widest


def _compare_bits(wanted, want, hi, lo, bits, rule):
    fmt = wanted.fmt
    if rule != RULE_BITS:
        return f"rule {rule}, must be BITS"
    if fmt.is_float and fmt.is_nan_bits(want):
        right = fmt.is_nan_bits(bits) and math.isnan(hi)
        if wanted.moved and bits != want:
            return f"bits {bits:#x}, must be {want:#x}: the NaN is moved, not made"
        return "" if right else f"bits {bits:#x}, value {hi!r}, must be NaN"
    if bits != want:
        return f"bits {bits:#x}, must be {want:#x} (value {hi!r})"
    if not fmt.is_float:
        value = want + (1 << 64) if fmt.name == "u64" and want < 0 else want
        right = Fraction(hi) + Fraction(lo) == value
        return "" if right else f"hi + lo is {hi!r} + {lo!r}, must be {value}"
    load = fmt.value_of(want)
    right = hi == load and lo == 0 and math.copysign(1, hi) == math.copysign(1, load)
    return "" if right else f"hi + lo is {hi!r} + {lo!r}, must be {load!r}"


def _compare_near(wanted, want, truth):
    """The right element, as the middle of a bound that is narrow."""
    hi, lo, _, hard, tight, _, _, _ = truth
    value = wanted.fmt.value_of(want) if wanted.fmt.is_float else want
    if wanted.fmt.is_float and not math.isfinite(value):
        return _compare_special(value, hi, lo)
    if hi != value or lo != 0:
        return f"hi + lo is {hi!r} + {lo!r}, must be {value!r}"
    # Packed: a neighbour in the high half is 16 away, in both 17, across a sign 15 or 16 times.
    widest = 4.0 * float(ulp(wanted.fmt, Fraction(value))) if wanted.fmt.is_float else 255.0
    return "" if 0 <= tight <= hard <= widest else f"hard {hard!r}, tight {tight!r}"


def _compare_real(keel, wanted, want, may_open, truth, rounded):
    hi, lo, _, hard, tight, _, rule, _ = truth
    must = RULE_ROUNDED if rounded else RULE_BOUND
    if rule != must and not (wanted.either_rule and rule == RULE_ROUNDED):
        return f"rule {rule}, must be {must}", 0.0
    if rule == RULE_BOUND:
        if math.isnan(hard) or math.isnan(tight) or hard < 0 or tight < 0:
            return f"hard {hard!r}, tight {tight!r}", 0.0
        if tight > hard:
            return f"tight {tight!r} is above hard {hard!r}", 0.0
        if math.isinf(hard):
            return ("" if may_open else f"hard is infinite at {hi!r}"), 0.0
        if math.isinf(tight) and not may_open:
            return f"tight is infinite at {hi!r}", 0.0
    if isinstance(want, Fraction) and abs(want) >= OVERFLOW:
        want = math.inf if want > 0 else -math.inf
    if isinstance(want, float) and not (want == 0 and hi != 0):
        return _compare_special(want, hi, lo), 0.0
    if not (math.isfinite(hi) and math.isfinite(lo)):
        return f"hi + lo is {hi!r} + {lo!r}, must be about {number(want)!r}", 0.0
    return _compare_finite(keel, wanted, Fraction(want), truth)


def _compare_special(want, hi, lo):
    """NaN, an infinity, or a zero with its sign."""
    same = math.isnan(hi) if math.isnan(want) else (
        hi == want and math.copysign(1, hi) == math.copysign(1, want))
    return "" if same and lo == 0 else f"hi + lo is {hi!r} + {lo!r}, must be {want!r}"


def _compare_finite(keel, wanted, want, truth):
    hi, lo, _, hard, tight, _, rule, _ = truth
    fmt = wanted.fmt
    value = Fraction(hi) + Fraction(lo)
    distance = abs(value - want)
    if hi != 0 and abs(lo) > math.ulp(hi) / 2:
        return f"lo {lo!r} is above half an ulp of hi {hi!r}", 0.0
    if rule == RULE_ROUNDED:
        expected, got = encode(fmt, want), keel.rounded(fmt.number, hi, lo)
        if fmt.canonical(expected) != got and want != 0:
            return (f"{hi!r} + {lo!r} rounds to {got:#x}, must be {expected:#x}; off by "
                    f"{number(distance / ulp(fmt, want)):.3g} ulp"), 0.0
        return "", 0.0
    text = _check_bounds(wanted, want, hard, tight)
    excess = max(distance - LEAST, Fraction(0))
    share = number(excess / Fraction(tight)) if tight > 0 else (math.inf if excess else 0.0)
    if share > 1 / SHARE and not math.isinf(tight):
        text = (f"{hi!r} + {lo!r} is off by {share:.3g} of the tight bound, "
                f"{number(distance / ulp(fmt, want)):.3g} ulp, from {number(want)!r}")
    return text, share


def _check_bounds(wanted, want, hard, tight):
    """At least half an ulp, and as wide as the op's page says."""
    step = ulp(wanted.fmt, want)
    if Fraction(tight) < step / 2 - LEAST * 2:
        return f"tight {tight!r} is below half an ulp, {number(step / 2)!r}, at {number(want)!r}"
    if wanted.ulps is None:
        return ""
    for name, bound, ulps in [("hard", hard, wanted.ulps[0]), ("tight", tight, wanted.ulps[1])]:
        page = Fraction(ulps) * step + wanted.fmt.subnormal / 2
        # Near a power of two the oracle may count in ulp of the value's neighbour.
        if abs(Fraction(bound) - page) > page / 2**20 + 2 * LEAST and not _near_power(want):
            return f"{name} is {number(Fraction(bound) / step):.4g} ulp, the page says {ulps}"
    return ""


def _check_width(want, hard, at_most):
    """No wider than docs/numerics.md derives it."""
    if Fraction(hard) > at_most:
        return f"hard {hard!r} is wider than {number(at_most)!r} at {number(want)!r}"
    return ""


def _near_power(want):
    if want == 0:
        return True
    mantissa = abs(want) / Fraction(2) ** (abs(want.numerator).bit_length()
                                           - want.denominator.bit_length())
    return any(abs(mantissa - p) < Fraction(1, 2**40) for p in (Fraction(1, 2), 1, 2))
