"""Catalogues: the texts of a language by those of the sources, read from the files that translators edit."""

import re
from collections.abc import Callable, Mapping, Sequence
from gettext import c2py
from pathlib import Path
from typing import Any

from attrs import field, frozen
from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog
from babel.messages.pofile import PoFileError, read_po

LOCALES = Path(__file__).parent / "locale"
_LEAST_LETTERS = 7
PLACEHOLDER = re.compile(r"\{(\w+)\}")
# A value of this name is a message itself; others may be words of a visitor or a member, which are none.
REASON = "reason"
# Errors of the domain are shorter; others have words of those who ask, and are looked for in each message.
_LONGEST = 2_000
_MOST_REASONS = 3
# Numbers in texts of the domain, which separates thousands as English does.
_ENGLISH_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+")
_VALUE = re.compile(r"\{\w+\}|%\(\w+\)s|%%")
_NUMBERS_TRIED = 1_000


def read_catalogue(path: Path) -> Catalog:
    """Return a catalogue as translators write it."""
    with path.open("rb") as file:
        return read_po(file, locale=Locale.parse(path.stem, sep="-"))


def fault_of(path: Path) -> str | None:
    """Return why a file is no catalogue of a language, or None."""
    try:
        catalogue = read_catalogue(path)
        forms = set(map(form_of(catalogue), range(_NUMBERS_TRIED)))
    except (ArithmeticError, OSError, PoFileError, UnknownLocaleError, ValueError) as error:
        return str(error)
    return None if forms <= set(range(catalogue.num_plurals)) else "Plural-Forms names forms beyond nplurals"


@frozen
class Texts:
    """The texts of a catalogue, of which those with plurals have a form for each class of numbers."""

    _texts: Mapping[str, str]
    _plurals: Mapping[str, Sequence[str]]
    _form_of: Callable[[float], int]
    _templates: Sequence[tuple[re.Pattern[str], str]] = field(factory=tuple)

    @classmethod
    def of(cls, catalogue: Catalog) -> "Texts":
        """Return the texts that are translated; one whose values are others than those of its message is not."""
        texts, plurals = dict[str, str](), dict[str, Sequence[str]]()
        message: Any
        for message in catalogue:
            if not message.id or message.fuzzy or not _is_usable(message):
                continue
            if isinstance(message.id, tuple):
                plurals[message.id[0]] = message.string
            else:
                texts[message.id] = message.string
        templates = [(_pattern(text), text) for text in texts if _is_template(text)]
        templates.sort(key=lambda template: -len(PLACEHOLDER.sub("", template[1])))
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

    def made(self, text: str, number: Callable[[int], str], reasons: int = _MOST_REASONS) -> str:
        """Return the translation of the message that a text was made of, with the values of the text.

        The message with most letters counts. Texts of the domain have their values already, and so many reasons within
        each other at most.
        """
        if (translated := self.text(text)) != text or len(text) > _LONGEST:
            return translated
        for pattern, message in self._templates:
            if match_ := pattern.fullmatch(text):
                values = {
                    name: self.made(value, number, reasons - 1)
                    if name.startswith(REASON) and reasons
                    else _number(value, number)
                    for name, value in match_.groupdict().items()
                }
                return self._texts[message].format(**values)
        return text


def _number(value: str, number: Callable[[int], str]) -> str:
    return number(int(value.replace(",", ""))) if _ENGLISH_NUMBER.fullmatch(value) else value


def _is_usable(message: Any) -> bool:
    """Return whether all forms of a translation can be written with the values of the message."""
    sources = message.id if isinstance(message.id, tuple) else (message.id,)
    forms = message.string if isinstance(message.string, tuple) else (message.string,)
    values = {value for source in sources for value in _VALUE.findall(source)} | {"%%"}
    own = "".join(_VALUE.sub("", source) for source in sources)
    signs = [sign for sign in "{}%" if sign not in own]
    return all(
        form
        and values.issuperset(_VALUE.findall(form))
        and not any(sign in _VALUE.sub("", form) for sign in signs)
        for form in forms
    )


def _is_template(text: str) -> bool:
    """Return whether a text has values, and words enough, or a reason, to know it by them."""
    own = PLACEHOLDER.sub("", text)
    return own != text and (f"{{{REASON}" in text or sum(map(str.isalpha, own)) >= _LEAST_LETTERS)


def _pattern(message: str) -> re.Pattern[str]:
    names = set[str]()
    parts = []
    for index, part in enumerate(PLACEHOLDER.split(message)):
        if index % 2 == 0:
            parts.append(re.escape(part))
        else:
            parts.append(f"(?P={part})" if part in names else f"(?P<{part}>.+?)")
            names.add(part)
    return re.compile("".join(parts), re.DOTALL)


def form_of(catalogue: Catalog) -> Callable[[float], int]:
    """Return the number of the form for a number of things, by the rule in the head of the catalogue.

    Rules are of whole numbers, as which counts are written.
    """
    rule = c2py(catalogue.plural_expr)
    return lambda count: rule(round(count))
