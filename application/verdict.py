"""What became of a tracking event (decisions, section 1, table of answers)."""

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType

from attrs import field, frozen

from footfall.application.ports import Counted
from footfall.domain.rate_limit import RateState


class Verdict(StrEnum):
    """Every outcome that a tracking event can have."""

    STORED = "stored"
    REPLAYED = "replayed"
    INVALID = "invalid"
    INVALID_KEY = "invalid_key"
    SITE_NOT_FOUND = "site_not_found"
    ACCESS_DENIED = "access_denied"
    RATE_LIMITED = "rate_limited"
    BOT = "bot"
    DOMAIN = "domain"
    EXCLUDED_IP = "excluded_ip"
    EXCLUDED_COUNTRY = "excluded_country"
    DISABLED = "disabled"
    OVER_LIMIT = "over_limit"
    KEY_REUSED = "key_reused"
    UNAVAILABLE = "unavailable"


@frozen(kw_only=True)
class Answer:
    """The verdict on one tracking event, with what its sender can do something about."""

    verdict: Verdict
    field_errors: Mapping[str, list[str]] = field(factory=dict)
    form_errors: tuple[str, ...] = ()
    rate: RateState | None = None


@frozen(kw_only=True)
class BatchAnswer:
    """The verdict on a request of several events: refused as a whole, or one answer for each of them."""

    refusal: Answer | None = None
    results: tuple[Answer, ...] = ()
    rate: RateState | None = None


# Outcome and reason under which the ledger counts (operator's guide, Watched).
_COUNTED = MappingProxyType(
    {
        Verdict.EXCLUDED_IP: ("excluded", "ip"),
        Verdict.EXCLUDED_COUNTRY: ("excluded", "country"),
        Verdict.DISABLED: ("excluded", "disabled"),
        Verdict.INVALID_KEY: ("denied", "invalid_key"),
        Verdict.ACCESS_DENIED: ("denied", "not_a_member"),
        Verdict.KEY_REUSED: ("invalid", "idempotency_key_reused"),
        Verdict.INVALID: ("invalid", "payload"),
        Verdict.SITE_NOT_FOUND: ("invalid", "site_not_found"),
    }
)


# A refusal must stay cheap. Of a site that exists, or of none, and one of a dozen verdicts: nobody can make others.
@lru_cache(maxsize=4_096)
def counted(site_id: int, verdict: Verdict) -> Counted:
    """Return what an event with this verdict is counted under."""
    outcome, reason = _COUNTED.get(verdict, (verdict.value, ""))
    return Counted(site_id, outcome, reason)
