"""All sites of an organization with their visitors, over HTTP."""

import pytest

from tests.application import on_both_stores

PATH = "/api/organizations/1/overview"


@pytest.mark.cells
@on_both_stores
async def test_sites_are_shown_with_their_visitors_hour_by_hour(world):
    await world.request(
        "POST", "/api/organizations/1/sites", key="owner", json={"name": "B", "domain": "b.example"}
    )
    await world.track()
    # The reports of the store are up to date when one of them is.
    await world.request("GET", "/api/sites/1/overview", key="member")

    response = await world.request("GET", PATH, key="member")

    assert response.status_code == 200
    busy, idle = response.json["data"]
    points = busy.pop("timeseries")
    assert busy == {
        "id": world.directory.site("1").site.public_id,
        "siteId": 1,
        "name": "Example",
        "domain": "example.com",
        "visitors": 1,
        "previous": {"visitors": 0},
        "change": None,
    }
    assert [one["visitors"] for one in points] == [0] * 23 + [1]
    assert (points[0]["time"], points[-1]["time"]) == ("2026-03-13T12:15:00.000Z", "2026-03-14T11:15:00.000Z")
    assert (idle["name"], idle["visitors"], len(idle["timeseries"])) == ("B", 0, 24)
    assert response.json["meta"] == {"total": 2, "page": 1, "pageSize": 100, "totalPages": 1}


async def test_sites_are_searched_sorted_and_paged(world):
    for name in ("Beta", "alpha", "Gamma"):
        body = {"name": name, "domain": f"{name}.example"}
        await world.request("POST", "/api/organizations/1/sites", key="owner", json=body)

    listed = await world.request("GET", f"{PATH}?sort=name&limit=2&page=2", key="owner")
    found = await world.request("GET", f"{PATH}?search=ALPHA", key="owner")

    assert [one["name"] for one in listed.json["data"]] == ["Example", "Gamma"]
    assert [one["name"] for one in found.json["data"]] == ["alpha"]


@pytest.mark.parametrize(("period", "parts"), [("24h", 24), ("7d", 7), ("30d", 30)])
async def test_the_period_can_be_chosen(world, period, parts):
    await world.track()

    response = await world.request("GET", f"{PATH}?period={period}", key="member")

    [site] = response.json["data"]
    assert site["visitors"] == 1
    assert [one["visitors"] for one in site["timeseries"]] == [0] * (parts - 1) + [1]


async def test_sites_are_a_file(world):
    await world.track()

    response = await world.request("GET", PATH, key="member", headers={"Accept": "text/csv"})

    site = world.directory.site("1").site
    assert response.text.splitlines() == [
        "siteId,id,name,domain,visitors,previous,change",
        f"1,{site.public_id},Example,example.com,1,0,",
    ]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("sort=size", "sort"),
        ("order=up", "order"),
        ("limit=0", "limit"),
        ("page=x", "page"),
        ("days=7", "days"),
        ("period=7", "period"),
    ],
)
async def test_a_parameter_that_is_not_accepted_is_named(world, query, name):
    response = await world.request("GET", f"{PATH}?{query}", key="member")

    assert response.status_code == 400
    assert list(response.json["details"]["fieldErrors"]) == [name]


async def test_only_sites_that_a_limited_member_may_see_are_shown(world):
    body = {"name": "B", "domain": "b.example"}
    created = await world.request("POST", "/api/organizations/1/sites", key="owner", json=body)
    limited = {"role": "member", "siteIds": [created.json["siteId"]]}
    await world.request("PUT", "/api/organizations/1/members/3", key="owner", json=limited)

    response = await world.request("GET", PATH, key="member")

    assert [one["name"] for one in response.json["data"]] == ["B"]


@pytest.mark.parametrize(("key", "status"), [(None, 401), ("stranger", 403)])
async def test_others_see_no_sites(world, key, status):
    assert (await world.request("GET", PATH, key=key)).status_code == status
