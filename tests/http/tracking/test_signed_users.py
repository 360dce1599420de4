"""Users for whom the backend of a site vouches by a signature."""

import hashlib
import hmac
from datetime import timedelta

import pytest

SECRET_PATH = "/api/sites/1/user-secret"


@pytest.fixture
async def secret(world):
    """Return the secret of site 1."""
    return await issued(world)


async def issued(world):
    response = await world.request("POST", SECRET_PATH, key="admin", json={"action": "issue"})
    return response.json["data"]["secret"]


def signed(secret, user_id):
    return hmac.new(secret.encode(), user_id.encode(), hashlib.sha256).hexdigest()


async def ignored(world):
    return (await world.request("GET", "/api/sites/1/ingestion", key="member")).json["data"].get("ignored")


async def visit(world, address, **fields):
    """Send a pageview from a browser at an address."""
    payload = {"site_id": "1", "hostname": "example.com", **fields}
    return await world.request("POST", "/api/track", json=payload, remote_addr=address)


async def test_a_signed_user_is_one_visitor_on_two_browsers(world, secret):
    for address in ("192.0.2.1", "192.0.2.2"):
        user = {"user_id": "ünï", "user_signature": signed(secret, "ünï").upper()}
        assert (await visit(world, address, **user)).json["success"]

    phone, laptop = await world.hits()

    assert phone.visitor_id != laptop.visitor_id
    assert phone.signed_visitor_id == laptop.signed_visitor_id is not None
    overview = await world.request("GET", "/api/sites/1/overview", key="member")
    assert (overview.json["data"]["sessions"], overview.json["data"]["visitors"]) == (2, 1)
    assert await ignored(world) is None


async def test_a_backend_that_names_the_user_has_the_same_visitor(world, secret):
    await world.track(user_id="42", user_signature=signed(secret, "42"))
    await world.track(key="member", user_id="42")

    by_page, by_backend = await world.hits()

    assert by_page.signed_visitor_id == by_backend.visitor_id
    assert by_backend.signed_visitor_id is None


@pytest.mark.parametrize("wrong", ["other user", "other site", "nonsense", "empty", "former", "revoked"])
async def test_a_wrong_signature_is_ignored_and_counted(world, secret, wrong):
    signature = {
        "other user": signed(secret, "41"),
        "other site": signed("0" * 64, "42"),
        "nonsense": "\u2603",
    }.get(wrong, signed(secret, "42"))
    if wrong == "former":
        await issued(world)
    if wrong == "revoked":
        await world.request("POST", SECRET_PATH, key="admin", json={"action": "revoke"})
    if wrong == "empty":
        signature = ""

    answer = await world.track(user_id="42", user_signature=signature)

    [hit] = await world.hits()
    data = (await world.request("GET", "/api/sites/1/ingestion", key="member")).json["data"]
    assert answer.json["success"]
    assert (hit.user_id, hit.signed_visitor_id) == ("42", None)
    assert data.get("ignored") == (None if wrong == "empty" else {"user_signature": 1})
    assert data["received"] == data["outcomes"]["stored"]["events"] == 1


async def test_a_signature_of_a_salted_user_holds_for_the_span(world, secret):
    await world.request("PUT", "/api/sites/1/config", key="admin", json={"visitorReach": "day"})
    user = {"user_id": "42", "user_signature": signed(secret, "42")}
    await world.track(**user)
    world.clock.advance(timedelta(days=1))
    await world.track(**user)

    first, second = await world.hits()

    assert None not in (first.signed_visitor_id, second.signed_visitor_id)
    assert first.signed_visitor_id != second.signed_visitor_id
    assert "42" not in (first.user_id, second.user_id)


async def test_a_signature_without_a_user_says_nothing(world, secret):
    await world.track(user_signature=signed(secret, ""))

    [hit] = await world.hits()
    assert (hit.user_id, hit.signed_visitor_id) == (None, None)
    assert await ignored(world) is None


@pytest.mark.parametrize("signature", ["x" * 65, "sha256=" + "0" * 64, 5, ["a"], True, {}, "\0"])
async def test_what_can_be_no_signature_costs_no_event(world, secret, signature):  # noqa: ARG001 - it is valid
    answer = await world.track(user_id="42", user_signature=signature)

    [hit] = await world.hits()
    assert answer.json["success"]
    assert (hit.user_id, hit.signed_visitor_id) == ("42", None)
    assert await ignored(world) == {"user_signature": 1}


async def test_the_secret_is_shown_once_to_admins_alone(world, secret):
    shown = await world.request("GET", SECRET_PATH, key="member")
    refused = await world.request("POST", SECRET_PATH, key="member", json={"action": "issue"})
    wrong = await world.request("POST", SECRET_PATH, key="admin", json={"action": "make"})
    history = await world.request("GET", "/api/sites/1/history", key="admin")
    events = [recorded.event for recorded in await world.journal.load("site-1")]

    assert shown.json == {"success": True, "data": {"enabled": True}}
    assert (refused.status_code, wrong.status_code) == (403, 400)
    assert wrong.json["details"]["fieldErrors"]["action"] == ["must be issue or revoke"]
    assert secret not in history.text + repr(events)
    assert len(secret) == 64
    assert await issued(world) != secret
