"""Answers of the provider: each is accepted once, in time, and by the browser that asked."""

import re
from datetime import timedelta
from unittest.mock import Mock
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from attrs import evolve

from footfall.application.ports.accounts.identity_providers import (
    Identity,
)
from footfall.application.sign_in.identities import Returned
from footfall.domain.attempt_limits import CHALLENGES_OF_CLIENT
from tests.servers.identity_provider import consent
from tests.web.accounts.single_sign_on.browsers import Answers


async def test_an_answer_is_accepted_once_and_in_the_browser_that_asked(world):
    browser, other = world.stranger(), world.stranger()
    begun = await browser.get("/sign-in/oidc")
    path = consent(begun.headers["location"], "ann")
    kept = dict(browser.cookies)

    elsewhere = await other.get(path)
    first = await browser.get(path)
    browser.cookies = kept
    second = await browser.get(path)

    assert [elsewhere.status_code, first.status_code, second.status_code] == [400, 303, 400]


async def test_an_answer_in_a_browser_that_has_begun_a_request_of_its_own_is_refused(world):
    attacker, victim = world.stranger(), world.stranger()
    path = consent((await attacker.get("/sign-in/oidc")).headers["location"], "ann")
    await victim.get("/sign-in/oidc")

    assert (await victim.get(path)).status_code == 400
    assert "footfall_sign_in" not in victim.cookies


async def test_a_code_with_the_state_of_another_request_is_refused(world):
    attacker, victim = world.stranger(), world.stranger()
    theirs = consent((await attacker.get("/sign-in/oidc")).headers["location"], "ann")
    own = consent((await victim.get("/sign-in/oidc")).headers["location"], "outsider")
    code = parse_qs(urlsplit(theirs).query)["code"][0]

    result = await victim.get(re.sub("code=[^&]+", f"code={code}", own))

    assert result.status_code == 400
    assert "footfall_sign_in" not in victim.cookies


async def test_the_answer_of_another_issuer_is_refused(world):
    browser = world.stranger()
    path = consent((await browser.get("/sign-in/oidc")).headers["location"], "ann")

    result = await browser.get(f"{path}&iss=https%3A%2F%2Fother.example.com")

    assert result.status_code == 400
    assert "Another provider answered" in result.text


async def test_an_answer_that_names_its_issuer_is_accepted(world, issuer):
    browser = world.stranger()
    path = consent((await browser.get("/sign-in/oidc")).headers["location"], "ann")

    assert (await browser.get(f"{path}&iss={quote(issuer, safe='')}")).status_code == 303


@pytest.mark.parametrize("first", ["same identity", "same address"])
async def test_two_browsers_of_one_newcomer_get_one_account(world, first):
    ann = Identity(issuer="https://i.example", subject="s", address="a@example.com", is_address_verified=True)
    faster = ann if first == "same identity" else evolve(ann, subject="another")
    ways = world.service.sign_in_ways.identities
    one, other = evolve(ways, provider=Answers(faster)), evolve(ways, provider=Answers(ann))

    async def next_user():
        if "ids" not in made:
            made["ids"] = "7"
            _, proof = await one.begin(CHALLENGES_OF_CLIENT, "192.0.2.7")
            made["first"] = await one.finish(Returned(code="c"), proof, signed_in=None, request_id=None)
            return "8"
        return made["ids"]

    made = {}
    slow = Mock(next_user=next_user)
    one, other = (
        evolve(way, registrations=evolve(way.registrations, identifiers=slow)) for way in (one, other)
    )
    _, proof = await other.begin(CHALLENGES_OF_CLIENT, "192.0.2.7")
    second = await other.finish(Returned(code="c"), proof, signed_in=None, request_id=None)

    assert (made["first"].user_id, second.user_id) == ("7", "7")
    assert await world.commands.people.people.of(["8"]) == {}


async def test_an_answer_is_too_late_after_ten_minutes(world):
    browser = world.stranger()
    begun = await browser.get("/sign-in/oidc")
    path = consent(begun.headers["location"], "ann")
    world.clock.advance(timedelta(minutes=10))

    assert (await browser.get(path)).status_code == 400


@pytest.mark.parametrize("change", [("state=", "state=x"), ("code=", "code=x"), ("code=", "error=denied&x=")])
async def test_a_changed_answer_is_refused(world, change):
    browser = world.stranger()
    begun = await browser.get("/sign-in/oidc")

    result = await browser.get(consent(begun.headers["location"], "ann").replace(*change))

    assert result.status_code == 400


async def test_the_request_has_state_nonce_and_a_challenge(world, issuer):
    location = (await world.stranger().get("/sign-in/oidc")).headers["location"]

    asked = {name: values[0] for name, values in parse_qs(urlsplit(location).query).items()}
    assert location.startswith(issuer)
    assert (asked["response_type"], asked["code_challenge_method"]) == ("code", "S256")
    assert min(len(asked[name]) for name in ("state", "nonce", "code_challenge")) >= 22
    assert asked["redirect_uri"] == "http://localhost:8000/sign-in/oidc/callback"
