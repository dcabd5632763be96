"""Keel's element types, from the definitions of their formats; no code of Keel's.

Values of floats are exact: every format fits a double. A real number is a Fraction; what no
Fraction can be (NaN, infinities, a zero whose sign matters) is a Python float.
"""
import math
from fractions import Fraction

import numpy as np


class Format:
    """An element type. Floats: precision p in bits, least normal exponent, largest value."""

    def __init__(self, number, name, storage):
        self.number, self.name, self.storage = number, name, np.dtype(storage)
        self.size = self.storage.itemsize
        self.is_float = name.startswith(("f", "bf"))
        self.is_bool = name == "bool"
        self.code = np.dtype(f"u{self.size}")

    def values(self, array):
        """Exact values of an array in storage: doubles, integers or booleans."""
        if self.is_bool:
            return array != 0
        if not self.is_float or self.name == "f64":
            return array
        if self.name in ("f32", "f16"):
            return array.astype(np.float64)
        if self.name == "bf16":
            wide = np.atleast_1d(array).astype(np.uint32) << 16
            return wide.view(np.float32).astype(np.float64).reshape(np.shape(array))
        return self.table[array]

    def bits(self, array):
        """Elements as keel_dtype_load_bits() gives them, as Python integers."""
        if self.is_float:
            array = np.array(array, order="C").view(self.code)
        elif self.is_bool:
            array = (array != 0).astype(np.int64)
        return array.astype(object) if array.ndim else np.array(int(array), object)

    def canonical(self, bits):
        """A bit pattern or an integer, wrapped to the type, as a signed 64-bit integer."""
        width = 8 * self.size
        bits &= (1 << width) - 1
        if self.name.startswith("i") and bits >> (width - 1):
            bits -= 1 << width
        return bits - (1 << 64) if bits >= 1 << 63 else bits

    def is_nan_bits(self, bits):
        """Whether a pattern of a float type is NaN."""
        return math.isnan(self.value_of(bits))

    def value_of(self, bits):
        """The value of a pattern of a float type."""
        pattern = np.array([bits & ((1 << 8 * self.size) - 1)], self.code).view(self.storage)
        return float(self.values(pattern)[0])

    def limits(self):
        """Least and largest value of an integer type."""
        if self.is_bool:
            return 0, 1
        info = np.iinfo(self.storage)
        return int(info.min), int(info.max)


def _define_float(fmt, precision, least_exponent, largest, style="ieee"):
    fmt.precision, fmt.least_exponent, fmt.style = precision, least_exponent, style
    fmt.largest = Fraction(largest)
    fmt.unit = Fraction(1, 2**precision)
    fmt.tiny = Fraction(2) ** least_exponent
    fmt.subnormal = fmt.tiny * 2 * fmt.unit


def _eight_bit_value(code, exponent_bits, bias, style):
    """The OCP 8-bit formats (ieee: e5m2, fn: e4m3fn) and the FNUZ ones."""
    mantissa_bits = 7 - exponent_bits
    sign = -1.0 if code & 0x80 else 1.0
    exponent = code >> mantissa_bits & (1 << exponent_bits) - 1
    mantissa = code & (1 << mantissa_bits) - 1
    top = (1 << exponent_bits) - 1
    if style == "fnuz" and code == 0x80:
        return math.nan
    if style == "fn" and exponent == top and mantissa == (1 << mantissa_bits) - 1:
        return math.nan
    if style == "ieee" and exponent == top:
        return math.nan if mantissa else sign * math.inf
    if exponent == 0:
        return sign * mantissa * 2.0 ** (1 - bias - mantissa_bits)
    return sign * (1 + mantissa / (1 << mantissa_bits)) * 2.0 ** (exponent - bias)


def _define_eight_bits(fmt, exponent_bits, bias, style):
    values = [_eight_bit_value(code, exponent_bits, bias, style) for code in range(256)]
    fmt.table = np.array(values)
    largest = max(v for v in values if math.isfinite(v))
    _define_float(fmt, 8 - exponent_bits, 1 - bias, largest, style)
    fmt.codes = {v: code for code, v in enumerate(values[:128]) if math.isfinite(v)}


