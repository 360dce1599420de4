"""The OpenAPI document lists exactly the query parameters that each read operation accepts."""

import re

import pytest

from footfall.adapters.http.resources.docs_page import resolve
from footfall.adapters.http.resources.openapi import document

DOCUMENT = document()
GOAL = {"name": "g", "goalType": "path", "config": {"pathPattern": "/"}}
FUNNEL = {"name": "f", "steps": [{"goalId": 1}, {"goalId": 1}]}
READS = {
    path: {
        one["name"]
        for given in [*item.get("parameters", []), *item["get"].get("parameters", [])]
        if (one := resolve(DOCUMENT, given))["in"] == "query"
    }
    for path, item in DOCUMENT["paths"].items()
    if "get" in item and path.startswith("/api/") and item["get"].get("security") != []
}
ACCEPTED = re.compile(r"unknown parameter; accepted are (.*)")


@pytest.mark.parametrize("path", READS)
async def test_the_document_lists_the_parameters_that_are_accepted(world, path):
    await world.request("POST", "/api/sites/1/goals", key="member", json=GOAL)
    await world.request("POST", "/api/sites/1/funnels", key="member", json=FUNNEL)
    named = {"site": "1", "organization": "1", "group": "1-0123456789abcdef"}
    address = re.sub(r"\{(\w+)\}", lambda found: named.get(found[1], "1"), path)

    refused = await world.request("GET", f"{address}?unheard_of=1", key="owner")

    assert refused.status_code == 400, refused.text
    [error] = refused.json["details"]["fieldErrors"]["unheard_of"]
    accepted = {name for name in ACCEPTED.fullmatch(error)[1].split(", ") if name != "none"}
    assert accepted == READS[path]
