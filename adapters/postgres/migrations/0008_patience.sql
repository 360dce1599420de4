-- Whoever waits for the horizon keeps new writers waiting behind themselves: behind a writer that has stalled in the
-- middle of its transaction they give up, and try again later.
alter function hit_horizon() set lock_timeout = '500ms';
