"""Answers that can be cited: made from one state of both logs, which they name."""
