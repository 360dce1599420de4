"""Links of a site over HTTP: made, listed, changed and revoked, with their ends, passwords and history."""

from datetime import timedelta

import pytest

from tests.application import on_both_stores
from tests.http.resources.links import LINKS, THIRD, key_of_new, make, read, segment_of
from tests.http.resources.reports.questions import SITE
from tests.links import new_link


async def listed(world, key="member"):
    return (await world.request("GET", LINKS, key=key)).json["data"]


@pytest.mark.cells
@on_both_stores
async def test_links_are_made_listed_changed_and_revoked_one_by_one(world):
    private = await new_link(world.commands)
    made = await make(world, panels=["pages", "goals"], endsAt="2026-04-01T00:00:00.000Z")
    other = await make(world, name="Press", panels=[])
    changed = await world.request("PATCH", f"{LINKS}/1", key="owner", json={"name": "Firm", "endsAt": None})
    every = await listed(world)
    gone = await world.request("DELETE", f"{LINKS}/1", key="admin")
    left = await listed(world)

    assert (made.status_code, made.json["linkId"], other.json["linkId"]) == (201, 1, 2)
    assert (changed.status_code, changed.json) == (200, {"success": True, "linkId": 1})
    assert [(one["linkId"], one["name"], one["panels"], one["key"]) for one in every] == [
        (0, "Private link", None, private),
        (1, "Firm", ["overview", "goals", "pages"], made.json["key"]),
        (2, "Press", ["overview"], other.json["key"]),
    ]
    assert [one["endsAt"] for one in every] == [None, None, None]
    assert (gone.status_code, [one["linkId"] for one in left]) == (200, [0, 2])
    statuses = [(await read(world, "overview", key)).status_code for key in (private, made.json["key"])]
    assert [*statuses, (await read(world, "overview", other.json["key"])).status_code] == [200, 401, 200]


async def test_the_private_link_is_revoked_as_the_first_of_the_links(world):
    private, other = await new_link(world.commands), await key_of_new(world)

    gone = await world.request("DELETE", f"{LINKS}/0", key="admin")
    again = await world.request("DELETE", f"{LINKS}/0", key="admin")

    assert (gone.status_code, again.status_code) == (200, 404)
    assert (await read(world, "overview", private)).status_code == 401
    assert (await read(world, "overview", other)).status_code == 200
    shown = await world.request("GET", f"{SITE}/private-link-config", key="member")
    assert shown.json["data"] == {"privateLinkKey": None}


@pytest.mark.parametrize("action", ["generate_private_link_key", "revoke_private_link_key"])
async def test_a_new_private_link_leaves_the_other_links(world, action):
    link = await key_of_new(world)

    await world.request("POST", f"{SITE}/private-link-config", key="owner", json={"action": action})

    assert (await read(world, "overview", link)).status_code == 200


@pytest.mark.parametrize(
    ("terms", "named"),
    [
        ({"name": None}, "name"),
        ({"name": " "}, "name"),
        ({"panels": "pages"}, "panels"),
        ({"panels": ["pages", "visits"]}, "panels"),
        ({"segmentId": 7}, "segmentId"),
        ({"segmentId": True}, "segmentId"),
        ({"endsAt": "2026-01-01T00:00:00Z"}, "endsAt"),
        ({"endsAt": "tomorrow"}, "endsAt"),
        ({"embed": "yes"}, "embed"),
        ({"password": 12345678}, "password"),
        ({"password": "1234567"}, "password"),
        ({"password": "x" * 129}, "password"),
        ({"password": "long enough", "embed": True}, "password"),
    ],
)
async def test_terms_that_are_not_accepted_are_named(world, terms, named):
    await make(world)

    made = await make(world, **terms)
    changed = await world.request("PATCH", f"{LINKS}/1", key="admin", json=terms)

    assert (made.status_code, list(made.json["details"]["fieldErrors"])) == (400, [named])
    assert (changed.status_code, list(changed.json["details"]["fieldErrors"])) == (400, [named])


async def test_personal_segments_and_those_of_one_user_are_not_shared(world):
    personal = {"name": "Mine", "personal": True, "filters": THIRD}
    await world.request("POST", f"{SITE}/segments", key="admin", json=personal)
    of_user = [{"parameter": "user_id", "type": "equals", "value": ["anna"]}]
    number = await segment_of(world, of_user)

    assert [(await make(world, segmentId=one)).status_code for one in (1, number)] == [400, 400]


async def test_a_segment_that_selects_one_user_since_closes_its_links(world):
    number = await segment_of(world)
    link = await key_of_new(world, segmentId=number)
    of_user = {"name": "One", "filters": [{"parameter": "user_id", "type": "equals", "value": ["anna"]}]}

    await world.request("PUT", f"{SITE}/segments/{number}", key="member", json=of_user)
    answer = await read(world, "overview", link)

    assert answer.status_code == 400
    assert "anna" not in answer.text
    assert "user_id" not in answer.text


