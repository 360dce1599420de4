"""The columns of hits that are copied out, for files and as fresh rows."""

from psycopg import sql

from footfall.adapters.postgres.database.sql_files import compose
from footfall.domain.traffic.web_vitals import (
    CLASS_STEPS,
    CLASSES_OF_A_STEP,
    LARGEST,
    METRICS,
    NEXT_STEP_FROM,
    RESOLUTION,
)

_FOLDER = "columns/export"


def hits_with_json() -> sql.Composable:
    """Return the columns of `hit`, with JSON for lists: DuckDB reads it in a third of the time of its own lists."""
    return _columns(sql.SQL("json_agg(property)"), json_of_measures())


def hits_with_lists(measures: sql.Composable) -> sql.Composable:
    """Return the columns of `hit`, with lists as DuckDB copies them into a table; `measures` is the one of the page."""
    return _columns(compose(f"{_FOLDER}/list_of_properties"), measures)


def json_of_measures() -> sql.Composable:
    """Return the value that has what was reported of the page of `hit`, as JSON."""
    return sql.SQL("({})").format(measures_of_page("json_of_measures"))


def measures_of_page(sums: str) -> sql.Composable:
    """Return the query of what was reported of the page of `hit`, added up by a section of `export.sql`."""
    return compose(f"{_FOLDER}/measures_of_page", sums=compose(f"{_FOLDER}/{sums}"))


def _columns(properties: sql.Composable, measures: sql.Composable) -> sql.Composable:
    return compose(
        f"{_FOLDER}/columns_of_hit",
        classes=sql.SQL(",\n").join(map(_measure_class, METRICS)),
        properties=properties,
        measures=measures,
    )


def _measure_class(metric: str) -> sql.Composable:
    return compose(
        f"{_FOLDER}/measure_class",
        measure=sql.Identifier(metric),
        column=sql.Identifier(f"{metric}_class"),
        classes=sql.Literal(CLASSES_OF_A_STEP),
        limits=sql.Literal(list(NEXT_STEP_FROM)),
        largest=sql.Literal(LARGEST),
        resolution=sql.Literal(float(RESOLUTION)),
        widths=sql.Literal(list(map(float, CLASS_STEPS))),
    )
