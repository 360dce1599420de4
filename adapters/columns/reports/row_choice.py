"""Conditions on the rows of a list, of those with a text that is searched for."""

import json
from typing import Any

from footfall.adapters.columns.sql_files import compose
from footfall.domain.row_choice import RowChoice, folded


def containing(choice: RowChoice, *columns: str) -> str:
    """Return the condition that one of some columns contains the text that is searched for, if there is one."""
    if not choice.containing:
        return compose("selection/every_row")
    conditions = [compose("selection/containing", searched=column) for column in columns]
    return f"({' or '.join(conditions)})"


def choice_parameters(choice: RowChoice) -> dict[str, Any]:
    """Return the values of the parameters of a choice of rows."""
    return {"containing": folded(choice.containing), "among": json.dumps(list(choice.among or ()))}
