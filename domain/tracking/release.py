"""The release of a site: the version of its code, as events and deploy marks name it (docs/errors/releases.md)."""

from footfall.domain.text import required_text, shown_name

MAX_RELEASE = 200


def parse_release(name: str, field: str = "release") -> str:
    """Return the name of a release that something may have, without surrounding white space.

    Raises:
        Invalid: it is empty, longer than 200 characters, or cannot be stored; the error names `field`.

    """
    return required_text(field, name, maximum=MAX_RELEASE)


def name_release(name: str) -> str:
    """Return the name that a mark of a deploy or a source map gives to a release; one that events have can be odder.

    Raises:
        Invalid: it is longer than 200 characters, or `shown_name` refuses it; the error names `release`.

    """
    return shown_name("release", name, maximum=MAX_RELEASE)
