"""What NumPy says of topk and nonzero."""
import numpy as np

import reduction
import tensors
from formats import BY_NAME
from wanted import Case, Wanted

I64 = BY_NAME["i64"]
ATTRIBUTES = {"keel.topk": {"axis", "k", "largest", "sorted"}, "keel.nonzero": {"fill"}}


# ---- topk --------------------------------------------------------------------------------------

def in_order(values, largest):
    """Places from the greatest down, or from the least up; a NaN is greatest; else as they lie."""
    places = list(range(len(values)))

    def key(place):
        value = values[place]
        nan = bool(value != value)
        real = 0 if nan else (int(value) if values.dtype.kind in "iu" else float(value))
        return (-nan, -real) if largest else (nan, real)
    return sorted(places, key=key)  # which keeps equals in order


def topk_wanted(x, axis, k, largest):
    moved, bits = np.moveaxis(x.values(), axis, -1), np.moveaxis(x.bits(), axis, -1)
    shape = moved.shape[:-1] + (k,)
    found, places = np.empty(shape, object), np.empty(shape, object)
    for at in np.ndindex(moved.shape[:-1]):
        for d, place in enumerate(in_order(moved[at], largest)[:k]):
            found[at + (d,)], places[at + (d,)] = bits[at][place], place
    found, places = np.moveaxis(found, -1, axis), np.moveaxis(places, -1, axis)
    return [Wanted(x.fmt, found.shape, bits=[x.fmt.canonical(b) for b in found.flat]),
            Wanted(I64, places.shape, bits=list(places.flat))]


def topk_cases(rng, types):
    for number in range(24):
        shape = tensors.random_shape(rng, 1, 3, empty=number == 23)
        shape = (3, 70) if number == 6 else shape
        x = tensors.random_tensor(rng, types[0], shape,
                                  reduction.few if number % 2 else tensors.mixed)
        axis = int(rng.integers(-len(shape), len(shape))) if number % 3 else -1
        k = int(rng.integers(0, shape[axis] + 1)) if number % 5 else shape[axis]
        largest = number % 4 < 2
        attributes = {"k": k}
        if number % 3:
            attributes["axis"] = axis
        if not largest or number % 4 == 0:
            attributes["largest"] = int(largest)
        if number % 7 > 3:
            attributes["sorted"] = number % 2
        yield Case("topk", [x], lambda c=(x, axis % len(shape), k, largest): topk_wanted(*c),
                   **attributes)


# ---- nonzero -----------------------------------------------------------------------------------

def nonzero_wanted(x, capacity, fill):
    values = x.values()
    places = [at for at in np.ndindex(values.shape) if values[at] != 0]
    columns = [places[c] if c < len(places) else (fill,) * values.ndim for c in range(capacity)]
    rows = [column[d] for d in range(values.ndim) for column in columns]
    return [Wanted(I64, (values.ndim, capacity), bits=rows),
            Wanted(I64, (), bits=[len(places)])]


def some_zeros(rng, fmt, count):
    """Half of the elements are zeros, of either sign where there are two."""
    zeros = np.zeros(count, fmt.storage)
    return np.where(rng.integers(2, size=count) == 0, zeros, tensors.mixed(rng, fmt, count))


def nonzero_cases(rng, types):
    for number in range(14):
        shape = tensors.random_shape(rng, 0, 4, empty=number == 13)
        x = tensors.random_tensor(rng, types[0], shape, tensors.mixed if number % 3 else some_zeros)
        elements = int(np.prod(shape, dtype=np.int64))
        capacity = [elements, elements + 3, elements // 3, 0][number % 4]
        fill = int(rng.choice([-1, 0, -(2**63), 99]))
        attributes = {"fill": fill} if fill != -1 or number % 2 else {}
        yield Case("nonzero", [x], lambda c=(x, capacity, fill): nonzero_wanted(*c), **attributes)


OPS = {"keel.topk": topk_cases, "keel.nonzero": nonzero_cases}
