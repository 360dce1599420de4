"""Statements of reports: what PostgreSQL is not asked to evaluate."""

import re

import pytest

from footfall.adapters.postgres.database.sql_files import statement
from tests.sql_addresses import addresses

EXPRESSION = re.compile(r"!?~\*?|\bsimilar to\b|\bregexp_\w+", re.IGNORECASE)
# An expression that is written in the statement, and the beginning of hosts, which is one as well.
CONSTANT = re.compile(r"!?~\*? '(?:[^'{}%]|\{\{|\}\})*'")
OF_HOSTS = "'^www[.]'"
# Path patterns of goals are literal characters and wildcards, which a function of the database compares.
ROOMS = ("reports", "error_groups", "citations")


def statements(room):
    return {
        name: re.sub(r"--[^\n]*", "", statement(name).decode())
        for name in addresses()
        if name.startswith(f"{room}/")
    }


@pytest.mark.parametrize("room", ROOMS)
def test_no_statement_of_a_report_evaluates_an_expression_that_it_is_given(room):
    texts = statements(room)

    given = {
        name: operators
        for name, text in texts.items()
        if (operators := EXPRESSION.findall(CONSTANT.sub("", text))) and OF_HOSTS not in text
    }

    assert texts
    assert given == {}


def test_an_expression_that_is_a_parameter_is_recognised():
    text = CONSTANT.sub("", "a ~ '^[0-9]+$' and b ~ %(value)s")

    assert EXPRESSION.findall(text) == ["~"]
