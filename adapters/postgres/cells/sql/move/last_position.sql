-- last_position
-- While nothing writes: every position up to this one is committed, or was never used.
select case when is_called then last_value else 0 end as position from hit_position
