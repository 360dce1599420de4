"""Statements of breakdowns and vitals, assembled from the files of `sql/breakdowns/`."""

from psycopg import sql

from footfall.adapters.postgres.database.sql_files import compose
from footfall.adapters.postgres.reports.row_choice import containing
from footfall.adapters.postgres.reports.selection import Selection
from footfall.domain.row_choice import RowChoice
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.breakdown import OF_HITS, OF_SESSIONS, OUTBOUND
from footfall.domain.traffic.filters import REFERRER_HOST

_FOLDER = "reports/breakdowns"
_PERFORMANCE = sql.Literal("performance")


def count_days(dimension: str, choice: RowChoice) -> sql.Composed:
    """Return the statement that adds up counted days, and the rows in the gaps between them."""
    rows = "session_rows_in_gaps" if dimension in OF_SESSIONS else "hit_rows_in_gaps"
    pieces = {"value": value_of(dimension), "type": hit_type(dimension)}
    rows_in_gaps = compose(f"{_FOLDER}/{rows}", **pieces)
    return compose(
        f"{_FOLDER}/count_days",
        dimension=sql.Literal("referrer" if dimension == REFERRER_HOST else dimension),
        summed_value=_host("value") if dimension == REFERRER_HOST else sql.Identifier("value"),
        rows_in_gaps=rows_in_gaps,
        **_choice(choice, "count"),
    )


def count_rows(dimension: str, selection: Selection, choice: RowChoice, *, visitors: bool) -> sql.Composed:
    """Return the statement that counts the selected sessions or their hits."""
    if dimension == REFERRER_HOST and not visitors:
        return compose(
            f"{_FOLDER}/count_hosts",
            conditions=selection.conditions,
            referrer=value_of("referrer"),
            host=_host("referrer"),
            **_choice(choice, "count"),
        )
    if dimension in OF_SESSIONS:
        source: sql.Composable = sql.Identifier("selected")
    else:
        source = _hits(selection, hit_type(dimension))
    name = "count_rows_and_visitors" if visitors else "count_rows"
    pieces = {"conditions": selection.conditions, "value": value_of(dimension), "source": source}
    return compose(f"{_FOLDER}/{name}", **pieces, **_choice(choice, "count"))


def count_conversions(dimension: str, selection: Selection, choice: RowChoice) -> sql.Composed:
    """Return the statement that counts the selected sessions or their hits, and conversions of the goal `goal`."""
    source = (
        sql.Identifier("selected")
        if dimension in OF_SESSIONS
        else compose(f"{_FOLDER}/hits_of_selected", type=hit_type(dimension))
    )
    return compose(
        f"{_FOLDER}/count_rows_and_conversions",
        conditions=selection.conditions,
        reached=selection.reached("goal"),
        value=value_of(dimension),
        source=source,
        **_choice(choice, "conversions"),
    )


def pages(selection: Selection, choice: RowChoice) -> sql.Composed:
    """Return the statement that counts the views, visitors, entries and times of paths."""
    return compose(
        f"{_FOLDER}/pages",
        conditions=selection.conditions,
        hits=compose(f"{_FOLDER}/hits_and_next"),
        **_choice(choice, "count"),
    )


def vitals_by_days(choice: RowChoice) -> sql.Composed:
    """Return the statement that adds up counted days, and the measures in the gaps between them."""
    return compose(f"{_FOLDER}/vitals_by_days", type=_PERFORMANCE, chosen=containing(choice, "pathname"))


def vitals_by_rows(selection: Selection, choice: RowChoice) -> sql.Composed:
    """Return the statement that reads the measures in the selected sessions."""
    source = _hits(selection, _PERFORMANCE)
    chosen = containing(choice, "pathname")
    return compose(f"{_FOLDER}/vitals_by_rows", conditions=selection.conditions, source=source, chosen=chosen)


def _choice(choice: RowChoice, order: str) -> dict[str, sql.Composable]:
    if choice.among is not None:
        return {
            "chosen": compose(f"{_FOLDER}/values_among"),
            "rank": compose(f"{_FOLDER}/rank_by_{order}"),
        }
    return {"chosen": containing(choice, "value"), "rank": compose(f"{_FOLDER}/no_rank")}


def _hits(selection: Selection, hit_type: sql.Composable) -> sql.Composed:
    return compose(
        f"{_FOLDER}/hits_of_selected" if selection.filters else f"{_FOLDER}/hits_of_period", type=hit_type
    )


def value_of(dimension: str) -> sql.Composed:
    """Return the value of a dimension in a row of `session` or `hit`."""
    if dimension == OUTBOUND:
        return compose(f"{_FOLDER}/url")
    if dimension == REFERRER_HOST:
        return _host("referrer")
    return compose(f"{_FOLDER}/attribute", column=sql.Identifier(dimension))


def _host(column: str) -> sql.Composed:
    text = compose(f"{_FOLDER}/attribute", column=sql.Identifier(column))
    return compose("reports/selection/referrer_host", text=text)


def hit_type(dimension: str) -> sql.Composable:
    """Return the type of the hits that a dimension counts."""
    return sql.Literal(str(OF_HITS.get(dimension, HitType.OUTBOUND)))
