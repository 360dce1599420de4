"""Reading of reports from a scripted service: pages, repetitions, bounds, errors."""

import json
import logging
import os
import subprocess
import sys
import traceback

import pytest
from attrs import evolve

from footfall.client.reading import (
    Citation,
    Reader,
    ReadingError,
    ReportRefused,
    ServiceUnavailable,
    UnreadableAnswer,
)
from tests.servers.report_server import KEY, POSITIONS, Reply, ReportServer, rows
from tests.waiting import LONG

BUSY = Reply('{"success": false, "error": "Too many"}', 503, {"Retry-After": "0"})


@pytest.fixture
def served():
    """Return a function that starts a server with an answer, or with several in turn, and a reader of it."""
    opened = []

    def start(*answers, **options):
        if len(answers) == 1 and callable(answers[0]):
            [answer] = answers
        else:
            left = iter(answers)

            def answer(_asked):
                return next(left)

        server = ReportServer(answer).__enter__()
        reader = Reader(server.url, KEY, **{"retry_delay": 0.001, "timeout": LONG, **options})
        opened.extend([reader.close, server.__exit__])
        return server, reader

    yield start
    for close in opened:
        close()


def records(table):
    columns = {name: table.column(name).to_pylist() for name in table.column_names}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def types(table):
    return {one.name: str(one.type).split("<", 1)[1].rsplit(">", 1)[0] for one in table.schema}


def test_a_report_is_a_table_with_typed_columns(served):
    _, reader = served(rows("value,count,percentage", "DE,210,61.4", "AT,132,38.6"))

    table = reader.read(1, "breakdown", by="country")

    assert types(table) == {"value": "Utf8", "count": "Int64", "percentage": "Float64"}
    assert records(table)[0] == {"value": "DE", "count": 210, "percentage": 61.4}


def test_a_report_without_rows_has_its_columns_and_their_types(served):
    _, reader = served(rows("value,count,sum"))

    table = reader.read(1, "revenue", goal=1)

    assert table.num_rows == 0
    assert types(table) == {"value": "Utf8", "count": "Int64", "sum": "Decimal128(38, 9)"}


def test_numbers_and_texts_are_exact(served):
    lines = (
        "pathname,pageviews,bounce_rate,group",
        "'=1+1,9007199254740993,0.1,",
        "''quoted,9223372036854775807,1e-300,é",
        ',0,,"a, ""b""\r\n中"',
        "NULL,-1,0.30000000000000004,😀",
    )
    _, reader = served(rows(*lines))

    found = records(reader.read(1, "pages"))

    assert [row["pathname"] for row in found] == ["=1+1", "'quoted", "", "NULL"]
    assert [row["pageviews"] for row in found] == [2**53 + 1, 2**63 - 1, 0, -1]
    assert [row["bounce_rate"] for row in found] == [0.1, 1e-300, None, 0.1 + 0.2]
    assert [row["group"] for row in found] == [None, "é", 'a, "b"\r\n中', "😀"]


def test_times_are_in_utc(served):
    _, reader = served(rows("time,error_count", "2026-01-31T12:00:00.123Z,3"))

    [row] = records(reader.read(1, "error-bucketed"))

    assert row["time"].isoformat() == "2026-01-31T12:00:00.123000+00:00"


@pytest.mark.parametrize(
    ("sums", "kind", "expected"),
    [
        (["480.5", "", "1e-7"], "Decimal128(38, 9)", ["480.500000000", "None", "1.00E-7"]),
        (["1e+22", "-0.1"], "Decimal128(38, 9)", ["10000000000000000000000.000000000", "-0.100000000"]),
        (["1e+300", "1.5"], "Float64", ["1e+300", "1.5"]),
    ],
)
def test_money_is_decimal_unless_it_has_too_many_digits(served, sums, kind, expected):
    _, reader = served(rows("value,count,sum", *(f"x,1,{text}" for text in sums)))

    table = reader.read(1, "revenue", goal=1)

    assert types(table)["sum"] == kind
    assert [str(value) for value in table.column("sum").to_pylist()] == expected


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


