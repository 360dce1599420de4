"""Reports in pages: each row once, in its order, of one state, up to the limit."""

import pytest
from attrs import evolve

from footfall.client.reading import UnreadableAnswer
from tests.servers.report_server import POSITIONS, rows


def test_thousands_of_pages_are_one_table_of_one_state(served):
    def page(asked):
        number = int(asked.query["page"])
        return rows("value,count", *(["x,1"] * (3 if number < 2_000 else 2)), positions=POSITIONS)

    server, reader = served(page, page_size=3)

    table = reader.read(1, "breakdown", by="country")

    assert table.num_rows == 3 * 1_999 + 2
    assert len(server.requests) == 2_000
    assert "as_of" not in server.requests[0].query
    assert {asked.query["as_of"] for asked in server.requests[1:]} == {POSITIONS}


def test_a_list_goes_on_at_the_place_that_the_service_names(served):
    server, reader = served(
        rows("session_id,pageviews", "a,1", next="first", positions=POSITIONS),
        rows("session_id,pageviews", "b,1", next="second", positions=POSITIONS),
        rows("session_id,pageviews", positions=POSITIONS),
    )

    tables = list(reader.pages(1, "sessions"))

    assert [table.num_rows for table in tables] == [1, 1]
    assert [asked.query.get("cursor") for asked in server.requests] == [None, "first", "second"]


def test_a_list_that_goes_on_at_the_same_place_ends_with_an_error(served):
    _, reader = served(lambda _asked: rows("session_id", "a", next="again", positions=POSITIONS))

    with pytest.raises(UnreadableAnswer, match="same place"):
        reader.read(1, "sessions")


def test_an_iterator_asks_for_a_page_when_it_is_needed(served):
    server, reader = served(lambda _asked: rows("value,count", "x,1", "y,2"), page_size=2)

    tables = reader.pages(1, "breakdown", by="country")

    assert len(server.requests) == 0
    assert next(tables).num_rows == 2
    assert len(server.requests) == 1


def numbered(asked):
    """Return a page of 20 rows."""
    number, size = int(asked.query["page"]), int(asked.query["limit"])
    lines = [f"{row},1" for row in range(20)][(number - 1) * size : number * size]
    return rows("value,count", *lines, positions=POSITIONS)


@pytest.mark.parametrize("page_size", [1, 3, 4, 7, 10, 19, 20, 10_000])
@pytest.mark.parametrize("limit", [1, 10, 19, 20, 21, None])
def test_rows_are_there_once_and_in_their_order_up_to_the_limit(served, page_size, limit):
    _, reader = served(numbered, page_size=page_size)

    table = reader.read(1, "breakdown", by="country", limit=limit)

    assert table.column("value").to_pylist() == [str(row) for row in range(limit or 20)][:20]


def test_an_answer_of_one_page_has_as_many_rows_as_its_limit(served):
    server, reader = served(lambda _asked: rows("value,count", *(["x,1"] * 9)), page_size=2)

    assert reader.read(1, "movers", by="country", limit=7).num_rows == 7
    assert [asked.query["limit"] for asked in server.requests] == ["7"]


@pytest.mark.parametrize("report", ["bots", "error-bucketed"])
def test_an_answer_that_has_no_pages_is_asked_for_once(served, report):
    server, reader = served(lambda _asked: rows("a,b", *(["x,1"] * 9)), page_size=3)
    needed = {"errorMessage": "x"} if report == "error-bucketed" else {}

    assert [table.num_rows for table in reader.pages(1, report, **needed)] == [9]
    assert len(server.requests) == 1


def test_what_is_above_the_rows_of_each_page_is_there_once(served):
    def page(asked):
        of_all = numbered(asked)
        return evolve(
            of_all, body=of_all.body.replace("value", "pathname").replace("\r\n", "\r\n(all pages),9\r\n", 1)
        )

    _, reader = served(page, page_size=5)

    found = reader.read(1, "web-vitals").column("pathname").to_pylist()
    assert found == ["(all pages)", *(str(row) for row in range(20))]


def test_a_page_without_rows_may_have_fewer_columns(served):
    _, reader = served(
        rows("value,count,visitors", "x,1,1", positions=POSITIONS), rows("value,count"), page_size=1
    )

    assert reader.read(1, "breakdown", by="country", visitors=True).column_names == [
        "value",
        "count",
        "visitors",
    ]


def test_pages_of_an_unknown_state_are_no_report(served):
    server, reader = served(lambda _asked: rows("value,count", "x,1"), page_size=1)

    with pytest.raises(UnreadableAnswer, match="as of when"):
        reader.read(1, "breakdown", by="country")

    assert len(server.requests) == 1
