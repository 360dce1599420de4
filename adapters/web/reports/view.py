"""The state of a dashboard: period, filters, metric and tabs, all of them in the address."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from types import MappingProxyType
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from attrs import evolve, frozen
from falcon.asgi import Request

from footfall.adapters.web.formatting import days
from footfall.adapters.web.reports.intervals import bucket_label, size_for, sizes_for
from footfall.adapters.web.reports.panels.breakdowns import PANELS
from footfall.adapters.web.reports.periods import CALENDAR, DAYS, neighbour, period_label, period_named
from footfall.adapters.web.reports.typed_filters import is_replaced_by
from footfall.application.reports.query_parameters import (
    COMPARED_DATES,
    COMPARISONS,
    parse_comparison,
    parse_report_period,
)
from footfall.domain.exceptions import Invalid
from footfall.domain.number import identifier
from footfall.domain.periods.buckets import BucketSize, parse_bucket_size
from footfall.domain.periods.period import Period
from footfall.domain.periods.report_period import ReportPeriod
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.sites.segment import Segment
from footfall.domain.traffic.filters import REFERRER_HOST, Filter, FilterType, parse_filters

METRICS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "visitors": ("Visitors", "Unique visitors, recognized without cookies"),
        "sessions": (
            "Sessions",
            "Visits, with a pageview or without; a session ends after 30 minutes without activity",
        ),
        "pageviews": ("Pageviews", "Pages viewed"),
        "bounce_rate": (
            "Bounce rate",
            "Share of the sessions with a pageview that have a single one and no custom event or outbound click",
        ),
        "average_session_duration": (
            "Duration",
            "Average time from the first to the last event of a session, with a pageview or without",
        ),
    }
)
DEFAULT_PERIOD = "30d"
_DATES = ("start_date", "end_date")
_PARAMETERS = (
    "period",
    "start_date",
    "end_date",
    "time_zone",
    "compare",
    *COMPARED_DATES,
    "bucket",
    "order",
    "metric",
    *PANELS,
    "funnels",
    "funnel_by",
    "properties",
    "plain",
    "as_of",
    "segment",
    "filter",
)
# The parameters of single pages: what they are about, and how their lists are searched and sorted.
_OWN = ("goal", "event", "key", "message", "status", "sort", "search")
# The fields of the form that adds a filter.
ADDED = ("add_parameter", "add_type", "add_value")
_EMBEDDED = ("embed", "on")
# Values of Sec-Fetch-Dest for the contents of a frame (https://w3c.github.io/webappsec-fetch-metadata/).
_FRAMES = frozenset({"iframe", "frame", "embed", "object"})


@frozen
class View:
    """The choices on a dashboard; `parameters` are those of its address.

    A `plain` page contains its panels, for browsers without JavaScript.
    """

    base: str
    parameters: tuple[tuple[str, str], ...]
    period: str
    window: ReportPeriod
    filters: tuple[Filter, ...]
    metric: str
    compares: bool
    embedded: bool
    plain: bool
    # The time of the request, or of the state that it asks about, in whole milliseconds.
    at: datetime
    # Whether panels show what changed most, rather than what is largest.
    by_change: bool = False
    # The interval of the chart that was chosen; another one is taken for periods that it does not suit.
    bucket: BucketSize | None = None
    # The filters of the address without those of a segment, and the number of the segment.
    own: tuple[Filter, ...] = ()
    segment: int | None = None
    # The segments that the reader may use, by their numbers.
    segments: Mapping[int, Segment] = MappingProxyType({})
    # The names of the site's goals and of steps of its funnels, by the values of filters.
    defined_names: Mapping[str, str] = MappingProxyType({})
    # The filter of the form that adds one, as it was typed.
    typed: Filter | None = None

    @property
    def lens(self) -> Filter | None:
        """The filter by a single goal, whose conversions stand beside each value of a breakdown."""
        single = (
            condition
            for condition in self.filters
            if condition.type is FilterType.EQUALS and len(condition.goals) == 1
        )
        return next(single, None)

    @property
    def size(self) -> BucketSize:
        """The size of the chart's buckets: the chosen one where it suits the period."""
        return size_for(self.window.period, self.bucket)

    @property
    def sizes(self) -> tuple[BucketSize, ...]:
        """The sizes of buckets that suit the period."""
        return sizes_for(self.window.period)

    @property
    def label(self) -> str | None:
        """What the period is called, when it is none of the days up to now; None for days that were chosen."""
        return period_label(self.period, self.at, self.window.zone)

    def stepped(self, steps: int, path: str = "", **changes: str | None) -> str | None:
        """Return the address of the period that many steps after this one; None where there is none."""
        period = neighbour(self.period, self.window, self.at, steps)
        return None if period is None else self.address(path, **period, **changes)

    @property
    def pinned(self) -> Mapping[str, str | None]:
        """The parameters that name the days of all time, which begins earlier when older data arrives."""
        if self.period != "all":
            return {}
        first, last = self.window.days
        return {"period": None, "start_date": str(first), "end_date": str(last)}

    @property
    def today(self) -> date:
        """The local day of the request."""
        return self.local(self.at).date()

    @property
    def last_day(self) -> date:
        """The last local day of the period."""
        return self.window.days[1]

    @property
    def comparison(self) -> str:
        """The comparison of the period: previous, year or custom; off without one."""
        chosen = dict(self.parameters)
        if COMPARED_DATES[0] in chosen:
            return "custom"
        if not self.compares:
            return "off"
        return chosen.get("compare", "previous")

    @property
    def compared_days(self) -> str:
        """The days that the period is compared with, and whether only up to the time of now."""
        shown = days(self.local(self.window.before.start).date(), self.last_compared_day)
        return f"{shown}, to the same time" if self.compares_to_same_time else shown

    @property
    def compares_to_same_time(self) -> bool:
        """Whether the period is compared with a part of the other one only."""
        return self.previous_period != self.window.before

    @property
    def last_compared_day(self) -> date:
        """The last local day that the period is compared with."""
        return self.local(self.window.before.end - timedelta(microseconds=1)).date()

    @property
    def compared_window(self) -> ReportPeriod:
        """The period with the one that it is compared with, which is up to the same time if this one is not over."""
        return self.window.to_same_time(self.at)

    @property
    def previous_period(self) -> Period:
        """The compared period."""
        return self.compared_window.before

    def has_previous_data(self, since: datetime | None) -> bool:
        """Return whether data exists for at least nine tenths of the previous period."""
        before = self.window.before
        return since is not None and since <= before.start + before.length / 10

    @property
    def days(self) -> str:
        """The days of the period: 23 Oct - 21 Nov 2026."""
        return days(self.local(self.window.period.start).date(), self.last_day)

    def address(self, path: str = "", **changes: str | None) -> str:
        """Return the address of this view with parameters changed; None removes one."""
        remaining = [pair for pair in self.parameters if pair[0] not in changes]
        added = [(name, value) for name, value in changes.items() if value is not None]
        query = urlencode([*remaining, *added])
        return f"{self.base}{path}?{query}" if query else f"{self.base}{path}"

    def tab(self, panel: str) -> str:
        """Return the selected tab of a panel; with a filter by one host, the addresses behind it stand for hosts."""
        tab = PANELS[panel].tab(dict(self.parameters).get(panel))
        by_host = tab == REFERRER_HOST and any(
            condition.parameter == REFERRER_HOST
            and condition.type is FilterType.EQUALS
            and len(condition.values) == 1
            for condition in self.filters
        )
        return "referrer" if by_host else tab

    def with_tab(self, panel: str, tab: str, path: str = "") -> str:
        """Return the address with another tab of a panel; the first tab has no parameter."""
        return self.address(path, **{panel: None if tab == PANELS[panel].tab(None) else tab})

    def filtered(self, parameter: str, value: str, path: str = "") -> str:
        """Return the address with a filter for this value added, or removed if it is set."""
        text = f"{parameter},equals,{value}"
        remaining = tuple(
            pair
            for pair in self.parameters
            if pair[0] != "filter" or not pair[1].startswith(f"{parameter},equals,")
        )
        parameters = remaining if ("filter", text) in self.parameters else (*remaining, ("filter", text))
        return evolve(self, parameters=parameters).address(path)

    def without(self, condition: Filter, path: str = "", **changes: str | None) -> str:
        """Return the address without this filter, with other parameters changed."""
        text = _filter_text(condition)
        return evolve(
            self, parameters=tuple(pair for pair in self.parameters if pair != ("filter", text))
        ).address(path, **changes)

    def with_filter(self, condition: Filter, path: str = "", **changes: str | None) -> str:
        """Return the address with a filter, in the place of those that it replaces, and other parameters changed."""
        replaced = [one for one in self.own if is_replaced_by(one, condition)]
        left_out = [("filter", _filter_text(one)) for one in (*replaced, condition)]
        remaining = tuple(pair for pair in self.parameters if pair not in left_out)
        parameters = (*remaining, ("filter", _filter_text(condition)))
        return evolve(self, parameters=parameters).address(path, **changes)

    def is_filtered_by(self, parameter: str, value: str) -> bool:
        """Return whether the view is filtered by this value."""
        return ("filter", f"{parameter},equals,{value}") in self.parameters

    def local(self, at: datetime) -> datetime:
        """Return a time in the time zone of the view."""
        return at.astimezone(self.window.zone)

    def days_of(self, bucket: Period) -> tuple[str, str]:
        """Return the first and the last local day of a bucket."""
        last = bucket.end - timedelta(microseconds=1)
        return str(self.local(bucket.start).date()), str(self.local(last).date())

    def bucket_label(self, bucket: datetime) -> str:
        """Return the label of a bucket: its start, which for the first bucket is that of the period."""
        return bucket_label(self.size, self.local(max(bucket, self.window.period.start)))


