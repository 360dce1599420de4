"""Why an answer has changed, over HTTP."""

import json
import re
from datetime import timedelta

import pytest

from footfall.adapters.http.resources.reports.catalogue import EXPLAINED, REPORTS
from tests.application import in_memory
from tests.http.resources.reports.explained import (
    ANY,
    FUNNEL,
    GOAL,
    OTHER,
    SECOND,
    by_goal,
    changes_of,
    define,
    difference,
    live,
    positions_of,
    sums,
    track_late,
)
from tests.http.resources.reports.questions import SITE, explained_of

DEPLOYED = "2026-03-10T12:00:00Z"
# What explanations are asked beside what they require. Costs of errors are known of the goal that stays as it is.
MORE = {
    "breakdown": {"visitors": "true", "goal": 1},
    "movers": {"compare_with": "year"},
    "pages": {"search": "/"},
    "error-costs": {"goal": 2},
}


@pytest.fixture(params=["memory", "postgres"], ids=["memory", "postgres"])
def adapter(request):
    return request.param


async def test_the_parts_of_an_overview_add_up(world):
    await world.track(pathname="/")
    before = await positions_of(world)
    await world.track(pathname="/")
    await track_late(world, pathname="/late")
    after = await positions_of(world)

    answer = await changes_of(world, report="overview", **{"from": before, "to": after})

    data = answer.json["data"]
    assert (data["from"], data["to"]) == (before, after)
    assert answer.headers["Footfall-Positions"] == after
    assert data["parts"] == [{"cause": "events", "hits": 1}, {"cause": "late_events", "hits": 1}]
    [row] = data["rows"]
    assert (row["key"], row["before"]["pageviews"], row["after"]["pageviews"]) == ({}, 1, 3)
    assert [part["pageviews"] for part in row["parts"]] == [1, 1]


async def test_what_pages_report_of_themselves_is_a_cause_of_reports_that_show_it(world):
    await world.track(pathname="/", event_id="p1")
    before = await positions_of(world)
    cited = (await world.request("GET", f"{SITE}/pages", key="member")).json["data"]
    for seconds in (2, 7):
        measure = {"pageview_id": "p1", "engaged_time": 1000 * seconds, "scroll_depth": 50}
        await world.track(type="engagement", **measure)
    after = await positions_of(world)

    then = await world.request("GET", f"{SITE}/pages", key="member", params={"as_of": before})
    now = await world.request("GET", f"{SITE}/pages", key="member", params={"as_of": after})
    between = {"from": before, "to": after}
    pages = (await changes_of(world, report="pages", **between)).json["data"]
    chart = (await changes_of(world, report="overview", **between)).json["data"]
    countries = (await changes_of(world, report="breakdown", by="country", **between)).json["data"]

    assert then.json["data"] == cited
    assert (cited[0]["engaged_time"], now.json["data"][0]["engaged_time"]) == (None, 7.0)
    assert pages["parts"] == chart["parts"] == [{"cause": "engagement", "hits": 2}]
    [row] = pages["rows"]
    assert (row["before"]["engaged_time"], row["after"]["engaged_time"]) == (None, 7.0)
    assert row["parts"] == [
        {**dict.fromkeys(row["parts"][0], 0), "engaged_time": 7.0, "engaged_pageviews": 1}
        | {"scroll_depth": 50.0, "scrolled_pageviews": 1, "entry_engaged_time": 7.0, "engaged_entries": 1}
    ]
    assert chart["rows"][0]["after"]["engaged_time"] == 7.0
    assert (countries["parts"], countries["rows"]) == ([], [])


@pytest.mark.parametrize("adapter", ["memory", pytest.param("postgres", marks=pytest.mark.thorough)])
@pytest.mark.parametrize("report", EXPLAINED)
async def test_every_report_is_explained_by_figures_of_both_answers(world, report):
    await define(world)
    # A goal that stays as it is, since costs of errors are known of such goals.
    await world.request("POST", f"{SITE}/goals", key="member", json=OTHER)
    before = await live(world, "first")
    await world.request("PUT", f"{SITE}/goals/1", key="member", json=OTHER)
    changed = {**FUNNEL, "steps": [ANY, {"goalId": 1}]}
    await world.request("PUT", f"{SITE}/funnels/1", key="member", json=changed)
    after = await live(world, "second")

    asked = {"report": report, **explained_of(report), **MORE.get(report, {}), "from": before, "to": after}
    found = await changes_of(world, **asked)

    assert found.status_code == 200, found.text
    assert found.json["data"]["rows"]
    for row in found.json["data"]["rows"]:
        assert sums(row) == difference(row)


