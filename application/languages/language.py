"""A language: its texts by their English ones, and how it writes numbers, dates, money and places."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Protocol, TypeVar

from footfall.domain.revenue.money import exact_money_text, money_text

Texts = TypeVar("Texts")


class DateForm(Enum):
    """What a date shows; the value is the skeleton of CLDR, by which other languages than English write it."""

    DATE = "yMMMd"
    DAY_OF_YEAR = "MMMd"
    MONTH = "yMMM"
    WHOLE_MONTH = "yMMMM"
    WEEKDAY_OF_YEAR = "MMMEd"
    WEEKDAY_DATE = "yMMMEd"


_ENGLISH_DATES = {
    DateForm.DATE: "{0.day} {0:%b} {0.year}",
    DateForm.DAY_OF_YEAR: "{0.day} {0:%b}",
    DateForm.MONTH: "{0:%b} {0.year}",
    DateForm.WHOLE_MONTH: "{0:%B} {0.year}",
    DateForm.WEEKDAY_OF_YEAR: "{0:%a} {0.day} {0:%b}",
    DateForm.WEEKDAY_DATE: "{0:%a} {0.day} {0:%b} {0.year}",
}


class Language:
    """English, in which the texts of the sources are; other languages override it."""

    @property
    def code(self) -> str:
        """The code in HTML and in settings, such as pt-BR."""
        return "en"

    @property
    def name(self) -> str:
        """The name of the language in itself."""
        return "English"

    @property
    def is_right_to_left(self) -> bool:
        """Whether its lines begin at the right."""
        return False

    def text(self, message: str) -> str:
        """Return a text of the sources in this language, or as it is where the catalogue does not have it."""
        return message

    def plural(self, one: str, many: str, count: float) -> str:
        """Return the form of a text that a number of things takes."""
        return one if count == 1 else many

    def made(self, text: str) -> str:
        """Return a text that was made of a message and values elsewhere, such as an error of the domain."""
        return text

    def number(self, value: float | Decimal, digits: int = 0) -> str:
        """Return a number with separators, and so many digits after the point."""
        return f"{value:,.{digits}f}"

    def percentage(self, number: str) -> str:
        """Return the text of a number with the sign of percent."""
        return f"{number}%"

    def money(self, amount: float | Decimal, currency: str) -> str:
        """Return an amount to the smallest unit of its currency."""
        return money_text(amount, currency)

    def exact_money(self, amount: Decimal, currency: str) -> str:
        """Return an amount with all its decimals, at least those of its currency."""
        return exact_money_text(amount, currency)

    def day(self, at: date, form: DateForm = DateForm.DATE) -> str:
        """Return a date, or the day of a time in its zone."""
        return _ENGLISH_DATES[form].format(at)

    def clock(self, at: datetime, *, seconds: bool = False) -> str:
        """Return the time of day, of 24 hours."""
        return f"{at:%H:%M:%S}" if seconds else f"{at:%H:%M}"

    def country_name(self, code: str) -> str | None:  # noqa: ARG002 - English names are data of the pages
        """Return the name of a country; None where English has to do."""
        return None

    def language_name(self, tag: str) -> str | None:  # noqa: ARG002 - as above
        """Return the name of a language or a variant of it, such as en-GB; None where English has to do."""
        return None


class Languages(Protocol):
    """The languages that the service speaks."""

    def offered(self) -> dict[str, str]:
        """Return the own names of the languages to choose from, by their codes."""

    def find(self, code: str | None) -> Language | None:
        """Return the language with this code; None for one that is not spoken."""

    def negotiate(self, accepted: str | None) -> Language | None:
        """Return the language that suits an Accept-Language header best; None when it accepts none of them."""


ENGLISH = Language()
_spoken: ContextVar[Language] = ContextVar("language", default=ENGLISH)


def spoken() -> Language:
    """Return the language in which the present request, or the mail that is being written, is answered."""
    return _spoken.get()


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Write texts in a language meanwhile."""
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


def tr(message: str, /, **values: object) -> str:
    """Return a message in the spoken language, with values in the place of their names in braces."""
    text = _spoken.get().text(message)
    return text.format(**values) if values else text


def plural(one: str, many: str, count: float) -> str:
    """Return the form of a message that a number of things takes in the spoken language."""
    return _spoken.get().plural(one, many, count)


def tr_plural(one: str, many: str, count: float, /, **values: object) -> str:
    """Return the form of a message that a number of things takes, as `tr` does; `{count}` is the number as written."""
    return plural(one, many, count).format(**{"count": _spoken.get().number(count), **values})


def marked(texts: Texts) -> Texts:
    """Return a text or a table of texts as it is: it goes into the catalogues, and is translated where it is shown."""
    return texts


def marked_plural(one: str, many: str) -> tuple[str, str]:
    """Return two forms of a text, which go into the catalogues together."""
    return one, many
