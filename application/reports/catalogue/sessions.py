"""Inquiries about sessions one by one."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.inquiry import Inquiry
from footfall.application.reports.tables import MAX_ROWS, Column, Table, table_by
from footfall.domain.cohorts.cohorts import FirstVisits
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.fingerprint import is_fingerprint
from footfall.domain.exceptions import Invalid
from footfall.domain.journeys.journey import JourneyQuery
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.tracking.hit import visitor_text
from footfall.domain.traffic.session import Session, session_text
from footfall.domain.visits.session_list import SessionPlace, SessionsQuery

_CAMPAIGN = ("utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content")
# What the contract of the interface says of a session; readers who are not members do not see its user.
SESSION: Mapping[str, Column] = {
    "session_id": lambda session: session_text(session.session_id),
    **{name: name for name in ("user_id", "country", "browser", "operating_system", "device_type")},
    **{name: name for name in ("entry_page", "exit_page", "pageviews")},
    **{f"session_{name}": name for name in ("duration", "start", "end")},
    **{name: name for name in ("referrer", "channel")},
}
# What members see of a session beside that.
VISIT: Mapping[str, Column] = {
    "visitor": lambda session: visitor_text(session.counted_visitor),
    **{name: name for name in ("custom_events", "outbound_clicks", "errors", "bounced")},
    **{name: name for name in ("hostname", *_CAMPAIGN, "region", "city", "language", "color_scheme")},
    **{name: name for name in ("browser_version", "operating_system_version")},
    **{name: name for name in ("network", "autonomous_system", "automation", "bot", "bot_verified")},
}


# The parameter of lists that names a group of errors.
ERROR = "error"


@frozen
class SessionList:
    """Some sessions, and the place behind which the list goes on; None at its end."""

    sessions: Sequence[Session]
    next: SessionPlace | None


@frozen
class SessionsInquiry(Inquiry[SessionList]):
    """The sessions of a period, the newest first, for members."""

    choice: RowChoice = EVERY_ROW
    visitor: int | None = None
    after: SessionPlace | None = None
    most: int = MAX_ROWS
    journey: JourneyQuery | None = None
    errors: tuple[str, ...] = ()
    first: FirstVisits | None = None
    keys = ("session_id",)

    @property
    def asked(self) -> SessionsQuery:
        """What the list is asked: one session more tells whether it goes on."""
        return SessionsQuery(
            period=self.query.period,
            filters=self.query.filters,
            choice=self.choice,
            visitor=self.visitor,
            journey=self.journey,
            errors=self.errors,
            first=self.first,
            after=self.after,
            most=self.most + 1,
        )

    @property
    def span(self) -> Period:
        """The time around everything that is asked about: for first visits all that was before."""
        return self.asked.span

    async def is_cheap(self, _reports: ReportSet, _site_id: int) -> bool:
        """Return whether the store lists the sessions by their times or their visitor."""
        return self.asked.is_plain

    async def ask(self, reports: ReportSet, site_id: int) -> SessionList:
        """Return the sessions behind the place."""
        listed = await reports.sessions.listed(site_id, self.asked)
        sessions = listed[: self.most]
        return SessionList(sessions, SessionPlace.of(sessions[-1]) if listed[self.most :] else None)

    def table(self, answer: SessionList) -> Table:
        """Return a row for each session."""
        return table_by({**SESSION, **VISIT}, answer.sessions)


def listed_errors(text: str | None, decisions: ErrorDecisions) -> tuple[str, ...]:
    """Return the fingerprints of the group of errors that a list of sessions names by one of them; none without.

    Raises:
        Invalid: the text is no fingerprint; the error names `error`.

    """
    if text is None:
        return ()
    if not is_fingerprint(text):
        raise Invalid({ERROR: ["must be the id of a group of errors, such as 1-0123456789abcdef"]})
    return tuple(decisions.members(decisions.group_of(text)))
