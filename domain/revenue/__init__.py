"""Revenue by source: the money of conversions, given to the visits that led to them."""
