"""The counts of events by outcome, in PostgreSQL."""

from collections.abc import Mapping
from datetime import UTC, datetime

from attrs import define, field

from footfall.adapters.postgres.database.connections import Connections, StoreConnection
from footfall.adapters.postgres.intake.doubtful_transactions import committed
from footfall.adapters.postgres.intake.refused_bots import add_refused_bots
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.traffic_log import NO_BOTS, OutcomeKey
from footfall.domain.bots.refused_bot_counts import MOST_PAGES_A_DAY, RefusedBot


@define
class PostgresOutcomeLedger:
    """OutcomeLedger over the tables `ingestion_outcome` and `refused_bot`.

    The number of the last call of a source is kept in `idempotency`, by the transaction of its counts: it tells after a
    failover, a crash or a move, too, whether a call whose commit was not heard has added them.
    """

    _connections: Connections
    _most_pages: int = field(default=MOST_PAGES_A_DAY, kw_only=True)
    # The transaction of the last call, as long as its end was not heard.
    _transaction: str | None = field(default=None, init=False)

    async def add(
        self,
        counts: Mapping[tuple[OutcomeKey, datetime], int],
        bots: Mapping[RefusedBot, int] = NO_BOTS,
        *,
        source: str,
        number: int,
    ) -> None:
        """Add a number of events to each count, once, however often the call is repeated."""
        parameters = {
            "sites": [key.site_id for key, _ in counts],
            "quarters": [quarter for _, quarter in counts],
            "outcomes": [key.outcome for key, _ in counts],
            "reasons": [key.reason for key, _ in counts],
            "events": list(counts.values()),
        }
        name = {"source": source, "number": number.to_bytes(8)}
        async with self._connections.connection() as connection:
            await self._end_last(connection)
            async with connection.transaction():
                self._transaction = await connection.value("intake/outcomes/current_transaction")
                if await connection.row("intake/outcomes/claim_addition", **name):
                    await connection.run("intake/outcomes/add_outcomes", **parameters)
                    await add_refused_bots(connection, bots, most=self._most_pages)
        self._transaction = None

    async def read_counts(self, site_id: int, *, start: datetime, end: datetime) -> dict[OutcomeKey, int]:
        """Return the counts of a site for the quarters that begin in [start, end)."""
        parameters = {"site_id": site_id, "start": start, "end": end}
        rows = await self._connections.rows("intake/outcomes/read_outcomes", **parameters)
        return {OutcomeKey(site_id, row["outcome"], row["reason"]): row["events"] for row in rows}

    async def read_quarters(
        self, site_id: int, *, start: datetime, end: datetime
    ) -> dict[tuple[OutcomeKey, datetime], int]:
        """Return the counts of a site for each quarter that begins in [start, end)."""
        parameters = {"site_id": site_id, "start": start, "end": end}
        rows = await self._connections.rows("intake/outcomes/read_outcome_quarters", **parameters)
        return {
            (OutcomeKey(site_id, row["outcome"], row["reason"]), row["quarter"].astimezone(UTC)): row[
                "events"
            ]
            for row in rows
        }

    async def _end_last(self, connection: StoreConnection) -> None:
        """Require that the last call has ended: one that waits for a standby would keep this one waiting."""
        if self._transaction is not None and await committed(connection, self._transaction) is None:
            raise StoreUnavailable("a transaction of the outcome ledger has not ended yet")
