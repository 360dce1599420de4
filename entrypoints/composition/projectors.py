"""Projectors of read models, those in use and those that a rebuild fills."""

from contextlib import AbstractAsyncContextManager

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.projections.goal_versions import GoalVersions
from footfall.adapters.postgres.projections.projector import Projector
from footfall.adapters.postgres.projections.rebuild import Rebuild
from footfall.application.journal.event_codec import EventCodec
from footfall.application.maintenance.idle_schedule import Pulse


def build_projector(
    url: str,
    schema: str | None = None,
    *,
    pulse: Pulse | None = None,
    pool: Connections | None = None,
) -> Projector:
    """Return the projector of a schema; None: of the schema that reports read."""
    pulse = pulse or Pulse.of_main()
    return Projector(url, GoalVersions(EventCodec()), schema=schema, pulse=pulse, pool=pool)


def rebuilding(url: str) -> AbstractAsyncContextManager[Rebuild]:
    """Lend a second set of projections that can be filled, compared and exchanged."""
    return Rebuild.begun(url, lambda schema: build_projector(url, schema))
