"""The panel of event properties, and the values of one."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from footfall.adapters.web.formatting import amount
from footfall.adapters.web.reports.panels.rows import MANY_ROWS, ROWS, PanelRows
from footfall.adapters.web.reports.trends import trend
from footfall.adapters.web.reports.view import View
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.domain.annotations.annotations import Annotation
from footfall.domain.exceptions import Invalid, NotFound
from footfall.domain.goals.goal import MAX_EVENT_NAME, MAX_PROPERTY, EventRule
from footfall.domain.pagination import Page
from footfall.domain.text import text_fault
from footfall.domain.traffic.properties import NumberPoint, PropertyValues


@frozen
class PropertyPanels:
    """Queries the contents of the panels about properties of events; `deploys` are marks that the reader may see."""

    _reports: ReportSet
    _deploys: Sequence[Annotation] = ()

    async def listed(self, record: SiteRecord, view: View, rows: PanelRows) -> dict[str, Any]:
        """Return a page of the chosen properties of the chosen event, or of the most frequent one.

        The most frequent events are proposed; every other one can be named.
        """
        site_id, period = record.site.site_id, view.window.period
        events = await self._reports.breakdowns.break_down(
            site_id, "event_name", period, Page(1, MANY_ROWS), view.filters
        )
        known = [row.value for row in events.rows if row.value]
        event = _chosen_event(view) or next(iter(known), None)
        names = known[:ROWS] if event is None or event in known[:ROWS] else [*known[: ROWS - 1], event]
        values: dict[str, Any] = {"names": names, "event": event, "found": None, "requested": rows}
        values |= {"known": known, "events": events.values, "currencies": record.site.currencies}
        if event is None:
            return values
        reports = self._reports.properties
        found = await reports.properties(
            site_id, EventRule(event), period, rows.page, view.filters, choice=rows.choice
        )
        return values | {"found": found}

    async def values(
        self, record: SiteRecord, view: View, parameters: Mapping[str, Any], rows: PanelRows
    ) -> PropertyValues:
        """Return a page of the chosen values of the property that the parameters name.

        Raises:
            NotFound: they name none.
            Invalid: a name is too long, or cannot be stored.

        """
        event, key = property_of(parameters)
        return await self._reports.properties.values(
            record.site.site_id,
            EventRule(event),
            key,
            view.window.period,
            rows.page,
            view.filters,
            choice=rows.choice,
        )

    async def series(
        self, record: SiteRecord, view: View, parameters: Mapping[str, Any]
    ) -> list[NumberPoint]:
        """Return the numbers over time of the property that the parameters name.

        Raises:
            NotFound: they name none.
            Invalid: a name is too long, or cannot be stored.

        """
        event, key = property_of(parameters)
        return await self._reports.properties.series(
            record.site.site_id,
            EventRule(event),
            key,
            view.window.period,
            view.size,
            view.window.zone,
            view.filters,
        )

    async def contents(
        self, record: SiteRecord, view: View, parameters: Mapping[str, Any], rows: PanelRows
    ) -> dict[str, Any]:
        """Return a page of the values of a property, its numbers over time, and its currency."""
        event, key = property_of(parameters)
        found = await self.values(record, view, parameters, rows)
        points = await self.series(record, view, parameters)
        currency = record.site.currencies.get((event, key))
        sums = [(one.time, one.sum) for one in points]
        return {
            "event": event,
            "key": key,
            "found": found,
            "points": points,
            "trend": trend(sums, view, lambda value: amount(value, currency), deploys=self._deploys),
            "currency": currency,
            "requested": rows,
        }


def _chosen_event(view: View) -> str | None:
    """Return the event that the address names; None without one, or with a text that no event has as its name."""
    chosen = dict(view.parameters).get("properties")
    return chosen if chosen and not text_fault(chosen, maximum=MAX_EVENT_NAME) else None


def property_of(parameters: Mapping[str, Any]) -> tuple[str, str]:
    """Return the event and the key of the property that an address names.

    Raises:
        NotFound: it names none.
        Invalid: a name is too long, or cannot be stored.

    """
    event, key = parameters.get("event"), parameters.get("key")
    if not isinstance(event, str) or not isinstance(key, str):
        raise NotFound("Property not found")
    limits = {"event": (event, MAX_EVENT_NAME), "key": (key, MAX_PROPERTY)}
    errors = {
        name: [fault] for name, (text, most) in limits.items() if (fault := text_fault(text, maximum=most))
    }
    if errors:
        raise Invalid(errors)
    return event, key
