"""The rate limit of an API key: a number of requests in any window of a number of seconds."""

import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from attrs import frozen

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_SECOND = 1_000_000

# The times of admitted requests, in microseconds since 1970, ascending.
Window = Sequence[int]


@frozen
class RateLimit:
    """At most `requests` of one key in any window of `seconds` (docs/track/ingestion.md)."""

    requests: int
    seconds: int


@frozen
class RateState:
    """The requests left to a key; the oldest one leaves the window at `free_at`, in microseconds since 1970."""

    limit: int
    remaining: int
    free_at: int

    def reset(self, at: int) -> int:
        """Return the whole seconds until the key regains a request."""
        return max(math.ceil((self.free_at - at) / _SECOND), 0)

    def exhausted(self, at: int) -> bool:
        """Whether nothing can be left at this moment, however many requests other workers have admitted."""
        return self.remaining == 0 and at < self.free_at


def instant(at: datetime) -> int:
    """Return a time as the windows hold it."""
    return (at - _EPOCH) // _MICROSECOND


def current(window: Window, limit: RateLimit, at: int) -> list[int]:
    """Return the requests that still count at this moment."""
    since = at - limit.seconds * _SECOND
    return [admitted for admitted in window if admitted > since]


def has_room(window: Window, limit: RateLimit, at: int) -> bool:
    """Whether one more request may be admitted at this moment."""
    return len(current(window, limit, at)) < limit.requests


def rate_state(window: Window, limit: RateLimit, at: int) -> RateState:
    """Return what is left at this moment, as the headers of answers give it."""
    counting = current(window, limit, at)
    free_at = min(counting) + limit.seconds * _SECOND if counting else at
    return RateState(limit.requests, max(limit.requests - len(counting), 0), free_at)
