"""Ingestion: from a tracking event as somebody sent it to a hit in the traffic log, or to the reason why not."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from attrs import field, frozen

from footfall.application.directory import Directory, ListedSite
from footfall.application.enrichment import Enrichment
from footfall.application.ports import (
    Clock,
    Device,
    Intake,
    StoreUnavailable,
    Submission,
    UnstorableHit,
)
from footfall.application.tracking import JsonDecoder, TrackRequest, parse_track
from footfall.domain.api_key import ApiKey, digest_of
from footfall.domain.errors import Invalid
from footfall.domain.exclusion import parse_address
from footfall.domain.hit import HitType
from footfall.domain.host import normalize_host, within

MOST_AHEAD = timedelta(minutes=5)
MOST_BEHIND = timedelta(days=30)


class Verdict(StrEnum):
    """What became of a tracking event (decisions, section 1, table of answers)."""

    STORED = "stored"
    INVALID = "invalid"
    INVALID_KEY = "invalid_key"
    SITE_NOT_FOUND = "site_not_found"
    ACCESS_DENIED = "access_denied"
    BOT = "bot"
    DOMAIN = "domain"
    EXCLUDED_IP = "excluded_ip"
    EXCLUDED_COUNTRY = "excluded_country"
    DISABLED = "disabled"
    UNAVAILABLE = "unavailable"


@frozen(kw_only=True)
class Answer:
    """The verdict on one tracking event, with what its sender can do something about."""

    verdict: Verdict
    field_errors: Mapping[str, list[str]] = field(factory=dict)
    form_errors: tuple[str, ...] = ()


@frozen(kw_only=True)
class Sender:
    """What the connection says about who sends, beside the payload."""

    address: str = field(repr=False)
    user_agent: str = ""
    origin: str | None = None
    referer: str | None = None
    key: str | None = field(default=None, repr=False)


_STORED = Answer(verdict=Verdict.STORED)
_SWITCHES = {
    HitType.PERFORMANCE: "web_vitals",
    HitType.ERROR: "track_errors",
    HitType.OUTBOUND: "track_outbound",
}


class Ingestion:
    """Decides about tracking events, in the order of the decisions, and brings the admitted ones to the intake."""

    def __init__(
        self,
        *,
        directory: Directory,
        enrichment: Enrichment,
        intake: Intake,
        clock: Clock,
        decode_json: JsonDecoder,
    ) -> None:
        self._directory = directory
        self._enrichment = enrichment
        self._intake = intake
        self._clock = clock
        self._decode_json = decode_json

    async def track(self, payload: Mapping[str, Any], sender: Sender) -> Answer:
        """Return what became of the event of a decoded JSON object; when it is stored, it is durable."""
        try:
            request = parse_track(payload, self._decode_json)
            return await self._admit(request, sender)
        except Invalid as refusal:
            return Answer(
                verdict=Verdict.INVALID, field_errors=refusal.faults, form_errors=tuple(refusal.forms)
            )
        except UnstorableHit:
            return Answer(verdict=Verdict.INVALID, form_errors=("The store cannot hold this event",))
        except StoreUnavailable:
            return Answer(verdict=Verdict.UNAVAILABLE)

    async def _admit(self, request: TrackRequest, sender: Sender) -> Answer:
        now = self._clock.now()
        key = None
        if secret := sender.key or request.api_key:
            key = await self._directory.find_key(digest_of(secret))
            if key is None or not key.valid_at(now):
                return Answer(verdict=Verdict.INVALID_KEY)
        listed = await self._site(request.site)
        if listed is None:
            return Answer(verdict=Verdict.SITE_NOT_FOUND)
        if key is not None:
            return await self._admit_vouched(request, sender, listed, key, now)
        return await self._admit_unvouched(request, sender, listed, now)

    async def _admit_vouched(
        self, request: TrackRequest, sender: Sender, listed: ListedSite, key: ApiKey, now: datetime
    ) -> Answer:
        if self._directory.role(key.user_id, listed.site.organization_id) is None:
            return Answer(verdict=Verdict.ACCESS_DENIED)
        occurred_at = now if request.timestamp is None else _within_reach(request.timestamp, now)
        device = self._enrichment.device(request.user_agent or sender.user_agent)
        address = request.ip_address or sender.address
        return await self._store(request, sender, listed, device, address, occurred_at, now)

    async def _admit_unvouched(
        self, request: TrackRequest, sender: Sender, listed: ListedSite, now: datetime
    ) -> Answer:
        config = listed.site.config
        device = self._enrichment.device(request.user_agent or sender.user_agent)
        if config.block_bots and device.bot:
            return Answer(verdict=Verdict.BOT)
        if mismatch := _domain_mismatch(request, sender, listed.site.domain):
            return Answer(verdict=Verdict.DOMAIN, form_errors=(mismatch,))
        switch = _SWITCHES.get(request.type)
        if switch is not None and not getattr(config, switch):
            return Answer(verdict=Verdict.DISABLED)
        return await self._store(request, sender, listed, device, sender.address, now, now)

    async def _store(
        self,
        request: TrackRequest,
        sender: Sender,
        listed: ListedSite,
        device: Device,
        address: str,
        occurred_at: datetime,
        now: datetime,
    ) -> Answer:
        if listed.site.config.excluded_ips and _excluded(address, listed):
            return Answer(verdict=Verdict.EXCLUDED_IP)
        location = self._enrichment.location(address)
        if location.country is not None and location.country in listed.excluded_countries:
            return Answer(verdict=Verdict.EXCLUDED_COUNTRY)
        hit = await self._enrichment.hit(
            request,
            site=listed.site,
            device=device,
            location=location,
            address=address,
            user_agent=request.user_agent or sender.user_agent,
            occurred_at=occurred_at,
            received_at=now,
        )
        await self._intake.submit(Submission(hit=hit))
        return _STORED

    async def _site(self, reference: str) -> ListedSite | None:
        return await self._directory.find_site(reference) if reference else None


def _excluded(address: str, listed: ListedSite) -> bool:
    try:
        return parse_address(address) in listed.excluded_ips
    except ValueError:
        return False  # a Unix socket has no address


def _within_reach(timestamp: datetime, now: datetime) -> datetime:
    if not now - MOST_BEHIND <= timestamp <= now + MOST_AHEAD:
        fault = "must be at most 5 minutes ahead of the server and 30 days behind"
        raise Invalid({"timestamp": [fault]}, "Invalid payload")
    return timestamp


def _domain_mismatch(request: TrackRequest, sender: Sender, domain: str) -> str | None:
    """Say what was compared when the event does not come from the site's domain (decisions, section 1)."""
    for source, text in (
        ("Origin", sender.origin),
        ("Referer", sender.referer),
        ("hostname", request.hostname),
    ):
        if text:
            host = normalize_host(text)
            if host is not None and within(host, domain):
                return None
            return f"{source} {text[:200]} does not belong to {domain}"
    return f"Origin, Referer and hostname are all missing; one of them must belong to {domain}"