FORMATS = [Format(number, name, storage) for number, name, storage in [
    (1, "f64", "f8"), (2, "f32", "f4"), (3, "f16", "f2"), (4, "bf16", "u2"),
    (5, "f8e4m3fn", "u1"), (6, "f8e4m3fnuz", "u1"), (7, "f8e5m2", "u1"), (8, "f8e5m2fnuz", "u1"),
    (9, "i64", "i8"), (10, "i32", "i4"), (11, "i16", "i2"), (12, "i8", "i1"),
    (13, "u64", "u8"), (14, "u32", "u4"), (15, "u16", "u2"), (16, "u8", "u1"), (17, "bool", "u1")]]
BY_NUMBER = {fmt.number: fmt for fmt in FORMATS}
BY_NAME = {fmt.name: fmt for fmt in FORMATS}

_define_float(BY_NAME["f64"], 53, -1022, Fraction(2) ** 1024 - Fraction(2) ** 971)
_define_float(BY_NAME["f32"], 24, -126, Fraction(2) ** 128 - Fraction(2) ** 104)
_define_float(BY_NAME["f16"], 11, -14, 65504)
_define_float(BY_NAME["bf16"], 8, -126, Fraction(2) ** 128 - Fraction(2) ** 120)
_define_eight_bits(BY_NAME["f8e4m3fn"], 4, 7, "fn")
_define_eight_bits(BY_NAME["f8e4m3fnuz"], 4, 8, "fnuz")
_define_eight_bits(BY_NAME["f8e5m2"], 5, 15, "ieee")
_define_eight_bits(BY_NAME["f8e5m2fnuz"], 5, 16, "fnuz")


def floor_log2(x):
    """Exponent of the power of two at or below |x|, x a Fraction that is not 0."""
    exponent = abs(x.numerator).bit_length() - x.denominator.bit_length()
    return exponent if abs(x) >= Fraction(2) ** exponent else exponent - 1


def ulp(fmt, x):
    """Distance of neighbours of the type at |x|, as if there were no largest value."""
    if x == 0:
        return fmt.subnormal
    exponent = max(floor_log2(x), fmt.least_exponent)
    return Fraction(2) ** (exponent - fmt.precision + 1)


def round_to(fmt, x):
    """x to nearest, ties to even; may exceed the largest value, by which overflow is known."""
    step = ulp(fmt, x)
    return round(x / step) * step


def as_real(x):
    """A float as a Fraction, unless it is something that no Fraction can be."""
    return Fraction(x) if math.isfinite(x) and x != 0 else x


def encode(fmt, x, saturate=False):
    """Bits of a real number or a special, rounded once to a float type."""
    negative = x < 0 or (isinstance(x, float) and math.copysign(1, x) < 0)
    sign = 1 << (8 * fmt.size - 1)
    if x != x:
        return _nan(fmt)
    infinite = isinstance(x, float) and math.isinf(x)
    size = abs(x) if infinite or x == 0 else abs(round_to(fmt, Fraction(x)))
    if size > fmt.largest:
        if saturate:
            size = fmt.largest
        elif fmt.style != "ieee":
            return _nan(fmt)
        else:
            size = math.inf
    code = _positive_code(fmt, float(size))
    if negative and not (fmt.style == "fnuz" and code == 0):
        code |= sign
    return code


def _nan(fmt):
    """Some NaN; any is as good."""
    return {"f64": 0x7ff8 << 48, "f32": 0x7fc00000, "f16": 0x7e00, "bf16": 0x7fc0,
            "f8e4m3fn": 0x7f, "f8e5m2": 0x7f}.get(fmt.name, 0x80)


def _positive_code(fmt, value):
    if fmt.name == "bf16":
        return int(np.array([value], np.float32).view(np.uint32)[0]) >> 16
    if fmt.size == 1:
        return fmt.codes[value] if math.isfinite(value) else 0x7c
    return int(np.array([value], fmt.storage).view(fmt.code)[0])
