"""A language with a catalogue; numbers, dates, money and names of places are written as CLDR says."""

import re
from datetime import date
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import lru_cache

from attrs import frozen
from babel import Locale
from babel.dates import format_skeleton
from babel.numbers import format_currency, format_decimal

from footfall.adapters.languages.catalogues import Texts
from footfall.application.languages.language import DateForm, Language
from footfall.domain.revenue.money import EXACT, digits_of

# Pages write the same few numbers and days over and over; Babel takes 15 microseconds for each.
_REMEMBERED = 4096
_DIGITS = re.compile(r"[#,.0]+")
_MINUS = "\N{MINUS SIGN}"


@frozen(eq=False)
class Translated(Language):
    """A language of CLDR with its texts; the code is that of HTML and of settings, such as pt-BR."""

    code: str
    _locale: Locale
    _texts: Texts

    @property
    def name(self) -> str:
        """The name of the language in itself."""
        return own_name(self._locale)

    @property
    def is_right_to_left(self) -> bool:
        """Whether its lines begin at the right."""
        return self._locale.text_direction == "rtl"

    def text(self, message: str) -> str:
        """Return a text of the sources in this language, or as it is where the catalogue does not have it."""
        return self._texts.text(message)

    def plural(self, one: str, many: str, count: float) -> str:
        """Return the form of a text that a number of things takes."""
        return self._texts.plural(one, many, count)

    def made(self, text: str) -> str:
        """Return a text that was made of a message and values elsewhere, such as an error of the domain."""
        return self._texts.made(text, self.number)

    def number(self, value: float | Decimal, digits: int = 0) -> str:
        """Return a number with separators, and so many digits after the point."""
        # Zero and its negative are one number to the memory.
        return _decimal(value or 0, digits, self._locale)

    def percentage(self, number: str) -> str:
        """Return the text of a number with the sign of percent."""
        before, after = _DIGITS.split(
            self._locale.percent_formats[None].pattern.partition(";")[0], maxsplit=1
        )
        return f"{before}{number}{after}"

    def money(self, amount: float | Decimal, currency: str) -> str:
        """Return an amount to the smallest unit of its currency."""
        return _currency(Decimal(amount), currency, digits_of(currency), self._locale)

    def exact_money(self, amount: Decimal, currency: str) -> str:
        """Return an amount with all its decimals, at least those of its currency."""
        digits = max(-int(amount.as_tuple().exponent), digits_of(currency))
        return _currency(amount, currency, digits, self._locale)

    def day(self, at: date, form: DateForm = DateForm.DATE) -> str:
        """Return a date, or the day of a time in its zone."""
        # A time is another one each minute; its day is not.
        return _skeleton(date(at.year, at.month, at.day), form, self._locale)

    def country_name(self, code: str) -> str | None:
        """Return the name of a country; None where English has to do."""
        return self._locale.territories.get(code)

    def language_name(self, tag: str) -> str | None:
        """Return the name of a language or a variant of it, such as en-GB; None where English has to do."""
        return self._locale.languages.get(tag.replace("-", "_"))


def own_name(locale: Locale) -> str:
    """Return what a language calls itself."""
    return (locale.get_display_name(locale) or str(locale)).capitalize()


@lru_cache(_REMEMBERED)
def _decimal(value: float | Decimal, digits: int, locale: Locale) -> str:
    # Rounded as English is: Babel rounds halves of binary fractions by their decimal text.
    rounded = Decimal(f"{value:.{digits}f}")
    pattern = f"#,##0.{'0' * digits}" if digits else "#,##0"
    grouped = locale.decimal_formats[None].pattern.partition(".")[0]
    with localcontext(EXACT):
        return format_decimal(rounded, format=pattern.replace("#,##0", grouped), locale=locale)


@lru_cache(_REMEMBERED)
def _currency(amount: Decimal, currency: str, digits: int, locale: Locale) -> str:
    pattern = locale.currency_formats["standard"].pattern.replace(
        "0.00", f"0.{'0' * digits}" if digits else "0"
    )
    with localcontext(EXACT):
        rounded = amount.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
        text = format_currency(abs(rounded), currency, format=pattern, locale=locale, currency_digits=False)
    return f"{_MINUS}{text}" if rounded < 0 else text


@lru_cache(_REMEMBERED)
def _skeleton(at: date, form: DateForm, locale: Locale) -> str:
    return format_skeleton(form.value, at, locale=locale)
