"""A clock that is set by hand."""

from datetime import datetime, timedelta

from attrs import define


@define(eq=False)
class ManualClock:
    """Stands still until it is advanced."""

    _now: datetime

    def now(self) -> datetime:
        """Return the time it was set to."""
        return self._now

    def advance(self, by: timedelta) -> None:
        """Go on by this much; a negative span goes back."""
        self._now += by
