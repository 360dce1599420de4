"""GET /api/sites/<site_id>/retention: cohorts of visitors, and how many of them came back."""

from datetime import timedelta

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.examples import NOON
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.sites.visitor_reach import VisitorReach
from tests.application import in_memory, on_both_stores

RETENTION = "/api/sites/1/retention"
ORDERS = {"name": "Orders", "goalType": "event", "config": {"eventName": "order"}}
DAY = timedelta(days=1)
# NOON is on 14 March 2026, a Saturday.
DAYS = {"cohort": "day", "start_date": "2026-03-09", "end_date": "2026-03-14"}
FROM_SEARCH = '[{"parameter": "channel", "type": "equals", "value": ["Organic Search"]}]'


@pytest.fixture
async def visited(world):
    """Three visitors who first came five, five and four days ago, and came back two days, or not, or two days later."""
    await world.request("POST", "/api/sites/1/goals", key="member", json=ORDERS)
    for days, visitor in ((5, 1), (5, 2), (4, 3), (3, 1), (2, 3), (0, 1)):
        at = NOON - days * DAY
        referrer = "https://www.google.com/" if (visitor, days) == (1, 5) else None
        await track(world, visitor, at, referrer=referrer)
        if visitor == 1:
            await track(world, visitor, at + timedelta(seconds=30), type="custom_event", event_name="order")
    return world


async def track(world, visitor, at, **fields):
    address = f"192.0.2.{visitor}"
    answer = await world.track(key="member", ip_address=address, timestamp=at.isoformat(), **fields)
    assert answer.status_code == 200


async def asked(world, key="member", **parameters):
    return await world.request("GET", RETENTION, key=key, params={**DAYS, **parameters})


def cells_of(answer):
    """Return the figures of the cells of each cohort that has visitors, by its day."""
    return {
        cohort["time"][:10]: (cohort["visitors"], [cell["returned"] for cell in cohort["cells"]])
        for cohort in answer.json["data"]
        if cohort["visitors"]
    }


async def test_an_answer_says_since_when_visits_are_kept_once_there_were_earlier_ones(visited):
    unlimited = await asked(visited)
    await visited.commands.sites.retain(1, 15, CommandContext())
    young = await asked(visited)

    visited.clock.advance(20 * DAY)
    old = await asked(visited)

    assert [one.json["keptSince"] for one in (unlimited, young, old)] == [
        None,
        None,
        "2026-03-19T00:00:00.000Z",
    ]


@on_both_stores
async def test_visitors_are_followed_from_their_first_visit_on(visited):
    answer = await asked(visited)

    assert answer.status_code == 200
    assert cells_of(answer) == {
        "2026-03-09": (2, [0, 1, 0, 0, 1]),
        "2026-03-10": (1, [0, 1, 0, 0]),
    }
    first = answer.json["data"][0]
    assert (first["time"], first["state"], first["new_ids_at"]) == ("2026-03-09T00:00:00.000Z", "over", None)
    assert first["cells"][1] == {
        "after": 2,
        "visitors": 2,
        "returned": 1,
        "rate": 0.5,
        "state": "over",
        "new_ids_at": None,
    }
    assert [cell["state"] for cell in first["cells"]] == ["over"] * 4 + ["running"]
    assert [cohort["state"] for cohort in answer.json["data"]] == ["over"] * 5 + ["running"]
    assert answer.json["average"][:2] == [
        {"after": 1, "visitors": 3, "returned": 0, "rate": 0.0, "state": "over", "new_ids_at": None},
        {"after": 2, "visitors": 3, "returned": 2, "rate": 2 / 3, "state": "over", "new_ids_at": None},
    ]
    assert answer.json["dataSince"] == "2026-03-09T12:00:00.000Z"
    assert answer.headers["Footfall-Visitor-Reach"] == "forever"


@on_both_stores
async def test_visitors_whose_first_visit_is_before_the_period_are_in_no_cohort(visited):
    answer = await asked(visited, start_date="2026-03-10")

    assert cells_of(answer) == {"2026-03-10": (1, [0, 1, 0, 0])}


@pytest.mark.cells
@on_both_stores
async def test_filters_choose_first_visits_and_later_ones_count_without_them(visited):
    answer = await asked(visited, filters=FROM_SEARCH)

    assert cells_of(answer) == {"2026-03-09": (1, [0, 1, 0, 0, 1])}


@on_both_stores
async def test_with_a_goal_conversions_count(visited):
    assert cells_of(await asked(visited, goal="1")) == {"2026-03-09": (1, [0, 1, 0, 0, 1])}


