"""The chart of a site's page: one metric over time, and the same of the period before."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from attrs import frozen

from footfall.adapters.web.view import View
from footfall.application.reports import TrafficReports
from footfall.domain.period import Period
from footfall.domain.traffic import TrafficPoint


@frozen
class Chart:
    """Labels and values by bucket, as many of the period before as there are; `kind` says how to write a value.

    `open` is the place of the bucket that is not over yet.
    """

    labels: Sequence[str]
    values: Sequence[float | None]
    before: Sequence[float | None]
    kind: str
    open: int | None

    def data(self) -> dict[str, Any]:
        """Return what the script draws."""
        return {
            "labels": self.labels,
            "values": self.values,
            "before": self.before,
            "kind": self.kind,
            "open": self.open,
        }

    def rows(self) -> list[tuple[str, float]]:
        """Return the same as a table, without what is still to come."""
        pairs = zip(self.labels, self.values, strict=True)
        return [(label, value) for label, value in pairs if value is not None]


async def chart(traffic: TrafficReports, site_id: int, view: View, now: datetime, *, compares: bool) -> Chart:
    """Return the chart of a view, alone or with the period before; what lies ahead of `now` has no values.

    Raises:
        StoreUnavailable: the store does not answer.
        Invalid: a regular expression among the filters takes too long.

    """
    points = await _points(traffic, site_id, view, view.window.period)
    before = await _points(traffic, site_id, view, view.window.before) if compares else []
    kinds = {"bounce_rate": "percent", "average_session_duration": "duration"}
    earlier = [getattr(point.traffic, view.metric) for point in before][: len(points)]
    return Chart(
        labels=[view.written(point.time) for point in points],
        values=[getattr(point.traffic, view.metric) if point.time <= now else None for point in points],
        before=[*earlier, *[None] * (len(points) - len(earlier))] if any(earlier) else [],
        kind=kinds.get(view.metric, "number"),
        open=sum(point.time <= now for point in points) - 1 if view.window.period.end > now else None,
    )


async def _points(traffic: TrafficReports, site_id: int, view: View, period: Period) -> list[TrafficPoint]:
    return await traffic.timeseries(site_id, period, view.size, view.window.zone, view.filters)
