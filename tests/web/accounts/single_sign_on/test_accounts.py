"""Accounts with a real provider of OpenID Connect: who gets one, and which identity leads to it."""

import sys
from html import unescape
from urllib.parse import quote

import pytest
from attrs import evolve

from footfall.application.ports.accounts.identity_providers import (
    Identity,
    IdentityRefused,
)
from footfall.application.sign_in.identities import Returned
from footfall.domain.accounts.organization import Role
from footfall.domain.accounts.user import IdentityLinked, IdentityUnlinked
from footfall.domain.attempt_limits import CHALLENGES_OF_CLIENT
from footfall.entrypoints.composition.sign_in_ways import single_sign_on_off
from tests.application import settings_of
from tests.servers.identity_provider import consent
from tests.web.accounts.single_sign_on.browsers import CONTEXT, Answers, sign_in, user_of


async def test_a_newcomer_of_an_allowed_domain_joins_the_organization(world):
    browser = world.stranger()

    result = await sign_in(browser, "ann")

    assert (result.status_code, result.headers["location"]) == (303, "/account")
    user_id = user_of(await browser.get("/account"))
    person = await world.commands.people.of(user_id)
    assert (person.name, person.verified_address) == ("Ann", "ann@example.com")
    await world.directory.catch_up()
    assert world.directory.role(user_id, "1") is Role.VIEWER


async def test_the_second_sign_in_finds_the_account_of_the_first(world):
    first, second = world.stranger(), world.stranger()

    await sign_in(first, "ann")
    await sign_in(second, "ann")

    user_id = user_of(await first.get("/account"))
    assert user_of(await second.get("/account")) == user_id
    assert (await world.ports.sign_in.identities.of_user(user_id))[0].last_used_at == world.clock.now()


async def test_an_address_that_both_sides_have_verified_links_the_account(world):
    await world.commands.people.change("2", name="Ann", address="ann@example.com", context=CONTEXT)
    await world.commands.people.verify_address("2", "ann@example.com", CONTEXT)
    browser = world.stranger()

    await sign_in(browser, "ann")

    assert user_of(await browser.get("/account")) == "2"


async def test_an_address_that_one_side_has_not_verified_links_nothing(world):
    await world.commands.people.change("2", name="Ann", address="ann@example.com", context=CONTEXT)

    await sign_in(newcomer := world.stranger(), "ann")
    refused = await sign_in(world.stranger(), "unverified")

    assert user_of(await newcomer.get("/account")) != "2"
    assert refused.status_code == 400


@pytest.mark.parametrize("subject", ["outsider", "nothing", "unverified", "odd"])
async def test_an_unknown_identity_gets_a_page_that_says_what_to_do_and_no_account(world, subject):
    events = len(await world.journal.read_all(after=0, limit=10_000))

    result = await sign_in(world.stranger(), subject)

    assert result.status_code == 400
    assert "No account belongs to this identity" in unescape(result.text)
    assert len(await world.journal.read_all(after=0, limit=10_000)) == events


async def test_a_signed_in_user_links_and_unlinks_an_identity(world):
    browser = await world.browser("owner")

    result = await sign_in(browser, "outsider", "/account/identities/link")
    [identity] = await world.ports.sign_in.identities.of_user("1")
    await sign_in(other := world.stranger(), "outsider")
    await browser.post(f"/account/identities/{identity.identity_id}/removal", page="/account")

    assert result.headers["location"] == "/account?done=identity-linked#identities"
    assert user_of(await other.get("/account")) == "1"
    assert (await sign_in(world.stranger(), "outsider")).status_code == 400
    events = [recorded.event for recorded in await world.journal.load("user-1")]
    assert IdentityLinked(identity_id=identity.identity_id) in events
    assert IdentityUnlinked(identity_id=identity.identity_id) in events
    assert "outsider" not in str(events)


async def test_an_identity_of_another_account_is_not_linked(world):
    await sign_in(await world.browser("owner"), "outsider", "/account/identities/link")

    result = await sign_in(await world.browser("member"), "outsider", "/account/identities/link")

    assert result.status_code == 400
    assert "belongs to another account" in result.text
    assert await world.ports.sign_in.identities.of_user("2") == []


