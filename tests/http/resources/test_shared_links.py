"""Links of a site over HTTP: what each of them opens, to whom, and until when."""

import json
import re
from datetime import timedelta
from urllib.parse import urlencode

import pytest

from footfall.adapters.http.resources.reports.catalogue import EXPLAINED, REPORTS
from footfall.application.access.authorization import PUBLIC_SITE_RULES, RULES, Access, Relation
from footfall.application.access.shared_links import PARAMETERS
from footfall.application.commands.context import CommandContext
from footfall.domain.examples import NOON
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.sites.sharing.shared_links import SharedPanel
from tests.application import on_both_stores
from tests.http.resources.reports.questions import (
    EVERY,
    PERIOD,
    SITE,
    define,
    event,
    explained_of,
    fill,
    path_of,
)
from tests.links import new_link
from tests.routes import api_routes, rule_of

LINKS = f"{SITE}/links"
PANELS = [panel.value for panel in SharedPanel]
# The sessions of the third visitor, who views a page of their own.
THIRD = [{"parameter": "pathname", "type": "equals", "value": ["/pricing/3"]}]
LEARNT = {"Footfall-Positions", "Footfall-Visitor-Reach"}
# What no link opens, whatever its panels: single visits and errors, the last minutes, bots, money by source.
CLOSED = {
    *("sessions", "goals/{goal}/sessions", "error-events", "errors", "errors/new", "errors/costs"),
    *("errors/{group}/cost", "realtime", "live", "bots", "revenue"),
}


async def make(world, *, key="admin", **terms):
    return await world.request("POST", LINKS, key=key, json={"name": "Agency", "panels": PANELS} | terms)


async def key_of_new(world, **terms):
    made = await make(world, **terms)
    assert made.status_code == 201, made.json
    return made.json["key"]


async def read(world, path, link, more=None, **arguments):
    headers = {"X-Private-Key": link, **arguments.pop("headers", {})}
    return await world.request("GET", f"{SITE}/{path}", headers=headers, params=more or {}, **arguments)


async def segment_of(world, filters=THIRD):
    body = {"name": "Third", "personal": False, "filters": filters}
    made = await world.request("POST", f"{SITE}/segments", key="member", json=body)
    return made.json["segmentId"]


async def listed(world, key="member"):
    return (await world.request("GET", LINKS, key=key)).json["data"]


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


async def test_a_link_opens_its_own_site_only(world):
    link = await key_of_new(world)
    sites = "/api/organizations/1/sites"
    await world.request("POST", sites, key="owner", json={"name": "Other", "domain": "other.example"})

    other = await world.request("GET", "/api/sites/3/overview", headers={"X-Private-Key": link})

    assert (await read(world, "overview", link)).status_code == 200
    assert other.status_code == 401


async def test_a_wrong_api_key_is_refused_beside_a_link(world):
    link = await key_of_new(world)

    assert (await read(world, "overview", link, key="ff_wrong")).status_code == 401


async def test_a_member_with_a_link_reads_by_their_key_what_it_does_not_open(world):
    link = await key_of_new(world, panels=[])

    assert (await read(world, "goals", link, key="member")).status_code == 200
    assert (await read(world, "goals", link)).status_code == 403


@pytest.mark.parametrize("public", [False, True], ids=["private", "public"])
@pytest.mark.parametrize("panel", SharedPanel)
async def test_a_link_opens_the_endpoints_of_its_panels_and_no_other_route(world, panel, public):
    await world.commands.sites.configure(
        1, ConfigChanges(public=public, share_details=True), CommandContext()
    )
    await define(world)
    link = await key_of_new(world, panels=[panel.value])
    opened = {SharedPanel.OVERVIEW, panel}
    expected = {f"/api/sites/{{site}}/{name}" for name, one in REPORTS.items() if one.panels & opened}

    surprises = []
    for path, method, resource in api_routes(world.framework):
        rule = rule_of(resource, method)
        if rule is Access.OPEN:
            continue
        # What is not named here is not there.
        target = re.sub(r"{(\w+)}", lambda part: THERE.get(part[1], "999"), path)
        arguments = {"json": {}} if method in {"POST", "PUT", "PATCH"} else {}
        answer = await world.request(method, target, headers={"X-Private-Key": link}, **arguments)
        opens = method == "GET" and (path in expected or path.endswith("/changes"))
        if (answer.status_code not in {401, 403}) is not opens or answer.status_code >= 500:
            surprises.append((method, path, answer.status_code))

    assert surprises == []


def test_no_rule_admits_the_readers_of_links():
    admitting = {
        rule for rules in (RULES, PUBLIC_SITE_RULES) for rule in rules if Relation.SHARED in rules[rule]
    }

    assert admitting == {Access.OPEN}


