"""What-ifs are kept: after the change is really made, reports show what was said, and until then no table changes."""

import random
from datetime import timedelta
from urllib.parse import quote

import psycopg
import pytest

from footfall.application.commands.context import CommandContext
from footfall.application.ports.traffic_log import Submission
from footfall.domain.examples import NOON, a_hit
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.tracking.admission import PendingHit
from footfall.domain.tracking.hit import HitType
from tests.generated import at_length

SITE = "/api/sites/1"
FEW, MANY = 4, at_length(slow=12, thorough=200)
PATHS = ("/", "/pricing", "/pricing/team", "/blog/a", "/blog/b", "/thanks")
PATTERNS = ("/", "/pricing", "/pricing*", "/blog/*", "/b*", "/*/team", "**", "/nothing")
EVENTS = ("signup", "order")
ZONES = ("UTC", "Europe/Berlin", "Asia/Kolkata", "America/New_York")
GAPS = (
    timedelta(seconds=20),
    timedelta(minutes=29),
    timedelta(minutes=31),
    timedelta(hours=5),
    timedelta(hours=11),
)
LONG = pytest.mark.parametrize(
    "trials", [FEW, pytest.param(MANY, id="many", marks=[pytest.mark.slow, pytest.mark.timeout(1800)])]
)
on_postgres = pytest.mark.parametrize("adapter", ["postgres"], indirect=True)


@on_postgres
@LONG
async def test_a_changed_goal_shows_what_was_said(world, database_url, trials):
    chance = random.Random(5)
    await fill(world, chance)
    goal, moved = (await sent(world, "POST", "goals", a_goal(chance)))["goalId"], 0

    for _ in range(trials):
        query, days = a_period(chance)
        changed, former = a_goal(chance), await goal_sessions(world, goal, query)
        tables = digest(database_url)
        said = (await sent(world, "POST", f"goals/{goal}/what-if?{query}", changed))["data"]
        assert digest(database_url) == tables

        before = await conversions(world, goal, query)
        await sent(world, "PUT", f"goals/{goal}", changed)

        assert (said["before"], said["after"]) == (before, await conversions(world, goal, query))
        present = await goal_sessions(world, goal, query)
        expect_examples(said["gained"], present - former)
        expect_examples(said["lost"], former - present)
        assert [one["date"] for one in said["days"]] == days
        for one in said["days"]:
            assert one["after"] == await conversions(world, goal, of_day(one["date"], query))
        moved += said["gained"]["total"] + said["lost"]["total"]

    assert moved > 0


@on_postgres
@LONG
async def test_a_changed_funnel_shows_what_was_said(world, database_url, trials):
    chance = random.Random(6)
    await fill(world, chance)
    await sent(world, "POST", "goals", a_goal(chance))
    funnel = (await sent(world, "POST", "funnels", {"name": "f", **a_plan(chance)}))["funnelId"]
    moved = 0

    for _ in range(trials):
        query, _ = a_period(chance)
        before = await completed(world, funnel, query)
        changed, tables = {"name": "f", **a_plan(chance)}, digest(database_url)
        said = (await sent(world, "POST", f"funnels/{funnel}/what-if?{query}", changed))["data"]
        assert digest(database_url) == tables

        await sent(world, "PUT", f"funnels/{funnel}", changed)

        assert (said["before"], said["after"]) == (before, await completed(world, funnel, query))
        assert said["after"] - said["before"] == said["gained"]["total"] - said["lost"]["total"]
        for one in said["days"]:
            assert one["after"] == await completed(world, funnel, of_day(one["date"], query))
        moved += said["gained"]["total"] + said["lost"]["total"]

    assert moved > 0


@on_postgres
@pytest.mark.parametrize("requests", [80, pytest.param(1_000, marks=pytest.mark.thorough)])
async def test_an_excluded_country_refuses_what_was_said(world, requests):
    chance = random.Random(7)
    twin = await world.commands.sites.register(
        (await world.request("GET", "/api/organizations", key="owner")).json["data"][0]["organizationId"],
        name="Twin",
        domain="example.com",
        created_by="1",
        context=CommandContext(),
    )
    await world.commands.sites.configure(twin, ConfigChanges(excluded_countries=("DE",)), CommandContext())
    for _ in range(requests):
        world.clock.advance(chance.choice(GAPS))
        event, options = an_event(world, chance)
        for site in ("1", str(twin)):
            await world.request("POST", "/api/track", json={**event, "site_id": site}, **options)

    now = world.clock.now().date()
    query = f"start_date={NOON.date()}&end_date={now}&time_zone=Asia/Kolkata"
    said = (await sent(world, "POST", f"excluded-countries/what-if?{query}", {"excludedCountries": ["DE"]}))[
        "data"
    ]

    assert said["events"] > 10
    for one in said["days"]:
        assert one["events"] == await refused(world, twin, of_day(one["date"], query))


