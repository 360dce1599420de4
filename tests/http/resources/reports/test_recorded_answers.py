"""Every report answers with the bytes that were recorded: JSON, CSV, refusals, explanations and files of panels.

A change that is meant is recorded by running this file with `FOOTFALL_RECORD=1`, and read in the difference.
"""

import json
import os
from datetime import timedelta
from pathlib import Path

import pytest

from footfall.adapters.http.resources.reports.catalogue import EXPLAINED
from footfall.domain.examples import NOON
from tests.http.resources.reports.questions import FILTERS, PERIOD, QUESTIONS, SITE, event, fill

RECORDED = Path(__file__).with_name("recorded_answers.json")
HOURS = {"bucket": "hour", "start_date": "2026-03-10", "end_date": "2026-03-10"}
# Beside the plain question of each report.
VARIANTS = {
    "goals": [{"sort": "total_conversions", "search": "pri"}, {"page": "2", "limit": "1"}],
    "goals/1/sessions": [{"search": "fox", "limit": "1"}],
    "funnels/1": [{"compare": "previous"}],
    "properties": [{"event": "order", "search": "amo"}],
    "property-values": [{"event": "order", "property": "plan", "search": "p", "limit": "1"}],
    "property-timeseries": [{"event": "order", "property": "plan", **HOURS}],
    "overview": [{"compare_with": "year"}, {"time_zone": "Asia/Kolkata"}],
    "timeseries": [HOURS],
    "breakdown": [
        {"by": "country", "goal": "1", "compare_with": "previous", "limit": "1"},
        {"by": "pathname", "goal": "2", "search": "pri", "page": "2", "limit": "1"},
        {
            "by": "browser",
            "compare_start_date": "2026-03-01",
            "compare_end_date": "2026-03-08",
        },
    ],
    "outbound": [{"visitors": "true", "goal": "1", "compare_with": "previous"}],
    "movers": [{"by": "outbound", "limit": "1"}, {"by": "country", "compare_with": "year"}],
    "web-vitals": [{"search": "pri"}, {"page": "2", "limit": "1"}],
    "pages": [{"search": "pri", "limit": "1"}],
    "error-names": [{"search": "y is", "limit": "1"}],
    "error-events": [{"errorMessage": "x is undefined", "search": "fox", "limit": "1"}],
    "error-bucketed": [{"errorMessage": "x is undefined", **HOURS}],
    "errors": [{"status": "open", "sort": "sessionCount", "search": "x"}],
    "live": [{}],
    "realtime": [{}],
}
REFUSED = [
    {"unknown": "1"},
    {"start_date": "2026-13-01", "filters": "{", "page": "0", "limit": "x", "visitors": "yes", "goal": "99"},
    {
        "time_zone": "Mars/Phobos",
        "segment": "7",
        "search": "\x00",
        "bucket": "week",
        "by": "shoe size",
        "event": "",
        "property": "",
    },
    {"as_of": "yesterday"},
    {
        "compare": "always",
        "compare_with": "never",
        "errorMessage": "x" * 9000,
        "sort": "size",
        "status": "lost",
        "order": "up",
    },
]
# The parameters of a report whose changes are explained, where they are not those of its own endpoint.
EXPLAINED_BESIDE = {
    "funnel": {"funnel": "1"},
    "properties": {"event": "order"},
    "property-values": {"event": "order", "property": "amount"},
    "property-timeseries": {"event": "order", "property": "amount"},
    "breakdown": {"by": "pathname", "visitors": "true", "goal": "1"},
    "movers": {"by": "pathname"},
    "error-costs": {"goal": "1"},
}
PANELS = [
    *(
        "metrics",
        "chart",
        "goals",
        "sessions?goal=1",
        "vitals",
        "errors",
        "occurrences?message=x+is+undefined",
    ),
    *("pages", "pages?pages=entry_page", "pages?by=change", "sources", "places", "systems", "events"),
    *(
        "funnels",
        "properties",
        "property?event=order&key=amount",
        "property-timeseries?event=order&key=amount",
    ),
    *("error-groups?status=open&sort=sessionCount", "error-costs?goal=1", "annotations", "live", "nothing"),
    *(
        "pages?search=pri",
        "goals?search=pri",
        "sessions?goal=9",
        "property?event=order",
        "error-costs?goal=x",
    ),
]


