"""Enrichment: from an event that passed the checks to the hit that is stored."""

from datetime import datetime, timedelta

from attrs import define, field

from footfall.application.ingestion.draft import Draft
from footfall.application.ports.system import Salts
from footfall.domain.sites.host import normalize_host
from footfall.domain.sites.site import Site
from footfall.domain.tracking.campaign import parse_utm
from footfall.domain.tracking.channel import classify, foreign_host
from footfall.domain.tracking.hit import Hit
from footfall.domain.tracking.pathname import stored_path
from footfall.domain.tracking.visitor import named_visitor_id, salt_day, salted_user_id, visitor_id

DAY = timedelta(days=1)


@define(kw_only=True)
class Enrichment:
    """Adds visitor, channel and campaign to an event; the address ends here and is no part of the hit."""

    _secret: bytes = field(repr=False)
    _salts: Salts
    _salts_by_day: dict[str, bytes] = field(factory=dict, init=False, repr=False)

    async def hit(self, event: Draft) -> Hit:
        """Return the hit of an event.

        Raises:
            StoreUnavailable: the site salts its visitors, and the store does not return the salt of the day.

        """
        request, device, location = event.request, event.device, event.location
        site = event.record.site
        salt = await self._salt_of(event.received_at) if site.config.salt_user_ids else b""
        querystring = request.querystring if site.config.track_url_params else None
        campaign = parse_utm(querystring)
        source = foreign_host(request.referrer, (site.domain, normalize_host(request.hostname or "") or ""))
        return Hit(
            site_id=site.site_id,
            type=request.type,
            occurred_at=event.received_at if event.key is None else request.timestamp or event.received_at,
            received_at=event.received_at,
            visitor_id=self._visitor_id(event, salt),
            user_id=self._user_id(request.user_id, site, salt),
            hostname=request.hostname,
            pathname=stored_path(request.pathname),
            querystring=querystring,
            page_title=request.page_title,
            referrer=request.referrer if source else None,
            channel=classify(source, querystring, campaign),
            utm_source=campaign.source,
            utm_medium=campaign.medium,
            utm_campaign=campaign.campaign,
            utm_term=campaign.term,
            utm_content=campaign.content,
            language=request.language,
            screen_width=request.screen_width,
            screen_height=request.screen_height,
            browser=device.browser,
            browser_version=device.browser_version,
            operating_system=device.operating_system,
            operating_system_version=device.operating_system_version,
            device_type=device.device_type,
            country=location.country,
            region=location.region,
            city=location.city,
            latitude=location.latitude,
            longitude=location.longitude,
            event_name=request.event_name,
            properties=request.properties,
            lcp=request.lcp,
            cls=request.cls,
            inp=request.inp,
            fcp=request.fcp,
            ttfb=request.ttfb,
            release=request.release,
        )

    async def prepare(self, now: datetime) -> None:
        """Read the salts of this day and of the next one, so that events go on while their store is away.

        Raises:
            StoreUnavailable: the store does not return them.

        """
        await self._salt_of(now)
        tomorrow = salt_day(now + DAY)
        if tomorrow not in self._salts_by_day:
            self._salts_by_day[tomorrow] = await self._salts.of_day(tomorrow)

    async def _salt_of(self, at: datetime) -> bytes:
        day = salt_day(at)
        if day not in self._salts_by_day:
            self._salts_by_day[day] = await self._salts.of_day(day)
        for over in [one for one in self._salts_by_day if one < day]:
            del self._salts_by_day[over]
        return self._salts_by_day[day]

    def _visitor_id(self, event: Draft, salt: bytes) -> int:
        """Return the visitor whom a key names by a user id alone, else the one of an address and a user agent."""
        site_id, request = event.record.site.site_id, event.request
        if event.key is not None and request.user_id is not None and request.ip_address is None:
            return named_visitor_id(self._secret, site_id=site_id, user_id=request.user_id, salt=salt)
        return visitor_id(
            self._secret, site_id=site_id, address=event.address, user_agent=event.user_agent, salt=salt
        )

    def _user_id(self, user_id: str | None, site: Site, salt: bytes) -> str | None:
        if user_id is None or not site.config.salt_user_ids:
            return user_id
        return salted_user_id(self._secret, site_id=site.site_id, user_id=user_id, salt=salt)
