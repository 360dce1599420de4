"""Why an answer of a site has changed: two answers and the parts of their difference (docs/citations.md)."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime

from attrs import evolve, frozen

from footfall.application.citations.answers import Answer, Answers
from footfall.application.journal.stream_names import goal_stream, site_stream
from footfall.application.ports.journal import Actor, RecordedEvent
from footfall.application.ports.reports.snapshots import PastQuestion
from footfall.domain.citations.changes import Figure, Origin, Part, split
from footfall.domain.citations.positions import Positions
from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import GoalDefined, GoalDeleted, GoalQuery, GoalRedefined
from footfall.domain.periods.period import Period
from footfall.domain.sites.site import SiteConfigured

_RULE_EVENTS = (GoalDefined, GoalRedefined, GoalDeleted)

# Settings that decide which hits are stored.
OF_INGESTION = frozenset(
    {
        "block_bots",
        "excluded_ips",
        "excluded_countries",
        "web_vitals",
        "track_errors",
        "track_outbound",
        "track_url_params",
    }
)

Figures = Mapping[Figure, int]


@frozen(kw_only=True)
class ChangeQuestion:
    """Two answers of one report on a period: the overview, or the conversions of a goal."""

    since: Positions
    until: Positions
    period: Period
    goal_id: int | None = None

    @property
    def figures(self) -> Sequence[Figure]:
        """What the report counts."""
        if self.goal_id is not None:
            return (Figure.CONVERSIONS, Figure.SESSIONS)
        return (Figure.VISITORS, Figure.SESSIONS, Figure.PAGEVIEWS, Figure.EVENTS)


@frozen(kw_only=True)
class Decision:
    """An event of the journal between the answers: what it was, who decided it, and when."""

    type: type
    position: int
    at: datetime
    actor: Actor


@frozen
class Cause:
    """A part of the difference; that of a decision, or of hits of one origin."""

    origin: Origin | None
    decision: Decision | None
    difference: Figures


@frozen
class Explanation:
    """The figures of both answers, and the parts of their difference."""

    before: Figures
    after: Figures
    causes: Sequence[Cause]


@frozen
class Changes:
    """Explains the difference of two answers of the past."""

    _answers: Answers

    async def explain(self, question: ChangeQuestion) -> Explanation:
        """Return the parts of the difference, which add up to it.

        Raises:
            Invalid: a position is not accepted, or the site never had the goal.
            ErasedSince: hits that one of the answers was made from have been erased since.
            StoreUnavailable: the store does not answer.

        """
        since, until = question.since, question.until
        if until.traffic < since.traffic or until.journal < since.journal:
            raise Invalid({"to": ["must not be before from"]})
        events = await self._answers.events.load_site(since.site_id)
        rules = _Rules.of(events, question)
        async with self._past("from", question, since) as answer:
            before = await _figures(answer, question, rules.at(since))
        changed = [one for one in rules.events if since.journal < one.position <= until.journal]
        cuts = await self._cuts(question, changed)
        in_force = [rules.at(since), *(rules.at(evolve(until, journal=one.position)) for one in changed)]
        distinct = [rule for rule in dict.fromkeys(in_force) if rule is not None]
        async with self._past("to", question, until) as answer:
            after = await _figures(answer, question, rules.at(until))
            found = await answer.reports.changes.first_hits(since.site_id, question.period, distinct, cuts)
        parts = split(found, [None if rule is None else distinct.index(rule) for rule in in_force])
        causes = [_cause(part, changed) for part in parts]
        return Explanation(before, after, [*causes, *_settings(events, question)])

    @asynccontextmanager
    async def _past(self, name: str, question: ChangeQuestion, positions: Positions) -> AsyncIterator[Answer]:
        """Lend the state of one answer; refusals name the parameter."""
        try:
            async with self._answers.past(PastQuestion(positions=positions, span=question.period)) as answer:
                yield answer
        except Invalid as refusal:
            errors = {name if field == "as_of" else field: one for field, one in refusal.field_errors.items()}
            raise Invalid(errors, form_errors=refusal.form_errors) from None

    async def _cuts(self, question: ChangeQuestion, changed: Sequence[RecordedEvent]) -> list[int]:
        """Return the positions of the traffic log at which rules changed, between those of the two answers.

        They are known to the minute. Wherever a cut lies, the parts add up.
        """
        cuts = [question.since.traffic]
        for one in changed:
            reached = await self._traffic_at(question.since, one.metadata.recorded_at)
            cuts.append(min(max(reached, cuts[-1]), question.until.traffic))
        return [*cuts, question.until.traffic]

    async def _traffic_at(self, since: Positions, at: datetime) -> int:
        try:
            _, traffic = await self._answers.snapshots.positions_at(since.site_id, at)
        except Invalid:
            # Before positions were recorded.
            return since.traffic
        return traffic


@frozen
class _Rules:
    """The events of the goal in question; none of a question about no goal."""

    events: Sequence[RecordedEvent]

    @classmethod
    def of(cls, events: Sequence[RecordedEvent], question: ChangeQuestion) -> "_Rules":
        if question.goal_id is None:
            return cls([])
        stream = goal_stream(question.goal_id)
        known = [one for one in events if one.stream == stream and isinstance(one.event, _RULE_EVENTS)]
        if not any(one.position <= question.until.journal for one in known):
            raise Invalid({"goal": ["must be the id of a goal that this site had then"]})
        return cls(known)

    def at(self, positions: Positions) -> GoalQuery | None:
        """Return the rule in force at a position of the journal; None before the goal and after its end."""
        past = [one for one in self.events if one.position <= positions.journal]
        if not past or isinstance(past[-1].event, GoalDeleted):
            return None
        return GoalQuery(past[-1].event.rule, past[-1].position)


async def _figures(answer: Answer, question: ChangeQuestion, rule: GoalQuery | None) -> Figures:
    site_id, reports = question.since.site_id, answer.reports
    traffic = await reports.traffic.overview(site_id, question.period)
    found = {
        Figure.VISITORS: traffic.visitors,
        Figure.SESSIONS: traffic.sessions,
        Figure.PAGEVIEWS: traffic.pageviews,
        Figure.EVENTS: traffic.events,
        Figure.CONVERSIONS: 0,
    }
    if rule is not None:
        [conversions] = await reports.goals.count_conversions(site_id, [rule], question.period)
        found[Figure.CONVERSIONS] = conversions.conversions
    return {figure: found[figure] for figure in question.figures}


def _cause(part: Part, changed: Sequence[RecordedEvent]) -> Cause:
    if isinstance(part.cause, Origin):
        return Cause(part.cause, None, part.difference)
    return Cause(None, _decision(changed[part.cause - 1]), part.difference)


def _settings(events: Sequence[RecordedEvent], question: ChangeQuestion) -> list[Cause]:
    """Return the settings of ingestion that changed in between: what they refuse is in neither answer."""
    stream = site_stream(question.since.site_id)
    changed = [
        one
        for one in events
        if question.since.journal < one.position <= question.until.journal
        and one.stream == stream
        and isinstance(one.event, SiteConfigured)
        and one.event.changes.supplied().keys() & OF_INGESTION
    ]
    return [Cause(None, _decision(one), {}) for one in changed]


def _decision(recorded: RecordedEvent) -> Decision:
    metadata = recorded.metadata
    return Decision(
        type=type(recorded.event), position=recorded.position, at=metadata.recorded_at, actor=metadata.actor
    )
