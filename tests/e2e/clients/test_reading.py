"""Reading of every report from a real service with traffic, also while it is killed; and the notebook."""

import itertools
import json
import subprocess
import sys
import threading
from math import ceil

import polars as pl
import pytest

from footfall.client.reading import Citation, Reader
from footfall.client.reading.interface.reports import REPORTS
from tests.e2e.service import running

# What is a text in the table alone: names of rows, and a list.
TEXTS = {("overview", "period"), ("live", "kind"), ("sessions/{session}", "goals")}
# With these parameters reports have further columns.
WIDER = [
    ("breakdown", {"by": "pathname", "visitors": True, "goal": 4, "compare_with": "previous"}),
    ("funnels/{funnel}", {"funnel": 1, "compare": "previous"}),
    ("journeys", {"compare_with": "previous"}),
    ("retention", {"compare": "previous"}),
    ("revenue", {"goal": 4, "compare_model": "first"}),
]


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """Return a service whose first site has the traffic of the demonstration."""
    folder = tmp_path_factory.mktemp("shop")
    with running(folder / "data", environment={"FOOTFALL_RATE_LIMIT": "off"}) as service:
        service.administer("demo", "--site", "1", "--days", "5")
        service.settle()
        yield service


@pytest.fixture
def reader(shop):
    with Reader(f"{shop.base_url}/api", shop.first_key(), retry_delay=0.5) as reader:
        yield reader


def asked(reader):
    """Return a call of each report, and some with more columns."""
    session = reader.read(1, "sessions", limit=1).column("session_id").to_pylist()[0]
    error = reader.read(1, "errors").column("id").to_pylist()[0]
    message = reader.read(1, "error-names").column("value").to_pylist()[0]
    known = {
        "goal": 4,
        "funnel": 1,
        "session": session,
        "group": error,
        "errorMessage": message,
        "event": "order",
        "property": "total",
        "by": "country",
    }
    calls = [(name, {one: known[one] for one in report.required}) for name, report in REPORTS.items()]
    return [*calls, *WIDER]


@pytest.mark.slow
def test_every_column_of_every_report_has_the_type_of_the_interface(reader):
    calls = asked(reader)
    columns = {
        (name, column)
        for name, parameters in calls
        for column in reader.read(1, name, **parameters).column_names
    }

    unknown = {(name, column) for name, column in columns if not REPORTS[name].knows(column)}

    assert unknown == TEXTS
    assert {name for name, _ in columns} == set(REPORTS)


@pytest.mark.slow
def test_a_table_says_what_the_json_answer_says(shop, reader):
    _, body = shop.get("/api/sites/1/pages?limit=200", key=shop.first_key())

    found = pl.DataFrame(reader.read(1, "pages"))

    assert found.rows(named=True) == body["data"]


@pytest.mark.slow
def test_the_citation_of_each_report_gives_its_rows_again(reader):
    for name, parameters in asked(reader):
        table = reader.read(1, name, **parameters)
        citation = Citation.of(table)
        assert (citation.positions is None) == (not REPORTS[name].has_past)
        if not REPORTS[name].has_past:
            continue
        again = reader.read(1, name, **citation.parameters, as_of=citation.positions)
        assert pl.DataFrame(again).equals(pl.DataFrame(table)), name


@pytest.mark.slow
def test_each_report_says_the_same_in_pages_of_any_size(shop, reader):
    for name, parameters in asked(reader):
        whole = reader.read(1, name, **parameters)
        as_of = {"as_of": Citation.of(whole).positions} if REPORTS[name].has_past else {}
        # The second size leaves a page without rows at the end.
        for size in {ceil(whole.num_rows / 3), whole.num_rows} - {0}:
            with Reader(f"{shop.base_url}/api", shop.first_key(), page_size=size, retry_delay=0.5) as small:
                again = small.read(1, name, **parameters, **as_of)
            assert again.column_names == whole.column_names, name
            assert pl.DataFrame(again).equals(pl.DataFrame(whole)), (name, size)


@pytest.mark.slow
def test_a_list_is_read_whole_while_the_service_is_killed_and_events_arrive(shop):
    key = shop.first_key()
    with Reader(f"{shop.base_url}/api", key, page_size=20, retry_delay=1.0, retries=8) as reader:
        expected = pl.DataFrame(reader.read(1, "sessions"))
        pages = reader.pages(1, "sessions")
        first = list(itertools.islice(pages, 3))

        def disturb():
            shop.send("POST", "/api/track", {"site_id": "1", "pathname": "/new"}, key=key)
            shop.kill_everything()
            shop.start()

        disturbing = threading.Thread(target=disturb)
        disturbing.start()
        found = [pl.DataFrame(page) for page in (*first, *pages)]
        disturbing.join()

    assert pl.concat(found)["session_id"].to_list() == expected["session_id"].to_list()


@pytest.mark.slow
def test_the_notebook_runs_and_is_kept_without_outputs(shop, project, tmp_path):
    notebook = json.loads((project / "docs/read/programs/reading.ipynb").read_text())
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    program = "\n".join("".join(cell["source"]) for cell in cells)
    named = {"FOOTFALL_URL": shop.base_url, "FOOTFALL_API_KEY": shop.first_key()}

    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env=shop.process_environment | named,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )

    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("breakdown of site 1 at ")
    assert [(cell["outputs"], cell["execution_count"]) for cell in cells] == [([], None)] * len(cells)
