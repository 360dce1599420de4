"""Time: periods, buckets and time zones."""
