"""Journeys: what sessions did step by step after a page, an event or a goal, or before it."""
