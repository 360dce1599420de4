"""Networks of the addresses of events: of servers, and of no others."""

import pytest

from footfall.domain.tracking.hit import NetworkKind

SERVERS = "203.0.113.5"


@pytest.mark.parametrize(
    ("sender", "network"),
    [
        ({"remote_addr": SERVERS}, (NetworkKind.HOSTING, "AS24940")),
        ({"remote_addr": "192.0.2.1"}, (None, None)),
    ],
)
async def test_the_network_of_an_address_is_kept_if_it_is_one_of_servers(world, sender, network):
    event = {"site_id": "1", "hostname": "example.com", "network": "hosting", "autonomous_system": "AS1"}

    response = await world.request("POST", "/api/track", json=event, **sender)

    assert response.json == {"success": True}
    [hit] = await world.hits()
    assert (hit.network, hit.autonomous_system) == network


@pytest.mark.parametrize(("event", "network"), [({}, None), ({"ip_address": SERVERS}, NetworkKind.HOSTING)])
async def test_the_address_of_a_sender_with_a_key_is_not_that_of_the_visitor(world, event, network):
    body = {"site_id": "1", **event}

    await world.request("POST", "/api/track", json=body, key="member", remote_addr=SERVERS)

    [hit] = await world.hits()
    assert hit.network == network
