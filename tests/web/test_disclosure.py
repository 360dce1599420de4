"""Content of the shared and the public page: the numbers, and errors and sessions only where the site shares them."""

from urllib.parse import quote

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.error_tracking.fingerprint import fingerprint
from footfall.domain.error_tracking.occurrence import ErrorDetails
from footfall.domain.goals.goal import path_rule
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.tracking.hit import HitType
from tests.links import new_link
from tests.web.conftest import PART

USER = "anna@example.org"
STACK = "TypeError: x is undefined\n    at pay (https://example.com/app.js:12:7)"
GROUP = fingerprint("TypeError", ErrorDetails(message="x is undefined", stack=STACK))
DETAILS = ["panels/errors", f"errors/{GROUP}", "panels/sessions?goal=1"]


async def pages_of(world, *, details):
    """Return the addresses of the shared and of the public page of a site with an error and a reached goal."""
    await world.commands.goals.define(1, name="Any page", rule=path_rule("/**"), context=CommandContext())
    await world.hit(user_id=USER, pathname="/")
    properties = {"message": "x is undefined", "stack": STACK}
    await world.hit(type=HitType.ERROR, event_name="TypeError", user_id=USER, properties=properties)
    changes = ConfigChanges(public=True, share_details=details)
    await world.commands.sites.configure(1, changes, CommandContext())
    key = await new_link(world.commands)
    return [f"/share/{(await world.site()).site.public_id}/{key}", "/sites/1"]


async def test_errors_and_sessions_are_hidden_from_other_readers_by_default(world):
    for address in await pages_of(world, details=False):
        page = (await world.stranger().get(address)).text
        goals = (await world.stranger().get(f"{address}/panels/goals", headers=PART)).text
        answers = [await world.stranger().get(f"{address}/{path}") for path in DETAILS]

        assert 'data-panel="' in page
        assert "/panels/errors" not in page
        assert "Any page" in goals
        assert "/panels/sessions" not in goals
        assert [answer.status_code for answer in answers] == [404, 404, 404]
        assert "does not share its errors and sessions" in answers[0].text


async def test_shared_errors_and_sessions_have_no_stacks_and_user_ids(world):
    for address in await pages_of(world, details=True):
        page = (await world.stranger().get(address)).text
        goals = (await world.stranger().get(f"{address}/panels/goals", headers=PART)).text
        answers = [await world.stranger().get(f"{address}/{path}") for path in DETAILS]

        assert "/panels/errors" in page
        assert "/panels/sessions" in goals
        assert [answer.status_code for answer in answers] == [200, 200, 200]
        assert [word for word in (USER, "at pay") if any(word in answer.text for answer in answers)] == []


async def test_members_see_errors_with_stacks_and_sessions(world):
    await pages_of(world, details=False)
    browser = await world.browser("member")

    answers = [await browser.get(f"/sites/1/{path}") for path in DETAILS]

    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert "at pay" in answers[1].text


@pytest.mark.parametrize("end", ["", "/panels/pages", "/panels/goals", "/online"])
async def test_readers_who_are_not_members_cannot_filter_by_user_id(world, end):
    for address in await pages_of(world, details=True):
        answer = await world.stranger().get(f"{address}{end}?filter=user_id,equals,{quote(USER)}")

        assert answer.status_code == 400
        assert "user_id is only for members" in answer.text


async def test_members_can_filter_by_user_id(world):
    await pages_of(world, details=False)

    answer = await (await world.browser("member")).get(f"/sites/1?filter=user_id,equals,{quote(USER)}")

    assert answer.status_code == 200
