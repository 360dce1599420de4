"""The results of tracking events, and the names under which the outcome ledger counts them."""

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType

from attrs import field, frozen

from footfall.application.ports.traffic_log import OutcomeKey
from footfall.domain.tracking.admission import AdmissionOutcome
from footfall.domain.tracking.rate_limit import RateState


class DropReason(StrEnum):
    """Why an event is not stored."""

    INVALID = "invalid"
    INVALID_KEY = "invalid_key"
    SITE_NOT_FOUND = "site_not_found"
    ACCESS_DENIED = "access_denied"
    RATE_LIMITED = "rate_limited"
    BOT = "bot"
    JUDGED_BOT = "judged_bot"
    DOMAIN = "domain"
    EXCLUDED_IP = "excluded_ip"
    EXCLUDED_COUNTRY = "excluded_country"
    EXCLUDED_PATH = "excluded_path"
    EXCLUDED_HOST = "excluded_host"
    EXCLUDED_USER_AGENT = "excluded_user_agent"
    DISABLED = "disabled"
    PROTOCOL_OFF = "protocol_off"
    NO_PAGEVIEW = "no_pageview"
    OVER_LIMIT = "over_limit"
    KEY_REUSED = "key_reused"
    UNAVAILABLE = "unavailable"


@frozen(kw_only=True)
class TrackResult:
    """The result of one tracking event, with the errors that its sender can mend.

    Without a `reason` the event is stored; `replayed` says that it was stored before.
    """

    reason: DropReason | None = None
    replayed: bool = False
    field_errors: Mapping[str, list[str]] = field(factory=dict)
    form_errors: tuple[str, ...] = ()
    rate: RateState | None = None


STORED = TrackResult()
REPLAYED = TrackResult(replayed=True)
# The result of what passed all checks and is not kept.
PASSED = TrackResult()
# The result of each reason, where there is nothing more to say.
DROPPED: Mapping[DropReason, TrackResult] = MappingProxyType(
    {reason: TrackResult(reason=reason) for reason in DropReason}
)
OF_ADMISSIONS: Mapping[AdmissionOutcome, TrackResult] = MappingProxyType(
    {
        AdmissionOutcome.STORED: STORED,
        AdmissionOutcome.REPLAYED: REPLAYED,
        AdmissionOutcome.UNAVAILABLE: DROPPED[DropReason.UNAVAILABLE],
        AdmissionOutcome.KEY_REUSED: DROPPED[DropReason.KEY_REUSED],
        AdmissionOutcome.UNSTORABLE: TrackResult(
            reason=DropReason.INVALID, form_errors=("The store cannot hold this event",)
        ),
    }
)


@frozen(kw_only=True)
class BatchResult:
    """The result of a request of several events: refused as a whole, or one result for each of them."""

    refusal: TrackResult | None = None
    results: tuple[TrackResult, ...] = ()
    rate: RateState | None = None

    @property
    def replayed(self) -> bool:
        """Whether every event was stored before."""
        return bool(self.results) and all(result.replayed for result in self.results)


# What of an event was ignored, and which protocol it came by: no outcomes of events.
IGNORED = "ignored"
TRANSLATED = "translated"
BESIDE_OUTCOMES = frozenset({IGNORED, TRANSLATED})

# Outcome and reason in the ledger (docs/track/ingestion.md); every other drop reason is an outcome of its own.
OUTCOME_NAMES = MappingProxyType(
    {
        DropReason.JUDGED_BOT: ("bot", ""),
        DropReason.EXCLUDED_IP: ("excluded", "ip"),
        DropReason.EXCLUDED_COUNTRY: ("excluded", "country"),
        DropReason.EXCLUDED_PATH: ("excluded", "path"),
        DropReason.EXCLUDED_HOST: ("excluded", "host"),
        DropReason.EXCLUDED_USER_AGENT: ("excluded", "user_agent"),
        DropReason.DISABLED: ("excluded", "disabled"),
        DropReason.PROTOCOL_OFF: ("excluded", "protocol"),
        DropReason.INVALID_KEY: ("denied", "invalid_key"),
        DropReason.ACCESS_DENIED: ("denied", "not_a_member"),
        DropReason.KEY_REUSED: ("invalid", "idempotency_key_reused"),
        DropReason.INVALID: ("invalid", "payload"),
        DropReason.SITE_NOT_FOUND: ("invalid", "site_not_found"),
    }
)


@lru_cache(maxsize=4_096)
def unsigned_key(site_id: int) -> OutcomeKey:
    """Return the key of a wrong signature in the ledger: its event is counted as stored, too."""
    return OutcomeKey(site_id, IGNORED, "user_signature")


# A refusal must stay cheap. The combinations are few: the sites that exist, and none, times a dozen reasons.
@lru_cache(maxsize=4_096)
def outcome_key(site_id: int, reason: DropReason | None) -> OutcomeKey:
    """Return the key of a dropped event in the ledger; without a reason, that of one stored before."""
    if reason is None:
        return OutcomeKey(site_id, "replayed")
    outcome, detail = OUTCOME_NAMES.get(reason, (reason.value, ""))
    return OutcomeKey(site_id, outcome, detail)
