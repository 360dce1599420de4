"""Owners get the data of a visitor, and have it erased, over HTTP."""

from datetime import timedelta

import pytest

from footfall.application.commands.context import CommandContext
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.visitors.visitors import Visitors
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.sites.visitor_reach import VisitorReach
from tests.application import in_memory, on_both_stores

DATA = "/api/sites/1/visitor-data"
ERASURES = "/api/sites/1/visitor-erasures"


async def visit(world):
    """Store a visit of anna and one of bob, whom a server names."""
    for user, pathname in (("anna", "/pricing"), ("anna", "/order"), ("bob", "/secret")):
        answer = await world.track(key="member", user_id=user, pathname=pathname)
        assert answer.status_code == 200


async def ask(world, path=DATA, key="owner", **fields):
    return await world.request("POST", path, key=key, json=fields)


@pytest.mark.cells
@on_both_stores
async def test_an_owner_gets_all_that_is_stored_of_a_user(world):
    await visit(world)

    answer = await ask(world, user_id="anna")

    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    assert answer.json["meta"] == {"visits": 1, "events": 2, "errors": 0}
    [one] = answer.json["data"]["visits"]
    assert [event["pathname"] for event in one["events"]] == ["/pricing", "/order"]
    assert (one["user_id"], one["pageviews"], one["shared"]) == ("anna", 2, False)
    assert "bob" not in answer.text
    by_visit = await ask(world, visit=one["session_id"])
    assert by_visit.json["data"]["visits"] == answer.json["data"]["visits"]


@pytest.mark.cells
@on_both_stores
async def test_an_erasure_is_stored_and_listed_without_whom(world):
    await visit(world)

    asked = await ask(world, ERASURES, user_id="anna")

    assert asked.status_code == 202
    erasure = asked.json["data"]
    assert (erasure["step"], erasure["certificate"]) == ("finding", None)
    listed = await world.request("GET", ERASURES, key="owner")
    assert listed.json["data"] == [erasure]
    shown = await world.request("GET", f"{ERASURES}/{erasure['erasure']}", key="owner")
    assert shown.json["data"] == erasure
    assert "anna" not in listed.text


@in_memory
async def test_who_is_not_there_is_404_and_nothing_is_stored(world):
    await visit(world)

    answers = [
        await ask(world, path, **fields)
        for path in (DATA, ERASURES)
        for fields in ({"user_id": "carl"}, {"visit": "0" * 16}, {"visit": "x"})
    ]

    assert {answer.status_code for answer in answers} == {404}
    assert (await world.request("GET", ERASURES, key="owner")).json["data"] == []
    assert (await world.request("GET", f"{ERASURES}/x", key="owner")).status_code == 404


@in_memory
@pytest.mark.parametrize(
    "fields",
    [{}, {"user_id": "anna", "visit": "0" * 16}, {"user_id": 1}, {"user_id": ""}, {"visit": ["x"]}],
)
async def test_what_names_no_one_is_400(world, fields):
    assert (await ask(world, **fields)).status_code == 400


@in_memory
async def test_a_salt_that_is_gone_is_410_and_is_named(world, stores):
    changes = ConfigChanges(visitor_reach=VisitorReach.DAY)
    await world.commands.sites.configure(1, changes, CommandContext())
    await world.directory.catch_up()
    await visit(world)
    day = world.clock.now().date()

    found = await ask(world, user_id="anna")
    await stores.ports.salts.destroy(ended_by=world.clock.now() + timedelta(days=3))
    gone = await ask(world, user_id="anna")

    assert (found.status_code, found.json["data"]["notFound"]) == (200, [])
    assert (gone.status_code, gone.json["error"]) == (410, "Salt destroyed")
    assert f"the salt of {day} was destroyed on " in gone.json["details"]["formErrors"][0]


@in_memory
async def test_several_users_in_a_visit_are_409(world):
    for user in ("anna", "bob"):
        await world.track(key="member", user_id=user, ip_address="198.51.100.7", user_agent="x")
    given = await ask(world, user_id="anna")
    [one] = given.json["data"]["visits"]

    answer = await ask(world, visit=one["session_id"])

    assert one.keys() == {"session_id", "shared", "events"}
    assert answer.status_code == 409
    assert "name one of them by the user id" in answer.json["error"]


class Behind:
    """Read models that lack an event for longer than a request waits."""

    async def catch_up(self, _site_id):
        return 1


@in_memory
async def test_data_are_given_and_erased_whole_or_not_yet(world):
    visitors = Visitors(giving=None, clock=world.clock, erasures=None, freshness=Behind())

    with pytest.raises(StoreUnavailable):
        await visitors.asked(world.directory.site("1"), user_id="anna", visit=None)
