"""The page of a session: what is known of it, its trail with the goals that it reached, and its visitor's others."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Self

from attrs import frozen

from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import GoalRecord
from footfall.application.ports.reports.sessions import SessionReports
from footfall.application.reports.turns.matching_time import MATCHING_SECONDS, within_seconds
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.grouping import hit_group
from footfall.domain.exceptions import Invalid, SessionNotFound, existing
from footfall.domain.goals.goal import Goal
from footfall.domain.goals.matching import matcher
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.periods.unix_time import MICROSECOND
from footfall.domain.sites.excluded_patterns import PatternCompiler
from footfall.domain.tracking.hit import Hit, HitType
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.session import LONGEST, Session, parse_session_id
from footfall.domain.visits.session_list import SessionPlace, SessionsQuery
from footfall.domain.visits.trail import Step, TrailPart

# Other visits are looked for so long before and after one, and so many are shown.
AROUND = timedelta(days=30)
MOST_OTHERS = 20
SHORT = timedelta(hours=1)
# 200 goals take some milliseconds a step, and 0.3 seconds if each is made to take long.
_TOO_SLOW = (
    f"the goals of this site have {MATCHING_SECONDS:g} seconds, which do not suffice for so many steps:"
    " ask for fewer"
)


@frozen(kw_only=True)
class FoundSession:
    """A session that an address names: a position that it holds, and the time around all that its page says.

    It `is_short` if it lasts at most an hour.
    """

    position: int
    span: Period
    is_short: bool

    def is_cheap(self, exclusion: Sequence[Filter]) -> bool:
        """Return whether few rows are read for its page however large the log is, so that it needs no turn now.

        The hits of a session are found among all hits of its time; other visits are found by the exclusion rules of the
        site, if it has enabled ones, among all sessions of theirs (docs/internals/answers.md#visits).
        """
        return self.is_short and not exclusion


@frozen(kw_only=True)
class SessionQuestion:
    """A session that is asked about, by a position that it holds.

    `page` is the part of its trail. The goals, the decisions about errors and the filter by the standing exclusions are
    those of the state that is asked about. `seconds` is how long the patterns of the goals may take.
    """

    position: int
    page: Page
    goals: Sequence[GoalRecord]
    decisions: ErrorDecisions
    exclusion: Sequence[Filter]
    seconds: float = MATCHING_SECONDS

    @classmethod
    def of(
        cls,
        found_session: FoundSession,
        page: Page,
        directory: Directory,
        site_id: int,
        exclusion: Sequence[Filter],
    ) -> Self:
        """Return the question about a session, with what the directory of a state has decided."""
        return cls(
            position=found_session.position,
            page=page,
            goals=directory.goals_of(site_id),
            decisions=directory.error_decisions(site_id),
            exclusion=exclusion,
        )


@frozen
class ShownStep:
    """A step of a trail, the goals that it reached, and the group of an error; None of what is no error."""

    step: Step
    goals: Sequence[Goal]
    group: str | None


@frozen(kw_only=True)
class ShownSession:
    """A session with a page of the `total` steps of its trail, in the order of their times.

    See docs/read/visits.md#the-trail.

    `excluded` tells whether the standing exclusions leave it out of reports. `others` are at most 20 other visits of
    its visitor, as reports count visitors, the newest first: those that have a part in the 30 days before and after it,
    without those that are left out; `has_more` tells whether there are further ones.
    """

    session: Session
    excluded: bool
    trail: Sequence[ShownStep]
    total: int
    others: Sequence[Session]
    has_more: bool


async def find_session(reports: SessionReports, site_id: int, session: str) -> FoundSession:
    """Return the session that a text of 16 hexadecimal digits names, by its id or that of one which was joined with it.

    Raises:
        SessionNotFound: the text is none, or nothing of the site is stored at this position, at present.
        StoreUnavailable: the store does not answer.

    """
    position = existing(parse_session_id(session), SessionNotFound)
    stored = existing(await reports.session_with(site_id, position), SessionNotFound)
    # In another state it may have been a longer one.
    span = Period(stored.start - LONGEST - AROUND, stored.end + LONGEST + AROUND)
    return FoundSession(position=position, span=span, is_short=stored.end - stored.start <= SHORT)


async def show_session(
    reports: SessionReports, site_id: int, question: SessionQuestion, compile_patterns: PatternCompiler
) -> ShownSession:
    """Return the page of a session (docs/read/visits.md#the-page-of-a-session).

    Raises:
        Invalid: the patterns of the goals take longer than that of the processor for the steps of this page; the error
            names `limit`.
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
    # Rules leave it out if it is not listed; where the list is full, it may be behind its end.
    is_listed = len(different) < len(others) or not question.exclusion
    # Paths and stacks are of strangers: they are looked at beside the event loop.
    steps = await asyncio.to_thread(_shown_steps, trail.steps, question, compile_patterns)
    return ShownSession(
        session=session,
        excluded=not is_listed and await _is_excluded(reports, site_id, session, question.exclusion),
        trail=steps,
        total=trail.total,
        others=different[:MOST_OTHERS],
        has_more=len(different) > MOST_OTHERS,
    )


async def _is_excluded(
    reports: SessionReports, site_id: int, session: Session, exclusion: Sequence[Filter]
) -> bool:
    from_here = SessionsQuery(
        period=Period(session.start, session.end + MICROSECOND),
        filters=exclusion,
        after=SessionPlace(session.start, session.session_id + 1),
        most=1,
    )
    listed = await reports.listed(site_id, from_here)
    return session.session_id not in [other.session_id for other in listed]


def _shown_steps(
    steps: Sequence[Step], question: SessionQuestion, compile_patterns: PatternCompiler
) -> list[ShownStep]:
    in_time = within_seconds(steps, question.seconds, Invalid({"limit": [_TOO_SLOW]}))
    matchers = [
        (record.goal, matcher(record.goal.rule, lambda pattern: compile_patterns((pattern,))))
        for record in question.goals
    ]
    return [_shown_step(step, matchers, question.decisions) for step in in_time]


def _shown_step(
    step: Step, matchers: Sequence[tuple[Goal, Callable[[Hit], bool]]], decisions: ErrorDecisions
) -> ShownStep:
    hit = step.recorded.hit
    reached = [goal for goal, matches in matchers if matches(hit)]
    return ShownStep(step, reached, hit_group(hit, decisions) if hit.type is HitType.ERROR else None)
