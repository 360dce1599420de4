"""Sessions as rows of the table `session`."""

from attrs import fields
from psycopg.rows import DictRow

from footfall.domain.tracking.hit import visitor_text, with_choices
from footfall.domain.traffic.session import Session

_SAME = [attribute.name for attribute in fields(Session) if attribute.name not in ("user_id", "start", "end")]


def session_of(row: DictRow) -> Session:
    """Return the session of a row."""
    return Session(
        user_id=row["user_id"] or visitor_text(row["visitor_id"]),
        start=row["started_at"],
        end=row["ended_at"],
        **with_choices({name: row[name] for name in _SAME}),
    )
