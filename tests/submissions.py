"""Submissions as tests need them."""

from footfall.application.ports import Submission
from footfall.domain.admission import Entry


def one(hit, **attributes):
    """Return the submission of one hit."""
    return Submission(entries=(Entry(hit=hit, **attributes),))
