"""Lists over HTTP that are searched by the parameter `search`."""

import json

import pytest

from footfall.adapters.http.resources.reports.catalogue import REPORTS
from tests.http.resources.reports.questions import SITE, ask, path_of

LISTS = [path_of(address) for address, report in REPORTS.items() if "search" in (*report.own, *report.shown)]


@pytest.fixture
async def filled(world):
    """A site with two of everything, one of them named Alpha."""
    for name in ("/Alpha", "/beta"):
        await world.track(pathname=name, user_id=name)
        bought = json.dumps({"amount": name, name[1:]: 1})
        await world.track(type="custom_event", event_name="order", properties=bought, user_id=name)
        message = '{"message": "x is undefined"}'
        await world.track(type="error", event_name="Error", pathname=name, properties=message)
        link = json.dumps({"url": f"https://example.org{name}"})
        await world.track(type="outbound", properties=link, user_id=name)
        await world.track(type="performance", pathname=name, lcp=900)
        failure = json.dumps({"message": f"{name[1:]} is broken"})
        await world.track(type="error", event_name="Error", pathname=name, properties=failure)
        body = {"goalType": "path", "config": {"pathPattern": "/*"}, "name": name}
        assert (await world.request("POST", f"{SITE}/goals", key="member", json=body)).status_code == 201
    return world


@pytest.mark.parametrize("path", LISTS)
async def test_a_list_has_only_what_contains_the_text_in_any_case(filled, path):
    found = (await ask(filled, path, {"search": "ALPHA"})).json
    none = (await ask(filled, path, {"search": "gamma"})).json

    [row] = found["data"]
    assert "Alpha" in str(row)
    assert none["data"] == []
    assert found.get("meta", {}).get("total", 1) == 1