@pytest.fixture
async def answers(world):
    """What the interface and the dashboard answer about a site with some days of traffic, by what is asked."""
    await fill(world)
    before = (await world.request("GET", f"{SITE}/overview", key="member")).headers["Footfall-Positions"]
    world.clock.advance(timedelta(minutes=1))
    at = NOON - timedelta(days=4, minutes=9)
    late = [event(4, at, type="pageview", pathname="/"), event(4, at, type="pageview", pathname="/pricing/4")]
    assert (await world.batch(late)).status_code == 200
    groups = await world.request("GET", f"{SITE}/errors", key="member", params=PERIOD)
    return (
        await _of_reports(world, groups.json["data"][0]["id"])
        | await _explained(world, before)
        | await _files(world)
    )


async def _of_reports(world, group):
    found = {}
    for report, own in {**QUESTIONS, "live": {}, "realtime": {}}.items():
        period = {} if report in ("live", "realtime") else PERIOD
        asked = {"plain": period | own}
        if report != "realtime":
            asked["filtered"] = period | own | {"filters": json.dumps(FILTERS)}
        asked |= {
            f"variant {number}": period | own | more for number, more in enumerate(VARIANTS.get(report, []))
        }
        refused = {f"refused {number}": own | more for number, more in enumerate(REFUSED)}
        path = f"{SITE}/{report}".replace("{group}", group)
        for name, query in (asked | refused).items():
            # A refusal is JSON whatever was asked for.
            for kind in ("json",) if name in refused else ("json", "csv"):
                accepted = {"Accept": "text/csv" if kind == "csv" else "application/json"}
                answer = await world.request("GET", path, key="member", params=query, headers=accepted)
                found[f"{report} {name} {kind}"] = [answer.status_code, answer.text]
    return found


async def _explained(world, before):
    found = {}
    for report in EXPLAINED:
        query = {
            **PERIOD,
            **EXPLAINED_BESIDE.get(report, {}),
            "report": report,
            "from": before,
            "to": "2026-03-14T12:01:00Z",
        }
        answer = await world.request("GET", f"{SITE}/changes", key="member", params=query)
        body = answer.json
        # Positions have tests of their own.
        kept = {name: body["data"][name] for name in ("parts", "rows")} if answer.status_code == 200 else body
        found[f"changes of {report}"] = [answer.status_code, kept]
    return found


async def _files(world):
    found, cookies = {}, {}
    signed_in = await world.client.simulate_post(
        "/sign-in",
        body=f"key={world.keys['member']}",
        headers={"Content-Type": "application/x-www-form-urlencoded"},
        remote_addr="192.0.2.7",
    )
    cookies = {name: cookie.value for name, cookie in signed_in.cookies.items()}
    for panel in PANELS:
        name, _, query = panel.partition("?")
        view = "from=2026-03-09&to=2026-03-13&compare=previous&funnels=1&properties=order"
        for kind in ("csv", "json"):
            path = f"/sites/1/panels/{name}/{kind}?{view}&{query}"
            answer = await world.client.simulate_get(path, cookies=cookies, remote_addr="192.0.2.7")
            shown = answer.text if answer.status_code == 200 else ""
            found[f"{panel} {kind}"] = [answer.status_code, shown, answer.headers.get("Content-Disposition")]
    return found


async def test_answers_are_the_recorded_bytes(answers):
    if os.environ.get("FOOTFALL_RECORD"):
        RECORDED.write_text(json.dumps(answers, indent=0, ensure_ascii=False, sort_keys=True) + "\n")
    recorded = json.loads(RECORDED.read_text())

    differences = {
        asked: (found, recorded.get(asked))
        for asked, found in answers.items()
        if found != recorded.get(asked)
    }
    assert not differences
    assert answers.keys() == recorded.keys()
