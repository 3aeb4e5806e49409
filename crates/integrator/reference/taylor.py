"""References of `src/tests/references.rs`, by Taylor series in 34-digit arithmetic: python3 taylor.py (some minutes)."""

from decimal import Decimal as D, getcontext

getcontext().prec = 34


def product(a, b, k):
    """Coefficient k of the product of two series."""
    return sum(a[i] * b[k - i] for i in range(k + 1))


def step(series, degree, left):
    """Values after the longest step whose last terms are negligible, and that step."""
    radii = [(D("1e-30") / max(abs(s[degree]), D("1e-300"))) ** (D(1) / degree) for s in series]
    h = min(min(radii), left)
    values = []
    for s in series:
        value = D(0)
        for c in reversed(s):
            value = value * h + c
        values.append(value)
    return values, h


def integrate(name, series, start, times, degree):
    x, t = [D(value) for value in start], D(0)
    for end in times:
        while t < end:
            x, h = step(series(x, degree), degree, end - t)
            t += h
        print(name, "t =", end, *(f"{value:.20e}" for value in x), flush=True)


def van_der_pol(mu):
    def series(x, degree):
        a, b, squares = [x[0]], [x[1]], []
        for k in range(degree):
            squares.append(product(a, a, k))
            a.append(b[k] / (k + 1))
            b.append((mu * (b[k] - product(squares, b, k)) - a[k]) / (k + 1))
        return [a, b]

    return series


def robertson(x, degree):
    a, b, c = [x[0]], [x[1]], [x[2]]
    for k in range(degree):
        slow, back, fast = D("0.04") * a[k], D(10000) * product(b, c, k), D(30000000) * product(b, b, k)
        a.append((back - slow) / (k + 1))
        b.append((slow - back - fast) / (k + 1))
        c.append(fast / (k + 1))
    return [a, b, c]


integrate("van der Pol, mu = 1", van_der_pol(D(1)), [2, 0], [20], 30)
integrate("van der Pol, mu = 100", van_der_pol(D(100)), [2, 0], [50, 100], 30)
integrate("Robertson", robertson, [1, 0, 0], [40], 24)
