"""Reports as tables, for files that other programs read (docs/http-api/files.md)."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from attrs import frozen

from footfall.application.access.disclosure import Reader
from footfall.application.journal.interface_names import rule_document
from footfall.application.ports.reports.breakdowns import BreakdownPage, PagesPage
from footfall.application.reports.all_sites import SiteVisitors
from footfall.application.reports.comparison import Earlier, Movers
from footfall.domain.error_tracking.aggregation import ErrorBucket, ErrorSummary
from footfall.domain.error_tracking.occurrence import Occurrence
from footfall.domain.percentage import percentage
from footfall.domain.periods.period import Period
from footfall.domain.traffic.conversion import Conversions, GoalReport
from footfall.domain.traffic.movement import Movement
from footfall.domain.traffic.overview import Traffic, TrafficPoint
from footfall.domain.traffic.session import Session, session_text
from footfall.domain.traffic.web_vitals import METRICS, PageVitals, rate

MAX_ROWS = 10_000
# A path begins with a slash, so no page has this name.
ALL_PAGES = "(all pages)"
_FIGURES = (
    *("sessions", "visitors", "pageviews", "events", "bounce_rate", "average_session_duration"),
    "sessions_with_pageviews",
)
_CONVERSIONS = ("total_conversions", "total_sessions", "conversion_rate")
_OF_GOALS = (*_CONVERSIONS, "total_sessions_with_pageviews")

Value = str | int | float | None


@frozen
class Table:
    """The rows of a report under the names of its columns; None is a missing value."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]

    def records(self) -> list[dict[str, Value]]:
        """Return the rows as objects with the columns as names."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def all_sites_table(sites: Iterable[SiteVisitors]) -> Table:
    """Return sites with their visitors; those of a store that does not answer have none."""
    rows = [
        {
            "siteId": one.record.site.site_id,
            "id": one.record.site.public_id,
            "name": one.record.site.name,
            "domain": one.record.site.domain,
            "visitors": one.recent.visitors if one.recent else None,
            "previous": one.recent.before if one.recent else None,
            "change": one.recent.change if one.recent else None,
        }
        for one in sites
    ]
    return table_of(("siteId", "id", "name", "domain", "visitors", "previous", "change"), rows)


def overview_table(periods: Mapping[str, tuple[Period, Traffic]]) -> Table:
    """Return the totals of named periods."""
    rows = [
        {"period": name, "start": period.start, "end": period.end, **_figures(traffic)}
        for name, (period, traffic) in periods.items()
    ]
    return table_of(("period", "start", "end", *_FIGURES), rows)


def timeseries_table(points: Iterable[TrafficPoint]) -> Table:
    """Return the totals of each bucket."""
    return table_of(("time", *_FIGURES), [{"time": one.time, **_figures(one.traffic)} for one in points])


def breakdown_table(found: BreakdownPage, earlier: Earlier | None = None) -> Table:
    """Return the values of a breakdown, with visitors, conversions and earlier counts where they were counted."""
    counted = any(one.visitors is not None for one in found.rows)
    converted = _CONVERSIONS if any(one.conversions for one in found.rows) else ()
    compared = (
        () if earlier is None else ("previous", "previous_rank", *(f"previous_{one}" for one in converted))
    )
    columns = ("value", "count", *(["visitors"] if counted else []), "percentage", *converted, *compared)
    rows = [
        {
            "value": one.value,
            "count": one.count,
            "visitors": one.visitors,
            "percentage": percentage(one.count, found.count),
            **(_conversions(one.conversions) if one.conversions else {}),
            **_before(earlier, one.value),
        }
        for one in found.rows
    ]
    return table_of(columns, rows)


def pages_table(found: PagesPage) -> Table:
    """Return pages with their views, visitors, bounces and times."""
    columns = ("pathname", "pageviews", "percentage", "visitors", "entries", "bounce_rate", "time_on_page")
    rows = [
        {
            "pathname": one.pathname,
            "pageviews": one.pageviews,
            "percentage": percentage(one.pageviews, found.pageviews),
            "visitors": one.visitors,
            "entries": one.entries,
            "bounce_rate": one.bounce_rate,
            "time_on_page": one.time_on_page,
        }
        for one in found.rows
    ]
    return table_of(columns, rows)


def movers_table(found: Movers) -> Table:
    """Return the values that changed most."""
    return table_of(("value", "count", "previous", "difference", "change"), map(_movement, found.movements))


def movements_table(found: Iterable[Movement]) -> Table:
    """Return values in two periods, with what their differences are made from."""
    return table_of(("value", "difference", "count", "previous", "change"), map(_movement, found))


def _movement(one: Movement) -> dict[str, Any]:
    return {
        "value": one.value,
        "count": one.count,
        "previous": one.before,
        "difference": one.difference,
        "change": one.change,
    }


def vitals_table(pages: Iterable[PageVitals]) -> Table:
    """Return the percentiles of all pages together, and of each page."""
    parts = ("p50", "p75", "p90", "rating")
    columns = ("pathname", "samples", *(f"{name}_{part}" for name in METRICS for part in parts))
    rows = [
        {"pathname": ALL_PAGES if one.pathname is None else one.pathname, "samples": one.samples}
        | _percentiles(one)
        for one in pages
    ]
    return table_of(columns, rows)


def goals_table(goals: Iterable[GoalReport]) -> Table:
    """Return goals with their conversions."""
    columns = (
        *("goalId", "name", "goalType", "pathPattern", "eventName", "eventPropertyKey", "eventPropertyValue"),
        *("createdAt", *_OF_GOALS, "setAside"),
    )
    return table_of(columns, [_goal_row(one) for one in goals])


def sessions_table(sessions: Iterable[Session], reader: Reader) -> Table:
    """Return sessions, without what is withheld from the reader."""
    columns = (
        *("session_id", "user_id", "country", "browser", "operating_system", "device_type"),
        *("entry_page", "exit_page", "pageviews", "session_duration", "session_start", "session_end"),
        *("referrer", "channel"),
    )
    rows = [
        {name: getattr(one, name, None) for name in columns}
        | {
            "session_id": session_text(one.session_id),
            "session_duration": one.duration,
            "session_start": one.start,
            "session_end": one.end,
        }
        for one in sessions
    ]
    return table_of(columns, map(reader.shown, rows))


def errors_table(summaries: Iterable[ErrorSummary]) -> Table:
    """Return messages with their occurrences."""
    columns = ("value", "errorName", "count", "sessionCount", "percentage", "firstSeen", "lastSeen", "status")
    rows = [
        {
            "value": one.message,
            "errorName": one.error_name,
            "count": one.count,
            "sessionCount": one.session_count,
            "percentage": one.percentage,
            "firstSeen": one.first_seen,
            "lastSeen": one.last_seen,
            "status": one.status,
        }
        for one in summaries
    ]
    return table_of(columns, rows)


def occurrences_table(occurrences: Iterable[Occurrence], reader: Reader) -> Table:
    """Return the occurrences of an error, without what is withheld from the reader."""
    of_hit = (
        "pathname",
        "hostname",
        "browser",
        "browser_version",
        "operating_system",
        "device_type",
        "country",
    )
    columns = (
        *("timestamp", "session_id", "user_id", *of_hit),
        *("message", "stack", "fileName", "lineNumber", "columnNumber"),
    )
    rows = [
        {
            "timestamp": one.hit.occurred_at,
            "session_id": session_text(one.session_id),
            "user_id": one.user_id,
            **{name: getattr(one.hit, name) for name in of_hit},
            "message": one.details.message,
            "stack": one.details.stack,
            "fileName": one.details.file_name,
            "lineNumber": one.details.line_number,
            "columnNumber": one.details.column_number,
        }
        for one in occurrences
    ]
    return table_of(columns, map(reader.shown, rows))


def error_buckets_table(buckets: Iterable[ErrorBucket]) -> Table:
    """Return the number of occurrences in each bucket."""
    return table_of(
        ("time", "error_count"), [{"time": one.time, "error_count": one.count} for one in buckets]
    )


def _before(earlier: Earlier | None, value: str) -> dict[str, Any]:
    row = None if earlier is None else earlier.rows.get(value)
    converted = _conversions((row and row.conversions) or Conversions(0, 0))
    return {
        "previous": row.count if row else 0,
        "previous_rank": row.rank if row else None,
        **{f"previous_{name}": figure for name, figure in converted.items()},
    }


def _figures(traffic: Traffic) -> dict[str, Any]:
    return {name: getattr(traffic, name) for name in _FIGURES}


def _percentiles(page: PageVitals) -> dict[str, Any]:
    return {
        f"{name}_{part}": value
        for name, one in page.metrics.items()
        for part, value in (
            ("p50", one.p50),
            ("p75", one.p75),
            ("p90", one.p90),
            ("rating", rate(name, one.p75)),
        )
    }


def _goal_row(report: GoalReport) -> dict[str, Any]:
    rule = rule_document(report.goal.rule)
    return {
        "goalId": report.goal.goal_id,
        "name": report.goal.name,
        "goalType": rule["goalType"],
        **rule["config"],
        "createdAt": report.created_at,
        **_conversions(report.conversions),
        "total_sessions_with_pageviews": report.conversions.sessions_with_pageviews,
        "setAside": report.conversions.set_aside,
    }


def _conversions(conversions: Conversions) -> dict[str, Any]:
    figures = (conversions.conversions, conversions.sessions, conversions.rate)
    return dict(zip(_CONVERSIONS, figures, strict=True))


def table_of(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Table:
    """Return rows by the names of their columns as a table; a missing name is a missing value."""
    return Table(columns, [[_value(row.get(name)) for name in columns] for row in rows])


def _value(value: Any) -> Value:
    match value:
        case datetime():
            return f"{value.astimezone(UTC).isoformat(timespec='milliseconds')[:-6]}Z"
        case bool():
            return str(value).lower()
        case Enum():
            return str(value.value)
        case str() | int() | float() | None:
            return value
    raise TypeError(type(value).__name__)
