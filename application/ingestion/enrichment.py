"""Enrichment: from an event that passed the checks to the hit that is stored."""

from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, cast

from attrs import define, field

from footfall.application.ingestion.draft import Draft
from footfall.application.ingestion.measures import (
    NAMELESS,
    key_of_pageview,
    measure_of,
    pages_of,
    report_of,
)
from footfall.application.ports.enrichment import Device, Location
from footfall.application.ports.system import Salts
from footfall.application.ports.traffic_log import NewestPageviews
from footfall.domain.paths.pathname import stored_path
from footfall.domain.sites.host import normalize_host
from footfall.domain.sites.site import Site
from footfall.domain.sites.visitor_reach import ReachSpan, VisitorReach, span_of
from footfall.domain.tracking.acquisition.campaign import Utm, parse_utm
from footfall.domain.tracking.acquisition.channel import Channel, classify, foreign_host
from footfall.domain.tracking.acquisition.query_parameters import stored_query
from footfall.domain.tracking.acquisition.referrer import stored_referrer
from footfall.domain.tracking.automation import Sign, hints_speak_against, signs_of
from footfall.domain.tracking.engagement import NAMELESS_SPAN, Measure
from footfall.domain.tracking.foreign_protocol import ForeignProtocol
from footfall.domain.tracking.hit import Hit, HitType, Sent, hot_value
from footfall.domain.tracking.salts import SALT_REST
from footfall.domain.tracking.visitor import named_visitor_id, salted_user_id, visitor_id

DAY = timedelta(days=1)


@hot_value
class Arrival:
    """The way of a visitor to a page: whether from a page of another site, by which channel, with which campaign."""

    is_foreign: bool
    channel: Channel
    campaign: Utm


def arrival_of(
    referrer: str | None,
    domain: str,
    hostname: str | None,
    querystring: str | None,
    click_id: str | None = None,
    utm: Utm | None = None,
) -> Arrival:
    """Return how a visitor came to a page of a domain.

    `utm` stands for campaign parameters that a source keeps beside the query string, `click_id` for the name of an
    advertising network's parameter.
    """
    host = foreign_host(referrer, (domain, normalize_host(hostname or "") or ""))
    campaign = parse_utm(querystring) if utm is None else utm
    channel = classify(host, f"{click_id}=1" if click_id else querystring, campaign)
    return Arrival(bool(host), channel, campaign)


def hit_of(sent: Sent, site: Site, arrival: Arrival, device: Device, location: Location, **own: Any) -> Hit:
    """Return the hit that a site stores of what was sent; `own` are the attributes that are known otherwise.

    No text of it is empty. Each attribute is named: to take them in a loop costs an event 3 µs more.
    """
    campaign = arrival.campaign
    return Hit(
        site_id=site.site_id,
        hostname=sent.hostname or None,
        querystring=stored_query(
            sent.querystring,
            kept=site.config.track_url_params,
            only_campaign=site.config.utm_params_only,
        ),
        page_title=sent.page_title or None,
        referrer=stored_referrer(sent.referrer, is_foreign=arrival.is_foreign),
        language=sent.language or None,
        color_scheme=sent.color_scheme,
        screen_width=sent.screen_width,
        screen_height=sent.screen_height,
        event_name=sent.event_name or None,
        properties=sent.properties,
        lcp=sent.lcp,
        cls=sent.cls,
        inp=sent.inp,
        fcp=sent.fcp,
        ttfb=sent.ttfb,
        release=sent.release,
        channel=arrival.channel,
        utm_source=campaign.source,
        utm_medium=campaign.medium,
        utm_campaign=campaign.campaign,
        utm_term=campaign.term,
        utm_content=campaign.content,
        browser=device.browser,
        browser_version=device.browser_version,
        operating_system=device.operating_system,
        operating_system_version=device.operating_system_version,
        device_type=device.device_type,
        bot=device.bot_name,
        country=location.country,
        region=location.region,
        city=location.city,
        latitude=location.latitude,
        longitude=location.longitude,
        **own,
    )


# A browser sends the same headers with each of its hits. At most 10,000 of 1,280 characters are remembered.
_hints_speak_against = lru_cache(maxsize=10_000)(hints_speak_against)
_COMPARED = 512
# Scripts of other services do not tell the height.
_TELL_SCREENS = frozenset({None, ForeignProtocol.UMAMI})


