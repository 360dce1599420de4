"""A reader of a service that answers by a script."""

import pytest

from footfall.client.reading import Reader
from tests.servers.report_server import KEY, ReportServer
from tests.waiting import LONG


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
