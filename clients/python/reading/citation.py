"""The citation of a table: the question, and the state of the service that answered it.

See docs/read/programs/citations.md.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Self

from attrs import asdict, frozen

from footfall.client.reading.errors import UnreadableAnswer

# The first module of the room that needs the package.
try:
    from arro3.core import Table
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "Reading needs the packages of footfall[reading]", name=missing.name
    ) from missing

KEY = "footfall.citation"


@frozen
class Citation:
    """What a table says, and as of when.

    The same call with `as_of=positions` gives the same rows, unless their events were erased. `positions` is None of
    reports without a past. `incomplete` counts the events that were stored and not yet in the report, `excluded` the
    sessions that exclusion rules leave out, None where the service says nothing of them.
    """

    service: str
    site: str
    report: str
    parameters: Mapping[str, Any]
    positions: str | None
    at: str
    incomplete: int = 0
    excluded: int | None = None

    @classmethod
    def of(cls, table: Table) -> Self:
        """Return the citation that a table has in the metadata of its schema.

        Raises:
            ValueError: it has none; other libraries drop it when they convert a table.

        """
        metadata = table.schema.metadata_str
        if KEY not in metadata:
            raise ValueError("The table has no citation")
        return cls(**json.loads(metadata[KEY]))

    def metadata(self) -> dict[str, str]:
        """Return the metadata of the schema of a table."""
        return {KEY: json.dumps(asdict(self), ensure_ascii=False, default=str)}

    def __str__(self) -> str:
        asked = "".join(f", {name}={value}" for name, value in self.parameters.items())
        state = "" if self.positions is None else f" ({self.positions})"
        return f"{self.report} of site {self.site} at {self.service}{asked}, as of {self.at}{state}"


def cited(
    service: str, site: str, report: str, parameters: Mapping[str, Any], headers: Mapping[str, str]
) -> Citation:
    """Return the citation of an answer with these headers.

    Raises:
        UnreadableAnswer: one of them is no header of the service.

    """
    positions = headers.get("footfall-positions")
    incomplete, excluded = (headers.get(f"footfall-{name}") for name in ("incomplete", "excluded"))
    try:
        return Citation(
            service,
            site,
            report,
            parameters,
            positions,
            _moment(positions),
            int(incomplete or 0),
            None if excluded is None else int(excluded),
        )
    except (ValueError, OverflowError):
        raise UnreadableAnswer("The answer has headers that the service does not send", status=200) from None


def _moment(positions: str | None) -> str:
    pairs = dict(pair.split("=", 1) for pair in (positions or "").split(", ") if "=" in pair)
    at = pairs.get("at")
    moment = datetime.now(UTC) if at is None else datetime.fromtimestamp(int(at) / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
