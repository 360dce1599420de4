"""Errors: logs in which they are frequent, some with messages as long as messages can be, and decisions about them."""

from datetime import timedelta

from attrs import evolve
from hypothesis import strategies as st

from footfall.domain.citations.changes import LATE
from footfall.domain.error_tracking import decisions
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.fingerprint import fingerprint
from footfall.domain.error_tracking.occurrence import error_details
from footfall.domain.event_stream import fold
from footfall.domain.tracking.hit import HitType
from tests.histories import INSTANTS, MESSAGES, OTHER_SITE, SITE


class LongText(str):
    """A text that is too long for the report of a failed example."""

    __slots__ = ()

    def __repr__(self):
        """Return how it begins and ends."""
        return f"{self[:2]!r}...{self[-2:]!r}"


# The first two differ behind what an index holds.
LONG = [LongText(one) for one in ("y" * 8191 + "b", "y" * 8191 + "a", "\N{GRINNING FACE}" * 8192)]
# Names of errors with their properties; some of them are of one group.
CAUSES = [
    *(("Error", {"message": message}) for message in [*MESSAGES, *LONG]),
    ("TypeError", {"message": "x is not defined"}),
    (
        "TypeError",
        {"message": "x is not defined", "stack": "TypeError: x\n    at f (https://e.com/a.3f2a1b9c.js:1:2)"},
    ),
    (
        "TypeError",
        {"message": "x is not defined", "stack": "TypeError: x\n    at f (https://e.com/a.77aa11bb.js:9:9)"},
    ),
    ("Error", {"message": "item 12 is gone"}),
    ("Error", {"message": "item 13 is gone", "fileName": "app.js"}),
    (None, None),
]
FINGERPRINTS = sorted({fingerprint(name or "", error_details(known or {})) for name, known in CAUSES})
_GROUPS = st.sampled_from(FINGERPRINTS)


@st.composite
def failing(draw, logs, often=(1, 0, 3)):
    """Generate a log in which errors may be frequent, some hits late or of the other site, and visitors extreme.

    So many of four hits are errors, at least.
    """
    log, often = draw(logs), draw(st.sampled_from(often))
    visitors = draw(st.sampled_from([{}, {2: -(2**63), 3: 2**63 - 1}]))
    return [evolve(one, hit=_placed(draw, one.hit, visitors, often)) for one in log]


def _placed(draw, hit, visitors, often):
    known = {
        "site_id": draw(st.sampled_from([SITE, SITE, SITE, OTHER_SITE])),
        "visitor_id": visitors.get(hit.visitor_id, hit.visitor_id),
        "received_at": hit.occurred_at + draw(st.sampled_from([timedelta(), LATE, 2 * LATE])),
        "release": draw(st.sampled_from([None, "1.0", "1.1"])),
    }
    if draw(st.integers(0, 3)) < often:
        name, properties = draw(st.sampled_from(CAUSES))
        known |= {"type": HitType.ERROR, "event_name": name, "properties": properties}
    return evolve(hit, **known)


def _state(events):
    """Return the decisions after events, merges decided as members would decide them."""
    state = None
    for event in events:
        new = [event]
        if isinstance(event, decisions.ErrorGroupsMerged):
            new = decisions.merge(state, event.into, event.fingerprints)
        state = fold(decisions.apply, new, state)
    return state or ErrorDecisions()


DECISIONS = st.lists(
    st.one_of(
        st.builds(decisions.ErrorGroupsMerged, _GROUPS, st.lists(_GROUPS, min_size=1, max_size=2).map(tuple)),
        st.builds(decisions.ErrorGroupResolved, _GROUPS, INSTANTS, st.booleans()),
        st.builds(
            decisions.ErrorGroupMuted, _GROUPS, INSTANTS, st.none() | INSTANTS, st.none() | st.integers(1, 3)
        ),
    ),
    max_size=4,
).map(_state)