async def fill(world, chance):
    """Store the visits of a week: some are long, and some of their hits are before or after a midnight."""
    at, pending = NOON - timedelta(days=7), []
    while at < NOON:
        at += chance.choice(GAPS)
        kind = chance.choice([HitType.PAGEVIEW, HitType.PAGEVIEW, HitType.CUSTOM_EVENT])
        known = {"pathname": chance.choice(PATHS), "country": chance.choice(["DE", "FR", None])}
        known |= {"event_name": chance.choice(EVENTS)} if kind is HitType.CUSTOM_EVENT else {}
        hit = a_hit(type=kind, occurred_at=at, received_at=at, visitor_id=chance.randrange(4), **known)
        pending.append(PendingHit(hit=hit))
    await world.log.submit(Submission(pending=tuple(pending)))


def a_rule(chance):
    if chance.random() < 0.7:
        return {"goalType": "path", "config": {"pathPattern": chance.choice(PATTERNS)}}
    return {"goalType": "event", "config": {"eventName": chance.choice(EVENTS)}}


def a_goal(chance):
    return {"name": "g", **a_rule(chance)}


def a_plan(chance):
    steps = [
        chance.choice([{"goalId": 1}, a_rule(chance), a_rule(chance)])
        for _ in range(chance.choice([2, 2, 3]))
    ]
    return {"steps": steps, "withinDays": chance.choice([None, None, 1, 5])}


def a_period(chance):
    """Return the parameters of some days of the week, and these days."""
    first = NOON.date() - timedelta(days=chance.randrange(8))
    days = [first + timedelta(days=day) for day in range(chance.randint(1, 6))]
    query = f"start_date={days[0]}&end_date={days[-1]}&time_zone={chance.choice(ZONES)}"
    if chance.random() < 0.3:
        kind = chance.choice(["equals", "not_equals"])
        query += "&filters=" + quote(f'[{{"parameter":"country","type":"{kind}","value":["DE"]}}]')
    return query, [str(day) for day in days]


def of_day(day, query):
    """Return the parameters of one day alone."""
    return "&".join([f"start_date={day}&end_date={day}", *query.split("&")[2:]])


async def sent(world, method, path, body):
    said = await world.request(method, f"{SITE}/{path}", key="member", json=body)
    assert said.status_code < 300, said.text
    return said.json


async def read(world, path):
    said = await world.request("GET", path, key="member")
    assert said.status_code == 200, said.text
    return said.json


async def conversions(world, goal, query):
    [counted] = (await read(world, f"{SITE}/goals?{query}"))["data"]
    assert counted["goalId"] == goal
    return counted["total_conversions"]


async def completed(world, funnel, query):
    return (await read(world, f"{SITE}/funnels/{funnel}?{query}"))["data"]["completed"]


async def goal_sessions(world, goal, query):
    found = await read(world, f"{SITE}/goals/{goal}/sessions?limit=200&{query}")
    assert found["meta"]["total"] < 200
    return {one["session_id"] for one in found["data"]}


def expect_examples(side, expected):
    shown = [one["session_id"] for one in side["sessions"]]
    assert side["total"] == len(expected)
    assert len(shown) == len({*shown}) == min(len(expected), 10)
    assert expected >= {*shown}


def digest(url):
    """Return the contents of every table."""
    with psycopg.connect(url) as connection:
        tables = connection.execute(
            "select oid::regclass::text from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace"
        ).fetchall()
        return {
            name: connection.execute(
                f"select md5(coalesce(string_agg(line::text, ',' order by line::text), '')) from {name} as line"
            ).fetchone()[0]
            for (name,) in tables
        }


def an_event(world, chance):
    """Return an event and how it is sent: from some country, with a key or not, by a bot, from another domain."""
    address = chance.choice(["198.51.100.7", "198.51.100.8", "192.0.2.1"])
    kinds = [{}, {"type": "custom_event", "event_name": "order"}, {"type": "performance", "lcp": 3}]
    event = {
        "hostname": chance.choice(["example.com", "example.com", "elsewhere.org"]),
        **chance.choice(kinds),
    }
    if chance.random() < 0.5:
        agent = {"User-Agent": "curl/8"} if chance.random() < 0.2 else {}
        return event, {"remote_addr": address, "headers": agent}
    late = world.clock.now() - chance.choice([timedelta(), timedelta(days=2), timedelta(days=29)])
    return {**event, "ip_address": address, "timestamp": late.isoformat()}, {"key": "member"}


async def refused(world, site, query):
    counts = (await read(world, f"/api/sites/{site}/ingestion?{query}"))["data"]["outcomes"]
    return counts.get("excluded", {"reasons": {}})["reasons"].get("country", 0)