def test_the_citation_of_an_earlier_state_can_be_asked_again(served):
    server, reader = served(lambda _asked: rows("value,count", positions=POSITIONS))
    earlier = reader.read(1, "breakdown", by="country", as_of="2026-02-01T00:00:00Z")

    citation = Citation.of(earlier)
    reader.read(1, "breakdown", **citation.parameters, as_of=citation.positions)

    assert [asked.query["as_of"] for asked in server.requests] == ["2026-02-01T00:00:00Z", POSITIONS]


def test_a_forked_process_reads_over_connections_of_its_own(served):
    ports = set()
    server, reader = served(lambda asked: ports.add(asked.port) or rows("visitors,pageviews", "1,2"))
    reader.read(1, "realtime")

    child = os.fork()
    if child == 0:
        os._exit(reader.read(1, "realtime").num_rows)
    _, status = os.waitpid(child, 0)
    reader.read(1, "realtime")

    assert os.waitstatus_to_exitcode(status) == 1
    assert (len(server.requests), len(ports)) == (3, 2)


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


def test_a_busy_service_is_asked_again(served):
    server, reader = served(BUSY, Reply("", 429, {"Retry-After": "0"}), rows("visitors,pageviews", "1,2"))

    assert records(reader.read(1, "realtime")) == [{"visitors": 1, "pageviews": 2}]
    assert len(server.requests) == 3


def test_a_service_that_stays_busy_is_given_up(served):
    server, reader = served(lambda _asked: BUSY, retries=2)

    with pytest.raises(ServiceUnavailable, match="Too many") as failed:
        reader.read(1, "realtime")

    assert (failed.value.status, failed.value.attempts, len(server.requests)) == (503, 3, 3)


def test_a_pause_that_is_too_long_is_not_waited_for(served):
    server, reader = served(lambda _asked: Reply("{}", 429, {"Retry-After": "3600"}))

    with pytest.raises(ServiceUnavailable):
        reader.read(1, "realtime")

    assert len(server.requests) == 1


def test_a_service_that_never_answers_is_given_up(served):
    server, reader = served(lambda _asked: None, retries=1, timeout=0.2)

    with pytest.raises(ServiceUnavailable, match="does not answer") as failed:
        reader.read(1, "realtime")

    assert (failed.value.status, len(server.requests)) == (None, 2)


def test_an_answer_that_drips_is_given_up(served):
    _, reader = served(lambda _asked: Reply("x" * 16_000, pause=0.05), retries=0, timeout=0.3)

    with pytest.raises(ServiceUnavailable, match="takes too long"):
        reader.read(1, "realtime")


def test_an_answer_that_breaks_off_is_asked_for_again(served):
    whole = rows("visitors,pageviews", "1,2")
    broken = Reply("visitors,pageviews\r\n1", 200, whole.headers, breaks_off=True)
    _, reader = served(broken, whole)

    assert records(reader.read(1, "realtime")) == [{"visitors": 1, "pageviews": 2}]


def test_a_refusal_names_the_parameters(served):
    details = {"fieldErrors": {"by": ["must be one of country"]}, "formErrors": []}
    body = {"success": False, "error": "Invalid request", "details": details}
    server, reader = served(Reply(json.dumps(body), 400, {"Content-Type": "application/json"}))

    with pytest.raises(ReportRefused) as refused:
        reader.read(1, "breakdown", by="planet")

    assert str(refused.value) == "Invalid request: by must be one of country"
    assert refused.value.fields == {"by": ["must be one of country"]}
    assert (refused.value.status, len(server.requests)) == (400, 1)


@pytest.mark.parametrize(
    "reply",
    [
        Reply("<html>", 200, {"Content-Type": "text/html"}),
        Reply("", 204),
        rows(),
        rows("a,b", "1"),
        rows("a", '"1'),
        rows("visitors,pageviews", "x,1"),
        rows("visitors,pageviews", "9223372036854775808,1"),
        rows("visitors,pageviews", "1,1", incomplete="many"),
        rows("visitors,pageviews", "1,1", positions="site=1, at=noon"),
        rows("visitors,pageviews", "1,1", positions="site=1, at=999999999999999999"),
    ],
)
def test_an_answer_that_is_no_report_is_an_error(served, reply):
    server, reader = served(reply)

    with pytest.raises(UnreadableAnswer):
        reader.read(1, "realtime")

    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [301, 302, 307])
