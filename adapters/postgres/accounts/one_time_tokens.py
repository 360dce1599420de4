"""One-time tokens in PostgreSQL."""

from datetime import datetime

from attrs import frozen
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.connections import Connections
from footfall.application.ports.accounts.sign_in_ways import OneTimeToken, TokenPurpose


@frozen
class PostgresOneTimeTokens:
    """OneTimeTokens over the table `one_time_token`; a row is deleted by the one call that gets it."""

    _connections: Connections

    async def store(self, token: OneTimeToken) -> None:
        """Keep a token."""
        values = {
            "digest": token.digest,
            "purpose": token.purpose.value,
            "user_id": token.user_id,
            "address": token.address,
            "expires_at": token.expires_at,
        }
        await self._connections.run("accounts/sign_ins/store_token", **values)

    async def find(self, digest: str, purpose: TokenPurpose, *, now: datetime) -> OneTimeToken | None:
        """Return a token that can be redeemed now."""
        return await self._row("find_token", digest, purpose, now)

    async def redeem(self, digest: str, purpose: TokenPurpose, *, now: datetime) -> OneTimeToken | None:
        """Delete a token and return it."""
        return await self._row("redeem_token", digest, purpose, now)

    async def forget_expired(self, now: datetime) -> None:
        """Delete expired tokens."""
        await self._connections.run("accounts/sign_ins/forget_expired_tokens", now=now)

    async def forget_user(self, user_id: str) -> None:
        """Delete the tokens of a user."""
        await self._connections.run("accounts/sign_ins/forget_tokens", user_id=user_id)

    async def _row(self, name: str, digest: str, purpose: TokenPurpose, now: datetime) -> OneTimeToken | None:
        values = {"digest": digest, "purpose": purpose.value, "now": now}
        row = await self._connections.row(f"accounts/sign_ins/{name}", **values)
        return None if row is None else _token(row)


def _token(row: DictRow) -> OneTimeToken:
    return OneTimeToken(**{**row, "purpose": TokenPurpose(row["purpose"])})
