"""What NumPy and exact arithmetic say of the ops of attention."""
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np

import exact
import tensors
from reduction import accumulator, gentle
from formats import BY_NAME, as_real, encode
from wanted import Case, Wanted, fractions

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


# ---- attention ---------------------------------------------------------------------------------

BOOL = BY_NAME["bool"]


def row_weights(scores):
    """e^(score - greatest) of the keys that are seen, in decimal; None where a score is NaN."""
    seen = [s for s in scores if s is not None]
    if any(isinstance(s, float) for s in seen):
        return None
    most = max(seen) if seen else Decimal(0)
    return [Decimal(0) if s is None else exact.clamp(s - most).exp() for s in scores]


def score_of(left, right, scale, softcap, bias):
    """A Decimal, None for minus infinity, or NaN for anything else that is no number."""
    if np.all(np.isfinite(left)) and np.all(np.isfinite(right)):
        x = exact.decimal_of(scale * sum(fractions(left) * fractions(right), Fraction(0)))
        if softcap:
            cap = exact.decimal_of(softcap)
            x = cap * exact.tanh_decimal(x / cap)
    else:
        with np.errstate(all="ignore"):
            x = float(np.sum(left * right) * float(scale))
        if softcap and math.isinf(x):
            x = exact.decimal_of(softcap).copy_sign(Decimal(x))
    if bias is None:
        bias = 0.0
    if isinstance(x, Decimal) and math.isfinite(bias):
        return x + exact.decimal_of(Fraction(bias))
    x = (0.0 if isinstance(x, Decimal) else x) + bias
    return None if x == -math.inf else math.nan


def attention_row(scores, v):
    """The columns of one query's result, and whether a value that is no number may vanish."""
    if all(s is None for s in scores):
        return [Fraction(0)] * v.shape[1], False
    weights = row_weights(scores)
    if weights is None:
        return [math.nan] * v.shape[1], False
    total, out, faint = sum(weights), [], False
    for column in range(v.shape[1]):
        kept = [(w, float(x)) for w, x in zip(weights, v[:, column]) if w != 0]
        if all(math.isfinite(x) for _, x in kept):
            sums = sum((w * exact.decimal_of(Fraction(x)) for w, x in kept), Decimal(0))
            out.append(exact.fraction_of(sums / total))
        else:
            faint = faint or any(w < Decimal("0.01") for w, x in kept if not math.isfinite(x))
            out.append(float(sum(x for _, x in kept if not math.isfinite(x))))
    return out, faint


