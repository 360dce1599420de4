"""How the projections are: how far behind, how large, and which goals are still being counted."""

from attrs import frozen

from footfall.adapters.postgres.connections import Connections
from footfall.adapters.postgres.read_models import READ_MODELS
from footfall.adapters.postgres.statements import statement
from footfall.application.reports import Freshness


@frozen
class ReadModelSize:
    """A read model; the number of rows is the planner's estimate."""

    name: str
    rows: int
    bytes: int


@frozen(kw_only=True)
class ProjectionStatus:
    """Where the projector is, and what it has written."""

    position: int
    journal_position: int
    lag_events: int
    lag_seconds: float
    goals_to_fill: int
    read_models: list[ReadModelSize]


async def projection_status(connections: Connections, freshness: Freshness) -> ProjectionStatus:
    """Return how the projections are.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    lag = await freshness.lag()
    async with connections.connection() as connection:
        sizes = await connection.execute(statement("report/sizes"), {"tables": list(READ_MODELS)})
        models = [ReadModelSize(**row) for row in await sizes.fetchall()]
        state = await (await connection.execute(statement("report/state"))).fetchone()
    assert state is not None  # noqa: S101 - the migration puts the checkpoint there
    return ProjectionStatus(lag_events=lag.events, lag_seconds=lag.seconds, read_models=models, **state)
