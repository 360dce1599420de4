"""Rules for text from requests and commands."""

import re
from collections.abc import Callable

from footfall.domain.exceptions import Invalid

# Writes a message with values in the place of their names in braces.
Say = Callable[..., str]
# PostgreSQL cannot store NUL, and UTF-8 cannot encode unpaired surrogates.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
# Control characters, line breaks, characters that turn the direction of the text after them or hide, and tags. The
# joiners and the marks of direction stay: languages and emoji need them.
_UNSHOWABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u180e\u200b\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
# Letters of the scripts that joiners shape (Arabic, those of India, ...), symbols, and emoji.
_JOINED = "[\u0600-\u1dff\u2190-\u2bff\u3030\u303d\ufb50-\ufdff\ufe0f\ufe70-\ufefc\U00010000-\U0001ffff]"
_SELECTORS = "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
# These make two names look alike, too: marks of direction, fillers, joiners that join nothing, and selectors of
# variants that select nothing. These are the characters that Unicode ignores by default (UAX 44), by their uses.
_HIDDEN = re.compile(
    f"{_UNSHOWABLE.pattern}"
    "|[\u034f\u061c\u115f\u1160\u17b4\u17b5\u200e\u200f\u3164\uffa0\ufff0-\ufff8]"
    "|[\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0080-\U000e00ff\U000e01f0-\U000e0fff]"
    f"|(?<!{_JOINED})[\u200c\u200d]|[\u200c\u200d](?!{_JOINED})"
    f"|(?<![^\\s{_SELECTORS}])[{_SELECTORS}]"
)
# England, Scotland and Wales: a black flag, tags, and the tag that ends them.
_FLAG = re.compile("\U0001f3f4[\U000e0061-\U000e007a]{1,6}\U000e007f")
_INVISIBLE = re.compile("[\\s\u2800]*")
_HIDING = "must not contain U+{code}: control characters, line breaks and marks that turn or hide text are not accepted"
_HIDING_IN_LINES = (
    "must not contain U+{code}: control characters and marks that turn or hide text are not accepted"
)
_LINE_BREAKS = re.compile("[\t\r\n]+")


def in_english(message: str, /, **values: object) -> str:
    """Return a message with its values, as it is in the sources."""
    return message.format(**values)


def text_fault(value: str, *, maximum: int) -> str | None:
    """Return the rule that a text of at most `maximum` characters breaks, or None."""
    if len(value) > maximum:
        return f"must be at most {maximum:,} characters"
    if UNSTORABLE.search(value):
        return "must not contain NUL characters or unpaired surrogates"
    return None


def required_text(field: str, value: str, *, maximum: int) -> str:
    """Return the text without surrounding white space.

    Raises:
        Invalid: it is empty, too long, or cannot be stored; the error names `field`.

    """
    value = value.strip()
    fault = text_fault(value, maximum=maximum) if value else f"must have 1 to {maximum:,} characters"
    if fault:
        raise Invalid({field: [fault]})
    return value


def shown_name(field: str, value: str, *, maximum: int) -> str:
    """Return a name that a person gives to a thing, without surrounding white space.

    See docs/share/administration.md#names.

    Raises:
        Invalid: `required_text` refuses it, it has a character that hides or changes how the text around it is shown,
            or none that is visible; the error names `field`.

    """
    text = required_text(field, value, maximum=maximum)
    _require_shown(field, text, _HIDING)
    return text


def shown_lines(field: str, value: str, *, maximum: int) -> str:
    """Return a text that follows the rule of names, but may have line breaks and tabs.

    Raises:
        Invalid: `shown_name` refuses it without these; the error names `field`.

    """
    text = required_text(field, value, maximum=maximum)
    _require_shown(field, _LINE_BREAKS.sub(" ", text), _HIDING_IN_LINES)
    return text


def _require_shown(field: str, text: str, hiding: str) -> None:
    if hidden := _HIDDEN.search(_FLAG.sub("", text)):
        raise Invalid({field: [hiding.format(code=f"{ord(hidden[0]):04X}")]})
    if _INVISIBLE.fullmatch(text):
        raise Invalid({field: ["must have a character that can be seen"]})


def named_after(text: str) -> str:
    """Return the name of a thing that is called after a text from elsewhere: what names must not have is U+FFFD."""
    return _HIDDEN.sub("\ufffd", text)


def shown_text(value: str, *, maximum: int) -> str:
    """Return a text in one line without characters that change how other text is shown, cut with an ellipsis."""
    line = " ".join(_UNSHOWABLE.sub(" ", value).split())
    return line if len(line) <= maximum else f"{line[: maximum - 1]}…"
