"""Identifiers counted in memory."""

from itertools import count


class MemoryIdentifiers:
    """Identifiers that start at 1 in every process."""

    def __init__(self) -> None:
        self._organizations, self._users, self._keys = count(1), count(1), count(1)
        self._sites, self._goals = count(1), count(1)

    async def next_organization(self) -> str:
        """Return the id of an organization to be."""
        return str(next(self._organizations))

    async def next_user(self) -> str:
        """Return the id of a user to be."""
        return str(next(self._users))

    async def next_site(self) -> int:
        """Return the numeric id of a site to be."""
        return next(self._sites)

    async def next_goal(self) -> int:
        """Return the id of a goal to be."""
        return next(self._goals)

    async def next_api_key(self) -> int:
        """Return the id of an API key to be."""
        return next(self._keys)
