"""Writes adapters/web/static/world.svg from Natural Earth's outlines of countries.

`npm install --no-save world-atlas cldr-core` in a folder makes its `node_modules`, which
`python -m tests.web.places.world_map node_modules` reads.
"""

import json
import math
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from footfall.adapters.web.assets import FOLDER
from footfall.domain.sites.excluded_addresses import COUNTRIES

WIDTH = 2000
# The map is cut along this meridian, in the Bering Strait, where it divides no outline but that of Antarctica.
_CUT = -168.6
# Outlines keep the points that are so far from the line between their neighbours, in units of the drawing.
_TOLERANCE = 0.7
_SMALLEST_AREA = 6.0
# Countries without an outline of their own at this scale are discs.
_DISC_RADIUS = 9
# Natural Earth gives no number to these.
_UNNUMBERED = {"Kosovo": "XK"}
_ANTARCTICA = "AQ"

_Point = tuple[float, float]


def main(packages: Path) -> None:
    """Write the map from the packages that npm installed."""
    codes = _codes(packages / "cldr-core" / "supplemental" / "codeMappings.json")
    atlas = packages / "world-atlas"
    coarse = _read(atlas / "countries-110m.json", codes, without={_ANTARCTICA})
    known = {code for code, _ in coarse}
    fine = _read(atlas / "countries-50m.json", codes, without={_ANTARCTICA, *known})
    height = round(max(y for _, rings in coarse for ring in rings for _, y in ring))
    drawn = [path for code, rings in coarse if (path := _path(code, rings))]
    drawn += [_disc(code, rings) for code, rings in fine if code]
    shapes = "\n".join(sorted(drawn))
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}">\n'
        f'<g id="land">\n{shapes}\n</g>\n</svg>\n'
    )
    (FOLDER / "world.svg").write_text(text, encoding="utf-8")


def _codes(path: Path) -> dict[str, str]:
    """Return the two-letter codes of present countries by their numbers."""
    mappings = json.loads(path.read_text(encoding="utf-8"))["supplemental"]["codeMappings"]
    return {
        one["_numeric"]: code for code, one in mappings.items() if code in COUNTRIES and "_numeric" in one
    }


def _read(
    path: Path, codes: Mapping[str, str], without: Collection[str]
) -> list[tuple[str, list[list[_Point]]]]:
    """Return the code of each country, or an empty one, with its projected outlines."""
    topology = json.loads(path.read_text(encoding="utf-8"))
    arcs = [_decoded(arc, topology["transform"]) for arc in topology["arcs"]]
    found = []
    for one in topology["objects"]["countries"]["geometries"]:
        code = codes.get(one.get("id", ""), _UNNUMBERED.get(one["properties"]["name"], ""))
        if code not in without:
            polygons = one["arcs"] if one["type"] == "MultiPolygon" else [one["arcs"]]
            rings = [_ring(ring, arcs) for polygon in polygons for ring in polygon]
            found.append((code, [[_projected(*point) for point in ring] for ring in rings]))
    return found


def _decoded(arc: Iterable[tuple[int, int]], transform: Mapping[str, Any]) -> list[_Point]:
    (x_scale, y_scale), (x_start, y_start) = transform["scale"], transform["translate"]
    x = y = 0
    points = []
    for x_step, y_step in arc:
        x, y = x + x_step, y + y_step
        points.append((x * x_scale + x_start, y * y_scale + y_start))
    return points


def _ring(indexes: Iterable[int], arcs: list[list[_Point]]) -> list[_Point]:
    """Return the points of a closed outline; a negative index is an arc in the other direction."""
    points: list[_Point] = []
    for index in indexes:
        arc = arcs[index] if index >= 0 else arcs[~index][::-1]
        points.extend(arc[1:] if points else arc)
    ring = [((x - _CUT) % 360 + _CUT, y) for x, y in points]
    if any(abs(one[0] - other[0]) > 180 for one, other in pairwise(ring)):
        raise ValueError(f"the cut divides the outline that begins at {ring[0]}")
    return ring


def _projected(longitude: float, latitude: float) -> _Point:
    """Project a place by the Natural Earth projection (T. Patterson 2012)."""
    angle = math.radians(latitude)
    square = angle * angle
    fourth = square * square
    across = math.radians(longitude - _CUT - 180) * (
        0.870700 - 0.131979 * square + fourth * (-0.013791 + fourth * (0.003971 * square - 0.001529 * fourth))
    )
    unit = WIDTH / (2 * math.pi * 0.870700)
    return WIDTH / 2 + across * unit, (_height(math.radians(84)) - _height(angle)) * unit


def _height(angle: float) -> float:
    square = angle * angle
    fourth = square * square
    return angle * (
        1.007226 + square * (0.015085 + fourth * (-0.044475 + 0.028874 * square - 0.005916 * fourth))
    )


def _path(code: str, rings: Iterable[list[_Point]]) -> str:
    data = "".join(_ring_data(_simplified(ring)) for ring in rings if _area(ring) >= _SMALLEST_AREA)
    return f'<path{_id(code)} d="{data}"/>' if data else ""


def _disc(code: str, rings: list[list[_Point]]) -> str:
    """Return a disc in the middle of the largest outline."""
    largest = max(rings, key=_area)
    x, y = (round(sum(values) / len(largest)) for values in zip(*largest, strict=True))
    return f'<circle{_id(code)} cx="{x}" cy="{y}" r="{_DISC_RADIUS}"/>'


def _id(code: str) -> str:
    return f' id="{code}"' if code else ""


def _area(ring: list[_Point]) -> float:
    pairs = pairwise(ring)
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs)) / 2


def _simplified(ring: list[_Point]) -> list[_Point]:
    """Return an outline without the points that hardly change it (Douglas and Peucker)."""
    middle = max(range(len(ring)), key=lambda index: math.dist(ring[0], ring[index]))
    return [*_kept(ring[: middle + 1]), *_kept(ring[middle:])[1:]]


def _kept(line: list[_Point]) -> list[_Point]:
    if len(line) <= 2:
        return line
    distances = [_distance(point, line[0], line[-1]) for point in line[1:-1]]
    farthest = max(range(len(distances)), key=distances.__getitem__) + 1
    if distances[farthest - 1] < _TOLERANCE:
        return [line[0], line[-1]]
    return [*_kept(line[: farthest + 1]), *_kept(line[farthest:])[1:]]


def _distance(point: _Point, start: _Point, end: _Point) -> float:
    """Return the distance of a point from the line between two others."""
    length = math.dist(start, end)
    if not length:
        return math.dist(point, start)
    (x, y), (x1, y1), (x2, y2) = point, start, end
    return abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)) / length


def _ring_data(ring: list[_Point]) -> str:
    """Return an outline as path data in whole units: where it starts, and the steps from there."""
    places = [(round(x), round(y)) for x, y in ring]
    return f"M{_pair(*places[0])}l{''.join(_steps(places)).lstrip()}z"


def _steps(places: list[tuple[int, int]]) -> Iterator[str]:
    for (x1, y1), (x2, y2) in pairwise(places[:-1]):
        if (x1, y1) != (x2, y2):
            step = _pair(x2 - x1, y2 - y1)
            yield step if step.startswith("-") else f" {step}"


def _pair(x: int, y: int) -> str:
    return f"{x}{y}" if y < 0 else f"{x} {y}"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
