"""What a worker remembers of limits, so that what cannot succeed costs no round trip."""

from datetime import date, datetime, timedelta

from footfall.domain.admission import Entry
from footfall.domain.quota import following_month
from footfall.domain.rate_limit import RateLimit, RateState, instant


class KnownLimits:
    """Rates of keys and exhausted quotas as this worker last saw them.

    Others only add to both, so what is exhausted here is exhausted everywhere until it says otherwise.
    """

    def __init__(self, rate_limit: RateLimit | None) -> None:
        self.rate_limit = rate_limit
        # What was left to a key, and until when what was used by then counts.
        self._rates: dict[int, tuple[RateState, int]] = {}
        self._exhausted: dict[tuple[int, date], int] = {}

    def rate_seen(self, key_id: int, rate: RateState | None, now: datetime) -> None:
        """Remember what is left to a key now."""
        if rate is not None and self.rate_limit is not None:
            self._rates[key_id] = rate, instant(now + timedelta(seconds=self.rate_limit.seconds))

    def rate(self, key_id: int, now: datetime) -> RateState | None:
        """Return what is left to a key as far as this worker knows; None without a rate limit."""
        if self.rate_limit is None:
            return None
        at, most = instant(now), self.rate_limit.requests
        known, end = self._rates.get(key_id, (None, at))
        if known is None or end <= at:
            return RateState(most, most, at)
        if at < known.free_at:
            return known
        # One request was given back since; of the others only the store knows when.
        return RateState(most, min(known.remaining + 1, most), end)

    def rate_limited(self, key_id: int, now: datetime) -> RateState | None:
        """Return the state of a key that certainly has nothing left now, else None."""
        known, _ = self._rates.get(key_id, (None, 0))
        return known if known is not None and known.exhausted(instant(now)) else None

    def quota_exhausted(self, entry: Entry) -> None:
        """Remember that the month of an entry is full."""
        if entry.quota is not None and entry.monthly_limit is not None:
            self._exhausted[entry.quota] = entry.monthly_limit

    def over_limit(self, entry: Entry) -> bool:
        """Whether the month of an entry is certainly full; a limit that was raised since is asked again."""
        if entry.monthly_limit is None or entry.quota is None:
            return False
        return self._exhausted.get(entry.quota, -1) >= entry.monthly_limit


def describe_limit(entry: Entry) -> str:
    """Say which limit refused an entry, and until when."""
    month = entry.quota[1] if entry.quota else entry.hit.received_at.date()
    return (
        f"This site stores {entry.monthly_limit:,} pageviews a month; the count begins anew on"
        f" {following_month(month).isoformat()} (UTC)"
    )
