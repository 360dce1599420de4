"""The lines of the page for administrators, run in their order on a fresh service."""

import re
import shlex
import subprocess

import pytest

from tests.e2e.service import COMMAND, running

BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)


@pytest.fixture
def service(data_dir):
    with running(data_dir) as service:
        yield service


def test_every_line_of_the_page_works_as_it_stands(service, project):
    settings, *blocks = BLOCK.findall((project / "docs" / "administration.md").read_text())
    settings = settings.replace("http://127.0.0.1:8000", service.base_url).replace(
        "ff_...", service.first_key()
    )
    # Refusals are failures here, and the command is the one of this checkout.
    curl = 'curl() { command curl --fail-with-body "$@"; echo; }'
    footfall = f'footfall() {{ {shlex.join(COMMAND)} "$@"; }}'
    script = "\n".join(["set -eu", curl, footfall, settings, *blocks])

    result = subprocess.run(
        ["bash", "-c", script],
        env=service._environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.count('"success":true') >= 8
    assert len(blocks) == 7
