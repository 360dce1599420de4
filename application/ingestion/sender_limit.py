"""The limit of senders without a key: how many events one address may send to one site.

See docs/track/protocols/sentry.md.
"""

from collections import Counter
from ipaddress import IPv6Address, ip_address

from attrs import define, field

from footfall.application.ports.system import Clock
from footfall.domain.tracking.rate_limit import RateLimit

# So many senders have a count of their own, in each worker; all others share one.
MOST_SENDERS = 20_000
_SHARED = ""
# What one customer of a provider has.
_NETWORK = 64


@define
class SenderLimit:
    """Counts in memory, in each worker, and in windows that begin at multiples of their length.

    The first event of a window makes it forget the addresses of the former one.
    """

    _limit: RateLimit | None
    _clock: Clock
    _most_senders: int = field(default=MOST_SENDERS, kw_only=True)
    _window: int = field(default=0, init=False)
    _taken: Counter[tuple[int, str]] = field(factory=Counter, init=False, repr=False)

    def take(self, site_id: int, address: str) -> int:
        """Count one event; return 0, or the seconds until the address may send more to the site."""
        if self._limit is None:
            return 0
        seconds = self._limit.seconds
        window, passed = divmod(int(self._clock.now().timestamp()), seconds)
        if window != self._window:
            self._window, self._taken = window, Counter()
        sender = site_id, _network(address)
        if sender not in self._taken and len(self._taken) >= self._most_senders:
            sender = site_id, _SHARED
        if self._taken[sender] >= self._limit.requests:
            return seconds - passed
        self._taken[sender] += 1
        return 0


def _network(address: str) -> str:
    """Return what stands for an address: that of a network in IPv6, whose hosts have as many addresses as they like."""
    try:
        sender = ip_address(address)
    except ValueError:
        return address
    return f"{int(sender) >> _NETWORK:x}::" if isinstance(sender, IPv6Address) else address
