"""The chart of a dashboard: one metric over time, with the previous period."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from attrs import frozen

from footfall.adapters.web.formatting import DURATIONS, figure
from footfall.adapters.web.reports.view import View
from footfall.application.ports.reports.reports import TrafficReports
from footfall.domain.annotations.annotations import Annotation
from footfall.domain.periods.buckets import split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.traffic.overview import TrafficPoint
from footfall.domain.traffic.report_query import ReportQuery

# The most annotations that are drawn: more lines could not be told apart, and would weigh more than the page.
MOST_MARKS = 100


@frozen
class ChartMark:
    """An annotation at the bucket with an index."""

    index: int
    annotation: Annotation


@frozen
class Chart:
    """Labels and values of the buckets; `kind` is the format of the values.

    `open` is the index of the bucket that has not ended yet; the compared one had `before_open` at the same time.
    """

    labels: Sequence[str]
    values: Sequence[float | None]
    before: Sequence[float | None]
    kind: str
    open: int | None
    before_open: float | None = None
    # The latest annotations of the period, and how many more it has.
    marks: Sequence[ChartMark] = ()
    earlier_marks: int = 0
    # The first and the last day of each bucket, which a click or a drag on the chart selects.
    days: Sequence[tuple[str, str]] = ()
    # How many buckets have begun; the others have no value yet.
    begun: int = 0

    def data(self) -> dict[str, Any]:
        """Return the data of the chart script."""
        return {
            "labels": self.labels,
            "values": self.values,
            "before": self.before,
            "kind": self.kind,
            "open": self.open,
            "begun": self.begun,
            "beforeOpen": self.before_open,
            "days": self.days,
            "marks": [{"index": mark.index, "text": mark.annotation.shown} for mark in self.marks],
        }

    def rows(self) -> list[tuple[str, float | None, tuple[str, str]]]:
        """Return labels, values and days for a table, without future buckets; a rate of nothing is None."""
        return list(zip(self.labels, self.values, self.days, strict=True))[: self.begun]


async def chart(
    traffic: TrafficReports,
    site_id: int,
    view: View,
    now: datetime,
    *,
    compares: bool,
    annotations: Sequence[Annotation] = (),
) -> Chart:
    """Return the chart of a view, `compares` adds the previous period; buckets after `now` have no value.

    `annotations` are those of the period, ascending; the latest of them are drawn.

    Raises:
        StoreUnavailable: the store is not available.
        Invalid: a regular expression among the filters takes too long.

    """
    points = await _points(traffic, site_id, view, view.window.period)
    latest = annotations[-MOST_MARKS:]
    buckets = split_into_buckets(view.window.period, view.size, view.window.zone)
    before = await _points(traffic, site_id, view, view.window.before) if compares else []
    kinds = {"bounce_rate": "percent", **dict.fromkeys(DURATIONS, "duration")}
    earlier = [figure(point.traffic, view.metric) for point in before][: len(points)]
    begun = sum(point.time <= now for point in points)
    going = begun - 1 if view.window.period.end > now else None
    part = None if going is None or going >= len(earlier) else _elapsed_part(view, going)
    elapsed = None if part is None else await traffic.overview(site_id, ReportQuery(part, view.asked))
    return Chart(
        labels=[view.bucket_label(point.time) for point in points],
        days=[view.days_of(bucket.period) for bucket in buckets],
        values=[figure(point.traffic, view.metric) if point.time <= now else None for point in points],
        begun=begun,
        before=[*earlier, *[None] * (len(points) - len(earlier))] if any(earlier) else [],
        kind=kinds.get(view.metric, "number"),
        open=going,
        before_open=None if elapsed is None else figure(elapsed, view.metric),
        marks=[
            ChartMark(sum(point.time <= annotation.at for point in points[1:]), annotation)
            for annotation in latest
        ],
        earlier_marks=len(annotations) - len(latest),
    )


def _elapsed_part(view: View, going: int) -> Period | None:
    """Return the compared bucket up to the same time; None when that is in another one, as clock changes make it."""
    bucket = split_into_buckets(view.window.before, view.size, view.window.zone)[going].period
    end = view.previous_period.end
    return Period(bucket.start, end) if bucket.start < end < bucket.end else None


async def _points(traffic: TrafficReports, site_id: int, view: View, period: Period) -> list[TrafficPoint]:
    return await traffic.timeseries(site_id, ReportQuery(period, view.asked), view.size, view.window.zone)
