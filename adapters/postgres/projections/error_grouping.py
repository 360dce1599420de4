"""Grouping the errors of the slice at hand by their fingerprints, which the domain makes."""

import asyncio

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.domain.error_tracking.fingerprint import fingerprint, stack_number
from footfall.domain.error_tracking.occurrence import error_details

# Reports of up to 64 KiB that are held at a time: each piece reads the working tables once more.
_PIECE = 500
# Fingerprints between two pauses for the other requests of the worker; one takes a millisecond at most.
_STRETCH = 50


async def group_errors(connection: StoreConnection) -> None:
    """Write the errors of the working table `slice`, within a transaction of the projector."""
    if not (await connection.run("projections/error_grouping/collect_error_kinds")):
        return
    after: int | None = -1
    while after is not None:
        after = await _name_some(connection, after)
    await connection.run("projections/error_grouping/write_error_sightings")


async def _name_some(connection: StoreConnection, after: int) -> int | None:
    """Give fingerprints to the next kinds of errors; return the position of the last one, None behind all."""
    rows = await connection.rows("projections/error_grouping/read_error_kinds", after=after, limit=_PIECE)
    if not rows:
        return None
    fingerprints: list[str] = []
    stacks: list[int] = []
    for start in range(0, len(rows), _STRETCH):
        for row in rows[start : start + _STRETCH]:
            details = error_details(row["properties"] or {})
            fingerprints.append(fingerprint(row["event_name"] or "", details))
            stacks.append(stack_number(details))
        await asyncio.sleep(0)
    values = {
        "positions": [row["position"] for row in rows],
        "fingerprints": fingerprints,
        "stacks": stacks,
    }
    await connection.run("projections/error_grouping/name_error_kinds", **values)
    return int(rows[-1]["position"])
