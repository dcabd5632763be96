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


OPS = {"keel.depth_to_space": depth_to_space_cases, "keel.space_to_depth": space_to_depth_cases,
       "keel.tile": tile_cases}
ATTRIBUTES = {"keel.depth_to_space": {"blocksize", "mode"}, "keel.space_to_depth": {"blocksize"},
              "keel.tile": {"repeats"}}
