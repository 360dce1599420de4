"""The functions of queries, which each instance of DuckDB has from its start."""

from collections.abc import Mapping, Sequence

from footfall.adapters.columns.sql_files import compose
from footfall.adapters.sql_subjects import section
from footfall.domain.bots.bot_names import BotPurpose, names_by_operator, names_by_purpose
from footfall.domain.tracking.screen import BELOW, ScreenClass


def functions() -> Sequence[str]:
    """Return the statements that make the functions: what the domain declares is written into them."""
    of_domain = compose(
        "functions/functions_of_domain",
        operators=_bots(names_by_operator()),
        purposes=_bots(names_by_purpose()),
        other=BotPurpose.OTHER,
        below=" ".join(f"when width < {width} then '{name}'" for width, name in BELOW),
        widest=ScreenClass.VERY_LARGE,
    )
    return section("footfall.adapters.columns", "functions/functions"), of_domain


def _bots(names_by_value: Mapping[str, Sequence[str]]) -> str:
    branches = []
    for value, names in names_by_value.items():
        listed = ", ".join(f"'{name}'" for name in names)
        branches.append(f"when bot in ({listed}) then '{value}'")
    return " ".join(branches)
