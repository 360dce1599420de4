"""The tables of the projector, and the statements that fold a slice of the log into them."""

from collections.abc import Sequence

# Counted up by each migration that changes a read model, or what it means: a projector writes only where the schema has
# the same number.
PROJECTION_VERSION = 15

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
    "day_position",
    "quarter_position",
    # A rebuilt set has open days only: to exchange the sets revokes all versions.
    "column_day",
    "column_change",
    # Made of sightings, sooner or later.
    "error_day",
    "error_day_due",
    "projection_checkpoint",
)

WORKING_TABLES: Sequence[str] = (
    "slice",
    "placed",
    "regrouped",
    "session_delta",
    "matches",
    "conversion_delta",
    "new_errors",
    "error_session_delta",
    "error_kind",
)

# Rows of single sessions come first, so that those of all sessions are locked for a short time.
SESSIONS: Sequence[str] = (
    "sessions/collect_session_delta",
    "sessions/write_sessions",
    "sessions/follow_session_ends",
)

# Sessions that late hits join, or by which they are cut: their rows are replaced. Only those of cut ones read hits.
REGROUPING: Sequence[str] = (
    "regrouping/take_hits_again",
    "regrouping/join_sessions",
    "regrouping/join_conversions",
    "regrouping/retire_conversions",
    "regrouping/remove_conversions",
    "regrouping/collect_moved_errors",
    "regrouping/retire_error_sessions",
    "regrouping/remove_error_sessions",
    "regrouping/move_error_occurrences",
    "regrouping/move_error_sightings",
    "regrouping/remove_regrouped",
    "regrouping/write_joined",
)

CONVERSIONS: Sequence[str] = (
    "conversions/collect_conversion_delta",
    "conversions/write_conversions",
    "conversions/change_conversions",
)
CONVERSION_SUMS: Sequence[str] = ("conversions/write_conversion_buckets", "conversions/write_conversion_days")

# Further read models: each statement folds the working table `slice`, whose hits know their sessions, into its own.
FOLDS: Sequence[str] = (
    "column_days/mark_column_days",
    "checkpoint/raise_day_positions",
    "checkpoint/raise_quarter_positions",
)

# Those of slices with errors, or with sessions of errors that are formed anew: to plan them for nothing costs a small
# slice a tenth of its time.
FOLDS_OF_ERRORS: Sequence[str] = (
    "errors/collect_error_session_delta",
    "errors/write_error_buckets",
    "errors/write_error_spans",
    "errors/write_new_messages",
    "errors/write_error_messages",
    "errors/write_error_sessions",
    "errors/write_error_occurrences",
    "error_days/forget_touched",
    "error_days/mark_touched",
)
