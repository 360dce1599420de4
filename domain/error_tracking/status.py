"""The statuses of a cause of errors, and the grace after one is resolved (docs/errors/error-groups.md#status)."""

from datetime import datetime, timedelta
from enum import StrEnum

from footfall.domain.exceptions import Invalid

# Visitors still run the code of former releases for some minutes after an error is resolved.
GRACE = timedelta(minutes=10)


class ErrorStatus(StrEnum):
    """The status of a group of errors, and of each message whose cause it is."""

    OPEN = "open"
    RESOLVED = "resolved"
    REGRESSED = "regressed"
    MUTED = "muted"


def is_after_grace(occurred_at: datetime, resolved_at: datetime) -> bool:
    """Whether an error occurred more than ten minutes after its resolution; the time of its report does not count."""
    return occurred_at > resolved_at + GRACE


def parse_status(text: str | None) -> ErrorStatus | None:
    """Return the status that a request asks for; None without one.

    Raises:
        Invalid: there is no such status; the error names `status`.

    """
    if text is not None and text not in set(ErrorStatus):
        raise Invalid({"status": [f"must be one of {', '.join(ErrorStatus)}"]})
    return None if text is None else ErrorStatus(text)
