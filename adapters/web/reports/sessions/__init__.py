"""The pages of sessions one by one."""
