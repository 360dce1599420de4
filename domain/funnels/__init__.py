"""Funnels: their definition, and how sessions or visitors take their steps in order."""