def is_embedded(req: Request) -> bool:
    """Return whether the page is for a frame, by its address or by the browser's header."""
    return req.params.get("embed") == "on" or req.get_header("Sec-Fetch-Dest") in _FRAMES


def is_of_all_time(req: Request) -> bool:
    """Return whether an address asks about the period that begins with the first data."""
    return req.params.get("period") == "all" and not any(name in req.params for name in _DATES)


def own_parameters(req: Request) -> dict[str, str]:
    """Return what a page shows that is no part of the view, without the place in its list."""
    return {name: text for name in _OWN if isinstance(text := req.params.get(name), str)}


def read_view(
    req: Request, base: str, now: datetime, *, time_zone: str, since: datetime | None = None
) -> View:
    """Return the view of an address, in the time zone of the site unless the address names another one.

    All time begins with `since`.

    Raises:
        Invalid: a parameter is not valid; the errors name what is accepted.

    """
    texts = {name: value for name, value in req.params.items() if isinstance(value, str)}
    zone = _zone(req, texts.get("time_zone"), time_zone)
    period, window = _period(texts, zone, now, since)
    window = _compared(texts, window)
    own = _filters(_parts(req))
    typed = _filters(_added(req))
    # Nothing was before all time.
    compares = texts.get("compare") != "off" and (period != "all" or COMPARED_DATES[0] in texts)
    metric = texts.get("metric", "visitors")
    return View(
        base=base,
        parameters=_parameters(req),
        period=period,
        window=window,
        filters=own,
        own=own,
        segment=_segment(texts),
        metric=metric if metric in METRICS else "visitors",
        compares=compares,
        bucket=None if "bucket" not in texts else parse_bucket_size(texts["bucket"]),
        at=now,
        by_change=texts.get("order") == "change" and compares,
        embedded=is_embedded(req),
        plain=texts.get("plain") == "on",
        typed=next(iter(typed), None),
    )


