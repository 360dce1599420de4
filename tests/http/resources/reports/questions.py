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
# Parameters that a report is asked with where it requires them, and the size of buckets wherever there are some.
_GIVEN = {
    "by": "pathname",
    "event": "order",
    "property": "amount",
    "errorMessage": "x is undefined",
    "goal": "1",
    "bucket": "day",
}
_MORE = {"goals": {"sort": "goalId", "order": "asc"}, "breakdown": {"visitors": "true"}}
# The last minutes, which no file has; what the journal alone knows; and what is made of answers of the past.
_MINUTES = {"live", "realtime"}
OTHERS = {*_MINUTES, "annotations", "changes"}


def asked_of(address):
    """Return what a report is asked beside its period."""
    item = document()["paths"][f"/api/sites/{{site}}/{address}"]
    parameters = [resolve(document(), one) for one in item["get"].get("parameters", [])]
    return {
        one["name"]: _GIVEN[one["name"]]
        for one in parameters
        if one["name"] in _GIVEN and (one.get("required") or one["name"] == "bucket")
    } | _MORE.get(address, {})


def path_of(address):
    """Return an address with a goal and a funnel in it, and still without the group of errors."""
    return address.replace("{goal}", "1").replace("{funnel}", "1")


# What each report is asked beside its period, by its path; the page of a group of errors is no description.
QUESTIONS = {
    path_of(address): asked_of(address) for address in (*REPORTS, "errors/{group}") if address not in _MINUTES
}


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


async def fill(world):
    """Store the goals, the funnel and the traffic."""
    for goal in GOALS:
        await world.request("POST", f"{SITE}/goals", key="member", json=goal)
    await world.request("POST", f"{SITE}/funnels", key="member", json=FUNNEL)
    sent = list(events())
    accepted = await world.batch(sent)
    assert accepted.status_code == 200
    assert len(await world.hits()) == len(sent)
