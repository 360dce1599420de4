"""The findings of `footfall doctor`, and those about cells."""

import asyncio

from attrs import frozen

from footfall.application.ports.journal import StoreUnavailable
from footfall.entrypoints.composition.commands.cell_commands import CellStanding, standings
from footfall.entrypoints.settings import Settings


class Unhealthy(Exception):
    """A check failed; the text names the remedy."""


@frozen
class Finding:
    """The result of one check."""

    subject: str
    healthy: bool
    detail: str


def look_at_cells(settings: Settings, url: str) -> list[Finding]:
    """Return one finding for each cell."""
    try:
        found = asyncio.run(standings(settings, url, try_guard=True))
    except StoreUnavailable as fault:
        return [Finding("cells", healthy=False, detail=str(fault))]
    return [_finding(one) for one in found]


def _finding(found: CellStanding) -> Finding:
    subject = f"cell {found.cell.name}"
    if found.projections is None:
        return Finding(subject, healthy=False, detail=found.trouble or "it does not answer")
    if not found.guarded:
        return Finding(
            subject,
            healthy=False,
            detail="readers of the log do not wait for writers, and events may be missing in reports: stop the "
            f"service, run footfall cell migrate {found.cell.name}, and footfall projections rebuild",
        )
    waiting = f"{found.projections.lag_events} event(s) wait for {found.projections.lag_seconds:,.0f} seconds"
    detail = f"PostgreSQL {found.server} at {found.cell.place} with {found.sites} site(s), {waiting}"
    if found.node is not None:
        detail = f"{detail}; at the node {found.node}"
    return Finding(subject, healthy=True, detail=detail)