def _parameters(req: Request) -> tuple[tuple[str, str], ...]:
    values = {name: value if isinstance(value, list) else [value] for name, value in req.params.items()}
    pairs = tuple((name, value) for name in _PARAMETERS for value in values.get(name, []))
    # Links in a frame stay in the frame.
    return (*pairs, _EMBEDDED) if is_embedded(req) else pairs


def zone_of_site(name: str) -> ZoneInfo:
    """Return the time zone of a site; UTC where this machine does not know it."""
    try:
        return parse_zone(name)
    except Invalid:
        return parse_zone("UTC")


def _zone(req: Request, requested: str | None, of_site: str) -> ZoneInfo:
    if requested is None or is_embedded(req):
        # The address of a frame was written for all readers, and stays readable where a zone is not known.
        return zone_of_site(requested or of_site)
    return parse_zone(requested)


def _period(
    texts: Mapping[str, str], zone: ZoneInfo, now: datetime, since: datetime | None
) -> tuple[str, ReportPeriod]:
    if "start_date" in texts or "end_date" in texts:
        return "custom", parse_report_period({**_in_order(_dates(texts)), "time_zone": zone.key}, now=now)
    period = texts.get("period", DEFAULT_PERIOD)
    window = period_named(period, zone, now, since)
    if window is None:
        names = ", ".join([*DAYS, *CALENDAR])
        raise Invalid({"period": [f"must be one of {names}, a month such as 2026-01 or a year such as 2026"]})
    return period, window