async def test_each_change_of_a_goal_is_named_with_its_author(world):
    await world.request("POST", f"{SITE}/goals", key="member", json=GOAL)
    await world.track(pathname="/")
    await world.track(key="member", pathname="/b", user_id="another")
    before = await positions_of(world)
    await world.request("PUT", f"{SITE}/goals/1", key="member", json=OTHER)
    await world.request("PUT", f"{SITE}/config", key="owner", json={"blockBots": False})
    after = await positions_of(world)

    data = (await changes_of(world, report="goals", **{"from": before, "to": after})).json["data"]

    redefined, configured = data["parts"]
    assert (redefined["cause"], redefined["stream"]) == ("goal-redefined", "goal-1")
    assert redefined["userId"]
    assert configured["cause"] == "site-configured"
    [row] = data["rows"]
    assert (row["key"], row["before"]["total_conversions"], row["after"]["total_conversions"]) == (
        {"goalId": "1"},
        1,
        2,
    )
    assert [part["total_conversions"] for part in row["parts"]] == [1, 0]


async def test_a_goal_that_was_defined_and_deleted_in_between_adds_up(world):
    await world.track(pathname="/")
    before = await positions_of(world)
    await world.request("POST", f"{SITE}/goals", key="member", json=GOAL)
    await world.request("DELETE", f"{SITE}/goals/1", key="member")
    after = await positions_of(world)

    data = (await changes_of(world, report="goals", **{"from": before, "to": after})).json["data"]

    assert [part["cause"] for part in data["parts"]] == ["goal-defined", "goal-deleted"]
    [row] = data["rows"]
    assert [part["total_conversions"] for part in row["parts"]] == [1, -1]
    assert row["before"]["total_conversions"] == row["after"]["total_conversions"] == 0


async def test_another_filter_of_a_segment_is_a_part_of_its_reports_only(world):
    await world.track(pathname="/")
    await world.track(key="member", pathname="/b", user_id="another")
    segment = {"name": "Home", "filters": [{"parameter": "entry_page", "type": "equals", "value": ["/"]}]}
    await world.request("POST", f"{SITE}/segments", key="member", json=segment)
    before = await positions_of(world)
    wider = {**segment, "filters": [{"parameter": "entry_page", "type": "contains", "value": ["/"]}]}
    changed = await world.request("PUT", f"{SITE}/segments/1", key="member", json=wider)
    after = await positions_of(world)

    asked = {"report": "overview", "from": before, "to": after}
    selected, whole = [
        (await changes_of(world, **asked, **more)).json["data"] for more in ({"segment": 1}, {})
    ]

    assert changed.status_code == 200
    assert [part["cause"] for part in selected["parts"]] == ["segment-redefined"]
    assert [part["sessions"] for part in selected["rows"][0]["parts"]] == [1]
    assert (whole["parts"], whole["rows"][0]["parts"]) == ([], [])


async def test_a_funnel_that_could_not_be_counted_in_between_adds_up(world):
    await define(world)
    await world.request("POST", f"{SITE}/funnels", key="member", json=by_goal(1))
    await world.request("POST", f"{SITE}/goals", key="member", json=OTHER)
    before = await live(world, "first")
    await world.request("DELETE", f"{SITE}/goals/1", key="member")
    await world.request("PUT", f"{SITE}/funnels/2", key="member", json=by_goal(2))
    after = await positions_of(world)

    found = await changes_of(world, report="funnel", funnel=2, **{"from": before, "to": after})

    assert [part["cause"] for part in found.json["data"]["parts"]] == ["funnel-redefined"]
    for row in found.json["data"]["rows"]:
        assert sums(row) == difference(row)


async def test_merged_groups_of_errors_are_a_part_with_their_author_and_other_decisions_are_none(world):
    await live(world, "first")
    problem = json.dumps({"message": "y is undefined", "stack": "at b"})
    await world.track(key="member", type="error", event_name="RangeError", properties=problem)
    before = await positions_of(world)
    listed = await world.request("GET", f"{SITE}/errors", key="member")
    into, merged = [one["id"] for one in listed.json["data"]]
    decided = [("PUT", "state", {"state": "resolved"}), ("POST", "merge", {"groups": [merged]})]
    for method, name, body in decided:
        done = await world.request(method, f"{SITE}/errors/{into}/{name}", key="member", json=body)
        assert done.status_code == 200, done.text
    after = await positions_of(world)

    found = await changes_of(world, report="errors", **{"from": before, "to": after})

    [part] = found.json["data"]["parts"]
    assert part["cause"] == "error-groups-merged"
    assert part["userId"] is not None or part["keyPrefix"] is not None
    counts = {row["key"]["id"]: row["parts"][0]["count"] for row in found.json["data"]["rows"]}
    assert counts == {into: 1, merged: -1}


