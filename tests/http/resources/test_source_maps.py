"""Source maps over HTTP: uploads within their limits, the list, deletion, and stacks as written."""

import gzip
import json

import orjson
import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.error_tracking.source_maps import MAX_FILE_BYTES, MinifiedFile, PackedFile
from footfall.domain.examples import NOON
from footfall.domain.sites.site import ConfigChanges
from tests.application import on_both_stores
from tests.source_maps import CODE, THROWN, WRITTEN, source_map

MAPS = "/api/sites/1/source-maps"
FILE = {"release": "1.0", "file": "assets/app.js"}
BODY = {"code": CODE, "map": source_map()}


async def put(world, body=BODY, key="member", **query):
    return await world.request("PUT", MAPS, key=key, params={**FILE, **query}, json=body)


async def throw(world, release="1.0", **known):
    place = f"https://example.com/assets/app.js:{THROWN[0]}:{THROWN[1]}"
    stack = f"Error: no amount\n    at a ({place})\n    at run (native)"
    properties = json.dumps({"message": "no amount", "stack": stack})
    known = {"pathname": "/cart", "event_name": "Error", **known}
    return await world.track(key="member", type="error", properties=properties, release=release, **known)


async def stacks(world, key="member", **query):
    [group] = (await world.request("GET", "/api/sites/1/errors", key=key)).json["data"]
    shown = await world.request("GET", f"/api/sites/1/errors/{group['id']}", key=key, params=query)
    return shown.json["data"]["stacks"]


@pytest.mark.cells
@on_both_stores
async def test_a_file_is_kept_listed_and_deleted(world):
    first = await put(world)
    again = await put(world)
    listed = (await world.request("GET", MAPS, key="member")).json
    deleted = await world.request("DELETE", MAPS, key="member", params={"release": "1.0"})

    assert (first.status_code, first.json["stored"]) == (201, True)
    assert (again.status_code, again.json["stored"]) == (200, False)
    [file] = listed["data"]
    assert (file["release"], file["file"], file["digest"]) == ("1.0", "assets/app.js", first.json["digest"])
    assert file["bytes"] == len(CODE) + len(source_map())
    assert (listed["meta"]["total"], listed["meta"]["storedBytes"]) == (1, file["storedBytes"])
    assert deleted.json == {"success": True, "deleted": 1}
    assert (await world.request("GET", MAPS, key="member")).json["data"] == []


@on_both_stores
async def test_a_stack_is_shown_as_written_with_the_lines_around(world):
    await put(world)
    await throw(world)

    [stack] = await stacks(world)

    assert stack["stack"].startswith("at a (https://example.com/assets/app.js:1:27)")
    [thrown, native] = stack["source"]["lines"]
    assert (thrown["original"]["lineNumber"], thrown["original"]["columnNumber"]) == WRITTEN
    assert thrown["original"]["fileName"] == "webpack:///src/pay.js"
    assert thrown["original"]["line"] == "    throw new Error('no amount');"
    assert thrown["original"]["before"] == ["function pay(amount) {", "  if (!amount) {"]
    assert (native["text"].strip(), native["original"]) == ("at run (native)", None)
    assert stack["source"]["unreadable"] == []


@pytest.mark.cells
@on_both_stores
async def test_a_release_has_a_name_that_shows_itself_up_to_its_longest_length(world):
    longest = "\U0001f469\u200d\U0001f4bb" * 66 + "\u05e9\U0010ffff"
    kept = await put(world, release=f" {longest} ")
    await throw(world, release=longest)
    listed = (await world.request("GET", MAPS, key="member", params={"release": longest})).json["data"]

    assert (len(longest), kept.status_code, [one["release"] for one in listed]) == (200, 201, [longest])
    assert (await stacks(world))[0]["source"]["lines"][0]["original"]["fileName"] == "webpack:///src/pay.js"
    for odd in ("1.0\u202e", "1\u200b.0", "1\n0", "\u2800", longest + "x"):
        refused = await put(world, release=odd)
        assert (refused.status_code, list(refused.json["details"]["fieldErrors"])) == (400, ["release"]), odd


@on_both_stores
async def test_maps_of_a_release_from_before_the_rule_are_listed_used_and_deleted(world, stores):
    odd, content = "1.0\u202e", MinifiedFile(CODE.encode(), source_map().encode())
    await stores.ports.source_maps.put(1, odd, "assets/app.js", PackedFile.of(content), NOON)
    await throw(world, release=odd)

    listed = (await world.request("GET", MAPS, key="member", params={"release": odd})).json["data"]
    [stack] = await stacks(world)
    deleted = await world.request("DELETE", MAPS, key="member", params={"release": odd})

    assert [one["release"] for one in listed] == [odd]
    assert stack["source"]["lines"][0]["original"]["fileName"] == "webpack:///src/pay.js"
    assert deleted.json == {"success": True, "deleted": 1}


async def test_a_stack_of_another_release_stays_as_it_was_sent(world):
    await put(world)
    await throw(world, release="1.1")

    assert [one["source"] for one in await stacks(world)] == [None]


