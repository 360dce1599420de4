"""What the projector writes: the tables, and which statements fold a slice of the log into them."""

from collections.abc import Sequence

# The number of all that follows, see 0013_shape.sql: a projector writes only where the schema has the same.
SHAPE = 4

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
    "day_share",
    "day_vitals",
    "day_visitors",
)
# Those in which not every day is, but only those that both sets have counted can be compared.
SUMMARIES: Sequence[str] = ("day_share", "day_vitals", "day_visitors")

# How far the projector is, and what it is about.
STATES: Sequence[str] = ("goal_version", "retired_goal_version", "traffic_day", "projection_checkpoint")

# Further read models: each statement folds the working table `slice`, whose hits know their sessions, into its own.
FOLDS: Sequence[str] = (
    "catch_errors",
    "merge_error_sessions",
    "write_error_buckets",
    "write_error_spans",
    "write_error_messages",
    "write_error_sessions",
    "write_error_occurrences",
    "touch_days",
)
