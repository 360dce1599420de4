"""Admission: what of a batch of requests is stored, in the order in which they came."""

from collections.abc import Mapping, MutableMapping, Sequence
from datetime import date
from enum import StrEnum

from attrs import define, field, frozen

from footfall.domain.hit import Hit, HitType
from footfall.domain.quota import month_of
from footfall.domain.rate_limit import RateLimit, RateState, current, has_room, state
from footfall.domain.unguarded import unguarded


class Fate(StrEnum):
    """What becomes of one hit that reached the traffic log's door."""

    STORED = "stored"
    REPLAYED = "replayed"
    KEY_REUSED = "key_reused"
    OVER_LIMIT = "over_limit"
    UNSTORABLE = "unstorable"


@frozen
class IdempotencyKey:
    """The name that a sender gives to an event of a site, and a digest of what the event says."""

    site_id: int
    key: str
    fingerprint: bytes

    @property
    def name(self) -> tuple[int, str]:
        """What must not occur twice."""
        return self.site_id, self.key


@unguarded
class Entry:
    """One hit that asks to be stored, with what decides about it."""

    hit: Hit
    idempotency: IdempotencyKey | None = None
    monthly_limit: int | None = None

    @property
    def quota(self) -> tuple[int, date] | None:
        """The site and month whose pageviews are counted for this hit; None without a limit."""
        return None if self.monthly_limit is None else (self.hit.site_id, month_of(self.hit.received_at))


@frozen
class Charge:
    """One request that counts against the rate limit of a key, at a moment in microseconds since 1970."""

    key_id: int
    limit: RateLimit
    at: int


@frozen
class Admission:
    """What became of a request: refused by the rate limit, or one fate for each of its entries."""

    fates: tuple[Fate, ...]
    rate: RateState | None = None
    rate_limited: bool = False


@define
class Ledgers:
    """What the decisions are made on, and what they change.

    `windows` holds admitted requests by key, `seen` the fingerprints of stored events by their idempotency names,
    `used` the stored pageviews by site and month.
    """

    windows: MutableMapping[int, list[int]] = field(factory=dict)
    seen: MutableMapping[tuple[int, str], bytes] = field(factory=dict)
    used: MutableMapping[tuple[int, date], int] = field(factory=dict)


def admit(
    ledgers: Ledgers,
    entries: Sequence[Entry],
    charge: Charge | None,
    unstorable: Mapping[int, Hit] | None = None,
) -> Admission:
    """Decide about one request and write the decision into the ledgers.

    A request that the rate limit refuses changes nothing, and neither does an entry that is not stored.
    `unstorable` holds, by identity, the hits that the store is known to refuse.
    """
    if charge is not None and not has_room(ledgers.windows.get(charge.key_id, ()), charge.limit, charge.at):
        rate = state(ledgers.windows[charge.key_id], charge.limit, charge.at)
        return Admission((), rate, rate_limited=True)
    fates = tuple(_decide(ledgers, entry, unstorable or {}) for entry in entries)
    return Admission(fates, _charge(ledgers, charge, fates))


def _decide(ledgers: Ledgers, entry: Entry, unstorable: Mapping[int, Hit]) -> Fate:
    if entry.idempotency is not None:
        fingerprint = ledgers.seen.get(entry.idempotency.name)
        if fingerprint is not None:
            return Fate.REPLAYED if fingerprint == entry.idempotency.fingerprint else Fate.KEY_REUSED
    if _over_limit(ledgers, entry):
        return Fate.OVER_LIMIT
    if id(entry.hit) in unstorable:
        return Fate.UNSTORABLE
    if entry.idempotency is not None:
        ledgers.seen[entry.idempotency.name] = entry.idempotency.fingerprint
    if entry.quota is not None and entry.hit.type is HitType.PAGEVIEW:
        ledgers.used[entry.quota] = ledgers.used.get(entry.quota, 0) + 1
    return Fate.STORED


def _over_limit(ledgers: Ledgers, entry: Entry) -> bool:
    if entry.quota is None or entry.monthly_limit is None:
        return False
    return ledgers.used.get(entry.quota, 0) >= entry.monthly_limit


def _charge(ledgers: Ledgers, charge: Charge | None, fates: Sequence[Fate]) -> RateState | None:
    if charge is None:
        return None
    window = current(ledgers.windows.get(charge.key_id, ()), charge.limit, charge.at)
    # A request of which nothing was taken was refused, and refused requests do not count.
    if not fates or any(fate in {Fate.STORED, Fate.REPLAYED} for fate in fates):
        window.append(charge.at)
    ledgers.windows[charge.key_id] = window
    return state(window, charge.limit, charge.at)
