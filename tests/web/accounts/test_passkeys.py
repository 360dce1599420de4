"""Passkeys: registration, signing in, and answers that prove nothing."""

import json
import re
import sys
from datetime import timedelta
from html import unescape

import pytest

from footfall.application.commands.context import CommandContext
from footfall.application.sign_in.passkeys import reason_against
from footfall.domain.accounts.user import PasskeyRegistered, PasskeyRemoved
from footfall.entrypoints.composition.sign_in_ways import passkey_verifier
from tests.servers.authenticator import Authenticator


async def token_of(browser):
    return unescape(re.search(r'name="token" value="([^"]+)"', (await browser.get("/account")).text)[1])


async def begin(browser):
    """The options of a registration."""
    result = await browser.post("/account/passkeys/options", page="/account")
    assert result.status_code == 200, result.text
    return result.text


async def register(browser, authenticator, name="My laptop", answer=None):
    answer = answer or authenticator.make(await begin(browser))
    return await browser.post("/account/passkeys", page="/account", passkey_name=name, answer=answer)


async def registered(world, who="owner", **known):
    authenticator = Authenticator(**known)
    result = await register(await world.browser(who), authenticator)
    assert result.status_code == 303, result.text
    return authenticator


async def sign_in_options(browser):
    return (await browser.post("/sign-in/passkey/options")).text


async def sign_in(browser, authenticator, answer=None, **fields):
    answer = answer or authenticator.prove(await sign_in_options(browser))
    return await browser.post("/sign-in/passkey", answer=answer, **fields)


async def test_a_passkey_signs_in_without_a_name(world):
    authenticator, browser = await registered(world), world.stranger()

    result = await sign_in(browser, authenticator, next="/account")

    assert (result.status_code, result.headers["location"]) == (303, "/account")
    shown = (await browser.get("/account")).text
    assert "(user ID 1)" in shown
    assert "My laptop" in shown
    assert (await world.ports.sign_in.passkeys.of_user("1"))[0].last_used_at == world.clock.now()


async def test_the_options_require_a_discoverable_passkey_and_verification_of_the_user(world):
    made = json.loads(await begin(await world.browser("owner")))
    wanted = json.loads(await sign_in_options(world.stranger()))

    assert made["rp"]["id"] == wanted["rpId"] == "localhost"
    assert made["authenticatorSelection"]["residentKey"] == "required"
    assert made["authenticatorSelection"]["userVerification"] == wanted["userVerification"] == "required"
    assert wanted["allowCredentials"] == []


async def test_a_user_has_several_passkeys_and_removes_one_after_a_confirmation(world):
    browser, first, second = await world.browser("owner"), Authenticator(), Authenticator()
    await register(browser, first, "First")
    await register(browser, second, "Second")
    registered = await world.ports.sign_in.passkeys.of_user("1")
    [one] = [passkey for passkey in registered if passkey.name == "First"]
    path = f"/account/passkeys/{one.passkey_id}/removal"

    asked = await browser.post(path, page="/account")
    result = await browser.confirm(asked, path)

    assert "Remove the passkey “First”?" in asked.text
    assert result.headers["location"] == "/account?done=passkey-removed#passkeys"
    assert (await sign_in(world.stranger(), first)).status_code == 400
    assert (await sign_in(world.stranger(), second)).status_code == 303


async def test_the_journal_holds_ids_and_names_only(world):
    browser = await world.browser("owner")
    await register(browser, Authenticator())
    [one] = await world.ports.sign_in.passkeys.of_user("1")
    path = f"/account/passkeys/{one.passkey_id}/removal"
    await browser.confirm(await browser.post(path, page="/account"), path)

    events = [recorded.event for recorded in await world.journal.load("user-1")]
    assert PasskeyRegistered(passkey_id=one.passkey_id, name="My laptop") in events
    assert PasskeyRemoved(passkey_id=one.passkey_id) in events
    assert one.credential.credential_id.hex() not in str(events)


@pytest.mark.parametrize("name", ["", "x" * 101])
async def test_a_name_has_1_to_100_characters(world, name):
    result = await register(await world.browser("owner"), Authenticator(), name)

    assert result.status_code == 400
    assert await world.ports.sign_in.passkeys.of_user("1") == []


async def test_a_replayed_challenge_signs_no_one_in(world):
    authenticator = await registered(world)
    answer = authenticator.prove(await sign_in_options(world.stranger()))

    results = [await sign_in(world.stranger(), authenticator, answer) for _ in range(2)]

    assert [result.status_code for result in results] == [303, 400]
    assert "done before" in results[1].text


async def test_a_challenge_ends_after_five_minutes(world):
    authenticator = await registered(world)
    answer = authenticator.prove(await sign_in_options(world.stranger()))
    world.clock.advance(timedelta(minutes=5))

    assert (await sign_in(world.stranger(), authenticator, answer)).status_code == 400


async def test_a_challenge_that_was_never_issued_is_refused(world):
    authenticator = await registered(world)
    made_up = json.dumps({"challenge": "AAAA"})

    assert (await sign_in(world.stranger(), authenticator, authenticator.prove(made_up))).status_code == 400