def _compared(texts: Mapping[str, str], window: ReportPeriod) -> ReportPeriod:
    """Return the period with the one that it is compared with; dates in the wrong order mean the same days."""
    dates = {name: texts[name] for name in COMPARED_DATES if texts.get(name)}
    if len(dates) == len(COMPARED_DATES):
        dates = dict(zip(COMPARED_DATES, sorted(dates.values()), strict=True))
    kind = texts.get("compare")
    named = {"compare_with": kind} if kind is not None and kind in COMPARISONS and not dates else {}
    return parse_comparison({**dates, **named}, window)


def _dates(texts: Mapping[str, str]) -> dict[str, str]:
    return {name: texts[name] for name in _DATES if name in texts}


def _in_order(dates: Mapping[str, str]) -> Mapping[str, str]:
    # Dates in the wrong order mean the same days.
    if len(dates) == len(_DATES) and dates["start_date"] > dates["end_date"]:
        return {"start_date": dates["end_date"], "end_date": dates["start_date"]}
    return dates


def _filters(parts: Sequence[Sequence[str]]) -> tuple[Filter, ...]:
    if any(len(part) != 3 for part in parts):  # noqa: PLR2004 - parameter, type, value
        raise Invalid({"filter": ["must be a parameter, a type and a value with commas between them"]})
    return parse_filters([{"parameter": name, "type": kind, "value": [value]} for name, kind, value in parts])


def _parts(req: Request) -> list[list[str]]:
    """Return the filters of an address in their parts."""
    texts = req.params.get("filter", [])
    return [text.split(",", 2) for text in (texts if isinstance(texts, list) else [texts])]


def _added(req: Request) -> list[list[str]]:
    """Return the filter that the form for filters adds, in its parts; none when the form was not sent."""
    parts = [req.params.get(name) for name in ADDED]
    return [[part for part in parts if isinstance(part, str)]] if isinstance(parts[0], str) else []


def _filter_text(condition: Filter) -> str:
    return f"{condition.parameter},{condition.type.value},{condition.values[0]}"


def _segment(texts: Mapping[str, str]) -> int | None:
    number = identifier(texts.get("segment", ""))
    if number is None and "segment" in texts:
        raise Invalid({"segment": ["must be the number of a segment"]})
    return number
