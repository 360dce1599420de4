"""Sessions as rows of the relation `session`."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from attrs import fields

from footfall.domain.tracking.hit import visitor_text, with_choices
from footfall.domain.traffic.session import Session

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
# The columns beside the times of a session, which come as microseconds.
COLUMNS = [
    attribute.name for attribute in fields(Session) if attribute.name not in ("site_id", "start", "end")
]


def session_of(site_id: int, start: int, end: int, columns: Sequence[Any]) -> Session:
    """Return the session of a row: its times, and the values of `COLUMNS`."""
    values = dict(zip(COLUMNS, columns, strict=True))
    return Session(
        site_id=site_id,
        start=_EPOCH + start * _MICROSECOND,
        end=_EPOCH + end * _MICROSECOND,
        **with_choices(values) | {"user_id": values["user_id"] or visitor_text(values["visitor_id"])},
    )
