"""The packages that `make run` and `make test` install."""

import re
import tomllib

import pytest


def locked(project, name):
    """Return the versions of a lock by package; one that depends on the platform has a mark behind its version."""
    found = re.findall(r"^([a-z0-9-]+)==([^ \\;]+)( ;[^\\]*)?", (project / name).read_text(), re.MULTILINE)
    return {(package, mark.strip()): version for package, version, mark in found}


@pytest.fixture(scope="module")
def declared(project):
    return tomllib.loads((project / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def test_tests_run_with_the_packages_and_versions_of_the_service(project):
    run, tests = locked(project, "requirements.lock"), locked(project, "requirements-dev.lock")

    assert len(run) > 40
    assert run.items() - tests.items() == set()


def test_the_extra_of_the_readme_is_all_that_make_run_installs(project, declared):
    lock = (project / "Makefile").read_text()

    assert '$ pip install ".[server]"' in (project / "README.md").read_text()
    assert re.findall(r"--extra (\S+)", lock) == ["dev", "server"]
    assert {"duckdb", "authlib", "webauthn", "symbolic", "mcp", "pymysql"} <= {
        re.match(r"[\w-]+", one)[0] for one in declared["server"]
    }


def test_tests_add_only_tools_and_a_client_to_the_service(declared):
    # Nothing that the service would use of its own accord, such as another parser of requests.
    assert set(declared) == {"client", "reading", "server", "test", "dev"}
    assert set(declared["client"]) <= set(declared["server"])
