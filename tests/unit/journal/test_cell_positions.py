"""The directory knows up to where the journal concerns each cell."""

import pytest

from footfall.application.journal.directory_state import DirectoryState, advance
from footfall.application.ports.journal import Actor, Metadata, RecordedEvent
from footfall.domain.accounts.organization import OrganizationRegistered
from footfall.domain.examples import NOON
from footfall.domain.goals.goal import EventRule, GoalDefined, GoalDeleted
from footfall.domain.sites.site import SiteDeleted, SitePlaced, SiteRegistered, SiteRenamed

REGISTERED = [
    (
        "site-1",
        SiteRegistered(
            site_id=1, public_id="a", organization_id="1", name="A", domain="a.example", created_by="1"
        ),
    ),
    ("site-1", SitePlaced("west")),
    (
        "site-2",
        SiteRegistered(
            site_id=2, public_id="b", organization_id="1", name="B", domain="b.example", created_by="1"
        ),
    ),
    ("goal-7", GoalDefined(7, 1, "Goal", EventRule("signup"))),
    ("goal-8", GoalDefined(8, 2, "Goal", EventRule("signup"))),
]


@pytest.mark.parametrize(
    ("stream", "event", "concerns"),
    [
        ("site-1", SiteRenamed("new", "new.example"), True),
        ("goal-7", GoalDeleted(), True),
        ("site-1", SiteDeleted(), True),
        ("goal-9", GoalDefined(9, 1, "Goal", EventRule("signup")), True),
        ("site-2", SiteRenamed("new", "new.example"), False),
        ("goal-8", GoalDeleted(), False),
        ("organization-1", OrganizationRegistered("1", "Acme"), False),
    ],
)
def test_an_event_concerns_the_cell_of_its_site(stream, event, concerns):
    before = state(REGISTERED)
    after = advance(before, [recorded(6, stream, event)])

    assert before.cell_positions == {"west": 4}
    assert after.cell_positions == {"west": 6 if concerns else 4}


def state(events):
    pages = [recorded(position, stream, event) for position, (stream, event) in enumerate(events, 1)]
    return advance(DirectoryState(), pages)


def recorded(position, stream, event):
    return RecordedEvent(position, stream, position, event, Metadata(Actor(), NOON, None))
