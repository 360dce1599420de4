"""Hits as rows of the table `hit`: text for COPY on the way in, columns on the way out."""

from operator import attrgetter
from typing import Any

import orjson
from attrs import fields
from psycopg.rows import DictRow

from footfall.domain.hit import DeviceType, Hit, HitType, RecordedHit

COLUMNS = tuple(attribute.name for attribute in fields(Hit))

# Texts are never empty in a hit, so the empty field is free to mean null: that saves escaping a backslash.
COPY = f"copy hit ({', '.join(COLUMNS)}) from stdin (null '')".encode()
READ = (
    f"select position, {', '.join(COLUMNS)} from hit"
    " where position > %(after)s and position <= %(up_to)s order by position limit %(limit)s"
).encode()

_VALUES = attrgetter(*COLUMNS)
_TABS = len(COLUMNS) - 1
_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def copy_row(hit: Hit) -> str:
    """Return the hit as one line of COPY's text format, with its line end."""
    values = [value if value.__class__ is str else _text(value) for value in _VALUES(hit)]
    line = "\t".join(values)
    if line.count("\t") != _TABS or "\\" in line or "\n" in line or "\r" in line:
        line = "\t".join([value.translate(_ESCAPES) for value in values])
    return line + "\n"


def recorded_hit(row: DictRow) -> RecordedHit:
    """Return the hit of a row."""
    values = {name: row[name] for name in COLUMNS}
    values["type"] = HitType(values["type"])
    values["device_type"] = DeviceType(values["device_type"])
    return RecordedHit(row["position"], Hit(**values))


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, dict):
        return orjson.dumps(value).decode()
    return str(value)
