"""Queries of DuckDB in files: `subject/name` is the section `name` of `sql/subject.sql` of this package."""

from functools import cache
from string import Formatter

from footfall.adapters.sql_subjects import section


def compose(name: str, /, **pieces: str) -> str:
    """Return the query of a section whose places are filled.

    A place `{word}` takes the piece of that name. Without one it takes the section `word` of the same subject, whose
    own places are filled in the same way; `{subject/word}` takes a section of another subject. Braces that are no place
    are doubled. Pieces are made of constants, names of parameters and other sections, never of values.
    """
    text, places = _template(name)
    filled = {
        place: pieces[place] if place in pieces else compose(_beside(name, place), **pieces)
        for place in places
    }
    return text.format(**filled)


@cache
def _template(name: str) -> tuple[str, frozenset[str]]:
    text = section("footfall.adapters.columns", name)
    return text, frozenset(place for _, place, _, _ in Formatter().parse(text) if place)


def _beside(name: str, place: str) -> str:
    return place if "/" in place else f"{name.rpartition('/')[0]}/{place}"
