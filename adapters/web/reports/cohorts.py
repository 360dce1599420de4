"""The page of retention: how many visitors come back after their first visit, by cohorts."""

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from types import MappingProxyType
from typing import Any

from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.formatting import day
from footfall.adapters.web.reports.intervals import bucket_label
from footfall.adapters.web.reports.panels.inquiries import all_before, cohort_sizes, of_cohorts
from footfall.adapters.web.reports.report_page import ReportPage
from footfall.adapters.web.reports.view import REACHES, View
from footfall.application.access.authorization import Access
from footfall.application.languages.language import marked
from footfall.application.reports.catalogue.cohorts import RetentionReport
from footfall.domain.cohorts.cohorts import LATEST, CohortCell, CohortPlan, cohort_times
from footfall.domain.exceptions import GoalSetAside
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.period import Period
from footfall.domain.sites.sharing.shared_links import SharedPanel
from footfall.domain.traffic.filters import GOAL

SIZES: Mapping[BucketSize, str] = MappingProxyType(
    marked({BucketSize.DAY: "Days", BucketSize.WEEK: "Weeks", BucketSize.MONTH: "Months"})
)
WIDTH, HEIGHT = 600, 120
_SHADES = 10
_TOPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


@frozen
class Line:
    """The averages of two periods as paths in a chart of `WIDTH` and `HEIGHT`."""

    path: str
    before: str


@frozen
class CohortsPage(ReportPage):
    """GET …/retention."""

    access_get = Access.READER

    async def on_get(self, req: Request, resp: Response, site: str, key: str | None = None) -> None:
        """Show the cohorts of the period."""
        request = await self._access.authorize(
            self.access_get, req, site, key, past=True, panels=[SharedPanel.RETENTION]
        )
        site_id, view = request.record.site.site_id, request.view
        retention, refusal = None, None
        async with self._access.opened(request, span=all_before(view)) as answer:
            inquiry = of_cohorts(view, request.kept, answer.directory, site_id)
            try:
                retention = await inquiry.ask(answer.reports, site_id)
            except GoalSetAside as set_aside:
                refusal = set_aside.message
            values = await self.values(request, answer)
            record = answer.directory.site(str(site_id)) or request.record
        shown = answer.directory.goals_of(site_id) if view.shows(GOAL) else []
        goals = {record.goal.goal_id: record.goal.name for record in shown}
        size = inquiry.plan.size
        values |= {
            "refusal": refusal,
            "kept_since": inquiry.kept_since,
            "size": size,
            "sizes": {size: SIZES[size] for size in cohort_sizes(view.window.period)},
            "goals": goals,
            "goal": next((goal for goal in goals if str(goal) == request.kept.get("goal")), None),
            "reach": REACHES[record.site.config.visitor_reach],
            "dates": _dates(view, inquiry.plan),
            **({} if retention is None else _shown(retention, view, size)),
        }
        await self.render(req, resp, request, "retention.html", values)


def _shown(retention: RetentionReport, view: View, size: BucketSize) -> dict[str, Any]:
    cells = [cell for cohort in retention.cohorts for cell in cohort.cells]
    before = retention.before or ()
    top = _top([*retention.average, *before])
    unknown = [cell.new_ids_at for cell in cells if cell.new_ids_at is not None]
    imported = {span.end for span in retention.imports}
    return {
        "retention": retention,
        "labels": [_label(size, view.local(cohort.time)) for cohort in retention.cohorts],
        "latest": LATEST[size],
        "afters": range(1, max((cell.after for cell in cells), default=0) + 1),
        "averages": {cell.after: cell for cell in retention.average},
        "earlier": {cell.after: cell for cell in before},
        "shade": partial(_shade, top=_top(cells)),
        "line": Line(_path(retention.average, size, top), _path(before, size, top)),
        "top": top,
        "width": WIDTH,
        "height": HEIGHT,
        "imported": sorted(imported.intersection(unknown)),
        "unknown": [at for at in unknown if at not in imported],
        "is_known": len(unknown) < len(cells),
    }


def _dates(view: View, plan: CohortPlan) -> dict[datetime, tuple[str, str]]:
    """Return the first and the last day of each cohort in the period, by its time."""
    times, period = cohort_times(plan), plan.period
    return {
        part.start: view.days_of(Period(max(part.start, period.start), min(part.end, period.end)))
        for part in times.parts[: times.cohorts]
    }


def _label(size: BucketSize, at: datetime) -> str:
    """Return the label of a cohort; a week has that of its first day."""
    return day(at) if size is BucketSize.WEEK else bucket_label(size, at)


def _top(cells: Iterable[CohortCell]) -> float:
    """Return a round share that is at least as large as the largest one."""
    highest = max((cell.rate or 0.0 for cell in cells), default=0.0)
    return next(top for top in _TOPS if highest <= top)


def _shade(rate: float | None, *, top: float) -> int:
    """Return the depth of the color of a share, from 0 to 10; any share has some."""
    return math.ceil(_SHADES * rate / top) if rate else 0


def _path(cells: Sequence[CohortCell], size: BucketSize, top: float) -> str:
    places = [
        f"{WIDTH * (cell.after - 1) / (LATEST[size] - 1):.1f} {HEIGHT - HEIGHT * (cell.rate or 0.0) / top:.1f}"
        for cell in cells
    ]
    # A single point is a line without a length, whose ends are round.
    return f"M{'L'.join(places)}{'h0' if len(places) == 1 else ''}" if places else ""
