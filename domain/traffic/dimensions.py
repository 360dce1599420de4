"""Dimensions: the attributes by which reports count and filter, each declared once (docs/read/dimensions.md)."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from attrs import evolve, frozen

from footfall.domain.bots.bot_names import OTHER
from footfall.domain.text import text_fault
from footfall.domain.tracking.automation import EVERY_VALUE, NO_SIGN, Sign
from footfall.domain.tracking.hit import HitType
from footfall.domain.tracking.screen import ScreenClass


class Group(StrEnum):
    """Dimensions that are shown together; the value is their title."""

    PAGES = "Pages"
    SOURCES = "Sources"
    PLACES = "Locations"
    SYSTEMS = "Devices"
    EVENTS = "Events"


@frozen
class Dimension:
    """An attribute by which reports count sessions, or hits of one type, and select sessions.

    `name` is that of the attribute, and of the parameters `by` and `filters`. In texts the dimension is called `label`,
    in its group `tab`; without a group it has no list of its own. One `of` a type of hits counts these, another one
    sessions. One that is not stored is computed of another one.
    """

    name: str
    label: str
    group: Group | None = None
    tab: str = ""
    of: HitType | None = None
    is_stored: bool = True
    breaks_down: bool = True
    filters: bool = True


ALL = (
    Dimension("pathname", "Page", Group.PAGES, "Top", of=HitType.PAGEVIEW),
    Dimension("entry_page", "Entry page", Group.PAGES, "Entry"),
    Dimension("exit_page", "Exit page", Group.PAGES, "Exit"),
    Dimension("page_title", "Page title", Group.PAGES, "Titles", of=HitType.PAGEVIEW),
    Dimension("release", "Release", Group.PAGES, "Releases", of=HitType.PAGEVIEW),
    Dimension("event_name", "Event", Group.EVENTS, "Custom events", of=HitType.CUSTOM_EVENT),
    # The targets of outbound clicks: not an attribute, but a property, with a report of its own.
    Dimension(
        "outbound",
        "Outbound link",
        Group.EVENTS,
        "Outbound links",
        of=HitType.OUTBOUND,
        breaks_down=False,
        filters=False,
    ),
    Dimension("channel", "Channel", Group.SOURCES, "Channels"),
    Dimension("referrer_host", "Referrer", Group.SOURCES, "Referrers", is_stored=False),
    Dimension("referrer", "Referring address", Group.SOURCES, "Addresses"),
    Dimension("utm_source", "UTM source", Group.SOURCES, "UTM source"),
    Dimension("utm_medium", "UTM medium", Group.SOURCES, "UTM medium"),
    Dimension("utm_campaign", "UTM campaign", Group.SOURCES, "Campaigns"),
    Dimension("utm_term", "UTM term", Group.SOURCES, "UTM term"),
    Dimension("utm_content", "UTM content", Group.SOURCES, "UTM content"),
    Dimension("country", "Country", Group.PLACES, "Countries"),
    Dimension("region", "Region", Group.PLACES, "Regions"),
    Dimension("city", "City", Group.PLACES, "Cities"),
    Dimension("location_source", "Location source"),
    Dimension("language", "Language", Group.PLACES, "Languages"),
    Dimension("browser", "Browser", Group.SYSTEMS, "Browsers"),
    Dimension("browser_version", "Browser version", Group.SYSTEMS, "Browser versions"),
    Dimension("operating_system", "System", Group.SYSTEMS, "Systems"),
    Dimension("operating_system_version", "System version", Group.SYSTEMS, "System versions"),
    Dimension("device_type", "Device", Group.SYSTEMS, "Types"),
    Dimension("screen_class", "Screen", Group.SYSTEMS, "Screens", of=HitType.PAGEVIEW, is_stored=False),
    Dimension("color_scheme", "Color scheme", Group.SYSTEMS, "Color schemes"),
    Dimension("automation", "Automation", Group.SYSTEMS, "Automation"),
    Dimension("bot", "Bot", Group.SYSTEMS, "Bots"),
    Dimension("bot_operator", "Bot operator", is_stored=False),
    Dimension("bot_purpose", "Bot purpose", Group.SYSTEMS, "Bot purposes", is_stored=False),
    Dimension("bot_verified", "Bot verification"),
    Dimension("network", "Network", Group.SYSTEMS, "Networks"),
    Dimension("autonomous_system", "Hosting network", Group.SYSTEMS, "Hosting"),
    Dimension("hostname", "Hostname", Group.PAGES, "Hostnames"),
    # The number of a session's hits.
    Dimension("hits", "Events in the session", is_stored=False, breaks_down=False),
    Dimension("user_id", "User ID", breaks_down=False),
)

# The longest key of a dimension that has one.
MAX_KEY = 256


@frozen
class Family:
    """Dimensions of one kind, one for each key that hits bring: `property:plan` is the property `plan`.

    They count the hits of the types `of` that have the key, and select sessions with such a hit. `label` is that of the
    kind, and `subject` what an error calls the key. They are shown in a `group`, each when its key is asked for.
    """

    name: str
    label: str
    subject: str
    group: Group
    of: tuple[HitType, ...]

    @property
    def has_properties(self) -> bool:
        """Whether the keys are names of properties; else those of query parameters."""
        return self.name == "property"

    def of_key(self, key: str) -> str:
        """Return the name of the dimension of a key."""
        return f"{self.name}:{key}"


PROPERTY = Family(
    "property",
    "Property",
    "the name of a property",
    Group.EVENTS,
    (HitType.PAGEVIEW, HitType.CUSTOM_EVENT),
)
QUERY = Family("query", "Query parameter", "the name of a query parameter", Group.PAGES, (HitType.PAGEVIEW,))
FAMILIES: Mapping[str, Family] = MappingProxyType({family.name: family for family in (PROPERTY, QUERY)})
# What `property` is for readers who are not members of the site's organization: no request names it in this way.
PROPERTY_OF_EVENTS = evolve(PROPERTY, of=(HitType.CUSTOM_EVENT,))
_OF_EVENTS = "property of custom events"


@frozen
class Keyed:
    """A dimension of a family: that of one key."""

    family: Family
    key: str

    @property
    def label(self) -> str:
        """What to call the dimension: Property plan."""
        return f"{self.family.label} {self.key}"

    @property
    def fault(self) -> str | None:
        """The rule that the key breaks, or None."""
        if not self.key:
            return f"{self.family.subject} must follow {self.family.name}:"
        fault = text_fault(self.key, maximum=MAX_KEY)
        return None if fault is None else f"{self.family.subject} {fault}"


def keyed(name: str) -> Keyed | None:
    """Return the dimension of a family that a name such as `property:plan` stands for; None for all other names."""
    family, colon, key = name.partition(":")
    if colon and family == _OF_EVENTS:
        return Keyed(PROPERTY_OF_EVENTS, key)
    return Keyed(FAMILIES[family], key) if colon and family in FAMILIES else None


def is_of_property(name: str) -> bool:
    """Whether a name stands for the dimension of a property."""
    dimension = keyed(name)
    return dimension is not None and dimension.family.has_properties


def requested(name: str) -> Keyed | None:
    """Return the same for a name in a request, which never has the dimensions of other readers."""
    dimension = keyed(name)
    return None if dimension is None or dimension.family is PROPERTY_OF_EVENTS else dimension


def of_events_alone(name: str) -> str:
    """Return the name by which reports know a dimension without pageviews: another one for a property only."""
    return f"{_OF_EVENTS}:{name.partition(':')[2]}" if is_of_property(name) else name


_SIGNS: Mapping[str, str] = MappingProxyType(
    {
        NO_SIGN: "No signs",
        Sign.HEADLESS_HINTS: "Headless hints",
        Sign.NO_LANGUAGE: "No language",
        Sign.NO_SCREEN: "No screen",
        Sign.WEBDRIVER: "WebDriver",
    }
)

# What to call values that people write in another way.
LABELS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "device_type": {
            "desktop": "Desktop",
            "mobile": "Phone",
            "tablet": "Tablet",
            "tv": "TV",
            "console": "Game console",
            "bot": "Bot",
            "unknown": "Unknown",
        },
        "operating_system": {
            "Mac OS X": "macOS",
            "Chrome OS": "ChromeOS",
            "ATV OS X": "tvOS",
            "WatchOS": "watchOS",
        },
        "location_source": {"database": "Location database", "time_zone": "Time zone"},
        "bot": {OTHER: "Other"},
        "bot_purpose": {
            "search": "Search",
            "training": "Training",
            "answer": "Answer for a user",
            "preview": "Link preview",
            "monitoring": "Monitoring",
            "other": "Other",
        },
        "bot_verified": {"verified": "Verified", "unverified": "Not verified"},
        "network": {"hosting": "Hosting"},
        "color_scheme": {"light": "Light", "dark": "Dark"},
        "screen_class": {
            ScreenClass.SMALL: "Small, below 576",
            ScreenClass.MEDIUM: "Medium, 576 to 991",
            ScreenClass.LARGE: "Large, 992 to 1,439",
            ScreenClass.VERY_LARGE: "Very large, from 1,440",
        },
        "automation": {value: ", ".join(_SIGNS[sign] for sign in value.split(",")) for value in EVERY_VALUE},
    }
)


def value_label(by: str, value: str) -> str:
    """Return what to call a value of a dimension: Phone for `mobile`; most values are their own labels."""
    return LABELS.get(by, {}).get(value, value)
