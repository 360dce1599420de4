-- begin_later_slice
truncate slice, session_delta, matches, conversion_delta
