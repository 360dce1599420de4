"""Pseudo-languages: catalogues that a program makes of the messages, so that a browser shows what does not fit."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Catalog

from footfall.adapters.languages.catalogues import form_of
from tests.languages.catalogues import write
from tests.languages.messages import messages

# English of Europe has long texts with accents, and Arabic lines that begin at the right.
LONG, RIGHT_TO_LEFT = "en-150", "ar"
_ACCENTS = str.maketrans("aceinouyACEINOUY", "áçéîñöüýÁÇÉÎÑÖÜÝ")
_HEBREW = str.maketrans("abcdefghijklmnopqrstuvwxyz", "אבגדהוזחטיכלמנסעפצקרשתםןףץ")
_LONGEST_WORD = 18
_KEPT = re.compile(r"(%\(\w+\)s|%%|\{\w*\}|<[^>]*>|&\w+;)")


def lengthened(text: str) -> str:
    """Return a text with accents, longer by a third and more, between brackets that show where it ends."""
    return f"⟦{_written(text, _ACCENTS)}{''.join(_words(len(text) // 3))}⟧"


def turned(text: str) -> str:
    """Return a text in letters that are written from the right to the left."""
    return _written(text, _HEBREW, str.lower)


def write_catalogues(folder: Path) -> None:
    """Write the catalogues of both pseudo-languages."""
    for code, written in ((LONG, lengthened), (RIGHT_TO_LEFT, turned)):
        catalogue = Catalog(locale=Locale.parse(code, sep="-"), fuzzy=False)
        for message in messages():
            if isinstance(message, str):
                catalogue.add(message, written(message))
            else:
                forms = [message[1]] * catalogue.num_plurals
                forms[form_of(catalogue)(1)] = message[0]
                catalogue.add(message, tuple(map(written, forms)))
        write(folder / f"{code}.po", catalogue)


def _words(letters: int) -> Iterator[str]:
    # As long as those of German, where a line cannot break.
    for begun in range(0, letters, _LONGEST_WORD):
        yield " " + "ö" * min(_LONGEST_WORD, letters - begun)


def _written(text: str, letters: dict[int, int], before: Callable[[str], str] = str) -> str:
    return "".join(
        part if index % 2 else before(part).translate(letters) for index, part in enumerate(_KEPT.split(text))
    )
