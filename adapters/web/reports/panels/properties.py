"""The panel of event properties, and the values of one."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from footfall.adapters.web.formatting import amount
from footfall.adapters.web.reports.panels.inquiries import (
    of_properties,
    of_property_series,
    of_property_values,
)
from footfall.adapters.web.reports.panels.rows import MANY_ROWS, ROWS, PanelRows
from footfall.adapters.web.reports.trends import trend
from footfall.adapters.web.reports.view import View
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.domain.annotations.annotations import Annotation
from footfall.domain.goals.goal import MAX_EVENT_NAME
from footfall.domain.pagination import Page
from footfall.domain.text import text_fault
from footfall.domain.traffic.report_query import ReportQuery


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
            site_id, "event_name", ReportQuery(period, view.asked), Page(1, MANY_ROWS)
        )
        event_names = [row.value for row in events.rows if row.value]
        event = _chosen_event(view) or next(iter(event_names), None)
        names = (
            event_names[:ROWS]
            if event is None or event in event_names[:ROWS]
            else [*event_names[: ROWS - 1], event]
        )
        values: dict[str, Any] = {"names": names, "event": event, "listing": None, "requested": rows}
        values |= {"event_names": event_names, "events": events.values, "currencies": record.site.currencies}
        if event is None:
            return values
        return values | {
            "listing": await of_properties(view, event, record, rows).ask(self._reports, site_id)
        }

    async def contents(
        self, record: SiteRecord, view: View, parameters: Mapping[str, Any], rows: PanelRows
    ) -> dict[str, Any]:
        """Return a page of the values of a property, its numbers over time, and its currency."""
        values, series = of_property_values(view, parameters, rows), of_property_series(view, parameters)
        distribution = await values.ask(self._reports, record.site.site_id)
        points = await series.ask(self._reports, record.site.site_id)
        event, key = values.event.event_name, values.property
        currency = record.site.currencies.get((event, key))
        sums = [(point.time, point.sum) for point in points]
        return {
            "event": event,
            "key": key,
            "distribution": distribution,
            "points": points,
            "trend": trend(sums, view, lambda value: amount(value, currency), deploys=self._deploys),
            "currency": currency,
            "requested": rows,
        }


def _chosen_event(view: View) -> str | None:
    """Return the event that the address names; None without one, or with a text that no event has as its name."""
    chosen = dict(view.parameters).get("properties")
    return chosen if chosen and not text_fault(chosen, maximum=MAX_EVENT_NAME) else None
