"""The sessions of the runs that later hits belong to, as they were: folded once more, without these.

All other sessions are as they were. The statements are those of the projector, which write into temporary tables here:
first the past, and then what later hits have added to the sums. Where all hits are later, nothing is folded but the
sessions that had begun before.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from attrs import frozen
from psycopg import AsyncCursor, sql
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.sql_files import compose, filled, statement

_FOLDER = "citations/replay"
_WORKING_TABLES = ("slice", "regrouped", "session_delta", "matches", "conversion_delta")
_SESSIONS = ("sessions/collect_session_delta", "sessions/write_sessions")


async def make_tables(connection: StoreConnection, stored: sql.Identifier) -> None:
    """Make the temporary tables of a connection, which are empty, like those of a schema."""
    for name in _WORKING_TABLES:
        # The projector's are emptied by each commit, which takes longer than most reports.
        table = statement(f"projections/working_tables/{name}_table").replace(b" on commit delete rows", b"")
        await connection.run(table)
    await connection.run(compose(f"{_FOLDER}/tables", stored=stored))


class TooManyHits(Exception):
    """More hits than the limit would have to be counted."""


@frozen(kw_only=True)
class Replayed:
    """What the temporary tables of a connection hold, and what tells later whether it is still so.

    The replay read the log up to `checkpoint`. `sessions` have changed, none before the day `changed_since`; from
    `later_since` on all hits are later ones.
    """

    checkpoint: int
    later_since: datetime
    changed_since: datetime
    sessions: int
    hits: int
    open_at_start: int


@frozen
class Replay:
    """The temporary tables of one question, in its transaction.

    `values` are the parameters of its statements: `site_id`, the position `traffic` of the question and the present
    one, `checkpoint`, the stretch `since` and `until` of hits that may concern it, the quarter of an hour `later_since`
    from which on all hits are later, the most hits and one as `limit`, and the `search_path` of reports.
    """

    _connection: StoreConnection
    _values: Mapping[str, Any]

    async def fill(self, numbers: Sequence[int]) -> tuple[Replayed, int]:
        """Fill the tables, with conversions of the goals of these numbers, and return how many hits that took.

        Raises:
            TooManyHits: later hits, or those of the sessions that these belong to, are more than the limit.

        """
        taken = await self._collect()
        # In one message: what the driver does for each takes longer than most of these statements.
        await self._connection.run(b";\n".join(self._fold(numbers)))
        [bounds] = await (await self._run("bounds")).fetchall()
        later_since = self._values["later_since"]
        changed_since = bounds.pop("changed_since")
        replayed = Replayed(
            checkpoint=self._values["checkpoint"],
            later_since=later_since,
            changed_since=min(changed_since or later_since, later_since),
            **bounds,
        )
        return replayed, taken

    async def holds(self, earlier: Replayed) -> bool:
        """Whether the tables still are those of an earlier question of the same position, about no shorter span."""
        values = {
            "checkpoint": earlier.checkpoint,
            "hits": earlier.hits,
            "open_at_start": earlier.open_at_start,
        }
        [row] = await (await self._run("is_current", values)).fetchall()
        return bool(row["is_current"])

    async def _collect(self) -> int:
        async with self._connection.pipeline() as pipeline:
            taken = [await self._run("take_later_hits")]
            await self._run("collect_changed_sessions")
            taken.append(await self._run("take_earlier_hits"))
            await pipeline.sync()
        if any(cursor.rowcount >= self._values["limit"] for cursor in taken):
            raise TooManyHits
        return sum(cursor.rowcount for cursor in taken)

    def _fold(self, numbers: Sequence[int]) -> Iterator[bytes]:
        """Return the statements that make the past, and then what later hits have added to the sums."""
        yield self._own("look_first_in_temporary")
        yield from map(_projecting, _SESSIONS)
        if numbers:
            yield from self._matching(numbers)
            # The tables begin empty: no session has conversions that would change.
            yield _projecting("conversions/write_conversions")
        yield from map(self._own, ("keep_past", "look_again", "keep_error_sessions", "begin_added"))
        yield from map(self._own, ("add_hits", "add_sessions"))
        if numbers:
            yield self._own("add_conversions", {"numbers": list(numbers)})
        yield self._own("look_first_in_temporary")
        yield _projecting("sessions/write_traffic_buckets")
        if numbers:
            yield from map(
                _projecting, ("conversions/write_conversion_buckets", "conversions/write_conversion_days")
            )
        yield from map(self._own, ("analyze", "look_again"))

    def _matching(self, numbers: Sequence[int]) -> Iterator[bytes]:
        yield statement("database/session/avoid_nested_loops")
        matching = statement("projections/matching/match_slice")
        yield filled(self._connection, matching, {"numbers": list(numbers)})
        yield statement("database/session/allow_nested_loops")
        yield _projecting("conversions/collect_conversion_delta")

    def _own(self, name: str, more: Mapping[str, Any] | None = None) -> bytes:
        return filled(self._connection, compose(f"{_FOLDER}/{name}"), {**self._values, **(more or {})})

    async def _run(self, name: str, more: Mapping[str, Any] | None = None) -> AsyncCursor[DictRow]:
        # A plan for few later hits would be kept for many.
        return await self._connection.execute(
            compose(f"{_FOLDER}/{name}"), {**self._values, **(more or {})}, prepare=False
        )


def _projecting(name: str) -> bytes:
    return statement(f"projections/{name}")
