"""Rules for text from requests and commands."""

import re

from footfall.domain.exceptions import Invalid

# PostgreSQL cannot store NUL, and UTF-8 cannot encode unpaired surrogates.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
# Control characters, line breaks, characters that turn the direction of the text after them or hide, and tags. The
# joiners and the marks of direction stay: languages and emoji need them.
_UNSHOWABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u180e\u200b\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_VISIBLE = re.compile("[^\\s\u061c\u200c-\u200f\u115f\u1160\u3164\uffa0\u2800]")


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
    fault = text_fault(value, maximum=maximum) if value else f"must have 1 to {maximum} characters"
    if fault:
        raise Invalid({field: [fault]})
    return value


def shown_name(field: str, value: str, *, maximum: int) -> str:
    """Return a name that other users see, without surrounding white space.

    Raises:
        Invalid: `required_text` refuses it, it has characters that change how the text around it is shown, or none that
            is visible; the error names `field`.

    """
    if _UNSHOWABLE.search(value.strip()):
        raise Invalid(
            {field: ["must not contain control characters, line breaks or marks that turn or hide text"]}
        )
    text = required_text(field, value, maximum=maximum)
    if not _VISIBLE.search(text):
        raise Invalid({field: ["must have a character that can be seen"]})
    return text


def shown_text(value: str, *, maximum: int) -> str:
    """Return a text in one line without characters that change how other text is shown, cut with an ellipsis."""
    line = " ".join(_UNSHOWABLE.sub(" ", value).split())
    return line if len(line) <= maximum else f"{line[: maximum - 1]}…"
