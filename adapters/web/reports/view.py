"""The state of a dashboard: period, filters, metric and tabs, all of them in the address."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from types import MappingProxyType
from urllib.parse import urlencode

from attrs import evolve, frozen

from footfall.adapters.web.formatting import days
from footfall.adapters.web.reports.filters.filter_texts import filter_text
from footfall.adapters.web.reports.filters.typed_filters import is_replaced_by
from footfall.adapters.web.reports.intervals import bucket_label, size_for, sizes_for
from footfall.adapters.web.reports.panels.breakdowns import PANELS
from footfall.adapters.web.reports.periods import neighbour, period_label
from footfall.application.access.shared_links import LinkLimits
from footfall.application.languages.language import marked, tr
from footfall.application.reports.query_parameters import COMPARED_DATES
from footfall.domain.paths.page_groups import UNGROUPED, PageGroups
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.period import Period
from footfall.domain.periods.report_period import ReportPeriod
from footfall.domain.sites.segment import Segment
from footfall.domain.sites.sharing.shared_links import SharedPanel
from footfall.domain.sites.visitor_reach import VisitorReach
from footfall.domain.traffic.filters import REFERRER_HOST, Filter, FilterType

# How far a site recognizes visitors, in words after "recognized".
REACHES: Mapping[VisitorReach, str] = MappingProxyType(
    marked(
        {
            VisitorReach.DAY: "within a day",
            VisitorReach.WEEK: "within a week",
            VisitorReach.MONTH: "within a month",
            VisitorReach.YEAR: "within a year",
            VisitorReach.FOREVER: "without a limit",
        }
    )
)
METRICS: Mapping[str, tuple[str, str]] = MappingProxyType(
    marked(
        {
            "visitors": ("Visitors", "Unique visitors, recognized without cookies, {reach}"),
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
            "engaged_time": (
                "Engaged",
                "Average time for which the pages of a session were looked at, of the sessions that reported it",
            ),
        }
    )
)


def metrics_of(reach: VisitorReach) -> Mapping[str, tuple[str, str]]:
    """Return the metrics, each with its label and its meaning on a site."""
    reached = tr(REACHES[reach])
    return {name: (tr(label), tr(meaning, reach=reached)) for name, (label, meaning) in METRICS.items()}


@frozen
class View:
    """The choices on a dashboard; `parameters` are those of its address.

    A `plain` page contains its panels, for browsers without JavaScript.
    """

    base: str
    parameters: tuple[tuple[str, str], ...]
    period: str
    window: ReportPeriod
    # Those that the reader chose.
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
    # Whether sessions count that the exclusion rules of the site leave out, and the filter by these rules.
    includes_excluded: bool = False
    exclusion: tuple[Filter, ...] = ()
    # The number of enabled rules.
    rules: int = 0
    # The filters of the address without those of a segment, and the number of the segment.
    own: tuple[Filter, ...] = ()
    segment: int | None = None
    # The segments that the reader may use, by their numbers.
    segments: Mapping[int, Segment] = MappingProxyType({})
    # The names of the site's goals and of steps of its funnels, by the values of filters.
    defined_names: Mapping[str, str] = MappingProxyType({})
    # The theme of a frame, unless it is that of the reader's browser, and the names of its panels, unless it has all.
    theme: str | None = None
    panels: tuple[str, ...] | None = None
    # The groups of pages of the site, and whether panels list paths one by one nevertheless.
    page_groups: PageGroups = UNGROUPED
    lists_paths: bool = False
    # The filter of the form that adds one, as it was typed.
    typed: Filter | None = None
    # Whether the reader belongs to the organization of the site.
    belongs: bool = False
    # What the link of the reader shows, None without such a link, and the filters that it sets.
    limits: LinkLimits | None = None
    limited: tuple[Filter, ...] = ()

    def opens(self, panel: str) -> bool:
        """Return whether the reader sees a panel: of a link, those that it shows."""
        return self.limits is None or self.limits.opens({SharedPanel(panel)})

    def shows(self, by: str) -> bool:
        """Return whether the reader may count and filter by a dimension, as far as a link limits it."""
        return self.limits is None or self.limits.shows(by)

    @property
    def asked(self) -> tuple[Filter, ...]:
        """The filters of reports: those of a link, the chosen ones, and that by the exclusion rules of the site."""
        return self.limited + self.filters + self.exclusion

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
    def groups(self) -> PageGroups:
        """The groups that panels list in the place of their paths."""
        return UNGROUPED if self.lists_paths else self.page_groups

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
        return tr("{days}, to the same time", days=shown) if self.compares_to_same_time else shown

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
        text = filter_text(parameter, FilterType.EQUALS, value)
        others = filter_text(parameter, FilterType.EQUALS, "")
        remaining = tuple(
            pair for pair in self.parameters if pair[0] != "filter" or not pair[1].startswith(others)
        )
        parameters = remaining if ("filter", text) in self.parameters else (*remaining, ("filter", text))
        return evolve(self, parameters=parameters).address(path)

    def visits(self, parameter: str, value: str, *more: tuple[str, str], **changes: str | None) -> str:
        """Return the address of the sessions with a value, which a figure counts, with other parameters changed.

        `more` are further parameters of filters with their values.
        """
        values = ((parameter, value), *more)
        added = [("filter", filter_text(name, FilterType.EQUALS, text)) for name, text in values]
        remaining = tuple(pair for pair in self.parameters if pair[0] not in changes and pair not in added)
        others = {name: text for name, text in changes.items() if name != "filter"}
        return evolve(self, parameters=(*remaining, *added)).address("/sessions", **others)

    def without(self, condition: Filter, path: str = "", **changes: str | None) -> str:
        """Return the address without this filter, with other parameters changed."""
        text = _filter_text(condition)
        return evolve(
            self, parameters=tuple(pair for pair in self.parameters if pair != ("filter", text))
        ).address(path, **changes)

    def with_filter(self, condition: Filter, path: str = "", **changes: str | None) -> str:
        """Return the address with a filter, in the place of those that it replaces, and other parameters changed."""
        replaced = [filter_ for filter_ in self.own if is_replaced_by(filter_, condition)]
        left_out = [("filter", _filter_text(filter_)) for filter_ in (*replaced, condition)]
        remaining = tuple(pair for pair in self.parameters if pair not in left_out)
        parameters = (*remaining, ("filter", _filter_text(condition)))
        return evolve(self, parameters=parameters).address(path, **changes)

    def is_filtered_by(self, parameter: str, value: str) -> bool:
        """Return whether the view is filtered by this value."""
        return ("filter", filter_text(parameter, FilterType.EQUALS, value)) in self.parameters

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


def _filter_text(condition: Filter) -> str:
    return filter_text(condition.parameter, condition.type, condition.values[0])
