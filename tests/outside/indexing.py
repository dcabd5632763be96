"""What NumPy's indexing, element by element, says of gathers and scatters."""
from fractions import Fraction

import numpy as np

import tensors
from reduction import accumulator, gamma, gentle
from wanted import Case, Wanted, exact_bits


def _any_bits(rng, fmt, shape):
    return tensors.random_tensor(rng, fmt, shape, tensors.mixed)


def _indices(rng, fmt, shape, extents):
    """Of tuples along the last axis: most inside, some outside, some far away."""
    low = np.array([-extent - (extent > 2) for extent in extents])
    high = np.array([extent + (extent > 2) for extent in extents])
    chosen = rng.integers(low, np.maximum(high, low + 1), tuple(shape))
    far = np.iinfo(fmt.storage)
    for value in (far.min, far.max):
        chosen = np.where(rng.integers(16, size=chosen.shape) == 0, value, chosen)
    return tensors.lay_out(rng, fmt, np.asarray(chosen).astype(fmt.storage))


def _inside(index, extents):
    return all(-extent <= int(i) < extent for i, extent in zip(np.atleast_1d(index), extents))


# ---- gathers -----------------------------------------------------------------------------------

def gather_elements_cases(rng, types):
    for number in range(8):
        shape = tensors.random_shape(rng, 1, 4)
        axis = int(rng.integers(-len(shape), len(shape)))
        data = _any_bits(rng, types[0], shape)
        size = [int(rng.integers(1, n + 1)) for n in shape]
        size[axis] = int(rng.integers(0, 7))
        indices = _indices(rng, types[1], size, [shape[axis]])
        attributes = {} if axis == 0 and number % 2 else {"axis": axis}
        yield Case("gather_elements", [data, indices],
                   lambda d=data, i=indices, a=axis: exact_bits(
                       d.fmt, _gather_elements(d.view, np.array(i.view), a), moved=True),
                   **attributes)


def _gather_elements(data, indices, axis):
    out = np.zeros(indices.shape, data.dtype)
    for at in np.ndindex(indices.shape):
        if _inside(indices[at], [data.shape[axis]]):
            place = list(at)
            place[axis] = indices[at]
            out[at] = data[tuple(place)]
    return out


def gather_nd_cases(rng, types):
    for number in range(10):
        shape = tensors.random_shape(rng, 1, 4)
        batch = int(rng.integers(0, len(shape))) if number % 2 else 0
        count = int(rng.integers(1, len(shape) - batch + 1))
        outer = shape[:batch] + tensors.random_shape(rng, 0, 2, empty=number == 4)
        data = _any_bits(rng, types[0], shape)
        indices = _indices(rng, types[1], outer + (count,), shape[batch:batch + count])
        attributes = {"batch_dims": batch} if batch or number % 4 else {}
        yield Case("gather_nd", [data, indices], lambda d=data, i=indices, b=batch: exact_bits(
            d.fmt, _gather_nd(d.view, np.array(i.view), b), moved=True), **attributes)


def _gather_nd(data, indices, batch):
    count = indices.shape[-1]
    extents = data.shape[batch:batch + count]
    out = np.zeros(indices.shape[:-1] + data.shape[batch + count:], data.dtype)
    for at in np.ndindex(indices.shape[:-1]):
        if _inside(indices[at], extents):
            out[at] = data[at[:batch] + tuple(int(i) for i in indices[at])]
    return out


# ---- scatters ----------------------------------------------------------------------------------

REDUCTIONS = ["none", "add", "mul", "min", "max"]


def _met_elements(data_shape, indices, axis):
    """Place in data and in updates of each update that lands, in row-major order."""
    for at in np.ndindex(indices.shape):
        if _inside(indices[at], [data_shape[axis]]):
            place = list(at)
            place[axis] = int(indices[at]) % data_shape[axis]
            yield tuple(place), at


def _met_tuples(data_shape, indices):
    count = indices.shape[-1]
    for at in np.ndindex(indices.shape[:-1]):
        if _inside(indices[at], data_shape[:count]):
            place = tuple(int(i) % n for i, n in zip(indices[at], data_shape))
            for rest in np.ndindex(data_shape[count:]):
                yield place + rest, at + rest


