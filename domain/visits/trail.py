"""The trail of a session: its steps in the order of their times, and the times between.

See docs/read/visits.md#the-trail.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from attrs import frozen

from footfall.domain.error_tracking.occurrence import error_message
from footfall.domain.tracking.hit import HitType, RecordedHit
from footfall.domain.traffic.session import visits


@frozen
class Step:
    """One thing that a visitor did or met, and the time since the step before it; None for the first one."""

    recorded: RecordedHit
    since_last: timedelta | None

    @property
    def text(self) -> str:
        """What the step is about: the title, the name of the event, the address, or the message."""
        hit = self.recorded.hit
        match hit.type:
            case HitType.CUSTOM_EVENT:
                return hit.event_name or ""
            case HitType.OUTBOUND:
                url = (hit.properties or {}).get("url")
                return url if isinstance(url, str) else ""
            case HitType.ERROR:
                return error_message(hit)
            case HitType.PAGEVIEW | HitType.PERFORMANCE:
                return hit.page_title or ""


@frozen
class Trail:
    """Some of the steps of a session, and the number of all of them up to the moment that was asked about."""

    steps: Sequence[Step]
    total: int


@frozen(kw_only=True)
class TrailPart:
    """The part of a trail that is wanted: at most `most` steps after the first ones, or with None the last ones.

    With a moment, a time and a position, the trail ends there.
    """

    most: int
    skipped: int | None = 0
    until: tuple[datetime, int] | None = None


def trail(hits: Iterable[RecordedHit], session_id: int, part: TrailPart) -> Trail:
    """Return a part of the trail of a session; of one that is not there, no steps.

    Performance measures are no steps of a visitor and are left out.
    """
    of_session = [
        hit for visit in visits(hits) if visit.session.session_id == session_id for hit in visit.hits
    ]
    taken = [
        moment
        for moment in of_session
        if moment.hit.type is not HitType.PERFORMANCE and (part.until is None or moment.moment <= part.until)
    ]
    pauses = [None, *(later.hit.occurred_at - moment.hit.occurred_at for moment, later in pairwise(taken))]
    steps = [Step(moment, pause) for moment, pause in zip(taken, pauses, strict=False)]
    first = max(0, len(steps) - part.most) if part.skipped is None else part.skipped
    return Trail(steps[first : first + part.most], len(steps))
