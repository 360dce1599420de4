"""What a store of Citus has in the place of functions and defaults of others: it follows the migrations."""

import hashlib
import re

import psycopg
import pytest

from footfall.adapters.postgres.database.migration import run_in_store
from footfall.adapters.postgres.database.sql_files import statement

ADAPTED = statement("cells/citus/schema/adapt")
FUNCTIONS = """
    select proname, pg_get_function_identity_arguments(oid) as arguments, pg_get_function_result(oid) as result, prosrc
    from pg_proc
    where pronamespace = 'public'::regnamespace
"""
MEASURE = """
    insert into engagement (position, site_id, pageview_key, received_at, engaged_ms)
    values (%s, 1, 5, '2026-03-01Z', 1000)
"""
# Those that a plain store does not have.
OWN = {"require_home", "guard_traffic"}
# What the migrations say of those that are replaced, and of one whose text the replacement of `make_quotas` repeats:
# when one of them changes, look at what stands for it on Citus.
KNOWN = {
    "lock_traffic": "6ed066a7f221",
    "stored_pageviews": "d68f1d038b83",
    "announce_event": "5be6e1170dcf",
    "buckets_open_at_start": "d836635f7a13",
    "count_stored": "d2b04fbb7f9b",
    "hit_high_water_mark": "b18cfae84e3c",
    "hit_partition": "ec30d88e5907",
}


@pytest.fixture
def database(database_url):
    with psycopg.connect(database_url, autocommit=True) as database:
        yield database


def test_functions_of_citus_replace_others_of_the_same_form(database):
    before = forms(database)

    run_in_store(database, ADAPTED)

    after = forms(database)
    assert {name for name, *_ in after - before} == OWN
    assert before <= after


def test_the_functions_that_are_replaced_are_those_that_were_looked_at(database):
    replaced = set(re.findall(r"create or replace function (\w+)", ADAPTED.decode())) - OWN
    bodies = {name: body for name, _, _, body in database.execute(FUNCTIONS)}

    assert {name: digest(bodies[name]) for name in {*replaced, "stored_pageviews"}} == KNOWN


def test_positions_go_on_after_those_of_measures_where_a_store_is_settled(database):
    run_in_store(database, statement("cells/citus/schema/prepare"))
    database.execute(MEASURE, (2**40,))

    [(position, *_)] = database.execute(statement("cells/citus/nodes/last_numbers"))

    assert position == 2**40


def forms(database):
    return {(name, arguments, result) for name, arguments, result, _ in database.execute(FUNCTIONS)}


def digest(body):
    return hashlib.sha256(" ".join(body.split()).encode()).hexdigest()[:12]
