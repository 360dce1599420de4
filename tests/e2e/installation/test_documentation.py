"""Every command and every program of the documentation runs, page by page, against one real service."""

import json
import shlex
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

import pytest

from tests.e2e.installation.forked_commands import forking
from tests.e2e.service import Service
from tests.snippets import ELSEWHERE, NOT_RUN, PAGES, ROOT, SHELL, commands_of, name_of, snippets_of

MARK = "=-=-=-="
# A page can have three dozen commands: long on a machine that is busy.
PATIENCE = 400
PRELUDE = f"""
set -euo pipefail
curl() {{ command curl --fail-with-body --max-time 20 "$@" && echo; }}
pip() {{ {shlex.quote(sys.executable)} -m pip "$@"; }}
ssh() {{ shift; FOOTFALL_DATA_DIR="$ELSEWHERE" "$@"; }}
"""


@pytest.fixture(scope="module")
def prelude():
    """Return what a shell knows before the commands of a page; those of Footfall are forked."""
    with tempfile.TemporaryDirectory(prefix="footfall-docs-") as folder, forking(f"{folder}/socket") as words:
        yield f'{PRELUDE}footfall() {{ {shlex.join(words)} "$@"; }}\n'


@pytest.fixture(scope="module")
def another_machine():
    """Return the data directory of another installation, which `ssh elsewhere` uses."""
    with tempfile.TemporaryDirectory(prefix="footfall-docs-", ignore_cleanup_errors=True) as folder:
        other = Service(Path(folder) / "data")
        other.administer(
            "init", "--organization", "Elsewhere", "--site", "Elsewhere", "--domain", "localhost"
        )
        yield other.data_dir


def runnable(page, languages):
    return [
        snippet
        for snippet in snippets_of(page)
        if snippet.language in languages
        and (snippet.page, snippet.first_line) not in NOT_RUN
        and (snippet.page, snippet.language) not in ELSEWHERE
    ]


def pages_with(languages):
    return [pytest.param(page, id=name_of(page)) for page in PAGES if runnable(page, languages)]


def as_here(code, service):
    """Replace the documented addresses and key with those of this service."""
    key = service.first_key()
    return (
        code.replace("https://desk.example.com", service.base_url)
        .replace("http://127.0.0.1:8000", service.base_url)
        .replace("ff_...", key)
    )


def shape(document):
    """Return the parts of an answer that do not depend on time: fields, types and booleans."""
    if isinstance(document, dict):
        return {name: shape(value) for name, value in document.items()}
    if isinstance(document, list):
        return [shape(value) for value in document]
    return document if document is None or isinstance(document, bool) else type(document).__name__


def agree(given, documented):
    """Compare an answer with the page; JSON answers agree when they have the same shape."""
    try:
        expected = shape(json.loads(documented))
    except json.JSONDecodeError:
        assert given == documented
    else:
        assert shape(json.loads(given)) == expected


def ran(service, command, folder, **environment):
    key = service.first_key()
    done = subprocess.run(
        command,
        env=service.process_environment
        | {"FOOTFALL_API_KEY": key, "KEY": key, "URL": service.base_url, "SITE": "1", "ORGANIZATION": "1"}
        | {"FOOTFALL_PORT": str(service.port)}
        | environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return [part.strip("\n") for part in done.stdout.split(f"{MARK}\n")]


def typed(command, service):
    line = as_here(command.line, service).strip("\n")
    if is_refusal(command.answer):
        line = f"if {line}; then exit 1; fi"
    return f"\necho {MARK}\n{line}"


def is_refusal(answer):
    return answer.startswith("{") and json.loads(answer).get("success") is False


@pytest.mark.slow
@pytest.mark.needs("curl")
@pytest.mark.timeout(PATIENCE + 100)
@pytest.mark.parametrize("page", pages_with(SHELL))
def test_the_commands_of_a_page_work_and_answer_what_it_says(
    page, service, prelude, another_machine, tmp_path
):
    (tmp_path / ".venv").symlink_to(sys.prefix)
    (tmp_path / "GeoLite2-City.mmdb.new").touch()
    commands = [command for snippet in runnable(page, SHELL) for command in commands_of(snippet)]
    script = prelude + "".join(typed(command, service) for command in commands)

    _, *answers = ran(service, ["bash", "-c", script], tmp_path, ELSEWHERE=str(another_machine))

    for command, answer in zip(commands, answers, strict=True):
        if command.answer:
            agree(answer, command.answer)


@pytest.mark.slow
@pytest.mark.parametrize("page", pages_with({"python"}))
def test_the_programs_of_a_page_run_and_print_what_it_says(page, service, tmp_path):
    # The past of a site begins with its first event.
    service.send("POST", "/api/track", {"site_id": "1", "pathname": "/"}, key=service.first_key())
    service.settle_past()
    programs = runnable(page, {"python", "text"})
    program = "".join(
        f"\nprint('{MARK}')\n{as_here(snippet.code, service)}"
        for snippet in programs
        if snippet.language == "python"
    )

    _, *printed = ran(service, [sys.executable, "-W", "error", "-c", program], tmp_path)

    promised = {
        before.number: after.code.strip("\n")
        for before, after in pairwise(programs)
        if (before.language, after.language) == ("python", "text")
    }
    numbers = [snippet.number for snippet in programs if snippet.language == "python"]
    given = dict(zip(numbers, printed, strict=True))
    assert {number: given[number] for number in promised} == promised


@pytest.mark.slow
def test_what_the_python_programs_track_arrives(service, tmp_path):
    page = ROOT / "docs/track/python.md"
    before = stored(service)

    ran(
        service,
        [sys.executable, "-c", as_here(runnable(page, {"python"})[0].code, service)],
        tmp_path,
    )

    assert stored(service) == before + 2


def stored(service):
    _, ledger = service.get("/api/sites/1/ingestion", key=service.first_key())
    return ledger["data"]["outcomes"].get("stored", {"events": 0})["events"]
