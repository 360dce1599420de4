"""The inquiry about journeys, and what requests say of them."""

from collections.abc import Mapping
from typing import Any

from attrs import evolve, frozen

from footfall.application.journal.directory import Directory
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.goals import goal_at
from footfall.application.reports.catalogue.inquiry import Inquiry
from footfall.application.reports.tables import Table, table_of
from footfall.domain.exceptions import GoalNotFound, Invalid
from footfall.domain.goals.goal import Rule, event_rule, path_rule
from footfall.domain.journeys.journey import (
    MOST_STEPS,
    JourneyQuery,
    JourneyReport,
    JourneyStep,
    JourneyStepType,
)
from footfall.domain.number import identifier
from footfall.domain.paths.page_groups import UNGROUPED, PageGroups
from footfall.domain.text import text_fault
from footfall.domain.traffic.filters import MAX_VALUE

# The parameters of the hit that journeys begin at, and the places of sessions that stand for none.
BEGINNINGS: Mapping[str, str] = {"after": "start", "before": "end"}
CHOSEN = tuple(f"step_{number}" for number in range(1, MOST_STEPS + 1))
EVENTS, GROUPS = "custom_events", "groups"
PARAMETERS = (*BEGINNINGS, EVENTS, *CHOSEN)
# Lists of sessions take the journeys of those that are listed, and where these ended.
ENDED_AFTER = "ended_after"
OF_LISTS = (*PARAMETERS, ENDED_AFTER)
COLUMNS = ("step", "from_type", "from", "type", "name", "sessions")
# What stands in the place of a step: all before the first one, those that are not named, and none.
BEGINNING, OTHERS, ENDED = "beginning", "others", "ended"
_ENDS = tuple(map(str, range(MOST_STEPS)))
_STEP_RULE = (
    "must be a page, a group of pages or an event, such as page:/pricing, group:Orders or event:signup"
)


@frozen
class JourneysInquiry(Inquiry[JourneyReport]):
    """The journeys of sessions."""

    journey: JourneyQuery
    keys = ("step", "from_type", "from", "type", "name")

    async def ask(self, reports: ReportSet, site_id: int) -> JourneyReport:
        """Return the journeys."""
        period, filters = self.query.period, self.query.filters
        return await reports.journeys.journeys(site_id, self.journey, period, filters)

    def table(self, answer: JourneyReport) -> Table:
        """Return a row for each way from one step to the next one, and one where journeys ended.

        The rows from a step add up to the sessions that took it.
        """
        return table_of(COLUMNS, [row for number in answer.numbers for row in _rows(answer, number)])


def step_body(step: JourneyStep | None) -> dict[str, str]:
    """Return type and name of a step; all that are not named have no name."""
    return {"type": OTHERS, "name": ""} if step is None else {"type": str(step.type), "name": step.name}


def _rows(report: JourneyReport, number: int) -> list[dict[str, Any]]:
    rows = [
        {**_source(number, passage.source), **step_body(passage.target), "sessions": passage.sessions}
        for passage in report.passages
        if passage.number == number
    ]
    sources = [named.step for named in report.steps(number - 1)] if number > 1 else [None]
    ends = [(source, report.ended(number - 1, source)) for source in sources]
    rows += [
        {**_source(number, source), "type": ENDED, "name": "", "sessions": sessions}
        for source, sessions in ends
        if sessions
    ]
    return [{"step": number, **row} for row in rows]


def _source(number: int, source: JourneyStep | None) -> dict[str, str]:
    if number == 1:
        return {"from_type": BEGINNING, "from": ""}
    named = step_body(source)
    return {"from_type": named["type"], "from": named["name"]}


