"""What the log says of requests to other servers: nothing, their addresses can be secrets."""

import io
import logging
from contextlib import redirect_stderr

import pytest

from footfall.adapters.outgoing.client import HttpClient, OutgoingRequest
from footfall.entrypoints.server.logs import configure_logs
from footfall.entrypoints.settings import read_settings
from tests.servers.mirror import serving


@pytest.fixture(params=["info", "debug"])
def lines(request, tmp_path):
    """The lines that the service writes to standard error."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    variables = {"FOOTFALL_LOG_LEVEL": request.param, "FOOTFALL_DATA_DIR": str(tmp_path)}
    with redirect_stderr(io.StringIO()) as stream:
        configure_logs(read_settings(variables))
        yield stream.getvalue
    root.handlers[:], root.level = handlers, level


async def test_the_address_of_a_webhook_is_in_no_line(lines):
    with serving() as server:
        await HttpClient(wait_seconds=10, seconds=10, most_bytes=100).send(
            OutgoingRequest("GET", f"{server.url}/services/T0/secret", {"X-Private": "hidden"})
        )

    assert server.asked == [("/services/T0/secret", None)]
    assert not [part for part in ("secret", "hidden", server.url, "httpx2", "httpcore2") if part in lines()]
