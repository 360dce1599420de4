"""Rows of panels: the first ones on the dashboard, and pages of them, with a search, on a page of their own."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from footfall.domain.pagination import Page, parse_page
from footfall.domain.row_choice import EVERY_ROW, RowChoice, parse_search

ROWS = 8
MANY_ROWS = 100


@frozen
class PanelRows:
    """The page of a list and the choice among its rows."""

    page: Page
    choice: RowChoice = EVERY_ROW

    @property
    def search(self) -> str | None:
        """The text that is searched for, as a parameter of an address."""
        return self.choice.containing or None


def rows_of(parameters: Mapping[str, Any], *, full_page: bool, size: int = MANY_ROWS) -> PanelRows:
    """Return the rows of a panel: the first ones, or on a page of its own those that the address names.

    Raises:
        Invalid: the number of the page or the text to search for is not valid.

    """
    if not full_page:
        return PanelRows(Page(1, ROWS))
    page = parse_page({"page": str(parameters.get("page", 1))}, size=size)
    return PanelRows(page, searched(parameters))


def searched(parameters: Mapping[str, Any]) -> RowChoice:
    """Return the choice of rows that the parameter `search` of an address names.

    Raises:
        Invalid: the text is not valid.

    """
    return parse_search(str(parameters.get("search", "")))
