"""The element types themselves: names, every code, and NumPy's own rounding beside ours."""
import ctypes
import math
from fractions import Fraction

import numpy as np

import tensors
from formats import FORMATS, as_real, encode


def complaints(keel, seed):
    """What is wrong, in words."""
    rng = np.random.default_rng([seed, 17])
    for fmt in FORMATS:
        name = keel.library.keel_dtype_name(fmt.number).decode()
        if name != fmt.name:
            yield f"type {fmt.number} is {name}, must be {fmt.name}"
        yield from _codes(keel, rng, fmt)
    if keel.library.keel_dtype_name(len(FORMATS) + 1) != b"?":
        yield f"there are more than {len(FORMATS)} element types; add them to tests/outside"
    yield from _numpy_rounding(rng)
    yield from _sums(keel, rng)


def _codes(keel, rng, fmt):
    """keel_dtype_load() and keel_dtype_load_bits() of every 8-bit code and of many wider ones."""
    codes = np.arange(256, dtype=np.uint8).view(fmt.storage) if fmt.size == 1 else np.concatenate(
        [tensors.specials(fmt), tensors.random_codes(rng, fmt, 300)])
    values, bits = fmt.values(codes), fmt.bits(codes)
    for k, (value, code) in enumerate(zip(values, bits)):
        address = codes.ctypes.data + k * fmt.size
        got = keel.library.keel_dtype_load(fmt.number, ctypes.c_void_p(address), 0)
        want = float(value)
        same = math.isnan(got) if math.isnan(want) else (
            got == want and math.copysign(1, got) == math.copysign(1, want))
        if not same:
            yield f"{fmt.name} {code:#x} is {got!r}, must be {want!r}"
        if keel.load_bits(fmt.number, ctypes.c_void_p(address)) != fmt.canonical(code):
            yield f"{fmt.name} {code:#x} has other bits"


def _numpy_rounding(rng):
    """This program's own rounding, where NumPy has the type too."""
    f64, f32, f16 = FORMATS[:3]
    for target in (f32, f16):
        values = np.concatenate([tensors.random_codes(rng, f64, 200), tensors.specials(f64),
                                 tensors.random_codes(rng, f32, 400).astype(np.float64)])
        with np.errstate(all="ignore"):
            numpy = values.astype(target.storage).view(target.code)
        for value, code in zip(values, numpy):
            if not math.isnan(value) and encode(target, as_real(float(value))) != int(code):
                yield f"{value!r} to {target.name}: NumPy gives {code:#x}, formats.py does not"


def _sums(keel, rng):
    """keel_dtype_store() of hi + lo, lo on either side of a tie of hi."""
    for fmt in FORMATS[:8]:
        for _ in range(150):
            high = math.ldexp(1 + rng.random(), int(rng.integers(-20, 16)))
            if rng.integers(2) and fmt.size < 8:
                code = np.array([encode(fmt, Fraction(high))], np.uint64).astype(fmt.code)
                high = float(fmt.values(code.view(fmt.storage))[0])
                high *= 1 + float(fmt.unit)
            if not math.isfinite(high):
                continue
            low = math.ulp(high) / 2 * float(rng.choice([0, 1e-9, -1e-9, 0.4, -0.4]))
            want = fmt.canonical(encode(fmt, Fraction(high) + Fraction(low)))
            got = keel.rounded(fmt.number, high, low)
            if got != want:
                yield f"{high!r} + {low!r} stored as {fmt.name} is {got:#x}, must be {want:#x}"
