"""Conversions lost after an error: the Mantel-Haenszel difference of rates with its interval (docs/error-costs.md)."""

from collections.abc import Mapping
from math import fsum, sqrt

from attrs import frozen

# The square of the standard normal quantile of a two-sided interval of 95 %.
_CHI_SQUARE = 1.959963984540054**2


@frozen
class Stratum:
    """Comparable sessions: those that met an error and those that did not, each with how many of them converted."""

    met: int
    met_converted: int
    others: int
    others_converted: int


@frozen(kw_only=True)
class Loss:
    """An estimate of the conversions that an error cost the sessions that met it.

    `compared` of the sessions that met it are in a stratum with others; only these count. `lost` is negative where
    sessions that met the error convert more often. The interval from `low` to `high` is one of 95 %.
    """

    compared: int
    compared_converted: int
    others: int
    others_converted: int
    lost: float
    low: float
    high: float

    @property
    def is_costly(self) -> bool:
        """Whether the whole interval lies above 0."""
        return self.low > 0


def estimate_loss(strata: Mapping[Stratum, int]) -> Loss | None:
    """Return the loss over all strata that have sessions of both kinds; None when there is no such stratum.

    Most strata are small, and many are equal: each stands with the number of times that it occurs. The sums do not
    depend on the order.

    The difference of the rates is a mean over the strata, weighted as Mantel and Haenszel do, so that strata of few
    sessions can be used. Its interval is that of Klingenberg (2014): the differences that are not refuted with the
    variance of Sato (1989). With few conversions that variance is too small: where the test of Mantel and Haenszel,
    whose variance is exact, does not refute that both convert alike, the interval holds 0.
    """
    used = [(one, times) for one, times in strata.items() if one.met and one.others]
    if not used:
        return None
    weight = fsum(times * one.met * one.others / _size(one) for one, times in used)
    excess = fsum(times * _excess(one) for one, times in used)
    difference = max(min(excess / weight, 1.0), -1.0)
    slope = fsum(times * _slope(one) for one, times in used) / weight**2
    level = fsum(times * _level(one) for one, times in used) / weight**2
    low, high = _interval(difference, slope, level)
    if excess * excess <= _CHI_SQUARE * fsum(times * _chance(one) for one, times in used):
        low, high = min(low, 0.0), max(high, 0.0)
    compared = sum(times * one.met for one, times in used)
    return Loss(
        compared=compared,
        compared_converted=sum(times * one.met_converted for one, times in used),
        others=sum(times * one.others for one, times in used),
        others_converted=sum(times * one.others_converted for one, times in used),
        lost=compared * difference,
        low=compared * low,
        high=compared * high,
    )


def _interval(difference: float, slope: float, level: float) -> tuple[float, float]:
    """Return between which x `difference - x` has a square of at most `slope * x + level` times the quantile's."""
    middle = difference + _CHI_SQUARE * slope / 2
    spread = sqrt(max(middle * middle - difference * difference + _CHI_SQUARE * level, 0.0))
    return max(min(middle - spread, difference), -1.0), min(max(middle + spread, difference), 1.0)


def _excess(one: Stratum) -> float:
    return (one.others_converted * one.met - one.met_converted * one.others) / _size(one)


def _slope(one: Stratum) -> float:
    n1, n0, a, c = one.others, one.met, one.others_converted, one.met_converted
    return (n1 * n1 * c - n0 * n0 * a + n1 * n0 * (n0 - n1) / 2) / _size(one) ** 2


def _level(one: Stratum) -> float:
    n1, n0, a, c = one.others, one.met, one.others_converted, one.met_converted
    return (a * (n0 - c) + c * (n1 - a)) / (2 * _size(one))


def _chance(one: Stratum) -> float:
    """Return the variance of the excess when chance alone decides who of the stratum met the error."""
    size, converted = _size(one), one.met_converted + one.others_converted
    return one.met * one.others * converted * (size - converted) / (size * size * (size - 1))


def _size(one: Stratum) -> int:
    return one.met + one.others
