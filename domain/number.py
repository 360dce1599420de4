"""Rules for numbers in JSON, which limits neither their size nor their digits."""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

TOO_LARGE = "must be a number that double precision can hold: at most about 1.8e308"
# Above it, doubles skip whole numbers, so that two different numbers would be equal.
MOST_EXACT = 2**53
MAX_ERRORS = 20

# The largest double has 309 digits; one more character is the sign.
_MOST_DIGITS = 310
_DIGITS_OF_ID = 18
_MOST_OF_NAME = 200
# Fast decoders turn whole numbers of more than 64 bits into doubles; the smallest of those has 19 digits.
_MANY_DIGITS = re.compile(r"[0-9]{19}")
_MANY_DIGITS_IN_BYTES = re.compile(rb"[0-9]{19}")
_CONTAINERS = (dict, list)

_Named = tuple[str, Any]


def decode_json(text: str | bytes, fast: Callable[[str | bytes], Any]) -> Any:
    """Return the value of a JSON text with exact whole numbers; a number beyond all doubles becomes an infinity.

    `fast` decodes texts without long numbers; it raises ValueError for texts that it cannot decode.

    Raises:
        ValueError: the text is not JSON.

    """
    many_digits = _MANY_DIGITS if isinstance(text, str) else _MANY_DIGITS_IN_BYTES
    try:
        decoded = fast(text)
    except (ValueError, RecursionError):
        return exact_json(text)
    return exact_json(text) if many_digits.search(text) else decoded  # type: ignore[arg-type]


def exact_json(text: str | bytes) -> Any:
    """Return the value of a JSON text as `decode_json` does, with the slower standard library.

    Raises:
        ValueError: the text is not JSON.

    """
    try:
        return json.loads(text, parse_int=_whole, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def whole_number(value: Any) -> int | None:
    """Return a number of a decoded JSON value that is whole, however it is written: 42 and 42.0 are one number.

    None for every other value, true and false included.
    """
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def identifier(text: str) -> int | None:
    """Return the number of a text of digits; None for another text, and for one that is too long for an id."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _DIGITS_OF_ID else None


def number_errors(value: Any, name: str = "") -> dict[str, list[str]]:
    """Return an error for each number beyond all doubles in a decoded JSON value, by names such as `a.b[0]`.

    At most MAX_ERRORS are returned, by names of at most 200 characters.
    """
    if not _holds_an_infinity(value):
        return {}
    errors: dict[str, list[str]] = {}
    waiting: list[_Named] = [(name, value)]
    while waiting and len(errors) < MAX_ERRORS:
        name, part = waiting.pop()
        if isinstance(part, float) and not math.isfinite(part):
            errors[name] = [TOO_LARGE]
        waiting.extend(_members(name, part))
    return errors


def _holds_an_infinity(value: Any) -> bool:
    # Names are built only for values with an infinity, which are rare. This check takes 5 ms for 64,000 members.
    level: list[Any] = [value]
    while level:
        if math.inf in level or -math.inf in level:
            return True
        containers = [part for part in level if isinstance(part, _CONTAINERS)]
        level = [member for part in containers for member in _inside(part)]
    return False


def _inside(container: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return container.values() if isinstance(container, dict) else container


def _members(name: str, part: Any) -> Iterator[_Named]:
    if isinstance(part, dict):
        for key, member in part.items():
            yield _shortened(f"{name}.{key}" if name else key), member
    elif isinstance(part, list):
        for index, member in enumerate(part):
            yield _shortened(f"{name}[{index}]"), member


def _shortened(name: str) -> str:
    # Names are part of responses, whose encoding cannot contain unpaired surrogates.
    return name[:_MOST_OF_NAME].encode("utf-8", "replace").decode()


def _whole(digits: str) -> int | float:
    if len(digits) <= _MOST_DIGITS:
        number = int(digits)
        if _fits_a_double(number):
            return number
    return math.inf


def _fits_a_double(number: int) -> bool:
    try:
        float(number)
    except OverflowError:
        return False
    return True


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)
