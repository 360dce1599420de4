"""The places of cells, as URLs of their stores."""

from footfall.adapters.postgres.cells.places import url_of_cell
from footfall.adapters.postgres.database.schemas import (
    as_login,
    at_node,
    for_reports,
    is_citus,
    lock_class_of,
    schema_of,
    search_path_of,
)
from footfall.entrypoints.setting_parsers import cells

PLACE = "citus+postgresql://app:secret@10.0.4.1,10.0.4.2/footfall?sslmode=verify-full"


def test_a_cell_on_citus_has_a_schema_and_a_role_of_its_name():
    url = url_of_cell("west", PLACE)

    assert (schema_of(url), is_citus(url)) == ("cell_west", True)
    assert "-c role=cell_west" in url
    assert "sslmode=verify-full" in url


def test_the_login_makes_the_role():
    url = as_login(url_of_cell("west", PLACE))

    assert "role=" not in url
    assert (schema_of(url), is_citus(url)) == ("cell_west", True)


def test_a_node_is_asked_as_the_coordinator_was():
    url = at_node(url_of_cell("west", PLACE), "10.0.4.3", 5433)

    assert "host=10.0.4.3" in url
    assert "port=5433" in url
    assert "10.0.4.1" not in url
    assert (schema_of(url), is_citus(url)) == ("cell_west", True)
    assert "password=secret" in url


def test_reports_look_at_the_shards_before_the_tables():
    url = url_of_cell("west", PLACE)

    assert search_path_of(for_reports(url)) == "cell_west_shards,cell_west"
    assert schema_of(for_reports(url)) == schema_of(url)
    assert lock_class_of(for_reports(url)) == lock_class_of(url)


def test_other_places_have_a_schema_alone():
    url = url_of_cell("west", "postgresql://app@10.0.4.1/footfall")

    assert not is_citus(url)
    assert "role=" not in url
    assert as_login(url) == for_reports(url) == url


def test_the_setting_keeps_the_mark_of_a_place_on_citus():
    assert cells(f"west={PLACE}") == {"west": PLACE}
