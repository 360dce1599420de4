"""What reports tell of funnels: the progress in one, and the difference that a change of one makes."""
