-- keep_past_sessions
insert into past_session select * from session
