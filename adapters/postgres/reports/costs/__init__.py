"""What errors cost, by rows: for all sessions, or for those that no file covers."""
