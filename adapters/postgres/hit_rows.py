"""Hits as rows of the table `hit`: CSV for COPY on the way in, columns on the way out."""

import re
from operator import attrgetter

import orjson
from attrs import fields
from psycopg.rows import DictRow

from footfall.domain.hit import DeviceType, Hit, HitType, RecordedHit

COLUMNS = tuple(attribute.name for attribute in fields(Hit))

# A JSON array without its brackets is a line of CSV whose texts are all quoted. Its only escapes that CSV does not have
# are those of control characters, which CSV holds as they are.
COPY = f"copy hit ({', '.join(COLUMNS)}) from stdin (format csv, escape '\\', null 'null')".encode()
READ = (
    f"select position, {', '.join(COLUMNS)} from hit"
    " where position > %(after)s and position <= %(up_to)s order by position limit %(limit)s"
).encode()

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
        values = tuple(orjson.dumps(value).decode() if isinstance(value, dict) else value for value in values)
    line = orjson.dumps(values)[1:-1]
    if b"\\" in line:
        # Backslashes step aside, so that what follows one is not taken for its escape. Quotes stay: somebody may send
        # tens of thousands, and to look at each would hold the worker up.
        aside = line.replace(rb"\\", _BACKSLASH)
        line = _CONTROL.sub(_as_it_is, aside).replace(_BACKSLASH, rb"\\")
    return line + b"\n"


def recorded_hit(row: DictRow) -> RecordedHit:
    """Return the hit of a row."""
    values = {name: row[name] for name in COLUMNS}
    values["type"] = HitType(values["type"])
    values["device_type"] = DeviceType(values["device_type"])
    return RecordedHit(row["position"], Hit(**values))


def _as_it_is(escape: re.Match[bytes]) -> bytes:
    return _CONTROLS[escape[0]]
