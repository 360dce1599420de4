"""The languages that the service speaks: English, and those with a catalogue."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

from attrs import field, frozen
from babel import Locale

from footfall.adapters.languages.catalogues import LOCALES, Texts, read_catalogue
from footfall.adapters.languages.translated import Translated, own_name
from footfall.application.languages.language import ENGLISH, Language

# Browsers send fewer; more are not read.
_MOST_ACCEPTED = 20


@frozen
class CatalogueLanguages:
    """Languages over catalogues by their codes, each of which is read when the language is spoken first."""

    _paths: Mapping[str, Path]
    _read: Callable[[Path], Language] = field(factory=lambda: cache(read_language), init=False)

    @classmethod
    def of(cls, further: Path | None = None) -> "CatalogueLanguages":
        """Return the languages of this package, and those of the catalogues in a folder.

        Raises:
            UnknownLocaleError: the name of a file is no language of CLDR.

        """
        folders = [LOCALES] if further is None else [LOCALES, further]
        paths = {path.stem: path for folder in folders for path in sorted(folder.glob("*.po"))}
        for code in paths:
            Locale.parse(code, sep="-")
        return cls(paths)

    def offered(self) -> dict[str, str]:
        """Return the own names of the languages to choose from, by their codes."""
        names = {code: own_name(Locale.parse(code, sep="-")) for code in self._paths}
        return {ENGLISH.code: ENGLISH.name, **names}

    def find(self, code: str | None) -> Language | None:
        """Return the language with this code; None for one that is not spoken."""
        if code == ENGLISH.code:
            return ENGLISH
        path = self._paths.get(code or "")
        return None if path is None else self._read(path)

    def negotiate(self, accepted: str | None) -> Language | None:
        """Return the language that suits an Accept-Language header best; None when it accepts none of them."""
        for tag in accepted_tags(accepted):
            for code in (tag, tag.partition("-")[0]):
                for language in (ENGLISH.code, *self._paths):
                    if language.lower() == code:
                        return self.find(language)
        return None


def accepted_tags(header: str | None) -> Sequence[str]:
    """Return the languages of an Accept-Language header, the most wanted first, without those of weight zero."""
    tags = list[tuple[float, str]]()
    for part in (header or "")[:500].lower().split(",")[:_MOST_ACCEPTED]:
        tag, _, weight = part.strip().partition(";")
        wanted = _weight(weight)
        if wanted > 0:
            tags.append((wanted, tag.strip()))
    return [tag for _, tag in sorted(tags, key=lambda rated: -rated[0])]


def _weight(text: str) -> float:
    name, _, value = text.partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return min(1.0, float(value))
    except ValueError:
        return 0.0


def read_language(path: Path) -> Language:
    """Return the language of a catalogue."""
    return Translated(path.stem, Locale.parse(path.stem, sep="-"), Texts.of(read_catalogue(path)))
