"""The panel of funnels: the progress in one, and by a dimension how many took all of its steps."""

from typing import Any

from attrs import frozen

from footfall.adapters.web.reports.panels.inquiries import of_funnel
from footfall.adapters.web.reports.panels.named_places import labels_of
from footfall.adapters.web.reports.panels.rows import PanelRows
from footfall.adapters.web.reports.view import View
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import FunnelRecord, SiteRecord
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.funnels import reached
from footfall.application.reports.goal_values import values_by_row
from footfall.domain.exceptions import FunnelNotCountable
from footfall.domain.funnels.steps import FunnelSteps
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.row_choice import RowChoice
from footfall.domain.traffic.breakdown import OF_SESSIONS
from footfall.domain.traffic.filters import GOAL, Filter, FilterType
from footfall.domain.traffic.report_query import ReportQuery

# The parameter of an address that names the dimension.
BY = "funnel_by"


@frozen
class FunnelRow:
    """The sessions with a value that entered a funnel, and those of them that took all steps."""

    value: str
    entered: int
    completed: int


@frozen
class FunnelPanels:
    """Queries the contents of the panel about funnels."""

    _reports: ReportSet
    _directory: Directory

    async def contents(self, record: SiteRecord, view: View, rows: PanelRows) -> dict[str, Any]:
        """Return the progress in a funnel, and the rows of the chosen dimension."""
        values = await self.progress(record, view, rows)
        shown: FunnelRecord | None = values["shown"]
        by = dict(view.parameters).get(BY)
        if values["progress"] is None or shown is None or by is None or by not in values["dimensions"]:
            return values
        if shown.funnel.plan.within_days is not None:
            return values
        return values | await self._by_dimension(record, view, by, values["inquiry"].steps, rows)

    async def progress(self, record: SiteRecord, view: View, rows: PanelRows) -> dict[str, Any]:
        """Return the chosen funnel, or the first one, with its progress here and in the compared period.

        The `rows` are those of the list to choose from.
        """
        site_id, chosen = record.site.site_id, dict(view.parameters).get("funnels")
        funnels = self._directory.funnels_of(site_id)
        shown = next(
            (funnel_record for funnel_record in funnels if str(funnel_record.funnel.funnel_id) == chosen),
            next(iter(funnels), None),
        )
        named = [
            funnel_record for funnel_record in funnels if rows.choice.is_in(funnel_record.funnel.plan.name)
        ]
        values = {"funnels": rows.page.of(named), "total": len(funnels), "requested": rows, "shown": shown}
        values |= {"refusal": None, "progress": None, "before": None, "by": None}
        values["dimensions"] = list(filter(view.shows, OF_SESSIONS))
        if shown is None:
            return values
        try:
            inquiry = of_funnel(view, shown.funnel.plan, self._directory, record.site)
        except FunnelNotCountable as refusal:
            return values | {"refusal": refusal.message}
        progress = await inquiry.ask(self._reports, site_id)
        return values | {
            "progress": progress.now,
            "before": progress.before,
            "money": progress.values,
            "names": inquiry.names,
            "inquiry": inquiry,
        }

    async def _by_dimension(
        self,
        record: SiteRecord,
        view: View,
        by: str,
        steps: FunnelSteps,
        rows: PanelRows,
    ) -> dict[str, Any]:
        """Return the values of the sessions that entered, how many took all steps, and the money of the last one."""
        site_id, period, breakdowns = record.site.site_id, view.window.period, self._reports.breakdowns
        first = Page(1, rows.page.size)
        entered = [*view.asked, Filter(GOAL, FilterType.EQUALS, ("0",), goals=(GoalQuery(steps.rules[0]),))]
        completed = [*view.asked, reached(steps, len(steps.rules))]
        of_entered, of_completed = ReportQuery(period, entered), ReportQuery(period, completed)
        page = await breakdowns.break_down(site_id, by, of_entered, first)
        listed = [row.value for row in page.rows]
        choice = RowChoice(among=tuple(listed))
        ended = await breakdowns.break_down(site_id, by, of_completed, first, choice=choice)
        counts = {row.value: row.count for row in ended.rows}
        labels = await labels_of(breakdowns, site_id, by, listed, of_entered)
        split = [FunnelRow(row.value, row.count, counts.get(row.value, 0)) for row in page.rows]
        currencies = record.site.currencies
        money = await values_by_row(
            breakdowns, site_id, steps.rules[-1], by, listed, currencies, of_completed
        )
        values = {"by": by, "split": split, "labels": labels, "values_of_dimension": page.values}
        return values | {"money_of_split": money}
