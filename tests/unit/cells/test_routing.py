"""The way from a call to the adapters of the cell of its site."""

import inspect

import pytest
from attrs import fields

from footfall.application.cells.routing import Routed
from footfall.application.ports.cells import CellAway
from footfall.application.ports.report_snapshots import ReportSet

PORTS = [part.type for part in fields(ReportSet)]


@pytest.mark.parametrize("port", PORTS, ids=lambda port: port.__name__)
def test_each_method_of_a_report_names_the_site_first(port):
    methods = [method for name, method in inspect.getmembers(port, callable) if not name.startswith("_")]

    assert methods
    assert {list(inspect.signature(method).parameters)[1] for method in methods} == {"site_id"}


class Store:
    """Answers with its name and what it was asked."""

    def __init__(self, name):
        self.name = name

    async def overview(self, site_id, *values, **named):
        return self.name, site_id, values, named


async def test_a_call_goes_to_the_store_of_its_site_with_everything_that_it_says():
    stores = {1: Store("west"), 2: Store("east")}
    routed = Routed(stores.__getitem__)

    assert await routed.overview(2, "week", filters=()) == ("east", 2, ("week",), {"filters": ()})
    assert (await routed.overview(1))[0] == "west"


async def test_a_call_about_a_site_of_an_unknown_cell_is_refused():
    def unknown(_):
        raise CellAway("the cell west is away")

    with pytest.raises(CellAway):
        Routed(unknown).overview(1)
