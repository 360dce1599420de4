"""Outgoing mail: what a mail is, and when its delivery is tried again."""
