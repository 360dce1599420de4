"""What tests of explained answers share: definitions, hits of all types, positions, and sums of parts."""

import json
from datetime import timedelta
from decimal import Decimal

from tests.http.resources.reports.questions import SITE

GOAL = {"goalType": "path", "config": {"pathPattern": "/"}}
OTHER = {**GOAL, "name": "Other", "config": {"pathPattern": "/*"}}
HOME, SECOND, ANY = [
    {"goalType": "path", "config": {"pathPattern": pattern}} for pattern in ("/", "/b", "/*")
]
FUNNEL = {"name": "Buy", "steps": [HOME, SECOND]}


async def define(world):
    await world.request("POST", f"{SITE}/goals", key="member", json=GOAL)
    made = await world.request("POST", f"{SITE}/funnels", key="member", json=FUNNEL)
    assert made.status_code == 201, made.text


def by_goal(number):
    return {"name": "Buy", "steps": [{"goalId": number}, SECOND]}


async def live(world, user):
    """Track hits of all types, some of them late, and return the positions after them."""
    sent = {"key": "member", "user_id": user}
    for path in ("/", "/b"):
        await world.track(**sent, pathname=path)
    amount = json.dumps({"amount": 12.5})
    await world.track(**sent, type="custom_event", event_name="order", properties=amount)
    await world.track(**sent, type="performance", pathname="/", lcp=1200.5)
    url = json.dumps({"url": "https://example.org/"})
    await world.track(**sent, type="outbound", properties=url)
    problem = json.dumps({"message": "x is undefined", "stack": "at a"})
    await world.track(**sent, type="error", event_name="TypeError", properties=problem)
    await track_late(world, user_id=user, pathname="/late")
    return await positions_of(world)


async def track_late(world, **event):
    late = world.clock.now() - timedelta(minutes=9)
    await world.track(key="member", timestamp=late.isoformat(), **event)


async def positions_of(world):
    answer = await world.request("GET", f"{SITE}/overview", key="member")
    assert answer.status_code == 200, answer.text
    return answer.headers["Footfall-Positions"]


async def changes_of(world, **params):
    return await world.request("GET", f"{SITE}/changes", key="member", params=params)


def sums(row):
    return {name: sum(_exact(part[name]) for part in row["parts"]) for name in row["after"]}


def difference(row):
    return {name: _exact(row["after"][name]) - _exact(row["before"][name]) for name in row["after"]}


def _exact(number):
    return Decimal(str(number or 0))
