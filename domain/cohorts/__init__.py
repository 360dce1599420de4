"""Cohorts: visitors by the time of their first visit, or first conversion, and how many of them came back."""
