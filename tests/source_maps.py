"""A small source with its minified form and the map between them, and a directory of such files."""

import json

SOURCE = """function pay(amount) {
  if (!amount) {
    throw new Error('no amount');
  }
}
pay(0);
"""
CODE = "function a(b){if(!b)throw new Error('no amount')}a(0);"
# Column in the code, line and column in the source, all from 0.
# The second one is the name of the function.
_PLACES = [(0, 0, 0), (9, 0, 9), (11, 0, 12), (14, 1, 2), (20, 2, 4), (26, 2, 10), (49, 5, 0)]
# Where the minified code throws, from 1, and where the source does.
THROWN = (1, 27)
WRITTEN = (3, 11)
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def quantity(number):
    """Return a number as maps write it: base 64, five bits a digit, the sign in the last bit."""
    left, text = (-number << 1) | 1 if number < 0 else number << 1, ""
    while left > 31:
        text += _DIGITS[left & 31 | 32]
        left >>= 5
    return text + _DIGITS[left]


def mappings(places=_PLACES):
    """Return the mappings of one line of code."""
    before, segments = (0, 0, 0), []
    for column, line, source_column in places:
        steps = (column - before[0], 0, line - before[1], source_column - before[2])
        named = [0] if (column, line) == (9, 0) else []
        segments.append("".join(map(quantity, [*steps, *named])))
        before = (column, line, source_column)
    return ",".join(segments)


def source_map(source=SOURCE, name="webpack:///src/pay.js", **fields):
    """Return the map as a text."""
    known = {
        "version": 3,
        "sources": [name],
        "names": ["pay"],
        "mappings": mappings(),
        "sourcesContent": [source],
    }
    return json.dumps(known | fields)


def built(folder, name="assets/app.js", comment=None, *, with_map=True):
    """Write a minified file and its map below a folder."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(CODE + (f"\n//# sourceMappingURL={path.name}.map\n" if comment is None else comment))
    if with_map:
        path.with_name(f"{path.name}.map").write_text(source_map())
    return path
