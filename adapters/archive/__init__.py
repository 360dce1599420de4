"""Archives: the hits of a site as JSON Lines in a file, compressed or not, or in a stream."""

from footfall.adapters.archive.lines import Heading
from footfall.adapters.archive.reading import ArchiveReader
from footfall.adapters.archive.writing import ArchiveWriter

__all__ = ["ArchiveReader", "ArchiveWriter", "Heading"]
