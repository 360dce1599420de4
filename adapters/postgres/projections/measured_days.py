"""Closed days whose pages have got measures: what files hold of their sessions does not count any more."""

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.sql_files import compose

_FOLDER = "projections/measures"


async def note_measured_sessions(connection: StoreConnection, *, after: int, up_to: int) -> int:
    """Record the sessions of closed days that the measures of a slice are about, and return their number.

    To be called when the hits of the slice have their sessions.
    """
    noted, query = 0, compose(f"{_FOLDER}/measured_sessions")
    for day in await connection.rows(query, after=after, up_to=up_to):
        if added := await connection.run(f"{_FOLDER}/note_sessions", **day):
            counted = {"site_id": day["site_id"], "day": day["day"], "added": added}
            await connection.run(f"{_FOLDER}/count_changes", **counted)
        noted += added
    return noted
