"""The breakdown panels: their titles and tabs."""

from collections.abc import Mapping
from types import MappingProxyType

from attrs import frozen


@frozen
class Panel:
    """A panel with the dimensions and labels of its tabs."""

    title: str
    tabs: tuple[tuple[str, str], ...]

    def tab(self, requested: str | None) -> str:
        """Return the requested tab, or the first one if there is no such tab."""
        return requested if requested in dict(self.tabs) else self.tabs[0][0]


PANELS: Mapping[str, Panel] = MappingProxyType(
    {
        "pages": Panel(
            "Pages",
            (
                ("pathname", "Top"),
                ("entry_page", "Entry"),
                ("exit_page", "Exit"),
                ("page_title", "Titles"),
            ),
        ),
        "sources": Panel(
            "Sources",
            (
                ("channel", "Channels"),
                ("referrer_host", "Referrers"),
                ("referrer", "Addresses"),
                ("utm_source", "UTM source"),
                ("utm_medium", "UTM medium"),
                ("utm_campaign", "Campaigns"),
                ("utm_term", "UTM term"),
                ("utm_content", "UTM content"),
            ),
        ),
        "places": Panel(
            "Locations",
            (("country", "Countries"), ("region", "Regions"), ("city", "Cities"), ("language", "Languages")),
        ),
        "systems": Panel(
            "Devices",
            (("browser", "Browsers"), ("operating_system", "Systems"), ("device_type", "Types")),
        ),
        "events": Panel(
            "Events",
            (("event_name", "Custom events"), ("outbound", "Outbound links")),
        ),
    }
)
UNITS: Mapping[str, str] = MappingProxyType(
    {
        "pathname": "pageview",
        "page_title": "pageview",
        "event_name": "event",
        "outbound": "click",
    }
)