def test_a_redirection_is_not_followed(served, status):
    server, reader = served(Reply("", status, {"Location": "/elsewhere"}))

    with pytest.raises(ReportRefused, match="redirected"):
        reader.read(1, "realtime")

    assert len(server.requests) == 1


def test_the_key_is_in_no_error_and_no_log(served, caplog):
    caplog.set_level(logging.DEBUG)
    echo = json.dumps({"success": False, "error": "no"})
    replies = [Reply(echo, 400), Reply("", 503, {"Retry-After": "0"}), Reply("", 200), None]
    told = []
    for reply in replies:
        _, reader = served(lambda _asked, reply=reply: reply, retries=0, timeout=0.2)
        with pytest.raises(ReadingError) as failed:
            reader.read(1, "realtime")
        context = failed.value.__context__
        told += [
            *traceback.format_exception(failed.value),
            repr(reader),
            repr(vars(failed.value)),
            repr(context),
        ]

    assert KEY not in "".join(told) + caplog.text


def test_what_a_report_is_asked_for_is_in_no_log(served, caplog):
    caplog.set_level(logging.DEBUG)
    server, reader = served(rows("session_id,pageviews", "a,1"))

    reader.read(1, "sessions", visitor="visitor-of-the-law-firm")
    logging.getLogger("httpx2").info("of the program itself")

    assert server.requests[0].query["visitor"] == "visitor-of-the-law-firm"
    assert "law-firm" not in caplog.text
    assert "of the program itself" in caplog.text


def test_parameters_that_fit_into_no_address_are_refused(served):
    server, reader = served(lambda _asked: None)

    with pytest.raises(ReportRefused, match="too long"):
        reader.read(1, "breakdown", by="country", filters=[{"value": "x" * 70_000}])

    assert server.requests == []


@pytest.mark.parametrize(
    ("report", "parameters", "error", "message"),
    [
        ("nothing", {}, ValueError, "there are goals, bots"),
        ("breakdown", {}, TypeError, "needs the parameter 'by'"),
        ("breakdown", {"by": "country", "planet": 3}, TypeError, "no parameter 'planet'; it has as_of, by"),
        ("breakdown", {"by": "country", "page": 3}, TypeError, "no parameter 'page'"),
        ("breakdown", {"by": "country", "limit": 0}, ValueError, "limit"),
        ("funnels/{funnel}", {}, TypeError, "funnel"),
    ],
)
@pytest.mark.parametrize("call", ["read", "pages"])
def test_a_wrong_call_asks_for_nothing(served, call, report, parameters, error, message):
    server, reader = served(lambda _asked: None)

    with pytest.raises(error, match=message):
        getattr(reader, call)(1, report, **parameters)

    assert server.requests == []


def test_parameters_are_written_as_the_service_reads_them(served):
    import datetime as dt  # noqa: PLC0415

    server, reader = served(rows("value,count"))
    condition = {"parameter": "country", "type": "equals", "value": ["DE"]}

    reader.read(
        "a/b",
        "breakdown",
        by="pathname",
        visitors=True,
        start_date=dt.date(2026, 1, 1),
        end_date="2026-01-31",
        as_of=dt.datetime(2026, 2, 1, tzinfo=dt.UTC),
        filters=[condition],
    )

    [asked] = server.requests
    assert asked.path == "/api/sites/a%2Fb/breakdown"
    assert asked.key == f"Bearer {KEY}"
    assert json.loads(asked.query.pop("filters")) == [condition]
    assert asked.query == {
        "by": "pathname",
        "visitors": "true",
        "start_date": "2026-01-01",
        "end_date": "2026-01-31",
        "as_of": "2026-02-01T00:00:00+00:00",
        "page": "1",
        "limit": "10000",
    }


@pytest.mark.parametrize(("name", "quoted"), [("../2", "..%2F2"), ("..", "%2E%2E"), (".", "%2E")])
def test_what_the_path_names_is_quoted(served, name, quoted):
    server, reader = served(rows("step,name"))

    reader.read(name, "funnels/{funnel}", funnel=name)

    assert server.requests[0].path == f"/api/sites/{quoted}/funnels/{quoted}"


