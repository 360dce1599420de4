"""The places of cells, as URLs of their stores, and the layouts of these."""

import pytest

from footfall.adapters.postgres.cells.citus.layout import LAYOUT as CITUS
from footfall.adapters.postgres.cells.citus.nodes import at_node
from footfall.adapters.postgres.cells.places import url_of_cell
from footfall.adapters.postgres.database.layout import Layout, layout_of
from footfall.adapters.postgres.database.schemas import lock_class_of, schema_of, search_path_of, server_of
from footfall.domain.cells.cell import LAYOUTS, split_place
from footfall.entrypoints.setting_parsers import cells

PLACE = "citus+postgresql://app:secret@10.0.4.1,10.0.4.2/footfall?sslmode=verify-full"
PLAIN = "postgresql://app:a+b@10.0.4.1/footfall"


def test_a_cell_on_citus_has_a_schema_and_a_role_of_its_name():
    url = url_of_cell("west", PLACE)

    assert (schema_of(url), layout_of(url)) == ("cell_west", CITUS)
    assert "-c role=cell_west" in url
    assert "sslmode=verify-full" in url


def test_the_login_makes_the_role():
    url = CITUS.login(url_of_cell("west", PLACE))

    assert "role=" not in url
    assert (schema_of(url), layout_of(url)) == ("cell_west", CITUS)


def test_a_node_is_asked_as_the_coordinator_was():
    url = at_node(url_of_cell("west", PLACE), "10.0.4.3", 5433)

    assert server_of(url) == "10.0.4.3:5433"
    assert "10.0.4.1" not in url
    assert (schema_of(url), layout_of(url)) == ("cell_west", CITUS)
    assert "password=secret" in url


def test_reports_look_at_the_shards_before_the_tables():
    url = url_of_cell("west", PLACE)
    reading = CITUS.for_reports(url)

    assert search_path_of(reading) == "cell_west_shards,cell_west"
    assert schema_of(reading) == schema_of(url)
    assert lock_class_of(reading) == lock_class_of(url)


async def test_other_places_have_a_schema_alone():
    url = url_of_cell("west", PLAIN)
    layout = layout_of(url)

    assert type(layout) is Layout
    assert "role=" not in url
    assert layout.login(url) == layout.for_reports(url) == await layout.at_home(url) == url


@pytest.mark.parametrize("place", [PLAIN, "plain+postgresql:///footfall", "citus", ""])
def test_a_place_without_a_layout_is_a_url(place):
    assert split_place(place) == (None, place)


@pytest.mark.parametrize("name", LAYOUTS)
def test_each_layout_of_a_place_is_found_by_its_name(name):
    assert type(layout_of(url_of_cell("west", f"{name}+{PLAIN}"))).__module__.split(".")[-2:] == [
        name,
        "layout",
    ]


def test_the_setting_keeps_the_layout_of_a_place():
    assert cells(f"west={PLACE}") == {"west": PLACE}
