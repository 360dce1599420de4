"""The persons whom pages name."""

from collections.abc import Iterable

from footfall.application.ports.accounts.people import People
from footfall.domain.accounts.person import Person


async def people_of(people: People, user_ids: Iterable[str]) -> dict[str, Person]:
    """Return the persons behind these users, for each of them one."""
    ids = list(user_ids)
    persons = await people.of(ids)
    return {user_id: persons.get(user_id, Person(user_id=user_id)) for user_id in ids}
