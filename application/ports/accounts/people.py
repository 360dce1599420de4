"""Persons: the names and addresses of users, apart from the journal so that they can be erased."""

from collections.abc import Iterable
from typing import Protocol

from footfall.domain.accounts.person import Person


class People(Protocol):
    """Keeps the name and the address of each user.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def of(self, user_ids: Iterable[str]) -> dict[str, Person]:
        """Return these users' persons by user id; a user without name and address is not in it."""

    async def by_verified_address(self, address: str) -> Person | None:
        """Return the person who has verified this address; letter case does not count."""

    async def save(self, person: Person) -> None:
        """Store the person in place of what is stored about the user.

        Raises:
            AddressTaken: the person's address is verified, and so is the same address of another user.

        """

    async def forget(self, user_id: str) -> None:
        """Erase the user's name and address; nothing happens when none are stored."""