def _scattered(data, updates, met, reduction):
    """Wanted of a scatter."""
    fmt = data.fmt
    meeting = {}
    for place, at in met:
        meeting.setdefault(place, []).append(at)
    storage, fresh = np.array(data.view), np.array(updates.view)
    if reduction == "none":
        for place, found in meeting.items():
            storage[place] = fresh[found[-1]]
        return exact_bits(fmt, storage, moved=True)
    if not fmt.is_float:
        for place, found in meeting.items():
            total = int(storage[place])
            for at in found:
                total = _integer(reduction, total, int(fresh[at]))
            storage[place] = np.array(fmt.canonical(total) & ((1 << 8 * fmt.size) - 1),
                                      fmt.code).view(fmt.storage)
        return exact_bits(fmt, storage)
    values, new = data.values(), updates.values()
    if reduction in ("min", "max"):
        for place, found in meeting.items():
            best = (values[place], storage[place])
            for at in found:
                best = _extreme(best, (new[at], fresh[at]), reduction == "max")
            storage[place] = best[1]
        return exact_bits(fmt, storage)
    bits = list(exact_bits(fmt, storage).bits)
    folds = [None] * len(bits)
    for place, found in meeting.items():
        k = int(np.ravel_multi_index(place, data.shape))
        bits[k] = None
        folds[k] = _fold(fmt, reduction, float(values[place]), [float(new[at]) for at in found])
    reals, rounded, widths = zip(*[f or (Fraction(0), False, None) for f in folds]) \
        if folds else ((), (), ())
    return Wanted(fmt, data.shape, bits=bits, reals=list(reals), rounded=list(rounded),
                  at_most=list(widths))


def _integer(reduction, a, b):
    return {"add": a + b, "mul": a * b, "min": min(a, b), "max": max(a, b)}[reduction]


def _extreme(a, b, greatest):
    """NaN wins; -0 is below +0."""
    if a[0] != a[0] or b[0] != b[0]:
        return a if a[0] != a[0] else b
    if a[0] == b[0]:
        return b if np.signbit(a[0]) == greatest and np.signbit(b[0]) != greatest else a
    return b if (b[0] > a[0]) == greatest else a


def _fold(fmt, reduction, start, updates):
    """True value, whether it is rounded once, and the widest bound: in order, in the accumulator."""
    kind = np.float64 if fmt.name == "f64" else np.float32
    plain = kind(start)
    for x in updates:
        plain = plain + kind(x) if reduction == "add" else plain * kind(x)
    one = len(updates) == 1 and reduction == "add" and fmt.size >= 4
    if not np.isfinite(plain):
        return float(plain), False, None
    terms = [Fraction(x) for x in [start] + updates]
    if reduction == "add":
        value, size = sum(terms), sum(abs(t) for t in terms)
    else:
        value = Fraction(1)
        for t in terms:
            value *= t
        size = abs(value)
    if one and value == 0:
        return float(plain), True, None
    width = gamma(fmt, len(updates)) * size * Fraction(101, 100) + fmt.unit * abs(value) \
        + 2 * fmt.subnormal
    if reduction == "mul":
        width += _lost(accumulator(fmt), terms)
    return value, one, width


def _lost(fmt, terms):
    """What a product's steps below the normal range lose, multiplied by what comes after."""
    lost = Fraction(0)
    value = terms[0]
    for t in terms[1:]:
        value *= t
        lost = lost * abs(t) + (2 * fmt.subnormal if abs(value) < 4 * fmt.tiny else 0)
    return lost


def _values(fmt, reduction, number):
    """How data and updates are filled."""
    if reduction in ("add", "mul") and number % 2:
        return gentle
    return tensors.mixed


def _reductions(fmt):
    movable = fmt.is_bool or fmt.size == 1 and fmt.is_float
    return ["none"] if movable else REDUCTIONS


