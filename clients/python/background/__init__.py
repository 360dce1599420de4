"""The clients that queue events and send them in batches."""
