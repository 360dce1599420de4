-- stay_connected
-- Between its statements at one place the move works at the other one, for as long as a replay takes.
select set_config('idle_session_timeout', '0', false)