def attention_wanted(fmt, tensors_in, heads, attributes):
    """ONNX's definition, a query at a time, in fractions and decimals."""
    q, k, v, mask, bias, lengths = tensors_in
    rank = q.view.ndim
    q, k = heads_of(q.values(), heads[0]), heads_of(k.values(), heads[1])
    v = heads_of(v.values(), heads[1])
    batch, q_heads, queries, size = q.shape
    keys, group = k.shape[2], q_heads // max(k.shape[1], 1)
    scale = Fraction(attributes.get("scale", 0.0)) or Fraction(1 / math.sqrt(size or 1))
    softcap = Fraction(attributes.get("softcap", 0.0))
    full = (batch, q_heads, queries, keys)

    def spread(tensor, convert, rest):
        """Broadcast to all scores; a shorter last axis goes on with what hides a key."""
        if tensor is None:
            return None
        array = convert(tensor.values())
        if array.ndim and array.shape[-1] not in (1, keys):
            pad = [(0, 0)] * (array.ndim - 1) + [(0, keys - array.shape[-1])]
            array = np.pad(array, pad, constant_values=rest)
        return np.broadcast_to(array, full)
    seen = spread(mask, lambda a: a, False)
    added = spread(bias, lambda a: a.astype(np.float64), -math.inf)
    top = accumulator(fmt).largest / 8
    reals = np.empty(full[:3] + (v.shape[3],), object)
    opens = np.zeros(reals.shape, bool)
    for b, h, i in np.ndindex(full[:3]):
        length = keys if lengths is None else min(max(int(lengths.values()[b]), 0), keys)
        ahead = 0 if lengths is None else length - queries
        last = min(length, i + ahead + 1) if attributes.get("is_causal") else length
        scores, size_of_sums = [None] * keys, Fraction(0)
        for j in range(max(last, 0)):
            if seen is not None and not seen[b, h, i, j]:
                continue
            left, right = q[b, h, i], k[b, h // group, j]
            extra = None if added is None else float(added[b, h, i, j])
            scores[j] = score_of(left, right, scale, softcap, extra)
            kept = np.isfinite(left) & np.isfinite(right)
            total = sum(fractions(np.abs(left[kept])) * fractions(np.abs(right[kept])),
                        Fraction(0))
            if extra is not None and math.isfinite(extra):
                total += abs(Fraction(extra))
            size_of_sums = max(size_of_sums, total, total * abs(scale))
        values = v[b, h // group]
        reals[b, h, i], faint = attention_row(scores, values)
        finite = sum(fractions(np.where(np.isfinite(values), np.abs(values), 0)).flat, Fraction(0))
        blurred = size_of_sums * accumulator(fmt).unit > 2**14
        opens[b, h, i] = faint or blurred or size_of_sums > top or finite > top
    out = form_of(reals, rank)
    return Wanted(fmt, out.shape, reals=list(out.reshape(-1)),
                  may_open=list(form_of(opens, rank).reshape(-1)))


def hiding(rng, fmt, count):
    """Everyday values, some of them an infinity below."""
    values = tensors.plain(rng, fmt, count, 2.0)
    return np.where(rng.integers(4, size=count) == 0, tensors.specials(fmt)[-2], values)


def mask_shape(rng, full):
    """Something that broadcasts to it, or ends before its last axis."""
    shape = [1 if rng.integers(4) == 0 else n for n in full]
    if rng.integers(4) == 0 and full[-1] > 2:
        shape[-1] = int(rng.integers(2, full[-1]))
    return tuple(shape[int(rng.integers(0, 5)):])


def attention_cases(rng, types):
    fmt = types[0]
    for number in range(24):
        batch, kv_heads, group, queries = [int(n) for n in rng.integers(1, 4, 4)]
        keys, size, value = [int(n) for n in rng.integers(1, 6, 3)]
        keys = 0 if number == 22 else 90 if number == 21 else keys
        batch = 0 if number == 23 else batch
        heads, rank = (kv_heads * group, kv_heads), int(rng.choice([3, 4]))
        fill = [gentle, tensors.plain, tensors.mixed, gentle][number % 4]

        def tensor(count, sequence, width, fill=fill, rank=rank, batch=batch):
            shape = (batch, count, sequence, width)
            shape = shape if rank == 4 else (batch, sequence, count * width)
            return tensors.random_tensor(rng, fmt, shape, fill)
        q, k = tensor(heads[0], queries, size), tensor(kv_heads, keys, size)
        v = tensor(kv_heads, keys, value)
        full = (batch, heads[0], queries, keys)
        mask = bias = lengths = None
        if number % 3 == 1:
            mask = tensors.random_tensor(rng, BOOL, mask_shape(rng, full))
        elif number % 3 == 2:
            bias = tensors.random_tensor(rng, fmt, mask_shape(rng, full),
                                         hiding if fill is not tensors.mixed else fill)
        if rng.integers(2):
            lengths = tensors.random_tensor(
                rng, I64, (batch,), lambda r, f, n, keys=keys: r.choice(
                    [-2**63, -1, 0, keys, keys + 1, 2**63 - 1, max(keys - 1, 0), keys // 2],
                    n).astype(f.storage))
        attributes = {"q_num_heads": heads[0], "kv_num_heads": kv_heads} if rank == 3 else {}
        if rng.integers(2):
            attributes["is_causal"] = 1
        if rng.integers(2):
            attributes["scale"] = float(rng.choice([0.5, 1.0, -1.5, 0.0]))
        if rng.integers(3) == 0:
            attributes["softcap"] = float(rng.choice([0.5, 3.0, 50.0]))
        yield Case("attention", [q, k, v, mask, bias, lengths],
                   lambda c=(fmt, (q, k, v, mask, bias, lengths), heads, attributes):
                   attention_wanted(*c), **attributes)


# ---- paged_attention ---------------------------------------------------------------------------

I32 = BY_NAME["i32"]


def paged_wanted(fmt, tensors_in, attributes):
    """Gathers the keys of each sequence from its blocks, then as above."""
    q, k, v, table, lengths = [t.values() for t in tensors_in]
    (batch, q_heads, size), (blocks, places, kv_heads, _) = q.shape, k.shape
    group = q_heads // max(kv_heads, 1)
    scale = Fraction(attributes.get("scale", 0.0)) or Fraction(1 / math.sqrt(size or 1))
    softcap = Fraction(attributes.get("softcap", 0.0))
    top = accumulator(fmt).largest / 8
    reals = np.empty((batch, q_heads, v.shape[3]), object)
    opens = np.zeros(reals.shape, bool)
    for b, h in np.ndindex(batch, q_heads):
        kept = [(table[b, j // places], j % places)
                for j in range(min(max(int(lengths[b]), 0), table.shape[1] * places))]
        kept = [(n, j) for n, j in kept if 0 <= n < blocks]
        keys = np.array([k[n, j, h // group] for n, j in kept]).reshape(-1, size)
        values = np.array([v[n, j, h // group] for n, j in kept]).reshape(-1, v.shape[3])
        scores = [score_of(q[b, h], key, scale, softcap, None) for key in keys]
        sums = [sum(fractions(np.abs(q[b, h][both])) * fractions(np.abs(key[both])), Fraction(0))
                for key in keys for both in [np.isfinite(q[b, h]) & np.isfinite(key)]]
        largest = max(sums, default=Fraction(0)) * max(abs(scale), 1)
        reals[b, h], faint = attention_row(scores, values)
        finite = sum(fractions(np.where(np.isfinite(values), np.abs(values), 0)).flat, Fraction(0))
        blurred = largest * accumulator(fmt).unit > 2**14
        opens[b, h] = faint or blurred or largest > top or finite > top
    return Wanted(fmt, reals.shape, reals=list(reals.reshape(-1)), may_open=list(opens.reshape(-1)))


def paged_cases(rng, types):
    fmt = types[0]
    for number in range(16):
        batch, kv_heads, group, places, entries = [int(n) for n in rng.integers(1, 4, 5)]
        blocks, size, value = [int(n) for n in rng.integers(1, 6, 3)]
        entries = 0 if number == 15 else 30 if number == 14 else entries
        fill = [gentle, tensors.plain, tensors.mixed, gentle][number % 4]

        def indices(least, most):
            return lambda r, f, n: r.choice(
                [-2**31, 2**31 - 1, -1, least, most, most + 1] + list(range(least, most + 1)) * 3,
                n).astype(f.storage)
        inputs = [tensors.random_tensor(rng, fmt, (batch, kv_heads * group, size), fill),
                  tensors.random_tensor(rng, fmt, (blocks, places, kv_heads, size), fill),
                  tensors.random_tensor(rng, fmt, (blocks, places, kv_heads, value), fill),
                  tensors.random_tensor(rng, I32, (batch, entries), indices(0, blocks - 1)),
                  tensors.random_tensor(rng, I32, (batch,), indices(0, places * entries))]
        attributes = {"scale": float(rng.choice([0.5, -1.5, 0.0]))} if rng.integers(2) else {}
        if rng.integers(3) == 0:
            attributes["softcap"] = float(rng.choice([0.5, 3.0, 50.0]))
        yield Case("paged", inputs, lambda c=(fmt, inputs, attributes): paged_wanted(*c),
                   **attributes)


OPS = {"keel.attention": attention_cases, "keel.paged_attention": paged_cases,
       "keel.rotary_embedding": rotary_cases}
ATTRIBUTES = {"keel.attention": {"is_causal", "kv_num_heads", "q_num_heads", "scale", "softcap"},
              "keel.paged_attention": {"scale", "softcap"},
              "keel.rotary_embedding": {"interleaved", "num_heads", "rotary_embedding_dim"}}
