"""Conditions on the rows of a list, of those with a text that is searched for."""

from typing import Any

from psycopg import sql

from footfall.adapters.postgres.database.sql_files import compose
from footfall.domain.row_choice import RowChoice, folded


def containing(choice: RowChoice, *columns: str) -> sql.Composed:
    """Return the condition that one of some columns contains the text that is searched for, if there is one."""
    if not choice.containing:
        return compose("reports/selection/every_row")
    conditions = [
        compose("reports/selection/containing", searched=sql.Identifier(column)) for column in columns
    ]
    return sql.Composed([sql.SQL("("), sql.SQL(" or ").join(conditions), sql.SQL(")")])


def choice_parameters(choice: RowChoice) -> dict[str, Any]:
    """Return the values of the parameters of a choice of rows."""
    return {"containing": folded(choice.containing), "among": list(choice.among or ())}