async def test_an_identity_is_linked_to_the_user_who_asked_for_it_only(world):
    browser, other = await world.browser("owner"), await world.browser("member")
    path = consent((await browser.get("/account/identities/link")).headers["location"], "outsider")
    browser.cookies["footfall_sign_in"] = other.cookies["footfall_sign_in"]

    result = await browser.get(path)

    assert result.status_code == 400
    assert "Sign in as the user who began" in result.text
    assert [await world.ports.sign_in.identities.of_user(user) for user in ("1", "2")] == [[], []]


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example",
        "//evil.example",
        "/\\evil.example",
        "/\t/evil.example",
        "javascript:alert(1)",
        "\\\\evil",
    ],
)
async def test_signing_in_leads_to_no_other_host(world, target):
    result = await sign_in(world.stranger(), "ann", f"/sign-in/oidc?next={quote(target, safe='')}")

    assert (result.status_code, result.headers["location"]) == (303, "/sites")


@pytest.mark.parametrize(
    "address",
    [
        "a@example.com@evil.example",
        "a@evil.example,@example.com",
        '"a@example.com"@evil.example',
        "a@example.com.evil.example",
        "a@evil.example#@example.com",
        "a@sub.example.com",
        "a@xexample.com",
        "a@example.com ",
        "a@example.com.",
        "a@ex\u0430mple.com",
        "a@example.com\u3002",
        "a@EX\u0130MPLE.COM",
        "a@example.com\x00",
    ],
)
async def test_an_address_that_only_looks_like_one_of_an_allowed_domain_gets_no_account(world, address):
    identity = Identity(issuer="https://i.example", subject="s", address=address, is_address_verified=True)
    ways = world.service.sign_in_ways.identities
    begun = evolve(ways, provider=Answers(identity))
    _, proof = await begun.begin(CHALLENGES_OF_CLIENT, "192.0.2.7")

    with pytest.raises(IdentityRefused):
        await begun.finish(Returned(code="c"), proof, signed_in=None, request_id=None)


async def test_an_allowed_domain_in_capital_letters_gets_an_account(world):
    address = "Ann@EXAMPLE.COM"
    identity = Identity(issuer="https://i.example", subject="s", address=address, is_address_verified=True)
    ways = evolve(world.service.sign_in_ways.identities, provider=Answers(identity))
    _, proof = await ways.begin(CHALLENGES_OF_CLIENT, "192.0.2.7")

    signed_in = await ways.finish(Returned(code="c"), proof, signed_in=None, request_id=None)

    assert (await world.commands.people.of(signed_in.user_id)).verified_address == address


async def test_a_forgotten_person_has_no_identity_and_signs_in_no_more(world):
    browser = await world.browser("member")
    await sign_in(browser, "outsider", "/account/identities/link")
    await world.commands.people.forget("2", CONTEXT)

    assert await world.ports.sign_in.identities.of_user("2") == []
    assert (await sign_in(world.stranger(), "outsider")).status_code == 400


async def test_linking_is_not_begun_by_another_site(world):
    browser = await world.browser("owner")

    result = await browser.get("/account/identities/link", headers={"Sec-Fetch-Site": "cross-site"})

    assert result.status_code == 403


class TestWithoutNewcomers:
    @pytest.fixture
    def configured(self, configured):
        return {**configured, "oidc_domains": (), "oidc_organization": None}

    async def test_nobody_gets_an_account(self, world):
        assert (await sign_in(world.stranger(), "ann")).status_code == 400


class TestAway:
    @pytest.fixture
    def configured(self):
        return {"oidc_issuer": "http://127.0.0.1:9", "oidc_client_id": "footfall"}

    async def test_an_issuer_that_does_not_answer_is_a_page_with_the_other_ways(self, world):
        result = await world.stranger().get("/sign-in/oidc")

        assert result.status_code == 502
        assert "Single sign-on does not answer" in result.text
        assert "API key" in result.text


class TestOff:
    @pytest.fixture
    def configured(self):
        return {}

    async def test_the_page_offers_none_and_asking_all_the_same_says_why(self, world):
        assert "Single sign-on" not in (await world.stranger().get("/sign-in")).text
        result = await world.stranger().get("/sign-in/oidc")

        assert result.status_code == 404
        assert "FOOTFALL_OIDC_ISSUER is not set" in result.text


def test_without_the_library_it_is_off_and_the_reason_names_it(monkeypatch, configured):
    monkeypatch.delitem(sys.modules, "footfall.adapters.oidc.provider", raising=False)
    monkeypatch.setitem(sys.modules, "joserfc", None)

    assert "footfall[server]" in single_sign_on_off(evolve(settings_of(), **configured))