@pytest.mark.cells
@on_both_stores
async def test_an_answer_of_the_past_and_its_explanation_follow_visitors_before_the_period_too(visited):
    before = await asked(visited)
    positions = before.headers["Footfall-Positions"]
    # A visit that arrives late makes the first visit of a visitor an earlier one, outside of the period.
    await track(visited, 3, NOON - 20 * DAY)
    await track(visited, 2, NOON - DAY)

    after = await asked(visited)
    again = await asked(visited, as_of=positions)
    changes = await visited.request(
        "GET",
        "/api/sites/1/changes",
        key="member",
        params={
            **DAYS,
            "report": "retention",
            "from": positions,
            "to": after.headers["Footfall-Positions"],
        },
    )

    assert cells_of(after) == {"2026-03-09": (2, [0, 1, 0, 1, 1])}
    assert again.json == before.json
    assert changes.json["data"]["parts"] == [{"cause": "late_events", "hits": 2}]
    rows = {(row["key"]["time"][:10], row["key"]["after"]): row for row in changes.json["data"]["rows"]}
    assert rows["2026-03-10", "0"]["parts"] == [{"visitors": -1, "returned": 0, "rate": 0}]
    assert rows["2026-03-09", "4"]["parts"] == [{"visitors": 0, "returned": 1, "rate": 0.5}]


async def test_a_cell_that_crosses_the_end_of_a_salt_has_no_number(visited):
    await visited.commands.sites.configure(1, ConfigChanges(visitor_reach=VisitorReach.DAY), CommandContext())

    answer = await asked(visited)

    [first, *_] = answer.json["data"]
    assert {cell["returned"] for cohort in answer.json["data"] for cell in cohort["cells"]} == {None}
    assert first["cells"][0] == {
        "after": 1,
        "visitors": 2,
        "returned": None,
        "rate": None,
        "state": "unknown",
        "new_ids_at": "2026-03-10T00:00:00.000Z",
    }
    assert (answer.json["average"], first["visitors"]) == ([], 2)


async def test_a_change_of_the_setting_is_a_cause_and_answers_of_before_stay_as_they_were(visited):
    before = await asked(visited)
    visited.clock.advance(timedelta(seconds=30))
    body = {"visitorReach": "month"}
    changed = await visited.request("PUT", "/api/sites/1/config", key="owner", json=body)
    after = await asked(visited)
    positions = [one.headers["Footfall-Positions"] for one in (before, after)]

    again = await asked(visited, as_of=positions[0])
    asked_for = {"report": "retention", **dict(zip(("from", "to"), positions, strict=True))}
    changes = await visited.request("GET", "/api/sites/1/changes", key="member", params={**DAYS, **asked_for})

    # Ids changed on 14 March, within the day of the last cells.
    assert changed.status_code == 200
    assert cells_of(after) == {"2026-03-09": (2, [0, 1, 0, 0, None]), "2026-03-10": (1, [0, 1, 0, None])}
    assert after.json["data"][0]["cells"][4]["new_ids_at"] == "2026-03-14T12:00:30.000Z"
    assert again.json == before.json
    [part] = changes.json["data"]["parts"]
    assert part["cause"] == "site-configured"
    [row] = changes.json["data"]["rows"]
    assert (row["key"]["after"], row["parts"]) == ("5", [{"visitors": 0, "returned": -1, "rate": -0.5}])


async def test_the_average_is_compared_with_that_of_the_period_before(visited):
    answer = await asked(visited, start_date="2026-03-10", end_date="2026-03-10", compare="previous")

    assert answer.json["average"][1]["returned"] == 1
    assert [cell["returned"] for cell in answer.json["previous"]] == [0, 1, 0, 0]
    assert answer.json["comparison"]["previous"] == {
        "start": "2026-03-09T00:00:00.000Z",
        "end": "2026-03-10T00:00:00.000Z",
    }


async def test_a_file_has_a_line_for_each_cohort_and_each_of_its_cells(visited):
    answer = await visited.request(
        "GET",
        RETENTION,
        key="member",
        params={**DAYS, "end_date": "2026-03-10", "compare": "previous"},
        headers={"Accept": "text/csv"},
    )

    lines = answer.text.splitlines()
    assert lines[:4] == [
        "time,after,visitors,returned,rate,state,new_ids_at,previous",
        "2026-03-09T00:00:00.000Z,0,2,,,over,,",
        "2026-03-09T00:00:00.000Z,1,2,0,0.0,over,,",
        "2026-03-09T00:00:00.000Z,2,2,1,0.5,over,,",
    ]
    assert lines[-4].startswith(",1,3,0,0.0,over,,")


async def test_without_data_there_are_no_cohorts(world):
    answer = await asked(world)

    assert answer.json == {"data": [], "average": [], "dataSince": None, "keptSince": None}


@in_memory
@pytest.mark.parametrize(
    ("parameters", "field"),
    [
        ({"cohort": "year"}, "cohort"),
        ({"start_date": "2025-01-01"}, "cohort"),
        ({"goal": "9"}, "goal"),
        ({"compare": "next"}, "compare"),
        ({"bucket": "day"}, "bucket"),
        (
            {"start_date": "2025-01-01", "end_date": "2025-09-01", "compare": "previous", "cohort": "x"},
            "cohort",
        ),
    ],
)
async def test_faulty_parameters_are_refused_by_name(visited, parameters, field):
    answer = await asked(visited, **parameters)

    assert (answer.status_code, list(answer.json["details"]["fieldErrors"])) == (400, [field])


async def test_other_readers_have_no_retention(visited):
    assert (await asked(visited, key=None)).status_code == 401
    assert (await asked(visited, key="stranger")).status_code == 403
