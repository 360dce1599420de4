"""Turns of reports, the queue for them, and the time that patterns have in one."""
