-- remove_conversions
delete from conversion
using regrouped
where sign < 0 and conversion.site_id = regrouped.site_id and conversion.session_id = regrouped.session_id
