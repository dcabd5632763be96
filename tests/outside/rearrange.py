"""What NumPy says of the ops that put elements into other places by a rule."""
import numpy as np

import tensors
from wanted import Case, exact_bits


def _tensor(rng, fmt, shape):
    """Any bits at all: moves keep NaN payloads and codes without a meaning."""
    return tensors.random_tensor(rng, fmt, shape, tensors.mixed)


# ---- depth_to_space, space_to_depth: the reshapes and transposes of ONNX's text -------------------

def _depth_to_space(x, block, mode):
    n, c, h, w = x.shape
    if mode == "CRD":
        parts = x.reshape(n, c // block**2, block, block, h, w).transpose(0, 1, 4, 2, 5, 3)
    else:
        parts = x.reshape(n, block, block, c // block**2, h, w).transpose(0, 3, 4, 1, 5, 2)
    return parts.reshape(n, c // block**2, h * block, w * block)


def _space_to_depth(x, block):
    n, c, h, w = x.shape
    parts = x.reshape(n, c, h // block, block, w // block, block).transpose(0, 3, 5, 1, 2, 4)
    return parts.reshape(n, c * block**2, h // block, w // block)


def _images(rng):
    """Sizes of a batch, channels, rows and columns, the last time one of them 0; a block's side."""
    for number in range(6):
        sizes = [int(s) for s in rng.integers(1, 4, 4)]
        if number == 5:
            sizes[int(rng.integers(4))] = 0
        yield sizes, int(rng.integers(1, 4))


def depth_to_space_cases(rng, types):
    for (n, c, h, w), block in _images(rng):
        x = _tensor(rng, types[0], (n, c * block**2, h, w))
        for mode in "DCR", "CRD", None:
            attributes = {"mode": mode} if mode else {}
            yield Case(mode or "default", [x], lambda x=x, b=block, m=mode: exact_bits(
                x.fmt, _depth_to_space(np.array(x.view), b, m), moved=True),
                       blocksize=block, **attributes)


def space_to_depth_cases(rng, types):
    for (n, c, h, w), block in _images(rng):
        x = _tensor(rng, types[0], (n, c, h * block, w * block))
        yield Case("blocks", [x], lambda x=x, b=block: exact_bits(
            x.fmt, _space_to_depth(np.array(x.view), b), moved=True), blocksize=block)


# ---- tile --------------------------------------------------------------------------------------

def tile_cases(rng, types):
    for number in range(8):
        x = _tensor(rng, types[0], tensors.random_shape(rng, empty=number == 7))
        repeats = [int(r) for r in rng.integers(0 if number == 6 else 1, 4, len(x.shape))]
        yield Case("tile", [x], lambda x=x, r=repeats: exact_bits(
            x.fmt, np.tile(np.array(x.view), r), moved=True), repeats=repeats)


# ---- pad: np.pad of what is left after the cuts ---------------------------------------------------

def _pads(rng, mode, extent):
    """What is added before and behind an axis; less than 0: what is cut off."""
    cut = [-int(c) for c in rng.integers(0, extent // 2 + 1, 2)]
    left = extent
    pads = []
    for side in range(2):
        if rng.integers(3) == 0:
            pads.append(cut[side])
            left += cut[side]
        else:
            pads.append(None)
    most = {"constant": 4, "reflect": left - 1, "edge": 4 if left else 0,
            "wrap": 9 if left else 0}[mode]
    return [int(rng.integers(0, max(most, 0) + 1)) if p is None else p for p in pads]


def _pad(x, pads, mode, value):
    kept = x[tuple(slice(max(-b, 0), n - max(-e, 0)) for (b, e), n in zip(pads, x.shape))]
    added = [(max(b, 0), max(e, 0)) for b, e in pads]
    options = {"constant_values": value} if mode == "constant" else {}
    if mode == "wrap":  # NumPy before 1.25 repeats in another order
        for axis, ((b, e), n) in enumerate(zip(added, kept.shape)):
            kept = np.take(kept, np.arange(-b, n + e) % max(n, 1), axis)
        return kept
    return np.pad(kept, added, mode, **options) if kept.ndim else kept


def pad_cases(rng, types):
    fmt = types[0]
    for number in range(20):
        mode = ("constant", "reflect", "edge", "wrap")[number % 4]
        x = _tensor(rng, fmt, tensors.random_shape(rng, empty=number > 15))
        value = _tensor(rng, fmt, ()) if number % 8 == 0 else None
        rank = len(x.shape)
        axes = [int(a) for a in rng.permutation(rank)[:int(rng.integers(0, rank + 1))]]
        axes = list(range(rank)) if number < 8 or not axes else axes
        pads = [(0, 0)] * rank
        for a in axes:
            pads[a] = tuple(_pads(rng, mode, x.shape[a]))
        flat = [pads[a][side] for side in range(2) for a in axes]
        attributes = {"pads": flat}
        if number >= 8 and axes:
            attributes["axes"] = [a - rank if rng.integers(2) else a for a in axes]
        if number:
            attributes["mode"] = mode
        fill = np.array(value.view).reshape(()) if value else np.zeros((), fmt.storage)
        yield Case("pad", [x, value], lambda x=x, p=pads, m=mode, v=fill: exact_bits(
            x.fmt, _pad_codes(x, p, m, v), moved=True), **attributes)


def _pad_codes(x, pads, mode, value):
    """Through integers of the element's size, so that no NaN changes its bits."""
    code = np.dtype(f"u{x.fmt.size}")
    padded = _pad(np.array(x.view).view(code), pads, mode, value.view(code))
    return padded.view(x.fmt.storage)


OPS = {"keel.depth_to_space": depth_to_space_cases, "keel.space_to_depth": space_to_depth_cases,
       "keel.tile": tile_cases, "keel.pad": pad_cases}
ATTRIBUTES = {"keel.depth_to_space": {"blocksize", "mode"}, "keel.space_to_depth": {"blocksize"},
              "keel.tile": {"repeats"}, "keel.pad": {"pads", "mode", "axes"}}