def journey_query(texts: Mapping[str, str], directory: Directory, site_id: int) -> JourneyQuery:
    """Return what the parameters `after` or `before`, `custom_events`, `groups` and `step_1` to `step_5` ask about.

    Without `after` and `before` journeys begin at the start of sessions. Groups of pages are steps in the place of
    their paths if `groups` is true, or if one of the others names one. Of lists `ended_after` is one more parameter.

    Raises:
        Invalid: a parameter is not valid, or both `after` and `before` are given; the errors name the parameters.

    """
    errors: dict[str, list[str]] = {}
    record = directory.site(str(site_id))
    groups = UNGROUPED if record is None else record.site.page_groups
    beginning = JourneyQuery()
    given = [name for name in BEGINNINGS if name in texts]
    if len(given) > 1:
        errors["before"] = ["must not come together with after"]
    for name in given:
        try:
            beginning = _beginning(name, texts[name], directory, site_id, groups)
        except Invalid as refusal:
            errors |= refusal.field_errors
    named = {number: name for number, name in enumerate(CHOSEN, start=1) if name in texts}
    steps = {number: parse_step(texts[name]) for number, name in named.items()}
    errors |= {named[number]: [_STEP_RULE] for number, step in steps.items() if step is None}
    errors |= {
        name: ["must be true or false"]
        for name in (EVENTS, GROUPS)
        if texts.get(name, "false") not in ("true", "false")
    }
    ended = texts.get(ENDED_AFTER)
    if ended is not None and ended not in _ENDS:
        errors[ENDED_AFTER] = [f"must be a number of steps from {_ENDS[0]} to {_ENDS[-1]}"]
    if errors:
        raise Invalid(errors)
    chosen = tuple((number, step) for number, step in steps.items() if step is not None)
    is_grouped = beginning.group is not None or any(step.type is JourneyStepType.GROUP for _, step in chosen)
    return evolve(
        beginning,
        groups=groups if is_grouped or texts.get(GROUPS) == "true" else UNGROUPED,
        is_backward=given == ["before"],
        has_events=texts.get(EVENTS) == "true",
        chosen=chosen,
        ended=None if ended is None else int(ended),
    )


def listed_journey(texts: Mapping[str, str], directory: Directory, site_id: int) -> JourneyQuery | None:
    """Return the journey that a list of sessions is asked about; None without a parameter of one.

    Raises:
        Invalid: as `journey_query` does.

    """
    is_asked = asks_journey(texts) or GROUPS in texts
    return journey_query(texts, directory, site_id) if is_asked else None


def asks_journey(texts: Mapping[str, Any]) -> bool:
    """Return whether parameters ask a list of sessions about journeys, `groups` aside, which views have, too."""
    return any(name in texts for name in OF_LISTS)


def parse_step(text: str) -> JourneyStep | None:
    """Return the step that a text such as `page:/pricing` names; None if it names none."""
    kind, separator, name = text.partition(":")
    if not separator or kind not in list(JourneyStepType) or text_fault(name, maximum=MAX_VALUE):
        return None
    return JourneyStep(JourneyStepType(kind), name)


def _beginning(name: str, text: str, directory: Directory, site_id: int, groups: PageGroups) -> JourneyQuery:
    """Return what begins at what a text names, such as `goal:7`, `page:/blog/*`, `group:Orders` or `event:signup`."""
    if text == BEGINNINGS[name]:
        return JourneyQuery()
    kind, _, value = text.partition(":")
    if kind == "group" and value in groups.names:
        return JourneyQuery(group=value)
    if kind == "group":
        raise Invalid({name: [f"this site has no group of pages {value}"]})
    try:
        return JourneyQuery(rule=_rule(name, kind, value, directory, site_id))
    except GoalNotFound:
        raise Invalid({name: ["must name a goal of this site by its id, such as goal:7"]}) from None
    except Invalid as refusal:
        raise Invalid(
            {name: [one for messages in refusal.field_errors.values() for one in messages]}
        ) from None


def _rule(name: str, kind: str, value: str, directory: Directory, site_id: int) -> Rule:
    match kind:
        case "goal":
            return goal_at(directory, site_id, identifier(value)).goal.rule
        case "page":
            return path_rule(value)
        case "event":
            return event_rule(value)
    rule = f"must be {BEGINNINGS[name]}, or a text such as page:/blog/*, group:Orders, event:signup or goal:7"
    raise Invalid({name: [rule]})
