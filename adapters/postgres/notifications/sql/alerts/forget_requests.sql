-- forget_requests
delete from alert_request where finished_at < %(before)s
