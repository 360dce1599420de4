"""The groups of errors that costs are asked for, as parameters of statements."""

from collections.abc import Sequence
from typing import Any

from footfall.domain.error_tracking.decisions import ErrorDecisions


def member_parameters(groups: Sequence[str], decisions: ErrorDecisions) -> dict[str, Any]:
    """Return the fingerprints of groups, and the index of the group of each, as parameters."""
    parts = [(index, part) for index, group in enumerate(groups) for part in decisions.members(group)]
    return {"owners": [index for index, _ in parts], "fingerprints": [part for _, part in parts]}
