"""Queries of DuckDB in files: `folder/name` is the file `sql/folder/name.sql` of this package."""

from functools import cache
from importlib.resources import files
from string import Formatter


def compose(name: str, /, **pieces: str) -> str:
    """Return the query of a file whose places are filled.

    A place `{word}` takes the piece of that name. Without one it takes the file `word` of the same folder, whose own
    places are filled in the same way; `{folder/word}` takes a file of another folder. Braces that are no place are
    doubled. Pieces are made of constants, names of parameters and other files, never of values.
    """
    text, places = _template(name)
    found = {
        place: pieces[place] if place in pieces else compose(_beside(name, place), **pieces)
        for place in places
    }
    return text.format(**found)


@cache
def _template(name: str) -> tuple[str, frozenset[str]]:
    text = files("footfall.adapters.columns").joinpath("sql", f"{name}.sql").read_text("utf-8").strip()
    return text, frozenset(place for _, place, _, _ in Formatter().parse(text) if place)


def _beside(name: str, place: str) -> str:
    return place if "/" in place else f"{name.rpartition('/')[0]}/{place}"
