"""Speed of the pages of the demonstration: slow networks and devices make a long tail, heavy pages a longer one."""

import random
from collections.abc import Mapping
from types import MappingProxyType

from footfall.entrypoints.demo.shop import DemoDevice, DemoLocation

_SERVER = 90.0
# The weight of each page relative to the lightest one.
_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "/": 1.25,
        "/products": 1.5,
        "/products/trail": 1.9,
        "/products/city": 1.8,
        "/blog/a-walk-through-the-alps": 2.3,
        "/checkout": 1.15,
    }
)
# Pages whose late pictures or notices move the content below.
_UNSTEADY: Mapping[str, float] = MappingProxyType(
    {"/products": 3.0, "/blog/a-walk-through-the-alps": 5.0, "/checkout": 2.0}
)


class Speed:
    """The web vitals of one visit, whose network and device are equally fast on all of its pages."""

    def __init__(self, chance: random.Random, device: DemoDevice, place: DemoLocation) -> None:
        self._chance = chance
        self._slowness = device.slowness
        # Most networks are good, a few are very slow.
        self._network = chance.lognormvariate(0.0, 0.45)
        self._distance = place.distance

    def measure(self, path: str) -> dict[str, float | None]:
        """Return the web vitals of a page: nothing is painted before the first byte."""
        chance, weight = self._chance, _WEIGHTS.get(path, 1.0)
        ttfb = (self._distance * 2 + _SERVER) * self._network * chance.lognormvariate(0.0, 0.35)
        fcp = ttfb + 520 * self._slowness * self._network * chance.lognormvariate(0.0, 0.35)
        lcp = fcp + 420 * weight * self._slowness * self._network * chance.lognormvariate(0.0, 0.6)
        # A visitor who touches nothing has no interaction to measure.
        inp = 62 * self._slowness * chance.lognormvariate(0.0, 0.75) if chance.random() < 0.7 else None  # noqa: PLR2004
        return {
            "ttfb": round(ttfb, 1),
            "fcp": round(fcp, 1),
            "lcp": round(lcp, 1),
            "inp": None if inp is None else round(inp / 8) * 8.0,
            "cls": self._shift(path),
        }

    def _shift(self, path: str) -> float:
        # Half of all views do not move at all.
        if self._chance.random() < 0.5:  # noqa: PLR2004
            return 0.0
        return round(min(self._chance.expovariate(20 / _UNSTEADY.get(path, 1.0)), 1.5), 4)
