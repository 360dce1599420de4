"""Rows of Matomo: its tables in a MariaDB bring every action and conversion once, in order, whatever they hold."""

import threading
from collections import Counter
from datetime import UTC, datetime

import pytest
from attrs import evolve

from footfall.adapters.sources.matomo.source import open_database
from footfall.application.ports.imports import LeftOutRow, SourceRow, UnreadableRow, UnreadableSource
from footfall.domain.tracking.hit import HitType
from tests.integration.sources.matomo_store import IS_PAGE, OF_SITE, ROWS, WITH_NAMES, read
from tests.waiting import wait_until

pytestmark = pytest.mark.needs("mariadbd")


def paged(source, rows):
    """Return a source that asks for pages of so many rows."""
    return evolve(source, table=evolve(source._table, rows_of_a_page=rows))


@pytest.fixture
def small(source):
    """A source with small pages and pieces."""
    return paged(evolve(source, rows_of_a_piece=333), 97)


def test_all_rows_come_once_in_the_order_of_time(source, small):
    rows = read(small)

    assert len(rows) == source.total() == OF_SITE
    assert [row.occurred_at for row in rows] == sorted(row.occurred_at for row in rows)
    assert {row.type for row in rows if isinstance(row, LeftOutRow)} == {"content", "conversion"}
    assert source.description == f"{source.description.split()[0]} at localhost"


def test_pages_of_any_length_bring_the_same(source):
    whole = list(map(repr, read(source)))

    for rows in (7, 500, OF_SITE, OF_SITE + 1):
        assert list(map(repr, read(paged(source, rows)))) == whole


def test_rows_are_those_that_the_tables_hold(source, server, database):
    rows = [row for row in read(source) if isinstance(row, SourceRow)]

    held = server.run(
        f"select count(*) from log_link_visit_action as a {WITH_NAMES} where idsite = 1 and {IS_PAGE}",
        database=database,
    )
    assert [(sum(row.type == HitType.PAGEVIEW for row in rows),)] == held
    named = Counter(row.event_name for row in rows if row.type == HitType.CUSTOM_EVENT)
    assert named.keys() == {"Abspielen", "Anruf & Termin", "ecommerceOrder", "site_search", None}
    paths = {"/", "/preise", "/日本語/💩", "/a%2Fb", "/video", "/danke", None}
    assert {row.pathname for row in rows} == paths
    assert {row.page_title for row in rows} == {'Titel "A" & B', None}
    assert {row.hostname for row in rows} == {"shop.example", "www.shop.example", None}
    assert {"Rubrik", "Kundenart"} <= {name for row in rows for name in row.properties or ()}
    assert {row.country for row in rows} == {"DE", "US", None}
    assert len({row.visitor for row in rows}) > ROWS / 5


def test_a_server_that_limits_its_answers_brings_every_row(source, server):
    rows = read(source)
    server.run("set global sql_select_limit = 3")
    try:
        assert read(source) == rows
    finally:
        server.run("set global sql_select_limit = default")


def test_each_mark_resumes_exactly(small):
    whole = list(map(repr, read(small)))

    done = 0
    for piece in small.pieces(None):
        done += len(piece.rows)
        assert list(map(repr, read(small, piece.mark))) == whole[done:]

    assert done == len(whole)


def test_rows_of_one_second_are_in_one_piece_and_in_the_order_of_their_ids(small, change):
    change(
        "update log_link_visit_action set server_time = '2019-12-31 23:30:00' where idlink_va between 500 and 1300"
    )

    pieces = [piece for piece in small.pieces(None) if piece.rows]

    moment = datetime(2019, 12, 31, 23, 30, tzinfo=UTC)
    assert sum(any(row.occurred_at == moment for row in piece.rows) for piece in pieces) == 1
    assert sum(len(piece.rows) for piece in pieces) == OF_SITE


