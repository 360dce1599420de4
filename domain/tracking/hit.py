"""A hit: one thing that a visitor did on a site, as it is kept for good."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, get_args

from attrs import field, fields, frozen

from footfall.domain.tracking.screen import ScreenClass, screen_class

# For values that are made for every tracked event: frozen to type checkers, not guarded at run time. The guard costs
# the constructor 40 ns for each attribute, half of the time that a hit takes to be made.
if TYPE_CHECKING:
    from attrs import frozen as hot_value
else:
    from attrs import define

    hot_value = partial(define, unsafe_hash=True)

__all__ = [
    "CHOICES",
    "BotVerification",
    "ColorScheme",
    "DeviceType",
    "Engagement",
    "Hit",
    "HitType",
    "LocatedBy",
    "NetworkKind",
    "RecordedHit",
    "Sent",
    "SentOfVisit",
    "hot_value",
    "visitor_text",
    "with_choices",
]


class HitType(StrEnum):
    """The five kinds of hits (docs/track/ingestion.md)."""

    PAGEVIEW = "pageview"
    CUSTOM_EVENT = "custom_event"
    PERFORMANCE = "performance"
    OUTBOUND = "outbound"
    ERROR = "error"


class DeviceType(StrEnum):
    """The kind of device of a visitor (docs/track/enrichment.md)."""

    DESKTOP = "desktop"
    MOBILE = "mobile"
    TABLET = "tablet"
    TV = "tv"
    CONSOLE = "console"
    BOT = "bot"
    UNKNOWN = "unknown"


class ColorScheme(StrEnum):
    """The pages that a visitor's browser prefers (docs/read/dimensions.md)."""

    LIGHT = "light"
    DARK = "dark"


class NetworkKind(StrEnum):
    """The kind of the network of an address (docs/track/enrichment.md#networks)."""

    HOSTING = "hosting"


class BotVerification(StrEnum):
    """Whether the address of a bot is one that its operator publishes (docs/track/bots.md)."""

    VERIFIED = "verified"
    UNVERIFIED = "unverified"


class LocatedBy(StrEnum):
    """What the country of a visitor is read from (docs/track/enrichment.md)."""

    DATABASE = "database"
    TIME_ZONE = "time_zone"


@hot_value(kw_only=True)
class SentOfVisit:
    """The attributes that a sender gives for the whole session, which takes them from its earliest hit.

    Texts that are not known are None.
    """

    hostname: str | None = None
    referrer: str | None = None
    language: str | None = None
    color_scheme: ColorScheme | None = None


@hot_value(kw_only=True)
class Sent(SentOfVisit):
    """The attributes that a sender gives: a tracked page, a server, or the row of a source that is imported.

    Performance measures are milliseconds, `cls` is a score. `properties` is a JSON object. `release` names the version
    of the site's code.
    """

    pathname: str | None = None
    querystring: str | None = None
    page_title: str | None = None
    screen_width: float | None = None
    screen_height: float | None = None
    event_name: str | None = None
    properties: Mapping[str, Any] | None = None
    lcp: float | None = None
    cls: float | None = None
    inp: float | None = None
    fcp: float | None = None
    ttfb: float | None = None
    release: str | None = None


@hot_value(kw_only=True)
class Hit(Sent):
    """One counted request: the traffic log holds hits, and every report is made of them.

    Texts that are not known are None, never empty. Times are aware UTC datetimes. `visitor_id` is a signed
    64-bit number. `signed_visitor_id` is one, too: that of the user for whom the site's backend vouches by a signature
    (docs/track/signed-users.md). `automation` names what speaks against a person (`domain/tracking/automation.py`),
    `bot` the program whose user agent is that of no browser (`domain/bots/bot_names.py`). `pageview_key` stands for
    the name that the sender gave to a pageview (`domain/tracking/engagement.py`).
    """

    site_id: int
    type: HitType
    occurred_at: datetime
    received_at: datetime
    visitor_id: int
    user_id: str | None = None
    signed_visitor_id: int | None = None
    channel: str | None = None
    utm_source: str | None = None
    utm_medium: str | None = None
    utm_campaign: str | None = None
    utm_term: str | None = None
    utm_content: str | None = None
    browser: str | None = None
    browser_version: str | None = None
    operating_system: str | None = None
    operating_system_version: str | None = None
    device_type: DeviceType = DeviceType.UNKNOWN
    automation: str | None = None
    bot: str | None = None
    bot_verified: BotVerification | None = None
    country: str | None = None
    region: str | None = None
    city: str | None = None
    latitude: float | None = None
    longitude: float | None = None
    location_source: LocatedBy | None = None
    network: NetworkKind | None = None
    autonomous_system: str | None = None
    pageview_key: int | None = None

    @property
    def screen_class(self) -> ScreenClass | None:
        """How wide the screen is; None where that is not known."""
        return screen_class(self.screen_width)


# The attributes of hits that are one of a few names, and their names.
CHOICES: Mapping[str, type[StrEnum]] = MappingProxyType(
    {
        attribute.name: kind
        for attribute in fields(Hit)
        for kind in (attribute.type, *get_args(attribute.type))
        if isinstance(kind, type) and issubclass(kind, StrEnum)
    }
)


def with_choices(values: dict[str, Any]) -> dict[str, Any]:
    """Return attributes, read from a store, with the names that are one of a few as members of these."""
    for name in CHOICES.keys() & values.keys():
        if values[name] is not None:
            values[name] = CHOICES[name](values[name])
    return values


@frozen
class Engagement:
    """How long a page was looked at, and how far it was scrolled: the greatest values that it reported.

    None where none was reported.
    """

    engaged_ms: int | None
    scroll_percent: int | None


@frozen
class RecordedHit:
    """A hit with its place in the traffic log; positions ascend in the order in which hits became visible.

    `engagement` is that of a pageview, where something was reported of it.
    """

    position: int
    hit: Hit
    engagement: Engagement | None = field(default=None, kw_only=True)

    @property
    def moment(self) -> tuple[datetime, int]:
        """The time and, for hits of one time, the position: hits are in order by both."""
        return self.hit.occurred_at, self.position


def visitor_text(visitor_id: int) -> str:
    """Return a visitor as 16 hexadecimal digits, as answers name a visitor without a user id."""
    return f"{visitor_id & 0xFFFF_FFFF_FFFF_FFFF:016x}"