@pytest.mark.parametrize(
    "known",
    [{"origin": "https://evil.example"}, {"rp_id": "evil.example"}, {"verifies": False}],
    ids=["origin", "host", "no verification"],
)
async def test_an_answer_of_another_place_or_without_verification_is_refused(world, known):
    browser = await world.browser("owner")
    assert (await register(browser, Authenticator(**known))).status_code == 400

    authenticator = await registered(world)
    for name, value in known.items():
        setattr(authenticator, name, value)

    assert (await sign_in(world.stranger(), authenticator)).status_code == 400


async def test_a_foreign_credential_is_refused(world):
    await registered(world)

    result = await sign_in(world.stranger(), Authenticator())

    assert result.status_code == 400
    assert "not registered here" in result.text


async def test_a_credential_id_with_another_key_is_refused(world):
    authenticator = await registered(world)
    forged = Authenticator(credential_id=authenticator.credential_id, user_handle=authenticator.user_handle)

    assert (await sign_in(world.stranger(), forged)).status_code == 400


async def test_a_passkey_of_another_user_is_refused(world):
    authenticator = await registered(world)
    other = await registered(world, "member")
    authenticator.user_handle = other.user_handle

    assert (await sign_in(world.stranger(), authenticator)).status_code == 400


async def test_a_counter_that_goes_back_is_refused(world):
    authenticator = await registered(world, sign_count=7)
    authenticator.sign_count = 3

    assert (await sign_in(world.stranger(), authenticator)).status_code == 400


async def test_a_registration_of_one_user_is_of_no_use_to_another(world):
    answer = Authenticator().make(await begin(await world.browser("owner")))

    result = await register(await world.browser("member"), None, answer=answer)

    assert result.status_code == 400
    assert await world.ports.sign_in.passkeys.of_user("2") == []


async def test_a_sign_in_challenge_registers_nothing(world):
    browser, authenticator = await world.browser("owner"), Authenticator()
    options = json.loads(await sign_in_options(browser)) | {"user": {"id": "AAAA"}}

    result = await register(browser, None, answer=authenticator.make(json.dumps(options)))

    assert result.status_code == 400


async def test_a_credential_is_registered_once(world):
    browser, authenticator = await world.browser("owner"), Authenticator()
    await register(browser, authenticator)

    result = await register(await world.browser("member"), authenticator)

    assert result.status_code == 400
    assert "registered already" in result.text


@pytest.mark.parametrize(
    "answer",
    ["", "x", "[]", "{}", "null", '{"rawId": 1}', '{"response": {"clientDataJSON": "!"}}', "[" * 20_000],
)
async def test_any_text_is_an_answer_that_proves_nothing(world, answer):
    signing_in = await world.stranger().post("/sign-in/passkey", answer=answer)
    registering = await register(await world.browser("owner"), None, answer=answer or " ")

    assert (signing_in.status_code, registering.status_code) == (400, 400)


async def test_a_forgotten_user_has_no_passkeys(world):
    authenticator = await registered(world, "member")
    await world.commands.people.forget("2", CommandContext())

    assert await world.ports.sign_in.passkeys.of_user("2") == []
    assert (await sign_in(world.stranger(), authenticator)).status_code == 400


async def test_a_client_gets_60_challenges_in_ten_minutes(world):
    results = [await world.stranger().post("/sign-in/passkey/options") for _ in range(61)]

    assert [result.status_code for result in results] == [200] * 60 + [429]
    assert "Try again in" in results[60].json["error"]


async def test_options_for_another_site_are_refused(world):
    headers = {"Sec-Fetch-Site": "cross-site"}

    assert (await world.stranger().send("/sign-in/passkey/options", {}, **headers)).status_code == 403


class TestOnAnAddress:
    @pytest.fixture
    def configured(self):
        return {"public_url": "http://192.0.2.1:8000"}

    async def test_pages_say_why_passkeys_are_off(self, world):
        account = (await (await world.browser("owner")).get("/account")).text
        sign_in_page = (await world.stranger().get("/sign-in")).text
        options = await world.stranger().post("/sign-in/passkey/options")

        assert "Passkeys are off on this installation: they need a host name" in account
        assert "Sign in with a passkey" not in sign_in_page
        assert (options.status_code, "need a host name" in options.json["error"]) == (404, True)


@pytest.mark.parametrize(
    ("origin", "works"),
    [
        ("https://stats.example.com", True),
        ("https://stats.example.com:8443", True),
        ("http://localhost:8000", True),
        ("http://stats.example.com", False),
        ("https://192.0.2.1", False),
        ("https://[2001:db8::1]", False),
    ],
)
def test_passkeys_work_on_https_names_and_on_localhost(origin, works):
    assert (reason_against(origin) is None) == works


def test_without_the_library_passkeys_are_off_and_the_reason_names_it(monkeypatch):
    monkeypatch.delitem(sys.modules, "footfall.adapters.webauthn.verifier", raising=False)
    monkeypatch.setitem(sys.modules, "webauthn", None)

    assert "footfall[server]" in passkey_verifier("https://stats.example.com")
