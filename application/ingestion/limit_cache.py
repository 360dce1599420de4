"""The limits that a worker knows to be reached: a request that cannot succeed costs no round trip."""

from datetime import date, datetime, timedelta

from attrs import define, field

from footfall.domain.tracking.admission import PendingHit, RateLimitCharge
from footfall.domain.tracking.monthly_limit import following_month
from footfall.domain.tracking.rate_limit import RateLimit, RateState, instant


@define
class LimitCache:
    """Rates of API keys and full months, as the store last returned them to this worker.

    Other workers only add to both: what is exhausted here is exhausted everywhere until `free_at`, or until the limit
    of the site is raised.
    """

    rate_limit: RateLimit | None
    # By key: its last state, and the instant from which nothing in that state counts any more.
    _rates: dict[int, tuple[RateState, int]] = field(factory=dict, init=False)
    _full_months: dict[tuple[int, date], int] = field(factory=dict, init=False)

    def charge(self, key_id: int, now: datetime) -> RateLimitCharge | None:
        """Return what a request costs its key; None without a rate limit."""
        return None if self.rate_limit is None else RateLimitCharge(key_id, self.rate_limit, instant(now))

    def record_rate(self, key_id: int, rate: RateState | None, now: datetime) -> None:
        """Remember what is left to a key now."""
        if rate is not None and self.rate_limit is not None:
            self._rates[key_id] = rate, instant(now + timedelta(seconds=self.rate_limit.seconds))

    def rate(self, key_id: int, now: datetime) -> RateState | None:
        """Return what is left to a key as far as this worker knows; None without a rate limit."""
        if self.rate_limit is None:
            return None
        at, most = instant(now), self.rate_limit.requests
        state, end = self._rates.get(key_id, (None, at))
        if state is None or end <= at:
            return RateState(most, most, at)
        if at < state.free_at:
            return state
        # The oldest request has left the window since; only the store knows when the others leave it.
        return RateState(most, min(state.remaining + 1, most), end)

    def exhausted_rate(self, key_id: int, now: datetime) -> RateState | None:
        """Return the state of a key that certainly has nothing left now, else None."""
        state, _ = self._rates.get(key_id, (None, 0))
        return state if state is not None and state.exhausted(instant(now)) else None

    def record_full_month(self, pending: PendingHit) -> None:
        """Remember that the month of a hit is full."""
        if pending.quota is not None and pending.monthly_limit is not None:
            self._full_months[pending.quota] = pending.monthly_limit

    def month_is_full(self, pending: PendingHit) -> bool:
        """Whether the month of a hit is certainly full; after a raised limit the store is asked again."""
        if pending.monthly_limit is None or pending.quota is None:
            return False
        return self._full_months.get(pending.quota, -1) >= pending.monthly_limit


def describe_limit(pending: PendingHit) -> str:
    """Return a sentence that names the limit which refused a hit, and when its count begins anew."""
    month = pending.quota[1] if pending.quota else pending.hit.received_at.date()
    return (
        f"This site stores {pending.monthly_limit:,} pageviews a month; the count begins anew on"
        f" {following_month(month).isoformat()} (UTC)"
    )
