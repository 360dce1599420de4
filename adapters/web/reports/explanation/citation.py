"""The citation of a dashboard: its main figure, the period, and the address that shows the same numbers again."""

from attrs import frozen

from footfall.adapters.web.counting import counted
from footfall.adapters.web.reports.view import View
from footfall.application.languages.language import tr
from footfall.domain.citations.positions import Positions
from footfall.domain.sites.site import Site
from footfall.domain.traffic.overview import Traffic


@frozen
class Citation:
    """A line of text to be copied, and the positions that the permanent address names."""

    text: str
    positions: str

    def __str__(self) -> str:
        """Return the text."""
        return self.text


def cite(site: Site, view: View, positions: Positions, traffic: Traffic, origin: str) -> Citation:
    """Return the citation of a view as of some positions."""
    zone = view.window.zone.key
    address = view.address("", **{"as_of": str(positions), "time_zone": zone, **view.pinned})
    figures = ", ".join(
        counted(count, unit)
        for count, unit in (
            (traffic.visitors, "visitor"),
            (traffic.sessions, "session"),
            (traffic.pageviews, "pageview"),
        )
    )
    filtered = tr(", with filters") if view.filters else ""
    at = positions.at.isoformat(timespec="seconds").replace("+00:00", "Z")
    return Citation(
        f"{site.domain}, {view.days} ({zone}){filtered}: {figures}. {tr('As of {at}.', at=at)} {origin}{address}",
        str(positions),
    )
