"""Admission: which hits of a batch of requests are stored, in the order of their arrival."""

from collections.abc import Container, MutableMapping, Sequence
from datetime import date
from enum import StrEnum

from attrs import define, field, frozen

from footfall.domain.tracking.engagement import Measure
from footfall.domain.tracking.hit import Hit, HitType, hot_value
from footfall.domain.tracking.idempotency import IdempotencyKey
from footfall.domain.tracking.monthly_limit import is_used_up, month_of
from footfall.domain.tracking.rate_limit import RateLimit, RateState, current, has_room, rate_state


class AdmissionOutcome(StrEnum):
    """The outcome of one hit that was submitted to the traffic log."""

    STORED = "stored"
    REPLAYED = "replayed"
    KEY_REUSED = "key_reused"
    OVER_LIMIT = "over_limit"
    UNSTORABLE = "unstorable"
    # The cell of its site is away; hits of other cells in the same request are stored.
    UNAVAILABLE = "unavailable"


@hot_value
class PendingHit:
    """One hit, or one measure, that is to be stored, with the values that decide about it.

    `measure` comes along with a hit, and is stored when that is.
    """

    hit: Hit | Measure
    idempotency: IdempotencyKey | None = None
    monthly_limit: int | None = None
    measure: Measure | None = None

    @property
    def quota(self) -> tuple[int, date] | None:
        """The site and month whose pageviews are counted for this hit; None without a limit."""
        return None if self.monthly_limit is None else (self.hit.site_id, month_of(self.hit.received_at))

    @property
    def entries(self) -> tuple[Hit | Measure, ...]:
        """What is stored in the log."""
        return (self.hit,) if self.measure is None else (self.hit, self.measure)


@frozen
class RateLimitCharge:
    """One request that counts against the rate limit of a key, at a moment in microseconds since 1970.

    A charge is `returned` when the request was charged before its hits were refused elsewhere.
    """

    key_id: int
    limit: RateLimit
    at: int
    returned: bool = False


@frozen
class Admission:
    """The outcome of a request: refused by the rate limit, or one outcome for each of its hits."""

    outcomes: tuple[AdmissionOutcome, ...]
    rate: RateState | None = None
    rate_limited: bool = False


@define
class AdmissionState:
    """The state that decisions are made on, and that they change.

    `windows` holds admitted requests by key, `seen` the fingerprints of stored events by their idempotency names,
    `used` the stored pageviews by site and month.
    """

    windows: MutableMapping[int, list[int]] = field(factory=dict)
    seen: MutableMapping[tuple[int, str], bytes] = field(factory=dict)
    used: MutableMapping[tuple[int, date], int] = field(factory=dict)


def admit(
    state: AdmissionState,
    pending: Sequence[PendingHit],
    charge: RateLimitCharge | None,
    unstorable: Container[int] = (),
) -> Admission:
    """Decide about one request and write the decision into the state.

    A request that the rate limit refuses changes nothing, and neither does a hit that is not stored. `unstorable`
    holds the places in `pending` of the hits that the store is known to refuse.
    """
    if (
        charge is not None
        and not charge.returned
        and not has_room(state.windows.get(charge.key_id, ()), charge.limit, charge.at)
    ):
        rate = rate_state(state.windows[charge.key_id], charge.limit, charge.at)
        return Admission((), rate, rate_limited=True)
    outcomes = tuple([_decide(state, hit, number in unstorable) for number, hit in enumerate(pending)])
    return Admission(outcomes, _charge(state, charge, outcomes))


def _decide(state: AdmissionState, pending: PendingHit, unstorable: bool) -> AdmissionOutcome:  # noqa: FBT001
    repeated = _repetition(state, pending.idempotency)
    if repeated is not None:
        return repeated
    if pending.quota is not None and is_used_up(pending.monthly_limit, state.used.get(pending.quota, 0)):
        return AdmissionOutcome.OVER_LIMIT
    if unstorable:
        return AdmissionOutcome.UNSTORABLE
    if pending.idempotency is not None:
        state.seen[pending.idempotency.name] = pending.idempotency.fingerprint
    if pending.quota is not None and _is_pageview(pending.hit):
        state.used[pending.quota] = state.used.get(pending.quota, 0) + 1
    return AdmissionOutcome.STORED


def _is_pageview(hit: Hit | Measure) -> bool:
    return isinstance(hit, Hit) and hit.type is HitType.PAGEVIEW


def _repetition(state: AdmissionState, idempotency: IdempotencyKey | None) -> AdmissionOutcome | None:
    fingerprint = None if idempotency is None else state.seen.get(idempotency.name)
    if idempotency is None or fingerprint is None:
        return None
    return (
        AdmissionOutcome.REPLAYED if fingerprint == idempotency.fingerprint else AdmissionOutcome.KEY_REUSED
    )


def _charge(
    state: AdmissionState, charge: RateLimitCharge | None, outcomes: Sequence[AdmissionOutcome]
) -> RateState | None:
    if charge is None:
        return None
    window = current(state.windows.get(charge.key_id, ()), charge.limit, charge.at)
    if charge.returned:
        if charge.at in window:
            window.remove(charge.at)
    # A request whose hits were all refused does not count.
    elif not outcomes or AdmissionOutcome.STORED in outcomes or AdmissionOutcome.REPLAYED in outcomes:
        window.append(charge.at)
    state.windows[charge.key_id] = window
    return rate_state(window, charge.limit, charge.at)
