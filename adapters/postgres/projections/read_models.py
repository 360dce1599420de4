"""The tables of the projector, and the statements that fold a slice of the log into them."""

from collections.abc import Sequence

# Counted up by each migration that changes a read model, or what it means: a projector writes only where the schema has
# the same number.
PROJECTION_VERSION = 9

# Derived from the logs alone: made again, they hold the same rows.
READ_MODELS: Sequence[str] = (
    "session",
    "traffic_bucket",
    "conversion",
    "conversion_bucket",
    "conversion_day",
    "error_message",
    "error_bucket",
    "error_span",
    "error_session",
    "error_occurrence",
    "error_sighting",
)

# The state of the projector.
STATES: Sequence[str] = (
    "goal_version",
    "retired_goal_version",
    "error_history",
    "day_position",
    "quarter_position",
    # A rebuilt set has open days only: to exchange the sets revokes all versions.
    "column_day",
    "column_change",
    "projection_checkpoint",
)

# Further read models: each statement folds the working table `slice`, whose hits know their sessions, into its own.
FOLDS: Sequence[str] = (
    "collect_new_errors",
    "collect_error_session_delta",
    "write_error_buckets",
    "write_error_spans",
    "write_new_messages",
    "write_error_messages",
    "write_error_sessions",
    "write_error_occurrences",
    "mark_column_days",
    "raise_day_positions",
    "raise_quarter_positions",
)