def test_a_grown_database_adds_its_new_rows_and_rows_behind_the_mark_are_refused(source, change):
    mark = list(source.pieces(None))[-1].mark
    insert = (
        "insert into log_link_visit_action (idsite, idvisitor, idvisit, server_time, idaction_url)"
        " values (1, '12345678', 1, '{}', 1)"
    )
    change(insert.format("2024-01-01 00:00:00"))

    [row] = read(source, mark)

    assert row.occurred_at == datetime(2024, 1, 1, tzinfo=UTC)
    change(insert.format("2019-12-31 22:00:00"))
    with pytest.raises(UnreadableSource, match=r"has 1 row\(s\) more up to"):
        read(source, mark)


def test_a_cart_that_becomes_an_order_hides_no_row_behind_the_mark(source, change):
    mark = list(source.pieces(None))[-1].mark
    change(
        "update log_conversion set idgoal = 0, buster = 1, idorder = 'B', server_time = '2024-01-01' where idgoal = -1"
        " limit 1"
    )

    [order] = read(source, mark)

    assert (order.event_name, order.properties["order"]) == ("ecommerceOrder", "B")
    change("update log_link_visit_action set idsite = 1 where idlink_va = 97")
    with pytest.raises(UnreadableSource, match=r"has 1 row\(s\) more up to"):
        read(source, mark)


def test_times_with_fractions_resume_exactly(source, change):
    change(
        "alter table log_link_visit_action modify server_time datetime(6) not null",
        "update log_link_visit_action set server_time = server_time + interval 250000 microsecond",
    )

    *_, last = source.pieces(None)

    assert read(source, last.mark) == []


def test_a_page_asks_for_no_row_before_it(small, server):
    asked = "show global status like 'handler_icp_attempts'"
    [(_, before)] = server.run(asked)

    read(small)

    [(_, after)] = server.run(asked)
    assert int(after) - int(before) < 2 * OF_SITE


def test_what_matomo_adds_while_it_is_read_comes_with_the_next_import(small, change):
    mark, read_first = None, 0
    for number, piece in enumerate(small.pieces(None)):
        change(
            "insert into log_link_visit_action (idsite, idvisitor, idvisit, server_time, idaction_url)"
            f" values (1, '12345678', {number + 1}, utc_timestamp(), 1)",
            "insert into log_conversion (idsite, idvisitor, idvisit, server_time, idgoal, buster, url)"
            f" values (1, '12345678', {number + 1}, utc_timestamp(), 0, 0, '')",
            "update log_visit set config_browser_name = 'FF'",
        )
        mark, read_first = piece.mark, read_first + len(piece.rows)
    added = number + 1
    later = "server_time = '2024-01-01 00:00:00' where server_time > '2024-01-01'"
    change(f"update log_link_visit_action set {later}", f"update log_conversion set {later}")

    second = read(small, mark)

    assert (read_first, len(second)) == (OF_SITE, 2 * added)
    assert Counter(row.event_name for row in second) == {None: added, "ecommerceOrder": added}


def test_rows_of_the_last_minute_are_left_to_the_next_import(source, change):
    change("update log_link_visit_action set server_time = utc_timestamp() where idlink_va in (1, 2)")

    assert len(read(source)) == source.total() == OF_SITE - 2


def test_rows_that_were_purged_are_not_missed(small, change):
    first = next(iter(small.pieces(None)))
    change("delete from log_link_visit_action where idlink_va < 100", "delete from log_visit")

    assert read(small, first.mark)


def test_absurd_times_are_unreadable_and_resume(small, change):
    absurd = {
        3: "0000-00-00 00:00:00",
        4: "2020-00-00 00:00:00",
        5: "2020-01-00 12:00:00",
        6: "2019-11-31 00:00:00",
        9: "0001-01-01 00:00:00",
    }
    for number, time in absurd.items():
        change(f"update log_link_visit_action set server_time = '{time}' where idlink_va = {number}")
    change("update log_conversion set server_time = 0 where buster = 33")

    rows = read(small)

    faults = {row.place: row.fault for row in rows if isinstance(row, UnreadableRow)}
    assert faults == {
        "action 3": "it has no time",
        "conversion of visit 9, goal 1": "it has no time",
        "action 4": "its time is no date",
        "action 5": "its time is no date",
        "action 6": "its time is no date",
    }
    assert len(rows) == small.total() == OF_SITE
    done = 0
    for piece in small.pieces(None):
        done += len(piece.rows)
        assert len(read(small, piece.mark)) == OF_SITE - done


