"""When a mail, or a request to a target, is tried again, and when it is given up (docs/internals/running.md#mail)."""

from datetime import datetime, timedelta

FIRST_PAUSE = timedelta(seconds=15)
LONGEST_PAUSE = timedelta(minutes=30)
GIVEN_UP_AFTER = timedelta(days=1)


def delivery_deadline(queued_at: datetime, useless_after: datetime | None) -> datetime:
    """Return until when the delivery of a message is tried."""
    deadline = queued_at + GIVEN_UP_AFTER
    return deadline if useless_after is None else min(deadline, useless_after)


def next_attempt(*, attempts: int, now: datetime, deadline: datetime) -> datetime | None:
    """Return when a delivery that failed `attempts` times is tried again; None when it is given up.

    Each pause is twice the one before, from 15 seconds to half an hour.
    """
    doublings = min(attempts - 1, 10)
    at = now + min(FIRST_PAUSE * 2**doublings, LONGEST_PAUSE)
    return at if at < deadline else None