def _automation_of(event: Draft) -> str | None:
    """Return what speaks against a person; of events that come from servers only what they say."""
    request, origin = event.request, event.origin
    if event.key is not None or event.is_of_server:
        return Sign.WEBDRIVER.value if request.webdriver else None
    return signs_of(
        headless_hints=_hints_speak_against(origin.user_agent[:_COMPARED], origin.hints),
        no_language=not origin.accept_language and request.language is None,
        no_screen=event.protocol in _TELL_SCREENS and not (request.screen_width and request.screen_height),
        webdriver=request.webdriver,
    )


@define(kw_only=True)
class Enrichment:
    """Adds visitor, channel and campaign to an event; the address ends here and is no part of the hit."""

    _secret: bytes = field(repr=False)
    _salts: Salts
    _pageviews: NewestPageviews
    _known_salts: dict[ReachSpan, bytes] = field(factory=dict, init=False, repr=False)

    async def hit(self, event: Draft) -> Hit:
        """Return the hit of an event.

        Raises:
            StoreUnavailable: the site recognizes visitors for a time, and the store does not return its salt.

        """
        request, device, location = event.request, event.device, event.location
        site = event.record.site
        salt = await self._salt_of(site.config.visitor_reach, event.received_at)
        visitor = self._visitor_id(event, salt)
        querystring = request.querystring if site.config.track_url_params else None
        return hit_of(
            request,
            site,
            arrival_of(request.referrer, site.domain, request.hostname, querystring),
            device,
            location,
            type=cast("HitType", request.type),
            occurred_at=event.received_at if event.key is None else request.timestamp or event.received_at,
            received_at=event.received_at,
            visitor_id=visitor,
            user_id=self._user_id(request.user_id, site, salt),
            signed_visitor_id=self._signed_visitor_id(event, salt) if event.has_signed_user else None,
            pathname=stored_path(request.pathname),
            automation=_automation_of(event),
            bot_verified=event.bot_verified,
            location_source=event.located_by,
            network=event.network.kind,
            autonomous_system=event.network.autonomous_system,
            pageview_key=key_of_pageview(event, visitor, self._secret),
        )

    async def measure(self, event: Draft) -> Measure | None:
        """Return the measure of a message; None where its page names no pageview, and none is known of the page.

        Raises:
            StoreUnavailable: the store returns neither the salt nor the pageview that this takes.

        """
        if event.protocol not in NAMELESS:
            return measure_of(event, self._secret)
        site, now = event.record.site, event.received_at
        visitor = self._visitor_id(event, await self._salt_of(site.config.visitor_reach, now))
        pages = pages_of(event, visitor, self._secret)
        key = await self._pageviews.of_page(site.site_id, pages, now, since=now - NAMELESS_SPAN)
        return None if key is None else report_of(event, key)

    async def prepare(self, now: datetime) -> None:
        """Read the salts of the present spans, and of those that begin within a day.

        Events go on with them while their store is away.

        Raises:
            StoreUnavailable: the store does not return them.

        """
        for reach in VisitorReach:
            for at in (now, now + DAY):
                await self._salt_of(reach, at)

    async def _salt_of(self, reach: VisitorReach, at: datetime) -> bytes:
        span = span_of(reach, at)
        if span is None:
            return b""
        if span not in self._known_salts:
            self._known_salts[span] = await self._salts.of(span)
        for over in [salt for salt in self._known_salts if salt.ends_at + SALT_REST <= at]:
            del self._known_salts[over]
        return self._known_salts[span]

    def _visitor_id(self, event: Draft, salt: bytes) -> int:
        """Return the visitor whom a key names by a user id alone, else the one of an address and a user agent."""
        site_id, request = event.record.site.site_id, event.request
        if event.key is not None and request.user_id is not None and request.ip_address is None:
            return named_visitor_id(self._secret, site_id=site_id, user_id=request.user_id, salt=salt)
        return visitor_id(
            self._secret, site_id=site_id, address=event.address, user_agent=event.user_agent, salt=salt
        )

    def _signed_visitor_id(self, event: Draft, salt: bytes) -> int | None:
        """Return the visitor of a signed user: the one whom a key names by the same user id alone."""
        site_id, user_id = event.record.site.site_id, event.request.user_id
        if user_id is None:
            return None
        return named_visitor_id(self._secret, site_id=site_id, user_id=user_id, salt=salt)

    def _user_id(self, user_id: str | None, site: Site, salt: bytes) -> str | None:
        if user_id is None or not salt:
            return user_id
        return salted_user_id(self._secret, site_id=site.site_id, user_id=user_id, salt=salt)
