"""Explains what has changed since an earlier state of a dashboard.

See docs/read/programs/citations.md#why-a-number-has-changed.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.reports.explanation.subjects import OF_GROUPS, OWN, Choice, inquiry, titles_of
from footfall.adapters.web.reports.explanation.wording import (
    cause_head,
    cause_text,
    effect,
    figure_label,
    row_label,
    shown_row,
)
from footfall.adapters.web.reports.panels.breakdowns import PANELS
from footfall.adapters.web.reports.report_page import ReportPage
from footfall.adapters.web.reports.report_request import ReportRequest
from footfall.adapters.web.reports.view import View
from footfall.application.access.authorization import Access
from footfall.application.citations.changes import Cause, Changes, Explanation
from footfall.application.citations.decisions import Decision
from footfall.application.journal.directory import Directory
from footfall.application.journal.stream_names import funnel_stream, goal_stream
from footfall.application.ports.reports.askers import Asker
from footfall.application.ports.reports.snapshots import PastQuestion
from footfall.domain.citations.positions import (
    AS_OF_RULE,
    Positions,
    by_present_definitions,
    whole_milliseconds,
)
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.exceptions import Invalid, NotFound, renaming
from footfall.domain.periods.period import Period
from footfall.domain.sites.sharing.shared_links import SharedPanel

ROWS = 20


@frozen
class ExplanationPage(ReportPage):
    """GET /sites/<site_id>/changes and /share/<site_id>/<private key>/changes."""

    access_get = Access.READER

    async def on_get(self, req: Request, resp: Response, site: str, key: str | None = None) -> None:
        """Show the parts of the differences between the state that `as_of` names and a later one, or the present."""
        request = await self._access.authorize(
            self.access_get, req, site, key, past=True, panels=[SharedPanel.OVERVIEW]
        )
        since = request.as_of
        if since is None:
            raise Invalid({"as_of": [f"is required: {AS_OF_RULE}"]})
        until = await self._until(req, request)
        earlier, later = [await self._services.answers.directory_at(state) for state in (since, until)]
        site_id, own = since.site_id, {key: text for key in OWN if (text := _text(req, key)) is not None}
        choice = Choice(
            request,
            own,
            _funnel_of(request.view, earlier, site_id),
            _goal_of(own, earlier, self._services.directory, site_id),
            self._services.directory,
        )
        titles, name = titles_of(choice), _text(req, "report") or "overview"
        if name not in titles:
            raise NotFound("Report not found")
        inquire = partial(inquiry, name, choice)
        with renaming({"from": "as_of", "to": "until"}):
            changes = Changes(self._services.answers, request.asker)
            explanation = await changes.explain(since, until, inquire)
        decisions = [cause for cause in explanation.causes if isinstance(cause, Decision)]
        authors = [decision.actor.user_id for decision in decisions if decision.actor.user_id]
        people = await self._services.people_of(authors) if request.belongs else {}
        names = {decision.stream: decision.name for decision in decisions if decision.name} | _names(
            (earlier, later), site_id
        )
        labels = {stream.removeprefix("goal-"): text for stream, text in names.items()}
        if name in OF_GROUPS:
            labels = await self._messages(explanation, until, request.view.window.period, request.asker)
        row_text = partial(row_label, view=request.view, names=labels, own=own)
        shown = _shown_rows(explanation, name, request.view, row_text, _text(req, "figure"))
        values = {
            **request.values,
            **shown,
            "causes": _causes(explanation, names, request),
            "own": own,
            "since": since,
            "until": until,
            "is_present": "until" not in req.params,
            # The reader of a link names hours, and the present is none.
            "later": str(until) if request.limits is None else _text(req, "until"),
            "titles": titles,
            "subject": name,
            "audits": _audits(request),
            "people": people,
        }
        await self.render(req, resp, request, "explanation.html", values)

    async def _messages(
        self, explanation: Explanation, until: Positions, period: Period, asker: Asker
    ) -> dict[str, str]:
        """Return the messages of the first groups of errors; those that were merged since have their own ones."""
        groups = [row.key[0] for row in explanation.rows[:ROWS]]
        question = PastQuestion(positions=by_present_definitions(until), span=period)
        async with self._services.answers.past(question, asker=asker) as answer:
            histories = await answer.reports.error_groups.histories(until.site_id, ErrorDecisions(), groups)
        return {
            group: f"{history.error_name}: {history.message or 'No message'}"
            for group, history in histories.items()
        }

    async def _until(self, req: Request, request: ReportRequest) -> Positions:
        site_id, now = request.record.site.site_id, whole_milliseconds(self._services.clock.now())
        if "until" in req.params:
            text, limited = _text(req, "until") or "", request.limits is not None
            with renaming({"as_of": "until"}):
                return await self._services.answers.resolve(text, site_id, now=now, limited=limited)
        # No report is asked: it needs no turn.
        async with self._services.answers.present(
            site_id, request.view.window.period, now=now, asker=None
        ) as answer:
            return answer.positions


def _causes(
    explanation: Explanation, names: Mapping[str, str], request: ReportRequest
) -> list[tuple[Cause, str, str]]:
    """Return the causes in words, each with its effect where the report has one row."""
    is_single = not explanation.keys
    return [
        (
            cause,
            cause_text(cause, names, belongs=request.belongs, counted=request.limits is None),
            effect(explanation.rows[0], number) if is_single else "",
        )
        for number, cause in enumerate(explanation.causes)
    ]


def _shown_rows(
    explanation: Explanation, name: str, view: View, row_text: Callable[..., str], figure: str | None
) -> dict[str, Any]:
    """Return the lines of the table: the figures of the overview, or one figure of rows."""
    figures = list(dict.fromkeys(key for row in explanation.rows for key in row.after))
    chosen = figure if figure in figures else next(iter(figures), "")
    is_single, by = not explanation.keys, view.tab(name) if name in PANELS else name
    lines = (
        [shown_row(explanation.rows[0], key, figure_label(key)) for key in figures]
        if is_single
        else [shown_row(row, chosen, row_text(row.key, by)) for row in explanation.rows[:ROWS]]
    )
    return {
        "heads": [cause_head(cause, number) for number, cause in enumerate(explanation.causes, start=1)],
        "lines": lines,
        "total": len(explanation.rows),
        "figures": [] if is_single else [(key, figure_label(key)) for key in figures],
        "figure": chosen,
        "is_changed": any(any(part.values()) for row in explanation.rows for part in row.parts),
    }


def _names(directories: Sequence[Directory], site_id: int) -> dict[str, str]:
    """Return the names of goals and funnels by their streams; those of a later directory win."""
    names: dict[str, str] = {}
    for directory in directories:
        names |= {
            goal_stream(record.goal.goal_id): record.goal.name for record in directory.goals_of(site_id)
        }
        names |= {
            funnel_stream(record.funnel.funnel_id): record.funnel.plan.name
            for record in directory.funnels_of(site_id)
        }
    return names


def _funnel_of(view: View, directory: Directory, site_id: int) -> int | None:
    """Return the chosen funnel, or the first one."""
    chosen = dict(view.parameters).get("funnels")
    funnel_ids = [record.funnel.funnel_id for record in directory.funnels_of(site_id)]
    return next(
        (funnel_id for funnel_id in funnel_ids if str(funnel_id) == chosen), next(iter(funnel_ids), None)
    )


def _goal_of(own: Mapping[str, str], then: Directory, now: Directory, site_id: int) -> int | None:
    """Return the goal that the address names, or the first one that is as it was."""
    earlier = {record.goal.goal_id: record.query for record in then.goals_of(site_id)}
    if "goal" in own:
        return next((goal_id for goal_id in earlier if str(goal_id) == own["goal"]), None)
    present = {record.goal.goal_id: record.query for record in now.goals_of(site_id)}
    return next((goal_id for goal_id, query in earlier.items() if present.get(goal_id) == query), None)


def _audits(request: ReportRequest) -> bool:
    """Whether the reader may see the audit log."""
    role = None if request.viewer is None else request.viewer.role_on(request.record.site)
    return role is not None and role.administers


def _text(req: Request, name: str) -> str | None:
    value = req.params.get(name)
    return value if isinstance(value, str) else None
