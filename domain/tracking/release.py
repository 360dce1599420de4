"""The release of a site: the version of its code, as events and deploy marks name it (docs/releases.md)."""

from footfall.domain.text import required_text

MAX_RELEASE = 200


def parse_release(name: str, field: str = "release") -> str:
    """Return the name of a release without surrounding white space.

    Raises:
        Invalid: it is empty, longer than 200 characters, or cannot be stored; the error names `field`.

    """
    return required_text(field, name, maximum=MAX_RELEASE)
