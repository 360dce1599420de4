"""The files of a span among those of a longer one."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from footfall.application.ports.columns import ColumnFiles

_DAY = timedelta(days=1)


def files_between(files: Sequence[ColumnFiles], start: datetime, end: datetime) -> Sequence[ColumnFiles]:
    """Return those files that hold a day which the span touches."""
    return [day_files for day_files in files if any(start - _DAY < day.day < end for day in day_files.days)]
