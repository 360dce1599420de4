"""Reports as Arrow tables, for notebooks and programs (docs/read/programs/reading.md)."""

from footfall.client.reading.citation import Citation
from footfall.client.reading.errors import ReadingError, ReportRefused, ServiceUnavailable, UnreadableAnswer
from footfall.client.reading.reader import Reader, read

__all__ = [
    "Citation",
    "Reader",
    "ReadingError",
    "ReportRefused",
    "ServiceUnavailable",
    "UnreadableAnswer",
    "read",
]
