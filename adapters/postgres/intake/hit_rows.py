"""Hits as rows of the table `hit`: CSV for COPY on the way in, columns on the way out."""

import json
import re
from collections.abc import Mapping
from operator import attrgetter
from typing import Any

import orjson
from attrs import fields
from psycopg.rows import DictRow

from footfall.domain.tracking.hit import Hit, RecordedHit, with_choices

COLUMNS = tuple(attribute.name for attribute in fields(Hit))

# A JSON array without its brackets is a line of CSV whose texts are all quoted. Its only escapes that CSV does not have
# are those of control characters, which CSV holds as they are.
COPY = f"copy hit ({', '.join(COLUMNS)}) from stdin (format csv, escape '\\', null 'null')".encode()
COPY_IMPORTED = COPY.replace(b") from", b", import_id) from", 1)

_VALUES = attrgetter(*COLUMNS)
_CONTROLS = {orjson.dumps(chr(code))[1:-1]: bytes((code,)) for code in range(0x20)}
_CONTROL = re.compile(rb"\\(?:u[0-9a-f]{4}|[bfnrt])")
# No byte of UTF-8, and so none of a line.
_BACKSLASH = b"\xff"


def copy_row(hit: Hit) -> bytes:
    """Return the hit as one line for COPY, with its line end.

    Raises:
        TypeError: a text has a lone surrogate.

    """
    values = _VALUES(hit)
    if hit.properties is not None:
        values = tuple(_json(value) if isinstance(value, dict) else value for value in values)
    line = orjson.dumps(values)[1:-1]
    if b"\\" in line:
        # Backslashes are replaced first, so that the next character is not read as an escape. Quotes stay: an event may
        # hold tens of thousands, and to look at each would hold the worker up.
        aside = line.replace(rb"\\", _BACKSLASH)
        line = _CONTROL.sub(_as_it_is, aside).replace(_BACKSLASH, rb"\\")
    return line + b"\n"


def copy_imported_row(hit: Hit, import_id: int) -> bytes:
    """Return the hit of an import as one line for COPY_IMPORTED, with its line end.

    Raises:
        TypeError: a text has a lone surrogate.

    """
    return b"%b,%d\n" % (copy_row(hit)[:-1], import_id)


def recorded_hit(row: DictRow) -> RecordedHit:
    """Return the hit of a row."""
    return RecordedHit(row["position"], Hit(**with_choices({name: row[name] for name in COLUMNS})))


def _json(properties: Mapping[str, Any]) -> str:
    try:
        return orjson.dumps(properties).decode()
    except TypeError:
        # A whole number of more than 64 bits; or half a surrogate pair, which the line refuses next.
        return json.dumps(properties, ensure_ascii=False, allow_nan=False)


def _as_it_is(escape: re.Match[bytes]) -> bytes:
    return _CONTROLS[escape[0]]
