"""Conversions lost after an error: the Mantel-Haenszel difference of rates with its interval.

See docs/errors/error-costs.md.
"""

from collections.abc import Mapping
from decimal import Decimal
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


@frozen(kw_only=True)
class LostMoney:
    """What lost conversions are worth, with the ends of the interval; negative as conversions are."""

    lost: float
    low: float
    high: float


def money_lost(loss: Loss, total: Decimal, conversions: int) -> LostMoney | None:
    """Return what a loss is worth when each conversion is the mean of some that brought a total; None without these."""
    if not conversions:
        return None
    each = float(total / conversions)
    low, high = sorted((loss.low * each, loss.high * each))
    return LostMoney(lost=loss.lost * each, low=low, high=high)


def estimate_loss(strata: Mapping[Stratum, int]) -> Loss | None:
    """Return the loss over all strata that have sessions of both kinds; None when there is no such stratum.

    Most strata are small, and many are equal: each stands with the number of times that it occurs. The sums do not
    depend on the order.

    The difference of the rates is a mean over the strata, weighted as Mantel and Haenszel do, so that strata of few
    sessions can be used. Its interval is that of Klingenberg (2014): the differences that are not refuted with the
    variance of Sato (1989). With few conversions that variance is too small: where the test of Mantel and Haenszel,
    whose variance is exact, does not refute that both convert alike, the interval holds 0.
    """
    used = [(stratum, times) for stratum, times in strata.items() if stratum.met and stratum.others]
    if not used:
        return None
    weight = fsum(times * stratum.met * stratum.others / _size(stratum) for stratum, times in used)
    excess = fsum(times * _excess(stratum) for stratum, times in used)
    difference = max(min(excess / weight, 1.0), -1.0)
    slope = fsum(times * _slope(stratum) for stratum, times in used) / weight**2
    level = fsum(times * _level(stratum) for stratum, times in used) / weight**2
    low, high = _interval(difference, slope, level)
    if excess * excess <= _CHI_SQUARE * fsum(times * _chance(stratum) for stratum, times in used):
        low, high = min(low, 0.0), max(high, 0.0)
    compared = sum(times * stratum.met for stratum, times in used)
    return Loss(
        compared=compared,
        compared_converted=sum(times * stratum.met_converted for stratum, times in used),
        others=sum(times * stratum.others for stratum, times in used),
        others_converted=sum(times * stratum.others_converted for stratum, times in used),
        lost=compared * difference,
        low=compared * low,
        high=compared * high,
    )


def _interval(difference: float, slope: float, level: float) -> tuple[float, float]:
    """Return between which x `difference - x` has a square of at most `slope * x + level` times the quantile's."""
    middle = difference + _CHI_SQUARE * slope / 2
    spread = sqrt(max(middle * middle - difference * difference + _CHI_SQUARE * level, 0.0))
    return max(min(middle - spread, difference), -1.0), min(max(middle + spread, difference), 1.0)


def _excess(stratum: Stratum) -> float:
    return (stratum.others_converted * stratum.met - stratum.met_converted * stratum.others) / _size(stratum)


def _slope(stratum: Stratum) -> float:
    n1, n0, a, c = stratum.others, stratum.met, stratum.others_converted, stratum.met_converted
    return (n1 * n1 * c - n0 * n0 * a + n1 * n0 * (n0 - n1) / 2) / _size(stratum) ** 2


def _level(stratum: Stratum) -> float:
    n1, n0, a, c = stratum.others, stratum.met, stratum.others_converted, stratum.met_converted
    return (a * (n0 - c) + c * (n1 - a)) / (2 * _size(stratum))


def _chance(stratum: Stratum) -> float:
    """Return the variance of the excess when chance alone decides who of the stratum met the error."""
    size, converted = _size(stratum), stratum.met_converted + stratum.others_converted
    return stratum.met * stratum.others * converted * (size - converted) / (size * size * (size - 1))


def _size(stratum: Stratum) -> int:
    return stratum.met + stratum.others