def test_texts_that_are_not_in_utf_8_have_marks_in_the_place_of_their_bytes(source, change):
    change(
        "alter table log_action modify name varbinary(4096)",
        "update log_action set name = x'73686f702e6578616d706c652ffc' where idaction = 1",
        "alter table log_visit modify location_city varchar(255) character set latin1",
    )

    rows = [row for row in read(source) if isinstance(row, SourceRow)]

    assert "/\ufffd" in {row.pathname for row in rows}
    assert "München" in {row.city for row in rows}


def test_a_name_that_is_gone_is_unreadable_by_the_number_of_its_action(source, change):
    change("delete from log_action where idaction = 2")

    faults = [row for row in read(source) if isinstance(row, UnreadableRow)]

    assert {row.fault for row in faults} == {"the row of its address is missing in log_action"}
    assert faults[0].place.startswith("action ")


def test_a_visit_whose_values_are_of_another_kind_makes_its_actions_unreadable(source, change):
    change(
        "alter table log_visit modify config_device_type varchar(20)",
        "update log_visit set config_device_type = 'tablet' where idvisit = 3",
    )

    faults = [row for row in read(source) if isinstance(row, UnreadableRow)]

    assert {row.fault for row in faults} == {"one of its values is missing or of another kind"}
    assert len(faults) <= 4


def pages_of(source):
    return [
        (row.occurred_at, row.pathname, row.visitor) for row in read(source) if row.type == HitType.PAGEVIEW
    ]


def test_a_database_without_the_columns_of_plugins_brings_the_same_pages(source, server, database, change):
    pages = pages_of(source)
    change(
        "drop table custom_dimensions",
        "alter table log_link_visit_action drop search_cat, drop search_count, drop custom_dimension_1,"
        " drop idaction_product_name, drop idaction_product_sku, drop idaction_product_cat, drop product_price",
        "alter table log_visit drop custom_dimension_1, drop custom_dimension_2, drop location_latitude, drop user_id",
    )

    assert pages_of(open_database(server.url(database), "1")) == pages


def test_dimensions_without_a_name_have_those_of_their_columns(server, database, change):
    change("delete from custom_dimensions")

    rows = read(open_database(server.url(database), "1"))

    names = {name for row in rows if isinstance(row, SourceRow) for name in row.properties or ()}
    assert {name for name in names if "Rubrik" in name or "custom" in name} == {"custom_dimension_1"}


def _kept_while_others_end(server, rows):
    """Return rows, when all other connections to the server are ended."""
    others = (
        "select id from information_schema.processlist where id <> connection_id() and user <> 'system user'"
    )
    for (number,) in server.run(others):
        server.run(f"kill {number}")
    return rows


def test_a_connection_that_is_lost_ends_the_reading_behind_the_rows_before_it(small, server):
    rows = []

    with pytest.raises(UnreadableSource, match="the connection was lost; repeat the import to go on"):
        rows.extend(row for piece in small.pieces(None) for row in _kept_while_others_end(server, piece.rows))

    assert 0 < len(rows) < OF_SITE


def test_reading_leaves_no_connection_and_no_thread(source, server):
    pieces = source.pieces(None)
    next(pieces)
    pieces.close()
    read(source)

    assert [thread.name for thread in threading.enumerate() if thread.name.startswith("import-ahead")] == []
    connections = "select count(*) from information_schema.processlist where user <> 'system user'"
    assert wait_until(lambda: server.run(connections) == [(1,)])


def test_nothing_is_written(source, server, database):
    tables = "log_action, log_conversion, log_link_visit_action, log_visit, goal, site"
    before = server.run(f"checksum table {tables}", database=database)

    read(source)

    assert server.run(f"checksum table {tables}", database=database) == before
