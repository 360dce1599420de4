"""The choice of the rows of a list that are shown: by a text that is searched for, or by their values."""

from string import ascii_lowercase, ascii_uppercase

from attrs import frozen

from footfall.domain.exceptions import Invalid
from footfall.domain.text import text_fault

MAX_SEARCH = 256
_FOLDED = str.maketrans(ascii_uppercase, ascii_lowercase)


@frozen
class RowChoice:
    """A choice among the rows of a list: by a text that they contain, or by their values.

    Letters of ASCII are compared without regard to case. Values that are chosen by name come with their rank.
    """

    containing: str = ""
    among: tuple[str, ...] | None = None

    def is_in(self, *texts: str | None) -> bool:
        """Whether one of the texts of a row contains the one that is searched for."""
        wanted = folded(self.containing)
        return any(wanted in folded(text or "") for text in texts)


EVERY_ROW = RowChoice()


def parse_search(text: str | None) -> RowChoice:
    """Return the choice of the query parameter `search`.

    Raises:
        Invalid: the text is longer than 256 characters, or cannot be stored.

    """
    if text and (error := text_fault(text, maximum=MAX_SEARCH)):
        raise Invalid({"search": [error]})
    return RowChoice(containing=text or "")


def folded(text: str) -> str:
    """Return a text with the letters of ASCII in lower case, which every store does alike."""
    return text.translate(_FOLDED)
