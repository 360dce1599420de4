"""The flow of journeys as a drawing: a column of bars for each step, and the ways between them."""

from collections.abc import Iterable, Mapping, Sequence

from attrs import define, frozen

from footfall.domain.journeys.journey import JourneyReport, JourneyStep

COLUMN = 176
BAR = 10
# All sessions together are this high; a bar has at least a label's height for itself.
_FULL = 200
_LABEL = 34
_GAP = 6
_TOP = 22
_THINNEST = 1.5


@frozen(kw_only=True)
class FlowStep:
    """What is taken at a step by its number; the journeys that `ended` before it have no step, nor have the others.

    Number 0 is the beginning.
    """

    number: int
    step: JourneyStep | None = None
    ended: bool = False


@frozen(kw_only=True)
class FlowBar:
    """The bar of a step: its place, its height, and its sessions with those of the step before."""

    of: FlowStep
    x: int
    y: float
    height: float
    sessions: int
    whole: int


@frozen(kw_only=True)
class FlowBand:
    """The way from one step to the next one as the path of an area."""

    path: str
    ended: bool


@frozen(kw_only=True)
class Flow:
    """A drawing of some width and height; `heads` are the numbers of its columns, each with its place."""

    width: int
    height: float
    heads: Sequence[tuple[int, int]]
    bars: Sequence[FlowBar]
    bands: Sequence[FlowBand]


@define
class _Edge:
    """The place up to which the bands of a bar are drawn, on either side."""

    incoming: float
    outgoing: float


def steps_of(report: JourneyReport, number: int) -> list[tuple[FlowStep, int]]:
    """Return the steps of a number with their sessions: the most frequent first, then the others, then what ended."""
    if number == 0:
        return [(FlowStep(number=0), report.sessions)]
    steps = [(FlowStep(number=number, step=way.step), way.sessions) for way in report.steps(number)]
    ended = report.ended_before(number)
    return [*steps, *([(FlowStep(number=number, ended=True), ended)] if ended else [])]


def flow_of(report: JourneyReport, *, is_backward: bool) -> Flow:
    """Return the drawing of journeys; one that leads back is drawn from right to left."""
    numbers = [0, *report.numbers]
    places = {number: COLUMN * (numbers[-1] - number if is_backward else number) for number in numbers}
    bars = [bar for number in numbers for bar in _bars(report, number, places[number])]
    edges = {bar.of: _Edge(bar.y, bar.y) for bar in bars}
    scale = _scale(report)
    bands = [
        FlowBand(
            path=_band(
                places[source.number], places[target.number], edges[source], edges[target], sessions * scale
            ),
            ended=target.ended,
        )
        for source, target, sessions in _ways(report, [bar.of for bar in bars])
    ]
    height = max((bar.y + max(bar.height, _LABEL) for bar in bars), default=0)
    return Flow(
        width=COLUMN * len(numbers),
        height=round(height + _GAP, 1),
        heads=[(number, places[number]) for number in numbers],
        bars=bars,
        bands=bands,
    )


def _bars(report: JourneyReport, number: int, x: int) -> Iterable[FlowBar]:
    y, scale = float(_TOP), _scale(report)
    whole = report.reached(max(number - 1, 0))
    for step, sessions in steps_of(report, number):
        height = round(max(sessions * scale, _THINNEST), 2)
        yield FlowBar(of=step, x=x, y=round(y, 2), height=height, sessions=sessions, whole=whole)
        y += max(height, _LABEL) + _GAP


def _ways(report: JourneyReport, drawn: Sequence[FlowStep]) -> Iterable[tuple[FlowStep, FlowStep, int]]:
    """Return the ways between bars, those of a bar in the order of the bars at their other ends."""
    order: Mapping[FlowStep, int] = {step: place for place, step in enumerate(drawn)}
    ways = [
        (
            FlowStep(number=passage.number - 1, step=passage.source),
            FlowStep(number=passage.number, step=passage.target),
            passage.sessions,
        )
        for passage in report.passages
    ]
    for source in drawn:
        end = FlowStep(number=source.number + 1, ended=True)
        if not source.ended and end in order and (sessions := report.ended(source.number, source.step)):
            ways.append((source, end, sessions))
    return sorted(ways, key=lambda way: (order[way[0]], order[way[1]]))


def _band(left: int, right: int, source: _Edge, target: _Edge, thickness: float) -> str:
    """Return the area between two bars, below the bands that are there already."""
    start, end = (left + BAR, right) if left < right else (left, right + BAR)
    middle = (start + end) // 2
    top, bottom = (round(edge, 2) for edge in (source.outgoing, target.incoming))
    source.outgoing += thickness
    target.incoming += thickness
    back, low = (round(edge, 2) for edge in (source.outgoing, target.incoming))
    return (
        f"M{start} {top:g}C{middle} {top:g} {middle} {bottom:g} {end} {bottom:g}"
        f"V{low:g}C{middle} {low:g} {middle} {back:g} {start} {back:g}Z"
    )


def _scale(report: JourneyReport) -> float:
    return _FULL / report.sessions if report.sessions else 0.0
