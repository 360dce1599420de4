"""Conditions on the rows of a list, of those with a text that is searched for."""

import json
from typing import Any

from footfall.adapters.columns.sql_files import Kept, compose
from footfall.domain.pagination import Page
from footfall.domain.row_choice import RowChoice, folded


def containing(choice: RowChoice, *columns: str) -> str:
    """Return the condition that one of some columns contains the text that is searched for, if there is one."""
    if not choice.containing:
        return "true"
    conditions = [f"contains_text({column}, $folded, $containing)" for column in columns]
    return f"({' or '.join(conditions)})"


def listed(total: str, choice: RowChoice) -> dict[str, str]:
    """Return the queries of the rows of a list, `total`, and of these with whether they are chosen by their `value`."""
    kind = "every_value"
    if choice.among is not None:
        kind = "values_among"
    elif choice.containing:
        kind = "values_containing"
    return {"total": Kept(total), "listed": compose(f"selection/{kind}")}


def page_parameters(page: Page, choice: RowChoice) -> dict[str, Any]:
    """Return the values of the parameters of a page of the chosen rows."""
    return {"limit": page.size, "offset": page.offset, **choice_parameters(choice)}


def choice_parameters(choice: RowChoice) -> dict[str, Any]:
    """Return the values of the parameters of a choice of rows."""
    return {
        "folded": folded(choice.containing),
        "containing": _expression(choice.containing),
        "among": json.dumps(list(choice.among or ())),
    }


def _expression(text: str) -> str:
    """Return the regular expression of a text, with the letters of ASCII in either case.

    `translate` and `contains` in its place take ten times as long: the former is computed for each row, and expressions
    for each different value of a file's column.
    """
    return "".join(map(_literal, folded(text)))


def _literal(character: str) -> str:
    if not character.isascii() or character.isdigit():
        return character
    return f"[{character}{character.upper()}]" if character.isalpha() else f"\\x{{{ord(character):x}}}"
