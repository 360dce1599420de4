"""What-ifs: what a change would do, before it is made."""
