"""Actions that cannot be undone ask first, also in browsers without JavaScript."""

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.goals.goal import path_rule

# The page of the form, the address that it is sent to, its fields, and the question.
ACTIONS = {
    "revoke a key": ("/account", "/account/keys/1/revocation", {}, "Revoke the API key “k”?"),
    "sign out everywhere": ("/account", "/sign-out", {"everywhere": "on"}, "Sign out everywhere?"),
    "remove a member": (
        "/organizations/1",
        "/organizations/1",
        {"action": "remove", "user": "2"},
        "Remove user 2?",
    ),
    "delete a goal": (
        "/sites/1/goals/1",
        "/sites/1/goals/1",
        {"action": "delete"},
        "Delete the goal “&lt;b&gt;”?",
    ),
}


@pytest.mark.parametrize("name", ACTIONS)
async def test_dangerous_action_is_done_only_after_its_confirmation(world, name):
    page, path, fields, question = ACTIONS[name]
    await world.commands.goals.define(1, name="<b>", rule=path_rule("/a"), context=CommandContext())
    browser = await world.browser("owner")
    before = len(await world.journal.read_all(after=0, limit=10_000))

    asked = await browser.post(path, page=page, **fields)
    after_question = len(await world.journal.read_all(after=0, limit=10_000))
    confirmed = await browser.confirm(asked, path)

    assert (asked.status_code, f"<h1>{question}</h1>" in asked.text) == (200, True)
    assert f'href="{page}">Cancel</a>' in asked.text
    assert after_question == before
    assert confirmed.status_code == 303
    assert len(await world.journal.read_all(after=0, limit=10_000)) > before


async def test_a_confirmation_without_the_token_of_the_form_changes_nothing(world):
    browser = await world.browser("owner")

    result = await browser.send("/account/keys/1/revocation", {"confirmed": "on"})

    assert result.status_code == 403
    assert len(world.directory.keys_of("1")) == 1
