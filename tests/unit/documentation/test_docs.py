"""The documentation names every command, setting, event and outcome."""

import re
import tomllib

import pytest

from footfall.application.ingestion.results import DropReason, outcome_key
from footfall.application.journal.event_codec import EVENT_TYPES
from footfall.entrypoints.cli import cli
from footfall.entrypoints.settings import Settings, read_settings


@pytest.fixture(scope="module")
def operations(request):
    pages = (request.config.rootpath / "docs" / "operate").glob("*.md")
    return "".join(page.read_text() for page in pages)


def test_every_command_has_its_heading(operations):
    headings = set(re.findall(r"^### footfall (\w+)", operations, re.MULTILINE))

    assert headings == set(cli.commands)


def test_every_setting_is_in_the_table(operations):
    names = {f"FOOTFALL_{name.upper()}" for name in Settings.__annotations__}

    assert {name for name in names if f"`{name}`" not in operations} == set()
    assert read_settings({}) is not None


def test_every_option_has_an_environment_twin():
    for command in _commands(cli):
        for parameter in command.params:
            if parameter.param_type_name == "option" and parameter.name not in ("help", "version"):
                expected = f"FOOTFALL_{max(parameter.opts, key=len).lstrip('-').replace('-', '_').upper()}"
                assert parameter.envvar == expected


def test_every_command_but_those_that_print_no_answer_has_json():
    # Services answer by their protocols, and the OpenAPI document is JSON in any case.
    without = {
        command.name
        for command in _commands(cli)
        if not hasattr(command, "commands") and "as_json" not in {one.name for one in command.params}
    }

    assert without == {"serve", "mcp", "openapi"}


def test_every_command_explains_itself_and_its_options():
    for command in _commands(cli):
        assert command.help
        for parameter in command.params:
            assert parameter.param_type_name == "argument" or parameter.help, (command.name, parameter.name)


def _commands(command):
    yield command
    for child in getattr(command, "commands", {}).values():
        yield from _commands(child)


def test_every_event_of_the_journal_has_its_heading(request):
    pages = [
        page.read_text() for page in (request.config.rootpath / "docs" / "internals" / "journal").glob("*.md")
    ]

    assert sorted(re.findall(r"^### (\S+)", "\n".join(pages), re.MULTILINE)) == sorted(EVENT_TYPES)


def test_everything_that_an_event_can_be_counted_under_is_in_the_table(request):
    page = (
        (request.config.rootpath / "docs" / "track" / "ingestion.md")
        .read_text()
        .partition("## Counts of outcomes")[2]
    )
    table = {
        (outcome, reason)
        for outcome, reasons in re.findall(r"^\| `(\w+)` \| (.*?) \|", page, re.MULTILINE)
        for reason in re.findall(r"`(\w+)`", reasons) or [""]
    }

    # A measure without a pageview is no event.
    keys = [outcome_key(1, reason) for reason in {*DropReason, None} - {DropReason.NO_PAGEVIEW}]
    assert table == {("stored", "")} | {(key.outcome, key.reason) for key in keys}


@pytest.mark.parametrize(("page", "least"), [("docs/internals/security.md", 20), ("CONTRIBUTING.md", 10)])
def test_the_tests_that_are_named_exist(request, page, least):
    text = (request.config.rootpath / page).read_text()
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", text)

    missing = [
        (path, name)
        for path, name in named
        if not (file := request.config.rootpath / path).exists() or f"def {name}" not in file.read_text()
    ]

    assert len(named) > least
    assert missing == []


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_everything_that_is_installed_is_pinned_and_hashed(request, lock):
    entries = re.split(r"\n(?=\S)", (request.config.rootpath / lock).read_text().strip())

    assert len(entries) > 20
    assert [entry for entry in entries if "==" not in entry or "--hash=sha256:" not in entry] == []


def test_every_target_of_make_is_described(request):
    phony = re.search(r"^\.PHONY: (.*)$", (request.config.rootpath / "Makefile").read_text(), re.MULTILINE)[1]
    page = (request.config.rootpath / "CONTRIBUTING.md").read_text()

    assert {target for target in phony.split() if f"`make {target}`" not in page} == {"clean"}


def test_options_that_are_described_are_options(operations):
    described = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", operations))
    known = {
        option for command in _commands(cli) for parameter in command.params for option in parameter.opts
    }

    # `--system` belongs to `useradd`, the others to Docker.
    docker = {"--detach", "--publish", "--tag", "--volume"}
    assert described - known == {*docker, "--system", "--help"}


def test_every_dependency_is_on_the_page_about_them_below_its_extra(request):
    project = tomllib.loads((request.config.rootpath / "pyproject.toml").read_text())["project"]
    extras = {name: project["optional-dependencies"][name] for name in ("client", "reading", "server")}
    page = (request.config.rootpath / "docs" / "internals" / "dependencies.md").read_text()

    described = {
        heading.removeprefix("Extra ").strip("`"): re.findall(r"^\| `([\w-]+)` \|", text, re.MULTILINE)
        for heading, text in re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    }

    for heading, packages in {"Always": project["dependencies"], **extras}.items():
        assert described[heading] == sorted(re.match(r"[\w-]+", one)[0] for one in packages)
    assert set(project["optional-dependencies"]) == {*extras, "test", "dev"}
