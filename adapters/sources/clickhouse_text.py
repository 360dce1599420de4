"""Values as ClickHouse writes them: fixed strings, arrays and maps in text, escapes of TSV."""

import re
from collections.abc import Mapping
from typing import Any

import orjson

from footfall.adapters.sources.reading.values import NULL

_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"b": "\b", "f": "\f", "r": "\r", "n": "\n", "t": "\t", "0": "\0", "a": "\a", "v": "\v"}
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'", re.DOTALL)
# Columns of arrays and maps, whose texts are escaped inside of their quotes only.
_NESTED = frozenset({"meta.key", "meta.value", "url_parameters"})


def unescaped_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of TSV with texts as they are meant."""
    return {name: _plain(name, value) for name, value in document.items()}


def texts_of(value: Any) -> list[str]:
    """Return an array of texts, whether it is one already or is written as `['a','b']`."""
    if isinstance(value, list):
        return [str(item) for item in value]
    return [] if not value or value == "[]" else [_unescaped(text) for text in _QUOTED.findall(value)]


def object_of(value: Any) -> dict[str, Any]:
    """Return an object, whether it is one already, is JSON, or is written as `{'a':'b'}`.

    Raises:
        TypeError: the text is another kind of JSON.
        ValueError: the text is neither.

    """
    if isinstance(value, dict):
        return value
    if not value or value in ("{}", NULL):
        return {}
    if value.startswith("{'"):
        texts = texts_of(value)
        return dict(zip(texts[::2], texts[1::2], strict=True))
    return {**orjson.loads(value)}


def _plain(name: str, value: Any) -> Any:
    if not isinstance(value, str) or "\\" not in value or name in _NESTED or value == NULL:
        return value
    return _unescaped(value)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda match: _ESCAPED.get(match[1], match[1]), text) if "\\" in text else text
