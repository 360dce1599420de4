"""Conversion: from the row of a source to the hit that is stored, or to the reason why none is."""

import json
from datetime import UTC, datetime
from functools import lru_cache
from operator import attrgetter

from attrs import define, field

from footfall.application.ingestion.enrichment import arrival_of, hit_of
from footfall.application.ingestion.payload_rules import (
    MAX_PROPERTIES,
    MOST,
    TEXTS,
)
from footfall.application.ingestion.storable import MAX_ERROR_PROPERTIES, unstorable
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.enrichment import (
    BotAddresses,
    Device,
    Geolocation,
    Location,
    Networks,
    UserAgents,
)
from footfall.application.ports.imports import LeftOut, SourceRow
from footfall.domain.bots.bot_names import OTHER
from footfall.domain.bots.refused_bot_counts import RefusedBot, page_of, refused_bot
from footfall.domain.paths.pathname import stored_path
from footfall.domain.sites.excluded_patterns import PatternCompiler
from footfall.domain.sites.retention import kept_since
from footfall.domain.sites.visitor_reach import import_salt, span_of
from footfall.domain.text import UNSTORABLE
from footfall.domain.tracking.event_time import MOST_AHEAD
from footfall.domain.tracking.hit import BotVerification, DeviceType, Hit, HitType, LocatedBy
from footfall.domain.tracking.networks.network import UNKNOWN_NETWORK
from footfall.domain.tracking.visitor import imported_visitor_id, salted_user_id

_NO_LOCATION = Location()
# Older than the first web server: a time of a source that knows none, such as 0 seconds since 1970.
_EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
_NAMED = frozenset({HitType.CUSTOM_EVENT, HitType.ERROR})
_PLACE = 255
_CODE = 2
_LATITUDE, _LONGITUDE = 90, 180
# Values that many rows of a source share.
_path = lru_cache(maxsize=4_096)(stored_path)
_arrival = lru_cache(maxsize=4_096)(arrival_of)
_PLACES = (
    "region",
    "city",
    "browser",
    "browser_version",
    "operating_system",
    "operating_system_version",
)
_MAXIMA = (*TEXTS.values(), *[_PLACE for _ in _PLACES])
_TEXTS_OF = attrgetter(*TEXTS, *_PLACES)
_DEVICE_OF = attrgetter(
    "browser", "browser_version", "operating_system", "operating_system_version", "device_type"
)
_CAMPAIGN = ("source", "medium", "campaign", "term", "content")
_CAMPAIGN_OF = attrgetter(*_CAMPAIGN)
_CAMPAIGN_MAXIMA = tuple(TEXTS["querystring"] for _ in _CAMPAIGN)
_NUMBERS_OF = attrgetter("screen_width", "screen_height", "lcp", "cls", "inp", "fcp", "ttfb")