def scatter_elements_cases(rng, types):
    for reduction in _reductions(types[0]):
        for number in range(4):
            shape = tensors.random_shape(rng, 1, 3)
            axis = int(rng.integers(-len(shape), len(shape)))
            size = [int(rng.integers(1, n + 1)) for n in shape]
            size[axis] = int(rng.integers(0, 9))
            fill = _values(types[0], reduction, number)
            data = tensors.random_tensor(rng, types[0], shape, fill)
            updates = tensors.random_tensor(rng, types[0], tuple(size), fill)
            indices = _indices(rng, types[1], size, [shape[axis]])
            attributes = {"axis": axis, "reduction": reduction}
            if reduction == "none" and number % 2:
                del attributes["reduction"]
            yield Case("scatter_elements", [data, indices, updates],
                       lambda d=data, i=indices, u=updates, a=axis, r=reduction: _scattered(
                           d, u, _met_elements(d.shape, np.array(i.view), a), r), **attributes)


def scatter_nd_cases(rng, types):
    for reduction in _reductions(types[0]):
        for number in range(4):
            shape = tensors.random_shape(rng, 1, 3)
            count = int(rng.integers(1, len(shape) + 1))
            outer = (int(rng.integers(0, 9)),) if number else tensors.random_shape(rng, 0, 2)
            fill = _values(types[0], reduction, number)
            data = tensors.random_tensor(rng, types[0], shape, fill)
            updates = tensors.random_tensor(rng, types[0], outer + shape[count:], fill)
            indices = _indices(rng, types[1], outer + (count,), shape[:count])
            attributes = {} if reduction == "none" and number % 2 else {"reduction": reduction}
            yield Case("scatter_nd", [data, indices, updates],
                       lambda d=data, i=indices, u=updates, r=reduction: _scattered(
                           d, u, _met_tuples(d.shape, np.array(i.view)), r), **attributes)


def tensor_scatter_cases(rng, types):
    for number in range(10):
        shape = tensors.random_shape(rng, 2, 4)
        axis = int(rng.integers(1, len(shape)))
        size = list(shape)
        size[axis] = int(rng.integers(0, shape[axis] + 1))
        past = _any_bits(rng, types[0], shape)
        update = _any_bits(rng, types[0], tuple(size))
        extent = shape[axis]
        write = None
        if number % 3:
            starts = rng.integers(-2 * extent, 2 * extent + 1, shape[:1])
            far = np.iinfo(types[2].storage)
            starts = np.where(rng.integers(6, size=starts.shape) == 0, far.max, starts)
            starts = np.where(rng.integers(6, size=starts.shape) == 0, far.min, starts)
            write = tensors.lay_out(rng, types[2], starts.astype(types[2].storage))
        mode = "circular" if number % 2 else "linear"
        attributes = {"axis": axis - len(shape) if rng.integers(2) else axis, "mode": mode}
        if mode == "linear" and number % 4 == 0:
            del attributes["mode"]
        yield Case("tensor_scatter", [past, update, write],
                   lambda p=past, u=update, w=write, a=axis, m=mode: exact_bits(
                       p.fmt, _tensor_scatter(p, u, w, a, m), moved=True), **attributes)


def _tensor_scatter(past, update, write, axis, mode):
    """The pseudocode of ONNX; positions outside are left out."""
    present = np.array(past.view)
    extent, fresh = past.shape[axis], np.array(update.view)
    starts = [0] * past.shape[0] if write is None else [int(i) for i in np.array(write.view)]
    for prefix in np.ndindex(past.shape[:axis]):
        for place in range(update.shape[axis]):
            position = starts[prefix[0]] + place
            if mode == "circular":
                position %= extent
            if 0 <= position < extent:
                present[prefix + (position,)] = fresh[prefix + (place,)]
    return present


OPS = {"keel.gather_elements": gather_elements_cases, "keel.gather_nd": gather_nd_cases,
       "keel.scatter_elements": scatter_elements_cases, "keel.scatter_nd": scatter_nd_cases,
       "keel.tensor_scatter": tensor_scatter_cases}
ATTRIBUTES = {"keel.gather_elements": {"axis"}, "keel.gather_nd": {"batch_dims"},
              "keel.scatter_elements": {"axis", "reduction"}, "keel.scatter_nd": {"reduction"},
              "keel.tensor_scatter": {"axis", "mode"}}
