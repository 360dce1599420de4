"""Passkeys in PostgreSQL."""

from datetime import datetime

from attrs import frozen
from psycopg.errors import UniqueViolation
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.connections import Connections, StoreConnection
from footfall.application.ports.accounts.passkeys import Credential, Passkey, PasskeyKnown


@frozen
class PostgresPasskeys:
    """Passkeys over the table `passkey`."""

    _connections: Connections

    async def add(self, passkey: Passkey) -> None:
        """Store a passkey."""
        async with self._connections.connection() as connection:
            await add_passkey(connection, passkey)

    async def by_credential(self, credential_id: bytes) -> Passkey | None:
        """Return the passkey with this credential."""
        row = await self._connections.row(
            "accounts/sign_ins/passkey_by_credential", credential_id=credential_id
        )
        return None if row is None else _passkey(row)

    async def of_user(self, user_id: str) -> list[Passkey]:
        """Return the passkeys of a user."""
        rows = await self._connections.rows("accounts/sign_ins/passkeys_of_user", user_id=user_id)
        return [_passkey(row) for row in rows]

    async def record_use(self, passkey: Passkey, *, sign_count: int, at: datetime) -> bool:
        """Store a use unless another one came first."""
        values = {
            "credential_id": passkey.credential.credential_id,
            "before": passkey.credential.sign_count,
            "sign_count": sign_count,
            "at": at,
        }
        return await self._connections.run("accounts/sign_ins/use_passkey", **values) == 1

    async def remove(self, user_id: str, passkey_id: str) -> None:
        """Delete a passkey of a user."""
        values = {"user_id": user_id, "passkey_id": passkey_id}
        await self._connections.run("accounts/sign_ins/remove_passkey", **values)

    async def forget_user(self, user_id: str) -> None:
        """Delete the passkeys of a user."""
        await self._connections.run("accounts/sign_ins/forget_passkeys", user_id=user_id)


def _passkey(row: DictRow) -> Passkey:
    credential = Credential(
        credential_id=row.pop("credential_id"),
        public_key=row.pop("public_key"),
        sign_count=row.pop("sign_count"),
    )
    return Passkey(**row, credential=credential)


async def add_passkey(connection: StoreConnection, passkey: Passkey) -> None:
    """Store a passkey over a connection.

    Raises:
        PasskeyKnown: its credential is stored already.

    """
    values = {
        "passkey_id": passkey.passkey_id,
        "user_id": passkey.user_id,
        "name": passkey.name,
        "rp_id": passkey.rp_id,
        "credential_id": passkey.credential.credential_id,
        "public_key": passkey.credential.public_key,
        "sign_count": passkey.credential.sign_count,
        "created_at": passkey.created_at,
        "last_used_at": passkey.last_used_at,
    }
    try:
        await connection.run("accounts/sign_ins/add_passkey", **values)
    except UniqueViolation:
        raise PasskeyKnown from None
