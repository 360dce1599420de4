"""Pages of a period: their views, visitors, bounces, and the time spent on them (docs/read/reports.md#pages)."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from itertools import pairwise

from attrs import define, field, frozen

from footfall.domain.paths.page_groups import UNGROUPED, PageGroups
from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import Engagement, HitType, RecordedHit
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.overview import engaged_of
from footfall.domain.traffic.selection import select_visits
from footfall.domain.traffic.session import Visit


@frozen(kw_only=True)
class PageTraffic:
    """The traffic of a page, by its path or the name of its group; an unknown path is the empty text.

    `pageviews` are those of the period, `visitors` the different visitors of these. `entries` are the sessions of the
    period that began with a view of the page, `bounces` those of them that bounced. `engaged_entries` reported how long
    their pages were looked at, `entry_engaged_ms` is the sum of it, over all pages of each. `timed` are the pageviews
    with a later hit in their session, `time` is the sum of the spans up to these. `engaged_pageviews` reported how long
    they were looked at, `engaged_ms` is the sum of it; `scrolled_pageviews` reported how far they were scrolled,
    `scroll_percent` is the sum of it.
    """

    pathname: str
    pageviews: int
    visitors: int
    entries: int = 0
    bounces: int = 0
    engaged_entries: int = 0
    entry_engaged_ms: int = 0
    timed: int = 0
    time: timedelta = timedelta()
    engaged_pageviews: int = 0
    engaged_ms: int = 0
    scrolled_pageviews: int = 0
    scroll_percent: int = 0

    @property
    def bounce_rate(self) -> float | None:
        """Bounces by entries, not rounded, from 0 to 1; None without entries."""
        return self.bounces / self.entries if self.entries else None

    @property
    def entry_engaged_time(self) -> float | None:
        """The mean time that sessions which began here looked at their pages, in seconds, not rounded; or None."""
        return self.entry_engaged_ms / 1000 / self.engaged_entries if self.engaged_entries else None

    @property
    def time_on_page(self) -> float | None:
        """The mean time up to the next hit in seconds, not rounded; None when no view has a later hit."""
        return self.time / timedelta(seconds=1) / self.timed if self.timed else None

    @property
    def engaged_time(self) -> float | None:
        """The mean time looked at in seconds, not rounded; None when no view reported it."""
        return self.engaged_ms / 1000 / self.engaged_pageviews if self.engaged_pageviews else None

    @property
    def scroll_depth(self) -> float | None:
        """The mean of how far views were scrolled in percent, not rounded; None when none reported it."""
        return self.scroll_percent / self.scrolled_pageviews if self.scrolled_pageviews else None


@define
class _Counts:
    visitors: set[int] = field(factory=set)
    pageviews: int = 0
    timed: int = 0
    time: timedelta = timedelta()
    engaged: list[int] = field(factory=list)
    scrolled: list[int] = field(factory=list)

    def take(self, engagement: Engagement | None) -> None:
        """Add what was reported of a view."""
        if engagement is not None and engagement.engaged_ms is not None:
            self.engaged.append(engagement.engaged_ms)
        if engagement is not None and engagement.scroll_percent is not None:
            self.scrolled.append(engagement.scroll_percent)


def page_traffic(
    hits: Iterable[RecordedHit],
    period: Period,
    filters: Iterable[Filter] = (),
    groups: PageGroups = UNGROUPED,
) -> list[PageTraffic]:
    """Return the pages of the selected sessions with a view in the period, the most viewed first, ties by path.

    The paths of a group are one page, by the name of the group.
    """
    selected = select_visits(hits, period, filters)
    pages: dict[str, _Counts] = {}
    for visit in selected:
        for recorded, until in _followed(visit):
            if recorded.hit.type is HitType.PAGEVIEW and recorded.hit.occurred_at in period:
                page = pages.setdefault(groups.shown(recorded.hit.pathname or ""), _Counts())
                page.pageviews += 1
                page.visitors.add(visit.session.counted_visitor)
                page.timed += until is not None
                page.time += until or timedelta()
                page.take(recorded.engagement)
    entered: dict[str, list[Visit]] = {}
    for visit in selected:
        if visit.session.pageviews:
            entered.setdefault(groups.shown(visit.session.entry_page or ""), []).append(visit)
    rows = [_row(pathname, page, entered.get(pathname, ())) for pathname, page in pages.items()]
    return sorted(rows, key=lambda row: (-row.pageviews, row.pathname))


def _followed(visit: Visit) -> Iterable[tuple[RecordedHit, timedelta | None]]:
    """Return the hits of a session by time, each with the span up to the next one; the last has none."""
    spans = [later.hit.occurred_at - earlier.hit.occurred_at for earlier, later in pairwise(visit.hits)]
    return zip(visit.hits, [*spans, None], strict=True)


def _row(pathname: str, page: _Counts, entries: Sequence[Visit]) -> PageTraffic:
    engaged = [milliseconds for visit in entries for milliseconds in engaged_of(visit)]
    return PageTraffic(
        pathname=pathname,
        pageviews=page.pageviews,
        visitors=len(page.visitors),
        entries=len(entries),
        bounces=sum(visit.session.bounced for visit in entries),
        engaged_entries=len(engaged),
        entry_engaged_ms=sum(engaged),
        timed=page.timed,
        time=page.time,
        engaged_pageviews=len(page.engaged),
        engaged_ms=sum(page.engaged),
        scrolled_pageviews=len(page.scrolled),
        scroll_percent=sum(page.scrolled),
    )
