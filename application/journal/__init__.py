"""The journal: how events are written, and what is folded from them."""
