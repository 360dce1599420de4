"""The findings of `footfall doctor`, and those about cells and salts."""

import asyncio

from attrs import frozen

from footfall.application.ports.journal import StoreUnavailable
from footfall.entrypoints.composition.commands.cell_commands import CellStanding, standings
from footfall.entrypoints.composition.commands.salts import are_foreign
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
        cells = asyncio.run(standings(settings, url, try_guard=True))
    except StoreUnavailable as fault:
        return [Finding("cells", healthy=False, detail=str(fault))]
    return [_finding(standing) for standing in cells]


def look_at_salts(settings: Settings, url: str) -> str:
    """Return that the salts of visitors can be used here.

    Raises:
        Unhealthy: the key of another host has sealed them.
        SecretUnreadable: the key cannot be read.
        StoreUnavailable: the store does not answer.

    """
    if asyncio.run(are_foreign(settings, url)):
        raise Unhealthy(
            "salts of visitors were sealed with another key than FOOTFALL_SALT_KEY or salts.key here: give all hosts"
            " the same, or let new ones be drawn (docs/operate/backup.md#salts)"
        )
    return "sealed with the key of this host, or none"


def _finding(standing: CellStanding) -> Finding:
    subject = f"cell {standing.cell.name}"
    if standing.projections is None:
        return Finding(subject, healthy=False, detail=standing.trouble or "it does not answer")
    if not standing.guarded:
        return Finding(
            subject,
            healthy=False,
            detail="readers of the log do not wait for writers, and events may be missing in reports: stop the "
            f"service, run footfall cell migrate {standing.cell.name}, and footfall projections rebuild",
        )
    waiting = (
        f"{standing.projections.lag_events} event(s) wait for {standing.projections.lag_seconds:,.0f} seconds"
    )
    detail = f"PostgreSQL {standing.server} at {standing.cell.place} with {standing.sites} site(s), {waiting}"
    if standing.node is not None:
        detail = f"{detail}; at the node {standing.node}"
    return Finding(subject, healthy=True, detail=detail)
