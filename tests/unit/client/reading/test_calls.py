"""Calls of a reader: parameters, options, and what the environment has to have."""

import datetime as dt
import json
import subprocess
import sys

import pytest

import footfall
from footfall.client.reading import Reader, ReportRefused
from tests.servers.report_server import KEY, rows


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
    server, _ = served(rows("visitors,pageviews", "1,2"))
    monkeypatch.setenv("FOOTFALL_URL", server.url.removesuffix("/api"))
    monkeypatch.setenv("FOOTFALL_API_KEY", KEY)

    assert footfall.read(1, "realtime").num_rows == 1


def test_a_variable_that_is_missing_is_named(monkeypatch):
    monkeypatch.setenv("FOOTFALL_URL", "https://desk.example.com")
    monkeypatch.delenv("FOOTFALL_API_KEY", raising=False)

    with pytest.raises(ValueError, match="FOOTFALL_API_KEY"):
        footfall.read(1, "realtime")


def test_an_address_that_is_none_is_named(monkeypatch):
    monkeypatch.setenv("FOOTFALL_URL", "desk.example.com")
    monkeypatch.setenv("FOOTFALL_API_KEY", KEY)

    with pytest.raises(ValueError, match="FOOTFALL_URL must be"):
        footfall.read(1, "realtime")


@pytest.mark.parametrize("package", ["arro3.core", "httpx2"])
def test_a_package_that_is_missing_is_named_with_what_installs_it(package):
    program = f"import sys; sys.modules[{package!r}] = None; import footfall; footfall.read"

    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert ran.returncode == 1
    assert "footfall[reading]" in ran.stderr.splitlines()[-1]


def test_the_call_explains_itself():
    assert "FOOTFALL_API_KEY" in footfall.read.__doc__


def test_importing_footfall_loads_nothing_else():
    program = "import sys, footfall; print(sorted({'arro3', 'attrs', 'httpx2', 'footfall.client'} & set(sys.modules)))"

    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        == "[]\n"
    )
