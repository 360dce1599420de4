"""Names on pages: marks that turn text are refused where they come in, and shown harmlessly where they are."""

from datetime import timedelta
from html import unescape

import pytest

from footfall.application.journal.stream_names import goal_stream
from footfall.application.ports.journal import Actor, Metadata
from footfall.domain.goals.goal import GoalDefined, PathRule
from tests.web.conftest import PART

HIDING = "ust not contain U+202E: control characters"
ODD = "Revenue \u202e001"


@pytest.mark.parametrize(
    ("path", "fields", "label"),
    [
        ("/sites/1/goals", {"name": ODD, "rule": "path", "pathPattern": "/a"}, "Name"),
        ("/sites/1/funnels", {"name": ODD, "kind0": "path", "value0": "/a"}, "Name"),
        ("/sites/1/alerts", {"name": ODD, "metric": "visitors", "window": "hour"}, "Name"),
        ("/sites/1/annotations", {"text": ODD, "at": "2026-03-14T11:00"}, "Text"),
        ("/sites/1/annotations", {"release": ODD, "at": "2026-03-14T11:00"}, "Release"),
        ("/account", {"name": ODD}, "Name"),
    ],
)
async def test_a_name_with_a_mark_that_turns_text_is_explained_beside_its_field(world, path, fields, label):
    browser = await world.browser("owner")

    answer = await browser.post(path, page=path, **fields)

    assert (answer.status_code, HIDING in unescape(answer.text)) == (400, True), label


async def test_a_name_of_an_old_journal_is_shown_without_marks_that_turn_text_and_keeps_its_rule(world):
    metadata = Metadata(Actor(), world.clock.now())
    await world.journal.append(
        goal_stream(1), [GoalDefined(1, 1, ODD, PathRule("/a"))], expected=0, metadata=metadata
    )
    await world.directory.catch_up()
    await world.hit(pathname="/a")
    browser = await world.browser("owner")

    panel = (await browser.get("/sites/1/panels/goals", headers=PART)).text
    form = (await browser.get("/sites/1/goals/1")).text

    assert "<bdi>Revenue 001</bdi>" in panel
    assert "\u202e" not in panel
    # What the form sends back is the name as it is.
    assert f'value="{ODD}"' in form
    assert form.count("\u202e") == 1


async def test_texts_of_visitors_are_shown_without_marks_that_turn_text_and_filter_by_all_of_them(world):
    await world.hit(page_title="\u202egpj.\u05d0\u200f", occurred_at=world.clock.now() - timedelta(minutes=1))
    browser = await world.browser("owner")

    panel = (await browser.get("/sites/1/panels/pages?pages=page_title", headers=PART)).text

    assert "<bdi>gpj.\u05d0\u200f</bdi>" in panel
    assert "%E2%80%AEgpj." in panel
