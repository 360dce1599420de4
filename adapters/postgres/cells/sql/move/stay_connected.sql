-- stay_connected
-- Between its statements at one place the move works at the other one, for as long as a replay takes. The locks of a command whose host
-- is gone end with its connection, as soon as the server finds out.
select set_config(name, value, false)
from (
    values
        ('idle_session_timeout', '0'),
        ('tcp_keepalives_idle', '10'),
        ('tcp_keepalives_interval', '5'),
        ('tcp_keepalives_count', '3')
) as needed (name, value)
