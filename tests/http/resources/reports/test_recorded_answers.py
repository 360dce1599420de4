"""Every report answers with the bytes that were recorded: JSON, CSV, refusals, explanations and files of panels.

A change that is meant is recorded by running this file with `FOOTFALL_RECORD=1`, and read in the difference.
"""

import json
import os
import re
from datetime import timedelta
from pathlib import Path

import pytest

from footfall.adapters.http.resources.reports.catalogue import EXPLAINED
from footfall.application.commands.context import CommandContext
from footfall.domain.examples import NOON
from footfall.domain.sites.configuration import ConfigChanges
from tests.http.resources.reports.questions import (
    FILTERS,
    FUNNEL,
    GOALS,
    PERIOD,
    QUESTIONS,
    SITE,
    event,
    explained_of,
    fill,
)
from tests.links import new_link

RECORDED = Path(__file__).with_name("recorded_answers.json")
HOURS = {"bucket": "hour", "start_date": "2026-03-10", "end_date": "2026-03-10"}
# Beside the plain question of each report.
VARIANTS = {
    "goals": [{"sort": "total_conversions", "search": "pri"}, {"page": "2", "limit": "1"}],
    "goals/1/sessions": [{"search": "fox", "limit": "1"}],
    "funnels/1": [{"compare": "previous"}],
    "journeys": [
        {"after": "page:/"},
        {"before": "goal:2", "custom_events": "true"},
        {"custom_events": "true", "step_1": "page:/", "step_3": "event:order"},
        {"after": "end", "before": "goal:99", "step_1": "pricing"},
    ],
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
    "retention": [{"cohort": "day", "goal": "1", "compare": "previous"}],
    "revenue": [{"goal": "2", "by": "entry_page", "model": "first", "compare_model": "last", "limit": "1"}],
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
PANELS = [
    *(
        "metrics",
        "chart",
        "goals",
        "sessions?goal=1",
        "vitals",
        "errors",
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

# Their values are other ones each time.
_BY_CHANCE = re.compile(r'"(commentId|annotationId)":"[^"]*"')
STEPS = [{"goalId": 1}, {"goalId": 2}]
# What is asked after decisions, beside the plain questions.
DECIDED = [
    ("goals", {"search": "ord", "order": "asc", "sort": "name"}),
    ("goals", {"page_size": "1", "sort": "conversion_rate"}),
    ("goals/99/sessions", {}),
    ("goals/x/sessions", {"unknown": "1"}),
    ("funnels/2", {"compare": "previous", "filters": json.dumps(FILTERS)}),
    ("funnels/99", {"unknown": "1"}),
    ("funnels/x", {}),
    *(("errors", {"status": status}) for status in ("open", "resolved", "muted", "regressed")),
    ("errors", {"assignee": "3"}),
    ("errors", {"assignee": "3", "status": "open", "sort": "lastSeen", "limit": "1"}),
    ("errors/costs", {"goal": "99"}),
    ("errors/costs", {"goal": "2", "filters": json.dumps(FILTERS)}),
    ("errors/{other}/cost", {"goal": "1"}),
    ("errors/1-0123456789abcdef/cost", {"goal": "1"}),
    ("errors/nothing/cost", {"goal": "1"}),
    ("errors/nothing/cost", {"goal": "x", "unknown": "1"}),
    ("errors/nothing", {}),
]
# What is asked with a body, and saves nothing.
POSTED = [
    *(("goals/preview", body, query) for body in (GOALS[0], {"name": ""}) for query in (PERIOD, REFUSED[0])),
    *(
        ("funnels/preview", body, query)
        for body in (
            {"steps": STEPS},
            {"name": "Sales", "withinDays": 7, "steps": GOALS},
            {"steps": [{"goalId": 99}, GOALS[0]]},
        )
        for query in (PERIOD, PERIOD | {"compare": "previous"}, REFUSED[1], {"compare": "always"})
    ),
    *(
        (f"{path}/what-if", body, PERIOD | query)
        for path, body in (("goals/1", GOALS[1]), ("funnels/2", {"steps": GOALS}), ("funnels/99", FUNNEL))
        for query in ({}, {"filters": json.dumps(FILTERS)})
    ),
    ("excluded-countries/what-if", {"excludedCountries": ["DE"]}, PERIOD),
    ("excluded-paths/what-if", {"excludedPaths": ["/pricing*"]}, PERIOD),
]
EXPLAINED_MORE = [
    {"report": "nothing"},
    {"report": "goals", "search": "pri"},
    {"report": "goals", "sort": "name", "limit": "1"},
    {"report": "funnel", "funnel": "2"},
    {"report": "funnel", "funnel": "99"},
    {"report": "funnel", "funnel": "x"},
    {"report": "funnel", "funnel": "1", "compare": "previous"},
    {"report": "errors", "search": "y is"},
    {"report": "errors", "status": "open"},
    {"report": "error-costs", "goal": "1", "group": "{group}"},
    {"report": "error-costs", "goal": "1", "group": "1-0123456789abcdef"},
    {"report": "error-costs", "goal": "1", "group": "nothing"},
    {"report": "error-costs", "goal": "99"},
    {"report": "error-costs"},
]


def _decisions(groups):
    """Return decisions that change answers: a currency, a deploy, a goal, and what is decided about both errors."""
    return [
        ("PUT", "property-currency", {"event": "order", "property": "amount", "currency": "EUR"}),
        ("POST", "releases", {"release": "1.1", "at": "2026-03-10T12:00:00Z"}),
        ("POST", "funnels", {"name": "By goals", "steps": STEPS}),
        ("POST", f"errors/{groups[0]}/comments", {"text": "Seen"}),
        ("PUT", f"errors/{groups[0]}/assignee", {"userId": "3"}),
        ("PUT", f"errors/{groups[1]}/state", {"state": "muted", "occurrences": 5}),
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
        | await _after_decisions(world, [one["id"] for one in groups.json["data"]], before)
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
            **explained_of(report),
            **({"visitors": "true", "goal": "1"} if report == "breakdown" else {}),
            "report": report,
            "from": before,
            "to": "2026-03-14T12:01:00Z",
        }
        answer = await world.request("GET", f"{SITE}/changes", key="member", params=query)
        found[f"changes of {report}"] = [answer.status_code, _explanation(answer)]
    return found


async def _of_both_kinds(world, method, path, name, *, headers=None, **asked):
    """Return an answer as JSON and, unless it is a refusal, as CSV."""
    found = {}
    for kind in ("application/json", "text/csv"):
        accepted = (headers or {}) | {"Accept": kind}
        answer = await world.request(method, f"{SITE}/{path}", headers=accepted, **asked)
        found[f"{name} {kind}"] = [answer.status_code, _BY_CHANCE.sub(r'"\1":"…"', answer.text)]
        if answer.status_code != 200:
            break
    return found


def _explanation(answer):
    """Return the body of an explanation without its positions, which have tests of their own."""
    body = answer.json
    if answer.status_code != 200:
        return body
    parts = [{name: part[name] for name in part if name != "keyPrefix"} for part in body["data"]["parts"]]
    return {"parts": parts, "rows": body["data"]["rows"]}


def _filled(text, named):
    for name, value in named.items():
        text = text.replace(name, value)
    return text


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


async def _after_decisions(world, groups, before):
    """Return what is answered after decisions: to a member, to a reader, about the state before, and without effect."""
    link = await new_link(world.commands)
    await world.commands.sites.configure(1, ConfigChanges(share_details=True), CommandContext())
    for method, path, body in _decisions(groups):
        decided = await world.request(method, f"{SITE}/{path}", key="member", json=body)
        assert decided.status_code in {200, 201}, decided.text
    found, named = {}, {"{group}": groups[0], "{other}": groups[1]}
    for template, own in (*QUESTIONS.items(), *DECIDED):
        path, query = _filled(template, named), PERIOD | own
        callers = {
            "member": {"key": "member", "params": query},
            "reader": {"params": query, "headers": {"X-Private-Key": link}},
            "before": {"key": "member", "params": query | {"as_of": before}},
        }
        for who, caller in callers.items():
            found |= await _of_both_kinds(world, "GET", path, f"decided {template} {own} {who}", **caller)
    for path, body, query in POSTED:
        asked = {"key": "member", "json": body, "params": query}
        found |= await _of_both_kinds(world, "POST", path, f"posted {path} {body} {query}", **asked)
    for own in EXPLAINED_MORE:
        asked = PERIOD | {name: _filled(value, named) for name, value in own.items()}
        asked |= {"from": before, "to": "2026-03-14T12:01:00Z"}
        answer = await world.request("GET", f"{SITE}/changes", key="member", params=asked)
        found[f"changes of {own}"] = [answer.status_code, _explanation(answer)]
    await world.request("DELETE", f"{SITE}/goals/2", key="member")
    for path in ("funnels/2", "goals/2/sessions", "errors/costs?goal=2"):
        answer = await world.request("GET", f"{SITE}/{path}", key="member")
        found[f"deleted {path}"] = [answer.status_code, answer.text]
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
