"""What fractions and NumPy say of running sums and products."""
import numpy as np

import reduction
import tensors
from wanted import Case, Wanted, exact_bits

ATTRIBUTES = {name: {"axis", "exclusive", "reverse"} for name in ("keel.cumsum", "keel.cumprod")}


def prefixes(count, exclusive, reverse):
    """The elements behind each result, in the order of the axis."""
    for k in range(count):
        if reverse:
            yield slice(k + exclusive, count)
        else:
            yield slice(0, k + 1 - exclusive)


def scan_cases(of_values, may_open, of_integers, at_most):
    def wanted(x, axis, exclusive, reverse):
        moved = np.moveaxis(x.values(), axis, -1)
        count = moved.shape[-1]
        results = np.empty(moved.shape, object)
        opens, widths = np.zeros(moved.shape, bool), np.empty(moved.shape, object)
        for at in np.ndindex(moved.shape[:-1]):
            for k, part in enumerate(prefixes(count, exclusive, reverse)):
                values = moved[at][part]
                if not x.fmt.is_float:
                    results[at + (k,)] = int(of_integers(values, dtype=x.fmt.storage))
                    continue
                results[at + (k,)] = of_values(values)
                opens[at + (k,)] = may_open(x.fmt, values)
                widths[at + (k,)] = at_most and at_most(x.fmt, values, results[at + (k,)])
        back = [np.moveaxis(a, -1, axis) for a in (results, opens, widths)]
        if not x.fmt.is_float:
            return exact_bits(x.fmt, back[0].astype(x.fmt.storage))
        return Wanted(x.fmt, x.shape, reals=list(back[0].flat), may_open=list(back[1].flat),
                      at_most=list(back[2].flat) if at_most else None)

    def cases(rng, types):
        fills = [tensors.mixed, reduction.gentle,
                 lambda r, f, n: tensors.finite(f, tensors.mixed(r, f, n))]
        for number in range(20):
            shape = tensors.random_shape(rng, 1, 3, empty=number == 19)
            shape = (2, 60) if number == 7 else shape
            x = tensors.random_tensor(rng, types[0], shape, fills[number % 3])
            axis = int(rng.integers(-len(shape), len(shape)))
            exclusive, reverse = number >> 1 & 1, number >> 2 & 1
            attributes = {"axis": axis}
            if exclusive or number % 2:
                attributes["exclusive"] = exclusive
            if reverse or number % 3 == 0:
                attributes["reverse"] = reverse
            yield Case("scan", [x],
                       lambda c=(x, axis % len(shape), exclusive, reverse): wanted(*c),
                       **attributes)
    return cases


OPS = {
    "keel.cumsum": scan_cases(reduction.true_sum, reduction.sum_may_open, np.sum,
                              reduction.sum_at_most),
    "keel.cumprod": scan_cases(reduction.true_product, reduction.product_may_open, np.prod, None)}
