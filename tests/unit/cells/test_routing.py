"""The way from a call to the adapters of the cell of its site."""

from typing import Protocol

import pytest
from attrs import fields

from footfall.application.cells.routing import routed
from footfall.application.ports.cells import CellAway
from footfall.application.ports.maintenance import SiteHits
from footfall.application.ports.reports.reports import TrafficReports
from footfall.application.ports.reports.snapshots import ReportSet

PORTS = [*(part.type for part in fields(ReportSet)), SiteHits]


@pytest.mark.parametrize("port", PORTS, ids=lambda port: port.__name__)
def test_a_routed_port_has_each_method_of_the_port(port):
    made = routed(port, lambda _: None)

    assert {name for name in dir(port) if name[0] != "_"} == {name for name in dir(made) if name[0] != "_"}


def test_a_port_whose_method_does_not_name_the_site_first_is_refused():
    class OfNoSite(Protocol):
        async def all(self) -> list[int]:
            """Return something of all sites."""

    with pytest.raises(TypeError, match=r"OfNoSite\.all does not name the site first"):
        routed(OfNoSite, lambda _: None)


class Store:
    """Answers with its name and what it was asked."""

    def __init__(self, name):
        self.name = name

    async def overview(self, site_id, *values, **named):
        return self.name, site_id, values, named


async def test_a_call_goes_to_the_store_of_its_site_with_everything_that_it_says():
    stores = {1: Store("west"), 2: Store("east")}
    reports = routed(TrafficReports, stores.__getitem__)

    assert await reports.overview(2, "week", filters=()) == ("east", 2, ("week",), {"filters": ()})
    assert (await reports.overview(1))[0] == "west"


async def test_a_call_about_a_site_of_an_unknown_cell_is_refused():
    def unknown(_):
        raise CellAway("the cell west is away")

    with pytest.raises(CellAway):
        routed(TrafficReports, unknown).overview(1)
