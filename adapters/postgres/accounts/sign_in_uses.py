"""Browsers and last uses of sign-ins, in PostgreSQL."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from attrs import frozen

from footfall.adapters.postgres.database.connections import Connections
from footfall.application.ports.accounts.sign_in_uses import SignInUse


@frozen
class PostgresSignInUses:
    """SignInUses over the table `sign_in_use`."""

    _connections: Connections

    async def record(self, uses: Sequence[SignInUse]) -> None:
        """Store the use of each sign-in unless a later one is stored."""
        # Sorted, so that two workers which record the same ones cannot deadlock.
        ordered = sorted(uses, key=lambda use: use.handle)
        await self._connections.run(
            "accounts/sign_ins/record_sign_in_uses",
            handles=[use.handle for use in ordered],
            user_ids=[use.user_id for use in ordered],
            devices=[use.device for use in ordered],
            used_at=[use.last_used_at for use in ordered],
        )

    async def of(self, handles: Iterable[str]) -> dict[str, SignInUse]:
        """Return the last use of each of these sign-ins."""
        rows = await self._connections.rows("accounts/sign_ins/read_sign_in_uses", handles=list(handles))
        return {row["handle"]: SignInUse(**row) for row in rows}

    async def forget_user(self, user_id: str) -> None:
        """Erase the uses of a user's sign-ins."""
        await self._connections.run("accounts/sign_ins/forget_sign_in_uses", user_id=user_id)

    async def forget_before(self, moment: datetime) -> None:
        """Erase the uses before this time."""
        await self._connections.run("accounts/sign_ins/forget_old_sign_in_uses", moment=moment)
