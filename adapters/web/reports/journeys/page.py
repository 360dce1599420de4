"""The page of journeys: what sessions did next, or before, as a flow and as tables."""

from collections.abc import Mapping, Sequence
from functools import partial
from urllib.parse import quote, urlencode

import falcon
from attrs import evolve, frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.labels import journey_step_label
from footfall.adapters.web.reports.journeys.flow import FlowStep, flow_of, steps_of
from footfall.adapters.web.reports.panels.session_inquiries import of_journeys
from footfall.adapters.web.reports.report_page import ReportPage
from footfall.adapters.web.reports.report_request import ReportRequest
from footfall.adapters.web.reports.view import View
from footfall.adapters.web.reports.view_reading import GROUPS
from footfall.application.access.authorization import Access
from footfall.application.journal.directory_records import GoalRecord
from footfall.application.languages.language import marked, tr
from footfall.application.reports.catalogue.journeys import (
    BEGINNING,
    BEGINNINGS,
    CHOSEN,
    ENDED,
    EVENTS,
    PARAMETERS,
    other_than_text,
    parse_step,
    step_body,
)
from footfall.domain.funnels.funnel import MAX_STEPS, MIN_STEPS
from footfall.domain.goals.goal import MAX_NAME
from footfall.domain.journeys.journey import JourneyQuery, JourneyReport, JourneyStep, JourneyStepType
from footfall.domain.paths.page_groups import PageGroups
from footfall.domain.sites.excluded_patterns import PatternCompiler
from footfall.domain.sites.sharing.shared_links import SharedPanel
from footfall.domain.traffic.filters import GOAL, PAGE_GROUP

SUBPATH = "/journeys"
# The fields of the form; the address has what they say in one parameter.
_DIRECTION, _KIND, _VALUE = "direction", "kind", "value"
_PLACES = marked({"after": "Start of the session", "before": "End of the session"})
# The longest parameter in an address: servers take some thousand characters of it.
_LONGEST = 2_000
_OF_GROUP = f"{JourneyStepType.GROUP}:"

_FILTERS = {
    JourneyStepType.PAGE: "pathname",
    JourneyStepType.GROUP: PAGE_GROUP,
    JourneyStepType.EVENT: "event_name",
}


@frozen
class JourneysPage(ReportPage):
    """GET …/journeys."""

    access_get = Access.READER

    async def on_get(self, req: Request, resp: Response, site: str, key: str | None = None) -> None:
        """Show the steps of journeys; the form leads to the address of what it asks about."""
        request = await self._access.authorize(
            self.access_get, req, site, key, past=True, panels=[SharedPanel.JOURNEYS]
        )
        if _DIRECTION in req.params:
            raise falcon.HTTPSeeOther(request.view.address(SUBPATH, **_asked(req)))
        site_id, kept = request.record.site.site_id, _journey(request.kept)
        async with self._access.opened(request) as answer:
            inquiry = of_journeys(request.view, kept, answer.directory, site_id)
            journeys = await inquiry.ask(answer.reports, site_id)
            values = await self.values(request, answer)
            goals = answer.directory.goals_of(site_id) if request.view.shows(GOAL) else []
        journey, report = inquiry.journey, journeys.now
        form, view = _form(kept), request.view
        if journey.groups.rules and view.lists_paths:
            # What names a group has groups as steps, whatever the address says beside it.
            parameters = tuple(pair for pair in view.parameters if pair[0] != GROUPS)
            view = evolve(view, parameters=parameters, lists_paths=False)
        values |= {
            "kept": kept,
            "view": view,
            "report": report,
            "before": None if journeys.before is None else _sessions_before(journeys.before),
            "steps": [(number, steps_of(report, number)) for number in report.numbers],
            "flow": flow_of(report, is_backward=journey.is_backward),
            "journey": journey,
            "form": form,
            "goals": goals,
            "beginning": _beginning(form, goals),
            "places": {direction: tr(place) for direction, place in _PLACES.items()},
            "chosen": dict(journey.chosen),
            "funnel": _funnel_address(request, journey, form, goals),
            "parameter_of": parameter_of,
            "others_of": partial(_others, report),
            "taken": {"after": BEGINNINGS["after"]} | kept if not BEGINNINGS.keys() & kept.keys() else kept,
            "filters_by": _FILTERS,
            "name_of": partial(_name_of, journey),
            "regrouped": self._regrouped(view, kept) if view.page_groups.rules else None,
        }
        await self.render(req, resp, request, "journeys.html", values)

    def _regrouped(self, view: View, kept: Mapping[str, str]) -> str:
        """Return the address of the same journeys with groups of pages as steps, or with paths where these are."""
        groups = view.page_groups
        if view.lists_paths:
            return view.address(
                SUBPATH, groups=None, **_with_groups(kept, groups, self._services.compile_patterns)
            )
        return view.address(SUBPATH, groups="off", **_with_paths(kept, groups))


def _with_paths(kept: Mapping[str, str], groups: PageGroups) -> dict[str, str]:
    """Return the parameters for journeys whose steps are paths.

    A group that they begin at becomes the pattern that has its paths, or without one the start or end of sessions.
    Chosen groups are no steps there.
    """
    without: dict[str, str] = {}
    for name, text in kept.items():
        if not text.startswith(_OF_GROUP):
            without[name] = text
        elif name in BEGINNINGS:
            pattern = groups.pattern_of(text.removeprefix(_OF_GROUP))
            without[name] = BEGINNINGS[name] if pattern is None else f"page:{pattern}"
    return without