async def test_a_map_that_cannot_be_read_is_named(world):
    await put(world, {"code": CODE, "map": "{"})
    await throw(world)

    [stack] = await stacks(world)

    assert stack["source"]["unreadable"] == ["assets/app.js"]
    assert all(one["original"] is None for one in stack["source"]["lines"])


async def test_an_answer_of_the_past_has_no_stacks_as_written(world):
    await put(world)
    await throw(world)
    headers = (await world.request("GET", "/api/sites/1/errors", key="member")).headers

    assert [one["source"] for one in await stacks(world, as_of=headers["Footfall-Positions"])] == [None]


async def test_readers_who_are_no_members_see_no_source(world):
    await put(world)
    await throw(world)
    await world.commands.sites.configure(1, ConfigChanges(public=True, share_details=True), CommandContext())

    assert [(one["stack"], one["source"]) for one in await stacks(world, key=None)] == [(None, None)]
    assert (await world.request("GET", MAPS)).status_code == 401
    assert (await put(world, key="stranger")).status_code == 403


async def test_a_compressed_body_is_unpacked(world):
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    body = gzip.compress(orjson.dumps(BODY))

    whole = await world.request("PUT", MAPS, key="member", params=FILE, headers=headers, body=body)
    cut = await world.request("PUT", MAPS, key="member", params=FILE, headers=headers, body=body[:-20])
    other = await world.request("PUT", MAPS, key="member", params=FILE, headers=headers, body=b"{}")
    unknown = {"Content-Encoding": "br"}
    refused = await world.request("PUT", MAPS, key="member", params=FILE, headers=unknown, body=b"{}")

    assert whole.status_code == 201
    assert cut.json["details"]["formErrors"] == ["The compressed body is incomplete"]
    assert other.json["details"]["formErrors"] == ["The body is not gzip"]
    assert refused.status_code == 415


async def test_a_body_that_unpacks_to_more_than_is_allowed_is_refused(world):
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    bomb = gzip.compress(b'{"code": "' + b" " * 2 * MAX_FILE_BYTES)
    texts = {"code": "c" * (MAX_FILE_BYTES // 2), "map": "{" + " " * (MAX_FILE_BYTES // 2)}
    long = gzip.compress(orjson.dumps(texts))

    for body in (bomb, long):
        refused = await world.request("PUT", MAPS, key="member", params=FILE, headers=headers, body=body)
        assert (refused.status_code, refused.json["error"]) == (413, "Payload too large")
        assert "at most 32 MiB" in refused.json["details"]["formErrors"][0]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "code"),
        ({"code": 1, "map": "{}"}, "code"),
        ({"code": "", "map": None}, "map"),
        ({"code": "", "map": "not a map"}, "map"),
        ({"code": "", "map": "{}", "name": "x"}, "name"),
    ],
)
async def test_a_body_that_is_not_as_documented_names_the_field(world, body, field):
    refused = await put(world, body)

    assert refused.status_code == 400
    assert field in refused.json["details"]["fieldErrors"]


async def test_unknown_fields_of_any_name_and_number_are_refused_by_the_first_few(world):
    fields = {"code": "", "map": "{}", "\ud800": 1, "x" * 1_000: 1} | {
        f"n{count}": 1 for count in range(9_000)
    }

    refused = await world.request("PUT", MAPS, key="member", params=FILE, body=json.dumps(fields).encode())

    assert refused.status_code == 400
    assert list(refused.json["details"]["fieldErrors"])[-1] == "n2"
    assert len(refused.content) < 2_000


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff", b'{"code": "\\ud800", "map": "{}"}'])
async def test_a_body_that_is_no_object_of_texts_is_refused(world, body):
    refused = await world.request("PUT", MAPS, key="member", params=FILE, body=body)

    assert refused.status_code == 400
    assert refused.json["details"]["formErrors"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"release": ""}, "release"),
        ({"release": "x" * 201}, "release"),
        ({"file": "../app.js"}, "file"),
        ({"file": ""}, "file"),
        ({"other": "1"}, "other"),
    ],
)
async def test_an_unusable_place_is_refused_by_name(world, query, field):
    refused = await put(world, **query)

    assert (refused.status_code, list(refused.json["details"]["fieldErrors"])) == (400, [field])


async def test_what_is_not_kept_cannot_be_deleted(world):
    for query in ({"release": "9"}, {"release": "1.0", "file": "app.js"}):
        refused = await world.request("DELETE", MAPS, key="member", params=query)
        assert (refused.status_code, refused.json["error"]) == (404, "Source map not found")
    assert (await world.request("DELETE", MAPS, key="member")).status_code == 400


async def test_the_list_is_of_one_release_on_request(world):
    await put(world)
    await put(world, release="1.1")

    listed = await world.request("GET", MAPS, key="member", params={"release": "1.1", "limit": "1"})

    assert [one["release"] for one in listed.json["data"]] == ["1.1"]
    assert listed.json["meta"]["total"] == 1
