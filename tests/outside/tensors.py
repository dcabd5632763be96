"""Random tensors: values that hurt, in layouts that hurt."""
import numpy as np

from formats import encode, as_real
from keel_api import make_desc


class Tensor:
    """Elements of a type in memory of its own: a view with any strides, surrounded by rubbish."""

    def __init__(self, fmt, memory, view):
        self.fmt, self.memory, self.view = fmt, memory, view
        self.address = view.__array_interface__["data"][0]

    @property
    def shape(self):
        return self.view.shape

    def desc(self):
        strides = [stride // self.fmt.size for stride in self.view.strides]
        return make_desc(self.fmt.number, self.fmt.size, self.shape, strides)

    def values(self):
        return self.fmt.values(np.ascontiguousarray(self.view).reshape(self.shape))

    def bits(self):
        return self.fmt.bits(np.ascontiguousarray(self.view).reshape(self.shape))


def dense(fmt, elements):
    """A row-major tensor that holds an array in storage."""
    memory = np.array(elements, fmt.storage, order="C")
    return Tensor(fmt, memory, memory)


def lay_out(rng, fmt, elements):
    """A tensor with these elements and a random layout: permuted, padded, stepped, offset."""
    shape = elements.shape
    order = rng.permutation(len(shape))
    strides = [0] * len(shape)
    distance = int(rng.choice([1, 1, 1, 2, 3]))
    for axis in order:
        strides[axis] = distance
        distance *= max(shape[axis], 1)
        distance += int(rng.choice([0, 0, 1, 2]))
    offset = int(rng.choice([0, 1, 3]))
    memory = random_codes(rng, fmt, offset + distance + 1)
    view = np.lib.stride_tricks.as_strided(
        memory[offset:], shape, [stride * fmt.size for stride in strides])
    view[...] = elements
    return Tensor(fmt, memory, view)


def repeat(rng, tensor):
    """The tensor with a random axis repeated by stride 0."""
    if tensor.view.ndim == 0 or 0 in tensor.shape:
        return tensor
    axis = int(rng.integers(tensor.view.ndim))
    one = np.take(tensor.view, [0], axis) if tensor.view.shape[axis] else tensor.view
    memory = np.array(one, order="C")
    return Tensor(tensor.fmt, memory, np.broadcast_to(memory, tensor.shape))


def random_shape(rng, least=0, most=4, empty=False):
    """A small shape; with empty, one axis has no elements."""
    rank = int(rng.integers(least, most + 1))
    shape = [int(rng.choice([1, 2, 3, 4, 5])) for _ in range(rank)]
    if empty and rank > 0:
        shape[int(rng.integers(rank))] = 0
    return tuple(shape)


def random_codes(rng, fmt, count):
    """Elements of any bits: every exponent, NaNs included."""
    return rng.integers(0, 256, count * fmt.size, np.uint8).view(fmt.storage)


def _pattern(fmt, bits):
    return np.array([bits & ((1 << 8 * fmt.size) - 1)], fmt.code).view(fmt.storage)[0]


def specials(fmt):
    """Values at which something changes: zeros, limits, infinities, NaN, ties, overflows."""
    if fmt.is_bool:
        return np.array([0, 1, 2, 255], fmt.storage)
    if not fmt.is_float:
        low, high = fmt.limits()
        near = [low, low + 1, high, high - 1, high // 2, high // 2 + 1, 0, 1, 2, 3, 7, 10, 100]
        near += [-1, -2, -3, -7, -100] if low < 0 else []
        return np.array(near, fmt.storage)
    if fmt.size == 1:
        return np.arange(256).astype(fmt.storage)
    tiny, least, most = fmt.tiny, fmt.subnormal, fmt.largest
    sizes = [least, 2 * least, 3 * least, tiny - least, tiny, tiny + least, 2 * tiny - least, most,
             most / 2, most * (1 - 2 * fmt.unit), 1, 1 - fmt.unit, 1 + 2 * fmt.unit, 2, 3,
             as_real(0.5), as_real(1.5), as_real(2.5), 255, 256, 10, 88, 104, 127, 128, 32767,
             32768, as_real(0.1), as_real(1e-3)]
    sizes += [2**e for e in (16, 31, 32, 63, 64) if 2**e <= most] + [2**31 - 1, 2**63 - 1024]
    codes = [encode(fmt, as_real(s) if isinstance(s, float) else s) for s in sizes if s <= most]
    codes += [encode(fmt, -s) for s in sizes if s <= most]
    codes += [encode(fmt, x) for x in (0.0, -0.0, float("inf"), float("-inf"), float("nan"))]
    return np.array([_pattern(fmt, code) for code in codes], fmt.storage)


def finite(fmt, elements):
    """Elements with 1 where they are not finite."""
    if not fmt.is_float:
        return elements
    bad = ~np.isfinite(fmt.values(elements))
    return np.where(bad, _pattern(fmt, encode(fmt, as_real(1.0))), elements)


def plain(rng, fmt, count, scale=1.0):
    """Everyday values: normally distributed, or small integers."""
    if not fmt.is_float:
        low, high = fmt.limits()
        return rng.integers(max(low, -9), min(high, 9) + 1, count).astype(fmt.storage)
    values = (rng.standard_normal(count) * scale).astype(np.float32).astype(np.float64)
    if fmt.size >= 2 and fmt.name != "bf16":
        return values.astype(fmt.storage)
    return np.array([_pattern(fmt, encode(fmt, as_real(float(v)))) for v in values], fmt.storage)


def mixed(rng, fmt, count):
    """A third each: everyday values, any bits, special values."""
    kind = rng.integers(0, 3, count)
    chosen = rng.choice(specials(fmt), count)
    return np.where(kind == 0, plain(rng, fmt, count, 3.0),
                    np.where(kind == 1, random_codes(rng, fmt, count), chosen))


def random_tensor(rng, fmt, shape, fill=mixed):
    """A tensor in a random layout, its elements from fill(rng, fmt, count)."""
    count = int(np.prod(shape, dtype=np.int64))
    tensor = lay_out(rng, fmt, fill(rng, fmt, count).reshape(shape))
    return repeat(rng, tensor) if rng.integers(6) == 0 else tensor
