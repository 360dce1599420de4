"""The parser in C, which gunicorn uses where it is installed."""

import gc
import weakref

import gunicorn_h1c


class Connection:
    """What refers to its parser, which calls it back."""

    def __init__(self):
        self.parser = gunicorn_h1c.H1CProtocol(on_headers_complete=self.begin)

    def begin(self):
        pass


def test_a_connection_that_is_over_is_collected_with_its_parser():
    connection = Connection()
    there = weakref.ref(connection)

    del connection
    gc.collect()

    assert there() is None
