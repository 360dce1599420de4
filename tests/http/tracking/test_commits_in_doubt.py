"""Events whose commit was not heard: refused at once, counted when it is known what became of them."""

import asyncio

import pytest
from attrs import define

from footfall.application.ports.traffic_log import CommitUnknown


@define
class InDoubt:
    """An intake whose store does not answer; the second event of a request would be a replay."""

    committed: asyncio.Future | None = None

    async def submit(self, submission):
        raise CommitUnknown([number != 1 for number in range(len(submission.pending))], self.committed)


@pytest.fixture
def intake():
    return InDoubt()


@pytest.fixture
async def committed(intake):
    """The later answer of the store about all that it is given."""
    intake.committed = asyncio.get_running_loop().create_future()
    return intake.committed


async def outcomes(world):
    response = await world.request("GET", "/api/sites/1/ingestion", key="member")
    return {name: outcome["events"] for name, outcome in response.json["data"]["outcomes"].items()}


@pytest.mark.parametrize("key", [None, "member"])
@pytest.mark.parametrize(("stored", "counted"), [(True, {}), (False, {"unavailable": 1})])
async def test_an_event_in_doubt_is_refused_and_counted_when_it_is_known_not_to_be_stored(
    world, committed, key, stored, counted
):
    response = await world.track(key=key)
    before = await outcomes(world)
    committed.set_result(stored)

    assert (response.status_code, response.headers["retry-after"]) == (503, "1")
    assert (before, await outcomes(world)) == ({}, counted)


@pytest.mark.parametrize(("stored", "unavailable"), [(True, 2), (False, 4)])
async def test_only_storable_events_of_a_batch_in_doubt_are_in_doubt(world, committed, stored, unavailable):
    events = [{"site_id": "1"}, {"site_id": "1", "type": "click"}, {"site_id": "1"}, {"site_id": "1"}]
    response = await world.request("POST", "/api/track/batch", key="member", json={"events": events})
    before = await outcomes(world)
    committed.set_result(stored)

    assert response.status_code == 503
    assert (before, await outcomes(world)) == ({"unavailable": 2}, {"unavailable": unavailable})
