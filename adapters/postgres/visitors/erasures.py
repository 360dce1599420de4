"""Erasures of visitors in PostgreSQL: asked for, found, and finished."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime
from functools import partial
from time import monotonic
from typing import Any
from uuid import UUID

from attrs import asdict, frozen
from psycopg import sql
from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from footfall.adapters.postgres.database.advisory_locks import (
    AdvisoryLock,
    holding_lock,
    release,
    try_acquire,
)
from footfall.adapters.postgres.database.connections import Connections, StoreConnection
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.sql_files import compose, statement
from footfall.adapters.postgres.intake.high_water_mark import wait_for_high_water_mark
from footfall.adapters.postgres.projections.read_models import READ_MODELS
from footfall.adapters.postgres.visitors.erasing import Erasing
from footfall.adapters.postgres.visitors.visitor_data import own_sessions, subject_values
from footfall.application.ports.erasure_list import ListedErasure
from footfall.application.ports.visitor_erasures import (
    ErasureStep,
    ExportedCopy,
    LockedVisitorErasures,
    Requester,
    RowSums,
    VisitorErasure,
)
from footfall.domain.visits.subject import Subject

_FOLDER = "visitors/erasure"
# What these do to the hits of a site would be told apart from the erasure by no sum; a rebuild holds both.
_OTHERS = (AdvisoryLock.RETENTION, AdvisoryLock.UNDO)
# At full load the projector is less than a second behind.
PROJECTED_SECONDS = 2.0
_LOOK_SECONDS = 0.05
_IDS = 10_000

EraseSome = Callable[[StoreConnection, int, UUID], Erasing]
_COUNTS = ("visits", "hits", "errors", "measures", "mails")


@frozen
class AwaitedNode:
    """A node that is waited for, and when it was last seen."""

    node: UUID
    seen_at: datetime


@frozen
class PostgresVisitorErasures:
    """VisitorErasures and ErasureQueue over the table `visitor_erasure`."""

    _connections: Connections
    _url: str
    _erasing: EraseSome = Erasing

    async def request(self, site_id: int, erasure: VisitorErasure) -> None:
        """Store an erasure."""
        subject = erasure.subject or Subject()
        values = {
            **subject_values(site_id, subject),
            **asdict(erasure.requester),
            "erasure": erasure.erasure,
            "requested_at": erasure.requested_at,
            "not_found": list(erasure.not_found),
            "selectors": list(erasure.selectors),
        }
        await self._connections.run(f"{_FOLDER}/request", **values)

    async def of_site(self, site_id: int) -> Sequence[VisitorErasure]:
        """Return the erasures of a site."""
        rows = await self._connections.rows(f"{_FOLDER}/of_site", site_id=site_id)
        return [_erasure(row) for row in rows]

    async def sources(self, site_id: int) -> Sequence[str]:
        """Return the sources that can bring events of a visitor again."""
        rows = await self._connections.rows(f"{_FOLDER}/sources", site_id=site_id)
        return [row["source"] for row in rows]

    async def awaited_nodes(self, erasure: VisitorErasure) -> Sequence[AwaitedNode]:
        """Return the nodes that have not removed their files with what was erased, while these are waited for."""
        if erasure.step is not ErasureStep.SWEEPING:
            return []
        rows = await self._connections.rows(f"{_FOLDER}/unswept_nodes", erasure=erasure.erasure)
        return [AwaitedNode(**row) for row in rows]

    async def listed(self) -> Sequence[ListedErasure]:
        """Return the erasures of sites and visitors that lists outside of the store have."""
        return [ListedErasure(**row) for row in await self._connections.rows(f"{_FOLDER}/listed")]

    async def waiting(self) -> Sequence[VisitorErasure]:
        """Return the erasures that are not finished, the first one that was asked for first."""
        return [_erasure(row) for row in await self._connections.rows(f"{_FOLDER}/waiting")]

    async def known(self) -> frozenset[UUID]:
        """Return the ids of all erasures of visitors."""
        rows = await self._connections.rows(f"{_FOLDER}/every_erasure")
        return frozenset([row["erasure"] for row in rows])

    async def found(self, site_id: int, find: Callable[[Iterable[str], Iterable[int]], Subject]) -> Subject:
        """Return whom `find` picks among the user ids and the browsers of a site, which are read in pieces."""
        subject = Subject()
        for kind in ("users", "browsers"):
            async with (
                self._connections.connection() as connection,
                connection.transaction(),
                connection.cursor("ids") as cursor,
            ):
                await cursor.execute(statement(f"{_FOLDER}/{kind}_of_site"), {"site_id": site_id})
                while rows := await cursor.fetchmany(_IDS):
                    ids = [row["id"] for row in rows]
                    selected = find(ids, ()) if kind == "users" else find((), ids)
                    subject = Subject(subject.users | selected.users, subject.visitors | selected.visitors)
        return subject

    async def is_waiting(self) -> bool:
        """Whether an erasure is not finished."""
        return bool(await self._connections.value(f"{_FOLDER}/is_waiting"))

    @asynccontextmanager
    async def lock(self) -> AsyncIterator[LockedVisitorErasures | None]:
        """Lend the lock, with a connection of its own."""
        async with holding_lock(AdvisoryLock.VISITORS, self._url) as connection:
            yield None if connection is None else _PostgresLocked(connection, self._erasing)


@frozen
class _PostgresLocked:
    """LockedVisitorErasures over the connection that holds the lock: each step is durable when it returns."""

    _connection: StoreConnection
    _erasing: EraseSome

    async def waiting(self) -> Sequence[VisitorErasure]:
        with translated():
            return [_erasure(row) for row in await self._connection.rows(f"{_FOLDER}/waiting")]

    async def keep_selectors(self, erasure: VisitorErasure, selectors: Sequence[str]) -> None:
        with translated():
            await self._run("keep_selectors", erasure, selectors=list(selectors))

    async def find(self, erasure: VisitorErasure) -> bool:
        subject = erasure.subject or Subject()
        values = {**subject_values(erasure.site_id, subject), "erasure": erasure.erasure}
        with translated():
            newest = await wait_for_high_water_mark(self._connection)
            await self._wait_until_projected(newest)
            # One snapshot, so that no visit is missed or found twice while late hits change visits.
            async with self._connection.transaction():
                await self._connection.run(f"{_FOLDER}/begin_snapshot")
                [row] = await self._connection.rows("visitors/own/projected")
                if row["projected"] < newest:
                    return False
                async for own in own_sessions(self._connection.rows, {**values, **row}):
                    of_session = {name: own.row[name] for name in ("visitor_id", "started_at", "ended_at")}
                    noted = {**values, **row, **of_session, "takes_unnamed": own.takes_unnamed}
                    await self._connection.run(f"{_FOLDER}/note_hits", **noted)
                await self._run("found", erasure, **row)
        return True

    async def _wait_until_projected(self, newest: int) -> None:
        """Return when the projector has come so far, or does not for some time: beside traffic it is always behind."""
        until = monotonic() + PROJECTED_SECONDS
        while monotonic() < until:
            if await self._connection.value("visitors/own/projected") >= newest:
                return
            await asyncio.sleep(_LOOK_SECONDS)

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[bool]:
        async with AsyncExitStack() as stack:
            for lock in _OTHERS:
                with translated():
                    if not await try_acquire(lock, self._connection):
                        yield False
                        return
                stack.push_async_callback(self._release, lock)
            yield True

    async def measure_before(self, erasure: VisitorErasure) -> None:
        with translated():
            await self._run("keep_before", erasure)
        await self._measure(erasure)

    async def measure_after(self, erasure: VisitorErasure) -> None:
        await self._measure(erasure)

    async def erase_some(self, erasure: VisitorErasure) -> bool:
        with translated():
            return await self._erasing(self._connection, erasure.site_id, erasure.erasure).run()

    async def add_mails(self, erasure: VisitorErasure, mails: int) -> None:
        with translated():
            await self._run("add_mails", erasure, mails=mails)

    async def move(self, erasure: VisitorErasure, step: ErasureStep) -> None:
        with translated():
            await self._run("move", erasure, step=step.value)

    async def unswept_nodes(self, erasure: VisitorErasure) -> Sequence[UUID]:
        with translated():
            rows = await self._connection.rows(f"{_FOLDER}/unswept_nodes", erasure=erasure.erasure)
        return [row["node"] for row in rows]

    async def read_models(self, site_id: int) -> Mapping[str, RowSums]:
        rows = partial(compose, "database/tables/rows", columns=sql.SQL("*"))
        values = {"site_id": site_id}
        return {name: await self._sums(rows(table=sql.Identifier(name)), values) for name in READ_MODELS}

    async def copies(self, erasure: VisitorErasure) -> Sequence[ExportedCopy]:
        values = {"site_id": erasure.site_id, "erasure": erasure.erasure}
        with translated():
            rows = await self._connection.rows(f"{_FOLDER}/copies", **values)
        return [ExportedCopy(**row) for row in rows]

    async def left(self, erasure: VisitorErasure) -> int:
        subject = erasure.subject or Subject()
        with translated():
            [row] = await self._connection.rows(f"{_FOLDER}/found_up_to", erasure=erasure.erasure)
            values = {**subject_values(erasure.site_id, subject), **row}
            # Others may have held visits together that fall apart: hits without a user id, not told apart before, stay.
            own = "named" if subject.users else "own"
            return sum([session.row[own] async for session in own_sessions(self._connection.rows, values)])

    async def sources(self, site_id: int) -> Sequence[str]:
        with translated():
            rows = await self._connection.rows(f"{_FOLDER}/sources", site_id=site_id)
        return [row["source"] for row in rows]

    async def keep_differences(self, erasure: VisitorErasure, differences: Mapping[str, int]) -> None:
        with translated():
            await self._run("keep_differences", erasure, differences=Jsonb(differences))

    async def drop(self, erasure: VisitorErasure) -> None:
        with translated():
            async with self._connection.transaction():
                for name in ("forget_hits", "forget_sweeps", "drop"):
                    await self._run(name, erasure)

    async def finish(self, erasure: VisitorErasure, certificate: Mapping[str, Any], at: datetime) -> None:
        with translated():
            async with self._connection.transaction():
                await self._run("merge_notes", erasure, site_id=erasure.site_id)
                await self._run("forget_sweeps", erasure)
                await self._run("finish", erasure, certificate=Jsonb(certificate), finished_at=at)

    async def _release(self, lock: AdvisoryLock) -> None:
        if not self._connection.closed:
            with translated():
                await release(lock, self._connection)

    async def _measure(self, erasure: VisitorErasure) -> None:
        values = {"site_id": erasure.site_id, "erasure": erasure.erasure}
        sums = await self._sums(compose(f"{_FOLDER}/hits_that_stay"), values)
        with translated():
            await self._run("keep_sums", erasure, sums=Jsonb(asdict(sums)))

    async def _sums(self, rows: sql.Composed, values: Mapping[str, Any]) -> RowSums:
        query = compose(f"{_FOLDER}/fingerprint", own=rows)
        with translated():
            [row] = await self._connection.rows(query, **values)
        return RowSums(**row)

    async def _run(self, name: str, erasure: VisitorErasure, **values: Any) -> None:
        await self._connection.run(f"{_FOLDER}/{name}", erasure=erasure.erasure, **values)


def _erasure(row: DictRow) -> VisitorErasure:
    is_known = row["users"] is not None
    return VisitorErasure(
        erasure=row["erasure"],
        site_id=row["site_id"],
        requested_at=row["requested_at"],
        requester=Requester(
            user_id=row["user_id"], key_prefix=row["key_prefix"], request_id=row["request_id"]
        ),
        not_found=row["not_found"],
        subject=Subject(frozenset(row["users"]), frozenset(row["visitors"])) if is_known else None,
        step=ErasureStep(row["step"]),
        before=row["before"] and RowSums(**row["before"]),
        after=row["after"] and RowSums(**row["after"]),
        differences=row["differences"],
        certificate=row["certificate"],
        finished_at=row["finished_at"],
        selectors=row["selectors"],
        **{name: row[name] for name in _COUNTS},
    )
