"""SQL stands in files, and statements are assembled by one rule."""

import ast
import re

import pytest
from psycopg import sql

from footfall.adapters.postgres.database.migration import all_migrations, statements_of
from footfall.adapters.postgres.database.sql_files import compose, statement
from footfall.domain.tracking.idempotency import IDEMPOTENCY_LIFETIME
from footfall.domain.traffic.session import FIRST_HIT_ATTRIBUTES
from tests.sql_addresses import ROOT, addresses

SQL = re.compile(
    r"\s*(select|insert into|update|delete from|with|set local|lock|truncate|(create|drop) (table|schema))\b\s\S+\s"
)


def strings(path):
    """Return the string constants of a module that are not docstrings."""
    tree = ast.parse(path.read_text())
    documentation = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in documentation
    ]


def test_every_statement_begins_with_its_name():
    unnamed = [
        name
        for name in addresses()
        if statement(name).decode().partition("\n")[0] != f"-- name: {name.rpartition('/')[2]}"
    ]

    assert unnamed == []


@pytest.mark.parametrize("room", ["database", "journal", "projections", "reports", "maintenance"])
def test_modules_hold_no_statements(room):
    found = [
        (path.name, text) for path in (ROOT / room).glob("*.py") for text in strings(path) if SQL.match(text)
    ]

    assert found == []


def test_a_place_takes_the_piece_of_the_caller_and_else_the_section_of_its_subject():
    composed = compose("reports/selection/with_hits_that", comparison=sql.SQL("pathname = '/'")).as_string(
        None
    )

    assert "and pathname = '/'" in composed
    assert statement("reports/selection/session_of_hit").decode() in composed
    assert "{" not in composed


def test_a_statement_stands_after_the_queries_that_it_reads_and_they_after_theirs():
    composed = compose("reports/errors/new_of_selected", conditions=sql.SQL("true")).as_string(None)

    lines = composed.splitlines()
    queries = [line.split('"')[1] for line in lines if "materialized (" in line and '"' in line]
    assert lines[0] == "-- name: new_of_selected"
    assert queries == ["selected", "found", "young", "message", "message_with_cause"]
    assert "and true" in composed


@pytest.mark.parametrize(
    "name",
    ["errors/cause_of", "errors/names", "errors/new", "errors/new_of_selected", "fresh/error_histories"],
)
def test_causes_are_looked_up_of_messages_that_are_chosen_before(name):
    composed = compose(f"reports/{name}", conditions=sql.SQL("true")).as_string(None)

    before, told = composed.split('"message_with_cause" as not materialized')
    assert '"message" as materialized' in before
    assert "from message\nleft join lateral" in told


def test_a_query_is_read_under_another_name():
    composed = compose("reports/errors/new").as_string(None)

    assert '"straddling" as materialized (' in composed
    assert composed.count('"counted" as materialized (') == 1


def test_lists_of_attributes_are_those_that_the_domain_declares():
    written = statement("projections/sessions/write_sessions").decode()

    assert "{" not in written
    assert written.count(", ".join(FIRST_HIT_ATTRIBUTES)) == 2
    assert [name for name in FIRST_HIT_ATTRIBUTES if f"else session.{name} end" not in written] == []


def test_names_are_forgotten_as_the_domain_says():
    claim = statement("intake/admission/claim_idempotency").decode()

    assert f"interval '{IDEMPOTENCY_LIFETIME.total_seconds() / 3600:.0f} hours'" in claim


def test_a_script_is_divided_into_its_statements_and_bodies_of_functions_stay_whole():
    script = b"""-- First; of all
create table a (b text default ';');
create function f() returns text language plpgsql as $body$ begin; return '$$'; end $body$;
select ";" from a -- the end;
"""

    statements = [part.strip() for part in statements_of(script)]

    assert [part.split()[0] for part in statements] == [b"--", b"create", b"select"]


def test_every_migration_can_be_divided():
    for migration in all_migrations():
        parts = statements_of(migration.sql)

        assert b";".join(parts).split() == migration.sql.rstrip().rstrip(b";").split()