def _with_groups(
    kept: Mapping[str, str], groups: PageGroups, compile_patterns: PatternCompiler
) -> dict[str, str]:
    """Return the parameters for journeys whose steps are groups of pages: the group of a chosen path is the step."""
    grouped = dict(kept)
    for name in CHOSEN:
        step = parse_step(kept.get(name, ""))
        if step is not None and step.type is JourneyStepType.PAGE:
            rules = (rule for rule in groups.rules if compile_patterns((rule.pattern,))(step.name))
            if (rule := next(rules, None)) is not None:
                grouped[name] = parameter_of(JourneyStep(JourneyStepType.GROUP, rule.name))
    return grouped


def _sessions_before(report: JourneyReport) -> Mapping[FlowStep, int]:
    """Return the sessions of the steps of the period that another one is compared with."""
    return {step: sessions for number in report.numbers for step, sessions in steps_of(report, number)}


def parameter_of(step: JourneyStep) -> str:
    """Return a step as parameters name it: page:/pricing."""
    return f"{step.type}:{step.name}"


def _others(report: JourneyReport, number: int) -> str | None:
    """Return the parameter of a list of the sessions whose step is none of those named; None if it is too long."""
    text = other_than_text(number, report.named[number - 1])
    return text if len(quote(text)) <= _LONGEST else None


def _name_of(journey: JourneyQuery, step: FlowStep) -> str:
    taken = {"type": ENDED, "name": ""} if step.ended else step_body(step.step)
    kind = taken["type"] if step.number else BEGINNING
    return journey_step_label(kind, taken["name"], is_backward=journey.is_backward)


def _journey(kept: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in kept.items() if name in PARAMETERS}


def _asked(req: Request) -> dict[str, str]:
    """Return the parameters of a form that was sent; without a path or a name it asks about whole sessions."""
    direction = "before" if req.params.get(_DIRECTION) == "before" else "after"
    kind, value = (req.get_param(name) or "" for name in (_KIND, _VALUE))
    text = (
        kind if kind.startswith("goal:") else f"{kind}:{value}" if kind and value else BEGINNINGS[direction]
    )
    events = {EVENTS: "true"} if EVENTS in req.params else {}
    return {direction: text, **events}


def _form(kept: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of the form as the address has them."""
    direction = next((name for name in BEGINNINGS if name in kept), "after")
    kind, _, value = kept.get(direction, BEGINNINGS[direction]).partition(":")
    if kind == "goal":
        kind, value = f"goal:{value}", ""
    elif kind == BEGINNINGS[direction]:
        kind = ""
    return {_DIRECTION: direction, _KIND: kind, _VALUE: value}


def _beginning(form: Mapping[str, str], goals: Sequence[GoalRecord]) -> str:
    """Return what journeys begin at, in words."""
    names = {f"goal:{record.goal.goal_id}": record.goal.name for record in goals}
    return names.get(form[_KIND]) or form[_VALUE] or tr(_PLACES[form[_DIRECTION]])


def _funnel_address(
    request: ReportRequest, journey: JourneyQuery, form: Mapping[str, str], goals: Sequence[GoalRecord]
) -> str | None:
    """Return the address of the form of a funnel with the beginning and the chosen steps, in the order of time.

    None for those who may not add one, for fewer steps than a funnel has, and for groups of other paths than those
    that match one pattern: of several rules, or after a rule that may have some of them.
    """
    steps = [
        _funnel_step(step.type, step.name, journey.groups) if _has_rule(step) else None
        for _, step in journey.chosen
    ]
    if not journey.is_whole:
        beginning = _funnel_step(form[_KIND], form[_VALUE], journey.groups)
        steps.insert(0, beginning and (*beginning[:2], _beginning(form, goals)))
    chosen = [step for step in steps if step is not None]
    if not request.edits or len(chosen) < len(steps) or not MIN_STEPS <= len(chosen) <= MAX_STEPS:
        return None
    if journey.is_backward:
        chosen.reverse()
    fields = {"action": "preview", "name": " → ".join(name for _, _, name in chosen)[:MAX_NAME]}
    for number, (kind, value, _) in enumerate(chosen, start=1):
        fields |= {f"step{number}": kind, f"value{number}": value}
    return f"/sites/{request.record.site.site_id}/funnels?{urlencode(fields)}"


def _has_rule(step: JourneyStep) -> bool:
    """Whether a rule of a funnel can mean this step alone: in the path of a page `*` is a wildcard."""
    return bool(step.name) and not (step.type is JourneyStepType.PAGE and "*" in step.name)


def _funnel_step(kind: str, value: str, groups: PageGroups) -> tuple[str, str, str] | None:
    """Return the two fields of a step in the form of a funnel, and its name."""
    if kind == JourneyStepType.GROUP:
        pattern = groups.pattern_of(value)
        return None if pattern is None else ("path", pattern, value)
    return ("path" if kind == JourneyStepType.PAGE else kind), value, value
