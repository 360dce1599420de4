"""Enrichment: what is added to a tracking event before it is stored."""

from datetime import datetime

from footfall.application.ports import Device, Geolocation, Location, Salts, UserAgents
from footfall.application.tracking import TrackRequest
from footfall.domain.campaign import utm
from footfall.domain.channel import classify, foreign_host
from footfall.domain.hit import Hit
from footfall.domain.host import normalize_host
from footfall.domain.site import Site
from footfall.domain.visitor import salt_day, visitor_id


class Enrichment:
    """Device, location, channel and visitor of an event; the address goes in and never comes out."""

    def __init__(
        self, *, secret: bytes, salts: Salts, user_agents: UserAgents, geolocation: Geolocation
    ) -> None:
        self._secret = secret
        self._salts = salts
        self._user_agents = user_agents
        self._geolocation = geolocation
        self._salt: tuple[str, bytes] = ("", b"")

    def device(self, user_agent: str) -> Device:
        """Return what the user agent says."""
        return self._user_agents.parse(user_agent)

    def location(self, address: str) -> Location:
        """Return where the address is."""
        return self._geolocation.locate(address)

    async def salt(self, at: datetime) -> bytes:
        """Return the salt of the day, for a site that salts its visitors.

        Raises:
            StoreUnavailable: the day's salt is not to be had.

        """
        day = salt_day(at)
        if self._salt[0] != day:
            self._salt = day, await self._salts.of_day(day)
        return self._salt[1]

    def hit(
        self,
        request: TrackRequest,
        *,
        site: Site,
        device: Device,
        location: Location,
        address: str,
        user_agent: str,
        occurred_at: datetime,
        received_at: datetime,
        salt: bytes,
    ) -> Hit:
        """Return the hit that is stored for an admitted event; `salt` is empty where the site has none."""
        querystring = request.querystring if site.config.track_url_params else None
        campaign = utm(querystring)
        source = foreign_host(request.referrer, (site.domain, normalize_host(request.hostname or "") or ""))
        return Hit(
            site_id=site.site_id,
            type=request.type,
            occurred_at=occurred_at,
            received_at=received_at,
            visitor_id=visitor_id(
                self._secret, site_id=site.site_id, address=address, user_agent=user_agent, salt=salt
            ),
            user_id=request.user_id,
            hostname=request.hostname,
            pathname=request.pathname,
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
        )