def test_each_report_has_panels_or_is_closed_to_every_link():
    assert {name for name, report in REPORTS.items() if not report.panels} == CLOSED
    assert {panel for report in REPORTS.values() for panel in report.panels} == set(SharedPanel)


def test_each_parameter_of_a_report_that_links_open_is_taken_or_refused_on_purpose():
    refused = {"segment", "excluded", "past_minutes_start", "past_minutes_end"}

    for report in REPORTS.values():
        if report.panels:
            assert {*report.own, *report.shown, *report.named, *report.common} - PARAMETERS == refused


@on_both_stores
@pytest.mark.parametrize("accept", ["application/json", "text/csv"])
async def test_a_report_by_link_is_that_of_a_member_with_the_same_segment(world, accept):
    await fill(world)
    number = await segment_of(world)
    link = await key_of_new(world, segmentId=number)
    addresses = [name for name, report in REPORTS.items() if report.panels]
    positions = (await read(world, "overview", link)).headers["Footfall-Positions"]

    differing, unlimited = [], []
    for address in addresses:
        path = path_of(address)
        asked = EVERY[path] | (PERIOD if "start_date" in REPORTS[address].common else {})
        for more in (asked, asked | {"as_of": positions}):
            by_link = await read(world, path, link, more, headers={"Accept": accept})
            query = {"params": more | {"segment": number}, "headers": {"Accept": accept}}
            by_member = await world.request("GET", f"{SITE}/{path}", key="member", **query)
            every = await world.request(
                "GET", f"{SITE}/{path}", key="member", params=more, headers={"Accept": accept}
            )
            assert (by_link.status_code, by_member.status_code) == (200, 200), (path, by_link.text)
            if by_link.content != by_member.content:
                differing.append((path, more))
            if by_link.content == every.content:
                unlimited.append((path, more))
            assert "Footfall-Excluded" not in by_link.headers
            assert set(by_link.headers.keys()) | {name.title() for name in by_link.headers} >= LEARNT

    assert (differing, unlimited) == ([], [])


async def test_an_explanation_by_link_has_the_rows_of_a_member_with_the_same_segment(world):
    await fill(world)
    number = await segment_of(world)
    link = await key_of_new(world, segmentId=number)
    since = (await read(world, "overview", link)).headers["Footfall-Positions"]
    for visitor in (3, 4):
        at = NOON - timedelta(days=3, minutes=visitor) + timedelta(seconds=45)
        await world.batch([event(visitor, at, type="pageview", pathname="/pricing/3")])
    await world.request("PUT", f"{SITE}/goals/1", key="member", json=RULE)
    until = (await read(world, "overview", link)).headers["Footfall-Positions"]

    for name, report in EXPLAINED.items():
        if not report.panels:
            continue
        asked = PERIOD | explained_of(name) | {"report": name, "from": since, "to": until}
        by_link = await read(world, "changes", link, asked)
        query = {"params": asked | {"segment": number}}
        by_member = await world.request("GET", f"{SITE}/changes", key="member", **query)
        assert by_link.status_code == 200, (name, by_link.text)
        assert by_link.json["data"]["rows"] == by_member.json["data"]["rows"], name
        assert not {"userId", "keyPrefix", "ruleName", "hits"} & set().union(*by_link.json["data"]["parts"])


async def test_explanations_of_reports_that_a_link_does_not_show_are_refused(world):
    await fill(world)
    link = await key_of_new(world, panels=[])
    positions = (await read(world, "overview", link)).headers["Footfall-Positions"]

    for name, report in EXPLAINED.items():
        asked = PERIOD | explained_of(name) | {"report": name, "from": positions, "to": positions}
        answer = await read(world, "changes", link, asked)
        assert answer.status_code == (200 if SharedPanel.OVERVIEW in report.panels else 403), name


async def test_the_past_of_a_link_is_that_of_its_present_segment(world):
    await fill(world)
    number = await segment_of(world, [{"parameter": "pathname", "type": "starts_with", "value": ["/"]}])
    link = await key_of_new(world, segmentId=number)
    before = await read(world, "overview", link, PERIOD)
    past = {**PERIOD, "as_of": before.headers["Footfall-Positions"]}

    narrowed = {"name": "Third", "filters": THIRD}
    await world.request("PUT", f"{SITE}/segments/{number}", key="member", json=narrowed)
    after = await read(world, "overview", link, past)
    filtered = await world.request(
        "GET", f"{SITE}/overview", key="member", params=past | {"filters": json.dumps(THIRD)}
    )

    assert before.json["data"]["sessions"] == 9
    assert after.json["data"]["sessions"] == 3
    assert after.content == filtered.content


