"""Names and addresses of users, in PostgreSQL."""

from collections.abc import Iterable

from attrs import asdict, frozen
from psycopg.errors import UniqueViolation

from footfall.adapters.postgres.database.connections import Connections, StoreConnection
from footfall.domain.accounts.person import AddressTaken, Person


@frozen
class PostgresPeople:
    """People over the table `person`."""

    _connections: Connections

    async def of(self, user_ids: Iterable[str]) -> dict[str, Person]:
        """Return these users' persons by user id."""
        rows = await self._connections.rows("accounts/people/read_people", user_ids=sorted(set(user_ids)))
        return {row["user_id"]: Person(**row) for row in rows}

    async def by_verified_address(self, address: str) -> Person | None:
        """Return the person who has verified this address."""
        row = await self._connections.row("accounts/people/person_by_address", address=address)
        return None if row is None else Person(**row)

    async def save(self, person: Person) -> None:
        """Store the person unless the verified address is another user's."""
        async with self._connections.connection() as connection:
            await save_person(connection, person)

    async def forget(self, user_id: str) -> None:
        """Erase what is stored about the user."""
        await self._connections.run("accounts/people/forget_person", user_id=user_id)


async def save_person(connection: StoreConnection, person: Person) -> None:
    """Store a person over a connection.

    Raises:
        AddressTaken: the address is verified, and so is the same address of another user.

    """
    try:
        await connection.run("accounts/people/save_person", **asdict(person))
    except UniqueViolation:
        # The key of the table is part of the statement: only the index of addresses can refuse.
        raise AddressTaken from None
