"""The inquiry about journeys, and what requests say of them."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

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
from footfall.domain.text import text_fault
from footfall.domain.traffic.filters import MAX_VALUE

# The parameters of the hit that journeys begin at, and the places of sessions that stand for none.
BEGINNINGS: Mapping[str, str] = {"after": "start", "before": "end"}
CHOSEN = tuple(f"step_{number}" for number in range(1, MOST_STEPS + 1))
EVENTS = "custom_events"
PARAMETERS = (*BEGINNINGS, EVENTS, *CHOSEN)
COLUMNS = ("step", "from_type", "from", "type", "name", "sessions")
OTHERS, ENDED = "others", "ended"
_STEP_RULE = "must be a page such as page:/pricing or an event such as event:signup"


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
        return {"from_type": "beginning", "from": ""}
    named = step_body(source)
    return {"from_type": named["type"], "from": named["name"]}


def journey_query(texts: Mapping[str, str], directory: Directory, site_id: int) -> JourneyQuery:
    """Return what the parameters `after` or `before`, `custom_events` and `step_1` to `step_5` ask about.

    Without `after` and `before` journeys begin at the start of sessions.

    Raises:
        Invalid: a parameter is not valid, or both `after` and `before` are given; the errors name the parameters.

    """
    errors: dict[str, list[str]] = {}
    rule: Rule | None = None
    given = [name for name in BEGINNINGS if name in texts]
    if len(given) > 1:
        errors["before"] = ["must not come together with after"]
    for name in given:
        try:
            rule = _beginning(name, texts[name], directory, site_id)
        except Invalid as refusal:
            errors |= refusal.field_errors
    named = {number: name for number, name in enumerate(CHOSEN, start=1) if name in texts}
    steps = {number: parse_step(texts[name]) for number, name in named.items()}
    errors |= {named[number]: [_STEP_RULE] for number, step in steps.items() if step is None}
    if texts.get(EVENTS, "false") not in ("true", "false"):
        errors[EVENTS] = ["must be true or false"]
    if errors:
        raise Invalid(errors)
    return JourneyQuery(
        rule=rule,
        is_backward=given == ["before"],
        has_events=texts.get(EVENTS) == "true",
        chosen=tuple((number, step) for number, step in steps.items() if step is not None),
    )


def parse_step(text: str) -> JourneyStep | None:
    """Return the step that a text such as `page:/pricing` names; None if it names none."""
    kind, separator, name = text.partition(":")
    if not separator or kind not in list(JourneyStepType) or text_fault(name, maximum=MAX_VALUE):
        return None
    return JourneyStep(JourneyStepType(kind), name)


def _beginning(name: str, text: str, directory: Directory, site_id: int) -> Rule | None:
    """Return the rule that a text such as `goal:7`, `page:/blog/*` or `event:signup` names; None for a place."""
    if text == BEGINNINGS[name]:
        return None
    kind, _, value = text.partition(":")
    try:
        match kind:
            case "goal":
                return goal_at(directory, site_id, identifier(value)).goal.rule
            case "page":
                return path_rule(value)
            case "event":
                return event_rule(value)
    except GoalNotFound:
        raise Invalid({name: ["must name a goal of this site by its id, such as goal:7"]}) from None
    except Invalid as refusal:
        raise Invalid(
            {name: [one for messages in refusal.field_errors.values() for one in messages]}
        ) from None
    place = BEGINNINGS[name]
    raise Invalid({name: [f"must be {place}, or a text such as page:/blog/*, event:signup or goal:7"]})
