"""Statements of reports: what PostgreSQL is not asked to evaluate, and lists of the domain that they repeat."""

import re

import pytest

from footfall.adapters.postgres.database.sql_files import statement
from footfall.domain.error_tracking.aggregation import SEARCHED_OF_OCCURRENCES
from footfall.domain.traffic.conversion import SEARCHED_OF_SESSIONS
from footfall.domain.traffic.exclusion_what_if import TRIED
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


@pytest.mark.parametrize(
    ("name", "searched"),
    [
        ("reports/goals/page_of_converted_sessions_containing", SEARCHED_OF_SESSIONS),
        ("reports/occurrences/containing", SEARCHED_OF_OCCURRENCES),
    ],
)
def test_a_statement_searches_the_columns_that_the_domain_searches(name, searched):
    [columns] = re.findall(r"unnest\(array\[([^]]*)\]\)", statement(name).decode())

    assert tuple(columns.split(", ")) == searched


def test_the_statement_of_refused_hits_has_each_attribute_that_can_be_tried():
    text = statement("reports/what_if/arrived").decode()

    assert sorted(re.findall(r"when '(\w+)' then \1\b", text)) == sorted(set(TRIED.values()))
