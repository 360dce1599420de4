"""`python -m footfall.entrypoints.reader`, which a worker of the service starts (docs/internals/columns.md#turns)."""

import sys
from pathlib import Path

from footfall.entrypoints.composition.reading.reader_process import read_reports

if __name__ == "__main__":
    data_dir, memory = sys.argv[1:]
    read_reports(Path(data_dir), int(memory))
