"""Bots and AI: what bots asked for, and the visits that answers of AI services sent."""