@in_memory
@pytest.mark.parametrize(
    ("report", "method", "path", "body"),
    [
        ("funnel", "PUT", "goals/1", {**GOAL, "name": "Home"}),
        ("funnel", "PUT", "funnels/1", {**FUNNEL, "name": "Purchase", "steps": [{"goalId": 1}, SECOND]}),
        (
            "properties",
            "PUT",
            "property-currency",
            {"event": "order", "property": "amount", "currency": "EUR"},
        ),
        ("error-costs", "PUT", "annotations/{deploy}", {"text": "Spring", "release": "1.1", "at": DEPLOYED}),
        ("error-costs", "PUT", "errors/{group}/state", {"state": "resolved"}),
    ],
)
async def test_a_decision_that_changes_no_figure_is_no_cause(world, report, method, path, body):
    await world.request("POST", f"{SITE}/goals", key="member", json=GOAL)
    await world.request("POST", f"{SITE}/funnels", key="member", json=by_goal(1))
    deploy = {"release": "1.1", "at": DEPLOYED}
    marked = await world.request("POST", f"{SITE}/releases", key="member", json=deploy)
    before = await live(world, "first")
    listed = await world.request("GET", f"{SITE}/errors", key="member")
    path = path.replace("{deploy}", marked.json["annotationId"])
    path = path.replace("{group}", listed.json["data"][0]["id"])
    decided = await world.request(method, f"{SITE}/{path}", key="member", json=body)
    after = await positions_of(world)

    asked = {"report": report, **explained_of(report), "from": before, "to": after}
    found = await changes_of(world, **asked)

    assert (decided.status_code, found.status_code) == (200, 200), found.text
    assert found.json["data"]["parts"] == []


async def test_movers_are_explained_in_both_periods(world):
    await world.track(pathname="/before")
    world.clock.advance(timedelta(days=1))
    await world.track(pathname="/")
    before = await positions_of(world)
    await world.track(pathname="/")
    yesterday = world.clock.now() - timedelta(days=1)
    await world.track(key="member", timestamp=yesterday.isoformat(), pathname="/before")
    # What is compared ends before the moment of the answer.
    world.clock.advance(timedelta(seconds=1))
    after = await positions_of(world)

    day = f"{world.clock.now():%Y-%m-%d}"
    asked = {"report": "movers", "by": "pathname", "start_date": day, "end_date": day}
    data = (await changes_of(world, **asked, **{"from": before, "to": after})).json["data"]

    assert [part["cause"] for part in data["parts"]] == ["events", "late_events"]
    rows = {row["key"]["value"]: row for row in data["rows"]}
    assert [part["difference"] for part in rows["/"]["parts"]] == [1, 0]
    assert [part["difference"] for part in rows["/before"]["parts"]] == [0, -1]
    assert [part["previous"] for part in rows["/before"]["parts"]] == [0, 1]
    assert rows["/before"]["after"] == {"difference": -2, "count": 0, "previous": 2, "change": -1.0}


@in_memory
async def test_every_report_of_the_past_is_explained_or_documented_with_the_reason_why_not(world, project):
    interface = (await world.request("GET", "/api/openapi.json")).json
    paths = {
        path.removeprefix("/api/sites/{site}/")
        for path, operations in interface["paths"].items()
        for one in operations.get("get", {}).get("parameters", [])
        if one.get("$ref", "").endswith("/AsOf")
    }
    documented = (project / "docs" / "read" / "programs" / "citations.md").read_text()

    # The cost of one error is explained with those of others.
    explained = {address for address, report in REPORTS.items() if report.explained} | {"errors/{group}/cost"}
    reasons = set(re.findall(r"^\| `(.+?)` \| no ", documented, re.MULTILINE))

    assert {path.replace("{", "<").replace("}", ">") for path in paths - explained} == reasons


async def test_rows_come_in_pages(world):
    await world.track(pathname="/")
    before = await positions_of(world)
    for user in ("a", "b", "c"):
        await world.track(key="member", user_id=user, pathname=f"/{user}")
    after = await positions_of(world)

    asked = {"report": "breakdown", "by": "entry_page", "from": before, "to": after, "limit": 2}
    first, second = [(await changes_of(world, **asked, page=page)).json for page in (1, 2)]

    assert [row["key"]["value"] for row in first["data"]["rows"]] == ["/a", "/b"]
    # The first one has another percentage now.
    assert [row["key"]["value"] for row in second["data"]["rows"]] == ["/c", "/"]
    assert first["meta"] == {"total": 4, "page": 1, "pageSize": 2, "totalPages": 2}


async def test_a_changed_definition_is_a_cause_of_the_reports_that_use_it(world):
    earlier = (await live(world, "first")).replace(", vitals=2", "")
    await world.track(key="member", user_id="first", type="performance", pathname="/", lcp=90)
    after = await positions_of(world)

    vitals, overview = [
        (await changes_of(world, report=report, **{"from": earlier, "to": after})).json["data"]
        for report in ("web-vitals", "overview")
    ]

    changed = {"cause": "definition-changed", "definition": "vitals", "before": 1, "after": 2}
    assert vitals["parts"] == [changed, {"cause": "events", "hits": 1}]
    assert [part["samples"] for part in vitals["rows"][0]["parts"]] == [0, 1]
    for row in vitals["rows"]:
        assert sums(row) == difference(row)
    assert [part["cause"] for part in overview["parts"]] == ["events"]


async def test_two_answers_by_an_earlier_definition_are_explained_by_that_of_today(world):
    earlier = (await live(world, "first")).replace(", vitals=2", "")

    found = await changes_of(world, report="web-vitals", **{"from": earlier, "to": earlier})

    assert [part["cause"] for part in found.json["data"]["parts"]] == ["definition-changed"]
