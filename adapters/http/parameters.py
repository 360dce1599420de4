"""Query parameters: read strictly, refused by name (decisions, section 7)."""

from collections.abc import Collection, Sequence
from typing import Any, ClassVar, TypeVar

from attrs import frozen
from falcon.asgi import Request

from footfall.domain.errors import Invalid

Item = TypeVar("Item")

# Far beyond every list; larger numbers would only overflow the store's arithmetic.
MAX_PAGE = 1_000_000


def refuse_unknown(req: Request, known: Collection[str]) -> None:
    """Refuse parameters that the endpoint does not know, and those that are given twice.

    Raises:
        Invalid: with each parameter, and what is accepted.

    """
    accepted = f"unknown parameter; accepted are {', '.join(sorted(known))}"
    faults = {name: [accepted] for name in req.params if name not in known}
    faults |= {
        name: ["is given more than once"] for name, value in req.params.items() if isinstance(value, list)
    }
    if faults:
        raise Invalid(faults)


def whole_number(req: Request, name: str, *, default: int, least: int, most: int) -> int:
    """Return a parameter as a whole number.

    Raises:
        Invalid: it is no whole number from `least` to `most`.

    """
    text = req.get_param(name)
    if text is None:
        return default
    digits = text.isascii() and text.isdecimal() and len(text) <= 18  # noqa: PLR2004 - int() of more is slow
    if not digits or not least <= int(text) <= most:
        raise Invalid({name: [f"must be a whole number from {least:,} to {most:,}"]})
    return int(text)


@frozen
class Page:
    """One page of a list."""

    NAMES: ClassVar[frozenset[str]] = frozenset({"page", "limit", "page_size"})

    number: int
    size: int

    @classmethod
    def of(cls, req: Request, *, size: int, maximum: int) -> "Page":
        """Return the page that a request asks for; `limit` and `page_size` are one parameter.

        Raises:
            Invalid: a number is out of its range, or the two contradict each other.

        """
        number = whole_number(req, "page", default=1, least=1, most=MAX_PAGE)
        limit = whole_number(req, "limit", default=size, least=1, most=maximum)
        page_size = whole_number(req, "page_size", default=limit, least=1, most=maximum)
        if req.has_param("limit") and page_size != limit:
            raise Invalid({"page_size": ["contradicts limit; give one of the two"]})
        return cls(number, page_size)

    @property
    def offset(self) -> int:
        """How many items come before this page."""
        return (self.number - 1) * self.size

    def cut(self, items: Sequence[Item]) -> Sequence[Item]:
        """Return the items of this page."""
        return items[self.offset : self.offset + self.size]

    def meta(self, total: int) -> dict[str, Any]:
        """Return what the interface says about a page (section 4.2)."""
        return {
            "total": total,
            "page": self.number,
            "pageSize": self.size,
            "totalPages": -(-total // self.size),
        }
