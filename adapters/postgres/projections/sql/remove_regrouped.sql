-- remove_regrouped
delete from session
using regrouped
where sign < 0 and session.site_id = regrouped.site_id and session.session_id = regrouped.session_id
