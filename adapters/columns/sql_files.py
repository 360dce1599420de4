"""Queries of DuckDB in files: `subject/name` is the section `name` of `sql/subject.sql` of this package.

A section is a whole query wherever that can be. What it reads are relations: those of the site, and queries that stand
in front of it under the names by which it reads them. Functions of all queries are in `sql/functions.sql`.
"""

import re

from footfall.adapters.sql_subjects import section

# The comments before a query, and whether it has others in front of it.
_BEGIN = re.compile(r"(?:\s|--[^\n]*\n)*(?P<with>with\b)?")


class Kept(str):
    """A query that DuckDB makes once for all that read it, and does not fold into these."""

    __slots__ = ()


def compose(name: str, /, **pieces: str) -> str:
    """Return the query of a section: as it stands, or with its places filled by the pieces of their names.

    Braces that are no place are doubled beside places. Pieces are made of constants, names of parameters and other
    queries, never of values.
    """
    text = section("footfall.adapters.columns", name)
    return text.format(**pieces) if pieces else text


def select(source: str, *conditions: str, columns: str = "*") -> str:
    """Return the query of the rows of a relation for which all of some conditions hold, with some columns."""
    places = {"source": source, "columns": columns, "conditions": " and ".join(conditions) or "true"}
    return compose("selection/select", **places)


def over(query: str, /, **relations: str) -> str:
    """Return a query with other ones in front of it, under the names by which it, and those after them, read them.

    DuckDB folds them into it as it does with views, but for those that are `Kept`.
    """
    queries = ",\n".join(
        f"{name} as {'' if isinstance(text, Kept) else 'not '}materialized (\n{text}\n)"
        for name, text in relations.items()
    )
    begin = _BEGIN.match(query)
    if not relations or begin is None:
        return query
    return f"with {queries}{',' if begin['with'] else ''}\n{query[begin.end() :]}"
