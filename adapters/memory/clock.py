"""A clock that is set by hand."""

from datetime import datetime, timedelta


class ManualClock:
    """Stands still until it is told to go on."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self) -> datetime:
        """Return the time it was set to."""
        return self._now

    def advance(self, by: timedelta) -> None:
        """Go on by this much; a negative span goes back."""
        self._now += by
