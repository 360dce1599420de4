"""The map of a breakdown by country: which countries it draws, and how strongly (docs/read/dashboard.md#locations)."""

import math
import re
from collections.abc import Iterable
from functools import cache

from attrs import frozen

from footfall.adapters.web.assets import FOLDER
from footfall.domain.traffic.breakdown import BreakdownRow

# A breakdown by country has fewer values than this.
MOST_COUNTRIES = 300
# The country with the least sessions still differs from one without any.
_WEAKEST = 0.15
_ID = re.compile(r' id="([A-Z]{2})"')


@frozen
class MapCountry:
    """A country of the map by its two-letter code; `strength` is its opacity, from 0.15 to 1."""

    code: str
    count: int
    strength: float


def map_countries(rows: Iterable[BreakdownRow]) -> list[MapCountry]:
    """Return the countries that the map draws; very small territories are in the list beside it only.

    The strength grows with the square root of the count: most sites have far more visitors from one country than from
    all others.
    """
    countries = [row for row in rows if row.value in _drawn() and row.count]
    most = max((row.count for row in countries), default=1)
    return [MapCountry(row.value, row.count, _strength(row.count / most)) for row in countries]


def _strength(share: float) -> float:
    return round(_WEAKEST + (1 - _WEAKEST) * math.sqrt(share), 2)


@cache
def _drawn() -> frozenset[str]:
    """Return the codes of the outlines in the drawing, read once for the process."""
    return frozenset(_ID.findall((FOLDER / "world.svg").read_text(encoding="utf-8")))
