"""Names and addresses of users, in memory."""

from collections.abc import Iterable

from attrs import define, field

from footfall.domain.accounts.person import AddressTaken, Person, same_address


@define
class MemoryPeople:
    """People over a dict."""

    _people: dict[str, Person] = field(factory=dict, init=False, repr=False)

    async def of(self, user_ids: Iterable[str]) -> dict[str, Person]:
        """Return these users' persons by user id."""
        return {user_id: self._people[user_id] for user_id in user_ids if user_id in self._people}

    async def by_verified_address(self, address: str) -> Person | None:
        """Return the person who has verified this address."""
        for person in self._people.values():
            if person.verified_address and same_address(person.verified_address, address):
                return person
        return None

    async def save(self, person: Person) -> None:
        """Store the person unless the verified address is another user's."""
        if person.verified_address:
            other = await self.by_verified_address(person.verified_address)
            if other is not None and other.user_id != person.user_id:
                raise AddressTaken
        self._people[person.user_id] = person

    async def forget(self, user_id: str) -> None:
        """Erase what is stored about the user."""
        self._people.pop(user_id, None)
