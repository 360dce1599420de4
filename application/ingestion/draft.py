"""A tracking event on its way through the pipeline, with the facts found so far."""

import asyncio
from datetime import datetime
from typing import Any

from attrs import define, field

from footfall.application.ingestion.payload_rules import TrackRequest, reference_of
from footfall.application.ingestion.results import TrackResult
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.enrichment import Device, Location
from footfall.domain.accounts.api_key import ApiKey
from footfall.domain.bots.refused_bot_counts import RefusedBot
from footfall.domain.tracking.admission import PendingHit, RateLimitCharge
from footfall.domain.tracking.automation import NO_HINTS, ClientHints
from footfall.domain.tracking.engagement import MeasureType
from footfall.domain.tracking.foreign_protocol import ForeignProtocol
from footfall.domain.tracking.hit import BotVerification, LocatedBy, hot_value
from footfall.domain.tracking.networks.network import UNKNOWN_NETWORK, KeptNetwork


@hot_value(kw_only=True)
class RequestOrigin:
    """The sender of a tracking request, as the connection and the headers describe it."""

    address: str = field(repr=False)
    user_agent: str = ""
    origin: str | None = None
    referer: str | None = None
    accept_language: str | None = None
    hints: ClientHints = NO_HINTS
    key: str | None = field(default=None, repr=False)
    idempotency_key: str | None = None


@define(eq=False, repr=False)
class Draft:
    """One event, or the request that brings a batch of them; each step of the pipeline adds its findings.

    `batch` is the request of an event that came with others, `number` its place there, from 0. `protocol` is the one
    that the event was translated from, if any; what is not `kept` is checked as an event and never stored. `address`,
    `user_agent` and `device` describe the visitor, `located_by` says what the country of `location` is from,
    `bot_verified` whether the address is one of the bot that the user agent names, `has_signed_user` that the backend
    of the site vouches for the user. `dropped` is set by the step that ends the way of the event, `refused_bot` beside
    it is what is counted of a bot.
    """

    payload: Any = field(repr=False)
    origin: RequestOrigin
    received_at: datetime
    batch: "Draft | None" = None
    number: int = 0
    protocol: ForeignProtocol | None = None
    kept: bool = True
    key: ApiKey | None = None
    charge: RateLimitCharge | None = None
    dropped: TrackResult | None = None
    record: SiteRecord = field(init=False)
    request: TrackRequest = field(init=False)
    address: str = field(init=False, repr=False)
    user_agent: str = field(init=False)
    device: Device = field(init=False)
    location: Location = field(init=False)
    located_by: LocatedBy | None = None
    network: KeptNetwork = UNKNOWN_NETWORK
    bot_verified: BotVerification | None = None
    refused_bot: RefusedBot | None = None
    has_signed_user: bool = False
    pending: PendingHit = field(init=False)
    # The outcome of its commit, where it was under way when the store stopped answering.
    in_doubt: "asyncio.Future[bool] | None" = None

    @property
    def secret(self) -> str | None:
        """The API key of the request: the header's, an empty one too, else the one in the body."""
        if self.origin.key is not None:
            return self.origin.key
        in_body = self.payload.get("api_key")
        return in_body if isinstance(in_body, str) and in_body else None

    @property
    def is_measure(self) -> bool:
        """Whether it says that it brings a measure and no hit (docs/track/engagement.md)."""
        return isinstance(self.payload, dict) and self.payload.get("type") == MeasureType.ENGAGEMENT

    @property
    def is_of_server(self) -> bool:
        """Whether it was sent in a protocol of servers, and by no page, whose requests have an origin."""
        return self.protocol is ForeignProtocol.SENTRY and self.origin.origin is None

    @property
    def site_reference(self) -> str:
        """The site that the payload names, read or not; empty when it names none."""
        named = self.payload.get("site_id") if isinstance(self.payload, dict) else None
        return reference_of(named) or ""
