"""Identifiers counted in memory."""

from collections import Counter

from attrs import define, field


@define(eq=False, slots=False)  # tests replace single methods
class MemoryIdentifiers:
    """Identifiers that start at 1 in every process."""

    _last: Counter[str] = field(factory=Counter, init=False)

    async def next_organization(self) -> str:
        """Return the id of a new organization."""
        return str(self._next("organizations"))

    async def next_user(self) -> str:
        """Return the id of a new user."""
        return str(self._next("users"))

    async def next_site(self) -> int:
        """Return the numeric id of a new site."""
        return self._next("sites")

    async def next_goal(self) -> int:
        """Return the id of a new goal."""
        return self._next("goals")

    async def next_funnel(self) -> int:
        """Return the id of a new funnel."""
        return self._next("funnels")

    async def next_api_key(self) -> int:
        """Return the id of a new API key."""
        return self._next("keys")

    def _next(self, kind: str) -> int:
        self._last[kind] += 1
        return self._last[kind]
