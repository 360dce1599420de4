"""`make messages` writes the catalogues anew, with what is missing; `make check` says what is missing or wrong."""

import re
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import write_po

from footfall.adapters.languages.catalogues import LOCALES, read_catalogue
from tests.languages.literals import untranslated
from tests.languages.messages import messages

HEADER = (
    "# {name}, of Footfall. `make messages` keeps it in step with the sources: docs/internals/languages.md.\n"
)
_UNSTEADY = re.compile(
    r'^"(?!Language:|Plural-Forms|MIME-Version|Content-)[A-Z][\w-]+: .*\\n"\n', re.MULTILINE
)
_VALUES = re.compile(r"%\(\w+\)s|\{\w*\}")
_TAGS = re.compile(r"</?[a-z]+")


def updated(path: Path) -> Catalog:
    """Return a catalogue with the messages of the sources, and its translations of these."""
    former = read_catalogue(path)
    catalogue = Catalog(locale=former.locale, fuzzy=False)
    catalogue.header_comment = HEADER.format(name=former.locale.english_name if former.locale else path.stem)
    for message, names in sorted(messages().items(), key=lambda one: (min(one[1]), str(one[0]))):
        present = former.get(message)
        texts = (
            present.string if present else ("",) * former.num_plurals if isinstance(message, tuple) else ""
        )
        catalogue.add(message, texts, locations=[(name, 1) for name in sorted(names)])
    return catalogue


def write(path: Path, catalogue: Catalog) -> None:
    """Write a catalogue without what changes from day to day."""
    written = BytesIO()
    write_po(written, catalogue, width=110, include_lineno=False)
    path.write_text(_UNSTEADY.sub("", written.getvalue().decode()), encoding="utf-8")


def faults(path: Path) -> Iterator[str]:
    """Yield what is wrong with a catalogue: missing, stale, fuzzy, without values or tags of the message."""
    catalogue, wanted = read_catalogue(path), messages()
    present = {message.id for message in catalogue if message.id}
    yield from (f"{path.name}: missing: {one!r}" for one in wanted.keys() - present)
    yield from (f"{path.name}: stale: {one!r}" for one in present - wanted.keys())
    for message in catalogue:
        if message.id in wanted:
            yield from (f"{path.name}: {fault}: {message.id!r}" for fault in faults_of(message))


def faults_of(message: Message) -> Iterator[str]:
    """Yield what is wrong with a translation."""
    sources = message.id if isinstance(message.id, tuple) else (message.id,)
    texts = message.string if isinstance(message.string, tuple) else (message.string,)
    if message.fuzzy:
        yield "fuzzy"
    if not all(texts):
        yield "not translated"
        return
    for text in texts:
        if not any(_shape(text) == _shape(source) for source in sources):
            yield f"other values or tags in {text!r}"
        if '"' in _without_tags(text) and '"' not in _without_tags(sources[0]):
            yield "a straight quotation mark, which would end an attribute"


def _shape(text: str) -> tuple[list[str], list[str]]:
    return sorted(_VALUES.findall(text)), sorted(_TAGS.findall(text))


def _without_tags(text: str) -> str:
    return re.sub(r"<[^>]*>", "", text)


if __name__ == "__main__":
    if "--check" in sys.argv:
        found = [*(fault for path in sorted(LOCALES.glob("*.po")) for fault in faults(path)), *untranslated()]
        sys.exit("\n".join(found) or None)
    for path in sorted(LOCALES.glob("*.po")):
        write(path, updated(path))