async def test_a_segment_by_goals_selects_by_the_present_goals_in_the_past_too(world):
    await fill(world)
    number = await segment_of(world, [{"parameter": "goal", "type": "equals", "value": ["1"]}])
    link = await key_of_new(world, segmentId=number)
    before = await read(world, "overview", link, PERIOD)
    past = {**PERIOD, "as_of": before.headers["Footfall-Positions"]}

    await world.request("PUT", f"{SITE}/goals/1", key="member", json=RULE)
    now, then = await read(world, "overview", link, PERIOD), await read(world, "overview", link, past)

    assert [one.json["data"]["sessions"] for one in (before, now, then)] == [9, 3, 3]


@pytest.mark.parametrize(
    ("panels", "path", "query", "named"),
    [
        (["pages"], "overview", {"filters": [("country", "equals", ["DE"])]}, "filters"),
        (["pages"], "overview", {"filters": [("goal", "equals", ["1"])]}, "filters"),
        (["pages"], "overview", {"filters": [("hits", "equals", ["1"])]}, "filters"),
        (PANELS, "overview", {"filters": [("user_id", "equals", ["anna"])]}, "filters"),
        (PANELS, "overview", {"filters": [("property:plan", "equals", ["pro"])]}, "filters"),
        (PANELS, "overview", {"filters": [("query:token", "equals", ["x"])]}, "filters"),
        (["pages"], "breakdown", {"by": "country"}, "by"),
        (["places"], "breakdown", {}, "by"),
        (["places"], "movers", {}, "by"),
        (PANELS, "breakdown", {"by": "property:plan"}, "by"),
        (PANELS, "breakdown", {"by": "location_source"}, "by"),
        (["pages"], "breakdown", {"goal": "1"}, "goal"),
        (["retention"], "retention", {"goal": "1"}, "goal"),
        (["journeys"], "journeys", {"after": "goal:1"}, "after"),
        (PANELS, "overview", {"segment": "1"}, "segment"),
        (PANELS, "overview", {"excluded": "include"}, "excluded"),
        (PANELS, "overview", {"past_minutes_start": "9", "past_minutes_end": "8"}, "past_minutes_start"),
        (PANELS, "timeseries", {"bucket": "minute"}, "bucket"),
        (PANELS, "timeseries", {"bucket": "fifteen_minutes"}, "bucket"),
        (PANELS, "error-bucketed", {"bucket": "five_minutes"}, "bucket"),
    ],
)
async def test_what_a_link_does_not_show_is_refused_by_name(world, panels, path, query, named):
    await define(world)
    await segment_of(world)
    link = await key_of_new(world, panels=panels)
    if "filters" in query:
        parts = [dict(zip(("parameter", "type", "value"), one, strict=True)) for one in query["filters"]]
        query = {"filters": json.dumps(parts)}

    answer = await world.request(
        "GET", f"{SITE}/{path}", headers={"X-Private-Key": link}, query_string=urlencode(query)
    )

    assert answer.status_code == 400
    assert named in answer.json["details"]["fieldErrors"]


@pytest.mark.parametrize(
    ("parameter", "value"), [("goal", "1"), ("goal", "7"), ("funnel", "1.1"), ("funnel", "7.1")]
)
async def test_a_refused_filter_does_not_tell_what_the_site_has(world, parameter, value):
    await define(world)
    link = await key_of_new(world, panels=["pages"])
    filters = json.dumps([{"parameter": parameter, "type": "equals", "value": [value]}])

    answer = await read(world, "overview", link, {"filters": filters})

    assert answer.status_code == 400
    assert answer.json["details"]["fieldErrors"] == {"filters": [f"this link does not show {parameter}"]}


@pytest.mark.parametrize("bucket", ["hour", "day", "week", "month"])
async def test_buckets_of_a_link_are_hours_or_longer(world, bucket):
    link = await key_of_new(world)

    assert (await read(world, "timeseries", link, PERIOD | {"bucket": bucket})).status_code == 200


async def test_filters_by_what_a_link_shows_are_taken(world):
    await fill(world)
    link = await key_of_new(world, panels=["pages", "goals"], segmentId=await segment_of(world))
    by_page = json.dumps([{"parameter": "pathname", "type": "equals", "value": ["/pricing/1"]}])
    by_goal = json.dumps([{"parameter": "goal", "type": "equals", "value": ["1"]}])

    sessions = [
        (await read(world, "overview", link, PERIOD | {"filters": filters})).json["data"]["sessions"]
        for filters in (by_page, by_goal)
    ]

    assert sessions == [0, 3]


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


THERE = dict.fromkeys(("site", "goal", "funnel", "organization"), "1")
RULE = {"name": "Third", "goalType": "path", "config": {"pathPattern": "/pricing/3"}}
