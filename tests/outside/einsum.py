"""What fractions, summed over all values of the labels, say of einsum."""
from fractions import Fraction

import numpy as np

import tensors
from reduction import accumulator, gamma, gentle
from wanted import Case, Wanted

EQUATIONS = [
    "ij,jk->ik", "ij,jk", "ij,kj->ki", "bij,bjk->bik", "i,i", "i,j->ij", "ii->i", "ii", "ij->",
    "ij->ji", "ijk->kij", "iij,jk->ik", "ab,bc,cd->ad", "ab,bc,cd,da->", "...ij,...jk->...ik",
    "i...->...", "...i,i...->i...", "i...,i...", "...", "...->...", "Ab,bC->CA", " a b , b -> a ",
    "ij,ij->ij", "abc,cd,bd->a", "iji->j", ",", "i,->i", "a...b,b...->...a"]


def _terms(equation):
    left, arrow, right = equation.replace(" ", "").partition("->")
    return left.split(","), right if arrow else None


def _labels(term, rank, width_of):
    """One name for each axis: letters, and numbers from the end of an ellipsis."""
    if "..." not in term:
        return list(term)
    before, after = term.split("...")
    width = width_of(rank - len(before) - len(after))
    return list(before) + list(range(width - 1, -1, -1)) + list(after)


def _shapes(rng, terms):
    """Sizes of labels, now and then 1 on one side, and 0 to 2 axes for an ellipsis."""
    sizes = {}
    ellipsis = tuple(int(rng.choice([1, 2, 3])) for _ in range(int(rng.integers(0, 3))))
    for term in terms:
        shape = []
        for name in term.replace("...", "."):
            if name == ".":
                own = ellipsis[int(rng.integers(len(ellipsis) + 1)):]
                shape += [1 if rng.integers(4) == 0 else n for n in own]
                continue
            size = sizes.setdefault(name, int(rng.choice([0, 1, 2, 3, 4, 5, 7])
                                              if rng.integers(8) == 0 else rng.integers(1, 6)))
            once = term.count(name) == 1
            shape.append(1 if once and rng.integers(8) == 0 else size)
        yield tuple(shape)


def _plan(equation, shapes):
    """Names of each input's axes, of the output, and the size of each name."""
    terms, right = _terms(equation)
    names = [_labels(term, len(shape), lambda n: n) for term, shape in zip(terms, shapes)]
    sizes = {}
    for own, shape in zip(names, shapes):
        for name, size in zip(own, shape):
            sizes[name] = size if sizes.get(name, 1) == 1 else sizes[name]
    width = 1 + max([name for own in names for name in own if isinstance(name, int)], default=-1)
    if right is not None:
        return names, _labels(right, 0, lambda n: width), sizes
    letters = "".join(terms).replace(".", "")
    return names, list(range(width - 1, -1, -1)) + [
        c for c in sorted(set(letters)) if letters.count(c) == 1], sizes


def _wanted(fmt, equation, inputs):
    names, out, sizes = _plan(equation, [x.shape for x in inputs])
    summed = [name for name in sizes if name not in out]
    shape = tuple(sizes[name] for name in out)
    values = [x.values() for x in inputs]
    elements, widths, opens = [], [], []
    for at in np.ndindex(shape):
        places = dict(zip(out, at))
        terms = []
        for rest in np.ndindex(tuple(sizes[name] for name in summed)):
            places.update(zip(summed, rest))
            terms.append([v[tuple(0 if n == 1 else places[name] for name, n in zip(own, v.shape))]
                          for own, v in zip(names, values)])
        if fmt.is_float:
            real, width, may_open = _real(fmt, terms, len(inputs))
            elements.append(real)
            widths.append(width)
            opens.append(may_open)
        else:
            elements.append(fmt.canonical(sum(_product(int(x) for x in t) for t in terms)))
    if fmt.is_float:
        return Wanted(fmt, shape, reals=elements, at_most=widths, may_open=opens)
    return Wanted(fmt, shape, bits=elements)


def _product(factors):
    total = 1
    for x in factors:
        total = total * x
    return total


def _real(fmt, terms, inputs):
    """Value, widest hard bound, and whether the accumulator's range may be left on the way."""
    inner = accumulator(fmt)
    finite = [t for t in terms if np.all(np.isfinite(t))]
    products = [_product(Fraction(float(x)) for x in t) for t in finite]
    size = sum((abs(p) for p in products), Fraction(0))
    above = [_product(max(Fraction(1), abs(Fraction(float(x)))) for x in t if np.isfinite(x))
             for t in terms]
    largest = max([size] + (above if inputs > 2 else []))
    special = [t for t in terms if not np.all(np.isfinite(t))]
    value = sum(products, Fraction(0)) if not special else _sum([_infinite(t) for t in special])
    opens = inputs > 2 and any(_product(min(Fraction(1), abs(Fraction(float(x)))) for x in t
                                        if np.isfinite(x) and x != 0) < 2 * inner.tiny
                               for t in special)
    n = len(terms) + inputs
    real = abs(value) if isinstance(value, Fraction) else 0
    cut = 2 * n + 4 if fmt.size == 2 else 0
    width = Fraction(102, 100) * (gamma(fmt, n + cut) * size + fmt.unit * real) + \
        2 * sum(above, Fraction(1)) * inner.subnormal + 2 * fmt.subnormal
    return value, width, opens or largest > inner.largest / 2


def _infinite(factors):
    """A product with infinities or NaN, of which only signs and zeros matter."""
    return float(_product(np.sign(float(x)) if np.isfinite(x) else float(x) for x in factors))


def _sum(values):
    total = 0.0
    for value in values:
        total += value
    return total


def einsum_cases(rng, types):
    fmt = types[0]
    fills = [gentle, tensors.mixed, lambda r, f, c: tensors.finite(f, tensors.mixed(r, f, c))]
    for number in range(2 * len(EQUATIONS)):
        equation = EQUATIONS[number % len(EQUATIONS)]
        shapes = list(_shapes(rng, _terms(equation)[0]))
        inputs = [tensors.random_tensor(rng, fmt, shape, fills[number % 3]) for shape in shapes]
        yield Case("einsum", inputs, lambda e=equation, x=inputs: _wanted(fmt, e, x),
                   equation=equation)


OPS = {"keel.einsum": einsum_cases}
ATTRIBUTES = {"keel.einsum": {"equation"}}
