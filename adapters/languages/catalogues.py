"""Catalogues: the texts of a language by those of the sources, read from the files that translators edit."""

import re
from collections.abc import Callable, Mapping, Sequence
from gettext import c2py
from pathlib import Path
from typing import Any

from attrs import field, frozen
from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

LOCALES = Path(__file__).parent / "locale"
_LEAST_LETTERS = 7
PLACEHOLDER = re.compile(r"\{(\w+)\}")
# Numbers in texts of the domain, which separates thousands as English does.
_ENGLISH_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+")


def read_catalogue(path: Path) -> Catalog:
    """Return a catalogue as translators write it."""
    with path.open("rb") as file:
        return read_po(file, locale=Locale.parse(path.stem, sep="-"))


@frozen
class Texts:
    """The texts of a catalogue, of which those with plurals have a form for each class of numbers."""

    _texts: Mapping[str, str]
    _plurals: Mapping[str, Sequence[str]]
    _form_of: Callable[[float], int]
    _templates: Sequence[tuple[re.Pattern[str], str]] = field(factory=tuple)

    @classmethod
    def of(cls, catalogue: Catalog) -> "Texts":
        """Return the texts that are translated."""
        texts, plurals = dict[str, str](), dict[str, Sequence[str]]()
        message: Any
        for message in catalogue:
            if not message.id or message.fuzzy or not message.string:
                continue
            if isinstance(message.id, tuple):
                plurals[message.id[0]] = message.string
            else:
                texts[message.id] = message.string
        templates = [(_pattern(text), text) for text in texts if _is_template(text)]
        templates.sort(key=lambda one: -len(PLACEHOLDER.sub("", one[1])))
        return cls(texts, plurals, form_of(catalogue), templates)

    def text(self, message: str) -> str:
        """Return the translation of a message, or the message; of one with plurals that for one thing."""
        if message in self._plurals:
            return self._plurals[message][self._form_of(1)]
        return self._texts.get(message, message)

    def plural(self, one: str, many: str, count: float) -> str:
        """Return the form of a message for a number."""
        forms = self._plurals.get(one)
        if forms is None:
            return one if count == 1 else many
        return forms[self._form_of(count)]

    def made(self, text: str, number: Callable[[int], str]) -> str:
        """Return the translation of the message that a text was made of, with the values of the text.

        The message with most letters counts. Texts of the domain have their values already.
        """
        if text in self._texts:
            return self._texts[text]
        for pattern, message in self._templates:
            if found := pattern.fullmatch(text):
                values = {name: self._value(value, number) for name, value in found.groupdict().items()}
                return self._texts[message].format(**values)
        return text

    def _value(self, value: str, number: Callable[[int], str]) -> str:
        if _ENGLISH_NUMBER.fullmatch(value):
            return number(int(value.replace(",", "")))
        # A reason within an error is a message, too; a name is none.
        return self.made(value, number) if " " in value else value


def _is_template(text: str) -> bool:
    """Return whether a text has values, and words enough to know it by them."""
    own = PLACEHOLDER.sub("", text)
    return own != text and sum(map(str.isalpha, own)) >= _LEAST_LETTERS


def _pattern(message: str) -> re.Pattern[str]:
    names = set[str]()
    parts = []
    for index, part in enumerate(PLACEHOLDER.split(message)):
        if index % 2 == 0:
            parts.append(re.escape(part))
        else:
            parts.append(f"(?P={part})" if part in names else f"(?P<{part}>.+)")
            names.add(part)
    return re.compile("".join(parts), re.DOTALL)


def form_of(catalogue: Catalog) -> Callable[[float], int]:
    """Return the number of the form for a number of things, by the rule in the head of the catalogue."""
    rule = c2py(catalogue.plural_expr)
    return lambda count: rule(int(count))
