"""Salts of visitor hashes in PostgreSQL, sealed with a key that is in no backup (docs/operate/backup.md#salts)."""

from datetime import datetime
from typing import Any

from attrs import frozen

from footfall.adapters.postgres.database.connections import Connections
from footfall.application.ports.system import Randomness, SaltsSealed, Sealing
from footfall.domain.sites.visitor_reach import ReachSpan, VisitorReach


@frozen
class PostgresSalts:
    """Salts over their tables: the first worker that needs the salt of a span makes it for all."""

    _connections: Connections
    _randomness: Randomness
    _sealing: Sealing

    async def of(self, span: ReachSpan) -> bytes:
        """Return the salt of a span, the same for every worker."""
        values = {**_values(span), "salt": self._sealed(self._randomness.salt())}
        await self._connections.run(f"intake/salts/make_salt_of_{_kind(span)}", **values)
        salt = await self.known(span)
        assert salt is not None  # noqa: S101 - salts are destroyed a day after their spans
        return salt

    async def known(self, span: ReachSpan) -> bytes | None:
        """Return the salt of a span if there is one."""
        row = await self._connections.row(f"intake/salts/read_salt_of_{_kind(span)}", **_values(span))
        return None if row is None else self._opened(bytes(row["salt"]))

    async def destroy(self, *, ended_by: datetime) -> None:
        """Delete the salts of spans that were over by then."""
        async with self._connections.connection() as connection:
            for kind in ("days", "spans"):
                await connection.run(f"intake/salts/destroy_salts_of_{kind}", ended_by=ended_by)

    async def are_foreign(self) -> bool:
        """Whether a salt was sealed with another key."""
        return any(map(self._is_foreign, await self._stored()))

    async def draw_anew(self) -> None:
        """Forget the salts that were sealed with another key, so that new ones are drawn."""
        for stored in await self._stored():
            if self._is_foreign(stored):
                await self._forget(stored)

    async def _stored(self) -> list[bytes]:
        rows = await self._connections.rows("intake/salts/every_salt")
        return [bytes(row["salt"]) for row in rows]

    async def _forget(self, stored: bytes) -> None:
        async with self._connections.connection() as connection:
            for kind in ("day", "span"):
                await connection.run(f"intake/salts/forget_salt_of_{kind}", stored=stored)

    def _is_foreign(self, stored: bytes) -> bool:
        return self._sealing.open(stored.decode()) is None

    def _sealed(self, salt: bytes) -> bytes:
        return self._sealing.seal(salt.hex()).encode()

    def _opened(self, stored: bytes) -> bytes:
        text = self._sealing.open(stored.decode())
        if text is None:
            raise SaltsSealed
        return bytes.fromhex(text)


def _kind(span: ReachSpan) -> str:
    return "day" if span.reach is VisitorReach.DAY else "span"


def _values(span: ReachSpan) -> dict[str, Any]:
    return {"day": span.first, "span": span.name, "ends_at": span.ends_at}
