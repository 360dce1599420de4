-- stay_connected
-- Between its statements the move works at the other place, for as long as a replay takes.
select set_config('idle_session_timeout', '0', false)
