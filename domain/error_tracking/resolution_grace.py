"""The grace after a cause of errors is resolved (docs/errors/error-groups.md#status)."""

from datetime import datetime, timedelta

# Visitors still run the code of former releases for some minutes after an error is resolved.
GRACE = timedelta(minutes=10)


def is_after_grace(occurred_at: datetime, resolved_at: datetime) -> bool:
    """Whether an error occurred more than ten minutes after its resolution; the time of its report does not count."""
    return occurred_at > resolved_at + GRACE
