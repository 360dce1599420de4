"""A site with some days of traffic, and what each report is asked about it."""

import json
from datetime import timedelta

from footfall.adapters.http.resources.docs_page import resolve
from footfall.adapters.http.resources.openapi import document
from footfall.adapters.http.resources.reports.catalogue import REPORTS
from footfall.domain.examples import NOON

SITE = "/api/sites/1"
PERIOD = {"start_date": "2026-03-09", "end_date": "2026-03-13"}
GOALS = [
    {"name": "Prices", "goalType": "path", "config": {"pathPattern": "/pricing/**"}},
    {"name": "Orders", "goalType": "event", "config": {"eventName": "order"}},
]
FUNNEL = {"name": "Sales", "steps": GOALS}
FILTERS = [
    {"parameter": "pathname", "type": "starts_with", "value": ["/"]},
    {"parameter": "event_name", "type": "not_equals", "value": ["nothing"]},
]
# Values of the parameters that some report requires, and the size of buckets wherever there are some.
_GIVEN = {
    "by": "pathname",
    "event": "order",
    "property": "amount",
    "errorMessage": "x is undefined",
    "goal": "1",
    "bucket": "day",
}
_MORE = {"goals": {"sort": "goalId", "order": "asc"}, "breakdown": {"visitors": "true"}}
_MINUTES = {"live", "realtime"}
# The last minutes, which no file has; what the journal alone knows; what is made of answers of the past; one session.
OTHERS = {*_MINUTES, "annotations", "changes", "sessions/{session}"}


def needed_by(address):
    """Return the parameters that a report requires, with values."""
    given = document()["paths"][f"/api/sites/{{site}}/{address}"]["get"].get("parameters", [])
    required = {one["name"] for one in (resolve(document(), each) for each in given) if one.get("required")}
    return {name: value for name, value in _GIVEN.items() if name in required}


def _asked_of(address):
    bucket = {name: _GIVEN[name] for name in ("bucket",) if name in REPORTS[address].own}
    return needed_by(address) | bucket | _MORE.get(address, {})


def path_of(address):
    """Return an address with a goal and a funnel in it, and still without the group of errors."""
    return address.replace("{goal}", "1").replace("{funnel}", "1")


# What each report is asked beside its period, by its path; a new description is among them.
EVERY = {path_of(address): _asked_of(address) for address in REPORTS}
# Those whose answers can be given again.
CITED = {path_of(address): _asked_of(address) for address, report in REPORTS.items() if report.has_past}
# Those that files have, and the page of a group of errors, which is no table.
QUESTIONS = {path: asked for path, asked in CITED.items() if path not in _MINUTES} | {"errors/{group}": {}}


def explained_of(name):
    """Return what the explanation of a report is asked beside its period: what the report requires."""
    [address] = [address for address, report in REPORTS.items() if report.explained == name]
    return needed_by(address) | ({"funnel": "1"} if "funnel" in REPORTS[address].named else {})


async def ask(world, path, more=None, **arguments):
    """Return the answer of a report to a member, about the first group of errors where it is about one.

    What is None in `more` is not asked.
    """
    query = {name: value for name, value in (EVERY[path] | (more or {})).items() if value is not None}
    if "{group}" in path:
        listed = await world.request("GET", f"{SITE}/errors", key="member")
        path = path.replace("{group}", listed.json["data"][0]["id"])
    return await world.request("GET", f"{SITE}/{path}", key="member", params=query, **arguments)


def events():
    """Return what three visitors did on three days; the second one measured other things than the first one."""
    for day in (5, 4, 3):
        for visitor in range(1, 4):
            at = NOON - timedelta(days=day, minutes=visitor)
            measures = {"inp": 80 * day, "lcp": 900.5 + visitor} if visitor % 2 else {"ttfb": 30, "cls": 0.02}
            yield from (
                event(visitor, at, type="pageview", pathname="/"),
                event(visitor, at + timedelta(seconds=9), type="performance", pathname="/", **measures),
                event(
                    visitor,
                    at + timedelta(seconds=20),
                    type="error",
                    event_name="TypeError",
                    properties=json.dumps({"message": "x is undefined" if visitor > 1 else "y is undefined"}),
                ),
                event(visitor, at + timedelta(seconds=30), type="pageview", pathname=f"/pricing/{visitor}"),
                event(
                    visitor,
                    at + timedelta(seconds=40),
                    type="custom_event",
                    event_name="order",
                    properties=json.dumps({"plan": "pro", "amount": 10 * visitor + 0.5}),
                ),
                event(
                    visitor,
                    at + timedelta(seconds=50),
                    type="outbound",
                    properties='{"url": "https://example.org/a", "text": "There", "target": "_blank"}',
                ),
            )


def event(visitor, at, **fields):
    """Return an event of a visitor at a time."""
    common = {"site_id": "1", "hostname": "example.com", "ip_address": f"192.0.2.{visitor}"}
    return {**common, "pathname": "/", "timestamp": at.isoformat(), **fields}


async def define(world):
    """Define the goals and the funnel."""
    for goal in GOALS:
        await world.request("POST", f"{SITE}/goals", key="member", json=goal)
    await world.request("POST", f"{SITE}/funnels", key="member", json=FUNNEL)


async def fill(world):
    """Store the goals, the funnel and the traffic."""
    await define(world)
    sent = list(events())
    accepted = await world.batch(sent)
    assert accepted.status_code == 200
    assert len(await world.hits()) == len(sent)