def test_a_table_has_its_citation(served):
    _, reader = served(rows("value,count", "é,1", positions=POSITIONS, excluded="2", incomplete="5"))

    citation = Citation.of(reader.read(1, "breakdown", by="country"))

    assert (citation.report, citation.site, citation.parameters) == ("breakdown", "1", {"by": "country"})
    assert (citation.positions, citation.at) == (POSITIONS, "2026-11-22T12:40:00.000Z")
    assert (citation.excluded, citation.incomplete) == (2, 5)
    assert str(citation).startswith("breakdown of site 1 at http://127.0.0.1:")


def test_a_table_that_lost_its_citation_says_so(served):
    _, reader = served(rows("value,count"))
    table = reader.read(1, "breakdown", by="country")

    with pytest.raises(ValueError, match="no citation"):
        Citation.of(type(table).from_arrays(list(table.columns), names=table.column_names))


def test_polars_and_duckdb_read_a_table(served):
    import duckdb  # noqa: PLC0415
    import polars as pl  # noqa: PLC0415

    _, reader = served(rows("value,count,sum", "é,9007199254740993,1.5", ",1,"))
    found = reader.read(1, "revenue", goal=1)

    assert pl.DataFrame(found)["count"].to_list() == [9007199254740993, 1]
    assert duckdb.sql("select value, count, sum::text from found").fetchall() == [
        ("é", 9007199254740993, "1.500000000"),
        ("", 1, None),
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"analytics_host": "https://desk.example.com"}, "analytics_host"),
        ({"api_key": "a b"}, "api_key"),
        ({"timeout": 0}, "timeout"),
        ({"page_size": 10_001}, "page_size"),
        ({"page_size": True}, "page_size"),
    ],
)
def test_an_invalid_option_is_named(options, message):
    with pytest.raises(ValueError, match=message):
        Reader(**{"analytics_host": "https://desk.example.com/api", "api_key": "k", **options})


def test_the_environment_names_service_and_key(served, monkeypatch):
    import footfall  # noqa: PLC0415

    server, _ = served(rows("visitors,pageviews", "1,2"))
    monkeypatch.setenv("FOOTFALL_URL", server.url.removesuffix("/api"))
    monkeypatch.setenv("FOOTFALL_API_KEY", KEY)

    assert footfall.read(1, "realtime").num_rows == 1


def test_a_variable_that_is_missing_is_named(monkeypatch):
    import footfall  # noqa: PLC0415

    monkeypatch.setenv("FOOTFALL_URL", "https://desk.example.com")
    monkeypatch.delenv("FOOTFALL_API_KEY", raising=False)

    with pytest.raises(ValueError, match="FOOTFALL_API_KEY"):
        footfall.read(1, "realtime")


def test_an_address_that_is_none_is_named(monkeypatch):
    import footfall  # noqa: PLC0415

    monkeypatch.setenv("FOOTFALL_URL", "desk.example.com")
    monkeypatch.setenv("FOOTFALL_API_KEY", KEY)

    with pytest.raises(ValueError, match="FOOTFALL_URL must be"):
        footfall.read(1, "realtime")


@pytest.mark.parametrize("package", ["arro3.core", "httpx2"])
def test_a_package_that_is_missing_is_named_with_what_installs_it(package):
    program = f"import sys; sys.modules[{package!r}] = None; import footfall; footfall.read"

    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert ran.returncode == 1
    assert '"footfall[reading]"' in ran.stderr.splitlines()[-1]


def test_readers_leave_nothing_behind_and_open_nothing_before_they_read(monkeypatch):
    registered = []
    monkeypatch.setattr(os, "register_at_fork", lambda **hooks: registered.append(hooks))
    monkeypatch.setattr("httpx2.Client", lambda **_: pytest.fail("opened"))

    for _ in range(3):
        Reader("https://desk.example.com/api", KEY)

    assert len(registered) <= 1


def test_the_call_explains_itself():
    import footfall  # noqa: PLC0415

    assert "FOOTFALL_API_KEY" in footfall.read.__doc__


def test_importing_footfall_loads_nothing_else():
    program = "import sys, footfall; print(sorted({'arro3', 'attrs', 'httpx2', 'footfall.client'} & set(sys.modules)))"

    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        == "[]\n"
    )
