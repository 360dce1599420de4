"""The state of the projections: their lag, their sizes, and the goals that are still being counted."""

from attrs import frozen
from psycopg import sql

from footfall.adapters.postgres.database.connections import Connections, StoreConnection
from footfall.adapters.postgres.database.sql_files import compose
from footfall.adapters.postgres.projections.read_models import READ_MODELS
from footfall.application.ports.reports.reports import Freshness

# All rows are counted in a table of up to so many pages, 16 MiB; in a larger one those of as many random pages.
COUNTED_PAGES = 2048


@frozen
class ReadModelSize:
    """A read model; the number of rows is exact, or estimated from a sample of a large table."""

    name: str
    rows: int
    estimated: bool
    bytes: int


@frozen
class SetAsideGoal:
    """A goal that is not counted, and why."""

    goal_id: int
    site_id: int
    reason: str


@frozen(kw_only=True)
class ProjectionStatus:
    """The positions of the projector, its lag, and the sizes of the read models.

    `sessions` is the number of the definition that sessions are formed by
    (docs/read/programs/citations.md#definitions).
    """

    position: int
    journal_position: int
    sessions: int
    lag_events: int
    lag_seconds: float
    goals_to_fill: int
    goals_set_aside: list[SetAsideGoal]
    read_models: list[ReadModelSize]


async def projection_status(connections: Connections, freshness: Freshness) -> ProjectionStatus:
    """Return the state of the projections.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    lag = await freshness.lag()
    async with connections.connection() as connection:
        models = [
            await _size(connection, **row)
            for row in await connection.rows("projections/status/sizes", tables=list(READ_MODELS))
        ]
        goals = [
            SetAsideGoal(**row)
            for row in await connection.rows("projections/status/goals_set_aside", site_id=None)
        ]
        state = await connection.row("projections/status/state")
    assert state is not None  # noqa: S101 - the migration puts the checkpoint there
    return ProjectionStatus(
        lag_events=lag.events,
        lag_seconds=lag.seconds,
        read_models=models,
        goals_set_aside=goals,
        **state,
    )


async def _size(connection: StoreConnection, *, name: str, pages: int, **sizes: int) -> ReadModelSize:
    """Count the rows of a table: before the first analysis the planner has no estimate."""
    share = min(1.0, COUNTED_PAGES / max(pages, 1))
    estimated = share < 1
    query = compose("database/tables/count_rows", table=sql.Identifier(name))
    rows = await connection.value(query, percent=share * 100)
    return ReadModelSize(name=name, rows=round(rows / share), estimated=estimated, **sizes)
