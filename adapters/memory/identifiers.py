"""Identifiers counted in memory."""

from collections.abc import Iterator
from itertools import count

from attrs import define, field


@define(eq=False, slots=False)  # tests replace single methods
class MemoryIdentifiers:
    """Identifiers that start at 1 in every process."""

    _organizations: Iterator[int] = field(factory=lambda: count(1), init=False)
    _users: Iterator[int] = field(factory=lambda: count(1), init=False)
    _keys: Iterator[int] = field(factory=lambda: count(1), init=False)
    _sites: Iterator[int] = field(factory=lambda: count(1), init=False)
    _goals: Iterator[int] = field(factory=lambda: count(1), init=False)
    _funnels: Iterator[int] = field(factory=lambda: count(1), init=False)

    async def next_organization(self) -> str:
        """Return the id of a new organization."""
        return str(next(self._organizations))

    async def next_user(self) -> str:
        """Return the id of a new user."""
        return str(next(self._users))

    async def next_site(self) -> int:
        """Return the numeric id of a new site."""
        return next(self._sites)

    async def next_goal(self) -> int:
        """Return the id of a new goal."""
        return next(self._goals)

    async def next_funnel(self) -> int:
        """Return the id of a new funnel."""
        return next(self._funnels)

    async def next_api_key(self) -> int:
        """Return the id of a new API key."""
        return next(self._keys)
