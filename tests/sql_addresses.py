"""The addresses of the statements of the PostgreSQL adapter."""

from collections.abc import Iterator
from pathlib import Path

from footfall.adapters import postgres
from footfall.adapters.sql_subjects import parse

ROOT = Path(str(postgres.__file__)).parent


def addresses() -> Iterator[str]:
    """Yield `room/subject/name` of each section, in the order of the files."""
    for path in sorted(ROOT.rglob("sql/*.sql")):
        room = path.parent.parent.relative_to(ROOT)
        yield from (f"{room}/{path.stem}/{name}" for name in parse(path.read_text("utf-8")))
