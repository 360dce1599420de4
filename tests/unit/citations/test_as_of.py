"""The overlay of the past: which statements read it, and how."""

import re
from importlib.resources import files

import pytest

from footfall.adapters.postgres.citations.as_of import CHANGES, TABLES, Overlay

_QUERIES = {"hit": b"select 1", "session": b"select 2"}
_OVERLAY = Overlay(tuple(_QUERIES), _QUERIES.__getitem__)
_ROOMS = (("reports", "sql"), ("error_groups", "sql"))
_OWN = re.compile(r"(?:^|with |, )(\w+) as (?:not )?(?:materialized )?\(", re.MULTILINE)
_LISTED = re.compile(r"^-- (?:with|views): (.+)$", re.MULTILINE)


_HIT = b"with hit as not materialized (\nselect 1\n)"
_SESSION = b"with session as not materialized (\nselect 2\n)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"-- a\n-- b\nselect * from hit", _HIT + b"\n-- a\n-- b\nselect * from hit"),
        (
            b"-- a\nwith x as (select) select from session",
            _SESSION + b",\n x as (select) select from session",
        ),
        (b"-- hit\nset local statement_timeout = 0", b"-- hit\nset local statement_timeout = 0"),
        (b"select * from whiteboard", b"select * from whiteboard"),
    ],
)
def test_a_statement_that_reads_a_table_gets_the_query_that_stands_for_it(text, expected):
    assert _OVERLAY.over(text) == expected


def test_no_statement_of_reports_gives_its_own_query_the_name_of_a_table():
    package = files("footfall.adapters.postgres")
    texts = [path.read_text() for room in _ROOMS for path in package.joinpath(*room).glob("*.sql")]

    own = {name for text in texts for name in _OWN.findall(text)}
    listed = [one for text in texts for line in _LISTED.findall(text) for one in line.split(", ")]
    # A query has the name that follows it, or the last part of its own.
    own |= {re.split(" as |/", one)[-1] for one in listed}

    assert {"selected", "page", "amount", "counted"} <= own
    assert not own & {*TABLES, *CHANGES}
