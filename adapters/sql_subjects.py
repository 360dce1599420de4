"""SQL in files by subject: each file holds the statements of one subject, every one below a line with its name.

`subject/name` is the section of the file `sql/subject.sql` of a package that begins with `-- name: name`. That line
belongs to the statement: by it `pg_stat_statements` and the server's log tell statements apart. Before the first
section stand comments on the subject alone.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

_SECTION = re.compile(r"^(?=-- name: )", re.MULTILINE)


class UnknownStatement(LookupError):
    """No file has a section for an address."""


def section(package: str, address: str) -> str:
    """Return the statement of a package at `subject/name`.

    Raises:
        UnknownStatement: there is no such file, or no such section in it.

    """
    subject, _, name = address.rpartition("/")
    try:
        return sections(package, subject)[name]
    except (FileNotFoundError, KeyError):
        raise UnknownStatement(f"{package} has no statement {address}") from None


@cache
def sections(package: str, subject: str) -> Mapping[str, str]:
    """Return the statements of a subject by their names, in the order of the file.

    Raises:
        FileNotFoundError: the package has no such file.
        ValueError: the file is not made of sections with different names.

    """
    return parse(files(package).joinpath("sql", f"{subject}.sql").read_text("utf-8"))


def parse(text: str) -> dict[str, str]:
    """Return the sections of a file by their names.

    Raises:
        ValueError: two sections have one name, or a statement stands before the first one.

    """
    about, *parts = _SECTION.split(text)
    if any(line and not line.startswith("--") for line in about.splitlines()):
        raise ValueError(f"text before the first name: {about.strip()!r}")
    sections: dict[str, str] = {}
    for part in parts:
        name = part.partition("\n")[0].removeprefix("-- name: ")
        if name in sections:
            raise ValueError(f"two statements have the name {name}")
        sections[name] = part.strip()
    return sections
