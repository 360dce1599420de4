"""Submissions as tests need them."""

from footfall.application.ports.traffic_log import Submission
from footfall.domain.tracking.admission import PendingHit


def one(hit, **attributes):
    """Return the submission of one hit."""
    return Submission(pending=(PendingHit(hit=hit, **attributes),))
