"""Data of accounts outside the journal, which can be erased."""
