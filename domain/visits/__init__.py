"""Visits one by one: lists of sessions, and what happened in one."""
