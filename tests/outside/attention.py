"""What NumPy and exact arithmetic say of the ops of attention."""

import numpy as np

import tensors
from formats import BY_NAME, as_real, encode
from wanted import Case, Wanted

I64 = BY_NAME["i64"]


def heads_of(array, heads):
    """[batch, heads, sequence, size] of either form."""
    if array.ndim == 4:
        return array
    batch, sequence, width = array.shape
    return array.reshape(batch, sequence, heads, width // heads).transpose(0, 2, 1, 3)


def form_of(array, rank):
    """The form of that rank of [batch, heads, sequence, size]."""
    if rank == 4:
        return array
    batch, heads, sequence, size = array.shape
    return array.transpose(0, 2, 1, 3).reshape(batch, sequence, heads * size)


# ---- rotary_embedding --------------------------------------------------------------------------

def rotary_wanted(x, cosines, sines, ids, heads, rotated, interleaved):
    """ONNX's definition, in the arithmetic of NumPy's f32 or f64."""
    inner = np.float64 if x.fmt.name == "f64" else np.float32
    bits = heads_of(x.bits(), heads).copy()
    values = heads_of(x.values(), heads).astype(inner)
    half = rotated // 2
    tables = []
    for cache in (cosines, sines):
        table = cache.values().astype(inner)
        if ids is not None:
            inside = (ids.values() >= 0) & (ids.values() < table.shape[0])
            rows = table[np.where(inside, ids.values(), 0)] if table.shape[0] else np.zeros(
                ids.shape + (half,), inner)
            table = np.where(inside[..., None], rows, inner(0))
        tables.append(table[:, None])
    c, s = tables
    first = values[..., 0:rotated:2] if interleaved else values[..., :half]
    second = values[..., 1:rotated:2] if interleaved else values[..., half:rotated]
    with np.errstate(all="ignore"):
        real, imaginary = c * first - s * second, s * first + c * second
    for k, part in ((0, real), (1, imaginary)):
        places = slice(k, rotated, 2) if interleaved else slice(k * half, (k + 1) * half)
        codes = np.empty(part.shape, object)
        for at in np.ndindex(part.shape):
            codes[at] = encode(x.fmt, as_real(float(part[at])))
        bits[..., places] = codes
    flat = form_of(bits, x.view.ndim).reshape(-1)
    return Wanted(x.fmt, x.shape, bits=[x.fmt.canonical(int(b)) for b in flat])


def rotary_cases(rng, types):
    fmt = types[0]
    for number in range(16):
        batch, heads, sequence = [int(v) for v in rng.integers(1, 4, 3)]
        batch = 0 if number == 15 else batch
        size = int(rng.choice([2, 4, 6, 10, 5]))
        rotated = 2 * int(rng.integers(0, size // 2 + 1)) or size - size % 2
        rank, interleaved = int(rng.choice([3, 4])), int(rng.integers(2))
        fill = tensors.mixed if number % 2 else tensors.plain
        shape = (batch, heads, sequence, size) if rank == 4 else (batch, sequence, heads * size)
        x = tensors.random_tensor(rng, fmt, shape, fill)
        ids, cache = None, (batch, sequence, rotated // 2)
        if number % 3:
            rows = int(rng.integers(1, 6))
            ids = tensors.random_tensor(rng, I64, (batch, sequence), lambda r, f, n, rows=rows: (
                r.choice([-2**63, -1, 0, 1, rows - 1, rows, 2**32], n)
                if r.integers(2) else r.integers(0, rows, n)).astype(f.storage))
            cache = (rows, rotated // 2)
        caches = [tensors.random_tensor(rng, fmt, cache, fill) for _ in range(2)]
        attributes = {"interleaved": interleaved} if interleaved or number % 4 else {}
        if rank == 3 or number % 5 == 0:
            attributes["num_heads"] = heads
        if rotated != size or number % 4 == 1:
            attributes["rotary_embedding_dim"] = rotated
        yield Case("rotary", [x] + caches + [ids],
                   lambda c=(x, *caches, ids, heads, rotated, interleaved): rotary_wanted(*c),
                   **attributes)


OPS = {"keel.rotary_embedding": rotary_cases}
ATTRIBUTES = {"keel.rotary_embedding": {"interleaved", "num_heads", "rotary_embedding_dim"}}
