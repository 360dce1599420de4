"""Long lists of pages: searched and read on by the parameters `search` and `page`."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar
from urllib.parse import urlencode

from attrs import frozen
from falcon.asgi import Request

from footfall.domain.pagination import Page, parse_page
from footfall.domain.row_choice import RowChoice, parse_search

SIZE = 100

Item = TypeVar("Item")


@frozen
class ListPage(Generic[Item]):
    """A page of those items of a list that contain a text, and the addresses of the pages beside it."""

    items: Sequence[Item]
    total: int
    page: Page
    choice: RowChoice
    path: str

    @property
    def previous(self) -> str | None:
        """The address of the page before; None on the first one."""
        return self._address(self.page.number - 1) if self.page.number > 1 else None

    @property
    def next(self) -> str | None:
        """The address of the next page; None on the last one."""
        return self._address(self.page.number + 1) if self.page.number < self.page.count(self.total) else None

    def _address(self, number: int) -> str:
        search = {"search": self.choice.containing} if self.choice.containing else {}
        return f"{self.path}?{urlencode({**search, 'page': number})}"


def list_page(
    req: Request, items: Sequence[Item], text: Callable[[Item], str], *, path: str | None = None
) -> ListPage[Item]:
    """Return the page of a list that a request names; `text` is what is searched of an item.

    `path` is that of the page, if refused forms of other paths show it, too.

    Raises:
        Invalid: the number of the page or the text to search for is not valid.

    """
    choice = parse_search(req.get_param("search"))
    page = parse_page({"page": req.get_param("page") or "1"}, size=SIZE)
    chosen = [item for item in items if choice.is_in(text(item))] if choice.containing else items
    return ListPage(page.of(chosen), len(chosen), page, choice, path or req.path)
