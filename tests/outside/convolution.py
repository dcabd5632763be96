"""What exact fractions say of convolutions, by ONNX's definitions of Conv and ConvTranspose."""
from fractions import Fraction
from itertools import product

import numpy as np

import tensors
from dense import matmul_at_most
from reduction import accumulator, gentle
from wanted import Case, Wanted


class Window:
    """A random geometry: sizes, taps and steps of one to three spatial axes."""

    def __init__(self, rng, transposed):
        self.axes = int(rng.integers(1, 4))
        most = (8, 6, 4)[self.axes - 1]
        self.sizes = [int(v) for v in rng.integers(2, most + 2, self.axes)]
        self.taps = [int(v) for v in rng.integers(1, 4, self.axes)]
        self.strides = [int(v) for v in rng.choice([1, 1, 2, 3], self.axes)]
        self.dilations = [int(v) for v in rng.choice([1, 1, 2], self.axes)]
        self.extra = [int(rng.integers(max(s, d))) if transposed else 0
                      for s, d in zip(self.strides, self.dilations)]
        self.spans = [(k - 1) * d + 1 for k, d in zip(self.taps, self.dilations)]
        self.transposed = transposed
        self.shape = None
        self.begin, self.end, self.attributes = [0] * self.axes, [0] * self.axes, {}
        self.choose_pads(rng)

    def choose_pads(self, rng):
        """Pads of their own, automatic ones, or an output shape that makes them."""
        mode = int(rng.integers(5))
        auto = ("SAME_UPPER", "SAME_LOWER")[mode % 2] if mode < 2 else None
        if self.transposed:
            whole = [s * (n - 1) + e + span for s, n, e, span in
                     zip(self.strides, self.sizes, self.extra, self.spans)]
            if mode == 2 or (auto and rng.integers(2)):
                self.shape = [int(rng.integers(1, w + 3)) for w in whole]
                self.attributes["output_shape"] = self.shape
                self.cut(whole, self.shape, auto == "SAME_UPPER")
            elif auto:
                self.cut(whole, [n * s for n, s in zip(self.sizes, self.strides)],
                         auto == "SAME_UPPER")
        elif auto:
            for i, (n, s, span) in enumerate(zip(self.sizes, self.strides, self.spans)):
                total = max((-(-n // s) - 1) * s + span - n, 0)
                self.begin[i] = total // 2 if auto == "SAME_UPPER" else total - total // 2
                self.end[i] = total - self.begin[i]
        if auto:
            self.attributes["auto_pad"] = auto
        elif mode == 3 or (mode == 4 and self.transposed):
            room = [n for n in self.taps]
            self.begin = [int(rng.integers(k)) for k in room]
            self.end = [int(rng.integers(k)) for k in room]
            self.attributes["pads"] = self.begin + self.end
        self.fit()

    def cut(self, whole, sizes, upper):
        for i, (w, size) in enumerate(zip(whole, sizes)):
            total = max(w - size, 0)
            self.begin[i] = total // 2 if upper else total - total // 2
            self.end[i] = w - size - self.begin[i]

    def fit(self):
        """Makes sizes large enough for the window, or for what the pads cut off."""
        for i in range(self.axes):
            pads = self.begin[i] + self.end[i]
            if self.transposed:
                continue
            self.sizes[i] = max(self.sizes[i], self.spans[i] - pads) \
                if "auto_pad" not in self.attributes else self.sizes[i]

    def out(self):
        if self.transposed:
            return [s * (n - 1) + e + span - b - x for s, n, e, span, b, x in
                    zip(self.strides, self.sizes, self.extra, self.spans, self.begin, self.end)]
        return [(n + b + x - span) // s + 1 for n, s, span, b, x in
                zip(self.sizes, self.strides, self.spans, self.begin, self.end)]

    def given(self, rng):
        """The attributes, defaults left out now and then."""
        given = dict(self.attributes)
        for name, values, default in (("strides", self.strides, 1),
                                      ("dilations", self.dilations, 1),
                                      ("output_padding", self.extra, 0),
                                      ("kernel_shape", self.taps, None)):
            if name == "output_padding" and not self.transposed:
                continue
            if any(v != default for v in values) if default is not None else rng.integers(2):
                given[name] = list(values)
        return given


def wanted_of(fmt, window, group, x, w, bias):
    """Every output element by its definition, in fractions; infinities in doubles."""
    out = window.out()
    images, outputs = x.shape[0], (w.shape[1] * group if window.transposed else w.shape[0])
    shape = (images, outputs, *out)
    share, rows = x.shape[1] // group, outputs // group if group else 0
    sums = {at: [] for at in np.ndindex(*shape)}
    open_at = set()
    for n, m in product(range(images), range(outputs)):
        for c in range(share):
            channel = m // rows * share + c
            for tap in np.ndindex(*window.taps):
                weight = w[(channel, m % rows, *tap) if window.transposed else (m, c, *tap)]
                spots = window.sizes if window.transposed else out
                for at in np.ndindex(*spots):
                    other = tuple(a * s - b + k * d for a, s, b, k, d in
                                  zip(at, window.strides, window.begin, tap, window.dilations))
                    source, target = (at, other) if window.transposed else (other, at)
                    limits = out if window.transposed else window.sizes
                    if all(0 <= o < limit for o, limit in zip(other, limits)):
                        sums[(n, m, *target)].append((float(x[(n, channel, *source)]),
                                                      float(weight)))
                    elif not window.transposed and not np.isfinite(weight):
                        open_at.add((n, m, *target))
    reals, widths, opens = [], [], []
    depth = share * int(np.prod(window.taps))
    for at in np.ndindex(*shape):
        real, size = total(sums[at], None if bias is None else float(bias[at[1]]))
        reals.append(real)
        widths.append(matmul_at_most(fmt, depth, 1.0, 0, real, size, 0))
        opens.append(at in open_at or size > accumulator(fmt).largest / 2)
    return Wanted(fmt, shape, reals=reals, at_most=widths, may_open=opens)


def total(pairs, bias):
    """The sum of products and of their magnitudes; those of infinities do not count."""
    terms = pairs + ([] if bias is None else [(bias, 1.0)])
    with np.errstate(all="ignore"):
        special = [np.longdouble(a) * np.longdouble(b) for a, b in terms
                   if not (np.isfinite(a) and np.isfinite(b))]
    exact = [Fraction(a) * Fraction(b) for a, b in terms if np.isfinite(a) and np.isfinite(b)]
    size = sum((abs(e) for e in exact), Fraction(0))
    if special:
        with np.errstate(all="ignore"):
            return float(sum(special, np.longdouble(0))), size
    return sum(exact, Fraction(0)), size


def cases_of(transposed):
    def cases(rng, types):
        fmt = types[0]
        for number in range(30):
            window = Window(rng, transposed)
            while min(window.out()) < 0 or (not transposed and min(window.out()) < 1):
                window = Window(rng, transposed)
            group = int(rng.choice([1, 1, 2, 3]))
            share, rows = int(rng.integers(1, 4)), int(rng.integers(1, 3))
            images = int(rng.integers(0 if number == 5 else 1, 3))
            x_shape = (images, group * share, *window.sizes)
            w_shape = (group * share, rows) if transposed else (group * rows, share)
            fill = [gentle, tensors.mixed, lambda r, f, c: tensors.finite(f, tensors.mixed(r, f, c))
                    ][number % 3]
            x = tensors.random_tensor(rng, fmt, x_shape, fill)
            w = tensors.random_tensor(rng, fmt, (*w_shape, *window.taps), fill)
            bias = tensors.random_tensor(rng, fmt, (group * rows,), fill) \
                if rng.integers(2) else None
            attributes = window.given(rng)
            if group != 1:
                attributes["group"] = group
            yield Case("conv_transpose" if transposed else "conv", [x, w, bias],
                       lambda c=(fmt, window, group, x, w, bias): wanted_of(
                           *c[:3], *[None if t is None else t.values() for t in c[3:]]),
                       **attributes)
    return cases


KNOWN = {"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"}
OPS = {"keel.conv": cases_of(False), "keel.conv_transpose": cases_of(True)}
ATTRIBUTES = {"keel.conv": KNOWN,
              "keel.conv_transpose": KNOWN | {"output_padding", "output_shape"}}
