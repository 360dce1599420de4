"""The panels that break a site's traffic down: what each is called, and its tabs."""

from collections.abc import Mapping
from types import MappingProxyType

from attrs import frozen


@frozen
class Panel:
    """A panel with its tabs: what they break down by, and how they are called."""

    title: str
    tabs: tuple[tuple[str, str], ...]
    empty: str

    def tab(self, wanted: str | None) -> str:
        """Return the tab that is wanted; the first one when there is no such tab."""
        return wanted if wanted in dict(self.tabs) else self.tabs[0][0]


PANELS: Mapping[str, Panel] = MappingProxyType(
    {
        "pages": Panel(
            "Pages",
            (
                ("pathname", "Viewed"),
                ("entry_page", "Entry"),
                ("exit_page", "Exit"),
                ("page_title", "Titles"),
            ),
            "No page was opened.",
        ),
        "sources": Panel(
            "Sources",
            (
                ("channel", "Channels"),
                ("referrer", "Referrers"),
                ("utm_source", "Tagged"),
                ("utm_campaign", "Campaigns"),
            ),
            "Nobody came.",
        ),
        "places": Panel(
            "Places",
            (("country", "Countries"), ("region", "Regions"), ("city", "Cities"), ("language", "Languages")),
            "Nobody came.",
        ),
        "systems": Panel(
            "Systems",
            (("browser", "Browsers"), ("operating_system", "Systems"), ("device_type", "Devices")),
            "Nobody came.",
        ),
        "events": Panel(
            "Events",
            (("event_name", "Custom"), ("outbound", "Outbound links")),
            "No event was sent, and no link to another site was followed.",
        ),
    }
)
UNITS: Mapping[str, str] = MappingProxyType(
    {
        "pathname": "pageviews",
        "page_title": "pageviews",
        "event_name": "events",
        "outbound": "clicks",
    }
)
