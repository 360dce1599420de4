"""`footfall bench` loads the service and looks into the store."""

import json
import subprocess

from tests.e2e.service import COMMAND, free_port, running


def test_what_was_acknowledged_is_found_and_nothing_of_it_stays(data_dir):
    with running(data_dir) as service:
        before = service.run("org", "list")
        result = json.loads(
            service.run(
                "bench", "--port", str(service.port), "--seconds", "1", "--connections", "8", "--json"
            )
        )
        sites = json.loads(service.run("site", "list", "--json"))
        after = service.run("org", "list")

    assert result["acknowledged"] == result["stored"] > 10
    assert result["verified"] is True
    assert result["otherAnswers"] == {}
    assert [site["domain"] for site in sites] == ["localhost"]
    assert after == before


def test_a_service_that_is_not_there_is_named(data_dir):
    with running(data_dir) as service:
        refused = subprocess.run(
            [*COMMAND, "bench", "--port", str(free_port())],
            env=service._environment(),
            capture_output=True,
            text=True,
            check=False,
        )

    assert refused.returncode == 1
    assert "no service answers at 127.0.0.1" in refused.stderr
