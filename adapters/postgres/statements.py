"""SQL statements, kept in files of their own."""

from functools import cache
from importlib.resources import files


@cache
def statement(name: str) -> bytes:
    """Return the statement of the file `sql/<name>.sql`; bytes, so that no caller composes SQL from input."""
    return files("footfall.adapters.postgres").joinpath("sql", f"{name}.sql").read_bytes()
