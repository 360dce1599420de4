"""The inquiry about journeys, and what requests say of them (docs/read/journeys.md)."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve, frozen

from footfall.application.journal.directory import Directory
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.goals import goal_at
from footfall.application.reports.catalogue.inquiry import Inquiry
from footfall.application.reports.tables import Table, table_of
from footfall.domain.exceptions import GoalNotFound, Invalid, noting, require_valid
from footfall.domain.goals.goal import Rule, event_rule, path_rule
from footfall.domain.journeys.journey import (
    MOST_NAMES,
    MOST_STEPS,
    NOT_REPORTED,
    JourneyQuery,
    JourneyReport,
    JourneyStep,
    JourneyStepType,
    NamedStep,
    StepEngagement,
)
from footfall.domain.number import exact_json, identifier, whole_number
from footfall.domain.paths.page_groups import UNGROUPED, PageGroups
from footfall.domain.periods.period import Period
from footfall.domain.periods.report_period import ReportPeriod
from footfall.domain.text import text_fault
from footfall.domain.traffic.filters import MAX_VALUE

# The parameters of the hit that journeys begin at, and the places of sessions that stand for none.
BEGINNINGS: Mapping[str, str] = {"after": "start", "before": "end"}
CHOSEN = tuple(f"step_{number}" for number in range(1, MOST_STEPS + 1))
EVENTS, GROUPS = "custom_events", "groups"
PARAMETERS = (*BEGINNINGS, EVENTS, *CHOSEN)
# Lists of sessions take the journeys of those that are listed, where these ended, and which step was another one.
ENDED_AFTER, OTHER_THAN = "ended_after", "other_than"
OF_LISTS = (*PARAMETERS, ENDED_AFTER, OTHER_THAN)
_WAY = ("from_type", "from", "type", "name")
_ENGAGEMENT = ("engaged_time", "engaged_pageviews", "scroll_depth", "scrolled_pageviews")
COLUMNS = ("step", *_WAY, "sessions", *_ENGAGEMENT)
# What stands in the place of a step: all before the first one, those that are not named, and none.
BEGINNING, OTHERS, ENDED = "beginning", "others", "ended"
_NONE = NamedStep(None, 0)
_ENDS = tuple(map(str, range(MOST_STEPS)))
_OTHER_RULE = (
    'must name a step and 1 to 8 steps that it is not, such as {"step": 2, "not": ["page:/pricing"]}'
)
_STEP_RULE = (
    "must be a page, a group of pages or an event, such as page:/pricing, group:Orders or event:signup"
)


@frozen
class Journeys:
    """The journeys of a period and, by the same names, those of the period that it is compared with."""

    now: JourneyReport
    before: JourneyReport | None = None

    @property
    def numbers(self) -> range:
        """The numbers of steps, of both periods."""
        before = range(0) if self.before is None else self.before.numbers
        return max(self.now.numbers, before, key=len)


@frozen
class JourneysInquiry(Inquiry[Journeys]):
    """The journeys of sessions, and with a `window` those of the period that this is compared with."""

    journey: JourneyQuery
    window: ReportPeriod | None = None
    keys = ("step", "from_type", "from", "type", "name")
    shows_engagement = True

    @property
    def span(self) -> Period:
        """The time around both periods."""
        return self.query.period if self.window is None else self.window.span

    async def ask(self, reports: ReportSet, site_id: int) -> Journeys:
        """Return the journeys."""
        find = reports.journeys.journeys
        now = await find(site_id, self.journey, self.query)
        if self.window is None:
            return Journeys(now)
        same_names = evolve(self.journey, named=now.named)
        before = evolve(self.query, period=self.window.before)
        return Journeys(now, await find(site_id, same_names, before))

    def table(self, answer: Journeys) -> Table:
        """Return a row for each way from one step to the next one, and one where journeys ended.

        The rows from a step add up to the sessions that took it. Engagement is that of the step, by whatever way it was
        taken.
        """
        columns = (*COLUMNS, *(["previous"] if answer.before else []))
        return table_of(columns, [row for number in answer.numbers for row in _rows(answer, number)])


def step_body(step: JourneyStep | None) -> dict[str, str]:
    """Return type and name of a step; all that are not named have no name."""
    return {"type": OTHERS, "name": ""} if step is None else {"type": str(step.type), "name": step.name}


def engaged_body(engaged: StepEngagement) -> dict[str, Any]:
    """Return how long the pages of a step were looked at and how far scrolled, and of how many views that is known."""
    figures = engaged.time, engaged.pageviews, engaged.depth, engaged.scrolled
    return dict(zip(_ENGAGEMENT, figures, strict=True))


def _rows(answer: Journeys, number: int) -> list[dict[str, Any]]:
    now, before = ({} if report is None else _ways(report, number) for report in (answer.now, answer.before))
    return [
        {
            "step": number,
            **dict(zip(_WAY, way, strict=True)),
            "sessions": now.get(way, _NONE).sessions,
            **engaged_body(now.get(way, _NONE).engaged),
            "previous": before.get(way, _NONE).sessions,
        }
        for way in dict.fromkeys((*now, *before))
    ]


def _ways(report: JourneyReport, number: int) -> dict[tuple[str, ...], NamedStep]:
    """Return the sessions of each way to a step of a number, and of each end before it."""
    ways = {
        _way(number, passage.source, step_body(passage.target)): NamedStep(
            passage.target, passage.sessions, report.engaged.get((number, passage.target), NOT_REPORTED)
        )
        for passage in report.passages
        if passage.number == number
    }
    sources = [named.step for named in report.steps(number - 1)] if number > 1 else [None]
    end = {"type": ENDED, "name": ""}
    ends = [(_way(number, source, end), report.ended(number - 1, source)) for source in sources]
    return ways | {way: NamedStep(None, sessions) for way, sessions in ends if sessions}


def _way(number: int, source: JourneyStep | None, target: Mapping[str, str]) -> tuple[str, ...]:
    begin = {"type": BEGINNING, "name": ""} if number == 1 else step_body(source)
    return (begin["type"], begin["name"], target["type"], target["name"])


def journey_query(texts: Mapping[str, str], directory: Directory, site_id: int) -> JourneyQuery:
    """Return what the parameters `after` or `before`, `custom_events`, `groups` and `step_1` to `step_5` ask about.

    Without `after` and `before` journeys begin at the start of sessions. Groups of pages are steps in the place of
    their paths if `groups` is true, or if one of the others names one. Lists take `ended_after` and
    `other_than`, too.

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
        with noting(errors):
            beginning = _beginning(name, texts[name], directory, site_id, groups)
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
    other_than = parse_other_than(texts[OTHER_THAN]) if OTHER_THAN in texts else None
    if OTHER_THAN in texts and other_than is None:
        errors[OTHER_THAN] = [_OTHER_RULE]
    require_valid(errors)
    chosen = tuple((number, step) for number, step in steps.items() if step is not None)
    asked = [*(step for _, step in chosen), *(() if other_than is None else other_than[1])]
    is_grouped = beginning.group is not None or any(step.type is JourneyStepType.GROUP for step in asked)
    return evolve(
        beginning,
        groups=groups if is_grouped or texts.get(GROUPS) == "true" else UNGROUPED,
        is_backward=given == ["before"],
        has_events=texts.get(EVENTS) == "true",
        chosen=chosen,
        ended=None if ended is None else int(ended),
        other_than=other_than,
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


def parse_other_than(text: str) -> tuple[int, frozenset[JourneyStep]] | None:
    """Return the number of a step, and the steps that it is not, as a text of JSON names them; None if it does not."""
    try:
        match exact_json(text):
            case {"step": asked, "not": [_, *_] as texts, **more} if not more:
                number = whole_number(asked) or 0
                steps = [parse_step(text) if isinstance(text, str) else None for text in texts]
            case _:
                return None
    except ValueError:
        return None
    chosen = frozenset(step for step in steps if step is not None)
    is_one = 1 <= number <= MOST_STEPS and len(steps) <= MOST_NAMES
    return (number, chosen) if is_one and None not in steps else None


def other_than_text(number: int, steps: Iterable[JourneyStep]) -> str:
    """Return the parameter of lists of sessions that took another step of a number than some."""
    return json.dumps({"step": number, "not": [f"{step.type}:{step.name}" for step in sorted(steps)]})


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
        raise Invalid({name: refusal.messages}) from None


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
