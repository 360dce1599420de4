"""The status of errors and of groups of them, and when one that was resolved has returned (docs/errors.md)."""

from datetime import datetime, timedelta
from enum import StrEnum

from footfall.domain.exceptions import Invalid

# Visitors still run the old code for some minutes after an error is resolved.
GRACE = timedelta(minutes=10)


class ErrorStatus(StrEnum):
    """The status of an error."""

    OPEN = "open"
    RESOLVED = "resolved"
    REGRESSED = "regressed"


class GroupStatus(StrEnum):
    """The status of a group of errors."""

    OPEN = "open"
    RESOLVED = "resolved"
    REGRESSED = "regressed"
    MUTED = "muted"


def has_regressed(occurred_at: datetime, resolved_at: datetime) -> bool:
    """Whether an error occurred more than ten minutes after its resolution; the time of its report does not count."""
    return occurred_at > resolved_at + GRACE


def error_status(last_seen: datetime, resolved_at: datetime | None) -> ErrorStatus:
    """Return the status of an error by its latest occurrence and its latest resolution."""
    if resolved_at is None:
        return ErrorStatus.OPEN
    return ErrorStatus.REGRESSED if has_regressed(last_seen, resolved_at) else ErrorStatus.RESOLVED


def parse_status(text: str | None) -> GroupStatus | None:
    """Return the status that a request asks for; None without one.

    Raises:
        Invalid: there is no such status; the error names `status`.

    """
    if text is not None and text not in set(GroupStatus):
        raise Invalid({"status": [f"must be one of {', '.join(GroupStatus)}"]})
    return None if text is None else GroupStatus(text)
