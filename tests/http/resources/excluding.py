"""What tests of standing exclusions share: some rules, and what readers see of them."""

from tests.http.resources.reports.questions import SITE

RULES = f"{SITE}/exclusions"
PRICES = [{"parameter": "pathname", "type": "equals", "value": ["/pricing/2"]}]
ONE_HIT = [{"parameter": "hits", "type": "equals", "value": ["1"]}]
DAYS = {"start_date": "2026-03-09", "end_date": "2026-03-14"}


async def define(world, filters=PRICES, name="Servers", key="member"):
    return await world.request("POST", RULES, key=key, json={"name": name, "filters": filters})


async def change(world, number=1, key="member", **fields):
    return await world.request("PATCH", f"{RULES}/{number}", key=key, json=fields)


async def listed(world, key="member"):
    return (await world.request("GET", RULES, key=key)).json["data"]


async def overview(world, key="member", **more):
    return await world.request("GET", f"{SITE}/overview", key=key, params=DAYS | more)


def sessions(answer):
    return answer.json["data"]["sessions"], answer.headers["Footfall-Excluded"]
