"""Endpoints of a subject, and those of all subjects together."""

import pytest

from footfall.adapters.http.resources.endpoint import SITE, Endpoints
from footfall.application.access.authorization import Access


async def respond(call):
    """Answer nothing."""


def test_a_path_has_one_endpoint_of_a_method():
    endpoints = Endpoints()
    endpoints.of_site("GET", "/goals", Access.READER)(respond)
    endpoints.of_site("POST", "/goals", Access.MEMBER)(respond)

    with pytest.raises(ValueError, match="goals has two endpoints of POST"):
        endpoints.of_site("POST", "/goals", Access.READER)(respond)
    assert endpoints[f"{SITE}/goals"]["POST"].access is Access.MEMBER


def test_endpoints_of_two_subjects_share_paths_but_no_method_of_one():
    endpoints, others = Endpoints(), Endpoints()
    endpoints.of_site("GET", "/goals", Access.READER)(respond)
    others.of_site("POST", "/goals", Access.MEMBER)(respond)

    for path, methods in others.items():
        endpoints.include(path, methods)

    assert set(endpoints[f"{SITE}/goals"]) == {"GET", "POST"}
    with pytest.raises(ValueError, match="two endpoints of POST"):
        endpoints.include(f"{SITE}/goals", others[f"{SITE}/goals"])
