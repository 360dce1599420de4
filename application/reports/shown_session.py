"""The page of a session: what is known of it, its trail with the goals that it reached, and its visitor's others."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from time import thread_time

from attrs import frozen

from footfall.application.journal.directory_records import GoalRecord
from footfall.application.ports.reports.sessions import SessionReports
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.grouping import hit_group
from footfall.domain.exceptions import Invalid, SessionNotFound, existing
from footfall.domain.goals.goal import Goal
from footfall.domain.goals.matching import matcher
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.sites.excluded_patterns import PatternCompiler
from footfall.domain.tracking.hit import Hit, HitType
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.session import LONGEST, Session, parse_session_id
from footfall.domain.visits.session_list import Place, SessionsQuery
from footfall.domain.visits.trail import Step, TrailPart

# Other visits are looked for so long before and after one, and so many are shown.
AROUND = timedelta(days=30)
MOST_OTHERS = 20
SHORT = timedelta(hours=1)
# Processor time: 200 goals take some milliseconds a step, and 0.3 seconds if each is made to take long.
MATCHING_SECONDS = 2.0
_TOO_SLOW = (
    f"the goals of this site have {MATCHING_SECONDS:g} seconds, which do not suffice for so many steps:"
    " ask for fewer"
)
_MICROSECOND = timedelta(microseconds=1)


@frozen(kw_only=True)
class FoundSession:
    """A session that an address names: a position that it holds, and the time around all that its page says."""

    position: int
    span: Period
    is_short: bool

    def is_cheap(self, exclusion: Sequence[Filter]) -> bool:
        """Whether few rows are read for its page however large the log is, so that it needs no turn in the present.

        The hits of a session are found among all hits of its time.
        """
        return self.is_short and not exclusion


@frozen(kw_only=True)
class SessionQuestion:
    """A session that is asked about, by a position that it holds.

    `page` is the part of its trail. The goals, the decisions about errors and the filter by the standing exclusions are
    those of the state that is asked about.
    """

    position: int
    page: Page
    goals: Sequence[GoalRecord]
    decisions: ErrorDecisions
    exclusion: Sequence[Filter]


@frozen
class ShownStep:
    """A step of a trail, the goals that it reached, and the group of an error."""

    step: Step
    goals: Sequence[Goal]
    group: str | None


@frozen(kw_only=True)
class ShownSession:
    """A session with a page of the `total` steps of its trail.

    `excluded` tells whether the standing exclusions leave it out of reports. `others` are the newest visits of its
    visitor, as reports count visitors, within 30 days, without those that are left out; `has_more` tells whether there
    are further ones.
    """

    session: Session
    excluded: bool
    trail: Sequence[ShownStep]
    total: int
    others: Sequence[Session]
    has_more: bool


async def find_session(reports: SessionReports, site_id: int, session: str) -> FoundSession:
    """Return the session that a text names, by its id or that of one which was joined with it.

    Raises:
        SessionNotFound: nothing is stored at this position, at present.
        StoreUnavailable: the store does not answer.

    """
    position = existing(parse_session_id(session), SessionNotFound)
    found = existing(await reports.session_with(site_id, position), SessionNotFound)
    # In another state it may have been a longer one.
    span = Period(found.start - LONGEST - AROUND, found.end + LONGEST + AROUND)
    return FoundSession(position=position, span=span, is_short=found.end - found.start <= SHORT)


async def show_session(
    reports: SessionReports, site_id: int, question: SessionQuestion, compile_patterns: PatternCompiler
) -> ShownSession:
    """Return the page of a session.

    Raises:
        Invalid: the patterns of the goals take too long; the error names `limit`.
        SessionNotFound: it is not there in this state.
        StoreUnavailable: the store does not answer.

    """
    session = existing(await reports.session_with(site_id, question.position), SessionNotFound)
    page = question.page
    part = TrailPart(most=page.size, skipped=page.offset)
    trail = await reports.trail(site_id, session.session_id, part)
    others = await reports.listed(
        site_id,
        SessionsQuery(
            period=Period(session.start - AROUND, session.end + AROUND),
            filters=question.exclusion,
            visitor=session.counted_visitor,
            # One is the session itself, and one more tells whether there are further ones.
            most=MOST_OTHERS + 2,
        ),
    )
    different = [other for other in others if other.session_id != session.session_id]
    # Paths and stacks are of strangers: they are looked at beside the event loop.
    steps = await asyncio.to_thread(_shown_steps, trail.steps, question, compile_patterns)
    return ShownSession(
        session=session,
        excluded=await _is_excluded(reports, site_id, session, question.exclusion),
        trail=steps,
        total=trail.total,
        others=different[:MOST_OTHERS],
        has_more=len(different) > MOST_OTHERS,
    )


async def _is_excluded(
    reports: SessionReports, site_id: int, session: Session, exclusion: Sequence[Filter]
) -> bool:
    if not exclusion:
        return False
    from_here = SessionsQuery(
        period=Period(session.start, session.end + _MICROSECOND),
        filters=exclusion,
        after=Place(session.start, session.session_id + 1),
        most=1,
    )
    listed = await reports.listed(site_id, from_here)
    return session.session_id not in [one.session_id for one in listed]


def _shown_steps(
    steps: Sequence[Step], question: SessionQuestion, compile_patterns: PatternCompiler
) -> list[ShownStep]:
    started, shown = thread_time(), list[ShownStep]()
    matchers = [
        (record.goal, matcher(record.goal.rule, lambda pattern: compile_patterns((pattern,))))
        for record in question.goals
    ]
    for step in steps:
        hit = step.recorded.hit
        reached = [goal for goal, matches in matchers if matches(hit)]
        shown.append(ShownStep(step, reached, _group(hit, question.decisions)))
        if thread_time() - started > MATCHING_SECONDS:
            raise Invalid({"limit": [_TOO_SLOW]})
    return shown


def _group(hit: Hit, decisions: ErrorDecisions) -> str | None:
    return hit_group(hit, decisions) if hit.type is HitType.ERROR else None