@define
class Conversion:
    """Makes hits of the rows of one source, by the rules that hold for tracked events (docs/track/imports/README.md).

    `source` tells the visitors of this source from those of all others. The domain of the site, the rate limit and the
    monthly limit do not matter.
    """

    _record: SiteRecord
    _source: str
    _secret: bytes = field(repr=False)
    _user_agents: UserAgents
    _geolocation: Geolocation
    _networks: Networks
    _bot_addresses: BotAddresses
    _compile_patterns: PatternCompiler
    _now: datetime
    _kept_since: datetime | None = field(init=False)
    _latest: datetime = field(init=False)

    def __attrs_post_init__(self) -> None:
        days = self._record.site.retention_days
        self._kept_since = None if days is None else kept_since(self._now, days)
        self._latest = self._now + MOST_AHEAD

    def convert(self, row: SourceRow) -> Hit | LeftOut:
        """Return the hit of a row, or the reason why it has none."""
        if reason := self._fault(row) or self._excluded(row):
            return reason
        device = None if row.user_agent is None else self._user_agents.parse(row.user_agent)
        if device is not None and device.bot and self._record.site.config.block_bots:
            return LeftOut.BOT
        location = _NO_LOCATION
        if row.address is not None:
            if self._record.excludes_address(row.address):
                return LeftOut.EXCLUDED_ADDRESS
            location = self._geolocation.locate(row.address)
        country = location.country or _country(row.country)
        if country and country in self._record.excluded_countries:
            return LeftOut.EXCLUDED_COUNTRY
        if device is None:
            device = _device(*_DEVICE_OF(row))
        return self._hit(row, device, location, country)

    def refused_bot(self, row: SourceRow) -> RefusedBot:
        """Return what is counted of a row that is left out as one of a bot."""
        site = self._record.site
        bot = self._user_agents.parse(row.user_agent or "").bot_name or OTHER
        page = page_of(row.hostname or site.domain, _path(row.pathname), site.domain)
        return refused_bot(site, row.occurred_at, bot, self._verified(row, bot), page)

    def _verified(self, row: SourceRow, bot: str | None) -> BotVerification | None:
        if bot is None or row.address is None:
            return None
        return self._bot_addresses.verify(bot, row.address)

    def _hit(self, row: SourceRow, device: Device, location: Location, country: str | None) -> Hit:
        site = self._record.site
        network = UNKNOWN_NETWORK if row.address is None else self._networks.network(row.address)
        salt = import_salt(span_of(site.config.visitor_reach, row.occurred_at))
        querystring = row.querystring if site.config.track_url_params else None
        return hit_of(
            row,
            site,
            _arrival(row.referrer, site.domain, row.hostname, querystring, row.click_id, row.utm),
            device,
            Location(
                country=country,
                region=location.region or row.region or None,
                city=location.city or row.city or None,
                latitude=row.latitude if location.latitude is None else location.latitude,
                longitude=row.longitude if location.longitude is None else location.longitude,
            ),
            type=row.type,
            occurred_at=row.occurred_at,
            received_at=self._now,
            visitor_id=imported_visitor_id(
                self._secret, site_id=site.site_id, source=self._source, visitor=row.visitor, salt=salt
            ),
            user_id=self._user_id(row.user_id, salt),
            pathname=_path(row.pathname),
            bot_verified=self._verified(row, device.bot_name),
            location_source=LocatedBy.DATABASE if location.country else None,
            network=network.kind,
            autonomous_system=network.autonomous_system,
        )

    def _fault(self, row: SourceRow) -> LeftOut | None:
        if row.occurred_at < _EARLIEST:
            return LeftOut.EARLY
        if self._kept_since is not None and row.occurred_at < self._kept_since:
            return LeftOut.OLD
        if row.occurred_at > self._latest:
            return LeftOut.FUTURE
        if row.type in _NAMED and not row.event_name:
            return LeftOut.NO_NAME
        return _text_fault(row) or _number_fault(row) or _place_fault(row) or _property_fault(row)

    def _excluded(self, row: SourceRow) -> LeftOut | None:
        record, compile_patterns = self._record, self._compile_patterns
        if record.excludes_user_agent(row.user_agent, compile_patterns):
            return LeftOut.EXCLUDED_USER_AGENT
        if record.excludes_host(row.hostname, compile_patterns):
            return LeftOut.EXCLUDED_HOST
        if record.excludes_path(_path(row.pathname), compile_patterns):
            return LeftOut.EXCLUDED_PATH
        return None

    def _user_id(self, user_id: str | None, salt: bytes) -> str | None:
        if not user_id or not salt:
            return user_id or None
        return salted_user_id(
            self._secret, site_id=self._record.site.site_id, user_id=user_id, salt=salt + self._secret
        )


def _text_fault(row: SourceRow) -> LeftOut | None:
    fault = _fault_of(_TEXTS_OF(row), _MAXIMA)
    if fault is None and row.utm is not None:
        return _fault_of(_CAMPAIGN_OF(row.utm), _CAMPAIGN_MAXIMA)
    return fault


def _fault_of(values: tuple[str | None, ...], maxima: tuple[int, ...]) -> LeftOut | None:
    for value, maximum in zip(values, maxima, strict=True):
        if value is not None:
            if len(value) > maximum:
                return LeftOut.TOO_LONG
            # Nearly every text is plain: nothing more has to be asked of it.
            if (not value.isascii() or "\0" in value) and UNSTORABLE.search(value):
                return LeftOut.UNSTORABLE
    return None


def _number_fault(row: SourceRow) -> LeftOut | None:
    for value in _NUMBERS_OF(row):
        if value is not None and not 0 <= value <= MOST:
            return LeftOut.UNSTORABLE
    return None


def _place_fault(row: SourceRow) -> LeftOut | None:
    for value, most in ((row.latitude, _LATITUDE), (row.longitude, _LONGITUDE)):
        if value is not None and not -most <= value <= most:
            return LeftOut.UNSTORABLE
    return None


def _country(text: str | None) -> str | None:
    """Return the code of a country; another text is none."""
    code = (text or "").strip().upper()
    return code if len(code) == _CODE and code.isascii() and code.isalpha() else None


def _property_fault(row: SourceRow) -> LeftOut | None:
    if not row.properties:
        return None
    if unstorable(row.properties):
        return LeftOut.UNSTORABLE
    most = MAX_ERROR_PROPERTIES if row.type is HitType.ERROR else MAX_PROPERTIES
    return LeftOut.TOO_LONG if len(json.dumps(row.properties, ensure_ascii=False)) > most else None


@lru_cache(maxsize=4_096)
def _device(
    browser: str | None,
    browser_version: str | None,
    operating_system: str | None,
    operating_system_version: str | None,
    device_type: DeviceType,
) -> Device:
    return Device(
        browser=browser or None,
        browser_version=browser_version or None,
        operating_system=operating_system or None,
        operating_system_version=operating_system_version or None,
        device_type=device_type,
    )
