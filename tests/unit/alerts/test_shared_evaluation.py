"""Many rules evaluated together: what they share, and that rules that take long keep no others waiting."""
