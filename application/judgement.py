"""Judging one tracking event: is it admitted, and as which hit (decisions, section 1, order of checks)."""

import hashlib
import json
from datetime import datetime, timedelta

from attrs import asdict, field

from footfall.application.directory import ListedSite
from footfall.application.enrichment import Enrichment
from footfall.application.ports import Location
from footfall.application.tracking import TrackRequest
from footfall.application.verdict import Answer, Verdict
from footfall.domain.admission import Entry, IdempotencyKey
from footfall.domain.exclusion import parse_address
from footfall.domain.hit import Hit, HitType
from footfall.domain.host import normalize_host, within
from footfall.domain.unguarded import unguarded

MOST_AHEAD = timedelta(minutes=5)
MOST_BEHIND = timedelta(days=30)

_SWITCHES = {
    HitType.PERFORMANCE: "web_vitals",
    HitType.ERROR: "track_errors",
    HitType.OUTBOUND: "track_outbound",
}

_BOT = Answer(verdict=Verdict.BOT)
_DISABLED = Answer(verdict=Verdict.DISABLED)
_EXCLUDED_IP = Answer(verdict=Verdict.EXCLUDED_IP)
_EXCLUDED_COUNTRY = Answer(verdict=Verdict.EXCLUDED_COUNTRY)


@unguarded(kw_only=True)
class Sender:
    """What the connection says about who sends, beside the payload."""

    address: str = field(repr=False)
    user_agent: str = ""
    origin: str | None = None
    referer: str | None = None
    key: str | None = field(default=None, repr=False)
    idempotency_key: str | None = None


class Judge:
    """Decides on an event's own merits; the store is asked for the day's salt at most."""

    def __init__(self, enrichment: Enrichment) -> None:
        self._enrichment = enrichment

    async def vouched(
        self, request: TrackRequest, sender: Sender, listed: ListedSite, now: datetime
    ) -> Entry | Answer:
        """Judge an event that comes with a valid key: its sender vouches for the visitor and the time."""
        occurred_at = request.timestamp or now
        if not now - MOST_BEHIND <= occurred_at <= now + MOST_AHEAD:
            fault = "must be at most 5 minutes ahead of the server and 30 days behind"
            return Answer(verdict=Verdict.INVALID, field_errors={"timestamp": [fault]})
        user_agent = request.user_agent or sender.user_agent
        address = request.ip_address or sender.address
        location = self._located(address, listed)
        if isinstance(location, Answer):
            return location
        hit = self._enrichment.hit(
            request,
            site=listed.site,
            device=self._enrichment.device(user_agent),
            location=location,
            address=address,
            user_agent=user_agent,
            occurred_at=occurred_at,
            received_at=now,
            salt=await self._enrichment.salt(now) if listed.site.config.salt_user_ids else b"",
        )
        return _entry(hit, request, sender, listed)

    async def unvouched(
        self, request: TrackRequest, sender: Sender, listed: ListedSite, now: datetime
    ) -> Entry | Answer:
        """Judge an event that anybody may have sent."""
        config = listed.site.config
        user_agent = request.user_agent or sender.user_agent
        device = self._enrichment.device(user_agent)
        if device.bot and config.block_bots:
            return _BOT
        if mismatch := _domain_mismatch(request, sender, listed.site.domain):
            return Answer(verdict=Verdict.DOMAIN, form_errors=(mismatch,))
        switch = _SWITCHES.get(request.type)
        if switch is not None and not getattr(config, switch):
            return _DISABLED
        location = self._located(sender.address, listed)
        if isinstance(location, Answer):
            return location
        hit = self._enrichment.hit(
            request,
            site=listed.site,
            device=device,
            location=location,
            address=sender.address,
            user_agent=user_agent,
            occurred_at=now,
            received_at=now,
            salt=await self._enrichment.salt(now) if config.salt_user_ids else b"",
        )
        return _entry(hit, request, sender, listed)

    def _located(self, address: str, listed: ListedSite) -> Location | Answer:
        """Return where an address is, or the answer that excludes it."""
        if listed.site.config.excluded_ips and _excluded(address, listed):
            return _EXCLUDED_IP
        location = self._enrichment.location(address)
        if location.country is not None and location.country in listed.excluded_countries:
            return _EXCLUDED_COUNTRY
        return location


def _entry(hit: Hit, request: TrackRequest, sender: Sender, listed: ListedSite) -> Entry:
    name = sender.idempotency_key or request.event_id
    idempotency = None if name is None else IdempotencyKey(hit.site_id, name, fingerprint(request))
    return Entry(hit, idempotency, listed.site.monthly_limit)


def fingerprint(request: TrackRequest) -> bytes:
    """Return a digest of what an event says, the same however it was written or delivered."""
    said = asdict(request)
    # The site is part of the name, however it is written.
    del said["api_key"], said["event_id"], said["site"]
    text = json.dumps(said, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def _excluded(address: str, listed: ListedSite) -> bool:
    try:
        return parse_address(address) in listed.excluded_ips
    except ValueError:
        return False  # a Unix socket has no address


def _domain_mismatch(request: TrackRequest, sender: Sender, domain: str) -> str | None:
    """Say what was compared when the event does not come from the site's domain (decisions, section 1)."""
    named = (("Origin", sender.origin), ("Referer", sender.referer), ("hostname", request.hostname))
    for source, text in named:
        # Browsers name no origin for pages that hide where they come from: nothing to compare in that.
        if text and text != "null":
            host = normalize_host(text)
            if host is not None and within(host, domain):
                return None
            return f"{source} {text[:200]} does not belong to {domain}"
    return f"Origin, Referer and hostname all name no host; one of them must belong to {domain}"