async def test_the_segment_of_a_link_is_not_deleted(world):
    number = await segment_of(world)
    await make(world, segmentId=number)

    kept = await world.request("DELETE", f"{SITE}/segments/{number}", key="member")
    await world.request("DELETE", f"{LINKS}/1", key="admin")
    gone = await world.request("DELETE", f"{SITE}/segments/{number}", key="member")

    assert (kept.status_code, "Agency" in kept.json["error"], gone.status_code) == (409, True, 200)


async def test_a_site_has_at_most_fifty_links(world):
    statuses = [(await make(world)).status_code for _ in range(51)]

    assert statuses == [201] * 50 + [409]


async def test_a_link_ends_when_it_says_and_goes_on_when_its_end_is_moved(world):
    end = world.clock.now() + timedelta(hours=1)
    link = await key_of_new(world, endsAt=end.isoformat())

    before = (await read(world, "overview", link)).status_code
    world.clock.advance(timedelta(hours=1))
    after = (await read(world, "overview", link)).status_code
    [shown] = await listed(world)
    renamed = await world.request("PATCH", f"{LINKS}/1", key="admin", json={"name": "Ended"})
    await world.request("PATCH", f"{LINKS}/1", key="admin", json={"endsAt": None})

    assert (before, after, shown["ended"], renamed.status_code) == (200, 401, True, 200)
    assert (await read(world, "overview", link)).status_code == 200


async def test_a_link_tells_the_day_of_its_last_use(world):
    private, link = await new_link(world.commands), await key_of_new(world, panels=["pages"])
    await make(world, name="Other")
    unused = [one["lastUsed"] for one in await listed(world)]

    for key, path in ((private, "goals"), (link, "goals"), (link, "live")):
        await read(world, path, key)
    opened_nothing = [one["lastUsed"] for one in await listed(world)]
    await read(world, "pages", link)
    world.clock.advance(timedelta(days=1))
    await read(world, "overview", private)
    used = [one["lastUsed"] for one in await listed(world)]

    assert unused == [None, None, None]
    assert opened_nothing == ["2026-03-14", None, None]
    assert used == ["2026-03-15", "2026-03-14", None]


async def test_a_link_with_a_password_opens_pages_and_no_report_over_http(world):
    link = await key_of_new(world, password="correct horse")

    locked = await read(world, "overview", link)
    by_member = await read(world, "overview", link, key="member")
    [shown] = await listed(world)
    await world.request("PATCH", f"{LINKS}/1", key="admin", json={"password": None})
    [without] = await listed(world)

    assert (locked.status_code, by_member.status_code) == (403, 200)
    assert "password" in locked.json["error"]
    assert (shown["hasPassword"], shown["lastUsed"], without["hasPassword"]) == (True, None, False)
    assert (await read(world, "overview", link)).status_code == 200


async def test_no_password_is_in_the_journal_the_history_or_a_text(world):
    await make(world, password="correct horse")
    history = await world.request("GET", f"{SITE}/history", key="admin")
    events = [one.event for one in await world.journal.read_all(after=0, limit=1000)]
    kept = events[-1].terms.password

    assert {"field": "links.1.password", "from": None, "to": 1} in history.json["data"][0]["changes"]
    assert "correct horse" not in kept
    assert kept not in repr(events) + history.text


async def test_the_history_says_when_a_password_was_replaced_or_taken_away(world):
    await make(world, password="correct horse")
    for password in ("battery staple", "battery staple", None):
        await world.request("PATCH", f"{LINKS}/1", key="admin", json={"password": password})
    await world.request("PATCH", f"{LINKS}/1", key="admin", json={"password": "correct horse"})

    history = await world.request("GET", f"{SITE}/history", key="admin")

    changes = [entry["changes"] for entry in history.json["data"][3::-1]]
    assert changes == [
        [{"field": "links.1.password", "from": before, "to": after}]
        for before, after in [(1, 2), (2, 3), (3, False), (False, 4)]
    ]


async def test_the_history_names_links_and_has_no_key(world):
    link = await key_of_new(world, endsAt="2026-04-01T00:00:00Z")
    await world.request("PATCH", f"{LINKS}/1", key="admin", json={"name": "Firm"})
    await world.request("DELETE", f"{LINKS}/1", key="admin")

    history = await world.request("GET", f"{SITE}/history", key="admin")
    site = world.directory.site("1").site
    sealed = [
        one.event for one in await world.journal.read_all(after=0, limit=1000) if hasattr(one.event, "sealed")
    ]

    types = [entry["type"] for entry in history.json["data"]]
    assert types[:3] == ["shared-link-revoked", "shared-link-changed", "shared-link-made"]
    assert {"field": "links.1", "from": "Agency", "to": "Firm"} in history.json["data"][1]["changes"]
    assert link not in history.text
    assert [one for one in sealed if one.sealed in history.text or one.digest in history.text] == []
    assert sealed[0].sealed not in repr(site) + repr(sealed)


async def test_the_key_of_a_link_is_in_no_log(world, caplog):
    link = await key_of_new(world, panels=[])

    with caplog.at_level("DEBUG"):
        shown = await world.request("GET", f"{SITE}/overview?private_key={link}")
        refused = await world.request("GET", f"{SITE}/goals?private_key={link}")

    assert (shown.status_code, refused.status_code) == (200, 403)
    assert link not in repr([vars(record) for record in caplog.records])
