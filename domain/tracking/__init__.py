"""Tracked hits: what they hold, whose they are, and which are admitted."""
