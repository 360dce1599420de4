"""What the projector writes: the tables, and which statements fold a slice of the log into them."""

from collections.abc import Sequence

# Derived from the logs alone: made again, they hold the same rows.
READ_MODELS: Sequence[str] = ("session", "traffic_bucket", "conversion", "conversion_bucket")

# How far the projector is, and what it is about.
STATES: Sequence[str] = ("goal_version", "retired_goal_version", "projection_checkpoint")

# Further read models: each statement folds the working table `slice`, whose hits know their sessions, into its own.
FOLDS: Sequence[str] = ()
