"""The positions of both logs that an answer is made from (docs/read/programs/citations.md)."""

import re
from datetime import UTC, datetime, timedelta

from attrs import evolve, frozen

from footfall.domain.citations.definitions import PRESENT, Definition, Definitions, require_known
from footfall.domain.exceptions import Invalid

# The traffic log of the store of the journal; a cell has a log of its own, whose positions are called after the cell.
MAIN = "main"
AS_OF_RULE = (
    "must be an instant with its zone, such as 2026-11-22T10:15:00Z (a + in it is written %2B), or the positions that "
    f"an earlier answer of this site named in Footfall-Positions: site=…, at=…, journal=…, traffic.{MAIN}=…"
)
HOUR_RULE = (
    "of a link must be an instant with its zone, such as 2026-11-22T10:15:00Z (a + in it is written %2B), and means "
    "the beginning of its hour: positions tell when events were stored, also those of other sites"
)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_DEFINED = "|".join(Definition)
_ENTRY = re.compile(
    rf"(site|at|journal|traffic\.(?P<log>[a-z][a-z0-9_]{{0,30}})|(?P<defined>{_DEFINED}))=(?P<number>[0-9]{{1,15}})"
)
# Site, instant, journal, and one traffic log, beside the numbers of definitions.
_NUMBER = 4
# From 1970 to 2200, in milliseconds.
_LATEST = 7_258_118_400_000


@frozen
class Positions:
    """The positions in the journal and the traffic log up to which an answer of one site was read, and its time.

    `definitions` are those by which it was counted.

    `at` is a whole number of milliseconds: periods such as the last 30 days end there. `log` is the cell whose traffic
    log has the position `traffic`: the same number in the log of another cell is another state.
    """

    site_id: int
    at: datetime
    journal: int
    traffic: int
    log: str = MAIN
    definitions: Definitions = PRESENT

    def __str__(self) -> str:
        """Return the text of the header, a dictionary of RFC 8941."""
        at = (self.at - _EPOCH) // _MILLISECOND
        defined = "".join(
            f", {definition.value}={number}" for definition, number in self.definitions if number > 1
        )
        return f"site={self.site_id}, at={at}, journal={self.journal}, traffic.{self.log}={self.traffic}{defined}"


def by_present_definitions(positions: Positions) -> Positions:
    """Return the positions for an answer that the definitions of today count."""
    return evolve(positions, definitions=PRESENT)


def whole_milliseconds(at: datetime) -> datetime:
    """Return an instant without the fraction of its millisecond."""
    return at.replace(microsecond=at.microsecond // 1000 * 1000)


def parse_as_of(text: str) -> Positions | datetime:
    """Return the positions or the instant that a question names.

    Raises:
        Invalid: the text is neither; the error names `as_of` and what is accepted.

    """
    entries = [_ENTRY.fullmatch(part.strip()) for part in text.split(",")]
    if not any(entries):
        return _instant(text)
    values = {entry[1]: int(entry["number"]) for entry in entries if entry is not None}
    logs = [entry["log"] for entry in entries if entry is not None and entry["log"]]
    defined = {name: number for name, number in values.items() if name in set(Definition)}
    is_whole = len(values) == len(entries) and len(values) - len(defined) == _NUMBER and len(logs) == 1
    if not is_whole or values["at"] > _LATEST:
        raise Invalid({"as_of": [AS_OF_RULE]})
    [log] = logs
    at, definitions = _EPOCH + values["at"] * _MILLISECOND, Definitions(**defined)
    require_known(definitions)
    return Positions(values["site"], at, values["journal"], values[f"traffic.{log}"], log, definitions)


def parse_hour(text: str) -> datetime:
    """Return the beginning of the hour, in UTC, of the instant that the reader of a link names.

    Raises:
        Invalid: the text is no instant with its zone; the error names `as_of` and what is accepted.

    """
    return _instant(text, HOUR_RULE).replace(minute=0, second=0, microsecond=0)


def _instant(text: str, rule: str = AS_OF_RULE) -> datetime:
    try:
        at = datetime.fromisoformat(text)
        if at.tzinfo is not None and text.isascii():
            return whole_milliseconds(at.astimezone(UTC))
    except (ValueError, OverflowError):
        raise Invalid({"as_of": [rule]}) from None
    raise Invalid({"as_of": [rule]})
