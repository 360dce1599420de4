"""GET /api/sites/<site_id>/bots: bots, their pages, and the visits that answers of AI services sent."""

from datetime import timedelta

import orjson
import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.bots.refused_bot_counts import RefusedBot
from footfall.domain.examples import NOON
from footfall.domain.sites.configuration import ConfigChanges
from tests.application import on_both_stores
from tests.http.conftest import BROWSER

RULES = "/api/sites/1/exclusions"
BOTS = "/api/sites/1/bots"
GPTBOT = (
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://openai.com/gptbot"
)
OWN, FORGED = "203.0.113.5", "192.0.2.1"
DAYS = "start_date=2026-03-14&end_date=2026-03-14&time_zone=UTC"


@pytest.fixture
async def visited(world):
    """Requests of GPTBot, refused and stored, of curl, and visits from ChatGPT and Perplexity."""
    for path, sender in (("/a", OWN), ("/a", FORGED), ("/b", OWN)):
        await send(world, GPTBOT, path, sender)
    await send(world, "curl/8.0", "/", OWN)
    event = {"site_id": "1", "hostname": "example.com", "pathname": "/a", "user_agent": GPTBOT}
    await world.request("POST", "/api/track", json=event, key="member")
    for number, referrer in enumerate(
        ["https://chatgpt.com/", "https://chatgpt.com/", "https://www.perplexity.ai/"]
    ):
        await world.track(referrer=referrer, headers={"User-Agent": f"{BROWSER}.{number}"})
    await world.track(referrer="https://www.google.com/")
    # The ledger is asked, so that it has the counts of the last second.
    await world.request("GET", "/api/sites/1/ingestion", key="member")
    return world


async def send(world, user_agent, path, sender):
    body = {"site_id": "1", "hostname": "example.com", "pathname": path}
    headers = {"User-Agent": user_agent}
    await world.request("POST", "/api/track", json=body, headers=headers, remote_addr=sender)


async def asked(world, query=DAYS, **arguments):
    return await world.request("GET", f"{BOTS}?{query}", key="member", **arguments)


@on_both_stores
async def test_bots_are_shown_beside_the_visits_that_answers_sent(visited):
    response = await asked(visited)

    assert response.json == {
        "data": [
            {
                "bot": "GPTBot",
                "operator": "OpenAI",
                "purpose": "training",
                "refused": 3,
                "stored": 1,
                "verified": 2,
                "unverified": 1,
                "pages": [
                    {"page": "example.com/a", "requests": 3},
                    {"page": "example.com/b", "requests": 1},
                ],
            },
            {
                "bot": "curl",
                "operator": None,
                "purpose": "other",
                "refused": 1,
                "stored": 0,
                "verified": 0,
                "unverified": 0,
                "pages": [{"page": "example.com/", "requests": 1}],
            },
        ],
        "answers": [
            {"service": "ChatGPT", "operator": "OpenAI", "sessions": 2},
            {"service": "Perplexity", "operator": "Perplexity", "sessions": 1},
        ],
        "meta": {
            "total": 2,
            "page": 1,
            "pageSize": 20,
            "totalPages": 1,
            "refusedFrom": "2026-03-14",
            "refusedTo": "2026-03-14",
        },
    }


async def test_a_file_has_a_row_for_each_bot_and_each_service(visited):
    response = await asked(visited, headers={"Accept": "text/csv"})

    assert response.text.splitlines() == [
        "operator,bot,service,purpose,refused,stored,verified,unverified,sessions",
        "OpenAI,GPTBot,,training,3,1,2,1,",
        ",curl,,other,1,0,0,0,",
        "OpenAI,,ChatGPT,,,,,,2",
        "Perplexity,,Perplexity,,,,,,1",
    ]


async def test_filters_select_bots_and_the_services_of_their_operators(visited):
    filters = [{"parameter": "bot_operator", "type": "equals", "value": ["OpenAI"]}]

    response = await asked(visited, f"{DAYS}&filters={orjson.dumps(filters).decode()}")

    assert [(row["bot"], row["refused"], row["stored"]) for row in response.json["data"]] == [
        ("GPTBot", 3, 1)
    ]
    assert [row["service"] for row in response.json["answers"]] == ["ChatGPT"]


@pytest.mark.cells
@on_both_stores
async def test_filters_by_verification_select_the_pages_of_refused_requests(visited):
    filters = [{"parameter": "bot_verified", "type": "equals", "value": ["unverified"]}]

    response = await asked(visited, f"{DAYS}&filters={orjson.dumps(filters).decode()}")

    [row] = response.json["data"]
    assert (row["bot"], row["refused"], row["verified"], row["unverified"]) == ("GPTBot", 1, 0, 1)
    assert row["pages"] == [{"page": "example.com/a", "requests": 1}]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ('filters=[{"parameter":"country","type":"equals","value":["DE"]}]', "filters[0].parameter"),
        ('filters=[{"parameter":"pathname","type":"contains","value":["/"]}]', "filters[0].parameter"),
        ("segment=1", "segment"),
        ("search=a", "search"),
        ("as_of=2026-03-14T12:00:00Z", "as_of"),
    ],
)
async def test_what_refused_requests_cannot_be_filtered_by_is_refused_by_name(visited, query, name):
    response = await asked(visited, query)

    assert (response.status_code, list(response.json["details"]["fieldErrors"])) == (400, [name])


async def test_an_answer_that_cannot_be_given_again_has_no_positions(visited):
    response = await asked(visited)

    assert (response.status_code, "Footfall-Positions" in response.headers) == (200, False)


async def test_refused_requests_are_those_of_the_days_of_the_site_that_a_period_touches(world):
    await world.commands.sites.configure(1, ConfigChanges(time_zone="Asia/Kathmandu"), CommandContext())
    await world.directory.catch_up()
    days = {NOON.date() + timedelta(days=number): 10 ** abs(number) for number in range(-2, 3)}
    world.log.refused_bots = {RefusedBot(1, day, "curl", None, ""): number for day, number in days.items()}

    response = await asked(world)

    # The day in UTC is from 5:45 on one day to 5:45 on the next one.
    assert [row["refused"] for row in response.json["data"]] == [1 + 10]
    assert (response.json["meta"]["refusedFrom"], response.json["meta"]["refusedTo"]) == (
        "2026-03-14",
        "2026-03-15",
    )


async def test_pages_of_bots_are_numbered(visited):
    response = await asked(visited, f"{DAYS}&page=2&limit=1")

    assert ([row["bot"] for row in response.json["data"]], response.json["meta"]["total"]) == (["curl"], 2)


async def test_standing_exclusions_leave_out_sessions_and_no_refused_requests(visited):
    rule = {
        "name": "No ChatGPT",
        "filters": [{"parameter": "referrer_host", "type": "equals", "value": ["chatgpt.com"]}],
    }
    made = await visited.request("POST", RULES, json=rule, key="owner")
    assert made.status_code == 201, made.text

    followed, included = await asked(visited), await asked(visited, f"{DAYS}&excluded=include")

    assert [row["refused"] for row in followed.json["data"]] == [3, 1]
    assert [row["service"] for row in followed.json["answers"]] == ["Perplexity"]
    assert followed.headers["Footfall-Excluded"] == "2"
    assert [row["service"] for row in included.json["answers"]] == ["ChatGPT", "Perplexity"]
