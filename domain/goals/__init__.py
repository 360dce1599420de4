"""Goals: their rules, and which hits match."""
